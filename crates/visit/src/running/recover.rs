//! What becomes of a trial that began and of which the journal knows no end: the program was
//! killed, or the power failed. If its files are whole it is as good as any other; if not,
//! what is left of it is kept, and it is run again.

use super::{Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::wall_clock_now;
use chronotap_data::record::journal::JournalError as Unreadable;
use chronotap_data::record::place::TrialFiles;
use chronotap_data::record::{RecordError, RecordedError, Saved, read_events_on};
use chronotap_recorder::recover_on;
use chronotap_session::{
    frontend::Announcement,
    is_running,
    line::{Line, TrialBegan},
    outcome::{self, Judged},
};
use std::collections::BTreeMap;
use std::path::Path;

impl<D: AnyDisk> Session<'_, D> {
    /// Settles the trial that was under way when the program ended.
    pub(super) fn settle_open_trial(&mut self) -> Result<(), SessionError> {
        let Some(began) = self.course.open_trial().cloned() else { return Ok(()) };
        let folder = self.dataset.root().join(self.place.beh());
        let files = TrialFiles::of(&folder, &self.place.trial(began.run));
        let disk = self.dataset.disk.itself();
        if disk.is_there(&files.journal) {
            match recover_on(disk, &files.journal) {
                Ok(_) => {}
                // Nothing that can be read is in it.
                Err(RecordError::Unreadable(Unreadable::Header { .. })) => {
                    self.put_aside(&files.journal)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        let line = match disk.is_there(&files.tsv) && disk.is_there(&files.json) {
            true => self.settled(&began, &files)?,
            false => {
                for path in [&files.tsv, &files.json].into_iter().filter(|path| disk.is_there(path))
                {
                    self.put_aside(path)?;
                }
                let (at, run) = (wall_clock_now(), began.run);
                Line::TrialCut { at, run, files: BTreeMap::new() }
            }
        };
        self.record(line)
    }

    /// The end of a trial whose files are there.
    fn settled(&self, began: &TrialBegan, files: &TrialFiles) -> Result<Line, SessionError> {
        let disk = self.dataset.disk.itself();
        let there = disk.is_there(&files.callbacks_tsv).then(|| files.callbacks_tsv.clone());
        let (tsv, json) = (files.tsv.clone(), files.json.clone());
        let forces = files.forces(disk);
        let saved = Saved { tsv, json, rows: 0, callbacks: there, forces };
        let recording = read_events_on(disk, &saved.tsv)?;
        let (at, run, files) = (wall_clock_now(), began.run, self.files(Some(&saved))?);
        if recording.end().is_none() {
            return Ok(Line::TrialCut { at, run, files });
        }
        let summary = recording.summary()?;
        let file = recording.trial_file().map_err(RecordedError::from)?;
        let step = &self.study.experiment.steps[began.step];
        let entries = recording.entries().unwrap_or_default();
        let staircase = began.staircase.as_deref().and_then(|name| self.study.staircase(name));
        let judged = Judged { file: &file, summary: &summary, entries: &entries };
        let mut ended = outcome::of(step, began.trial, staircase, &judged);
        (ended.at, ended.run, ended.files) = (at, run, files);
        ended.onset = recording.header.started;
        let mut staircases = (0..).map_while(|place| self.course.staircase(place));
        let run = staircases.position(|name| Some(name) == began.staircase.as_deref());
        if let (Some(place), Some(answer)) = (run, ended.answer) {
            ended.reversal = self.course.reverses(place, answer);
            ended.flags.extend(self.course.end_of_staircase(place, answer));
        }
        if self.dataset.is_simulated() {
            ended.flags.push("simulated".into());
        }
        Ok(Line::TrialEnded(Box::new(ended)))
    }

    /// Moves a file that is of no use to the analysis out of BIDS's folders.
    fn put_aside(&self, path: &Path) -> Result<(), SessionError> {
        let name = path.file_name().unwrap_or_default();
        let aside = self.place.source().join(name);
        let moved = self.dataset.disk.rename(path, &self.dataset.root().join(&aside));
        Ok(self.dataset.told(&aside, moved)?)
    }

    /// Removes what a program left that was killed or refused: files under temporary names, and
    /// journals of trials whose events files are whole.
    pub(super) fn remove_leftovers(&self) -> Result<(), SessionError> {
        let disk = self.dataset.disk.itself();
        for folder in [self.place.beh(), self.place.folder(), self.place.source()] {
            for name in self.dataset.names_in(&folder)? {
                let path = self.dataset.root().join(&folder).join(&name);
                if is_left_over(&name.to_string_lossy()) {
                    let _ = disk.remove(&path); // it only takes room
                } else if folder == self.place.beh() && self.is_of_ended_trial(&path) {
                    // It goes where it says again what is saved; else it stays.
                    let _ = recover_on(disk, &path);
                }
            }
        }
        Ok(())
    }

    /// Whether this is the journal of a trial, and not of the one that is still to be settled.
    fn is_of_ended_trial(&self, path: &Path) -> bool {
        let open = self.course.open_trial().map(|began| self.place.trial(began.run));
        let name = path.file_stem().and_then(|name| name.to_str());
        path.extension().is_some_and(|end| end == "journal") && name != open.as_deref()
    }

    /// What to say of a trial that was settled.
    pub(super) fn tell_settled(&self, frontend: &mut dyn chronotap_session::frontend::Frontend) {
        let cut = self.journal.lines().last();
        if let Some(Line::TrialCut { run, .. }) = cut {
            let said = format!(
                "Trial run-{run:02} was cut short; what there is of it is kept, and it is run again."
            );
            frontend.tell(&Announcement::Remark(&said));
        }
    }
}

/// Whether this is the temporary name of a file whose program is no more.
fn is_left_over(name: &str) -> bool {
    let writer = chronotap_core::files::writer_of(name);
    writer.is_some_and(|program| !is_running(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_temporary_files_of_programs_that_have_ended_are_left_over() {
        assert!(is_left_over("chronotap-4294967295-2.part"), "no program has this number");
        assert!(!is_left_over(&format!("chronotap-{}-2.part", std::process::id())));
        assert!(!is_left_over("chronotap-notes-2.part"), "somebody's own file");
        assert!(!is_left_over("sub-01_task-short_beh.tsv"));
    }
}

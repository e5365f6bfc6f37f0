//! [`drop_out`]: the experimenter says that somebody will not come back. Their data stay and are analysed;
//! the group and the place are free for the next. A line in the journal of their last session says it,
//! and participants.tsv follows. The same with `back` takes it back.

use crate::attrition::Attrition;
use crate::correct::{CorrectError, finish_first};
use crate::dataset::Dataset;
use crate::held::refuse_other_levels;
use crate::journal::OpenJournal;
use crate::kept::{KeptSession, journals_of};
use crate::line::Line;
use crate::tables::seal;
use crate::visit::Visit;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::wall_clock_now;
use std::path::{Path, PathBuf};

/// Who drops out, or is back.
#[derive(Clone, Debug, Default)]
pub struct DropOut {
    /// The participant's label, padded.
    pub label: String,
    pub reason: String,
    /// Who says so.
    pub by: String,
    /// Whether they take part again.
    pub back: bool,
}

/// Notes it; tells how they have left now.
///
/// # Errors
/// [`CorrectError`], of these kinds: nobody has this label, they withdrew, a session of theirs is under way, it
/// stands there already, there is no reason, or the dataset cannot be read or written.
pub fn drop_out<D: AnyDisk>(
    dataset: &Dataset<D>,
    said: &DropOut,
) -> Result<Option<Attrition>, CorrectError> {
    let label = &said.label;
    if said.reason.trim().is_empty() {
        return Err(CorrectError::NoReason);
    }
    finish_first(dataset)?;
    if dataset.withdrawn()?.contains(label) {
        return Err(CorrectError::Withdrawn { label: label.clone() });
    }
    let nobody = || CorrectError::Nobody { label: label.clone() };
    let sessions = journals_of(dataset, label)?;
    if sessions.is_empty() {
        return Err(nobody()); // a lock would make them a folder
    }
    let whoever = Visit { label: label.clone(), session: None, task: String::new() };
    let running = || CorrectError::Running { label: label.clone() };
    let _held = dataset.lock_participant(&whoever)?.ok_or_else(running)?;
    let _lock = dataset.lock()?;
    let (path, last) = last_of(dataset, &sessions)?.ok_or_else(nobody)?;
    let mut people = dataset.people(&last.study.about.columns)?;
    let before = dataset.attrition(label)?;
    let had = people.find(label).ok_or_else(nobody)?.attrition;
    refuse_other_levels(dataset, &last.place, &last.plan)?;
    if (before == Some(Attrition::DroppedOut)) == said.back {
        write(dataset, &path, said)?;
    } else if before == had {
        return Err(CorrectError::Nothing { label: label.clone() });
    } // else the journal says it, and the table not yet
    let now = dataset.attrition(label)?;
    people.leave(label, now);
    dataset.write_people(&people)?;
    Ok(now)
}

/// The last session that began.
fn last_of<D: AnyDisk>(
    dataset: &Dataset<D>,
    sessions: &[PathBuf],
) -> Result<Option<(PathBuf, KeptSession)>, CorrectError> {
    let mut last: Option<(PathBuf, KeptSession)> = None;
    for path in sessions {
        let Some(kept) = KeptSession::read(dataset, path)? else { continue };
        if last.as_ref().is_none_or(|(_, last)| last.began.session < kept.began.session) {
            last = Some((path.clone(), kept));
        }
    }
    Ok(last)
}

/// Writes the line, and the checksum of the journal where that was complete.
fn write<D: AnyDisk>(
    dataset: &Dataset<D>,
    path: &Path,
    said: &DropOut,
) -> Result<(), CorrectError> {
    let mut journal = OpenJournal::open(&dataset.root().join(path), &dataset.disk)?;
    let (at, reason) = (wall_clock_now(), said.reason.trim().to_owned());
    let line = Line::DroppedOut { at, reason, by: said.by.clone(), back: said.back };
    journal.add(&dataset.disk, line)?;
    drop(journal);
    let Some(kept) = KeptSession::read(dataset, path)? else { return Ok(()) };
    let mut tables = kept.tables();
    tables.restore(dataset)?;
    if kept.course().is_completed() {
        seal(&mut tables, &kept.place, dataset)?;
    }
    Ok(())
}

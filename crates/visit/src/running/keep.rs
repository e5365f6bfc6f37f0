//! What a session wrote stays as long as it is under way. Before each step it is looked whether
//! somebody removed or moved a file of it. What can be made again is written again at once, and
//! said; what cannot is named. Nothing is written where a link took the place of a folder.

use super::{Session, SessionError};
use chronotap_core::files::{Disk as AnyDisk, Way};
use chronotap_data::tables::names::PARTICIPANTS;
use chronotap_session::{
    dataset::{DatasetError, describe},
    frontend::{Announcement, Frontend},
    line::Line,
};
use std::path::Path;

impl<D: AnyDisk> Session<'_, D> {
    /// Looks after all files of the session, and says what was made again.
    pub(super) fn keep(&mut self, frontend: &mut dyn Frontend) -> Result<(), SessionError> {
        let kept = self.keep_all();
        for said in self.dataset.remarks() {
            frontend.tell(&Announcement::Remark(&said));
        }
        kept
    }

    fn keep_all(&mut self) -> Result<(), SessionError> {
        self.keep_journal()?;
        self.keep_plan()?;
        self.keep_people()?;
        self.keep_descriptions()?;
        for path in self.tables.keep(self.dataset)? {
            self.made_again(&path);
        }
        self.look_for_trials();
        Ok(())
    }

    /// Remembers where the folders really are, now that they are there.
    pub(super) fn remember_ways(&mut self) {
        let (disk, root) = (self.dataset.disk.itself(), self.dataset.root());
        let folders = [self.place.source(), self.place.beh()];
        self.ways = folders.map(|folder| Way::to(disk, &root.join(folder)));
    }

    /// The folders, and the journal in them.
    pub(super) fn keep_journal(&mut self) -> Result<(), SessionError> {
        self.keep_folders()?;
        if let Some(said) = self.journal.keep(&self.dataset.disk)? {
            self.dataset.remark(said);
        }
        Ok(())
    }

    /// Folders that are gone are made again; where the whole dataset is gone its disk may be.
    pub(super) fn keep_folders(&self) -> Result<(), DatasetError> {
        self.refuse_other_folders()?;
        for folder in [self.place.source(), self.place.beh()] {
            if self.dataset.has_folder(&folder) {
                continue;
            }
            self.dataset.told(Path::new(""), self.dataset.names_of_root())?;
            self.dataset.make_folder(&folder)?;
            self.made_again(&folder);
        }
        Ok(())
    }

    /// Refuses to write where something else took the place of a folder.
    pub(super) fn refuse_other_folders(&self) -> Result<(), DatasetError> {
        let disk = self.dataset.disk.itself();
        Ok(self.ways.iter().try_for_each(|way| way.look(disk))?)
    }

    /// Brings the tables up to the journal.
    pub(super) fn write_tables(&mut self) -> Result<(), DatasetError> {
        self.keep_folders()?;
        self.tables.write(self.dataset)
    }

    fn keep_plan(&self) -> Result<(), DatasetError> {
        let table = self.plan.tsv();
        let files = [(self.place.plan_as_json(), &self.plan_text), (self.place.plan(), &table)];
        for (path, text) in files {
            if !self.dataset.has(&path) {
                self.dataset.replace(&path, text.as_bytes())?;
                self.made_again(&path);
            }
        }
        Ok(())
    }

    /// The table of participants, from the journals.
    pub(super) fn keep_people(&self) -> Result<(), DatasetError> {
        if self.dataset.has(Path::new(PARTICIPANTS)) {
            return Ok(());
        }
        let _lock = self.dataset.lock()?;
        self.dataset.keep_people(&self.study.about.columns)
    }

    fn keep_descriptions(&self) -> Result<(), SessionError> {
        for name in describe::missing(self.dataset, &self.study.about) {
            self.made_again(Path::new(&name));
            describe::write(self.dataset, &self.study.about)?;
        }
        let has_trials =
            self.journal.lines().iter().any(|line| matches!(line, Line::TrialBegan(_)));
        let path = self.place.table_description();
        if has_trials && !self.dataset.has(&path) {
            self.describe_trials()?;
            self.made_again(&path);
        }
        Ok(())
    }

    fn made_again(&self, path: &Path) {
        let path = self.dataset.root().join(path);
        self.dataset.remark(format!("{}: was gone or changed, and is made again", path.display()));
    }

    /// Files of trials are all that there is of them.
    fn look_for_trials(&mut self) {
        let made_again = [
            self.place.table(),
            self.place.scans(),
            self.place.table_description(),
            self.place.journal(),
        ];
        for path in self.tables.listed() {
            if self.dataset.has(&path) {
                self.lost.remove(&path);
            } else if !made_again.contains(&path) && self.lost.insert(path.clone()) {
                let path = self.dataset.root().join(path);
                let said = format!("{}: is gone, and nothing else holds the same", path.display());
                self.dataset.remark(said);
            }
        }
    }

    /// No session is complete whose trials are gone.
    pub(super) fn refuse_lost(&self) -> Result<(), SessionError> {
        let paths: Vec<String> = self.lost.iter().map(|path| path.display().to_string()).collect();
        if paths.is_empty() { Ok(()) } else { Err(SessionError::Gone { paths }) }
    }
}

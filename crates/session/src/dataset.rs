//! [`Dataset`]: the folder of a study's data, in the layout of BIDS 1.11, valid at any
//! moment between two trials. Here are the files of the whole study: what it is, who took
//! part, which files it ran. The files of a session are in [`crate::tables`].
//!
//! Two booths may share a dataset: whoever reads and then writes who took part holds the
//! kernel's lock on it, which the system lets go when the program ends, in whatever way.

pub mod describe;
pub(crate) mod journals;
pub(crate) mod people;
mod register;
pub(crate) mod study_files;
pub(crate) mod withdrawals;

pub(crate) use describe::trials_description;
pub use people::People;
use register::Register;
pub use withdrawals::WhoWithdrew;

use crate::columns::Columns;
use crate::disk::SessionDisk;
use crate::journal::{OpenJournalError, lines_of};
use crate::line::Line;
pub use crate::person::Person;
use crate::system;
use crate::table::TsvTable;
use crate::visit::Visit;
use chronotap_core::files::{self, Disk as AnyDisk, DiskFile, OtherFolder, System};
use chronotap_core::text::counted;
use chronotap_data::tables::names::SOURCE;
use chronotap_design::Credits;
use serde_json::Value;
use std::ffi::OsString;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A study's data.
#[derive(Debug)]
pub struct Dataset<D: AnyDisk = System> {
    root: PathBuf,
    pub disk: SessionDisk<D>,
    simulated: bool,
    remarks: Mutex<Vec<String>>, // what was made again, and nobody was told yet
    register: Mutex<Option<Register>>, // who takes part, while a study is simulated
}

/// What a dataset says of its study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// The study's title.
    pub title: String,
    /// Its task label.
    pub task: String,
    /// What it is about, in words; empty where nothing is said.
    pub description: String,
    /// What participants are shown, one after another.
    pub instructions: String,
    /// The publication it follows.
    pub reference: Option<String>,
    /// Whose it is, and on which terms.
    pub credits: Credits,
    /// The columns of its tables.
    pub columns: Columns,
    /// Whether its trials tell codes to another recorder.
    pub coded: bool,
    /// The study's files: the experiment file first, then all it names, with their texts.
    pub files: Vec<(String, String)>,
    /// The pictures and sounds that its texts show, with their bytes.
    pub attached: Vec<Attached>,
}

/// A file that a text of a study shows: its name in the study, and what it holds.
pub type Attached = (String, Arc<[u8]>);

/// Why a dataset cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// The system refuses to read or write. Free space, or correct rights or path.
    #[error("{}: {source}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The disk has no locks, so that two programs could write at one time. Name a folder on another, or
    /// have its server give locks.
    #[error("{}: it cannot be locked, for its disk has no locks ({source})", path.display())]
    NoLocks {
        /// The file that was to be locked.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder holds something else. Name another.
    #[error("{}: not empty, and no dataset of chronotap", path.display())]
    NotADataset { path: PathBuf },
    /// There is no dataset. Name one.
    #[error("{}: there is no dataset here", path.display())]
    Missing { path: PathBuf },
    /// The dataset is that of another study. Name another folder.
    #[error("{}: holds the study \"{there}\" (task {task}), not this one", path.display())]
    OtherStudy {
        path: PathBuf,
        /// The title of the study in it.
        there: String,
        /// Its task label.
        task: String,
    },
    /// The folder holds something. Name another.
    #[error("{}: not empty", path.display())]
    NotEmpty { path: PathBuf },
    /// The dataset holds trials of another program, and no session can be added. Name another.
    #[error("{}: its trials were recorded by another program ({format})", path.display())]
    Imported { path: PathBuf, format: String },
    /// The study has groups that the people in the dataset have not. Name another folder, or restore the
    /// study.
    #[error("{}: people in it are in groups by {}, and by {study} they would be by {}", path.display(), by(there), by(here))]
    OtherGroups {
        path: PathBuf,
        /// The experiment file.
        study: String,
        /// The factors between participants in the dataset.
        there: Vec<String>,
        /// Those of the study.
        here: Vec<String>,
    },
    /// Simulated participants and people do not share a dataset.
    #[error("{}: holds data of {there}, and this session would be of {here}", path.display())]
    Simulated {
        path: PathBuf,
        /// Whose data are there.
        there: &'static str,
        /// Whose would be added.
        here: &'static str,
    },
    /// A table of trials has levels of factors that the plan has otherwise, as an earlier version wrote
    /// them. Repair it.
    #[error("{}: {}", path.display(), others(factors, *rows))]
    Levels {
        /// From the dataset's folder.
        path: PathBuf,
        /// The factors whose columns they are.
        factors: Vec<String>,
        /// In so many rows.
        rows: usize,
    },
    /// A table is not what this program wrote. Restore it, or let it be made again.
    #[error("{}: not the table that was written", path.display())]
    Table { path: PathBuf },
    /// The same of a file that nothing else says the same as. Restore it.
    #[error("{}: not what was written, and nothing else says the same", path.display())]
    NotMadeAgain { path: PathBuf },
    /// Something else has taken the place of a folder in the middle of a session. Put the folder
    /// back.
    #[error(transparent)]
    OtherFolder(#[from] OtherFolder),
    /// A journal that somebody's row in participants.tsv would be made from refuses.
    #[error(transparent)]
    Journal(#[from] OpenJournalError),
}

/// What a table of trials has otherwise than the plan, in words.
pub fn others(factors: &[String], rows: usize) -> String {
    let factors = factors.join(", ");
    format!("other levels than the plan has under {factors} in {}", counted(rows, "row"))
}

/// Names of factors; there may be none.
fn by(factors: &[String]) -> String {
    if factors.is_empty() { "nothing".to_owned() } else { factors.join(" and ") }
}

/// The lock on a dataset, held until it is dropped.
#[derive(Debug)]
pub struct Lock<D: AnyDisk = System>(D::File);

/// Also where a program that is just being started has a copy of the open file for a moment.
impl<D: AnyDisk> Drop for Lock<D> {
    fn drop(&mut self) {
        let Some(file) = self.0.of_system() else { return };
        let _ = files::unlock(file); // ends with the program anyway
    }
}

impl Dataset {
    /// Whether there is a dataset, of whatever study.
    pub fn is_there(root: &Path) -> bool {
        chronotap_core::files::is_there(&root.join("dataset_description.json"))
    }

    /// Opens a dataset that is there.
    ///
    /// # Errors
    /// [`DatasetError::Missing`].
    pub fn open(root: &Path) -> Result<Dataset, DatasetError> {
        Dataset::open_on(root, SessionDisk::durable())
    }
}

impl<D: AnyDisk> Dataset<D> {
    /// Opens the dataset of a study, or makes it where there is none.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn open_or_make(
        root: &Path,
        about: &About,
        simulated: bool,
        disk: SessionDisk<D>,
    ) -> Result<Dataset<D>, DatasetError> {
        let dataset = Dataset::at(root, disk, simulated);
        if !dataset.is_of(about)? {
            let full = dataset.refuse_full();
            // Another program may have made the dataset between the two looks.
            if !dataset.is_of(about)? {
                full?;
            }
        }
        dataset.make_folder(Path::new(SOURCE))?;
        let lock = dataset.lock()?;
        dataset.is_of(about)?; // nor is it another study's that began at the same moment
        dataset.refuse_other_groups(about)?;
        describe::write(&dataset, about)?;
        // With other files of the study its sessions may be refused: then no table is made.
        if dataset.changed_files(about)?.is_empty() {
            dataset.keep_people(&about.columns)?;
        }
        drop(lock);
        Ok(dataset)
    }

    /// The dataset of a study where it is there, and otherwise nothing; refused is what
    /// [`Dataset::open_or_make`] refuses. Nothing is written.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn look_for(
        root: &Path,
        about: &About,
        simulated: bool,
        disk: SessionDisk<D>,
    ) -> Result<Option<Dataset<D>>, DatasetError> {
        let there = read_description(root, &disk)?;
        let dataset = Dataset::at(root, disk, simulated);
        refuse_read_only(root)?;
        let Some(there) = there else { return dataset.refuse_full().map(|()| None) };
        dataset.refuse_other(&there, about)?;
        dataset.refuse_other_groups(about)?;
        dataset.people(&about.columns)?;
        Ok(Some(dataset))
    }

    /// A new dataset for trials of another program, in a folder that is empty or not there.
    ///
    /// # Errors
    /// [`DatasetError::NotEmpty`].
    pub fn new_for_import(root: &Path, disk: SessionDisk<D>) -> Result<Dataset<D>, DatasetError> {
        let dataset = Dataset::at(root, disk, false);
        let is_empty = || dataset.names_in(Path::new("")).map(|names| names.is_empty());
        if dataset.disk.is_there(root) && !is_empty()? {
            return Err(DatasetError::NotEmpty { path: root.to_owned() });
        }
        Ok(dataset)
    }

    /// Opens a dataset that is there, on any disk.
    ///
    /// # Errors
    /// [`DatasetError::Missing`].
    pub fn open_on(root: &Path, disk: SessionDisk<D>) -> Result<Dataset<D>, DatasetError> {
        let missing = || DatasetError::Missing { path: root.to_owned() };
        let there = read_description(root, &disk)?.ok_or_else(missing)?;
        let simulated = there[KEY]["simulated"].as_bool().ok_or_else(missing)?;
        Ok(Dataset::at(root, disk, simulated))
    }

    fn at(root: &Path, disk: SessionDisk<D>, simulated: bool) -> Dataset<D> {
        let (root, remarks, register) = (root.to_owned(), Mutex::default(), Mutex::default());
        Dataset { root, disk, simulated, remarks, register }
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The task of its study, which makes it that study: its title may be changed.
    pub fn task(&self) -> Option<String> {
        let there = read_description(&self.root, &self.disk).ok()??;
        there[KEY]["task"].as_str().map(str::to_owned)
    }

    /// Whether its participants are simulated.
    pub fn is_simulated(&self) -> bool {
        self.simulated
    }

    /// Which program or format its trials come from, where they are not of this program.
    pub fn imported_from(&self) -> Option<String> {
        let there = read_description(&self.root, &self.disk).ok()??;
        there[KEY]["imported"]["format"].as_str().map(str::to_owned)
    }

    /// Its title.
    pub fn title(&self) -> Option<String> {
        let there = read_description(&self.root, &self.disk).ok()??;
        there[KEY]["title"].as_str().map(str::to_owned)
    }

    /// Keeps a sentence about what was made again, until somebody tells it.
    pub fn remark(&self, said: String) {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).push(said);
    }

    /// What was made again since this was asked last, a sentence each.
    pub fn remarks(&self) -> Vec<String> {
        std::mem::take(&mut *self.remarks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until nobody else holds the dataset, and holds it.
    ///
    /// # Errors
    /// [`DatasetError::Disk`].
    pub fn lock(&self) -> Result<Lock<D>, DatasetError> {
        let path = Path::new(SOURCE).join("dataset.lock");
        let file = self.told(&path, self.disk.open_to_append(&self.root.join(&path)))?;
        if let Some(of_system) = file.of_system() {
            files::lock(of_system).map_err(|error| self.not_locked(&path, error))?;
        }
        Ok(Lock(file))
    }

    /// Holds a participant, so that only one session of them is under way; `None` where
    /// one is.
    ///
    /// # Errors
    /// [`DatasetError::Disk`].
    pub fn lock_participant(&self, place: &Visit) -> Result<Option<Lock<D>>, DatasetError> {
        let path = place.lock();
        self.make_folder(path.parent().unwrap_or(Path::new("")))?;
        let file = self.told(&path, self.disk.open_to_append(&self.root.join(&path)))?;
        match file.of_system().map_or(Ok(()), files::try_lock) {
            Ok(()) => Ok(Some(Lock(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(self.not_locked(&path, error)),
        }
    }

    /// Why a file cannot be locked.
    fn not_locked(&self, path: &Path, source: io::Error) -> DatasetError {
        let path = self.root.join(path);
        match files::has_no_locks(&source) {
            true => DatasetError::NoLocks { path, source },
            false => DatasetError::Disk { path, source },
        }
    }

    pub fn make_folder(&self, folder: &Path) -> Result<(), DatasetError> {
        self.told(folder, self.disk.make_folder(&self.root.join(folder)))
    }

    pub fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), DatasetError> {
        self.told(path, self.disk.replace(&self.root.join(path), bytes))
    }

    pub fn replace_table(&self, path: &Path, table: &TsvTable) -> Result<(), DatasetError> {
        self.replace(path, &table.bytes())
    }

    /// A table of the dataset; `None` where there is none yet.
    pub fn table(&self, path: &Path) -> Result<Option<TsvTable>, DatasetError> {
        let whole = self.root.join(path);
        if !self.disk.is_there(&whole) {
            return Ok(None);
        }
        let text = self.told(path, self.disk.read_to_string(&whole))?;
        let table = TsvTable::parse(&text).ok_or(DatasetError::Table { path: whole })?;
        Ok(Some(table))
    }

    /// Whether a file or folder of the dataset is there.
    pub fn has(&self, path: &Path) -> bool {
        self.disk.is_there(&self.root.join(path))
    }

    /// All bytes of a file of the dataset.
    pub fn bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.disk.read(&self.root.join(path))
    }

    /// The text of a file of the dataset.
    pub fn text(&self, path: &Path) -> io::Result<String> {
        self.disk.read_to_string(&self.root.join(path))
    }

    /// What the journal of a session says; `None` where it cannot be read or there is none.
    pub fn lines(&self, place: &Visit) -> Option<Vec<Line>> {
        let path = place.journal();
        self.has(&path).then(|| lines_of(&self.root.join(&path), self.bytes(&path)).ok())?
    }

    /// Whether a file of the dataset is there with this length.
    pub fn has_length(&self, path: &Path, bytes: usize) -> bool {
        let length = self.disk.itself().open(&self.root.join(path)).and_then(|file| file.len());
        length.is_ok_and(|length| length == bytes as u64)
    }

    /// Whether a folder of the dataset is there.
    pub fn has_folder(&self, path: &Path) -> bool {
        self.disk.itself().is_folder(&self.root.join(path))
    }

    /// The names in a folder of the dataset.
    pub fn names_in(&self, folder: &Path) -> Result<Vec<OsString>, DatasetError> {
        self.told(folder, self.disk.itself().names_in(&self.root.join(folder)))
    }

    /// What is in its folder; an error where that is gone.
    pub fn names_of_root(&self) -> io::Result<Vec<OsString>> {
        self.disk.itself().names_in(&self.root)
    }

    /// What became of a file of this dataset.
    pub fn told<T>(&self, path: &Path, done: io::Result<T>) -> Result<T, DatasetError> {
        done.map_err(|source| DatasetError::Disk { path: self.root.join(path), source })
    }

    /// Whether there is a dataset, which is then of this study.
    fn is_of(&self, about: &About) -> Result<bool, DatasetError> {
        match read_description(&self.root, &self.disk)? {
            Some(there) => self.refuse_other(&there, about).map(|()| true),
            None => Ok(false),
        }
    }

    fn refuse_other(&self, there: &Value, about: &About) -> Result<(), DatasetError> {
        let path = self.root.clone();
        if let Some(format) = there[KEY]["imported"]["format"].as_str() {
            return Err(DatasetError::Imported { path, format: format.to_owned() });
        }
        let task = there[KEY]["task"].as_str().unwrap_or_default();
        if task != about.task {
            let title = there[KEY]["title"].as_str().unwrap_or_default().to_owned();
            return Err(DatasetError::OtherStudy { path, there: title, task: task.to_owned() });
        }
        let simulated = there[KEY]["simulated"].as_bool().unwrap_or(false);
        let whose = |simulated| if simulated { "simulated participants" } else { "people" };
        if simulated == self.simulated {
            return Ok(());
        }
        Err(DatasetError::Simulated { path, there: whose(simulated), here: whose(self.simulated) })
    }

    /// What else is in a folder without a description is not ours, but for what a program
    /// that was killed in its first moments left: the description comes last.
    fn refuse_full(&self) -> Result<(), DatasetError> {
        let Ok(names) = self.disk.itself().names_in(&self.root) else { return Ok(()) };
        let names: Vec<String> =
            names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let begun = names.iter().any(|name| name == SOURCE);
        let ours = |name: &String| begun && describe::is_written_first(name);
        match names.iter().all(ours) {
            true => Ok(()),
            false => Err(DatasetError::NotADataset { path: self.root.clone() }),
        }
    }
}

/// Nothing can be made in a folder that cannot be written, nor where it is to be made.
fn refuse_read_only(root: &Path) -> Result<(), DatasetError> {
    let parent = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let mut there = root;
    while parent(&there) {
        there = there.parent().unwrap_or(Path::new(""));
    }
    let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
    let may = system::may_make_in(there);
    may.map_err(|source| DatasetError::Disk { path: there.to_owned(), source })
}

/// The key of dataset_description.json under which the program keeps its own.
pub const KEY: &str = "Chronotap";

/// The description of the dataset in this folder, where it is one of this program.
fn read_description<D: AnyDisk>(
    root: &Path,
    disk: &SessionDisk<D>,
) -> Result<Option<Value>, DatasetError> {
    let path = root.join("dataset_description.json");
    if !disk.is_there(&path) {
        return Ok(None);
    }
    let text = disk
        .read_to_string(&path)
        .map_err(|source| DatasetError::Disk { path: path.clone(), source })?;
    let value: Value =
        serde_json::from_str(&text).map_err(|_| DatasetError::NotMadeAgain { path })?;
    match value[KEY]["task"].is_string() {
        true => Ok(Some(value)),
        false => Err(DatasetError::NotADataset { path: root.to_owned() }),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// `asm-generic/errno.h`
    const ENOLCK: i32 = 37;
    const EOPNOTSUPP: i32 = 95;
    const ENOSYS: i32 = 38;
    const EINVAL: i32 = 22;
    const EIO: i32 = 5;

    #[test]
    fn a_disk_without_locks_is_told_from_one_that_refuses() {
        let dir = tempfile::tempdir().unwrap();
        let about = About { task: "t".into(), ..About::default() };
        let root = dir.path().join("d");
        let dataset = Dataset::open_or_make(&root, &about, true, SessionDisk::durable()).unwrap();
        let lock = Path::new("sourcedata/dataset.lock");
        let refused = |number| dataset.not_locked(lock, io::Error::from_raw_os_error(number));
        for error in [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL] {
            assert!(matches!(refused(error), DatasetError::NoLocks { .. }), "{error}");
        }
        assert!(matches!(refused(EIO), DatasetError::Disk { .. }));
    }
}

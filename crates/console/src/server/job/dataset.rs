//! [`WithDataset`]: what can be done with a dataset of the folder, as `chronotap verify`, `analyze`,
//! `report`, `backup`, `export` and `pack` do it.

use super::About;
use crate::server::folder::{self, Remembered};
use chronotap_core::files::is_there;
use serde::Deserialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::server) struct WithDataset {
    /// The dataset, by its path in the list.
    dataset: PathBuf,
    /// What is done: a row of [`WORKS`].
    work: String,
    /// The folder that is made, for what makes one; where it is relative, in the folder of the
    /// console.
    #[serde(default)]
    to: PathBuf,
    /// The format of an export, as the command takes it.
    #[serde(default)]
    format: String,
    /// Whether a pack has what was asked about persons.
    #[serde(default)]
    persons: bool,
}

/// What can be done: its name, which is that of the command, what it tells, and where it puts what
/// it makes.
const WORKS: [(&str, &str, Makes); 6] = [
    ("verify", "Whether the data are complete and unchanged", Makes::Nothing),
    ("analyze", "Tables of the results", Makes::Nothing),
    ("report", "The report of the results", Makes::Page("report")),
    ("backup", "A copy of the data", Makes::Folder),
    ("export", "Tables for other programs", Makes::Export),
    ("pack", "The data as one file for somebody else", Makes::Pack),
];

#[derive(Clone, Copy)]
enum Makes {
    /// Words, and files in the dataset itself.
    Nothing,
    /// A page of this name among what was derived from the dataset.
    Page(&'static str),
    /// A folder, which follows the dataset.
    Folder,
    /// A folder, and files of a format in it.
    Export,
    /// A file, with what was asked about persons or without.
    Pack,
}

/// Letters of the name of a file or folder.
const LONGEST_PLACE: usize = 400;

impl WithDataset {
    /// The command, and where its page will be found.
    pub(super) fn about(&self, folder: &Path, memory: &Remembered) -> Result<About, String> {
        let (command, title, makes) =
            WORKS.iter().find(|(name, ..)| *name == self.work).ok_or_else(|| self.unknown())?;
        let dataset = folder::dataset_of(folder, &self.dataset, memory)?;
        let mut about = About::new(&format!("{title}: {}", self.dataset.display()), [*command]);
        about.add([dataset.as_os_str()]);
        match makes {
            Makes::Nothing => {}
            Makes::Page(named) => about.page(&dataset.join("derivatives/chronotap"), named),
            Makes::Folder => {
                about.add([self.to(folder)?.as_os_str()]);
            }
            Makes::Export => {
                about.option("--to", self.to(folder)?).option("--as", OsStr::new(&self.format));
            }
            Makes::Pack => {
                about.option("--output", new_place(folder, &self.to, "file")?);
                about.add(self.persons.then_some("--with-persons"));
            }
        }
        Ok(about)
    }

    fn to(&self, folder: &Path) -> Result<PathBuf, String> {
        place(folder, &self.to, "folder")
    }

    fn unknown(&self) -> String {
        let known: Vec<&str> = WORKS.iter().map(|(name, ..)| *name).collect();
        format!("{:?} is nothing that can be done here; known are {}", self.work, known.join(", "))
    }
}

/// The folder or file that is to be made. What is wrong with it is for the command to say, as long as it is one line.
fn place(folder: &Path, to: &Path, what: &str) -> Result<PathBuf, String> {
    let name = to.to_string_lossy();
    let is_line = !name.trim().is_empty() && name.len() <= LONGEST_PLACE;
    match is_line && !name.contains(char::is_control) {
        true => Ok(folder.join(to)),
        false => Err(format!("name the {what} that is to be made, as in copy-of-data")),
    }
}

/// The same where nothing may be yet: whoever fills in the form learns that before anything begins.
pub(super) fn new_place(folder: &Path, to: &Path, what: &str) -> Result<PathBuf, String> {
    let place = place(folder, to, what)?;
    match is_there(&place) {
        true => Err(format!("{}: is there already; name a place where nothing is", to.display())),
        false => Ok(place),
    }
}

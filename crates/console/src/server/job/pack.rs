//! [`PackStudy`] and [`OpenPack`]: a study as one file for somebody else, and such a file opened and checked, as
//! `chronotap pack` and `chronotap open` do it. What they would not do anyway is said in the form: that something is
//! there already.

use super::About;
use super::dataset::new_place;
use crate::server::folder::{self, Remembered};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A study is packed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::server) struct PackStudy {
    /// The experiment file, by its path in the list.
    study: PathBuf,
    /// The file that is made; where it is relative, in the folder of the console.
    to: PathBuf,
}

/// A pack is opened.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::server) struct OpenPack {
    /// The file; where it is relative, in the folder of the console.
    file: PathBuf,
    /// The folder that is made.
    to: PathBuf,
}

impl PackStudy {
    pub(super) fn about(&self, folder: &Path, memory: &Remembered) -> Result<About, String> {
        let study = folder::study(folder, &self.study, memory)?;
        let to = new_place(folder, &self.to, "file")?;
        let title = format!("The study as one file: {}", self.study.display());
        let mut about = About::new(&title, ["pack"]);
        about.add([study.as_os_str()]).option("--output", &to);
        Ok(about)
    }
}

impl OpenPack {
    /// The command, and where the page with the effects will be found. What the file is is for the command to say.
    pub(super) fn about(&self, folder: &Path) -> Result<About, String> {
        let name = self.file.to_string_lossy();
        if name.trim().is_empty() || name.contains(char::is_control) {
            return Err("name the file that is to be opened, as in study.zip".into());
        }
        let to = new_place(folder, &self.to, "folder")?;
        let mut about = About::new(&format!("A pack, checked: {name}"), ["open"]);
        about.add([folder.join(&self.file).as_os_str()]).option("--to", &to);
        about.page(&to, "effect");
        Ok(about)
    }
}

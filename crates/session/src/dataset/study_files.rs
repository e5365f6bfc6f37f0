//! The files of a study as they were run: `sourcedata/study-01/`. Where they change in the
//! course of a study and the experimenter says so, the next number holds the new ones, so
//! that every session can be traced to the files that it followed.

use super::{About, Dataset, DatasetError};
use crate::checksum::sha256;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_data::tables::names::SOURCE;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

impl<D: AnyDisk> Dataset<D> {
    /// The names of the study's files that are not as they were last kept. None where none
    /// are kept yet.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn changed_files(&self, about: &About) -> Result<Vec<String>, DatasetError> {
        let Some(last) = self.versions()?.pop() else { return Ok(Vec::new()) };
        let mut changed = Vec::new();
        for (name, text) in &about.files {
            let kept = last.join(inside(name));
            let same = match self.has(&kept) {
                true => self.told(&kept, self.bytes(&kept))? == text.as_bytes(),
                false => false,
            };
            if !same {
                changed.push(name.clone());
            }
        }
        Ok(changed)
    }

    /// Whether this experiment file is the one that was last kept.
    pub(crate) fn was_begun_with(&self, experiment: &Path) -> bool {
        let kept = self.versions().ok().and_then(|mut versions| versions.pop());
        let name = experiment.file_name().map(|name| inside(&name.to_string_lossy()));
        let kept = kept.zip(name).and_then(|(last, name)| self.bytes(&last.join(name)).ok());
        kept.is_some_and(|kept| std::fs::read(experiment).is_ok_and(|text| text == kept))
    }

    /// Keeps the study's files, under the next number where they differ from those kept
    /// last.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn keep_study(&self, about: &About) -> Result<(), DatasetError> {
        let versions = self.versions()?;
        if !versions.is_empty() && self.changed_files(about)?.is_empty() {
            return Ok(());
        }
        let folder = version(versions.len() + 1);
        let unfinished = folder.with_extension("new"); // whoever is killed leaves only this
        for (name, text) in &about.files {
            let path = unfinished.join(inside(name));
            self.make_folder(path.parent().unwrap_or(&unfinished))?;
            self.replace(&path, text.as_bytes())?;
        }
        let (from, to) = (self.root().join(&unfinished), self.root().join(&folder));
        self.told(&folder, self.disk.rename(&from, &to))
    }

    /// The folders of the kept files, the oldest first.
    pub(crate) fn versions(&self) -> Result<Vec<PathBuf>, DatasetError> {
        let there = |folder: &PathBuf| self.has_folder(folder);
        Ok((1..).map(version).take_while(there).collect())
    }
}

impl About {
    /// SHA-256 of each of the study's files, by its name.
    pub fn checksums(&self) -> BTreeMap<String, String> {
        self.files.iter().map(|(name, text)| (name.clone(), sha256(text.as_bytes()))).collect()
    }
}

fn version(number: usize) -> PathBuf {
    Path::new(SOURCE).join(format!("study-{number:02}"))
}

/// The name as a path that does not leave the folder.
pub(crate) fn inside(name: &str) -> PathBuf {
    let plain = |part| matches!(part, Component::Normal(_));
    Path::new(name).components().filter(|part| plain(*part)).collect()
}

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
        for (name, bytes) in about.all_files() {
            let kept = last.join(inside(name));
            let same = match self.has(&kept) {
                true => self.told(&kept, self.bytes(&kept))? == bytes,
                // Earlier versions did not keep pictures and sounds.
                false => about.attached.iter().any(|(attached, _)| attached == name),
            };
            if !same {
                changed.push(name.to_owned());
            }
        }
        Ok(changed)
    }

    /// Whether a picture or a sound of the study is not kept yet.
    fn lacks_attached(&self, about: &About, last: &Path) -> bool {
        about.attached.iter().any(|(name, _)| !self.has(&last.join(inside(name))))
    }

    /// Whether this experiment file is the one that was last kept.
    pub fn was_begun_with(&self, experiment: &Path) -> bool {
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
        if let Some(last) = versions.last()
            && self.changed_files(about)?.is_empty()
            && !self.lacks_attached(about, last)
        {
            return Ok(());
        }
        let folder = version(versions.len() + 1);
        let unfinished = folder.with_extension("new"); // whoever is killed leaves only this
        for (name, bytes) in about.all_files() {
            let path = unfinished.join(inside(name));
            self.make_folder(path.parent().unwrap_or(&unfinished))?;
            self.replace(&path, bytes)?;
        }
        let (from, to) = (self.root().join(&unfinished), self.root().join(&folder));
        self.told(&folder, self.disk.rename(&from, &to))
    }

    /// The folders of the kept files, the oldest first.
    pub fn versions(&self) -> Result<Vec<PathBuf>, DatasetError> {
        let there = |folder: &PathBuf| self.has_folder(folder);
        Ok((1..).map(version).take_while(there).collect())
    }
}

impl About {
    /// SHA-256 of each of the study's files, by its name.
    pub fn checksums(&self) -> BTreeMap<String, String> {
        self.all_files().map(|(name, bytes)| (name.to_owned(), sha256(bytes))).collect()
    }

    /// Every file of the study with its bytes.
    fn all_files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let texts = self.files.iter().map(|(name, text)| (&**name, text.as_bytes()));
        texts.chain(self.attached.iter().map(|(name, bytes)| (&**name, &**bytes)))
    }
}

fn version(number: usize) -> PathBuf {
    Path::new(SOURCE).join(format!("study-{number:02}"))
}

/// The name as a path that does not leave the folder.
pub fn inside(name: &str) -> PathBuf {
    let plain = |part| matches!(part, Component::Normal(_));
    Path::new(name).components().filter(|part| plain(*part)).collect()
}

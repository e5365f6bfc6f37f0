//! [`Problems`]: everything that is wrong with a trial file, each with its place
//! and its cure. All are collected before any is shown, so that a file is
//! mended in one go and not line by line.

use chronotap_core::files::{Foreign, NotUtf8, probably_meant};
use serde::Serialize;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// So many problems are shown; the rest are counted.
const SHOWN: usize = 20;

/// One mistake in a trial file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file as the user named it.
    pub file: String,
    /// Line, from 1; 0 where the whole file is meant.
    pub line: usize,
    /// Column in characters, from 1; 0 where the whole file is meant.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub message: String,
    /// What to write instead.
    pub cure: Option<String>,
    /// The valid name nearest to the one that was written.
    pub nearest: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message)?,
            line => write!(f, "{}:{line}: {}", self.file, self.message)?,
        }
        if let Some(cure) = &self.cure {
            write!(f, "; {cure}")?;
        }
        if let Some(nearest) = &self.nearest {
            write!(f, "; did you mean \"{nearest}\"?")?;
        }
        Ok(())
    }
}

/// All the mistakes of a trial file, in the order of its lines; at least one.
/// The cure stands in each.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Puts problems in the order of their lines, each once; those of several files by the
    /// order in which the files are first named. There must be at least one.
    pub fn new(mut problems: Vec<Problem>) -> Problems {
        let mut files: Vec<String> = Vec::new();
        for problem in &problems {
            if !files.contains(&problem.file) {
                files.push(problem.file.clone());
            }
        }
        let place = |file: &String| files.iter().position(|other| other == file);
        problems.sort_by_key(|p| (place(&p.file), p.line, p.column));
        problems.dedup();
        Problems(problems)
    }

    /// The one problem of a file as a whole.
    pub fn of_file(file: &str, message: impl Into<String>, cure: &str) -> Problems {
        Problems(vec![Problem {
            file: file.to_owned(),
            line: 0,
            column: 0,
            message: message.into(),
            cure: Some(cure.to_owned()),
            nearest: None,
        }])
    }

    /// The one problem of a name that is nearly that of another file.
    fn nearly(file: &str, message: &str, nearest: String) -> Problems {
        let (file, message, nearest) = (file.to_owned(), message.to_owned(), Some(nearest));
        Problems(vec![Problem { file, line: 0, column: 0, message, cure: None, nearest }])
    }

    /// A file that could not be read, with what to do about it.
    pub fn unreadable(file: &str, error: &std::io::Error) -> Problems {
        if let Some(NotUtf8 { line, what, .. }) = NotUtf8::of(error) {
            let (message, cure) = no_text(what);
            let (file, cure, nearest) = (file.to_owned(), Some(cure.to_owned()), None);
            return Problems(vec![Problem { file, line, column: 0, message, cure, nearest }]);
        }
        match error.kind() {
            ErrorKind::NotFound => match probably_meant(Path::new(""), file) {
                Some(meant) => Problems::nearly(file, "there is no such file", meant),
                None => Problems::of_file(file, "there is no such file", "check the path"),
            },
            ErrorKind::PermissionDenied => {
                Problems::of_file(file, format!("cannot be read: {error}"), "check its permissions")
            }
            _ if Path::new(file).is_dir() => Problems::folder(file, error),
            _ => Problems::of_file(file, format!("cannot be read: {error}"), "check the path"),
        }
    }

    /// A folder in the place of a file.
    fn folder(file: &str, error: &std::io::Error) -> Problems {
        if let Some(meant) = only_one_in(Path::new(file)) {
            return Problems::nearly(file, "it is a folder, not a file", meant);
        }
        if Path::new(file).join("dataset_description.json").is_file() {
            let message = "it is the folder of a dataset, and a trial or a study is needed";
            return Problems::of_file(file, message, "name the file of the trial or study");
        }
        let message = format!("cannot be read: {error}");
        Problems::of_file(file, message, "name the file of a trial or study in it")
    }

    /// The problems, in the order of their lines.
    pub fn all(&self) -> &[Problem] {
        &self.0
    }
}

/// What a file is that is no text in UTF-8, and what to do about it.
pub(crate) fn no_text(what: Option<Foreign>) -> (String, &'static str) {
    let cure = match what {
        Some(Foreign::Utf16 | Foreign::Document | Foreign::Rtf) => "save it as text in UTF-8",
        Some(_) => "check the path",
        None => "save it as text in UTF-8, or check the path",
    };
    match what {
        Some(what) => (format!("this is {what}, not text in UTF-8"), cure),
        None => ("this is not UTF-8 text".to_owned(), cure),
    }
}

/// What somebody who names a folder means: the study in it, or the one file of its kind there.
fn only_one_in(folder: &Path) -> Option<String> {
    let study = folder.join("study.toml");
    let is_one = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "toml");
    let files = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files = files.filter(is_one);
    let meant = match (study.is_file(), files.next(), files.next()) {
        (true, ..) => study,
        (false, Some(only), None) => only,
        _ => return None,
    };
    Some(meant.display().to_string())
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().take(SHOWN).enumerate() {
            let gap = if index == 0 { "" } else { "\n" };
            write!(f, "{gap}{problem}")?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

//! *Try*: a study or a single trial in the pane of the manual's site, reading only, also one that has
//! mistakes: the pane shows them at their lines. The pane and the engine for it are not inside the
//! program: `scripts/web.sh` makes them as a folder, and only what is named here is handed out of it.

use super::folder::{self, Remembered};
use super::pages::{SCRIPT, STYLE, TEXT};
use super::{Settings, job, session};
use chronotap_config::trial_files::{Further, TrialFile};
use chronotap_design::{Files, Folder};
use chronotap_session::{Study, StudyError};
use chronotap_words::{Says, Surface};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// What the pane is made of.
const PARTS: [(&str, &str); 4] =
    [("pane.js", SCRIPT), ("engine.js", SCRIPT), ("try.css", STYLE), ("licences.txt", TEXT)];

/// What is said where there is none.
pub(super) const NO_PANE: &str = "Studies and trials cannot be tried with this build of the program. To add that, type \
    scripts/web.sh in its clone (an installed program: scripts/web.sh --beside and its path), then start the console again.";

/// What is to be tried.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    /// An experiment or trial file, by its path from the console's folder.
    file: PathBuf,
}

/// A study or trial as it stands on the disk.
#[derive(Debug, Serialize)]
pub(super) struct Tried {
    title: String,
    /// The file itself first, then all that it names, with their texts.
    files: Vec<(String, String)>,
    /// Who usually taps in a rehearsal of it.
    participant: String,
    /// What is wrong with it and cannot be seen in these texts, such as a picture that is not there;
    /// empty where nothing is.
    problem: String,
}

/// A part of the pane: its kind and bytes.
pub(super) fn part(pane: &Path, name: &str) -> Option<(&'static str, Vec<u8>)> {
    let (name, kind) = PARTS.iter().find(|(known, _)| *known == name)?;
    Some((kind, chronotap_core::files::read(&pane.join(name)).ok()?))
}

/// Why nothing can be tried now: the engine computes in the browser, on this computer.
pub(super) async fn hindered(settings: &Settings) -> Option<String> {
    if job::job_folder::running(&settings.sockets).is_some() {
        return Some(
            "a test or trial is under way, which this would disturb; wait for its end".into(),
        );
    }
    session::disturbed(&settings.sockets).await
}

/// Reads a study or trial in the folder. The error is a sentence for the page.
pub(super) fn read(settings: &Settings, wish: &Wish, memory: &Remembered) -> Result<Tried, String> {
    let path = folder::to_try(&settings.folder, &wish.file, memory)?;
    let (from, name) = Texts::of(&path);
    let text = from.read(&name).map_err(|error| format!("{name} cannot be read: {error}"))?;
    match Study::is_one(&text) {
        true => study(settings, from, &name, &text),
        false => Ok(trial(settings, name, text)),
    }
}

/// A trial for itself.
fn trial(settings: &Settings, name: String, text: String) -> Tried {
    let title = TrialFile::parse(&text, &name).map_or_else(|_| name.clone(), |file| file.title);
    let participant = settings.model.clone().unwrap_or_else(|| "tapper".into());
    Tried { title, files: vec![(name, text)], participant, problem: String::new() }
}

fn study(settings: &Settings, from: Texts, name: &str, text: &str) -> Result<Tried, String> {
    let blind = "this study is blind: to try it would show who gets what";
    match Study::read_from(&from, name) {
        Ok(study) if study.experiment.blind => Err(blind.into()),
        Ok(study) => {
            let participant = settings.model.clone().unwrap_or_else(|| study.usual_model());
            let (title, files) = (study.experiment.title, study.about.files);
            Ok(Tried { title, files, participant, problem: String::new() })
        }
        Err(_) if folder::says_blind(text) => Err(blind.into()),
        Err(error) => {
            let participant = settings.model.clone().unwrap_or_else(|| "adults".into());
            let problem = from.unseen(&error);
            Ok(Tried { title: name.into(), files: from.texts.take(), participant, problem })
        }
    }
}

/// The folder of a study, and the texts that were read from it: those of a study with mistakes are
/// wanted too.
struct Texts {
    folder: Folder,
    /// In the order in which they were named.
    texts: RefCell<Vec<(String, String)>>,
    /// Whether something that is there could not be read, or is no text.
    lacking: Cell<bool>,
}

impl Texts {
    /// The folder that a file is in, and the file's name in it.
    fn of(file: &Path) -> (Texts, String) {
        let folder = Folder(file.parent().unwrap_or(Path::new("")).to_owned());
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (Texts { folder, texts: RefCell::default(), lacking: Cell::default() }, name)
    }

    fn keep(&self, name: &str, text: &str) {
        let mut texts = self.texts.borrow_mut();
        match texts.iter_mut().find(|(of, _)| of == name) {
            Some((_, own)) => text.clone_into(own),
            None => texts.push((name.to_owned(), text.to_owned())),
        }
    }

    /// A mistake that the engine in the page, which has the texts alone, would not find.
    fn unseen(&self, error: &StudyError) -> String {
        match matches!(error, StudyError::Problems(_)) && !self.lacking.get() {
            true => String::new(),
            false => error.says(Surface::Page),
        }
    }
}

impl Files for Texts {
    fn read(&self, name: &str) -> io::Result<String> {
        let read = self.folder.read(name);
        match &read {
            Ok(text) => self.keep(name, text),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(_) => self.lacking.set(true),
        }
        read
    }

    fn attached(&self, name: &str) -> Option<io::Result<Vec<u8>>> {
        let attached = self.folder.attached(name);
        self.lacking.set(self.lacking.get() || matches!(attached, Some(Err(_))));
        attached
    }

    fn with_further(&self, name: &str, text: &str, further: &Further) -> String {
        let text = self.folder.with_further(name, text, further);
        self.keep(name, &text);
        text
    }

    fn said(&self, name: &str) -> String {
        self.folder.said(name)
    }

    fn meant(&self, name: &str) -> Option<String> {
        self.folder.meant(name)
    }
}

//! *Try*: a study in the pane of the manual's site, reading only. The pane and the engine for it are
//! not inside the program: `scripts/web.sh` makes them as a folder, and only what is named here is
//! handed out of it.

use super::folder::{self, Remembered};
use super::pages::{SCRIPT, STYLE, TEXT};
use super::{Settings, job, session};
use chronotap_session::Study;
use chronotap_words::{Says, Surface};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What the pane is made of.
const PARTS: [(&str, &str); 4] =
    [("pane.js", SCRIPT), ("engine.js", SCRIPT), ("try.css", STYLE), ("licences.txt", TEXT)];

/// What is said where there is none.
pub(super) const NO_PANE: &str = "A study cannot be tried with this build of the program. To add that, type \
    scripts/web.sh in its clone (an installed program: scripts/web.sh --beside and its path), then start the console again.";

/// Which study is to be tried.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    /// By its path in the list.
    study: PathBuf,
}

/// A study as it stands on the disk.
#[derive(Debug, Serialize)]
pub(super) struct Tried {
    title: String,
    /// The experiment file first, then all that it names, with their texts.
    files: Vec<(String, String)>,
    /// Who usually taps in a rehearsal of it.
    participant: String,
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

/// Reads a study of the list. The error is a sentence for the page.
pub(super) fn study(
    settings: &Settings,
    wish: &Wish,
    memory: &Remembered,
) -> Result<Tried, String> {
    let path = folder::study(&settings.folder, &wish.study, memory)?;
    let study = Study::read(&path).map_err(|error| error.says(Surface::Page))?;
    if study.experiment.blind {
        return Err("this study is blind: to try it would show who gets what".into());
    }
    let participant = settings.model.clone().unwrap_or_else(|| study.usual_model());
    Ok(Tried { title: study.experiment.title, files: study.about.files, participant })
}

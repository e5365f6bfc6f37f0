//! Files that the trial names: recordings and the beats in them, as `[file.NAME]` keeps them.

use super::{Names, entries};
use crate::trial_files::attached::CANNOT_BE_READ;
use crate::trial_files::reading::{Field, Part, say};
use crate::trial_files::recording::SoundRecording;
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::trial::{Jitter, Pacing, Shift};

/// Steps of a pattern and elements of a list stay below this.
pub(super) const LIST_MAX: usize = 100_000;

/// What is kept of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    name: String,
    path: Option<String>,
    sha256: String,
    length: Option<Exact>,
    beats: Option<Vec<Nanos>>,
    problem: Option<String>,
}

/// Every `[file.NAME]`.
pub(super) fn kept(top: &Part<'_>) -> Vec<Kept> {
    let mut files = Vec::new();
    for entry in entries(top, "file") {
        let Some(table) = entry.node.table() else { continue };
        let path = format!("file.{}", entry.key);
        let part = Part::open(top.page, table, entry.at, path, "file.NAME");
        files.push(Kept {
            name: entry.key.clone(),
            path: part.given("path", |f| f.text()),
            sha256: part.given("sha256", |f| f.text()).unwrap_or_default(),
            length: part.given("length", |f| f.exact_time()),
            beats: part.given("beats", onsets),
            problem: part.given("problem", |f| f.text()),
        });
    }
    files
}

/// The file that a key names, where it is at hand.
fn file<'n>(field: &Field<'_>, names: &'n Names) -> Option<&'n Kept> {
    let name = field.text()?;
    let cure = "put it beside the trial file, or correct its name";
    let Some(file) = names.files.iter().find(|file| file.name == name) else {
        return field.problem(&format!("= \"{name}\" was not found"), cure);
    };
    match &file.problem {
        Some(problem) => {
            let (problem, own) = problem.split_once("; ").unwrap_or((problem, "correct the file"));
            let cure = if problem.starts_with(CANNOT_BE_READ) { cure } else { own };
            field.problem(&format!("= \"{name}\" {problem}"), cure)
        }
        None => Some(file),
    }
}

/// The beats of the file that `beats_from` names.
pub(super) fn beats(field: &Field<'_>, names: &Names) -> Option<Vec<Nanos>> {
    let file = file(field, names)?;
    if file.beats.is_none() {
        return field.problem("names a file that has no beats", "name a table of times in seconds");
    }
    file.beats.clone()
}

/// The length of the recording that a stream plays.
pub(super) fn audio(part: &Part<'_>, names: &Names) -> Option<Nanos> {
    let length = |f: &Field<'_>| {
        let file = file(f, names)?;
        match (file.length, &file.path) {
            (Some(length), Some(_)) => Some(length.floor()),
            _ => f.problem("names a file that is no recording", "name a WAV or FLAC file"),
        }
    };
    if !part.has("audio") {
        part.field("audio"); // records that there is none
        return None;
    }
    part.read("audio", length)
}

/// The recording of a stream.
pub(super) fn recording(part: &Part<'_>, stream: u16, names: &Names) -> Option<SoundRecording> {
    let name = part.given("audio", |f| f.text())?;
    let file = names.files.iter().find(|file| file.name == name)?;
    let (path, sha256) = (file.path.clone()?.into(), file.sha256.clone());
    Some(SoundRecording { stream, path, sha256, beats: None })
}

/// What a recording does not go together with.
pub(super) fn sound(part: &Part<'_>, stream: &Pacing, times: &[Nanos]) {
    let Some(length) = stream.audio else { return };
    let Some(onsets) = stream.onsets.filter(|_| part.has("beats_from")) else {
        let message = format!("{} plays a recording without knowing its beats", part.said());
        let cure = "add beats_from = \"FILE.tsv\", a table of their times in seconds";
        return part.page.cured(part.at("audio"), message, cure);
    };
    if let Some(last) = onsets.of(times).last().filter(|last| **last >= length) {
        let message = format!(
            "{}: the beat at {} lies behind the end of the recording ({})",
            part.said(),
            say(*last),
            say(length)
        );
        part.page.cured(part.at("beats_from"), message, "check that both files belong together");
    }
    let moved = |change: &chronotap_engine::trial::Change| {
        change.phase_shift != Shift::None || change.onset_shift != Shift::None
    };
    let spoiled = [
        ("repeat", stream.repeat.is_some()),
        ("jitter", matches!(stream.jitter, Some(Jitter { .. }))),
        ("change", stream.changes.iter().any(moved)),
    ];
    for (key, _) in spoiled.iter().filter(|(_, spoils)| *spoils) {
        let message = format!("{}: {key} would tear the recording apart", part.said());
        part.page.cured(part.at(key), message, "leave it out, or edit the sound file");
    }
}

/// Times in ascending order.
pub(super) fn onsets(field: &Field<'_>) -> Option<Vec<Nanos>> {
    let list = field.list("times")?;
    if list.len() > LIST_MAX {
        return field.problem("has too many elements", format!("write at most {LIST_MAX}"));
    }
    let times: Option<Vec<Nanos>> = list.iter().map(Field::time).collect();
    let times = times?;
    match times.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => {
            let message = format!("go back from {} to {}", say(pair[0]), say(pair[1]));
            field.problem(&message, "write the onsets in ascending order")
        }
        None => Some(times),
    }
}

//! What is said of the files of a trial.

use super::folders::cure;
use crate::{Says, Sentences, Surface, of, row, with};
use chronotap_core::files::Refusal;
use chronotap_data::record::{
    FeltAgainError, JournalError, Left, ReadError, RecordError, RecordedError, SoundAgainError,
};

pub(super) const ROWS: &[Sentences] = &[
    row::<FeltAgainError>(),
    row::<JournalError>(),
    row::<ReadError>(),
    row::<RecordError>(),
    row::<RecordedError>(),
    row::<SoundAgainError>(),
];

impl Says for SoundAgainError {
    fn says(&self, _: Surface) -> String {
        match self {
            SoundAgainError::File { source, .. } => with(self, cure(Refusal::of(source))),
            SoundAgainError::Sound { .. } => self.to_string(), // the sound says what cures it
            SoundAgainError::Form { .. } => {
                with(self, "put back what was recorded, as from a backup")
            }
            SoundAgainError::Table { .. } => with(self, "restore the table from a backup"),
            SoundAgainError::Settings { .. } => {
                with(self, "use the version of the program that recorded the trial")
            }
        }
    }
}

impl Says for FeltAgainError {
    fn says(&self, _: Surface) -> String {
        match self {
            FeltAgainError::File { source, .. } => with(self, cure(Refusal::of(source))),
            FeltAgainError::Row { .. } | FeltAgainError::Described { .. } => {
                with(self, "put back what was recorded, as from a backup")
            }
        }
    }
}

impl Says for RecordError {
    fn says(&self, surface: Surface) -> String {
        match self {
            RecordError::Exists { .. } => with(self, "choose another name or move it away"),
            RecordError::Create { .. } => with(self, "name a writable directory with free space"),
            RecordError::Journal { source, left, .. }
            | RecordError::Unsaved { source, left, .. } => {
                with(self, then_recover(cure(Refusal::of(source)), left, surface))
            }
            RecordError::Nowhere { refusal, left, .. } => {
                with(self, then_recover(cure(*refusal), left, surface))
            }
            RecordError::Taken { left, .. } => {
                with(self, then_recover("move it away", left, surface))
            }
            RecordError::Events { source, .. } => {
                with(self, format!("{}, or name another directory", cure(Refusal::of(source))))
            }
            RecordError::Callbacks { log, .. } => {
                with(self, format!("move {} away, then recover the rest", log.display()))
            }
            RecordError::LongName { .. } => with(
                self,
                format!("give a shorter one{}", surface.pick(" with --name", "", " as name")),
            ),
            RecordError::Directory { .. } => with(self, "name a readable directory"),
            RecordError::Thread { .. } => {
                with(self, "end other programs or raise the limit on threads")
            }
            RecordError::WriterLost { path } => {
                with(self, format!("keep the file and run `chronotap recover {}`", path.display()))
            }
            RecordError::NotAJournal { .. } => with(self, "name a file that ends in .journal"),
            RecordError::StrangeName { .. } => with(
                self,
                format!("give it another{}, then recover it", surface.in_terminal(" (mv)", "")),
            ),
            RecordError::Running { .. } => {
                let end = surface.in_terminal(" with Ctrl-C", "");
                with(self, format!("wait until that has ended, or end it{end}"))
            }
            RecordError::Unreadable(error) => error.says(surface),
        }
    }
}

/// What cures it, and what is then to be done for the trial: a journal that is left is recovered.
fn then_recover(cure: &str, left: &Left, surface: Surface) -> String {
    match left {
        Left::Journal(journal) => format!("{cure}, then `chronotap recover {}`", journal.display()),
        Left::Nothing => {
            format!("{cure}{}", surface.in_terminal(", or give a folder with --spare-data", ""))
        }
    }
}

/// Of a trial of a session, which a page has recovered when the session goes on: what has to be
/// done before.
pub(crate) fn unsaved(error: &RecordError) -> String {
    match error {
        RecordError::Journal { source, .. } | RecordError::Unsaved { source, .. } => {
            with(error, cure(Refusal::of(source)))
        }
        RecordError::Nowhere { refusal, .. } => with(error, cure(*refusal)),
        RecordError::Taken { .. } => with(error, "move it away"),
        RecordError::WriterLost { .. } => with(error, "keep the file"),
        RecordError::Exists { .. }
        | RecordError::Create { .. }
        | RecordError::Events { .. }
        | RecordError::Callbacks { .. }
        | RecordError::LongName { .. }
        | RecordError::Directory { .. }
        | RecordError::Thread { .. }
        | RecordError::NotAJournal { .. }
        | RecordError::StrangeName { .. }
        | RecordError::Running { .. }
        | RecordError::Unreadable(_) => error.says(Surface::Page),
    }
}

impl Says for JournalError {
    fn says(&self, _: Surface) -> String {
        match self {
            JournalError::File { .. } => with(self, "name a journal that is there"),
            JournalError::Header { .. } => with(self, "name another journal, or remove this one"),
            JournalError::Newer { .. } => with(self, "recover it with the version that wrote it"),
        }
    }
}

impl Says for ReadError {
    fn says(&self, _: Surface) -> String {
        match self {
            ReadError::File { .. } => {
                with(self, "name an events file (…_events.tsv) that is there")
            }
            ReadError::NotUtf8 { .. } => with(
                self,
                "restore the file as it was written, or save it as UTF-8 where another program has \
                 changed it",
            ),
            ReadError::Name { .. } => with(self, "name a file that ends in _events.tsv"),
            ReadError::Sidecar { .. } => with(self, "restore the file as it was written"),
            ReadError::Newer { program, .. } => {
                with(self, format!("read it with the version that wrote it ({program})"))
            }
            ReadError::Column { .. } => with(self, "restore the first line as it was written"),
            ReadError::Cell { .. } => with(self, "restore the line as it was written"),
        }
    }
}

impl Says for RecordedError {
    fn says(&self, surface: Surface) -> String {
        match self {
            RecordedError::TrialFile(error) => {
                format!("the trial file kept in it: {}", of(error, surface))
            }
            RecordedError::Row(_) => with(self, "restore the file as it was written"),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_audio::wav::WavError;
    use std::io::Error as Refused;
    use std::path::PathBuf;
    let full = || Refused::from_raw_os_error(28);
    let path = || PathBuf::from("data/a_events.tsv");
    let journal = || PathBuf::from("data/a.journal");
    let record = [
        RecordError::Exists { path: path() },
        RecordError::Create { path: journal(), source: full() },
        RecordError::Journal {
            path: journal(),
            unwritten: 3,
            source: full(),
            left: Left::Journal(journal()),
        },
        RecordError::Journal { path: journal(), unwritten: 3, source: full(), left: Left::Nothing },
        RecordError::Nowhere {
            tried: vec!["data: full".into(), "spare: gone".into()],
            refusal: Refusal::ReadOnly,
            left: Left::Journal(journal()),
        },
        RecordError::Events { path: path(), source: full() },
        RecordError::Unsaved { path: path(), source: full(), left: Left::Journal(journal()) },
        RecordError::Unsaved { path: path(), source: full(), left: Left::Nothing },
        RecordError::Taken { path: path(), left: Left::Journal(journal()) },
        RecordError::Callbacks { path: path(), log: "data/a.calls".into(), source: full() },
        RecordError::LongName { bytes: 250, longest: 200 },
        RecordError::Directory { path: PathBuf::from("data"), source: full() },
        RecordError::Thread { source: Refused::from_raw_os_error(11) },
        RecordError::WriterLost { path: journal() },
        RecordError::NotAJournal { path: path() },
        RecordError::StrangeName { path: journal() },
        RecordError::Running { path: journal() },
    ];
    let unread = [
        JournalError::File { path: journal(), source: Refused::from_raw_os_error(2) },
        JournalError::Header { path: journal() },
        JournalError::Newer { path: journal(), found: 9 },
    ];
    let program = "chronotap 9.0.0".to_owned();
    let (found, expected) = ("x".to_owned(), "a time in ns");
    let read = [
        ReadError::File { path: path(), source: Refused::from_raw_os_error(2) },
        ReadError::Name { path: path() },
        ReadError::Sidecar { path: path(), line: 3, what: "no `seed`".into() },
        ReadError::Newer { path: path(), found: 9, known: 1, program },
        ReadError::Column { path: path(), column: "onset" },
        ReadError::Cell { path: path(), line: 3, column: "onset", found, expected },
    ];
    let sound = || PathBuf::from("sourcedata/a_input-pad_sound.wav");
    let table = sound().with_extension("tsv");
    let again = [
        SoundAgainError::File { path: sound(), source: Refused::from_raw_os_error(13) },
        SoundAgainError::Sound { path: sound(), source: WavError::from(full()).into() },
        SoundAgainError::Form { path: sound(), channels: 2, rate_hz: 48_000 },
        SoundAgainError::Table { path: table, line: 3 },
        SoundAgainError::Settings { input: "pad".into(), settings: "sensor=nose".into() },
    ];
    let force = || PathBuf::from("a_recording-pad_physio.tsv.gz");
    let felt = [
        FeltAgainError::File { path: force(), source: Refused::from_raw_os_error(13) },
        FeltAgainError::Row { path: force(), line: 3 },
        FeltAgainError::Described { path: "a_recording-pad_physio.json".into() },
    ];
    let mut all: Vec<Box<dyn std::error::Error>> = Vec::new();
    felt.into_iter().for_each(|error| all.push(Box::new(error)));
    again.into_iter().for_each(|error| all.push(Box::new(error)));
    record.into_iter().for_each(|error| all.push(Box::new(error)));
    unread.into_iter().for_each(|error| all.push(Box::new(error)));
    read.into_iter().for_each(|error| all.push(Box::new(error)));
    all
}

//! [`recover`]: the events files of a trial that did not come to its end, from the
//! journal it left.

use crate::callbacks::write_table;
use crate::lock;
use chronotap_record::journal::{Journal, JournalError, read_open_journal};
use chronotap_record::place::{Files, Saved, sync_directory, write_events};
use chronotap_record::{Footer, RecordError, Recovered};
use serde_json::Value;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Writes the events files beside a journal, those of the callbacks where their log is
/// there too, and removes journal and log once they are on the disk. Tones that were sounding are flagged `unfinished`; the footer says what is
/// missing. Events files that are already there are never overwritten.
///
/// # Errors
/// [`RecordError::Unreadable`] where not even the header can be read;
/// [`RecordError::Running`] where its trial is not over; [`RecordError::NotAJournal`], [`RecordError::Exists`], [`RecordError::Events`].
pub fn recover(path: &Path) -> Result<Saved, RecordError> {
    let not_a_journal = || RecordError::NotAJournal { path: path.to_owned() };
    let file = path.file_name().and_then(|name| name.to_str()).ok_or_else(not_a_journal)?;
    let name = file.strip_suffix(".journal").ok_or_else(not_a_journal)?;
    let dir = path.parent().unwrap_or(Path::new(""));
    let held = hold(path)?;
    let journal = read_open_journal(&held, path)?;
    let footer = footer(&journal);
    let mut saved = write_events(dir, name, &journal.header, &journal.entries, &footer, true)?;
    let files = Files::of(dir, name);
    if files.callbacks_log.exists() {
        saved.callbacks = Some(write_table(&files)?);
        sync_directory(dir)?;
        let _ = fs::remove_file(&files.callbacks_log); // as the journal below
    }
    let _ = fs::remove_file(path); // left over, it only says again what is saved
    Ok(saved)
}

/// Opens a journal and locks it, so that nobody else writes it or makes files of it.
fn hold(path: &Path) -> Result<File, RecordError> {
    let unreadable = |source| JournalError::File { path: path.to_owned(), source };
    let journal = chronotap_files::open(path).map_err(unreadable)?;
    if !lock::lock(&journal) {
        return Err(RecordError::Running { path: path.to_owned() });
    }
    if !lock::is_at(&journal, path) {
        // Whoever had the lock before made the files of it.
        return Err(unreadable(io::ErrorKind::NotFound.into()).into());
    }
    Ok(journal)
}

/// The journal's own footer, or one that says what is missing.
fn footer(journal: &Journal) -> Footer {
    if let Some(footer) = &journal.footer {
        return footer.clone();
    }
    let mut missing = vec![
        "the end of the trial: the program was stopped before it could write it; of a killed \
         program at most the last 10 ms are missing, after a power cut at most the last 100 ms \
         and the time the disk took"
            .to_owned(),
        "the timing summary".to_owned(),
    ];
    if journal.unusable_bytes > 0 {
        let bytes = journal.unusable_bytes;
        missing.push(format!("{bytes} bytes after the last whole line, which could not be read"));
    }
    let unusable_bytes = journal.unusable_bytes;
    let recovered = Recovered { complete: false, unusable_bytes, missing };
    Footer { summary: Value::Null, dropped: journal.dropped, recovered: Some(recovered) }
}

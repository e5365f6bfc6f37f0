//! [`recover`]: the events files of a trial that did not come to its end, from the
//! journal it left.

use crate::callbacks::write_table;
use chronotap_clocks::MonotonicClock;
use chronotap_record::journal::{Journal, read_journal};
use chronotap_record::place::{Files, Saved, sync_directory, write_events};
use chronotap_record::{Footer, RecordError, Recovered};
use chronotap_time::Nanos;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde_json::Value;
use std::fs::{self, File};
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
    refuse_running(path)?;
    let journal = read_journal(path)?;
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

/// A process that was just forked from the program holds a copy of its lock until it
/// runs a program of its own, so that one look may find a trial that is over.
const LOOKS: u32 = 50;
const BETWEEN_LOOKS: Nanos = Nanos::from_millis(10);

/// The program that writes a journal holds a lock on it, which the system lets go
/// when that program ends, in whatever way.
fn refuse_running(path: &Path) -> Result<(), RecordError> {
    let Ok(file) = File::open(path) else { return Ok(()) }; // reading it will say why
    let locked = || flock(&file, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK);
    let mut left = LOOKS;
    while locked() {
        // Some file systems know no locks; there the trial counts as over.
        left -= 1;
        if left == 0 {
            return Err(RecordError::Running { path: path.to_owned() });
        }
        chronotap_clocks::sleep_until(MonotonicClock::raw() + BETWEEN_LOOKS);
    }
    Ok(())
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

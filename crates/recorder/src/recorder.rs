//! [`Recorder`]: a trial's files from its first moment to its last.
//!
//! `start` makes the journal and the writer's threads, before the real-time thread is
//! made: a thread inherits the scheduling of the one that makes it, and writing to
//! disk must stay ordinary work. `finish` completes the journal, writes the events
//! files from it, and only then removes it.

use crate::RecordedCard;
use crate::callbacks::{self, Log};
use crate::lock;
use crate::observe::{Observer, Told};
use crate::queue::{self, Sender, Shared};
use crate::writer::{self, Writer};
use chronotap_record::journal::{self, Chain};
use chronotap_record::place::{self, Files, Saved};
use chronotap_record::{Entry, Footer, Header, Load, RecordError};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};

/// Stack of each thread. Small, because all of it is locked in memory.
const STACK_BYTES: usize = 256 * 1024;

/// What else there is to a trial than its entries.
#[derive(Default)]
pub struct Around {
    /// Sound cards whose callbacks are to be recorded.
    pub cards: Vec<RecordedCard>,
    /// Observers, which get every entry.
    pub observers: Vec<Observer>,
}

/// Keeps a running trial. Dropped without [`Recorder::finish`], it leaves the
/// journal behind, whole, for [`crate::recover`].
pub struct Recorder {
    dir: PathBuf,
    name: String,
    header: Header,
    files: Files,
    shared: Arc<Shared>,
    writer: Option<JoinHandle<Writer>>,
    syncer: Option<JoinHandle<()>>,
    stopped: Option<Writer>,
    closed: bool,
    callbacks: bool, // whether there is a log of them
}

impl Recorder {
    /// Makes `<name>.journal`, writes the header to the disk, and starts the writer's
    /// threads. Call it from a thread of ordinary priority.
    ///
    /// # Errors
    /// [`RecordError::Exists`] where the journal or an events file of that name is
    /// there; [`RecordError::Create`], [`RecordError::Thread`].
    pub fn start(
        dir: &Path,
        name: &str,
        header: &Header,
    ) -> Result<(Sender, Recorder), RecordError> {
        Recorder::start_with(dir, name, header, &mut Around::default())
    }

    /// The same with sound cards to be recorded too (`<name>.callbacks`), and observers.
    /// Where the name is taken, they stay with the caller, for another name.
    ///
    /// # Errors
    /// As [`Recorder::start`].
    pub fn start_with(
        dir: &Path,
        name: &str,
        header: &Header,
        around: &mut Around,
    ) -> Result<(Sender, Recorder), RecordError> {
        let files = Files::of(dir, name);
        if let Some(path) = files.all().find(|path| chronotap_files::is_there(path)) {
            return Err(RecordError::Exists { path: path.clone() });
        }
        let (file, chain) = create(&files.journal, header)?;
        let [journal, log] = [files.journal.clone(), files.callbacks_log.clone()];
        let begun =
            Recorder::begin(dir, name, header, files, (file, chain), std::mem::take(around));
        if begun.is_err() {
            let _ = fs::remove_file(journal); // nothing is in it; the error is told
            let _ = fs::remove_file(log);
        }
        begun
    }

    fn begin(
        dir: &Path,
        name: &str,
        header: &Header,
        files: Files,
        (file, chain): (File, Chain),
        Around { cards, observers }: Around,
    ) -> Result<(Sender, Recorder), RecordError> {
        let callbacks = begin_callbacks(&files.callbacks_log, cards)?;
        place::sync_directory(dir)?;
        let (sender, received, shared) = queue::queue(queue::CAPACITY);
        let mut recorder = Recorder {
            dir: dir.to_owned(),
            name: name.to_owned(),
            header: header.clone(),
            files,
            shared,
            writer: None,
            syncer: None,
            stopped: None,
            closed: false,
            callbacks: callbacks.is_some(),
        };
        let told = Told::new(observers, header.clone());
        let shared = Arc::clone(&recorder.shared);
        let writer = Writer::new(file, chain, received, shared, callbacks, told);
        recorder.spawn(writer).map_err(|source| RecordError::Thread { source })?;
        Ok((sender, recorder))
    }

    /// Stops the writer thread once the queue is empty, and gives every entry of the
    /// trial, in the order sent, to sum it up for the footer. Call it when nothing is
    /// sent any more.
    ///
    /// # Errors
    /// [`RecordError::WriterLost`], also after a successful [`Recorder::finish`].
    pub fn stop(&mut self) -> Result<&[Entry], RecordError> {
        self.join();
        let lost = || RecordError::WriterLost { path: self.files.journal.clone() };
        let writer = self.stopped.as_mut().ok_or_else(lost)?;
        writer.drain();
        writer.drain_callbacks();
        Ok(&writer.entries)
    }

    /// Completes the journal, writes the events files, and removes the journal once
    /// both are on the disk. Calls [`Recorder::stop`] where that was not done. The
    /// count of dropped events is added to the footer here.
    ///
    /// After an error the journal is still there; `finish` may be called again once
    /// the cause is removed, and no event is lost while the program runs.
    ///
    /// # Errors
    /// [`RecordError::Journal`], [`RecordError::Events`], [`RecordError::Exists`],
    /// [`RecordError::WriterLost`]; [`RecordError::Running`] where another program recovers
    /// what an earlier call could not finish.
    pub fn finish(&mut self, mut footer: Footer) -> Result<Saved, RecordError> {
        self.stop()?;
        footer.dropped = self.dropped();
        let path = &self.files.journal;
        let lost = || RecordError::WriterLost { path: path.clone() };
        let writer = self.stopped.as_mut().ok_or_else(lost)?;
        if !writer.lock() {
            return Err(RecordError::Running { path: path.clone() });
        }
        let saved = self.save(&footer);
        if let (Err(_), Some(writer)) = (&saved, &self.stopped) {
            writer.unlock(); // the trial is over: it can be recovered
        }
        saved
    }

    /// What is done while nobody else may touch the journal.
    fn save(&mut self, footer: &Footer) -> Result<Saved, RecordError> {
        let path = &self.files.journal;
        let lost = || RecordError::WriterLost { path: path.clone() };
        let writer = self.stopped.as_mut().ok_or_else(lost)?;
        let kept = if self.closed { writer.keep_all() } else { writer.close(footer) };
        self.closed = true;
        kept.map_err(|source| RecordError::Journal {
            path: path.clone(),
            unwritten: writer.unwritten(),
            source,
        })?;
        let entries = &writer.entries;
        let cured = |error| with_cure(error, path);
        let mut saved =
            place::write_events(&self.dir, &self.name, &self.header, entries, footer, true)
                .map_err(cured)?;
        if self.callbacks {
            saved.callbacks = Some(callbacks::write_table(&self.files).map_err(cured)?);
            place::sync_directory(&self.dir).map_err(cured)?;
            let _ = fs::remove_file(&self.files.callbacks_log); // it says it all again
        }
        writer.remove(path);
        Ok(saved)
    }

    /// What the callbacks of the sound cards amount to, once the recorder has stopped.
    pub fn loads(&self) -> Vec<Load> {
        self.stopped.as_ref().map_or_else(Vec::new, Writer::loads)
    }

    /// Gives the sound cards back for the next trial, once the recorder has stopped.
    pub fn take_cards(&mut self) -> Vec<RecordedCard> {
        self.stopped.as_mut().map_or_else(Vec::new, Writer::take_cards)
    }

    /// Where the journal is.
    pub fn journal(&self) -> &Path {
        &self.files.journal
    }

    /// How many events found the queue full.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }

    /// Whether the disk is refusing the journal at the moment.
    pub fn trouble(&self) -> bool {
        self.shared.trouble()
    }

    /// What the disk last said when it refused; stays after the trouble is over.
    pub fn problem(&self) -> Option<String> {
        self.shared.problem.lock().ok().and_then(|problem| problem.clone())
    }

    fn spawn(&mut self, writer: Writer) -> io::Result<()> {
        let (to_sync, shared) = (writer.file()?, Arc::clone(&self.shared));
        self.writer = Some(thread("recorder").spawn(|| writer.run())?);
        let sync = move || writer::sync_until_stopped(&to_sync, &shared);
        self.syncer = Some(thread("recorder-sync").spawn(sync)?);
        Ok(())
    }

    fn join(&mut self) {
        self.shared.stopping.store(true, Ordering::Release);
        if let Some(syncer) = self.syncer.take() {
            syncer.thread().unpark();
            let _ = syncer.join(); // it has nothing to give; the last sync is done without it
        }
        if let Some(writer) = self.writer.take() {
            writer.thread().unpark();
            self.stopped = writer.join().ok();
        }
    }
}

fn thread(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES)
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.join();
        if let Some(writer) = self.stopped.as_mut() {
            let _ = writer.keep_all(); // on the way out: an error can reach no caller any more
        }
    }
}

/// Begins the log of callbacks, where there is a sound card.
fn begin_callbacks(path: &Path, cards: Vec<RecordedCard>) -> Result<Option<Log>, RecordError> {
    if cards.is_empty() {
        return Ok(None);
    }
    let file = chronotap_files::create_to_append(path);
    let failed = |source| RecordError::Create { path: path.to_owned(), source };
    file.and_then(|file| Log::begin(file, cards)).map(Some).map_err(failed)
}

fn create(path: &Path, header: &Header) -> Result<(File, Chain), RecordError> {
    let mut chain = Chain::default();
    let mut line = Vec::new();
    let written = journal::put_header(&mut line, &mut chain, header)
        .and_then(|()| chronotap_files::create_to_append(path))
        .and_then(|mut file| begin(path, &mut file, &line).map(|()| file));
    match written {
        Ok(file) => Ok((file, chain)),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            Err(RecordError::Exists { path: path.to_owned() })
        }
        Err(source) => Err(RecordError::Create { path: path.to_owned(), source }),
    }
}

/// Locks the journal before anything stands in it, so that nobody can recover it, and writes
/// the first line; a journal without one is of no use, and is removed.
fn begin(path: &Path, file: &mut File, line: &[u8]) -> io::Result<()> {
    if !lock::lock(file) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let begun = file.write_all(line).and_then(|()| file.sync_data());
    if begun.is_err() {
        let _ = fs::remove_file(path); // the error that counts is told
    }
    begun
}

/// The journal is there, so the cure is to recover it.
fn with_cure(error: RecordError, journal: &Path) -> RecordError {
    let recover = format!("then `chronotap recover {}`", journal.display());
    match error {
        RecordError::Events { path, source, .. } => {
            RecordError::Events { path, source, cure: format!("free space, {recover}") }
        }
        RecordError::Exists { path } => {
            let source = io::Error::other("already there, and nothing is overwritten");
            RecordError::Events { path, source, cure: format!("move it away, {recover}") }
        }
        other => other,
    }
}

//! [`Recorder`]: a trial's files from its first moment to its last.
//!
//! `start` makes the journal and the writer's threads, before the real-time thread is
//! made: a thread inherits the scheduling of the one that makes it, and writing to
//! disk must stay ordinary work. `finish` completes the journal, writes the events
//! files from the same entries, which are in memory, and only then removes it. Where the disk refuses, the files go into
//! the first spare folder that takes them ([`crate::Moved`]).

mod begun;

use crate::RecordedCard;
use crate::callbacks::{self, Log};
use crate::queue::{QueueRoom, Sender};
use crate::shared::Shared;
use crate::sink::{Sink, TrialSinks, Utc};
use crate::spare::{self, Moved};
use crate::writer::{self, Writer};
use begun::{begin_callbacks, create};
use chronotap_core::files::{Disk, System, Way};
use chronotap_data::record::place::{self, Saved, TrialFiles};
use chronotap_data::record::{
    CallbackLoad, Entry, Footer, Header, HeardAgain, Kept, Left, RecordError, Rows,
};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};

/// Stack of each thread. Small, because all of it is locked in memory.
const STACK_BYTES: usize = 256 * 1024;

/// What else there is to a trial than its entries.
#[derive(Default)]
pub struct BesidesEntries {
    /// Sound cards whose callbacks are to be recorded.
    pub cards: Vec<RecordedCard>,
    /// Sinks, which get every entry.
    pub sinks: Vec<Sink>,
    /// Folders for the files where their own refuses them in the end; the first that takes
    /// them has them. They are made where they are missing. The last is the trial's own, should
    /// somebody have removed it.
    pub spare: Vec<PathBuf>,
    /// The queue of the trial, where one was made beforehand.
    pub room: Option<QueueRoom>,
    /// How sinks learn at which time of day the trial began; by the wall clock when they are told, where `None`.
    pub utc: Option<Utc>,
}

/// Keeps a running trial. Dropped without [`Recorder::finish`], it leaves the
/// journal behind, whole, for [`crate::recover`].
pub struct Recorder<D: Disk = System> {
    disk: D,
    name: String,
    header: Header,
    files: TrialFiles,
    way: Way, // to their folder, when the trial began
    spare: Vec<PathBuf>,
    moved: Option<Moved>,
    shared: Arc<Shared>,
    writer: Option<JoinHandle<Option<Writer<D>>>>,
    syncer: Option<JoinHandle<()>>,
    stopped: Option<Writer<D>>,
    closed: bool,
    callbacks: bool, // whether there is a log of them
    heard: HeardAgain,
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
        Recorder::start_with(dir, name, header, &mut BesidesEntries::default())
    }

    /// The same with sound cards to be recorded too (`<name>.callbacks`), and sinks.
    /// Where the trial cannot begin, for whatever reason, they stay with the caller, who may try
    /// another name or another folder. Only a queue that was made beforehand may be used up.
    ///
    /// # Errors
    /// As [`Recorder::start`].
    pub fn start_with(
        dir: &Path,
        name: &str,
        header: &Header,
        around: &mut BesidesEntries,
    ) -> Result<(Sender, Recorder), RecordError> {
        let (sender, mut recorder, writer) = Recorder::begin(System, (dir, name), header, around)?;
        match recorder.spawn(writer) {
            Ok(()) => Ok((sender, recorder)),
            Err((source, writer)) => {
                recorder.give_back(*writer, around);
                Err(RecordError::Thread { source })
            }
        }
    }
}

/// Keeps a trial that is over already on any disk, by the steps of a [`Recorder`] but without its
/// threads: one step comes after another, so that a test can let each of them fail.
///
/// # Errors
/// As [`Recorder::start`] and [`Recorder::finish`].
pub fn keep_on<D: Disk>(
    disk: &D,
    place: (&Path, &str),
    header: &Header,
    entries: &[Entry],
    footer: Footer,
) -> Result<Saved, RecordError> {
    let begun = Recorder::begin(disk.clone(), place, header, &mut BesidesEntries::default())?;
    let (mut sender, mut recorder, mut writer) = begun;
    for some in entries.chunks(ENTRIES_IN_A_STEP) {
        some.iter().for_each(|entry| sender.push(*entry));
        writer.drain();
        writer.append_when_due();
        // What a disk refuses is tried again when the trial is finished.
        let _ = writer.file().and_then(|file| writer::sync(&file, &recorder.shared));
    }
    recorder.stopped = Some(writer);
    recorder.finish(footer)
}

/// As many as come in a second of quick tapping.
const ENTRIES_IN_A_STEP: usize = 32;

impl<D: Disk> Recorder<D> {
    /// Everything but the threads.
    pub(crate) fn begin(
        disk: D,
        (dir, name): (&Path, &str),
        header: &Header,
        around: &mut BesidesEntries,
    ) -> Result<(Sender, Recorder<D>, Writer<D>), RecordError> {
        let files = TrialFiles::of(dir, name);
        if let Some(path) = files.all().find(|path| disk.is_there(path)) {
            return Err(RecordError::Exists { path: path.clone() });
        }
        let begun = create(&disk, &files.journal, header)?;
        let log = begin_callbacks(&disk, &files.callbacks_log, &around.cards);
        let log = log.inspect_err(|_| remove_begun(&disk, &files, false))?;
        let has_log = log.is_some();
        place::sync_directory(&disk, dir).inspect_err(|_| remove_begun(&disk, &files, has_log))?;
        // Nothing fails from here on, so nothing that the caller gave is lost.
        let BesidesEntries { cards, sinks, spare, room, utc } = std::mem::take(around);
        around.utc = utc; // of the next one too
        let callbacks = log.map(|log| Log::of(log, cards));
        let QueueRoom { sender, received, shared } = room.unwrap_or_default();
        let recorder = Recorder {
            way: Way::to(&disk, dir),
            disk: disk.clone(),
            name: name.to_owned(),
            header: header.clone(),
            files,
            spare,
            moved: None,
            shared: Arc::clone(&shared),
            writer: None,
            syncer: None,
            stopped: None,
            closed: false,
            callbacks: callbacks.is_some(),
            heard: HeardAgain::default(),
        };
        let told = TrialSinks::new(sinks, header.clone(), utc);
        let writer = Writer::new(disk, begun, received, shared, callbacks, told);
        Ok((sender, recorder, writer))
    }

    /// Stops the writer thread once the queue is empty, and gives every entry of the
    /// trial, in the order sent, to sum it up for the footer. Call it when nothing is
    /// sent any more.
    ///
    /// # Errors
    /// [`RecordError::WriterLost`], also after a successful [`Recorder::finish`].
    pub fn stop(&mut self) -> Result<&Kept, RecordError> {
        self.join();
        let lost = || RecordError::WriterLost { path: self.files.journal.clone() };
        let writer = self.stopped.as_mut().ok_or_else(lost)?;
        writer.drain();
        writer.drain_callbacks();
        Ok(&writer.entries)
    }

    /// What the sound that inputs kept says of their taps: it goes into the files that
    /// [`Recorder::finish`] writes. The journal does not have it, since it follows from the sound.
    pub fn heard_again(&mut self, heard: HeardAgain) {
        self.heard = heard;
    }

    /// Completes the journal, writes the events files, and removes the journal once
    /// both are on the disk. Calls [`Recorder::stop`] where that was not done. The
    /// count of dropped events is added to the footer here. Where the disk refuses, the
    /// files go into the first spare folder that takes them ([`Recorder::moved`]), and
    /// what is left of the journal stays.
    ///
    /// After an error the journal is still there; `finish` may be called again once
    /// the cause is removed, and no event is lost while the program runs.
    ///
    /// # Errors
    /// [`RecordError::Journal`], [`RecordError::Events`], [`RecordError::Exists`],
    /// [`RecordError::WriterLost`]; [`RecordError::Nowhere`] where the spare folders refuse too;
    /// [`RecordError::Running`] where another program recovers what an earlier call could not
    /// finish.
    pub fn finish(&mut self, mut footer: Footer) -> Result<Saved, RecordError> {
        self.stop()?;
        footer.dropped = self.dropped();
        let path = &self.files.journal;
        let lost = || RecordError::WriterLost { path: path.clone() };
        let writer = self.stopped.as_mut().ok_or_else(lost)?;
        if !writer.lock() {
            return Err(RecordError::Running { path: path.clone() });
        }
        let refused = match self.save(&footer) {
            Ok(saved) => return Ok(saved),
            Err(refused) => refused,
        };
        let own = self.way.look(&self.disk).is_ok().then_some(&*self.files.dir);
        let spare = spare::folders(&self.disk, &self.spare, own);
        let saved = match spare.is_empty() {
            true => Err(refused),
            false => self.save_elsewhere(&spare, &footer, &refused),
        };
        if let Some(writer) = &self.stopped {
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
        let left = writer.is_at(path).then_some(path);
        let unwritten = writer.unwritten();
        kept.map_err(|source| {
            let (path, left) = (path.clone(), Left::of(left));
            RecordError::Journal { path, unwritten, source, left }
        })?;
        let unsaved = |error| spare::unsaved(error, left);
        self.way.look(&self.disk).map_err(|other| unsaved(spare::other(&other)))?;
        let rows = Rows::of_kept(&self.header, &writer.entries, &self.heard);
        let mut rows = self.heard.beside(rows);
        let (disk, files, header) = (&self.disk, &self.files, &self.header);
        let saved = place::write_rows(disk, files, header, &mut rows, footer, true);
        let mut saved = saved.map_err(unsaved)?;
        if self.callbacks {
            let (disk, files) = (&self.disk, &self.files);
            let table = callbacks::write_table(disk, &files.callbacks_log, files);
            saved.callbacks = Some(table.map_err(unsaved)?);
            place::sync_directory(disk, &files.dir).map_err(unsaved)?;
            let _ = disk.remove(&files.callbacks_log); // it says it all again
        }
        writer.remove(path);
        Ok(saved)
    }

    /// Writes the files into the first of these folders that takes them.
    fn save_elsewhere(
        &mut self,
        spare: &[PathBuf],
        footer: &Footer,
        refused: &RecordError,
    ) -> Result<Saved, RecordError> {
        let (writer, none) = (self.stopped.as_ref(), Kept::default());
        let entries = writer.map_or(&none, |writer| &writer.entries);
        let left = &self.files.journal;
        let left = writer.is_some_and(|writer| writer.is_at(left)).then(|| left.clone());
        let mut rows = self.heard.beside(Rows::of_kept(&self.header, entries, &self.heard));
        let (mut tried, refusal) = (vec![spare::why(refused)], spare::refusal(refused));
        for dir in spare {
            let files = match spare::make_room(&self.disk, dir, &self.name) {
                Ok(files) => files,
                Err(refused) => {
                    tried.push(spare::why(&refused));
                    continue;
                }
            };
            let (disk, header) = (&self.disk, &self.header);
            let saved = place::write_rows(disk, &files, header, &mut rows, footer, true);
            match saved {
                Ok(mut saved) => {
                    let log = &self.files.callbacks_log;
                    let table =
                        self.callbacks.then(|| callbacks::write_table(&self.disk, log, &files));
                    saved.callbacks = table.and_then(Result::ok);
                    let because = tried.join("; ");
                    self.moved = Some(Moved { because, refusal, left });
                    return Ok(saved);
                }
                Err(refused) => tried.push(spare::why(&refused)),
            }
        }
        Err(RecordError::Nowhere { tried, refusal, left: Left::of(left.as_ref()) })
    }

    /// Why the files are in a spare folder, where they are.
    pub fn moved(&self) -> Option<&Moved> {
        self.moved.as_ref()
    }

    /// What the callbacks of the sound cards amount to, once the recorder has stopped.
    pub fn loads(&self) -> Vec<CallbackLoad> {
        self.stopped.as_ref().map_or_else(Vec::new, Writer::loads)
    }

    /// Gives every entry away once the trial is finished: nobody else has them in memory then.
    pub fn take_entries(&mut self) -> Kept {
        let taken = self.stopped.as_mut().map(|writer| std::mem::take(&mut writer.entries));
        taken.unwrap_or_default()
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

    /// What the caller gave for a trial that cannot begin. Its files go; nothing is in them.
    fn give_back(mut self, mut writer: Writer<D>, around: &mut BesidesEntries) {
        remove_begun(&self.disk, &self.files, self.callbacks);
        (around.cards, around.sinks) = (writer.take_cards(), writer.take_sinks());
        around.spare = std::mem::take(&mut self.spare);
    }

    /// Starts the threads; gives the writer back where the system refuses one.
    fn spawn(&mut self, writer: Writer<D>) -> Result<(), (io::Error, Box<Writer<D>>)> {
        let (hand_over, handed) = sync_channel(1);
        if let Err(refused) = self.spawn_threads(&writer, handed) {
            return Err((refused, Box::new(writer)));
        }
        let _ = hand_over.send(writer); // the thread waits for it
        Ok(())
    }

    fn spawn_threads(&mut self, writer: &Writer<D>, handed: Receiver<Writer<D>>) -> io::Result<()> {
        let (to_sync, shared) = (writer.file()?, Arc::clone(&self.shared));
        let (disk, journal) = (self.disk.clone(), self.files.journal.clone());
        self.writer = Some(thread("recorder").spawn(move || handed.recv().ok().map(Writer::run))?);
        let is_there = move || disk.is_there(&journal);
        let sync = move || writer::sync_until_stopped(&to_sync, &shared, is_there);
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
            self.stopped = writer.join().ok().flatten();
        }
    }
}

fn thread(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES)
}

/// Removes the files of a trial that cannot begin. The error that counts is told.
fn remove_begun<D: Disk>(disk: &D, files: &TrialFiles, with_callbacks: bool) {
    let _ = disk.remove(&files.journal);
    if with_callbacks {
        let _ = disk.remove(&files.callbacks_log);
    }
}

impl<D: Disk> Drop for Recorder<D> {
    fn drop(&mut self) {
        self.join();
        if let Some(writer) = self.stopped.as_mut() {
            let _ = writer.keep_all(); // on the way out: an error can reach no caller any more
        }
    }
}

#[cfg(test)]
mod faults;
#[cfg(test)]
mod soak;

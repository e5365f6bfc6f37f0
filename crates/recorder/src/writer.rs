//! The two threads between queue and disk. The writer looks at the queue every
//! 10 ms and appends what came to the journal; the syncer asks the disk every
//! 100 ms to keep it, where something is new. They are two, because a disk may take
//! seconds over a sync, and a killed program loses only what was not yet appended.
//!
//! When the disk refuses (full, unplugged), everything stays in memory and is tried
//! again every 100 ms; the flag `trouble` says so meanwhile. Memory has a bound,
//! [`Most`]: beyond it what comes is counted as dropped, input first, and the trial ends.

use crate::callbacks::{Log, RecordedCard};
use crate::lock;
use crate::queue;
use crate::shared::Shared;
use crate::sink::{Sink, TrialSinks};
use chronotap_core::files::{Disk, DiskFile};
use chronotap_data::record::journal::{self, Chain};
use chronotap_data::record::{CallbackLoad, Entry, Footer, Kept};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

/// How often the queue is looked at.
const DRAIN_EVERY: Duration = Duration::from_millis(10);
/// Time from the end of one sync to the next.
const SYNC_EVERY: Duration = Duration::from_millis(100);
/// How many looks at the queue pass before a failed append is tried again: 100 ms.
const ROUNDS_TO_RETRY: u32 = 10;

/// Entries that are kept in memory. An entry takes 136 bytes, and as much again while the disk
/// refuses its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    /// Beyond it no input is kept, and the trial is ended.
    pub(crate) with_input: usize,
    /// Beyond it nothing is kept.
    pub(crate) all: usize,
}

impl Most {
    /// Of every trial: ten hours at 80 events a second, in 408 MB; and room for its end.
    pub(crate) const USUAL: Most = Most { with_input: 3_000_000, all: 4_000_000 };

    fn takes(self, entry: &Entry, kept: usize) -> bool {
        kept < if queue::is_input(entry) { self.with_input } else { self.all }
    }
}

/// The writer thread's own.
pub(crate) struct Writer<D: Disk> {
    disk: D,
    most: Most,
    pub(crate) entries: Kept,
    received: rtrb::Consumer<Entry>,
    shared: Arc<Shared>,
    file: D::File,
    chain: Chain,
    pending: Vec<u8>,    // lines of which not all is in the file
    pending_from: usize, // how much of them is
    dropped: u64,        // as the journal says
    rounds_to_wait: u32,
    callbacks: Option<Log<D::File>>,
    told: TrialSinks,
}

impl<D: Disk> Writer<D> {
    pub(crate) fn new(
        disk: D,
        (file, chain): (D::File, Chain),
        received: rtrb::Consumer<Entry>,
        shared: Arc<Shared>,
        callbacks: Option<Log<D::File>>,
        told: TrialSinks,
    ) -> Writer<D> {
        Writer {
            disk,
            most: Most::USUAL,
            entries: Kept::new(),
            received,
            shared,
            file,
            chain,
            pending: Vec::with_capacity(64 * 1024),
            pending_from: 0,
            dropped: 0,
            rounds_to_wait: 0,
            callbacks,
            told,
        }
    }

    /// The thread: until it is told to stop, then once more for the rest.
    pub(crate) fn run(self) -> Writer<D> {
        self.run_between(thread::park_timeout)
    }

    /// The same with any pause between two looks; in a test the time passes in it.
    fn run_between(mut self, mut pause: impl FnMut(Duration)) -> Writer<D> {
        loop {
            let stopping = self.shared.stopping.load(Ordering::Acquire);
            self.drain();
            self.append_when_due();
            if stopping {
                return self;
            }
            pause(DRAIN_EVERY);
        }
    }

    /// Takes what is in the queue and writes its lines in memory; not more than the queue
    /// holds, since a flood would never let it end.
    pub(crate) fn drain(&mut self) {
        for _ in 0..queue::CAPACITY {
            let Ok(entry) = self.received.pop() else { break };
            self.told.begin(self.shared.origin());
            self.told.happened(entry);
            self.keep(&entry);
        }
        self.told.begin(self.shared.origin());
        self.told.lost(&self.shared);
        let dropped = self.shared.dropped.load(Ordering::Relaxed);
        if dropped != self.dropped {
            journal::put_dropped(&mut self.pending, &mut self.chain, dropped);
            self.dropped = dropped;
        }
    }

    fn keep(&mut self, entry: &Entry) {
        let kept = self.entries.len();
        if kept >= self.most.with_input {
            self.shared.full.store(true, Ordering::Relaxed);
        }
        if self.most.takes(entry, kept) {
            journal::put_entry(&mut self.pending, &mut self.chain, entry);
            self.entries.push(*entry);
        } else {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Takes every callback out of its queue. Where the disk refuses them, that is told
    /// when the rest is kept.
    pub(crate) fn drain_callbacks(&mut self) {
        let _ = self.callbacks.as_mut().map(Log::keep_rest);
    }

    /// Appends the last line, and syncs.
    pub(crate) fn close(&mut self, footer: &Footer) -> io::Result<()> {
        journal::put_footer(&mut self.pending, &mut self.chain, footer)?;
        self.keep_all()
    }

    /// What the callbacks of the sound cards amount to.
    pub(crate) fn loads(&self) -> Vec<CallbackLoad> {
        self.callbacks.as_ref().map_or_else(Vec::new, Log::loads)
    }

    /// The sound cards, whose log is complete or has failed.
    pub(crate) fn take_cards(&mut self) -> Vec<RecordedCard> {
        self.callbacks.take().map_or_else(Vec::new, Log::into_cards)
    }

    /// The sinks, of a trial that could not begin.
    pub(crate) fn take_sinks(&mut self) -> Vec<Sink> {
        std::mem::take(&mut self.told).into_sinks()
    }

    /// Appends and syncs everything now.
    pub(crate) fn keep_all(&mut self) -> io::Result<()> {
        self.append()?;
        self.callbacks.as_mut().map_or(Ok(()), Log::end)?;
        sync(&self.file, &self.shared)
    }

    /// The journal, for whoever syncs it.
    pub(crate) fn file(&self) -> io::Result<D::File> {
        self.file.another()
    }

    /// Keeps others from the journal; whether nobody has it.
    pub(crate) fn lock(&self) -> bool {
        lock::lock(&self.file)
    }

    /// Lets others recover the journal.
    pub(crate) fn unlock(&self) {
        lock::unlock(&self.file);
    }

    /// Removes the journal, where it still has its name. Left over, it only says again what
    /// is saved.
    pub(crate) fn remove(&self, path: &Path) {
        if self.is_at(path) {
            let _ = self.disk.remove(path);
        }
    }

    /// Whether the journal still has its name.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        lock::is_at(&self.disk, &self.file, path)
    }

    /// How many entries are not on the disk, as far as it told.
    pub(crate) fn unwritten(&self) -> usize {
        self.entries.len().saturating_sub(self.shared.synced.load(Ordering::Relaxed))
    }

    pub(crate) fn append_when_due(&mut self) {
        if self.rounds_to_wait > 0 {
            self.rounds_to_wait -= 1;
        } else if self.append().is_err() | self.append_callbacks().is_err() {
            self.rounds_to_wait = ROUNDS_TO_RETRY;
        }
    }

    /// A disk that refuses these ends no trial: they wait in their queue, and are counted
    /// where it overflows.
    fn append_callbacks(&mut self) -> io::Result<()> {
        let kept = self.callbacks.as_mut().map_or(Ok(()), Log::keep);
        kept.as_ref().err().into_iter().for_each(|e| self.shared.keep_error(e));
        kept
    }

    fn append(&mut self) -> io::Result<()> {
        let appended = self.append_pending();
        self.shared.refused_append.store(appended.is_err(), Ordering::Relaxed);
        match &appended {
            Ok(()) => self.shared.appended.store(self.entries.len(), Ordering::Release),
            Err(e) => self.shared.keep_error(e),
        }
        appended
    }

    fn append_pending(&mut self) -> io::Result<()> {
        while let Some(rest) = self.pending.get(self.pending_from..).filter(|r| !r.is_empty()) {
            match self.file.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => self.pending_from += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        self.pending.clear();
        self.pending_from = 0;
        Ok(())
    }
}

/// The syncer thread: until it is told to stop; the last sync is not its own. It also looks
/// whether the journal has its name still, `is_there`: a journal whose folder was removed takes every
/// line as before.
pub(crate) fn sync_until_stopped(
    file: &impl DiskFile,
    shared: &Shared,
    is_there: impl Fn() -> bool,
) {
    sync_between(file, shared, |pause| {
        shared.gone.store(!is_there(), Ordering::Relaxed);
        thread::park_timeout(pause);
    });
}

/// The same with any pause between two syncs.
fn sync_between(file: &impl DiskFile, shared: &Shared, mut pause: impl FnMut(Duration)) {
    while !shared.stopping.load(Ordering::Acquire) {
        if shared.appended.load(Ordering::Relaxed) != shared.synced.load(Ordering::Relaxed) {
            let _ = sync(file, shared); // a failure is noted in `shared`, and tried again
        }
        pause(SYNC_EVERY);
    }
}

pub(crate) fn sync(file: &impl DiskFile, shared: &Shared) -> io::Result<()> {
    let appended = shared.appended.load(Ordering::Acquire);
    let synced = file.sync_data();
    shared.refused_sync.store(synced.is_err(), Ordering::Relaxed);
    match &synced {
        Ok(()) => shared.synced.store(appended, Ordering::Relaxed),
        Err(e) => shared.keep_error(e),
    }
    synced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::{Sender, queue};
    use chronotap_core::files::System;
    use chronotap_core::time::Nanos;
    use chronotap_data::record::read_journal;
    use chronotap_engine::action::{ActionKind, TrialEnding};
    use chronotap_testkit_data::tiny::{entry, header, on};
    use std::fs::File;
    use std::path::PathBuf;

    /// What a killed program, or a power cut, may cost.
    const MAY_BE_LOST: Nanos = Nanos::from_millis(100);

    /// A writer whose journal is at `path`, and what a real-time thread would hold.
    fn writer(dir: &Path) -> (Sender, Writer<System>, PathBuf) {
        let path = dir.join("test.journal");
        let (mut chain, mut line) = (Chain::default(), Vec::new());
        journal::put_header(&mut line, &mut chain, &header()).unwrap();
        std::fs::write(&path, line).unwrap();
        let file = File::options().append(true).open(&path).unwrap();
        let (sender, received, shared) = queue(10_000);
        let begun = (file, chain);
        (sender, Writer::new(System, begun, received, shared, None, TrialSinks::default()), path)
    }

    fn span(time: Duration) -> Nanos {
        Nanos(time.as_nanos() as i64)
    }

    fn send(sender: &mut Sender, id: u64) {
        sender.push(entry(id, ActionKind::Pacing(0), (1, 0), (0, Some(0)), on(60)));
    }

    #[test]
    fn at_every_moment_what_is_older_than_100_ms_is_in_the_journal() {
        let dir = tempfile::tempdir().unwrap();
        let (mut sender, writer, path) = writer(dir.path());
        let shared = Arc::clone(&writer.shared);
        let (mut now, mut sent) = (Nanos::ZERO, Vec::new());
        let kept = writer.run_between(|pause| {
            let end = now + span(pause);
            while now < end {
                send(&mut sender, sent.len() as u64 + 1);
                sent.push(now);
                now += Nanos::from_micros(300);
            }
            // At the end of a pause most is unsaved. A program killed here leaves this:
            let journal = read_journal(&path).unwrap();
            let old = sent.iter().filter(|at| **at < now - MAY_BE_LOST).count();
            assert!(journal.entries.len() >= old, "{} of {old} at {now}", journal.entries.len());
            shared.stopping.store(now > Nanos::from_millis(500), Ordering::Release);
        });
        assert_eq!(kept.entries.len(), sent.len());
        assert_eq!(read_journal(&path).unwrap().entries, kept.entries.into_vec());
    }

    #[test]
    fn memory_has_a_bound_which_input_reaches_first_and_the_end_never() {
        let dir = tempfile::tempdir().unwrap();
        let (mut sender, mut writer, path) = writer(dir.path());
        writer.most = Most { with_input: 30, all: 40 };
        let mut flood = |kind, ids: std::ops::Range<u64>| {
            ids.for_each(|id| sender.push(entry(id, kind, (1, 0), (0, Some(0)), on(60))));
            writer.drain();
            sender.is_full()
        };
        assert!(!flood(ActionKind::Pacing(0), 1..11), "there is room");
        assert!(flood(ActionKind::Tap(0), 11..1_000), "the trial must end");
        assert!(flood(ActionKind::Pacing(0), 1_000..1_005));
        assert!(flood(ActionKind::End(TrialEnding::Recorder), 1_005..1_006));
        writer.append_when_due();
        assert_eq!(
            (writer.entries.len(), writer.shared.dropped.load(Ordering::Relaxed)),
            (36, 969)
        );
        let journal = read_journal(&path).unwrap();
        assert_eq!((journal.entries, journal.dropped), (writer.entries.into_vec(), 969));
    }

    #[test]
    fn what_was_appended_is_asked_to_the_disk_within_100_ms() {
        let dir = tempfile::tempdir().unwrap();
        let (mut sender, mut writer, _) = writer(dir.path());
        let (file, shared) = (writer.file().unwrap(), Arc::clone(&writer.shared));
        let mut appended = vec![0];
        sync_between(&file, &shared, |pause| {
            assert!(span(pause) <= MAY_BE_LOST);
            // All that was there before the sync is on the disk after it.
            assert_eq!(shared.synced.load(Ordering::Relaxed), appended[appended.len() - 1]);
            (0..7).for_each(|id| send(&mut sender, id));
            writer.drain();
            writer.append_when_due();
            appended.push(shared.appended.load(Ordering::Relaxed));
            shared.stopping.store(appended.len() > 5, Ordering::Release);
        });
        assert_eq!(appended, [0, 7, 14, 21, 28, 35]);
    }

    #[test]
    fn a_disk_that_refuses_is_asked_again_after_100_ms_and_not_at_every_look() {
        let dir = tempfile::tempdir().unwrap();
        let (mut sender, mut writer, _) = writer(dir.path());
        writer.file =
            File::options().append(true).open(chronotap_testkit::disk::ALWAYS_FULL).unwrap();
        send(&mut sender, 1);
        writer.drain();
        let looks = (0..12).map(|_| {
            writer.append_when_due();
            writer.rounds_to_wait
        });
        assert_eq!(looks.collect::<Vec<_>>(), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 10]);
    }
}

//! The writer thread: queue → journal. It looks at the queue every 10 ms, appends
//! what came, and asks the disk to keep it at most every 100 ms, at once where the
//! last time is longer ago.
//!
//! When the disk refuses (full, unplugged), everything stays in memory and is tried
//! again every 100 ms; the flag `trouble` says so meanwhile.

use crate::journal::{self, Chain};
use crate::queue::Shared;
use crate::{Entry, Footer};
use chronotap_time::Nanos;
use rustix::time::{ClockId, clock_gettime};
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

/// How often the queue is looked at.
const DRAIN_EVERY: Duration = Duration::from_millis(10);
/// Least time from one sync to the next, and from one failed attempt to the next.
const SYNC_EVERY: Nanos = Nanos::from_millis(100);

/// The writer thread's own.
pub(crate) struct Writer {
    pub(crate) entries: Vec<Entry>,
    received: rtrb::Consumer<Entry>,
    shared: Arc<Shared>,
    file: File,
    chain: Chain,
    pending: Vec<u8>,    // lines of which not all is in the file
    pending_from: usize, // how much of them is
    kept: usize,         // entries that are wholly on the disk
    dropped: u64,        // as the journal says
    unsynced: bool,
    last_try: Nanos,
}

impl Writer {
    pub(crate) fn new(
        file: File,
        chain: Chain,
        received: rtrb::Consumer<Entry>,
        shared: Arc<Shared>,
    ) -> Writer {
        Writer {
            entries: Vec::with_capacity(4096),
            received,
            shared,
            file,
            chain,
            pending: Vec::with_capacity(64 * 1024),
            pending_from: 0,
            kept: 0,
            dropped: 0,
            unsynced: false,
            last_try: Nanos::MIN,
        }
    }

    /// The thread: until it is told to stop, then once more for the rest.
    pub(crate) fn run(mut self) -> Writer {
        loop {
            let stopping = self.shared.stopping.load(Ordering::Acquire);
            self.drain();
            self.keep();
            if stopping {
                return self;
            }
            thread::park_timeout(DRAIN_EVERY);
        }
    }

    /// Takes everything out of the queue and writes its lines in memory.
    pub(crate) fn drain(&mut self) {
        while let Ok(entry) = self.received.pop() {
            journal::put_entry(&mut self.pending, &mut self.chain, &entry);
            self.entries.push(entry);
        }
        let dropped = self.shared.dropped.load(Ordering::Relaxed);
        if dropped != self.dropped {
            journal::put_dropped(&mut self.pending, &mut self.chain, dropped);
            self.dropped = dropped;
        }
    }

    /// Writes and syncs as far as it is time for it.
    fn keep(&mut self) {
        let in_trouble = self.shared.trouble.load(Ordering::Relaxed);
        let since = now().0.saturating_sub(self.last_try.0);
        let due = since >= SYNC_EVERY.0;
        if in_trouble && !due {
            return;
        }
        let mut kept = self.append();
        if kept.is_ok() && due && self.unsynced {
            kept = self.sync();
        } else if kept.is_err() {
            self.last_try = now();
        }
        self.report(kept);
    }

    /// Writes and syncs everything now.
    pub(crate) fn keep_all(&mut self) -> io::Result<()> {
        let kept = self.append().and_then(|()| self.sync());
        let told = kept
            .as_ref()
            .map_or_else(|e| Err(io::Error::new(e.kind(), e.to_string())), |()| Ok(()));
        self.report(told);
        kept
    }

    /// Appends the last line, and syncs.
    pub(crate) fn close(&mut self, footer: &Footer) -> io::Result<()> {
        journal::put_footer(&mut self.pending, &mut self.chain, footer)?;
        self.keep_all()
    }

    /// How many entries are not wholly on the disk.
    pub(crate) fn unwritten(&self) -> usize {
        self.entries.len() - self.kept
    }

    fn append(&mut self) -> io::Result<()> {
        while let Some(rest) = self.pending.get(self.pending_from..).filter(|r| !r.is_empty()) {
            match self.file.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => self.pending_from += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            }
            self.unsynced = true;
        }
        self.pending.clear();
        self.pending_from = 0;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.last_try = now();
        self.file.sync_data()?;
        self.unsynced = false;
        self.kept = self.entries.len();
        Ok(())
    }

    fn report(&self, kept: io::Result<()>) {
        self.shared.trouble.store(kept.is_err(), Ordering::Relaxed);
        if let (Err(e), Ok(mut problem)) = (kept, self.shared.problem.lock()) {
            *problem = Some(e.to_string());
        }
    }
}

/// CLOCK_MONOTONIC; only paces the writing.
fn now() -> Nanos {
    let t = clock_gettime(ClockId::Monotonic);
    Nanos(t.tv_sec * 1_000_000_000 + t.tv_nsec)
}

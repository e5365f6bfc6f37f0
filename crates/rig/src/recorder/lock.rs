//! [`lock`]: one program at a time writes a journal or makes files of it. The lock is on the
//! journal itself and is held until the journal is gone, so that whoever gets it after that
//! finds nothing left to do ([`is_at`]). The system lets it go when its holder ends, in
//! whatever way.

use chronotap_core::files::{Disk, DiskFile};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::MonotonicClock;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A process that was just forked from the program holds a copy of its lock until it
/// runs a program of its own, so that one look may find a lock that nobody needs.
const LOOKS: u32 = 50;
const BETWEEN_LOOKS: Nanos = Nanos::from_millis(10);

/// Locks a journal, unless another program keeps the lock for half a second; whether it is
/// locked. Who holds it already keeps it. Some file systems know no locks; there everybody
/// gets one.
pub(crate) fn lock(journal: &impl DiskFile) -> bool {
    let Some(journal) = journal.of_system() else { return true };
    let refused =
        || flock(journal, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK);
    for _ in 1..LOOKS {
        if !refused() {
            return true;
        }
        chronotap_linux::clocks::sleep_until(MonotonicClock::raw() + BETWEEN_LOOKS);
    }
    !refused()
}

/// Lets the next one have it.
pub(crate) fn unlock(journal: &impl DiskFile) {
    let Some(journal) = journal.of_system() else { return };
    let _ = flock(journal, FlockOperation::Unlock); // ends with the program anyway
}

/// Whether the journal that is open still has its name.
pub(crate) fn is_at<D: Disk>(disk: &D, journal: &D::File, path: &Path) -> bool {
    let Some(journal) = journal.of_system() else { return disk.is_there(path) };
    let which = |about: fs::Metadata| (about.dev(), about.ino());
    let (open, named) = (journal.metadata().map(which), fs::metadata(path).map(which));
    open.is_ok_and(|open| named.is_ok_and(|named| open == named))
}

//! [`lock`]: one program at a time writes a journal or makes files of it. The lock is on the
//! journal itself and is held until the journal is gone, so that whoever gets it after that
//! finds nothing left to do ([`is_at`]). The system lets it go when its holder ends, in
//! whatever way.

use chronotap_core::files::{self, Disk, DiskFile, is_the_same};
use std::fs;
use std::fs::TryLockError;
use std::path::Path;
use std::time::Duration;

/// A process that was just forked from the program holds a copy of its lock until it
/// runs a program of its own, so that one look may find a lock that nobody needs.
const LOOKS: u32 = 50;
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// Locks a journal, unless another program keeps the lock for half a second; whether it is
/// locked. Who holds it already keeps it. Some file systems know no locks; there everybody
/// gets one.
#[allow(clippy::disallowed_methods, reason = "whoever waits for a lock waits for no moment")]
pub(crate) fn lock(journal: &impl DiskFile) -> bool {
    let Some(journal) = journal.of_system() else { return true };
    let refused = || matches!(files::try_lock(journal), Err(TryLockError::WouldBlock));
    for _ in 1..LOOKS {
        if !refused() {
            return true;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
    !refused()
}

/// Lets the next one have it.
pub(crate) fn unlock(journal: &impl DiskFile) {
    let Some(journal) = journal.of_system() else { return };
    let _ = files::unlock(journal); // ends with the program anyway
}

/// Whether the journal that is open still has its name.
pub(crate) fn is_at<D: Disk>(disk: &D, journal: &D::File, path: &Path) -> bool {
    let Some(journal) = journal.of_system() else { return disk.is_there(path) };
    let (open, named) = (journal.metadata(), fs::metadata(path));
    open.is_ok_and(|open| named.is_ok_and(|named| is_the_same(&open, &named)))
}

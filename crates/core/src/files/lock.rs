//! [`lock`], [`try_lock`] and [`unlock`]: a file is one program's, and everybody may read it all the same.
//!
//! Background: a lock of std is only between those who ask for it, but on Windows it also keeps everybody from reading
//! and writing: the program itself, where it has opened the file once more, and a virus scanner.
//! Solution: there one byte far behind the end of every file is locked, which nobody reads. Every version of the program
//! must lock the same one.

use std::fs::{File, TryLockError};
use std::io;

/// Waits until nobody else has it. It is let go by [`unlock`], or when the last copy of the open file is closed.
///
/// # Errors
/// What the system refuses.
pub fn lock(file: &File) -> io::Result<()> {
    system::lock(file)
}

/// The same, but waits for nobody.
///
/// # Errors
/// [`TryLockError::WouldBlock`] where somebody else has it; what the system refuses.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    system::try_lock(file)
}

/// Lets it go.
///
/// # Errors
/// What the system refuses.
pub fn unlock(file: &File) -> io::Result<()> {
    system::unlock(file)
}

/// Whether an error says that files cannot be locked there: NFS, SMB and FUSE, each by its own (flock(2)), and on Windows
/// a folder that a virtual machine or a server lends.
pub fn has_no_locks(error: &io::Error) -> bool {
    let said = error.raw_os_error().is_some_and(|code| system::NO_LOCKS.contains(&code));
    said || matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

#[cfg(not(windows))]
mod system {
    use super::*;

    /// ENOLCK, of Linux and of BSD.
    pub const NO_LOCKS: [i32; 1] = [if cfg!(target_os = "linux") { 37 } else { 77 }];

    pub fn lock(file: &File) -> io::Result<()> {
        file.lock()
    }

    pub fn try_lock(file: &File) -> Result<(), TryLockError> {
        file.try_lock()
    }

    pub fn unlock(file: &File) -> io::Result<()> {
        file.unlock()
    }
}

#[cfg(windows)]
mod system {
    use super::*;
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::Storage::FileSystem::{
        LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx, UnlockFileEx,
    };
    use windows_sys::Win32::System::IO::{OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0};

    /// ERROR_INVALID_FUNCTION and ERROR_NOT_SUPPORTED (winerror.h).
    pub const NO_LOCKS: [i32; 2] = [1, 50];
    /// ERROR_LOCK_VIOLATION.
    const OTHERS_HAVE_IT: i32 = 33;
    /// Of the 64 bits of a place the upper half: 2^62, where no file reaches, and which a server of Linux can lock too.
    const FAR: u32 = 1 << 30;

    pub fn lock(file: &File) -> io::Result<()> {
        locked(file, LOCKFILE_EXCLUSIVE_LOCK)
    }

    pub fn try_lock(file: &File) -> Result<(), TryLockError> {
        match locked(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY) {
            Err(error) if error.raw_os_error() == Some(OTHERS_HAVE_IT) => {
                Err(TryLockError::WouldBlock)
            }
            done => done.map_err(TryLockError::Error),
        }
    }

    fn locked(file: &File, how: u32) -> io::Result<()> {
        let mut place = far();
        // SAFETY: the handle is that of an open file, and `place` outlives the call: std opens files to be waited for, so
        // that the system has done with it when it returns.
        answer(unsafe { LockFileEx(file.as_raw_handle(), how, 0, 1, 0, &mut place) })
    }

    pub fn unlock(file: &File) -> io::Result<()> {
        let mut place = far();
        // SAFETY: as above.
        answer(unsafe { UnlockFileEx(file.as_raw_handle(), 0, 1, 0, &mut place) })
    }

    fn far() -> OVERLAPPED {
        let place = OVERLAPPED_0_0 { Offset: 0, OffsetHigh: FAR };
        OVERLAPPED { Anonymous: OVERLAPPED_0 { Anonymous: place }, ..OVERLAPPED::default() }
    }

    fn answer(done: i32) -> io::Result<()> {
        if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn one_has_the_lock_and_everybody_reads_and_writes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        std::fs::write(&path, "first").unwrap();
        let open = || File::options().read(true).append(true).open(&path).unwrap();
        let (one, mut other) = (open(), open());
        lock(&one).unwrap();
        assert!(matches!(try_lock(&other), Err(TryLockError::WouldBlock)));
        let mut text = String::new();
        other.read_to_string(&mut text).unwrap();
        other.write_all(b", second").unwrap();
        assert_eq!((text.as_str(), std::fs::read(&path).unwrap().len()), ("first", 13));
        unlock(&one).unwrap();
        try_lock(&other).unwrap();
    }
}

//! What of the system std has no call for, or only on some systems: each in the way of the one that
//! the program runs on. Where there is none, what is done instead is said there.

use std::fs::File;
use std::io;
use std::path::Path;

/// Waits until everything that was written to the file system of this folder is on the disk;
/// elsewhere than on Linux, every file in the folder.
///
/// # Errors
/// What the system refuses.
#[cfg(target_os = "linux")]
pub fn sync_all_of(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::open(folder, flags, Mode::empty())?;
    Ok(rustix::fs::syncfs(folder)?)
}

/// Waits until every file in this folder is on the disk.
///
/// # Errors
/// What the system refuses.
#[cfg(not(target_os = "linux"))]
pub fn sync_all_of(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()? {
            kind if kind.is_dir() => sync_all_of(&entry.path())?,
            kind if kind.is_file() => sync_file(&entry.path())?,
            _ => {} // what a link leads to was not written here
        }
    }
    chronotap_core::files::sync_folder(folder)
}

/// Windows syncs only what may be written.
#[cfg(not(target_os = "linux"))]
fn sync_file(path: &Path) -> io::Result<()> {
    File::options().read(true).append(true).open(path)?.sync_all()
}

/// Asks the system to forget what it has of a synced file in memory, so that it is read from the
/// disk. Elsewhere than on Linux it cannot be asked, and the file is read as the system has it.
///
/// # Errors
/// What the system refuses.
#[cfg(target_os = "linux")]
pub(crate) fn forget(file: &File) -> io::Result<()> {
    Ok(rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed)?)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn forget(_: &File) -> io::Result<()> {
    Ok(())
}

/// Refuses a folder in which nothing can be made.
///
/// # Errors
/// What the system refuses.
#[cfg(unix)]
pub(crate) fn may_make_in(folder: &Path) -> io::Result<()> {
    use rustix::fs::Access;
    Ok(rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// Elsewhere only making something tells.
#[cfg(not(unix))]
pub(crate) fn may_make_in(folder: &Path) -> io::Result<()> {
    std::fs::metadata(folder).map(drop)
}

/// Whether a program of this number runs.
#[cfg(unix)]
pub fn is_running(program: u32) -> bool {
    let number = i32::try_from(program).ok().and_then(rustix::process::Pid::from_raw);
    let asked = number.map(rustix::process::test_kill_process);
    asked.is_some_and(|asked| asked != Err(rustix::io::Errno::SRCH)) // one of somebody else refuses
}

/// Elsewhere nobody says, so it may run.
#[cfg(not(unix))]
pub fn is_running(_: u32) -> bool {
    true
}

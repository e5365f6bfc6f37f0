//! Opening a byte stream for [`crate::ports::RawPort`], and why not.
//!
//! A FIFO is opened for reading and writing at once, because a FIFO without a
//! writer reads as ended and one without a reader cannot be opened for writing. A
//! terminal is put into raw mode, because it would otherwise wait for lines and
//! turn bytes into signals; its settings come back when the port is dropped.

use crate::ports::Permission;
use crate::ports::stream::Directions;
use chronotap_core::text::nearest;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{FileType, FlockOperation, Mode, OFlags, flock, major};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::termios::{OptionalActions, Termios, isatty, tcgetattr, tcsetattr};
use rustix::time::Timespec;
use std::fs::{read_dir, read_link, read_to_string};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Why a path could not be opened as a port.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Nothing stands at the path.
    #[error("raw:{} does not exist", path.display())]
    Missing {
        path: PathBuf,
        /// What stands around it.
        around: AroundPath,
    },
    /// The user may not open it.
    #[error("raw:{}: permission denied", path.display())]
    Denied {
        path: PathBuf,
        /// Who may.
        permission: Permission,
    },
    /// Another program has it.
    #[error("raw:{} is in use by another program", path.display())]
    Busy { path: PathBuf },
    /// Not a byte stream.
    #[error("raw:{} is {found}, not a byte stream", path.display())]
    NotAStream { path: PathBuf, found: NoStream },
    /// One FIFO as input and output would hear itself.
    #[error("raw:{} is a FIFO and carries one direction only", path.display())]
    OneWay { path: PathBuf },
    /// The device is there and not usable, as when it was unplugged or is a terminal without its other end.
    #[error("raw:{}: {call}: {errno}", path.display())]
    System {
        path: PathBuf,
        /// The call that failed.
        call: &'static str,
        /// What the system answered.
        errno: Errno,
    },
}

/// What stands around a path at which there is nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AroundPath {
    /// A file beside it whose name is much like it.
    Near(PathBuf),
    /// Files of other names.
    Others,
    /// This directory, which is empty.
    Empty(PathBuf),
    /// Not even this directory.
    Nowhere(PathBuf),
}

/// What is no stream of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoStream {
    /// A regular file.
    File,
    Directory,
    Socket,
    /// A block device.
    Blocks,
}

impl std::fmt::Display for NoStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoStream::File => "a regular file",
            NoStream::Directory => "a directory",
            NoStream::Socket => "a socket",
            NoStream::Blocks => "a block device",
        })
    }
}

/// A terminal in raw mode; it gets its settings back when this is dropped.
#[derive(Debug)]
pub(crate) struct Terminal {
    pub(crate) fd: OwnedFd,
    pub(crate) settings: Termios,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A terminal that is gone needs no settings.
        let _ = tcsetattr(&self.fd, OptionalActions::Now, &self.settings);
    }
}

/// Opens `path` without blocking, for input, output or both.
pub(crate) fn open(
    path: &Path,
    input: bool,
    output: bool,
) -> Result<(Directions, Option<Terminal>), OpenError> {
    let kind = kind_of(path)?;
    if kind == Kind::Fifo && input && output {
        return Err(OpenError::OneWay { path: path.into() });
    }
    let device = open_directions(path, kind, input, output)?;
    if let Some(input) = &device.input {
        take_alone(path, input)?;
    }
    let terminal = match device.input.as_ref().or(device.output.as_ref()) {
        Some(fd) if isatty(fd) => Some(make_raw(path, fd)?),
        _ => None,
    };
    if let Some(input) = &device.input {
        // A raw MIDI device begins to listen at its first poll or read.
        let mut first = [PollFd::new(input, PollFlags::IN)];
        poll(&mut first, Some(&Timespec::default()))
            .map_err(|errno| refusal(path, "poll", errno))?;
    }
    Ok((device, terminal))
}

/// A sound device is opened once for each direction, everything else once for both:
/// a terminal's two directions are one thing.
fn open_directions(
    path: &Path,
    kind: Kind,
    input: bool,
    output: bool,
) -> Result<Directions, OpenError> {
    let open_for = |direction: OFlags| {
        let flags = direction | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        rustix::fs::open(path, flags, Mode::empty()).map_err(|e| refusal(path, "open", e))
    };
    if kind == Kind::Sound || !(input && output) {
        let (from, to) = match kind {
            Kind::Fifo => (OFlags::RDWR, OFlags::RDWR),
            _ => (OFlags::RDONLY, OFlags::WRONLY),
        };
        let input = input.then(|| open_for(from)).transpose()?;
        let output = output.then(|| open_for(to)).transpose()?;
        return Ok(Directions { input, output });
    }
    let both = open_for(OFlags::RDWR)?;
    let again = fcntl_dupfd_cloexec(&both, 0).map_err(|errno| refusal(path, "dup", errno))?;
    Ok(Directions { input: Some(both), output: Some(again) })
}

/// What comes in is this program's alone: two that read would share its bytes. The lock goes with the
/// descriptor, also where the program is killed. A program that takes no locks is found by
/// [`reads_already`].
fn take_alone(path: &Path, input: &OwnedFd) -> Result<(), OpenError> {
    let busy = || OpenError::Busy { path: path.into() };
    match flock(input, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::AGAIN) => return Err(busy()),
        Err(errno) => return Err(refusal(path, "flock", errno)),
        Ok(()) => {}
    }
    if reads_already(path) { Err(busy()) } else { Ok(()) }
}

/// Whether another process has the file open for nothing but reading, as far as this user may look.
/// Who has it open for both may be the one who feeds it.
fn reads_already(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let processes = read_dir("/proc").into_iter().flatten().flatten();
    let others = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let own = std::process::id();
    // Asked first: a copy that becomes another program meanwhile has closed its files by the second look.
    let mut others = others.filter(|process| *process != own && !is_copy_of(own, *process));
    others.any(|process| reads(process, &path))
}

/// Whether it was forked from this process and runs no other program yet: its files are copies of this
/// one's own, and closed with its next step. A second run of this program that reads has the lock.
fn is_copy_of(own: u32, process: u32) -> bool {
    let stat = read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let program = |process| read_link(format!("/proc/{process}/exe")).ok();
    parent(&stat) == Some(own) && program(process) == program(own)
}

/// The parent in a line of /proc/PID/stat, the second field after the name in parentheses (proc(5)).
fn parent(stat: &str) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Of the flags of an open file the direction: 0 is reading alone (`O_ACCMODE`, fcntl.h).
const DIRECTIONS: u32 = 0b11;

fn reads(process: u32, path: &Path) -> bool {
    let files = read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let mut same = files.filter(|file| read_link(file.path()).is_ok_and(|target| target == path));
    same.any(|file| {
        let file = file.file_name();
        let about = format!("/proc/{process}/fdinfo/{}", file.to_string_lossy());
        let about = read_to_string(about).unwrap_or_default();
        let flags = about.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
        flags.is_some_and(|flags| flags & DIRECTIONS == 0)
    })
}

/// What can be opened as a stream of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fifo,
    /// A device of ALSA.
    Sound,
    /// A terminal, or another device of bytes.
    Characters,
}

/// The number of ALSA's devices, as Linux lists it (admin-guide/devices.txt).
const SOUND_MAJOR: u32 = 116;

/// Refuses what is no stream before it is opened.
fn kind_of(path: &Path) -> Result<Kind, OpenError> {
    let stat = rustix::fs::stat(path).map_err(|errno| refusal(path, "stat", errno))?;
    let refuse = |found| Err(OpenError::NotAStream { path: path.into(), found });
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::CharacterDevice if major(stat.st_rdev) == SOUND_MAJOR => Ok(Kind::Sound),
        FileType::CharacterDevice => Ok(Kind::Characters),
        FileType::Fifo => Ok(Kind::Fifo),
        FileType::RegularFile => refuse(NoStream::File),
        FileType::Directory => refuse(NoStream::Directory),
        FileType::Socket => refuse(NoStream::Socket),
        _ => refuse(NoStream::Blocks),
    }
}

/// Refuses what is there and no stream; what is not there, or not to be looked at, may become one.
pub(crate) fn look(path: &Path) -> Result<(), OpenError> {
    match kind_of(path) {
        Err(refused @ OpenError::NotAStream { .. }) => Err(refused),
        _ => Ok(()),
    }
}

/// Puts a terminal into raw mode.
fn make_raw(path: &Path, fd: &OwnedFd) -> Result<Terminal, OpenError> {
    let fd = fcntl_dupfd_cloexec(fd, 0).map_err(|errno| refusal(path, "dup", errno))?;
    let settings = tcgetattr(&fd).map_err(|errno| refusal(path, "tcgetattr", errno))?;
    let mut raw = settings.clone();
    raw.make_raw();
    tcsetattr(&fd, OptionalActions::Now, &raw)
        .map_err(|errno| refusal(path, "tcsetattr", errno))?;
    Ok(Terminal { fd, settings })
}

fn refusal(path: &Path, call: &'static str, errno: Errno) -> OpenError {
    let path = path.to_path_buf();
    match errno {
        Errno::NOENT | Errno::NOTDIR => OpenError::Missing { around: around(&path), path },
        Errno::ACCESS | Errno::PERM => {
            OpenError::Denied { permission: Permission::of(&path), path }
        }
        // ALSA answers a non-blocking open of a busy device with EAGAIN.
        Errno::BUSY | Errno::AGAIN => OpenError::Busy { path },
        errno => OpenError::System { path, call, errno },
    }
}

/// What stands in the directory of a missing file.
fn around(path: &Path) -> AroundPath {
    let Some(directory) = path.parent() else { return AroundPath::Others };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    match nearest(&name, &names) {
        Some(best) => AroundPath::Near(directory.join(best)),
        None if !names.is_empty() => AroundPath::Others,
        None if directory.exists() => AroundPath::Empty(directory.to_owned()),
        None => AroundPath::Nowhere(directory.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_stream_is_refused_with_what_it_is() {
        let found = |path: &str| match open(Path::new(path), true, false) {
            Err(OpenError::NotAStream { found, .. }) => found,
            other => panic!("{other:?}"),
        };
        assert_eq!(found("/etc/passwd"), NoStream::File);
        assert_eq!(found("/tmp"), NoStream::Directory);
    }

    #[test]
    fn a_missing_device_is_answered_with_the_nearest_name() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("midiC1D0"), "").unwrap();
        let around = |path: &Path| match open(path, true, false) {
            Err(OpenError::Missing { around, .. }) => around,
            other => panic!("{other:?}"),
        };
        let near = directory.path().join("midiC1D0");
        assert_eq!(around(&directory.path().join("midiC2D0")), AroundPath::Near(near));
        let nowhere = AroundPath::Nowhere("/nowhere".into());
        assert_eq!(around(Path::new("/nowhere/midi")), nowhere);
    }
}

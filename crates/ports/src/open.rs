//! Opening a byte stream for [`crate::RawPort`], and saying plainly why not.
//!
//! A FIFO is opened for reading and writing at once, because a FIFO without a
//! writer reads as ended and one without a reader cannot be opened for writing. A
//! terminal is put into raw mode, because it would otherwise wait for lines and
//! turn bytes into signals; its settings come back when the port is dropped.

use crate::stream::Directions;
use chronotap_text::nearest;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{FileType, Mode, OFlags, major};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::termios::{OptionalActions, Termios, isatty, tcgetattr, tcsetattr};
use rustix::time::Timespec;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Why a path could not be opened as a port.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Nothing stands at the path. Plug the device in, or correct the name.
    #[error("raw:{} does not exist{hint}; `chronotap ports` lists the devices present", path.display())]
    Missing {
        /// As given.
        path: PathBuf,
        /// The names in the directory most like it.
        hint: String,
    },
    /// The user may not open it. Join the group that may.
    #[error("raw:{}: permission denied; {cure}", path.display())]
    Denied {
        /// As given.
        path: PathBuf,
        /// Which group may, and how to join it.
        cure: String,
    },
    /// Another program has it. Close that program.
    #[error(
        "raw:{} is in use by another program; close it (`fuser -v {}` names it)",
        path.display(), path.display()
    )]
    Busy {
        /// As given.
        path: PathBuf,
    },
    /// Not a byte stream. Name a device, FIFO or pseudo-terminal.
    #[error(
        "raw:{} is {found}, not a byte stream; name a character device, a FIFO or a pseudo-terminal{cure}",
        path.display()
    )]
    NotAStream {
        /// As given.
        path: PathBuf,
        /// What stands there.
        found: &'static str,
        /// What may have been meant.
        cure: &'static str,
    },
    /// One FIFO as input and output would hear itself. Make two.
    #[error(
        "raw:{} is a FIFO and carries one direction only; make two (mkfifo) and name one for input, one for output",
        path.display()
    )]
    OneWay {
        /// As given.
        path: PathBuf,
    },
    /// The device is there and not usable, as when it was unplugged or is a terminal without its other end.
    #[error("raw:{}: {call}: {errno}; is its other end connected?", path.display())]
    System {
        /// As given.
        path: PathBuf,
        /// The call that failed.
        call: &'static str,
        /// What the system answered.
        errno: Errno,
    },
}

/// A terminal in raw mode; it gets its settings back when this is dropped.
#[derive(Debug)]
pub(crate) struct Terminal {
    fd: OwnedFd,
    settings: Termios,
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
    let refuse = |found, cure| Err(OpenError::NotAStream { path: path.into(), found, cure });
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::CharacterDevice if major(stat.st_rdev) == SOUND_MAJOR => Ok(Kind::Sound),
        FileType::CharacterDevice => Ok(Kind::Characters),
        FileType::Fifo => Ok(Kind::Fifo),
        FileType::RegularFile => {
            refuse("a regular file", " (a recorded events file plays with --performer)")
        }
        FileType::Directory => refuse("a directory", ""),
        FileType::Socket => refuse("a socket", ""),
        _ => refuse("a block device", ""),
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
        Errno::NOENT | Errno::NOTDIR => OpenError::Missing { hint: neighbours(&path), path },
        Errno::ACCESS | Errno::PERM => OpenError::Denied { cure: permission_cure(&path), path },
        // ALSA answers a non-blocking open of a busy device with EAGAIN.
        Errno::BUSY | Errno::AGAIN => OpenError::Busy { path },
        errno => OpenError::System { path, call, errno },
    }
}

/// The name in the same directory most like a missing one.
fn neighbours(path: &Path) -> String {
    let Some(directory) = path.parent() else { return String::new() };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    match nearest(&name, &names) {
        Some(best) => format!(" (did you mean raw:{}?)", directory.join(best).display()),
        None if !names.is_empty() => String::new(),
        None if directory.exists() => format!(" ({} is empty)", directory.display()),
        None => format!(" (there is no {})", directory.display()),
    }
}

/// Who may open a device, and how to become one of them.
pub(crate) fn permission_cure(path: &Path) -> String {
    let Ok(metadata) = std::fs::metadata(path) else { return "ask who runs this machine".into() };
    let (mode, gid) = (metadata.mode() & 0o777, metadata.gid());
    if gid == 0 {
        return format!(
            "it belongs to root; a udev rule can give it to group {}",
            usual_group(path)
        );
    }
    let group = group_name(gid).unwrap_or_else(|| gid.to_string());
    if mode & 0o060 == 0 {
        return format!(
            "only its owner may open it (mode {mode:03o}); `sudo chmod g+rw {}`",
            path.display()
        );
    }
    format!(
        "members of group `{group}` may open it: `sudo usermod -aG {group} $USER`, then log in again"
    )
}

/// The group that devices of this kind have where udev is at work.
fn usual_group(path: &Path) -> &'static str {
    if path.starts_with("/dev/input") { "input" } else { "audio" }
}

fn group_name(gid: u32) -> Option<String> {
    let groups = std::fs::read_to_string("/etc/group").ok()?;
    let mut lines = groups.lines().map(|line| line.split(':'));
    lines.find_map(|mut fields| {
        let name = fields.next()?;
        (fields.nth(1)? == gid.to_string()).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_stream_is_refused_with_what_it_is() {
        let message = |path: &str| open(Path::new(path), true, false).unwrap_err().to_string();
        assert!(message("/etc/passwd").contains("is a regular file"));
        assert!(message("/tmp").contains("is a directory"));
    }

    #[test]
    fn roots_device_is_for_the_group_that_its_kind_has_elsewhere() {
        assert_eq!(usual_group(Path::new("/dev/input/event3")), "input");
        assert_eq!(usual_group(Path::new("/dev/snd/seq")), "audio");
    }

    #[test]
    fn a_missing_device_is_answered_with_the_nearest_name() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("midiC1D0"), "").unwrap();
        let error = open(&directory.path().join("midiC2D0"), true, false).unwrap_err();
        assert!(error.to_string().contains("midiC1D0?"), "{error}");
        let nowhere = open(Path::new("/nowhere/midi"), true, false).unwrap_err().to_string();
        assert!(nowhere.contains("there is no /nowhere"), "{nowhere}");
    }
}

//! Where the lines come from: a Unix socket to which trials connect, one after the other, or
//! standard input.

use crate::whole_lines::whole_lines;
use anyhow::{Context, Result, bail};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::timespec;
use chronotap_linux::realtime::Interrupt;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Read, stdin};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The longest wait for a line.
const PATIENCE: Nanos = Nanos::from_millis(50);
/// Bytes of a line; of what sends longer ones nothing can be expected.
const LONGEST: usize = 16 << 20;
/// Bytes that are read at once.
const BLOCK: usize = 64 * 1024;

/// The lines of trials.
pub struct FollowedLines {
    socket: Option<Socket>,
    source: Option<Source>,
    begun: Vec<u8>, // the line whose end has not come
    ended: bool,
}

/// The socket; removed when it is dropped.
struct Socket {
    listener: UnixListener,
    path: PathBuf,
}

enum Source {
    Connection(UnixStream),
    Input,
}

/// What came of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fed {
    /// There may be more.
    Open,
    /// Whoever told has gone.
    Gone,
}

impl FollowedLines {
    /// Makes the socket; `-` is standard input.
    pub fn open(path: &Path) -> Result<FollowedLines> {
        let input = path == Path::new("-");
        let socket = if input { None } else { Some(Socket::open(path)?) };
        let source = input.then_some(Source::Input);
        Ok(FollowedLines { socket, source, begun: Vec::new(), ended: false })
    }

    /// Whether nothing more comes: after the first who tells and goes, if that is wanted, or of standard input.
    pub fn is_over(&self, once: bool) -> bool {
        self.ended && self.source.is_none() && (once || self.socket.is_none())
    }

    /// Waits a little for what comes, and gives each whole line.
    pub fn read(&mut self, interrupt: Interrupt, each: &mut dyn FnMut(&str)) -> Result<Fed> {
        if !self.wait(interrupt)? {
            return Ok(Fed::Open);
        }
        let Some(source) = &mut self.source else { return self.connect() };
        let mut block = [0; BLOCK];
        let count = match source.read(&mut block) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(Fed::Open),
            count => count.unwrap_or(0), // broken off
        };
        self.begun.extend_from_slice(&block[..count]);
        whole_lines(&mut self.begun).iter().for_each(|line| each(line));
        if count > 0 && self.begun.len() <= LONGEST {
            return Ok(Fed::Open);
        }
        (self.source, self.ended) = (None, true);
        self.begun.clear();
        Ok(Fed::Gone)
    }

    fn connect(&mut self) -> Result<Fed> {
        let Some(socket) = &self.socket else { return Ok(Fed::Open) };
        let (connection, _) = socket.listener.accept().context("nobody can connect any more")?;
        self.source = Some(Source::Connection(connection));
        Ok(Fed::Open)
    }

    /// Whether there is something to read or somebody who connects. One at a time is let in.
    fn wait(&self, interrupt: Interrupt) -> Result<bool> {
        let interrupted = PollFd::from_borrowed_fd(interrupt.descriptor(), PollFlags::IN);
        let mut polled = vec![interrupted];
        polled.extend(self.descriptor().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        match poll(&mut polled, Some(&timespec(PATIENCE))) {
            Ok(_) => Ok(polled.get(1).is_some_and(|polled| !polled.revents().is_empty())),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error).context("waiting for events"),
        }
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        match (&self.source, &self.socket) {
            (Some(source), _) => Some(source.as_fd()),
            (None, Some(socket)) => Some(socket.listener.as_fd()),
            (None, None) => None,
        }
    }
}

impl Source {
    fn read(&mut self, block: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Source::Connection(connection) => connection.read(block),
            Source::Input => Ok(rustix::io::read(stdin(), block)?),
        }
    }

    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Source::Connection(connection) => connection.as_fd(),
            Source::Input => rustix::stdio::stdin(),
        }
    }
}

impl Socket {
    /// For this user alone, and listened at from the moment that it has its name. One at which nobody listens
    /// is left from a program that was killed, and makes room.
    fn open(path: &Path) -> Result<Socket> {
        if path.symlink_metadata().is_ok() && !is_left_over(path) {
            bail!(
                "--follow {}: already there; name another path, or end the program that listens there",
                path.display()
            );
        }
        let named = || {
            format!(
                "--follow {}: no socket can be made there; name a folder that you may write to",
                path.display()
            )
        };
        let listener = listen(path).with_context(named)?;
        Ok(Socket { listener, path: path.to_owned() })
    }
}

fn listen(path: &Path) -> std::io::Result<UnixListener> {
    let mut nameless = path.as_os_str().to_owned();
    nameless.push(".opening");
    let nameless = PathBuf::from(nameless);
    if is_left_over(&nameless) {
        fs::remove_file(&nameless)?;
    }
    let listener = UnixListener::bind(&nameless)?;
    fs::set_permissions(&nameless, Permissions::from_mode(0o600))?;
    fs::rename(&nameless, path)?;
    Ok(listener)
}

fn is_left_over(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = |error: std::io::Error| error.kind() == ErrorKind::ConnectionRefused;
    is_socket && UnixStream::connect(path).is_err_and(refused)
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path); // it is left over then
    }
}

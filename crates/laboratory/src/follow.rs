//! [`follow`]: a trial as lines of JSON, one for each event as it happens, for other
//! programs. The form is described in docs/following.md.
//!
//! Whoever reads too slowly loses lines, is told how many, and delays nobody: the lines
//! are written by a thread of their own, fed as any other observer.

use chronotap_clocks::utc_text;
use chronotap_files::Refusal;
use chronotap_record::{Header, event_object};
use chronotap_recorder::{Beginning, Losses, Notice, Observer, USUAL_ROOM, Watch, observe};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

/// Version of the lines; raised when a key changes its meaning.
pub const FOLLOW_VERSION: u32 = 1;

/// How long the thread waits for something to happen before it looks whether all is over.
const PATIENCE: Duration = Duration::from_millis(200);

/// Why a trial cannot be followed there.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// Nothing stands at the path. Make a pipe, or start the program that listens.
    #[error("--follow {}: there is nothing; make a pipe (mkfifo {}), or start the program that listens at a Unix socket there", path.display(), path.display())]
    Missing {
        /// As given.
        path: PathBuf,
    },
    /// A pipe that nobody reads. Start its reader first.
    #[error("--follow {}: nobody reads the pipe; start its reader first", path.display())]
    NoReader {
        /// As given.
        path: PathBuf,
    },
    /// Neither a pipe nor a socket. Name one, or `-` for standard output.
    #[error("--follow {}: neither a pipe nor a Unix socket; name one, or - for standard output", path.display())]
    Neither {
        /// As given.
        path: PathBuf,
    },
    /// The system refused.
    #[error("--follow {}: {source}", path.display())]
    System {
        /// As given.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

/// The thread that writes the lines. Dropped, it writes what has come and ends; one that is
/// stuck in a reader who does not read is left behind.
#[derive(Debug)]
pub struct Follower(Option<JoinHandle<()>>);

/// Follows trials to a pipe, a Unix socket, or standard output (`-`). Hand the observer to
/// the trials, and drop it when there will be no more.
///
/// # Errors
/// [`FollowError`].
pub fn follow(path: &Path) -> Result<(Observer, Follower), FollowError> {
    let out = open(path)?;
    let (observer, watch) = observe(USUAL_ROOM);
    let builder = std::thread::Builder::new().name("follow".into());
    let thread = builder.spawn(move || write_all(&watch, out));
    let refused = |source| FollowError::System { path: path.to_owned(), source };
    Ok((observer, Follower(Some(thread.map_err(refused)?))))
}

fn open(path: &Path) -> Result<Box<dyn Write + Send>, FollowError> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdout()));
    }
    let refused = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => FollowError::Missing { path: path.to_owned() },
        _ => FollowError::System { path: path.to_owned(), source },
    };
    let kind = std::fs::metadata(path).map_err(refused)?.file_type();
    if kind.is_socket() {
        return Ok(Box::new(UnixStream::connect(path).map_err(refused)?));
    }
    if !kind.is_fifo() {
        return Err(FollowError::Neither { path: path.to_owned() });
    }
    Ok(Box::new(open_pipe(path)?))
}

/// Opens a pipe for writing without waiting for its reader.
fn open_pipe(path: &Path) -> Result<File, FollowError> {
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let refused = |source| FollowError::System { path: path.to_owned(), source };
    let pipe = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::NXIO => FollowError::NoReader { path: path.to_owned() },
        errno => refused(errno.into()),
    })?;
    let stat = rustix::fs::fstat(&pipe).map_err(|errno| refused(errno.into()))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::Fifo {
        return Err(FollowError::Neither { path: path.to_owned() }); // changed meanwhile
    }
    // From now on the thread may wait for its reader.
    let flags = rustix::fs::fcntl_getfl(&pipe).map_err(|errno| refused(errno.into()))?;
    rustix::fs::fcntl_setfl(&pipe, flags - OFlags::NONBLOCK)
        .map_err(|errno| refused(errno.into()))?;
    Ok(File::from(pipe))
}

/// Until nothing more comes, or nobody reads any more.
fn write_all(watch: &Watch, mut out: Box<dyn Write + Send>) {
    let mut header = Header::default();
    while !watch.is_over() {
        let Some(notice) = watch.next(PATIENCE) else { continue };
        if let Notice::Begins(beginning) = &notice {
            header = beginning.header.clone();
        }
        let written = writeln!(out, "{}", follow_line(&header, &notice)).and_then(|()| out.flush());
        if written.is_err() {
            return; // whoever read has gone; the trial goes on
        }
    }
}

/// The line of a notice. `header` is that of the last [`Notice::Begins`].
pub fn follow_line(header: &Header, notice: &Notice) -> Value {
    match notice {
        Notice::Begins(beginning) => begins(beginning),
        Notice::Happened(entry) => event_object(&header.names, entry),
        Notice::Corrected(entry) => {
            let mut object = event_object(&header.names, entry);
            object["correction"] = true.into();
            object
        }
        Notice::Lost(losses) => lost(header, losses),
        Notice::Missed(count) => json!({ "event": "missed", "count": count }),
        Notice::Ends(end) => {
            json!({ "event": "finished", "summary": end.summary, "files": end.saved })
        }
    }
}

/// Every input that lost messages, and the rest.
fn lost(header: &Header, losses: &Losses) -> Value {
    let inputs = header.names.inputs.iter().zip(&losses.overruns);
    let overruns: serde_json::Map<_, _> = inputs
        .filter(|(_, count)| **count > 0)
        .map(|(name, count)| (name.clone(), (*count).into()))
        .collect();
    json!({
        "event": "lost",
        "overruns": overruns,
        "silent_frames": losses.silent_frames,
        "dropped": losses.dropped,
        "disk": losses.disk.map(Refusal::word),
    })
}

fn begins(beginning: &Beginning) -> Value {
    let Beginning { header, origin, origin_utc } = beginning;
    let real = origin_utc.0 != 0;
    json!({
        "event": "begin",
        "format": "chronotap-follow",
        "version": FOLLOW_VERSION,
        "title": header.title,
        "seed": header.seed,
        "mode": header.mode,
        "origin_monotonic_ns": real.then_some(origin.0),
        "origin_utc": real.then(|| utc_text(*origin_utc)),
        "limit_ns": header.limit_ns,
        "names": header.names,
        "ports": header.ports,
        "trial_file": header.trial_file.name,
    })
}

impl Drop for Follower {
    fn drop(&mut self) {
        let Some(thread) = self.0.take() else { return };
        // A reader that does not read may hold the thread for ever; it is given a second.
        for _ in 0..100 {
            if thread.is_finished() {
                let _ = thread.join(); // it has nothing to give
                return;
            }
            std::thread::park_timeout(Duration::from_millis(10));
        }
    }
}

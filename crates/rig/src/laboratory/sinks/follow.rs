//! `--follow`: a trial as lines of JSON, one for each event as it happens, for other programs.
//! The form is described in docs/following.md.
//!
//! Each line is written by one call: a reader that is awake gets it whole, and is woken once.
//! Whoever reads too slowly loses lines, is told how many, and delays nobody.

use super::{Listener, SinkError, SinkKind};
use crate::recorder::{Beginning, Losses, Notice};
use chronotap_core::files::Refusal;
use chronotap_core::time::utc_text;
use chronotap_data::record::{Header, event_object};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// Version of the lines; raised when a key changes its meaning.
pub const FOLLOW_VERSION: u32 = 1;

/// A pipe, a Unix socket, or standard output (`-`).
pub(super) static KIND: SinkKind = SinkKind { prefix: None, open: open_all };

/// Why a trial cannot be followed there.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// Nothing stands at the path.
    #[error("{}: there is nothing", path.display())]
    Missing { path: PathBuf },
    /// A pipe that nobody reads.
    #[error("{}: nobody reads the pipe", path.display())]
    NoReader { path: PathBuf },
    /// Neither a pipe nor a socket.
    #[error("{}: neither a pipe nor a Unix socket", path.display())]
    Neither { path: PathBuf },
    /// The system refused.
    #[error("{}: {source}", path.display())]
    System { path: PathBuf, source: io::Error },
}

/// Notices as the lines that other programs read.
#[derive(Debug, Default)]
pub struct FollowLines {
    header: Header, // of the trial that runs
}

impl FollowLines {
    /// The line of a notice.
    pub fn line(&mut self, notice: &Notice) -> Value {
        if let Notice::Begins(beginning) = notice {
            self.header = beginning.header.clone();
        }
        line(&self.header, notice)
    }
}

/// Whoever reads the lines.
struct Reader<W> {
    out: W,
    lines: FollowLines,
    line: Vec<u8>,
}

impl<W: Write + Send> Reader<W> {
    fn new(out: W) -> Reader<W> {
        Reader { out, lines: FollowLines::default(), line: Vec::new() }
    }

    fn write(&mut self, notice: &Notice) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, &self.lines.line(notice))?;
        self.line.push(b'\n');
        self.out.write_all(&self.line)?;
        self.out.flush()
    }
}

/// The lines of `--follow` into something that is open already.
pub fn lines_into(out: Box<dyn Write + Send>) -> Box<dyn Listener> {
    Box::new(Reader::new(out))
}

impl<W: Write + Send> Listener for Reader<W> {
    fn name(&self) -> &'static str {
        "follow"
    }

    fn hear(&mut self, notice: &Notice) -> ControlFlow<()> {
        match self.write(notice) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()), // whoever read has gone
        }
    }
}

fn open_all(paths: &[PathBuf]) -> Result<Vec<Box<dyn Listener>>, SinkError> {
    let reader = |path: &PathBuf| Ok(Box::new(Reader::new(open(path)?)) as Box<dyn Listener>);
    paths.iter().map(reader).collect()
}

fn open(path: &Path) -> Result<Box<dyn Write + Send>, FollowError> {
    if path == Path::new("-") {
        // A descriptor of its own: a reader that is stuck holds no lock that others wait for.
        let out = io::stdout().as_fd().try_clone_to_owned();
        let path = || path.to_owned();
        let own = out.map_err(|source| FollowError::System { path: path(), source })?;
        return Ok(Box::new(File::from(own)));
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

/// The line of a notice. `header` is that of the last [`Notice::Begins`].
fn line(header: &Header, notice: &Notice) -> Value {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::End;
    use chronotap_core::time::Nanos;
    use chronotap_data::record::{Entry, What};
    use chronotap_engine::action::{Action, ActionKind, TrialEnding};
    use chronotap_engine::perturbation::Perturbation;
    use std::io::LineWriter;
    use std::sync::Arc;

    /// What was written, call by call.
    #[derive(Default)]
    struct Calls(Vec<Vec<u8>>);

    impl Write for Calls {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// One of each kind; the first is longer than the buffer of standard output.
    fn notices() -> Vec<Notice> {
        let header = Header { title: "long ".repeat(1_000), ..Header::default() };
        let action = Action {
            id: 1,
            kind: ActionKind::End(TrialEnding::Rule),
            number: 0,
            cause: 0,
            deadline: Nanos::ZERO,
            instant: Nanos::ZERO,
            port: 0,
            message: None,
            perturbation: Perturbation::NONE,
        };
        let entry =
            Entry { what: What::Happened, action, achieved: None, stamp: None, frame: None };
        vec![
            Notice::Begins(Arc::new(Beginning { header, ..Beginning::default() })),
            Notice::Happened(entry),
            Notice::Corrected(entry),
            Notice::Lost(Losses::default()),
            Notice::Missed(3),
            Notice::Ends(Arc::new(End { summary: None, saved: None })),
        ]
    }

    fn is_a_line(call: &[u8]) -> bool {
        let line = call.strip_suffix(b"\n");
        line.is_some_and(|line| serde_json::from_slice::<Value>(line).is_ok())
    }

    #[test]
    fn each_line_is_written_by_one_call() {
        let notices = notices();
        let mut reader = Reader::new(Calls::default());
        assert!(notices.iter().all(|notice| reader.hear(notice).is_continue()));
        assert_eq!(reader.out.0.len(), notices.len());
        assert!(reader.out.0.iter().all(|call| is_a_line(call)));
    }

    /// Standard output keeps what has come of a line, until there is no more room for it.
    #[test]
    fn each_line_goes_to_standard_output_by_one_call_too() {
        let notices = notices();
        let mut reader = Reader::new(LineWriter::new(Calls::default()));
        assert!(notices.iter().all(|notice| reader.hear(notice).is_continue()));
        let calls = &reader.out.get_ref().0;
        assert!(calls.len() == notices.len() && calls.iter().all(|call| is_a_line(call)));
    }

    #[test]
    fn who_has_gone_is_told_no_more() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut reader = Reader::new(ours);
        drop(theirs);
        assert!(reader.hear(&Notice::Missed(1)).is_break());
    }
}

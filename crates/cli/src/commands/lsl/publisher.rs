//! The process that has the streams, and nothing else. It is a child of `chronotap lsl`, reads markers from its standard input,
//! and says on its standard output how many programs read and how many markers it took.
//!
//! Everything that comes from the network comes in here, to a library that was not made for enemies. Whatever goes
//! wrong ends this process at once, and `supervised.rs` starts it again.

use super::streams::Streams;
use crate::CommandVerdict;
use crate::commands::streamed::Streamed;
use crate::whole_lines::whole_lines;
use anyhow::{Context, Result};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::timespec;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::read_dir;
use std::io::{Write, stdin, stdout};
use std::os::fd::AsFd;

/// How often readers are counted where no marker comes.
const LOOK: Nanos = Nanos::from_millis(20);
/// Bytes that are read at once.
const BLOCK: usize = 64 * 1024;
/// Connections and files that may be open: many more than recorders need.
const MOST_OPEN: usize = 500;
/// The memory that it may have: many times what it needs. Who sends more than fits ends it, and not the computer.
const MOST_MEMORY: u64 = 2 << 30;

/// Publishes what comes in until nothing more comes.
pub fn publish(name: &str, codes: bool, of: &Streamed) -> Result<CommandVerdict> {
    std::panic::set_hook(Box::new(|_| std::process::abort())); // a thread that is missing would be missed by nobody
    confine();
    let Ok(streams) = Streams::open(name, codes, of) else {
        stdout().write_all(b"refused\n").context("saying that no stream can be opened")?;
        return Ok(CommandVerdict::Failed);
    };
    let mut taken = Taken { streams, begun: Vec::new(), count: 0 };
    let mut told = None;
    loop {
        let now = (taken.streams.readers(), taken.count);
        if told.replace(now) != Some(now) {
            writeln!(stdout(), "{} {}", now.0, now.1).context("telling how many read")?;
        }
        if !taken.read()? || is_besieged() {
            return Ok(CommandVerdict::Passed);
        }
    }
}

/// It leaves no image of itself on the disk, and takes no more memory than it could need. Where
/// the system refuses, it runs all the same.
pub fn confine() {
    let at_most = |most| Rlimit { current: Some(most), maximum: Some(most) };
    let _ = setrlimit(Resource::Core, at_most(0));
    let _ = setrlimit(Resource::As, at_most(MOST_MEMORY));
    let files = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: files.maximum, ..files });
}

/// Whether so many are connected that nobody more would be let in soon. A new start lets go of all.
fn is_besieged() -> bool {
    read_dir("/proc/self/fd").is_ok_and(|open| open.count() > MOST_OPEN)
}

/// Markers on their way from standard input to the streams.
struct Taken {
    streams: Streams,
    begun: Vec<u8>, // the line whose end has not come
    count: u64,
}

impl Taken {
    /// Waits a little for markers and publishes them; false where nothing more comes.
    fn read(&mut self) -> Result<bool> {
        let input = stdin();
        let mut polled = [PollFd::from_borrowed_fd(input.as_fd(), PollFlags::IN)];
        match poll(&mut polled, Some(&timespec(LOOK))) {
            Ok(0) | Err(Errno::INTR) => return Ok(true),
            ready => ready.context("waiting for markers")?,
        };
        let mut block = [0; BLOCK];
        let count = rustix::io::read(&input, &mut block).context("reading markers")?;
        self.begun.extend_from_slice(&block[..count]);
        whole_lines(&mut self.begun).iter().for_each(|line| self.publish(line));
        Ok(count > 0)
    }

    /// A line is the time in nanoseconds, the code or `-`, and the text.
    fn publish(&mut self, line: &str) {
        self.count += 1;
        let mut parts = line.splitn(3, ' ');
        let at = parts.next().and_then(|at| at.parse().ok()).map(Nanos);
        let (Some(at), Some(code), Some(text)) = (at, parts.next(), parts.next()) else { return };
        self.streams.event(at, text);
        code.parse().into_iter().for_each(|code| self.streams.code(at, code));
    }
}

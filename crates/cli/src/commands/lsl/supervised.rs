//! The publisher as a child process that is watched over: where it ends, or takes nothing any more, another takes its place.
//!
//! What it has not taken is given to the next one, once as many programs read as before: they find the streams again
//! by their source. What it took, and had not yet sent when it ended, nobody can know.

use super::markers::Marker;
use super::streams::names;
use crate::this_program::this_program;
use crate::whole_lines::whole_lines;
use anyhow::{Context, Result, bail};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until, timespec};
use rustix::event::{PollFd, PollFlags, poll};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// How long the first one may take to open its streams.
const OPENING: Nanos = Nanos::from_secs(10);
/// Between two starts, so that an attack that goes on costs no processor.
const BETWEEN: Nanos = Nanos::from_secs(1);
/// How long who read before is waited for after a new start.
const RETURN: Nanos = Nanos::from_secs(10);
/// Who has taken nothing for so long is stuck.
const STUCK: Nanos = Nanos::from_secs(5);
/// A pipe that can be written to has room for so many bytes (pipe(7), `PIPE_BUF`).
const PIECE: usize = 4096;

/// The streams, whoever has them at the moment.
pub struct Supervised {
    name: String,
    codes: bool,
    about: Option<String>,
    now: Option<Publisher>,
    started: Nanos,
    unsent: VecDeque<String>,        // lines
    sent: VecDeque<String>,          // lines that were not taken yet
    readers: usize,                  // at last
    awaited: Option<(usize, Nanos)>, // who read before a new start, and until when they are waited for
    restarts: u64,
}

/// A publisher that runs.
struct Publisher {
    child: Child,
    to: ChildStdin,
    from: ChildStdout,
    heard: Vec<u8>, // of a line whose end has not come
    going: Vec<u8>, // bytes that it has no room for yet
    moved: Nanos,   // when it last took some
    is_open: bool,  // it has its streams
    taken: u64,
}

impl Supervised {
    /// Starts the first one, and waits until it has its streams.
    pub fn open(name: &str, codes: bool, about: Option<&str>) -> Result<Supervised> {
        let started = MonotonicClock::raw();
        let now = Some(Publisher::start(name, codes, about)?);
        let about = about.map(str::to_owned);
        let (unsent, sent, name) = (VecDeque::new(), VecDeque::new(), name.to_owned());
        let (readers, awaited, restarts) = (0, None, 0);
        let mut opened = Supervised {
            name,
            codes,
            about,
            now,
            started,
            unsent,
            sent,
            readers,
            awaited,
            restarts,
        };
        while !opened.is_open() {
            if !opened.listen() || MonotonicClock::raw() > started + OPENING {
                bail!(NO_STREAMS);
            }
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(5));
        }
        Ok(opened)
    }

    pub fn names(&self) -> Vec<String> {
        names(&self.name, self.codes)
    }

    pub fn has_codes(&self) -> bool {
        self.codes
    }

    /// How many programs read each stream; after a new start, as many as did, as long as they are waited for.
    pub fn readers(&self) -> usize {
        self.awaited.map_or(self.readers, |(awaited, _)| awaited.max(self.readers))
    }

    /// Holds markers back until a program reads each stream, for a while.
    pub fn await_one(&mut self, now: Nanos) {
        self.awaited = self.awaited.or(Some((1, now + RETURN)));
    }

    /// Holds back nothing any more.
    pub fn await_nobody(&mut self) {
        self.awaited = None;
    }

    /// How often another one had to take its place.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// How many markers nobody has taken yet.
    pub fn untaken(&self) -> usize {
        self.unsent.len() + self.sent.len()
    }

    /// Publishes a marker, soon.
    pub fn send(&mut self, marker: &Marker) {
        let code = marker.code.filter(|_| self.codes).map_or("-".to_owned(), |c| c.to_string());
        self.unsent.push_back(format!("{} {code} {}\n", marker.at.0, marker.text));
    }

    /// Looks after it. Says why, where it has ended.
    pub fn tend(&mut self, now: Nanos) -> Option<&'static str> {
        if self.now.is_none() && now >= self.started + BETWEEN {
            self.started = now;
            self.now = Publisher::start(&self.name, self.codes, self.about.as_deref()).ok();
        }
        let ended = (self.now.is_some() && !self.listen()).then_some(ENDED);
        self.look_who_is_back(now);
        let why = ended.or_else(|| self.give(now));
        why.inspect(|_| self.give_up(now))
    }

    fn is_open(&self) -> bool {
        self.now.as_ref().is_some_and(|publisher| publisher.is_open)
    }

    /// Hears how many read and what was taken; false where it has ended.
    fn listen(&mut self) -> bool {
        let Some(publisher) = &mut self.now else { return false };
        let before = publisher.taken;
        let Some(readers) = publisher.listen() else { return false };
        let taken = (publisher.taken - before) as usize;
        self.sent.drain(..taken.min(self.sent.len()));
        self.readers = readers.unwrap_or(self.readers);
        true
    }

    fn look_who_is_back(&mut self, now: Nanos) {
        let back = |(before, until)| self.is_open() && self.readers >= before || now > until;
        if self.awaited.is_some_and(back) {
            self.awaited = None;
        }
    }

    /// Gives it what it has room for; says why it is given up, where it is.
    fn give(&mut self, now: Nanos) -> Option<&'static str> {
        let Some(publisher) = &mut self.now else { return None };
        if self.awaited.is_none() && publisher.is_open && publisher.going.is_empty() {
            publisher.going = self.unsent.iter().flat_map(|line| line.bytes()).collect();
            self.sent.append(&mut self.unsent);
        }
        publisher.give(now, self.sent.is_empty())
    }

    /// What was not taken waits for the next one.
    fn give_up(&mut self, now: Nanos) {
        self.now = None;
        self.restarts += 1;
        self.awaited = Some((self.readers(), now + RETURN));
        self.readers = 0;
        self.sent.append(&mut self.unsent);
        std::mem::swap(&mut self.sent, &mut self.unsent);
    }
}

const NO_STREAMS: &str = "no stream can be opened: the ports of LSL, 16572 to 16603, may be taken; end other programs with streams";
const ENDED: &str = "what publishes was ended by something from the network or by a signal; it is started again, and recorders \
     find it again";
const IS_STUCK: &str =
    "what publishes took nothing for 5 s; it is started again, and recorders find it again";

impl Publisher {
    /// In a group of its own, so that Ctrl-C does not end it before what has come is published.
    fn start(name: &str, codes: bool, about: Option<&str>) -> Result<Publisher> {
        let program = this_program()?;
        let mut command = Command::new(program);
        command.args(["lsl", "--publisher", "--follow", "-", "--name", name]);
        command.args(codes.then_some("--codes")).process_group(0);
        command.args(about.into_iter().flat_map(|about| ["--about", about]));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("what publishes cannot be started")?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (to, from) = to.zip(from).context("what publishes has no pipes")?;
        let (heard, going, moved) = (Vec::new(), Vec::new(), MonotonicClock::raw());
        Ok(Publisher { child, to, from, heard, going, moved, is_open: false, taken: 0 })
    }

    /// What it says now, which is how many read if it says something; `None` where it has ended.
    fn listen(&mut self) -> Option<Option<usize>> {
        let mut readers = None;
        while is_ready(&self.from, PollFlags::IN) {
            let mut block = [0; PIECE];
            let count = self.from.read(&mut block).ok().filter(|count| *count > 0)?;
            self.heard.extend_from_slice(&block[..count]);
            for line in whole_lines(&mut self.heard) {
                let (now, taken) = line.split_once(' ')?; // else it was refused its ports
                (readers, self.taken) = (Some(now.parse().ok()?), taken.parse().ok()?);
                self.is_open = true;
            }
        }
        Some(readers)
    }

    fn give(&mut self, now: Nanos, all_is_taken: bool) -> Option<&'static str> {
        if all_is_taken {
            self.moved = now;
        }
        while !self.going.is_empty() && is_ready(&self.to, PollFlags::OUT) {
            let piece = self.going.len().min(PIECE);
            if self.to.write_all(&self.going[..piece]).is_err() {
                return Some(ENDED);
            }
            self.going.drain(..piece);
            self.moved = now;
        }
        (now > self.moved.saturating_add(STUCK)).then_some(IS_STUCK)
    }
}

fn is_ready(pipe: impl AsFd, what: PollFlags) -> bool {
    let mut polled = [PollFd::new(&pipe, what)];
    poll(&mut polled, Some(&timespec(Nanos::ZERO))).is_ok_and(|ready| ready > 0)
}

impl Drop for Publisher {
    fn drop(&mut self) {
        let _ = self.child.kill(); // without effect where it has ended
        let _ = self.child.wait();
    }
}

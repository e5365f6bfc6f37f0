//! [`Sinks`]: whoever is told of running trials, in one list. The command of a trial, that of a
//! session, the pages and Python each make theirs here, so that a kind of sink that stands in the
//! table is told wherever a trial is run from.
//!
//! A kind is a [`SinkKind`], in a file in `sinks/`, and its line in [`STANDARD`]. What it does
//! with what it is told is a [`Listener`], in a thread of its own; a sink that is read where
//! there is a thread already is a [`Watch`]. The queue between a trial and a sink is the
//! recorder's.

mod follow;

pub use follow::{FOLLOW_VERSION, FollowError, FollowLines, lines_into};

use crate::recorder::{Notice, Sink, USUAL_ROOM, UnreadNotices, Watch, sink};
use std::error::Error;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread::{Builder, JoinHandle, park_timeout};
use std::time::Duration;

/// Every kind of sink that can be named, in the order in which they are opened.
pub static STANDARD: [&SinkKind; 1] = [&follow::KIND];

/// The longest time for which a [`Listener`] is not asked to look.
const PATIENCE: Duration = Duration::from_millis(200);

/// The sinks of a trial, or of several one after another. Dropped, they are told what has come,
/// and end; one that is stuck is left behind.
#[derive(Debug, Default)]
pub struct Sinks {
    sinks: Vec<Sink>,
    threads: Vec<JoinHandle<()>>,
    named: Vec<(usize, UnreadNotices)>, // those that were asked for by name, with the places of their threads
}

/// One kind of sink.
#[derive(Clone, Copy, Debug)]
pub struct SinkKind {
    /// What stands before the first `:` of its names; no other kind has the same. `None` for the
    /// kind that takes every name that is no other's.
    pub prefix: Option<&'static str>,
    /// Opens a sink for each of its names, of which it gets what stands after the prefix. It is
    /// asked without a name too: a kind that needs none is told of every trial.
    pub open: fn(&[PathBuf]) -> Result<Listeners, SinkError>,
}

/// What a kind opens: a sink for each name.
pub type Listeners = Vec<Box<dyn Listener>>;

/// What a sink does with what it is told. It has a thread of its own: if it is slow or stuck, it
/// misses notices, is told how many, and delays nobody.
pub trait Listener: Send {
    /// The name of its thread, at most 15 letters.
    fn name(&self) -> &'static str;

    /// Takes a notice. It breaks off where nobody is there any more; the trial goes on.
    fn hear(&mut self, notice: &Notice) -> ControlFlow<()>;

    /// Called after each notice, and five times a second where there is none.
    fn look(&mut self) {}
}

/// Why a sink cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    /// A trial cannot be followed there.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// The kind's own error.
    #[error(transparent)]
    Own(Box<dyn Error + Send + Sync>),
    /// The system has no thread left for it.
    #[error("no thread for what is told of a trial: {0}")]
    Thread(io::Error),
}

impl Sinks {
    /// Opens the sinks of these names, each by its kind.
    ///
    /// # Errors
    /// [`SinkError`]; none is left open.
    pub fn open(names: &[PathBuf]) -> Result<Sinks, SinkError> {
        Sinks::of_kinds(&STANDARD, names)
    }

    /// The same where there are these kinds.
    ///
    /// # Errors
    /// [`SinkError`]; none is left open.
    pub fn of_kinds(kinds: &[&SinkKind], names: &[PathBuf]) -> Result<Sinks, SinkError> {
        let mut sinks = Sinks::default();
        for kind in kinds {
            for listener in (kind.open)(&names_of(kind, kinds, names))? {
                sinks.add(listener).map_err(SinkError::Thread)?;
                let place = sinks.threads.len() - 1;
                sinks.named.extend(sinks.sinks.last().map(|sink| (place, sink.unread())));
            }
        }
        Ok(sinks)
    }

    /// Adds a sink with a thread of its own, which ends when these are dropped.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub fn add(&mut self, mut listener: Box<dyn Listener>) -> io::Result<()> {
        let (sink, watch) = sink(USUAL_ROOM);
        let thread = Builder::new().name(listener.name().into());
        self.threads.push(thread.spawn(move || listen(&watch, &mut *listener))?);
        self.sinks.push(sink);
        Ok(())
    }

    /// Adds a sink that is read from the end that this gives, and for which so many notices may
    /// wait.
    pub fn watch(&mut self, room: usize) -> Watch {
        let (sink, watch) = sink(room);
        self.sinks.push(sink);
        watch
    }

    /// Tells that nothing more comes, and waits for those who listen; one that is stuck is left behind.
    /// Tells how many notices the sinks that were asked for by name did not get.
    pub fn close(&mut self) -> u64 {
        self.sinks.clear(); // by which the threads know that nothing more comes
        let ended: Vec<bool> = self.threads.drain(..).map(wait_for).collect();
        let in_hand = |at: &usize| u64::from(ended.get(*at) == Some(&false));
        self.named.iter().map(|(at, unread)| unread.count() + in_hand(at)).sum()
    }

    /// What is handed to the trials.
    pub fn all(&self) -> &[Sink] {
        &self.sinks
    }
}

/// Those of the names that are this kind's, without its prefix.
fn names_of(kind: &SinkKind, kinds: &[&SinkKind], names: &[PathBuf]) -> Vec<PathBuf> {
    let each = names.iter().map(|name| split(name, kinds));
    let own = each.filter(|(prefix, _)| *prefix == kind.prefix);
    own.map(|(_, rest)| rest).collect()
}

/// The prefix of a name, where it is that of a kind, and the rest.
fn split(name: &Path, kinds: &[&SinkKind]) -> (Option<&'static str>, PathBuf) {
    let split = name.to_str().and_then(|text| text.split_once(':'));
    let of_kind = split.and_then(|(prefix, rest)| {
        let mut known = kinds.iter().filter_map(|kind| kind.prefix);
        known.find(|known| *known == prefix).map(|known| (known, rest))
    });
    of_kind.map_or((None, name.to_owned()), |(prefix, rest)| (Some(prefix), rest.into()))
}

/// Until nothing more comes, or nobody listens any more.
fn listen(watch: &Watch, listener: &mut dyn Listener) {
    while !watch.is_over() {
        let heard = watch.next(PATIENCE).map(|notice| listener.hear(&notice));
        if heard.is_some_and(|heard| heard.is_break()) {
            return;
        }
        listener.look();
    }
}

impl Drop for Sinks {
    fn drop(&mut self) {
        self.close();
    }
}

/// One that is stuck in a reader who does not read may be so for ever: it is given a second. Whether it ended.
fn wait_for(thread: JoinHandle<()>) -> bool {
    for _ in 0..100 {
        if thread.is_finished() {
            let _ = thread.join(); // it has nothing to give
            return true;
        }
        park_timeout(Duration::from_millis(10));
    }
    false
}

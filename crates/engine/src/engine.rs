//! [`Engine`]: a trial under way.
//!
//! Real-time contract: `input`, `advance`, `stop` and `next_deadline` run in the
//! real-time thread; they never allocate, lock, log, panic or ask the time, and
//! take time in proportion to the events that are due.
//!
//! The law everything rests on: the actions depend only on the trial, the seed and
//! the instants of the inputs, never on how finely `advance` slices time. An input
//! is taken at its stamp, or, where that has passed already, at the first instant
//! still open; that instant stands in the recorded data, and replay uses it.

use crate::action::{Action, OutsideChange, TrialEnding};
use crate::event::Event;
use crate::instant::{MOST_TONES, Notice, State};
use crate::trial::Trial;
use chronotap_core::time::Nanos;
use std::sync::Arc;

/// A trial under way.
#[derive(Debug)] // no Clone: a copy would not have the memory taken beforehand
pub struct Engine {
    trial: Arc<Trial>,
    state: State,
}

impl Engine {
    /// A trial about to begin. All memory it will ever need is taken here.
    pub fn new(trial: Arc<Trial>, seed: u64) -> Engine {
        Engine::with_room(trial, seed, MOST_TONES)
    }

    /// The same for a trial of which it is known how many tones sound or are due at a time; one
    /// more is lost and counted. It takes less memory, and less time to make.
    pub fn with_room(trial: Arc<Trial>, seed: u64, tones: u32) -> Engine {
        let state = State::new(&trial, seed, tones);
        Engine { trial, state }
    }

    /// The trial it runs.
    pub fn trial(&self) -> &Arc<Trial> {
        &self.trial
    }

    /// Takes in an event; the next `advance` treats it. At most 1,024 may wait;
    /// one more is lost and counted.
    pub fn input(&mut self, event: Event) {
        self.state.queue(event, None);
    }

    /// An input that was closed is there again, as of `at`. Recorded; nothing else
    /// changes.
    pub fn input_reopened(&mut self, input: u16, at: Nanos) {
        self.state.queue(Event { input, stamp: at, message: None }, Some(Notice::Reopened));
    }

    /// The audio server missed a period, at `at`. Recorded; nothing else changes.
    pub fn xrun(&mut self, at: Nanos) {
        self.state.queue(Event { input: 0, stamp: at, message: None }, Some(Notice::Xrun));
    }

    /// Something changed at the audio server or sequencer, noticed at `at`. Recorded; nothing else
    /// changes.
    pub fn changed(&mut self, change: OutsideChange, at: Nanos) {
        let event = Event { input: 0, stamp: at, message: None };
        self.state.queue(event, Some(Notice::Changed(change)));
    }

    /// Does everything that is due by `now`, instant by instant, and hands each
    /// action to `sink` in the order in which it is to be carried out.
    pub fn advance(&mut self, now: Nanos, sink: &mut impl FnMut(&Action)) {
        self.state.advance(now, &self.trial, sink);
    }

    /// The time at which `advance` is next needed; `None` where only an input can
    /// bring something about, or nothing more will come.
    pub fn next_deadline(&self) -> Option<Nanos> {
        let due = self.state.next_instant();
        (due < Nanos::MAX && !self.state.has_ended()).then_some(due)
    }

    /// Ends the trial at `at` (or the first open instant after): sounding tones are
    /// released, feedback still due is cancelled.
    pub fn stop(&mut self, at: Nanos, ending: TrialEnding, sink: &mut impl FnMut(&Action)) {
        self.state.stop(at, ending, &self.trial, sink);
    }

    /// Whether the trial has ended and nothing more will come: no code is due either, and no
    /// output waits.
    pub fn has_ended(&self) -> bool {
        self.state.has_ended()
    }

    /// Whether the end has come: only codes, and what waits for a slower output, may still be due,
    /// which [`Engine::advance`] sends.
    pub fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// Tones and inputs that were lost because a table of fixed size was full.
    pub fn lost(&self) -> u64 {
        self.state.lost()
    }
}

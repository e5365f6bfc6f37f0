//! [`Aligned`]: outputs that wait for a slower one, so that what belongs to one moment is heard at
//! one moment. The engine decides as if there were no such wait; what is sent to an output that
//! waits is handed on later, in the order in which it was decided.
//!
//! Real-time contract: what waits has its memory from construction. Where there is no room, the
//! first that waits goes out early and is counted: so a tone always ends after it began.

use crate::action::Action;
use crate::trial::Trial;
use chronotap_core::time::Nanos;
use std::collections::VecDeque;

/// The most messages that may wait, over all outputs.
const MOST_WAITING: usize = 4_096;

/// The messages of outputs that wait.
#[derive(Debug)]
pub(crate) struct Aligned {
    outputs: Vec<Output>,
    waiting: VecDeque<Action>, // by deadline, ascending
}

/// An output.
#[derive(Clone, Copy, Debug)]
struct Output {
    wait: Nanos,
    last: Nanos, // deadline of what was sent there last: nothing overtakes it
}

impl Aligned {
    pub(crate) fn new(trial: &Trial) -> Aligned {
        let output = |wait: &Nanos| Output { wait: *wait, last: Nanos::MIN };
        let outputs: Vec<Output> = trial.waits.iter().map(output).collect();
        let waits = outputs.iter().any(|output| output.wait > Nanos::ZERO);
        let room = if waits { MOST_WAITING } else { 0 };
        Aligned { outputs, waiting: VecDeque::with_capacity(room) }
    }

    /// When the next of them is due; [`Nanos::MAX`] for none.
    pub(crate) fn due(&self) -> Nanos {
        self.waiting.front().map_or(Nanos::MAX, |next| next.deadline)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// By how much an output waits.
    pub(crate) fn wait(&self, output: u16) -> Nanos {
        self.outputs.get(usize::from(output)).map_or(Nanos::ZERO, |output| output.wait)
    }

    /// The action as its output gets it, or `None` where it waits from now on.
    pub(crate) fn pass(&mut self, action: &Action, now: Nanos) -> Option<Action> {
        let output = self.outputs.get_mut(usize::from(action.port)).filter(|_| action.is_message());
        let Some(output) = output.filter(|output| output.wait > Nanos::ZERO) else {
            return Some(*action);
        };
        output.last = action.deadline.saturating_add(output.wait).max(output.last);
        let action = Action { deadline: output.last, ..*action };
        if action.deadline <= now {
            return Some(action);
        }
        let before = self.waiting.iter().rposition(|other| other.deadline <= action.deadline);
        self.waiting.insert(before.map_or(0, |place| place + 1), action);
        None
    }

    /// The next that is due by now, as of now.
    pub(crate) fn next(&mut self, now: Nanos) -> Option<Action> {
        let next = *self.waiting.front().filter(|next| next.deadline <= now)?;
        self.waiting.pop_front();
        Some(Action { instant: now, ..next })
    }

    /// The first that waits where one more would find no room: it goes out at once.
    pub(crate) fn early(&mut self, now: Nanos) -> Option<Action> {
        let is_full = self.waiting.len() >= MOST_WAITING;
        let first = is_full.then(|| self.waiting.pop_front()).flatten()?;
        Some(Action { deadline: first.deadline.min(now), instant: now, ..first })
    }
}

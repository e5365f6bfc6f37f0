//! [`Agenda`]: the onsets and releases that are due, earliest first.
//!
//! Real-time contract: a binary heap of fixed capacity; `push` and `pop` are
//! O(log n) and never allocate. What does not fit is refused, and the engine
//! counts it.

use chronotap_core::time::Nanos;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::tones::ToneId;

/// The order of things at one instant: releases before onsets; onsets in the
/// order pacing, feedback, masking, each in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// The end of a sounding tone.
    Release,
    /// A tone that a rule plays.
    Rule,
    /// A tone of a pacing stream.
    Pacing,
    /// A tone of a feedback channel.
    Feedback,
    /// A tone of a masking stream.
    Masking,
    /// The end of a tone that begins at the same instant.
    OwnRelease,
}

/// Something due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// When, since the start of the trial.
    pub at: Nanos,
    /// Its turn among the things of that instant.
    pub turn: Turn,
    /// Place in the file of the stream or channel.
    pub index: u16,
    /// The tone it begins or ends.
    pub tone: ToneId,
    /// The time asked for; before `at` where that had passed already.
    pub deadline: Nanos,
    sequence: u64,
}

impl Due {
    /// Whether it is an onset.
    pub const fn is_onset(&self) -> bool {
        !matches!(self.turn, Turn::Release | Turn::OwnRelease)
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Due) -> Ordering {
        let key = |due: &Due| (due.at, due.turn, due.index, due.sequence);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is due, earliest first.
#[derive(Debug)]
pub struct Agenda {
    heap: BinaryHeap<Reverse<Due>>,
    capacity: usize,
    pushed: u64,
}

impl Agenda {
    /// Room for `capacity` things.
    pub fn new(capacity: usize) -> Agenda {
        Agenda { heap: BinaryHeap::with_capacity(capacity), capacity, pushed: 0 }
    }

    /// Adds one; `false` where there is no room.
    pub fn push(
        &mut self,
        at: Nanos,
        deadline: Nanos,
        (turn, index): (Turn, u16),
        tone: ToneId,
    ) -> bool {
        if self.heap.len() == self.capacity {
            return false;
        }
        self.pushed += 1;
        let sequence = self.pushed;
        self.heap.push(Reverse(Due { at, turn, index, tone, deadline, sequence }));
        true
    }

    /// When the earliest is due.
    pub fn next(&self) -> Option<Nanos> {
        self.heap.peek().map(|due| due.0.at)
    }

    /// Takes the earliest, if it is due by `now`.
    pub fn pop(&mut self, now: Nanos) -> Option<Due> {
        if self.next()? > now {
            return None;
        }
        self.heap.pop().map(|due| due.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instant_goes_release_pacing_feedback_masking_in_file_order() {
        let mut agenda = Agenda::new(8);
        let tone = ToneId::default();
        for (turn, index) in [
            (Turn::Masking, 0),
            (Turn::Feedback, 1),
            (Turn::Feedback, 0),
            (Turn::Pacing, 0),
            (Turn::OwnRelease, 0),
            (Turn::Release, 3),
        ] {
            assert!(agenda.push(Nanos(5), Nanos(5), (turn, index), tone));
        }
        let order: Vec<_> =
            std::iter::from_fn(|| agenda.pop(Nanos(5))).map(|d| (d.turn, d.index)).collect();
        let expected = [
            (Turn::Release, 3),
            (Turn::Pacing, 0),
            (Turn::Feedback, 0),
            (Turn::Feedback, 1),
            (Turn::Masking, 0),
            (Turn::OwnRelease, 0),
        ];
        assert_eq!(order, expected);
    }

    #[test]
    fn a_full_agenda_refuses() {
        let mut agenda = Agenda::new(1);
        assert!(agenda.push(Nanos(1), Nanos(1), (Turn::Pacing, 0), ToneId::default()));
        assert!(!agenda.push(Nanos(2), Nanos(2), (Turn::Pacing, 0), ToneId::default()));
        assert_eq!(agenda.pop(Nanos(0)), None);
    }
}

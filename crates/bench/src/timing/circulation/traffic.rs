//! [`Traffic`]: what was sent, what came in, and which belongs to which.
//!
//! The entries of a trial stand in the order in which the runner did things, so
//! that a message cannot come back before the entry that sent it. What was sent
//! waits in a line; a message that comes in is looked for there. It is the first of
//! the line (as it should be); a later one (then those before it are lost, unless
//! they come yet: then they were out of order); one that was here already
//! (doubled); or unknown (changed, where its turn was another's, else a stranger).
//! Notes differ from their neighbours, so that a lost message is never taken for a
//! doubled one; a message changed into one of its neighbours is.

use super::test::LOST_AFTER;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_engine::action::ActionKind;
use serde::Serialize;
use std::collections::VecDeque;

/// Messages by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MessageCounts {
    /// Messages handed to the output.
    pub sent: u64,
    /// Messages that came in.
    pub received: u64,
    /// Came back as they were sent.
    pub matched: u64,
    /// Never came back.
    pub lost: u64,
    /// Came a second time.
    pub doubled: u64,
    /// Came as another message.
    pub changed: u64,
    /// Came after one that was sent later, or after they were given up.
    pub out_of_order: u64,
    /// Came though nothing was under way.
    pub unknown: u64,
    /// The output did not take them.
    pub refused: u64,
    /// Under way when the test ended.
    pub under_way: u64,
}

impl MessageCounts {
    /// Messages that went wrong.
    pub fn faults(&self) -> u64 {
        self.lost + self.doubled + self.changed + self.out_of_order + self.unknown + self.refused
    }
}

/// The messages of a test.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    pub counts: MessageCounts,
    /// Stamp of every message that came in, in order.
    pub arrivals: Vec<Nanos>,
    /// From the end of the write to the stamp, of those that came back.
    pub round_trips: Vec<Nanos>,
    /// From the stamp of a message to the end of the write that answers it, without
    /// the constant latency of the output.
    pub answers: Vec<Nanos>,
    /// How many of the messages that came in were note-ons.
    pub presses: u64,
    /// How often the loop was set going, the first time included.
    pub starts: u32,
    latency: Nanos,
    under_way: VecDeque<(Nanos, Message)>,
    missing: VecDeque<(Nanos, Message)>,
    seen: VecDeque<Message>,
    heard: Vec<(u64, Nanos)>, // the last events that came in, by id
}

/// How many of the last messages are remembered, fewer than there are notes.
const REMEMBERED: usize = 24;

impl Traffic {
    /// Goes through the entries of a test over an output of that constant latency.
    pub fn of(entries: &[Entry], latency: Nanos) -> Traffic {
        let mut traffic = Traffic { latency, ..Traffic::default() };
        for entry in entries {
            traffic.take(entry);
        }
        let end =
            entries.iter().rev().find(|entry| matches!(entry.action.kind, ActionKind::End(_)));
        traffic.close(end.map_or(Nanos::MAX, |entry| entry.action.instant));
        traffic
    }

    /// The times between successive messages, without the silences after which the
    /// loop was set going again.
    pub fn intervals(&self) -> Vec<Nanos> {
        let between = self.arrivals.windows(2).map(|pair| pair[1] - pair[0]);
        between.filter(|interval| *interval < LOST_AFTER).collect()
    }

    fn take(&mut self, entry: &Entry) {
        let action = &entry.action;
        let Some(message) = action.message else { return };
        if action.is_output() {
            self.starts += u32::from(matches!(action.kind, ActionKind::Rule(_)));
            self.sent(entry.achieved, message);
            let cause = self.heard.iter().rev().find(|(id, _)| *id == action.cause);
            if let (Some((_, stamp)), Some(at), ActionKind::Feedback(_)) =
                (cause, entry.achieved, action.kind)
            {
                self.answers.push(at - self.latency - *stamp);
            }
        } else if matches!(
            action.kind,
            ActionKind::Tap(_)
                | ActionKind::Release(_)
                | ActionKind::ControlIn(_)
                | ActionKind::Sysex(_)
        ) {
            self.presses += u64::from(matches!(message, Message::NoteOn { .. }));
            self.heard.push((action.id, action.deadline));
            if self.heard.len() > 2 * REMEMBERED {
                self.heard.drain(..REMEMBERED);
            }
            self.received(action.deadline, message);
        }
    }

    fn sent(&mut self, at: Option<Nanos>, message: Message) {
        match at {
            Some(at) => {
                self.counts.sent += 1;
                self.under_way.push_back((at, message));
            }
            None => self.counts.refused += 1,
        }
    }

    fn received(&mut self, at: Nanos, message: Message) {
        self.counts.received += 1;
        self.arrivals.push(at);
        self.give_up(at);
        if let Some(place) = self.under_way.iter().position(|(_, sent)| same(sent, &message)) {
            let passed: Vec<_> = self.under_way.drain(..place).collect();
            passed.into_iter().for_each(|one| self.lose(one));
            if let Some((sent, _)) = self.under_way.pop_front() {
                self.came_back(sent, at, message);
            }
        } else if let Some(place) = self.missing.iter().position(|(_, sent)| same(sent, &message)) {
            if let Some((sent, _)) = self.missing.remove(place) {
                self.counts.lost -= 1;
                self.counts.out_of_order += 1;
                self.came_back(sent, at, message);
            }
        } else if self.seen.iter().any(|seen| same(seen, &message)) {
            self.counts.doubled += 1;
        } else if self.under_way.pop_front().is_some() {
            self.counts.changed += 1;
        } else {
            self.counts.unknown += 1;
        }
    }

    fn came_back(&mut self, sent: Nanos, at: Nanos, message: Message) {
        self.counts.matched += 1;
        self.round_trips.push(at - sent);
        self.seen.push_back(message);
        if self.seen.len() > REMEMBERED {
            self.seen.pop_front();
        }
    }

    fn lose(&mut self, one: (Nanos, Message)) {
        self.counts.lost += 1;
        self.missing.push_back(one);
        if self.missing.len() > REMEMBERED {
            self.missing.pop_front();
        }
    }

    /// Gives up what was sent long before `now`.
    fn give_up(&mut self, now: Nanos) {
        while let Some(one) = self.under_way.front().copied() {
            if now - one.0 < LOST_AFTER {
                return;
            }
            self.under_way.pop_front();
            self.lose(one);
        }
    }

    fn close(&mut self, end: Nanos) {
        let last = self.arrivals.last().copied().unwrap_or(Nanos::ZERO);
        self.give_up(if end == Nanos::MAX { last } else { end });
        self.counts.under_way = self.under_way.len() as u64;
    }
}

/// Whether two messages are one on the wire: a note-on with velocity 0 is a note-off.
fn same(a: &Message, b: &Message) -> bool {
    match (a.release(), b.release()) {
        (Some((channel, note, _)), Some((other, key, _))) => (channel, note) == (other, key),
        _ => a == b,
    }
}

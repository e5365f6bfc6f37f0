//! [`Hand`]: what happens to a key once a tap is decided. It goes down, perhaps
//! bounces, and comes up; it is always released before it is pressed again.

use super::model::Model;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::Sent;

/// MIDI's release velocity where none is meant.
const RELEASE_VELOCITY: i64 = 64;

/// A tap to come, but for its time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tap {
    pub note: U7,
    pub velocity: U7,
    pub hold: Nanos,
    /// Time to a second press by contact bounce.
    pub bounce: Option<Nanos>,
}

/// The keys of one participant.
#[derive(Clone, Debug)]
pub(super) struct Hand {
    input: u16,
    channel: Channel,
    held: U7, // the key that is down while `release` is set
    release: Option<Nanos>,
    bounce: Option<(Nanos, Tap)>,
}

impl Hand {
    pub fn new(model: &Model) -> Hand {
        let (input, channel) = (model.input, model.channel);
        Hand { input, channel, held: U7::ZERO, release: None, bounce: None }
    }

    /// When it next moves without another tap.
    pub fn next(&self) -> Option<Nanos> {
        self.release.into_iter().chain(self.bounce.map(|(at, _)| at)).min()
    }

    /// Presses a key. One that bounces is released half-way to its second press.
    pub fn press(&mut self, tap: Tap, at: Nanos) -> Sent {
        self.held = tap.note;
        self.release = Some(at + tap.bounce.map_or(tap.hold, |gap| gap / 2));
        self.bounce = tap.bounce.map(|gap| (at + gap, Tap { bounce: None, ..tap }));
        let (channel, note, velocity) = (self.channel, tap.note, tap.velocity);
        Sent { input: self.input, at, message: Message::NoteOn { channel, note, velocity } }
    }

    /// The release or second press that is due. `taps` says that a tap is due too, for
    /// which the key must come up first.
    pub fn due(&mut self, at: Nanos, taps: bool) -> Option<Sent> {
        let presses = taps || self.bounce.is_some_and(|(bounce, _)| bounce <= at);
        if self.release.is_some_and(|release| presses || release <= at) {
            return Some(self.release(at));
        }
        let (_, tap) = self.bounce.take_if(|(bounce, _)| *bounce <= at)?;
        Some(self.press(tap, at))
    }

    fn release(&mut self, at: Nanos) -> Sent {
        self.release = None;
        let (channel, note) = (self.channel, self.held);
        let velocity = U7::clamped(RELEASE_VELOCITY);
        Sent { input: self.input, at, message: Message::NoteOff { channel, note, velocity } }
    }
}

//! [`Messages`]: a performer that sends a list of messages, and the messages to put into it.

use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{Heard, Performer, Sent};

/// Sends a list of messages, whatever it hears.
pub struct Messages {
    sent: Vec<Sent>,
    place: usize,
}

impl Messages {
    /// These messages, in ascending order of time.
    pub fn new(sent: Vec<Sent>) -> Messages {
        Messages { sent, place: 0 }
    }
}

impl Performer for Messages {
    fn hear(&mut self, _: Heard) {}

    fn next(&self) -> Option<Nanos> {
        self.sent.get(self.place).map(|sent| sent.at)
    }

    fn send(&mut self) -> Option<Sent> {
        let sent = self.sent.get(self.place).copied()?;
        self.place += 1;
        Some(sent)
    }
}

/// A controller message.
pub fn control(at_ms: i64, channel: u8, controller: u8, value: u8) -> Sent {
    let (controller, value) = (U7::from_byte(controller), U7::from_byte(value));
    let channel = Channel::new(channel).unwrap();
    let message = Message::Control { channel, controller, value };
    Sent { input: 0, at: Nanos::from_millis(at_ms), message }
}

/// A note-on with this velocity, as it comes; velocity 0 is a release.
pub fn note_on(at_ms: i64, note: u8, velocity: u8) -> Sent {
    let (note, velocity) = (U7::from_byte(note), U7::from_byte(velocity));
    let message = Message::NoteOn { channel: Channel::ONE, note, velocity };
    Sent { input: 0, at: Nanos::from_millis(at_ms), message }
}

/// A note-off.
pub fn note_off(at_ms: i64, note: u8) -> Sent {
    let (note, velocity) = (U7::from_byte(note), U7::from_byte(64));
    let message = Message::NoteOff { channel: Channel::ONE, note, velocity };
    Sent { input: 0, at: Nanos::from_millis(at_ms), message }
}

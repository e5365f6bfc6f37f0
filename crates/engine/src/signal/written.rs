//! What became of a message that was sent: at once ([`Written`]), and what a port learns
//! of it later ([`PortReport`]).

use crate::action::{Action, OutsideChange};
use chronotap_core::time::Nanos;

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The bytes were handed over; the runner stamps the time of the return.
    Now,
    /// The port placed them at a frame itself.
    At(Played),
}

/// When an audio server or a sound card plays a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Time of the frame; of a sound, when it is at the converter.
    pub at: Nanos,
    /// Of a sound, the first frame that holds it, as the card numbers them.
    pub frame: Option<u64>,
}

impl From<Nanos> for Played {
    /// Something that is no sound, played at this time.
    fn from(at: Nanos) -> Played {
        Played { at, frame: None }
    }
}

/// What a port learned besides its input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PortReport {
    /// The audio server, or one of its clients, missed a period; when it said so.
    Xrun(Nanos),
    /// Something changed at the audio server or sequencer; when it was noticed.
    Changed(Nanos, OutsideChange),
    /// Nothing is connected with an input any more (its index) that was: as if it were unplugged.
    Unlinked(u16, Nanos),
    /// Something is again.
    Linked(u16, Nanos),
    /// A message was not played when [`Written::At`] had said: this is when it was,
    /// or `None` where it never will be.
    Corrected(Action, Option<Played>),
}

//! [`Performer`]: who sits at the far end of a virtual wire. It hears what the
//! trial sounds and sends key presses. Simulated participants and scripted
//! performers (in `chronotap-config`) implement it.

use crate::action::ActionKind;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;

/// A message that reached the performer's ear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heard {
    /// When it was complete at the far end, since the start of the trial.
    pub at: Nanos,
    /// What it belongs to; a listener tells pacing from feedback by timbre.
    pub kind: ActionKind,
    /// Beat or tap number of the action.
    pub number: u32,
    /// Index of the trial's input whose tap a feedback tone answers, so that a hand tells its
    /// own feedback from another's; `None` of anything else, and of a tap long past.
    pub input: Option<u16>,
    /// Index of the trial's output on which it sounds: of two people each may hear another one.
    pub output: u16,
    /// What was sent; `None` of a silent beat, which is felt: as that of music somebody taps to.
    pub message: Option<Message>,
}

/// A message that the performer sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sent {
    /// Index of the trial's input.
    pub input: u16,
    /// When it leaves the performer, since the start of the trial.
    pub at: Nanos,
    /// What is sent.
    pub message: Message,
}

/// Hears and taps. Deterministic: the same seed and the same things heard give
/// the same taps. Never allocates, locks or panics once constructed, because in
/// real time it runs inside the real-time thread.
pub trait Performer: Send {
    /// Something was heard. Calls come in the order of `at`.
    fn hear(&mut self, heard: Heard);

    /// When the next message will be sent, as things stand. May change with
    /// every `hear`; never lies before what was already sent.
    fn next(&self) -> Option<Nanos>;

    /// Sends the message of [`Performer::next`].
    fn send(&mut self) -> Option<Sent>;
}

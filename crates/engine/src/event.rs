//! [`Event`]: what the engine is told.

use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;

/// Something that came in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Index of the trial's input.
    pub input: u16,
    /// When, since the start of the trial.
    pub stamp: Nanos,
    /// What; `None` where the input was closed or lost.
    pub message: Option<Message>,
}

//! [`LateControl`]: a controller or the like that a feedback channel sends on, while it waits
//! until it is due. Which channel sends on what, and when, is in `controls.rs`.

use crate::action::EventId;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;

/// The most that may wait.
pub(crate) const MOST_WAITING: usize = 1_024;

/// What a channel sends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Control {
    pub(crate) deadline: Nanos,
    pub(crate) output: u16,
    pub(crate) message: Message,
}

/// What is to be sent on later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateControl {
    pub(crate) control: Control,
    pub(crate) voice: u16,
    pub(crate) cause: EventId,
}

impl LateControl {
    /// When it is due.
    pub(crate) const fn due(&self) -> Nanos {
        self.control.deadline
    }
}

//! [`Driver`]: what a card needs of whatever drives it.

use crate::cards::error::CardError;
use crate::cards::shape::CardShape;

/// What drives a card. Dropping it stops the card and waits until no call is under way.
pub(crate) trait Driver: Send {
    /// How the card runs by now, which a server changes as it likes; what somebody has taken apart
    /// is joined again. Blocks; called between two trials.
    ///
    /// # Errors
    /// It cannot be joined again, or runs at another rate.
    fn ask_again(&mut self, shape: &CardShape) -> Result<CardShape, CardError> {
        Ok(shape.clone()) // a device is this program's own
    }
}

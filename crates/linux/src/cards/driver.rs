//! [`Driver`]: what a card needs of whatever drives it.

/// What drives a card. Dropping it stops the card and waits until no call is under way.
pub(crate) trait Driver: Send {}

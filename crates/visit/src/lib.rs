#![forbid(unsafe_code)]
//! A session under way: what is asked, shown and run on a rig, trial after trial.
//!
//! A [`Session`] is one session of one participant. What happens in it goes into the journal of its
//! steps, each on the disk before the next begins, so a session that was killed continues where it
//! was. [`simulate`](simulate::simulate) runs the sessions of a whole study in virtual time.
//!
//! This crate knows no screen: what asks and shows is a
//! [`Frontend`](chronotap_session::Frontend). What comes next, and what follows from the journals,
//! is in `chronotap-session`; trials are run by `chronotap-rig`.

mod calm;
mod running;
pub mod simulate;

#[cfg(test)]
mod corrected;

pub use running::{Equipment, Session, SessionError};

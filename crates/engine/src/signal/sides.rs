//! The sides that some ports have besides their messages: [`Music`], [`KeptKeys`], [`CardSide`]
//! and [`ServerSide`].
//!
//! Real-time contract: that of [`Port`](crate::signal::Port), but for [`ServerSide::ask_again`] and
//! [`CardSide`].

use crate::action::Action;
use crate::signal::{Callbacks, HeardSound, PortError, PortReport, Stage};

/// What goes on at the far end of a port without a message.
pub trait Music {
    /// A beat of a pacing stream does not sound (its action is no output): a port that plays
    /// its music lets it go on unheard.
    fn pass(&mut self, beat: &Action);

    /// A tap was taken, at this port or another (its action is no output): a port whose far
    /// end tells the feedback of its own taps from that of others' remembers it.
    fn tapped(&mut self, tap: &Action) {
        let _ = tap;
    }
}

/// Keys that a trial keeps from every other program.
pub trait KeptKeys {
    /// From now on its keys are kept from every other program, or are free again: a trial of which
    /// data are kept begins, after [`Port::start`](crate::signal::Port::start), or is over. Where
    /// they are kept otherwise, nothing happens.
    ///
    /// Real-time contract: no allocation; at most one system call, which does not block.
    fn keep_keys(&mut self, keep: bool);

    /// Whether whoever taps has asked for the end of the trial, by the way out that keys have
    /// while they are kept.
    fn asks_to_end(&self) -> bool;
}

/// The sound card behind a port.
pub trait CardSide {
    /// The calls of the card, for whoever keeps them; once. Called before the trial, from a thread
    /// of ordinary priority.
    fn take_calls(&mut self) -> Option<Box<dyn Callbacks>>;

    /// Where the recordings of a trial are handed to the card, for whoever begins trials; once.
    /// Called before the trial, from a thread of ordinary priority.
    fn take_stage(&mut self) -> Option<Box<dyn Stage>>;

    /// What is heard for this input, for whoever keeps that; once, where something is to be kept. Called
    /// before the trial, from a thread of ordinary priority.
    fn take_sound(&mut self, input: u16) -> Option<Box<dyn HeardSound>> {
        let _ = input;
        None
    }

    /// The same of the channel to which the card's output is looped, where it is.
    fn take_loop(&mut self, input: u16) -> Option<Box<dyn HeardSound>> {
        let _ = input;
        None
    }
}

/// Whoever serves a port: it links it, runs otherwise by and by, and tells of it.
pub trait ServerSide {
    /// Hands over what the port learned since the last call, oldest first.
    fn reports(&mut self, tell: &mut dyn FnMut(PortReport));

    /// Before each trial: asks again what was asked when it was opened, of a server that may run
    /// otherwise by now, and joins again what somebody has taken apart.
    /// [`Port::describe`](crate::signal::Port::describe) then says how it is. Blocks, for less than
    /// a second.
    ///
    /// # Errors
    /// [`PortError::Closed`] where nothing comes or goes by it any more.
    fn ask_again(&mut self) -> Result<(), PortError>;
}

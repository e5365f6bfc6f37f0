//! [`Port`]: the one interface between a runner and everything that carries
//! MIDI. A port may be an input, an output, or both ends of one device.
//!
//! What a port is besides stands in [`sides`](crate::signal::sides): most ports have no side, and
//! nothing of them.
//!
//! Real-time contract, for every method but [`Port::describe`], [`Port::take_force`] and [`Port::finish`]: called from
//! the real-time thread; never blocks, allocates, locks, logs or panics; bounded by the bytes at
//! hand.
//!
//! All times are nanoseconds since the start of the trial, in real time on CLOCK_MONOTONIC.

use crate::action::Action;
use crate::signal::sides::{CardSide, KeptKeys, Music, ServerSide};
use crate::signal::{Arrival, Description, FeltForce, PortCounts, PortError, Written};
use chronotap_core::time::Nanos;

/// A MIDI port, opened and ready.
pub trait Port: Send {
    /// A trial starts; `origin` is the raw CLOCK_MONOTONIC time that it counts
    /// from. Called before the first read of each trial. A port with kernel stamps needs
    /// it to convert them; a device without drops what came in until now.
    fn start(&mut self, origin: Nanos) {
        let _ = origin;
    }

    /// How to wait for input.
    fn readiness(&self) -> Readiness<'_>;

    /// Hands every message that has arrived by `now` to `arrived`, oldest first.
    /// A user-space stamp is `now`.
    ///
    /// # Errors
    /// [`PortError::Closed`] once the other end is gone, after everything that
    /// had arrived before was handed over.
    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError>;

    /// Sends the message of an output action (see [`Action::is_output`]).
    ///
    /// # Errors
    /// [`PortError::Full`] where the message was lost; [`PortError::Closed`].
    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError>;

    /// What the port is. Not called while a trial runs.
    fn describe(&self) -> Description {
        Description::default()
    }

    /// The trial is over: waits until what was written has been played, for at most
    /// half a second, so that [`ServerSide::reports`] can tell. Blocks.
    fn finish(&mut self) {}

    /// What the port counted: bytes and messages that were not usable.
    fn counts(&self) -> PortCounts {
        PortCounts::default()
    }

    /// Of a port at whose far end music goes on, or somebody hears.
    fn music(&mut self) -> Option<&mut dyn Music> {
        None
    }

    /// Of a port on whose keys somebody taps.
    fn keys(&mut self) -> Option<&mut dyn KeptKeys> {
        None
    }

    /// Of a port on a sound card.
    fn card(&mut self) -> Option<&mut dyn CardSide> {
        None
    }

    /// The force that a sensor feels at this input, for whoever keeps it; once. Called before the trial,
    /// from a thread of ordinary priority.
    fn take_force(&mut self, _input: u16) -> Option<Box<dyn FeltForce>> {
        None
    }

    /// Of a port that somebody else serves, links and takes apart.
    fn server(&mut self) -> Option<&mut dyn ServerSide> {
        None
    }
}

/// How the runner learns that a port has something to read.
#[derive(Clone, Copy, Debug)]
pub enum Readiness<'a> {
    /// Wait until this can be read.
    Descriptor(Descriptor<'a>),
    /// Nothing before this time (a virtual wire knows when its bytes are through).
    At(Nanos),
    /// Nothing to wait for.
    Never,
}

/// What a device is waited on by; systems without file descriptors have no such devices.
#[cfg(unix)]
pub type Descriptor<'a> = std::os::fd::BorrowedFd<'a>;
/// What a device is waited on by; systems without file descriptors have no such devices.
#[cfg(not(unix))]
pub type Descriptor<'a> = std::marker::PhantomData<&'a std::convert::Infallible>;

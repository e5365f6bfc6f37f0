//! [`Port`]: the one interface between a runner and everything that carries
//! MIDI. A port may be an input, an output, or both ends of one device.
//!
//! Real-time contract, for every method but [`Port::ask_again`], [`Port::describe`],
//! [`Port::take_calls`] and [`Port::finish`]: called from the real-time thread; never blocks, allocates, locks, logs
//! or panics; bounded by the bytes at hand.
//!
//! All times are nanoseconds since the start of the trial, in real time on CLOCK_MONOTONIC.

use crate::action::Action;
use crate::signal::{
    Arrival, Callbacks, Description, PortCounts, PortError, PortReport, Stage, Written,
};
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

    /// A beat of a pacing stream does not sound (its action is no output): a port that plays
    /// its music lets it go on unheard.
    fn pass(&mut self, beat: &Action) {
        let _ = beat;
    }

    /// A tap was taken, at this port or another (its action is no output): a port whose far
    /// end tells the feedback of its own taps from that of others' remembers it.
    fn tapped(&mut self, tap: &Action) {
        let _ = tap;
    }

    /// Hands over what the port learned since the last call, oldest first.
    fn told(&mut self, tell: &mut dyn FnMut(PortReport)) {
        let _ = tell;
    }

    /// From now on its keys are kept from every other program, or are free again: a trial of which
    /// data are kept begins, after [`Port::start`], or is over. A port without keys of its own, or
    /// whose keys are kept otherwise, does nothing.
    ///
    /// Real-time contract: no allocation; at most one system call, which does not block.
    fn keep_keys(&mut self, keep: bool) {
        let _ = keep;
    }

    /// Whether whoever taps has asked for the end of the trial, by the way out that keys have
    /// while they are kept.
    fn asks_to_end(&self) -> bool {
        false
    }

    /// Before each trial: asks again what was asked when it was opened, of a server that may run
    /// otherwise by now, and joins again what somebody has taken apart. [`Port::describe`] then says
    /// how it is. Blocks, for less than a second.
    ///
    /// # Errors
    /// [`PortError::Closed`] where nothing comes or goes by it any more.
    fn ask_again(&mut self) -> Result<(), PortError> {
        Ok(())
    }

    /// What the port is. Not called while a trial runs.
    fn describe(&self) -> Description {
        Description::default()
    }

    /// The calls of the sound card behind the port, for whoever keeps them; once. Called
    /// before the trial, from a thread of ordinary priority.
    fn take_calls(&mut self) -> Option<Box<dyn Callbacks>> {
        None
    }

    /// Where the recordings of a trial are handed to the card, for whoever begins trials; once.
    /// Called before the trial, from a thread of ordinary priority.
    fn take_stage(&mut self) -> Option<Box<dyn Stage>> {
        None
    }

    /// The trial is over: waits until what was written has been played, for at most
    /// half a second, so that [`Port::told`] can tell. Blocks.
    fn finish(&mut self) {}

    /// What the port counted: bytes and messages that were not usable.
    fn counts(&self) -> PortCounts {
        PortCounts::default()
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

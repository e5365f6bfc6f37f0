//! [`Arrival`]: a message that came in, with its [`Stamp`]: when, and who took the time.

use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;

/// A message that arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// Index of the trial's input that it belongs to.
    pub input: u16,
    /// When it arrived, since the start of the trial.
    pub at: Nanos,
    /// Where that stamp was taken.
    pub stamp: Stamp,
    /// What arrived.
    pub message: Message,
}

/// Where the stamp of an arrival was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// By the program, when it woke up and read the bytes.
    UserSpace,
    /// By the kernel's driver, when the bytes came in.
    Kernel,
    /// From the frame of an audio cycle.
    AudioFrame,
    /// By the device itself, whose clock was mapped to the trial's.
    Device,
    /// Computed: a virtual wire or a scripted performer in virtual time.
    Virtual,
}

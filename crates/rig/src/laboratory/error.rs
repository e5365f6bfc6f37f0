//! What can go wrong between a name on the command line and a trial that runs, and what to
//! do about it.

use crate::runner::real_time::RealTimeError;
use chronotap_data::record::RecordError;
use chronotap_linux::ports::{KeepKeysError, OpenPortError, SpecError};
use chronotap_simulate::{TapperError, WiresError};
use chronotap_trial::TooManyPorts;
use std::fmt;

/// Inputs or outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Input,
    Output,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Input => "input",
            Side::Output => "output",
        })
    }
}

/// Why the inputs and outputs of a trial could not be bound to ports.
#[derive(Debug, thiserror::Error)]
pub enum BindingError {
    /// The trial has no input or output of that name. Use one that it has.
    #[error("{side} {text}: the trial has no {side} `{name}`; it has: {has}")]
    Unknown {
        /// Whether it is an input or an output.
        side: Side,
        text: String,
        /// The name that is not there.
        name: String,
        /// Those that are.
        has: String,
    },
    /// There are several, and the name says not which. Say it.
    #[error("{side} {text}: which {side}? the trial has: {has}")]
    Which {
        /// Whether it is an input or an output.
        side: Side,
        text: String,
        /// Those that are there.
        has: String,
    },
    /// One name was bound to two ports. Leave one out.
    #[error("{side} {text}: {side} `{name}` is bound twice")]
    Twice {
        /// Whether it is an input or an output.
        side: Side,
        /// The second of them, as given.
        text: String,
        name: String,
    },
    /// A name has no port. Name one.
    #[error("{side} `{name}` has no port")]
    Unbound {
        /// Whether it is an input or an output.
        side: Side,
        name: String,
    },
    /// The port's name was not understood.
    #[error("{side} {text}: {source}")]
    Spec {
        /// Whether it is an input or an output.
        side: Side,
        text: String,
        source: SpecError,
    },
    /// The keys that are tapped on cannot be kept from other programs. Its own error says why.
    #[error("input: {0}")]
    KeepKeys(#[from] KeepKeysError),
}

/// Why a session could not be opened, or a trial not be run on it.
#[derive(Debug, thiserror::Error)]
pub enum RigError {
    /// Somebody is to tap at the far end of a wire, and no input is bound to one.
    #[error("a participant taps at the far end of a virtual wire, and no input is bound to one")]
    NoWire,
    /// A recording that a stream plays cannot be played. The error says why, and what to do.
    #[error(transparent)]
    Recording(Box<dyn std::error::Error + Send + Sync>),
    /// A looped wire that no input hears. Bind one to it.
    #[error("output wire:loop: nothing hears the loop")]
    UnheardLoop,
    /// A device has no virtual time. Run the trial in real time, or use a wire.
    #[error("{port}: a real port has no virtual time")]
    NeedsRealTime {
        /// As it was named.
        port: String,
    },
    /// A device could not be opened; its own error says why and what to do.
    #[error(transparent)]
    Device(#[from] OpenPortError),
    /// More ports than a trial takes.
    #[error(transparent)]
    TooMany(#[from] TooManyPorts),
    /// The trial names an input or output that the session was not opened with. Open the
    /// session with the names of all its trials.
    #[error("the trial has `{name}`, which this rig has no port for")]
    Unknown { name: String },
    /// The trial records system exclusive messages, and none can come by the port. Bind the input
    /// to a port of MIDI, or take `record_sysex` out.
    #[error("{place}input `{name}`: no system exclusive message can come by {port}")]
    NoSysex {
        /// File and line that ask for it, as in `trial.toml:3: `; empty where no file does.
        place: String,
        /// Its name in the trial.
        name: String,
        /// The port, as it was named.
        port: String,
    },
    /// Something is to happen at once at a tap, and the sensor tells of taps when they are over.
    #[error("{place}input `{name}`: {port} tells of a tap at its release, too late for {for_what}")]
    ToldLate {
        /// File and line of the input, as in `trial.toml:3: `; empty where no file has it.
        place: String,
        /// Its name in the trial.
        name: String,
        /// The port, as it was named.
        port: String,
        /// What is to happen.
        for_what: &'static str,
    },
    /// The trial aligns its outputs, and nobody says how late this one is. State it in the file.
    #[error("{place}output `{name}`: {port} states no latency, by which outputs are aligned")]
    NoLatency {
        /// File and line that ask for it, as in `trial.toml:3: `; empty where no file does.
        place: String,
        /// Its name in the trial.
        name: String,
        /// The port, as it was named.
        port: String,
    },
    /// The trial aligns its outputs, and one that plays a recording is not the slowest. Play it there.
    #[error("{place}output `{name}` would wait for a slower one, and a recording cannot wait")]
    RecordingWaits {
        /// File and line that ask for it, as in `trial.toml:3: `; empty where no file does.
        place: String,
        /// Its name in the trial.
        name: String,
    },
    /// The trial sends codes, and the port carries none. Bind the output to another one.
    #[error("output `{name}`: {port} carries no codes")]
    NoCodes {
        /// Its name in the trial.
        name: String,
        /// The port, as it was named.
        port: String,
    },
    /// The port carries codes alone, and the trial sends none there. Bind the output to another one.
    #[error("output `{name}`: {port} carries codes, and the trial sends none to this output")]
    CodesOnly {
        /// Its name in the trial.
        name: String,
        /// The port, as it was named.
        port: String,
    },
    /// A code that nobody could read at the port. Give the event another one.
    #[error("output `{name}`: the code {code} of {event} {} {port}", if *at_rest { "is what stands at rest on" } else { "has more bits than" })]
    UnfitCode {
        /// Its name in the trial.
        name: String,
        /// The port, as it was named.
        port: String,
        /// What the code stands for.
        event: String,
        code: u16,
        /// Whether the line looks like it at rest; else the code is too great.
        at_rest: bool,
    },
    /// A device was pulled out since the last trial. Plug it in and run the trial again.
    #[error("{side} `{name}`: {port} is gone")]
    Gone {
        /// Whether it is an input or an output.
        side: Side,
        /// Its name in the trial.
        name: String,
        /// The port, as it was named.
        port: String,
    },
    /// The performer cannot play this trial; its own error says why.
    #[error(transparent)]
    Tapper(#[from] TapperError),
    /// The thread that runs trials could not be had, or died.
    #[error(transparent)]
    RealTime(#[from] RealTimeError),
    /// The data could not be begun, or the writer was lost.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Ctrl-C could not be taken over.
    #[error("cannot take over Ctrl-C: {0}")]
    Interrupt(std::io::Error),
}

/// What wires refuse, a rig with wires refuses.
impl From<WiresError> for RigError {
    fn from(error: WiresError) -> RigError {
        match error {
            WiresError::NoWire => RigError::NoWire,
            WiresError::UnheardLoop => RigError::UnheardLoop,
            WiresError::TooMany(error) => RigError::TooMany(error),
            WiresError::Unknown { name } => RigError::Unknown { name },
            WiresError::Tapper(error) => RigError::Tapper(error),
        }
    }
}

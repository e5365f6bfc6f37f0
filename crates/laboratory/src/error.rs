//! What can go wrong between a name on the command line and a trial that runs, and what to
//! do about it.

use chronotap_ports::{KeepKeysError, OpenPortError, SpecError};
use chronotap_record::RecordError;
use chronotap_rehearsal::TooManyPorts;
use chronotap_runner::real_time::RealTimeError;

/// Why the inputs and outputs of a trial could not be bound to ports.
#[derive(Debug, thiserror::Error)]
pub enum BindingError {
    /// The trial has no input or output of that name. Use one that it has.
    #[error("{flag} {text}: the trial has no {what} `{name}`; it has: {has}")]
    Unknown {
        /// `--in` or `--out`.
        flag: &'static str,
        /// As given.
        text: String,
        /// `input` or `output`.
        what: &'static str,
        /// The name that is not there.
        name: String,
        /// Those that are.
        has: String,
    },
    /// There are several, and the name says not which. Say it.
    #[error("{flag} {text}: which {what}? write {flag} NAME={text}; the trial has: {has}")]
    Which {
        /// `--in` or `--out`.
        flag: &'static str,
        /// As given.
        text: String,
        /// `input` or `output`.
        what: &'static str,
        /// Those that are there.
        has: String,
    },
    /// One name was bound to two ports. Leave one out.
    #[error("{flag} {text}: {what} `{name}` is bound twice; leave one out")]
    Twice {
        /// `--in` or `--out`.
        flag: &'static str,
        /// The second of them, as given.
        text: String,
        /// `input` or `output`.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A name has no port. Name one.
    #[error(
        "{what} `{name}` has no port; add {flag} {name}=PORT (`chronotap ports` lists the ports)"
    )]
    Unbound {
        /// `--in` or `--out`.
        flag: &'static str,
        /// `input` or `output`.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// The port's name was not understood.
    #[error("{flag} {text}: {source}")]
    Spec {
        /// `--in` or `--out`.
        flag: &'static str,
        /// As given.
        text: String,
        /// Why.
        source: SpecError,
    },
    /// The keys that are tapped on cannot be kept from other programs. Its words say what to do.
    #[error("--in: {0}")]
    KeepKeys(#[from] KeepKeysError),
}

/// Why a session could not be opened, or a trial not be run on it.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Somebody is to tap at the far end of a wire, and no input is bound to one.
    #[error(
        "--simulate and --performer tap at the far end of a virtual wire, and no input is bound \
         to one; leave out --in and --out, or bind one with --in wire"
    )]
    NoWire,
    /// A recording that a stream plays cannot be played. The error says why, and what to do.
    #[error(transparent)]
    Recording(Box<dyn std::error::Error + Send + Sync>),
    /// A looped wire that no input hears. Bind one to it.
    #[error("--out wire:loop: nothing hears the loop; bind an input to it with --in wire:loop")]
    UnheardLoop,
    /// A device has no virtual time. Run the trial in real time, or use a wire.
    #[error("{port}: a real port has no virtual time; use `chronotap run`, or a wire")]
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
    #[error(
        "the trial has `{name}`, which this session has no port for; bind it when the session is opened"
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// The trial records system exclusive messages, and none can come by the port. Bind the input
    /// to a port of MIDI, or take `record_sysex` out.
    #[error(
        "{place}input `{name}`: no system exclusive message can come by {port}; bind it to an alsa:, seq, jack or \
         raw: port, or take `record_sysex` out of [input.{name}]"
    )]
    NoSysex {
        /// File and line that ask for it, as in `trial.toml:3: `; empty where no file does.
        place: String,
        /// Its name in the trial.
        name: String,
        /// The port, as it was named.
        port: String,
    },
    /// A device was pulled out since the last trial. Plug it in and run the trial again.
    #[error("{direction} `{name}`: {port} is gone; plug it in again, then go on")]
    Gone {
        /// `input` or `output`.
        direction: &'static str,
        /// Its name in the trial.
        name: String,
        /// The port, as it was named.
        port: String,
    },
    /// The performer cannot play this trial; its own error says why.
    #[error(transparent)]
    Tapper(#[from] crate::TapperError),
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

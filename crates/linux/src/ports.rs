//! MIDI in and out on Linux: ALSA devices and sequencer, JACK, keyboards, character devices;
//! tones of a sound card, which are played as MIDI is, and taps that one hears.
//!
//! Each is a [`Port`](chronotap_engine::signal::Port); a runner uses ports without knowing their kinds.
//! [`PortKinds`] is the table of all kinds, with a row ([`PortKind`]) for each: what its names look like
//! and mean, and how a port is opened, listed, and opened again. A [`Spec`] is a name that was
//! read with this table. The virtual wire itself is in `chronotap-simulate`, because it needs
//! no device.

mod alsa;
mod changed;
mod ear;
mod evdev;
mod incoming;
mod jack;
mod keys;
mod kind;
mod kinds;
mod line;
mod open;
mod outgoing;
mod permission;
mod raw;
mod refusals;
mod sensor;
mod sequencer;
mod spec;
mod stream;
mod tone;
mod uses;
mod wire;

pub use self::jack::{JackError, JackName, JackPort, jack_period};
pub use alsa::{
    AlsaError, AlsaName, AlsaNameError, AlsaPort, MidiCard, MidiHolder, MidiPort, PortAddress, Usb,
    midi_ports,
};
pub use ear::{EarError, EarName, EarNameError, EarPort};
pub use evdev::{EvdevError, EvdevName, EvdevNameError, EvdevPort, KeepKeysError, keep_keys};
pub use keys::{KeysError, KeysName, KeysPort};
pub use kind::{CodesOf, Listed, Misread, NameForm, PortKind, PortName};
pub use kinds::PortKinds;
pub use line::{LineCall, LineError, LineKind, LineName, LineNameError, LinePort};
pub use open::{AroundPath, NoStream, OpenError};
pub use permission::Permission;
pub use raw::{NoPath, RawName, RawPort};
pub use sensor::{SensorError, SensorName, SensorPort, SketchedPort};
pub use sequencer::{SequencerError, SequencerName, SequencerNameError, SequencerPort};
pub use spec::{Reopener, Spec, SpecError};
pub use tone::{ToneError, ToneName, ToneNameError, TonePort, free_bytes, tone_port};
pub use uses::{OpenPortError, Uses};
pub use wire::WireName;

/// In this crate's own tests an allocation in a thread of the audio server or sound card
/// ends the program.
#[cfg(test)]
fn guarded(work: impl FnOnce()) {
    assert_no_alloc::assert_no_alloc(work);
}

#[cfg(not(test))]
fn guarded(work: impl FnOnce()) {
    work();
}

//! What passes between an engine and the world: what arrives and when, what became of what
//! was sent, and the two interfaces through which it goes, [`Port`] with its [`sides`], and
//! [`Performer`].
//!
//! Nothing here opens, reads or writes anything; the ports of Linux are in
//! `chronotap-linux`, the virtual wire in `chronotap-simulate`.

mod arrival;
mod callbacks;
mod counts;
mod description;
mod felt_force;
mod heard_sound;
mod performer;
mod port;
mod port_error;
pub mod sides;
mod stage;
mod written;

pub use arrival::{Arrival, Stamp};
pub use callbacks::{Callback, Callbacks, RunningCard};
pub use counts::PortCounts;
pub use description::{
    AudioPeriod, Description, HearingEar, LowLatency, SensorFacts, SketchFacts, TimeCodeTrack,
};
pub use felt_force::FeltForce;
pub use heard_sound::{HeardPart, HeardSound, SoundKept};
pub use performer::{Heard, Performer, Sent};
pub use port::{Descriptor, Port, Readiness};
pub use port_error::PortError;
pub use sides::{CardSide, KeptKeys, Music, ServerSide};
pub use stage::{Stage, StagedSound};
pub use written::{Played, PortReport, Written};

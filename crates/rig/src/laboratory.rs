//! The laboratory: devices are opened once, any number of trials run on them, and sinks
//! are told.
//!
//! Names become ports ([`Bindings`]), somebody taps ([`chronotap_simulate::Tapper`]), and a [`Rig`] runs
//! trials on them in real time, or in virtual time where all ports are virtual wires. Each
//! trial tells [`Sinks`] what happens while it runs, leaves its data and comes back as a
//! [`FinishedTrial`]. The command, the timing tests of ports and other languages are built on it;
//! nothing here prints.

mod bindings;
mod codes;
mod endpoint;
mod error;
mod foot;
mod head;
mod live;
mod machine_file;
mod real_clock;
mod rig;
mod sinks;

pub use bindings::{Bindings, PortNames, virtual_ear};
pub use error::{BindingError, RigError, Side};
pub use head::draw_seed;
pub use live::Live;
pub use machine_file::{DeviceNames, MachineFileError};
pub use real_clock::RealClock;
pub use rig::{FinishedTrial, KeepData, Rig, TrialRun};
pub use sinks::{
    FOLLOW_VERSION, FollowError, FollowLines, Listener, STANDARD as SINK_KINDS, SinkError,
    SinkKind, Sinks, lines_into,
};

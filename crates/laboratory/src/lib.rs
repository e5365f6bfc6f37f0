#![forbid(unsafe_code)]
//! The laboratory: devices are opened once, any number of trials run on them, and observers
//! may watch.
//!
//! Names become ports ([`Bindings`]), somebody taps ([`Tapper`]), and a [`Session`] runs
//! trials on them in real time, or in virtual time where all ports are virtual wires. Each
//! trial leaves its data and comes back as a [`Finished`]. The command, the timing tests of
//! ports and other languages are built on it; nothing here prints.

mod bindings;
mod error;
mod follow;
mod foot;
mod head;
mod live;
mod machine_file;
mod place;
mod session;
mod tapper;

pub use bindings::{Bindings, PortNames};
pub use error::{BindingError, SessionError};
pub use follow::{FOLLOW_VERSION, FollowError, Follower, follow, follow_line};
pub use head::draw_seed;
pub use live::Live;
pub use machine_file::{DeviceNames, MachineFileError};
pub use session::{Finished, Happened, Keep, Run, Session};
pub use tapper::{Tapper, TapperError};

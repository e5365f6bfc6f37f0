#![forbid(unsafe_code)]
//! The console: a session in a browser, on a page for the experimenter and one for the
//! participant.
//!
//! Two halves, in two processes. In the process of the session a [`PageFrontend`] is what asks
//! and shows: it keeps what happened and offers it on a Unix socket ([`PageSocket`]), to whoever
//! connects and as often as they like. In a process of its own the [`server`] makes pages of
//! that; it holds nothing of a session, so it may be killed and started again at any time.
//!
//! Nothing here is called by a real-time thread. Trials are seen through a sink, which
//! the writer thread feeds. Nothing here prints.

#[cfg(test)]
mod lines;
mod paths;
mod place;
mod request;
pub mod says;
mod scene;
pub mod server;
mod session_side;
mod shown;

pub use place::{RuntimeFolder, SocketFolderError, runtime_folder, session_socket};
pub use request::{Command, CommandRefusal, ConsoleRequest, Role};
pub use scene::{CheckedInput, ExpectedAnswer, Phase, Scene, SceneStep, Window};
pub use server::PROGRESS;
pub use session_side::{
    PageFrontend, PageSocket, PageSocketError, PageState, check_devices, follow_trials,
};
pub use shown::{Shown, ShownLine, TrialShown};

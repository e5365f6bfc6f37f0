//! The half of the console that lives in the session's process, on ordinary threads: a board
//! on which the session writes and from which it reads what pages ask for, and the socket.

mod board;
mod check;
mod desk;
mod door;
mod history;
mod nearest;
mod obey;
mod trials;

pub use board::Board;
pub use check::check_devices;
pub use desk::SocketDesk;
pub use door::{Door, DoorError};
pub use trials::follow_trials;

//! The half of the console that lives in the session's process, on ordinary threads: a page state
//! on which the session writes and from which it reads what pages ask for, and the socket.

mod check;
mod frontend;
mod history;
mod nearest;
mod obey;
mod page_socket;
mod page_state;
mod trials;

pub use check::check_devices;
pub use frontend::PageFrontend;
pub use page_socket::{PageSocket, PageSocketError};
pub use page_state::PageState;
pub use trials::follow_trials;

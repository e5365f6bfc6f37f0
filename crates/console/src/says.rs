//! What is said of the console's own errors: of its server, and of the sockets at which it meets
//! sessions. What is said of all others stands in `chronotap_words`. Here is also whether an error
//! is one of ports, which no page can name.

use crate::server::ServeError;
use crate::{CommandRefusal, PageSocketError, SocketFolderError};
use chronotap_rig::laboratory::{BindingError, MachineFileError, RigError};
use chronotap_words::{Says, Sentences, Surface, look_up, row, with};
use std::error::Error;

const ROWS: &[Sentences] = &[
    row::<PageSocketError>(),
    row::<SocketFolderError>(),
    row::<CommandRefusal>(),
    row::<ServeError>(),
];

/// What is said of an error that may be of any type: one without words states its condition.
pub fn of(error: &(dyn Error + 'static), surface: Surface) -> String {
    let own = || ROWS.iter().find_map(|row| row.says(error, surface));
    look_up(error, surface).or_else(own).unwrap_or_else(|| error.to_string())
}

/// For somebody who began a session from a page, where ports cannot be named.
pub const PORTS: &str = "Ports are named where chronotap console is started: end it there with Ctrl-C, and \
                         start it again with them. Without devices, let a simulated participant tap.";

/// Whether an error is one of ports as they were named.
pub fn names_ports(error: &(dyn Error + 'static)) -> bool {
    error.is::<BindingError>()
        || error.is::<MachineFileError>()
        || matches!(error.downcast_ref(), Some(RigError::NoWire | RigError::UnheardLoop))
}

impl Says for SocketFolderError {
    fn says(&self, _: Surface) -> String {
        no_place(self)
    }
}

/// Every surface says the same of the folders for sockets.
fn no_place(error: &SocketFolderError) -> String {
    match error {
        SocketFolderError::NotYours { .. } => with(error, "remove it, or set XDG_RUNTIME_DIR"),
        SocketFolderError::Long { .. } => with(error, "set XDG_RUNTIME_DIR to a shorter one"),
        SocketFolderError::System { .. } => error.to_string(),
        SocketFolderError::Nowhere { refused } => {
            let each: String = refused.iter().map(|one| format!("\n  {}", no_place(one))).collect();
            format!("no folder for the sockets of sessions can be used:{each}")
        }
    }
}

impl Says for ServeError {
    fn says(&self, surface: Surface) -> String {
        match self {
            ServeError::Port { .. } => with(self, "name another with --port"),
            ServeError::System(_) => self.to_string(),
            ServeError::Place(error) => error.says(surface),
        }
    }
}

impl Says for PageSocketError {
    fn says(&self, _: Surface) -> String {
        self.to_string()
    }
}

/// Told to pages alone.
impl Says for CommandRefusal {
    fn says(&self, _: Surface) -> String {
        match self {
            CommandRefusal::NotYours
            | CommandRefusal::Late
            | CommandRefusal::NotNow(_)
            | CommandRefusal::Answer { .. }
            | CommandRefusal::Unknown { .. }
            | CommandRefusal::Text => self.to_string(),
        }
    }
}

#[cfg(test)]
mod tests;

//! What is said of the console: its server, and the sockets at which it meets sessions.

use super::{Row, Says, row, with};
use chronotap_console::server::ServeError;
use chronotap_console::{PageSocketError, PlaceError, Refusal};

pub(super) const ROWS: &[Row] =
    &[row::<PageSocketError>(), row::<PlaceError>(), row::<Refusal>(), row::<ServeError>()];

impl Says for PlaceError {
    fn says(&self) -> String {
        match self {
            PlaceError::NotYours { .. } => with(self, "remove it, or set XDG_RUNTIME_DIR"),
            PlaceError::Long { .. } => with(self, "set XDG_RUNTIME_DIR to a shorter one"),
            PlaceError::System { .. } => self.to_string(),
            PlaceError::Nowhere { refused } => {
                let each: String =
                    refused.iter().map(|error| format!("\n  {}", error.says())).collect();
                format!("no folder for the sockets of sessions can be used:{each}")
            }
        }
    }
}

impl Says for ServeError {
    fn says(&self) -> String {
        match self {
            ServeError::Port { .. } => with(self, "name another with --port"),
            ServeError::System(_) => self.to_string(),
            ServeError::Place(error) => error.says(),
        }
    }
}

impl Says for PageSocketError {
    fn says(&self) -> String {
        self.to_string()
    }
}

/// Told to pages alone.
impl Says for Refusal {
    fn says(&self) -> String {
        match self {
            Refusal::NotYours
            | Refusal::Late
            | Refusal::NotNow(_)
            | Refusal::Answer { .. }
            | Refusal::Unknown { .. }
            | Refusal::Text => self.to_string(),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let path = || std::path::PathBuf::from("/run/user/1000/chronotap");
    let refused = || std::io::Error::from_raw_os_error(98);
    let places = [
        PlaceError::NotYours { path: path() },
        PlaceError::Long { path: path() },
        PlaceError::System { path: path(), source: refused() },
        PlaceError::Nowhere {
            refused: vec![PlaceError::NotYours { path: path() }, PlaceError::Long { path: path() }],
        },
    ];
    let servers = [
        ServeError::Port { port: 8080, source: refused() },
        ServeError::System(std::io::Error::from_raw_os_error(24)),
    ];
    let mut all: Vec<Box<dyn std::error::Error>> = Vec::new();
    places.into_iter().for_each(|error| all.push(Box::new(error)));
    servers.into_iter().for_each(|error| all.push(Box::new(error)));
    all
}

//! What is said of the console's own errors: of its server, and of the sockets at which it meets
//! sessions. What is said of all others stands in `chronotap_words`.

use crate::server::ServeError;
use crate::{PageSocketError, PlaceError, Refusal};
use chronotap_words::{Row, Says, look_up, row, with};
use std::error::Error;

const ROWS: &[Row] =
    &[row::<PageSocketError>(), row::<PlaceError>(), row::<Refusal>(), row::<ServeError>()];

/// What the terminal says of an error that may be of any type: one without words states its condition.
pub fn of(error: &(dyn Error + 'static)) -> String {
    let own = || ROWS.iter().find_map(|row| row.says(error));
    look_up(error).or_else(own).unwrap_or_else(|| error.to_string())
}

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
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_the_terminal_says_of_the_console_is_as_kept() {
        let said: String = examples().iter().map(|error| of(&**error) + "\n").collect();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/own.txt");
        chronotap_kept::assert_file(file, &said);
    }

    fn examples() -> Vec<Box<dyn std::error::Error>> {
        let path = || std::path::PathBuf::from("/run/user/1000/chronotap");
        let refused = || std::io::Error::from_raw_os_error(98);
        let places = [
            PlaceError::NotYours { path: path() },
            PlaceError::Long { path: path() },
            PlaceError::System { path: path(), source: refused() },
            PlaceError::Nowhere {
                refused: vec![
                    PlaceError::NotYours { path: path() },
                    PlaceError::Long { path: path() },
                ],
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
}

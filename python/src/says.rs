//! What Python says of an error. A library's error is a kind with its values; what a user of the
//! package does about it is said here, once for each kind, with the names of the arguments. Each table
//! is one `match` without a `_` arm, so that the compiler asks for the sentence of a new kind.

// By their paths, since python/tests/sentences.rs compiles this file a second time.
#[path = "says/alignment.rs"]
mod alignment;
#[cfg(target_os = "linux")]
#[path = "says/laboratory.rs"]
mod laboratory;
#[cfg(target_os = "linux")]
#[path = "says/ports.rs"]
mod ports;
#[path = "says/record.rs"]
mod record;
#[cfg(target_os = "linux")]
#[path = "says/session.rs"]
mod session;

use chronotap_design::{AssignError, PlanError, TrialError};
use std::error::Error;
use std::fmt::Display;

/// What Python says of a library's error.
pub trait Says: Error + 'static {
    /// The whole sentence: the condition, then what to do.
    fn says(&self) -> String;
}

/// Condition, then cure.
fn with(condition: &impl Display, cure: impl Display) -> String {
    format!("{condition}; {cure}")
}

impl Says for PlanError {
    fn says(&self) -> String {
        match self {
            PlanError::Session { sessions: 1, .. } => with(self, "give 1, or leave it out"),
            PlanError::Session { sessions, .. } => with(self, format!("give 1 to {sessions}")),
            PlanError::Order { .. } => with(self, "loosen the constraints"),
        }
    }
}

impl Says for AssignError {
    fn says(&self) -> String {
        match self {
            AssignError::Label(_) | AssignError::Factor { .. } | AssignError::Level { .. } => {
                self.to_string()
            }
        }
    }
}

impl Says for TrialError {
    fn says(&self) -> String {
        match self {
            TrialError::Missing { .. }
            | TrialError::Outside { .. }
            | TrialError::Key { .. }
            | TrialError::Trial(_) => self.to_string(),
        }
    }
}

//! [`LineError`]: why a line of codes could not be opened.

use super::LineName;
use crate::ports::Permission;
use rustix::io::Errno;

/// Why a line of codes or pulses could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// Nothing stands at the path.
    #[error("{port} does not exist")]
    Missing { port: String },
    /// The user may not open it.
    #[error("{port}: permission denied")]
    Denied {
        port: String,
        /// Who may.
        permission: Permission,
    },
    /// Another program has it.
    #[error("{port} is in use by another program")]
    Busy { port: String },
    /// What stands at the path is none.
    #[error("{port} is not a {kind} port")]
    AnotherKind {
        port: String,
        /// What it was to be.
        kind: super::LineKind,
    },
    /// The device is there and not usable.
    #[error("{port}: {call}: {errno}")]
    System {
        port: String,
        /// What failed.
        call: LineCall,
        /// What the system answered.
        errno: Errno,
    },
}

/// What is asked of the system for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineCall {
    Open,
    /// The settings of a serial line.
    Settings,
    /// That the device is ours alone.
    Claim,
    Write,
    /// The process that puts the line at rest where this one dies.
    Keeper,
    /// The thread that waits for pulses.
    Watch,
}

impl std::fmt::Display for LineCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LineCall::Open => "open",
            LineCall::Settings => "set up the line",
            LineCall::Claim => "claim the port",
            LineCall::Write => "put the line at rest",
            LineCall::Keeper => "start the keeper of the line",
            LineCall::Watch => "wait for pulses",
        })
    }
}

impl LineError {
    pub(super) fn system(name: &LineName, call: LineCall, errno: Errno) -> LineError {
        let port = name.to_string();
        match (call, errno) {
            (LineCall::Open, Errno::NOENT | Errno::NOTDIR) => LineError::Missing { port },
            (LineCall::Open, Errno::ACCESS | Errno::PERM) => {
                LineError::Denied { port, permission: Permission::of(&name.path) }
            }
            (LineCall::Open | LineCall::Claim, Errno::BUSY) => LineError::Busy { port },
            (
                LineCall::Settings | LineCall::Claim | LineCall::Watch,
                Errno::NOTTY | Errno::INVAL | Errno::NOSYS,
            ) => LineError::AnotherKind { port, kind: name.kind },
            _ => LineError::System { port, call, errno },
        }
    }
}

//! Programs that outlive the server: `setsid --fork` makes them children of nobody here.

use std::io;
use tokio::process::Command;

/// What such a program is started by; the program and its arguments follow.
pub(super) fn apart() -> Command {
    let mut command = Command::new("setsid");
    command.arg("--fork");
    command
}

/// What is said where that is not on this computer.
pub(super) fn lacks_setsid(error: io::Error) -> String {
    format!("setsid: {error}; install util-linux")
}

//! [`Interrupts`]: which devices share a line, where lines are served, and the
//! threads that serve them.

use serde::{Deserialize, Serialize};

/// Interrupt lines and their threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Interrupts {
    /// Lines with a device on them.
    pub lines: Option<Vec<InterruptLine>>,
    /// Threads that serve lines.
    pub threads: Option<Vec<InterruptThread>>,
    /// Whether `threadirqs` stands on the command line.
    pub forced_threads: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InterruptLine {
    pub number: u32,
    /// The drivers on it.
    pub actions: Vec<String>,
    /// The processors that serve it now, as 0-3.
    pub served_by: Option<String>,
}

/// A thread that serves a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InterruptThread {
    /// irq/NUMBER-NAME.
    pub name: String,
    /// Its process.
    pub pid: u32,
    /// 1 to 99.
    pub priority: u32,
}

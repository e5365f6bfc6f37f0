//! [`Interrupts`]: which devices share a line, where lines are served, and the
//! threads that serve them.

use super::kernel::parameter;
use super::processes::{Process, processes};
use crate::machine::Root;
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

impl Interrupts {
    pub(super) fn read(root: &Root, command_line: Option<&str>) -> Interrupts {
        Interrupts {
            lines: lines(root),
            threads: processes(root).map(threads),
            forced_threads: command_line.map(|line| parameter(line, "threadirqs").is_some()),
        }
    }
}

fn lines(root: &Root) -> Option<Vec<InterruptLine>> {
    const PLACE: &str = "/sys/kernel/irq";
    let line = |(number, name): (u32, String)| {
        let actions = root.line(&format!("{PLACE}/{name}/actions"))?;
        Some(InterruptLine {
            number,
            actions: actions.split(',').map(|action| action.trim().to_owned()).collect(),
            served_by: root.line(&format!("/proc/irq/{name}/effective_affinity_list")),
        })
    };
    Some(root.numbered(PLACE, "")?.into_iter().filter_map(line).collect())
}

fn threads(all: Vec<Process>) -> Vec<InterruptThread> {
    let serving = all.into_iter().filter(|process| process.name.starts_with("irq/"));
    serving
        .map(|Process { name, pid, priority, .. }| InterruptThread { name, pid, priority })
        .collect()
}

//! [`Interrupts`]: which devices share a line, where lines are served, and the
//! threads that serve them.

use super::processes::{Process, processes};
use crate::machine::Root;
use chronotap_machine::facts::{InterruptLine, InterruptThread, Interrupts, parameter};

pub(super) fn read(root: &Root, command_line: Option<&str>) -> Interrupts {
    Interrupts {
        lines: lines(root),
        threads: processes(root).map(threads),
        forced_threads: command_line.map(|line| parameter(line, "threadirqs").is_some()),
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

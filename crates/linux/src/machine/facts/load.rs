//! [`MachineLoad`]: what else runs on this machine.

use super::processes::{Process, processes};
use crate::clocks::{MonotonicClock, sleep_until};
use crate::machine::Root;
use chronotap_core::time::Nanos;
use chronotap_machine::facts::{Busy, MachineLoad, Pressure};

/// How long processor use is watched; a clock tick of accounting is 10 ms.
const WATCHED: Nanos = Nanos::from_millis(250);

const TICKS_PER_SECOND: f64 = 100.0;

pub(super) fn read(root: &Root) -> MachineLoad {
    let before = processes(root);
    MachineLoad {
        average: load_average(root),
        pressure: Pressure {
            cpu_percent: pressure(root, "cpu"),
            io_percent: pressure(root, "io"),
            memory_percent: pressure(root, "memory"),
        },
        processes: before.as_ref().map(Vec::len),
        busiest: before.filter(|_| root.is_system()).map(|before| watch(root, &before)),
    }
}

/// Over 1, 5 and 15 minutes.
pub(in crate::machine) fn load_average(root: &Root) -> Option<[f64; 3]> {
    average(&root.line("/proc/loadavg")?)
}

fn average(line: &str) -> Option<[f64; 3]> {
    let mut numbers = line.split(' ').map_while(|n| n.parse().ok());
    Some([numbers.next()?, numbers.next()?, numbers.next()?])
}

/// The first line is `some avg10=0.12 avg60=...`.
fn pressure(root: &Root, of: &str) -> Option<f64> {
    let line = root.line(&format!("/proc/pressure/{of}"))?;
    line.split_whitespace().find_map(|word| word.strip_prefix("avg10=")?.parse().ok())
}

fn watch(root: &Root, before: &[Process]) -> Vec<Busy> {
    let begin = MonotonicClock::raw();
    sleep_until(begin + WATCHED);
    let after = processes(root).unwrap_or_default();
    busiest(before, &after, MonotonicClock::raw() - begin, std::process::id())
}

fn busiest(before: &[Process], after: &[Process], span: Nanos, own: u32) -> Vec<Busy> {
    let used = |now: &Process| {
        let then = before.iter().find(|then| then.pid == now.pid)?;
        let seconds = now.ticks.saturating_sub(then.ticks) as f64 / TICKS_PER_SECOND;
        let percent = (seconds / span.as_secs_f64() * 100.0).round();
        Some(Busy { pid: now.pid, name: now.name.clone(), percent })
    };
    let mut busy: Vec<Busy> = after.iter().filter(|p| p.pid != own).filter_map(used).collect();
    busy.retain(|busy| busy.percent > 1.0);
    busy.sort_by(|a, b| b.percent.total_cmp(&a.percent));
    busy.truncate(5);
    busy
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, ticks: u64) -> Process {
        Process { pid, name: format!("p{pid}"), ticks, priority: 0, policy: 0 }
    }

    #[test]
    fn the_busiest_come_first_and_this_program_not_at_all() {
        let before: Vec<Process> = (1..=9).map(|pid| process(pid, 100)).collect();
        let after: Vec<Process> = (1..=9).map(|pid| process(pid, 100 + u64::from(pid))).collect();
        let found = busiest(&before, &after, Nanos::from_millis(100), 9);
        assert_eq!(found.iter().map(|busy| busy.pid).collect::<Vec<_>>(), [8, 7, 6, 5, 4]);
        assert_eq!(found[0].percent, 80.0);
        assert!(busiest(&before, &before, Nanos::from_millis(100), 0).is_empty());
    }

    #[test]
    fn averages_are_three_numbers() {
        assert_eq!(average("0.10 0.20 0.30 1/93 1200"), Some([0.1, 0.2, 0.3]));
        assert_eq!(average("0.10 x"), None);
    }
}

//! [`Counters`]: what the kernel counts for each core and each measuring thread,
//! read from the text of its files in /proc.
//!
//! Interrupts by device, softirqs by kind, the time the host took, and for a thread
//! how often the core was taken from it and how long it waited for one. What a kernel
//! does not tell is left out. The parsers take text, so that any machine's can be
//! tried; the cost of looking is the kernel's, some 0.1 ms for a look on a small
//! machine, paid by the thread that looks and never by one that measures.

use chronotap_core::time::Nanos;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::read_to_string;

/// Something that happens on a core.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoreEvent {
    /// The host ran something else in the core's place; in nanoseconds, which most
    /// kernels count in steps of 10 ms.
    Stolen,
    /// The measuring thread could run and was kept waiting; in nanoseconds.
    Waited,
    /// The core was taken from the measuring thread.
    Preempted,
    /// An interrupt, by its device or kind.
    Interrupt(String),
    /// A softirq, by its kind.
    Softirq(String),
}

impl CoreEvent {
    /// An amount of it in words.
    pub fn amount(&self, amount: u64) -> String {
        match self {
            CoreEvent::Stolen | CoreEvent::Waited => {
                format!("{:.3} ms", Nanos(amount as i64).as_millis_f64())
            }
            _ => format!("{amount} times"),
        }
    }
}

impl fmt::Display for CoreEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreEvent::Stolen => f.write_str("taken from the core by the host"),
            CoreEvent::Waited => f.write_str("the thread could run and waited for the core"),
            CoreEvent::Preempted => f.write_str("the core was taken from the thread"),
            CoreEvent::Interrupt(name) => write!(f, "interrupt {name}"),
            CoreEvent::Softirq(name) => write!(f, "softirq {name}"),
        }
    }
}

/// Counts by core and event.
pub type Counters = BTreeMap<(usize, CoreEvent), u64>;

/// Reads all that the kernel tells now. `threads` are core and /proc name
/// (`PID/task/TID`) of those that measure.
pub fn look(threads: &[(usize, String)]) -> Counters {
    let mut counters = Counters::new();
    let file = |path: &str| read_to_string(path).unwrap_or_default();
    table(&file("/proc/interrupts"), interrupt, &mut counters);
    table(&file("/proc/softirqs"), softirq, &mut counters);
    steal(&file("/proc/stat"), &mut counters);
    for (core, name) in threads {
        let of = |what: &str| file(&format!("/proc/{name}/{what}"));
        thread(*core, &of("status"), &of("schedstat"), &mut counters);
    }
    counters
}

/// A table whose first line names the cores and whose others hold `label: counts
/// description`.
fn table(text: &str, event: fn(&str, &str) -> Option<CoreEvent>, into: &mut Counters) {
    let mut lines = text.lines();
    let core = |word: &str| word.strip_prefix("CPU").and_then(|number| number.parse().ok());
    let cores: Vec<usize> =
        lines.next().unwrap_or("").split_whitespace().filter_map(core).collect();
    for line in lines {
        let Some((label, rest)) = line.split_once(':') else { continue };
        let counts: Vec<u64> =
            rest.split_whitespace().map_while(|word| word.parse().ok()).take(cores.len()).collect();
        if counts.len() < cores.len() {
            continue; // ERR and MIS count for the whole machine
        }
        let words: Vec<&str> = rest.split_whitespace().skip(cores.len()).collect();
        let Some(event) = event(label.trim(), &words.join(" ")) else { continue };
        for (core, count) in cores.iter().zip(counts) {
            *into.entry((*core, event.clone())).or_default() += count;
        }
    }
}

/// Numbered ones have the device as their last word, the others a description.
fn interrupt(label: &str, description: &str) -> Option<CoreEvent> {
    let numbered = label.parse::<u32>().is_ok();
    let device = description.split(' ').next_back().filter(|_| numbered);
    let name = device.unwrap_or(description);
    Some(CoreEvent::Interrupt(if name.is_empty() { label.to_owned() } else { name.to_owned() }))
}

fn softirq(label: &str, _: &str) -> Option<CoreEvent> {
    Some(CoreEvent::Softirq(label.to_owned()))
}

/// Lines `cpuN user nice system idle iowait irq softirq steal …`, in ticks of 10 ms.
fn steal(stat: &str, into: &mut Counters) {
    for line in stat.lines() {
        let mut words = line.split_whitespace();
        let core = words.next().and_then(|word| word.strip_prefix("cpu")?.parse().ok());
        let ticks: Option<u64> = words.nth(7).and_then(|word| word.parse().ok());
        if let (Some(core), Some(ticks)) = (core, ticks) {
            into.insert((core, CoreEvent::Stolen), ticks.saturating_mul(10_000_000));
        }
    }
}

/// schedstat: nanoseconds run, nanoseconds waited, turns.
fn thread(core: usize, status: &str, schedstat: &str, into: &mut Counters) {
    let preempted =
        status.lines().find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"));
    let waited = schedstat.split_whitespace().nth(1);
    for (event, word) in [(CoreEvent::Preempted, preempted), (CoreEvent::Waited, waited)] {
        if let Some(count) = word.and_then(|word| word.trim().parse().ok()) {
            into.insert((core, event), count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERRUPTS: &str = "           CPU0       CPU2
 24:          1          7  IO-APIC   5-edge      ACPI:Ged
 36:          0     119518 PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0
LOC:     388695     391047   Local timer interrupts
ERR:          0
";

    #[test]
    fn interrupts_are_told_by_core_and_device() {
        let mut counters = Counters::new();
        table(INTERRUPTS, interrupt, &mut counters);
        let count =
            |core, name: &str| counters.get(&(core, CoreEvent::Interrupt(name.into()))).copied();
        assert_eq!(count(2, "virtio1-req.0"), Some(119_518));
        assert_eq!(count(0, "Local timer interrupts"), Some(388_695));
        assert_eq!(count(2, "ACPI:Ged"), Some(7));
        assert_eq!((counters.len(), count(1, "ACPI:Ged")), (6, None));
    }

    #[test]
    fn stolen_time_and_a_threads_counts_are_in_nanoseconds_and_times() {
        let mut counters = Counters::new();
        steal("cpu  1 2 3 4 5 6 7 183 0 0\ncpu1 1 2 3 4 5 6 7 94 0 0\nintr 5", &mut counters);
        thread(1, "Name:\tx\nnonvoluntary_ctxt_switches:\t3\n", "9 2513471 1\n", &mut counters);
        let counts: Vec<u64> = counters.values().copied().collect();
        assert_eq!(counts, [940_000_000, 2_513_471, 3]);
    }

    #[test]
    fn damaged_text_counts_nothing_and_harms_nothing() {
        let mut counters = Counters::new();
        for text in ["", "CPU", "CPU0 CPU1\n 1:\n:\nx: 1 2", "CPU99999999999999999999\n1: 1"] {
            table(text, interrupt, &mut counters);
            steal(text, &mut counters);
            thread(0, text, text, &mut counters);
        }
        assert!(counters.len() <= 3, "{counters:?}");
    }

    #[test]
    fn this_machine_can_be_looked_at() {
        let counters = look(&[(0, "self".into())]);
        assert!(counters.keys().any(|(_, event)| matches!(event, CoreEvent::Preempted)));
    }
}

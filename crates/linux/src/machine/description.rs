//! [`describe`]: the machine as it was when the trial ran, for the head of the data
//! file: a dozen lines, where [`Facts`](crate::machine::Facts) are all that the checks need.
//! Everything is read from /proc and /sys; what is not there is left out.

use crate::clocks::{Discipline, discipline};
use crate::machine::Root;
use crate::machine::facts::{load_average, process_names};
use rustix::system::uname;
use serde::{Deserialize, Serialize};

/// A machine, as far as it matters for timing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineDescription {
    /// Version of the program that looked.
    pub program: String,
    /// Kernel release, as from `uname -r`.
    pub kernel_release: String,
    /// Kernel version, as from `uname -v`.
    pub kernel_version: String,
    /// Preemption of the kernel: PREEMPT_RT, PREEMPT_DYNAMIC, ...
    pub preemption: String,
    /// Processor architecture, as from `uname -m`.
    pub architecture: String,
    /// Model of the processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Processors in use by the system.
    pub cores: usize,
    /// The kernel's clock source; `tsc` and the ARM timer are read in nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_source: Option<String>,
    /// Smallest step of timers in nanoseconds; 1 with high-resolution timers.
    pub timer_resolution_ns: i64,
    /// What tells that this is a guest of another system; its host may stall it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtualisation: Option<String>,
    /// Frequency governor of the first processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Load averages over 1, 5 and 15 minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_average: Option<[f64; 3]>,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// Real-time throttling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttling: Option<Throttling>,
    /// Whether the wall clock is kept right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_clock: Option<WallClock>,
}

/// How well CLOCK_REALTIME is kept, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallClock {
    /// As the kernel was told.
    #[serde(flatten)]
    pub discipline: Discipline,
    /// Programs that run and are made for that; several may keep each other company, as `ptp4l` and `phc2sys` do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
}

/// Programs that keep wall clocks, by the names that the kernel has for them: 15 letters at most.
const KEEPERS: [&str; 6] = ["chronyd", "ntpd", "systemd-timesyn", "ptp4l", "phc2sys", "timemaster"];

/// What real-time threads of a processor may run in a period, by the kernel's
/// settings. From Linux 6.12 on it binds only kernels with RT_GROUP_SCHED.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throttling {
    /// Microseconds they may run; -1 is without limit.
    pub runtime_us: i64,
    /// Microseconds of the period.
    pub period_us: i64,
}

/// What of a [`MachineDescription`] the kernel, a daemon or a person changes while the computer runs, each
/// under the same name: it is asked again before each trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Passing {
    /// See [`MachineDescription::clock_source`]: the kernel leaves a counter that it finds unstable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_source: Option<String>,
    /// See [`MachineDescription::governor`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// See [`MachineDescription::load_average`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_average: Option<[f64; 3]>,
    /// See [`MachineDescription::throttling`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttling: Option<Throttling>,
}

impl Passing {
    /// As it is now: some small files, read in a fraction of a millisecond.
    pub fn now() -> Passing {
        let root = Root::system();
        Passing {
            clock_source: root.line(CLOCK_SOURCE),
            governor: root.line(GOVERNOR),
            load_average: load_average(&root),
            throttling: throttling(),
        }
    }
}

const CLOCK_SOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
const GOVERNOR: &str = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";

/// Describes this machine. `program` is the version to write down with it. Where the wall clock is stated,
/// what changes from moment to moment is left out.
pub fn describe(program: &str) -> MachineDescription {
    let name = uname();
    let text = |text: &std::ffi::CStr| text.to_string_lossy().into_owned();
    let kernel_version = text(name.version());
    let root = Root::system();
    let cpuinfo = root.text("/proc/cpuinfo").unwrap_or_default();
    let stated = chronotap_core::time::is_wall_clock_stated();
    MachineDescription {
        program: program.to_owned(),
        kernel_release: text(name.release()),
        preemption: preemption(&root, &kernel_version),
        kernel_version,
        architecture: text(name.machine()),
        cpu: field(&cpuinfo, "model name").or_else(|| root.line("/proc/device-tree/model")),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        clock_source: root.line(CLOCK_SOURCE),
        timer_resolution_ns: crate::clocks::timer_resolution().0,
        virtualisation: virtualisation(&root, &cpuinfo),
        governor: root.line(GOVERNOR),
        load_average: load_average(&root).filter(|_| !stated),
        memory_mib: memory_mib(&root),
        throttling: throttling(),
        wall_clock: discipline()
            .filter(|_| !stated)
            .map(|discipline| WallClock { discipline, by: keepers(&root) }),
    }
}

fn keepers(root: &Root) -> Vec<String> {
    let running = process_names(root);
    let runs = |keeper: &&str| running.iter().any(|name| name == keeper);
    KEEPERS.into_iter().filter(runs).map(str::to_owned).collect()
}

/// The kernel's settings for real-time throttling, where it has them.
pub fn throttling() -> Option<Throttling> {
    let root = Root::system();
    Some(Throttling {
        runtime_us: root.number("/proc/sys/kernel/sched_rt_runtime_us")?,
        period_us: root.number("/proc/sys/kernel/sched_rt_period_us")?,
    })
}

fn preemption(root: &Root, kernel_version: &str) -> String {
    let compiled = kernel_version.split(' ').find(|word| word.starts_with("PREEMPT"));
    match (compiled, root.chosen("/sys/kernel/debug/sched/preempt")) {
        (Some(compiled), Some(active)) => format!("{compiled}, {active}"),
        (Some(compiled), None) => compiled.to_owned(),
        (None, Some(active)) => active,
        (None, None) => "none or voluntary".to_owned(),
    }
}

fn virtualisation(root: &Root, cpuinfo: &str) -> Option<String> {
    let guest =
        cpuinfo.lines().any(|line| line.starts_with("flags") && line.contains(" hypervisor"));
    let vendor = root.line("/sys/class/dmi/id/sys_vendor");
    let product = root.line("/sys/class/dmi/id/product_name");
    let container = ["/.dockerenv", "/run/.containerenv"].iter().any(|path| root.exists(path));
    let mut hints = Vec::new();
    if guest {
        hints.push("the processor reports a hypervisor".to_owned());
        hints.extend(vendor.into_iter().chain(product));
    }
    if container {
        hints.push("inside a container".to_owned());
    }
    (!hints.is_empty()).then(|| hints.join(", "))
}

fn memory_mib(root: &Root) -> u64 {
    let text = root.text("/proc/meminfo").unwrap_or_default();
    let total = field(&text, "MemTotal").unwrap_or_default(); // "8145616 kB"
    total.split(' ').next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// The value of the first line `label : value`.
fn field(text: &str, label: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(label))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_described() {
        let machine = describe("0.1.0");
        assert!(machine.cores >= 1 && machine.memory_mib > 0 && machine.timer_resolution_ns >= 1);
        assert!(!machine.kernel_release.is_empty() && !machine.preemption.is_empty());
        assert_eq!(machine.program, "0.1.0");
    }

    #[test]
    fn a_description_is_written_down_and_read_again() {
        let machine = describe("0.1.0");
        let text = serde_json::to_string(&machine).unwrap();
        assert_eq!(serde_json::from_str::<MachineDescription>(&text).unwrap(), machine);
    }

    #[test]
    fn who_keeps_the_wall_clock_is_found_among_the_programs_that_run() {
        let dir = tempfile::tempdir().unwrap();
        for (pid, name) in [(7, "chronyd"), (8, "ntpd (x)"), (9, "phc2sys")] {
            let zeros = "0 ".repeat(49);
            std::fs::create_dir_all(dir.path().join(format!("proc/{pid}"))).unwrap();
            let stat = dir.path().join(format!("proc/{pid}/stat"));
            std::fs::write(stat, format!("{pid} ({name}) S {zeros}\n")).unwrap();
        }
        assert_eq!(keepers(&Root::at(dir.path())), ["chronyd", "phc2sys"]);
        assert!(keepers(&Root::at("/nowhere")).is_empty());
    }

    #[test]
    fn fields_of_proc_files_are_found() {
        assert_eq!(field("a: 1\nmodel name\t: X 5\n", "model name").as_deref(), Some("X 5"));
        assert_eq!(field("a: 1\n", "b"), None);
        assert!(preemption(&Root::system(), "#1 SMP PREEMPT_RT Debian").starts_with("PREEMPT_RT"));
    }
}

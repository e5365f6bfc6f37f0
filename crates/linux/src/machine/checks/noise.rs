//! Settings of the kernel behind small, rare disturbances: each interrupts every
//! processor now and then for microseconds. All can be changed while it runs.

use super::Topic::Noise as NOISE;
use crate::machine::Facts;
use crate::machine::finding::{Check, Judgement};
use crate::machine::step::MachineStep;

const SYSCTL: &str = "https://docs.kernel.org/admin-guide/sysctl/kernel.html";
const SYSCTL_VM: &str = "https://docs.kernel.org/admin-guide/sysctl/vm.html";
const HUGE_PAGES: &str = "https://docs.kernel.org/admin-guide/mm/transhuge.html";

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "nmi-watchdog",
        topic: NOISE,
        read: "kernel.nmi_watchdog",
        good: "0",
        source: SYSCTL,
        judge: |facts| {
            zero(
                facts,
                facts.noise.nmi_watchdog,
                "kernel/nmi_watchdog",
                "an interrupt that nothing can hold off looks for hung processors",
            )
        },
    },
    Check {
        name: "lockup-watchdog",
        topic: NOISE,
        read: "kernel.watchdog",
        good: "reported only; it finds a machine that hangs",
        source: SYSCTL,
        judge: |facts| match facts.noise.watchdog {
            None => Judgement::unread(facts, "the setting"),
            Some(0) => Judgement::ok("off"),
            Some(_) => Judgement::ok("on; a few microseconds every 4 s"),
        },
    },
    Check {
        name: "numa-balancing",
        topic: NOISE,
        read: "kernel.numa_balancing",
        good: "0",
        source: SYSCTL,
        judge: |facts| {
            zero(
                facts,
                facts.noise.numa_balancing,
                "kernel/numa_balancing",
                "pages are taken away to see who uses them, locked ones too",
            )
        },
    },
    Check {
        name: "timer-migration",
        topic: NOISE,
        read: "kernel.timer_migration",
        good: "0",
        source: SYSCTL,
        judge: |facts| {
            zero(
                facts,
                facts.noise.timer_migration,
                "kernel/timer_migration",
                "timers of idle processors are served by busy ones",
            )
        },
    },
    Check {
        name: "stat-interval",
        topic: NOISE,
        read: "vm.stat_interval",
        good: "10 s or more",
        source: SYSCTL_VM,
        judge: stat_interval,
    },
    Check {
        name: "transparent-huge-pages",
        topic: NOISE,
        read: "/sys/kernel/mm/transparent_hugepage/enabled",
        good: "madvise or never",
        source: HUGE_PAGES,
        judge: |facts| {
            huge_pages(
                facts,
                "enabled",
                facts.noise.huge_pages.as_deref(),
                "the kernel moves a program's memory to make large pages of it",
            )
        },
    },
    Check {
        name: "huge-page-defrag",
        topic: NOISE,
        read: "/sys/kernel/mm/transparent_hugepage/defrag",
        good: "anything but always",
        source: HUGE_PAGES,
        judge: |facts| {
            huge_pages(
                facts,
                "defrag",
                facts.noise.huge_pages_defrag.as_deref(),
                "an allocation waits while memory is moved",
            )
        },
    },
    Check {
        name: "page-merging",
        topic: NOISE,
        read: "/sys/kernel/mm/ksm/run",
        good: "0",
        source: "https://docs.kernel.org/admin-guide/mm/ksm.html",
        judge: page_merging,
    },
    Check {
        name: "compaction",
        topic: NOISE,
        read: "vm.compaction_proactiveness",
        good: "0",
        source: SYSCTL_VM,
        judge: |facts| {
            zero(
                facts,
                facts.noise.compaction_proactiveness,
                "vm/compaction_proactiveness",
                "memory is moved in the background, and all processors are interrupted for it",
            )
        },
    },
];

fn zero(facts: &Facts, found: Option<u32>, name: &str, why: &str) -> Judgement {
    match found {
        None => missing(facts),
        Some(0) => Judgement::ok("0"),
        Some(value) => Judgement::note(value.to_string(), why).steps(vec![MachineStep::write(
            format!("/proc/sys/{name}"),
            Some(&value.to_string()),
            "0",
        )]),
    }
}

/// A kernel that shows other settings and not this one does not have it.
fn missing(facts: &Facts) -> Judgement {
    match facts.noise == crate::machine::Noise::default() {
        true => Judgement::unread(facts, "the setting"),
        false => Judgement::ok("this kernel does not have it"),
    }
}

fn stat_interval(facts: &Facts) -> Judgement {
    match facts.noise.stat_interval_s {
        None => missing(facts),
        Some(s) if s >= 10 => Judgement::ok(format!("{s} s")),
        Some(s) => Judgement::note(
            format!("{s} s"),
            "so often every processor stops to count its memory pages",
        )
        .steps(vec![MachineStep::write(
            "/proc/sys/vm/stat_interval",
            Some(&s.to_string()),
            "10",
        )]),
    }
}

fn huge_pages(facts: &Facts, file: &str, found: Option<&str>, why: &str) -> Judgement {
    let path = format!("/sys/kernel/mm/transparent_hugepage/{file}");
    match found {
        None => missing(facts),
        Some("always") => Judgement::note("always", why).steps(vec![MachineStep::write(
            path,
            Some("always"),
            "madvise",
        )]),
        Some(word) => Judgement::ok(word),
    }
}

fn page_merging(facts: &Facts) -> Judgement {
    const PATH: &str = "/sys/kernel/mm/ksm/run";
    match facts.noise.page_merging {
        None => missing(facts),
        // 2 also undoes all merging; 0 stops it and leaves what was merged
        Some(1) => {
            Judgement::note("runs", "pages are compared and write-protected in the background")
                .steps(vec![MachineStep::write(PATH, Some("1"), "0")])
        }
        Some(_) => Judgement::ok("off"),
    }
}

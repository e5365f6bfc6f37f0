//! What the machine runs inside of: hypervisor, container, firmware.

use super::Topic::Host as HOST;
use crate::machine::Facts;
use crate::machine::finding::{Check, Judgement};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "virtual-machine",
        topic: HOST,
        read: "flags in /proc/cpuinfo; firmware's product name; the device tree",
        good: "none: results then describe this machine alone",
        source: "man 1 systemd-detect-virt",
        judge: virtual_machine,
    },
    Check {
        name: "container",
        topic: HOST,
        read: "/.dockerenv, /run/.containerenv, /run/systemd/container, /proc/1/cgroup",
        good: "none, or one with real-time rights",
        source: "man 1 systemd-detect-virt",
        judge: container,
    },
    Check {
        name: "steal",
        topic: HOST,
        read: "steal in /proc/stat, since the start",
        good: "0",
        source: "man 5 proc_stat",
        judge: steal,
    },
    Check {
        name: "system-management",
        topic: HOST,
        read: "whether perf can count msr/smi/",
        good: "no system-management interrupt during a measurement",
        source: "https://docs.kernel.org/trace/hwlat_detector.html",
        judge: system_management,
    },
];

fn virtual_machine(facts: &Facts) -> Judgement {
    let product = facts.host.product.as_deref().unwrap_or("a hypervisor");
    match facts.host.hypervisor {
        Some(false) => Judgement::ok("none"),
        Some(true) => Judgement::note(
            format!("a guest of {product}"),
            "the host may stop all of it for milliseconds at any moment; what is measured describes \
             host and guest together, and worst cases here say nothing of bare metal",
        )
        .advice("run experiments on bare metal"),
        None => Judgement::unread(facts, "whether there is a hypervisor"),
    }
}

fn container(facts: &Facts) -> Judgement {
    match facts.host.container.as_deref() {
        Some("wsl") => Judgement::note(
            "Windows Subsystem for Linux",
            "its kernel is Windows' guest and has no direct way to sound and MIDI devices",
        )
        .advice("run experiments on a Linux of its own"),
        Some(kind) => Judgement::note(
            kind,
            "rights and devices are what the container was given; kernel settings are the host's \
             and are judged as far as they show",
        ),
        None if facts.host.all_ticks.is_none() => Judgement::unread(facts, "it"),
        None => Judgement::ok("none"),
    }
}

fn steal(facts: &Facts) -> Judgement {
    const WHY: &str = "the host took processors away while they were needed";
    match facts.host.steal_percent() {
        None => Judgement::unread(facts, "/proc/stat"),
        Some(percent) if percent > 1.0 => {
            Judgement::bad(format!("{percent:.1} % of all time"), WHY)
                .advice("ask the host for processors of its own, or run on bare metal")
        }
        Some(percent) if percent > 0.0 => {
            Judgement::note(format!("{percent:.3} % of all time"), WHY)
        }
        Some(_) => Judgement::ok("none"),
    }
}

fn system_management(facts: &Facts) -> Judgement {
    let x86 = facts.kernel.architecture.as_deref().map(|name| name == "x86_64" || name == "i686");
    match (x86, facts.host.hypervisor, facts.host.smi_event) {
        (Some(false), ..) => Judgement::ok("this architecture has none"),
        (_, Some(true), _) => Judgement::not_here(facts, "the count"),
        (_, _, Some(true)) => Judgement::unknown(
            "not counted here",
            "the firmware may stop all processors for longer than a millisecond, unseen by the kernel",
        )
        .cure("sudo perf stat -a -e msr/smi/ sleep 60", "")
        .advice("counts for a minute; where it is not 0, switch USB legacy support off in the firmware"),
        _ => Judgement::not_here(facts, "the count"),
    }
}

//! Power and heat.

use super::Topic::Processors as PROCESSORS;
use crate::machine::finding::{Check, Judgement};
use crate::machine::step::MachineStep;
use crate::machine::{Facts, Supply};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "mains-power",
        topic: PROCESSORS,
        read: "/sys/class/power_supply/*/{type,online,status}",
        good: "on mains",
        source: "https://docs.kernel.org/power/power_supply_class.html",
        judge: mains_power,
    },
    Check {
        name: "platform-profile",
        topic: PROCESSORS,
        read: "/sys/firmware/acpi/platform_profile",
        good: "performance, or none",
        source: "https://docs.kernel.org/userspace-api/sysfs-platform_profile.html",
        judge: platform_profile,
    },
    Check {
        name: "heat",
        topic: PROCESSORS,
        read: "cpu*/thermal_throttle/*_throttle_count, since the start",
        good: "0, and unchanged by a measurement",
        source: "https://docs.kernel.org/admin-guide/thermal/index.html",
        judge: heat,
    },
];

fn mains_power(facts: &Facts) -> Judgement {
    let Some(all) = &facts.power.supplies else {
        return Judgement::unread(facts, "the power supply");
    };
    // those of mice and headsets have the scope Device
    let own: Vec<&Supply> = all.iter().filter(|s| s.scope.as_deref() != Some("Device")).collect();
    let is = |supply: &Supply, kind: &str| supply.kind.as_deref() == Some(kind);
    let batteries = || own.iter().filter(|supply| is(supply, "Battery"));
    if batteries().next().is_none() {
        return Judgement::ok("no battery");
    }
    let mains = own.iter().any(|supply| !is(supply, "Battery") && supply.online == Some(true));
    let draining = batteries().any(|supply| supply.status.as_deref() == Some("Discharging"));
    match (mains, draining) {
        (true, _) => Judgement::ok("on mains"),
        (false, true) => Judgement::bad(
            "on battery",
            "firmware and desktop slow the machine down on battery, each in its own way",
        )
        .advice("plug it in"),
        (false, false) => Judgement::unread(facts, "whether it is on mains"),
    }
}

fn platform_profile(facts: &Facts) -> Judgement {
    const FILE: &str = "/sys/firmware/acpi/platform_profile";
    match facts.power.platform_profile.as_deref() {
        None if facts.kernel.release.is_none() => Judgement::unread(facts, "the profile"),
        None => Judgement::ok("this firmware has none"),
        Some("performance") => Judgement::ok("performance"),
        Some(word) => Judgement::note(word, "the firmware holds frequencies down")
            .steps(vec![MachineStep::write(FILE, Some(word), "performance")]),
    }
}

fn heat(facts: &Facts) -> Judgement {
    match (facts.power.core_throttles, facts.power.package_throttles) {
        (None, None) => Judgement::not_here(facts, "the count"),
        (core, package) => match core.unwrap_or(0) + package.unwrap_or(0) {
            0 => Judgement::ok("never slowed for heat"),
            n => Judgement::note(
                format!("slowed for heat {n} times since the start"),
                "a hot processor is slowed down without warning",
            )
            .advice("better cooling; see whether the count grows during a measurement"),
        },
    }
}

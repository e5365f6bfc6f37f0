//! Processors: frequency, idle states, shared cores, isolation.

use super::Topic::Processors as PROCESSORS;
use super::access::with_udev_rule;
use super::boot::with_parameter;
use crate::machine::finding::{Check, Judgement};
use crate::machine::step::MachineStep;
use crate::machine::{Facts, FrequencyPolicy, cpu_list};

const PLACE: &str = "/sys/devices/system/cpu";

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "governor",
        topic: PROCESSORS,
        read: "cpufreq/policy*/{scaling_driver,scaling_governor}",
        good: "performance",
        source: "https://docs.kernel.org/admin-guide/pm/cpufreq.html",
        judge: governor,
    },
    Check {
        name: "energy-preference",
        topic: PROCESSORS,
        read: "cpufreq/policy*/energy_performance_preference",
        good: "performance, or none",
        source: "https://docs.kernel.org/admin-guide/pm/intel_pstate.html",
        judge: energy_preference,
    },
    Check {
        name: "idle-states",
        topic: PROCESSORS,
        read: "cpu*/cpuidle/state*/{name,latency,disable}; power/pm_qos_resume_latency_us",
        good: "deepest allowed takes 10 us or less, or can be held off",
        source: "https://docs.kernel.org/admin-guide/pm/cpuidle.html",
        judge: idle_states,
    },
    Check {
        name: "turbo",
        topic: PROCESSORS,
        read: "cpufreq/boost, intel_pstate/no_turbo",
        good: "reported only",
        source: "https://docs.kernel.org/admin-guide/pm/cpufreq.html",
        judge: turbo,
    },
    Check {
        name: "smt",
        topic: PROCESSORS,
        read: "smt/{active,control}",
        good: "reported; off only where spikes come with high load",
        source: "https://docs.kernel.org/admin-guide/kernel-parameters.html (nosmt)",
        judge: smt,
    },
    Check {
        name: "isolation",
        topic: PROCESSORS,
        read: "cpu/{isolated,nohz_full}; rcu_nocbs= and irqaffinity= at boot",
        good: "reported; only for the last microseconds",
        source: "https://docs.kernel.org/admin-guide/kernel-parameters.html (isolcpus=)",
        judge: isolation,
    },
];

fn governor(facts: &Facts) -> Judgement {
    const WHY: &str = "a processor that was slowed down while idle takes tens of microseconds longer \
                       for the first work after a wake-up";
    let policies = match facts.processors.frequency.as_deref() {
        None | Some([]) => return Judgement::not_here(facts, "how frequency is governed"),
        Some(policies) => policies,
    };
    let slow: Vec<&FrequencyPolicy> =
        policies.iter().filter(|p| p.governor.as_deref() != Some("performance")).collect();
    let words = distinct(policies.iter().filter_map(|policy| policy.governor.as_deref()));
    if slow.is_empty() {
        return Judgement::ok("performance");
    }
    let drivers = distinct(policies.iter().filter_map(|policy| policy.driver.as_deref()));
    let found = format!("{} ({})", words.join(", "), drivers.join(", "));
    // The governor of this name keeps the lowest frequency, but under drivers that
    // leave the choice to the hardware, which then moves freely.
    let adaptive = drivers.iter().any(|driver| driver.contains("pstate"));
    let lowest = words.contains(&"powersave") && !adaptive;
    let judgement = if lowest { Judgement::bad(found, WHY) } else { Judgement::note(found, WHY) };
    let offered = |policy: &&FrequencyPolicy| match &policy.available_governors {
        Some(all) => all.iter().any(|name| name == "performance"),
        None => true,
    };
    if !slow.iter().all(offered) {
        return judgement
            .cure("sudo modprobe cpufreq_performance", "sudo modprobe -r cpufreq_performance")
            .advice("then look again");
    }
    let step = |policy: &&FrequencyPolicy| {
        let path = format!("{PLACE}/cpufreq/{}/scaling_governor", policy.name);
        MachineStep::write(path, policy.governor.as_deref(), "performance")
    };
    let judgement = judgement.steps(slow.iter().map(step).collect());
    match words.len() {
        1 => judgement.pattern("/sys/devices/system/cpu/cpufreq/policy*/scaling_governor"),
        _ => judgement,
    }
}

fn energy_preference(facts: &Facts) -> Judgement {
    let policies = match facts.processors.frequency.as_deref() {
        None | Some([]) => return Judgement::not_here(facts, "the preference"),
        Some(policies) => policies,
    };
    let words = distinct(policies.iter().filter_map(|policy| policy.energy_preference.as_deref()));
    match words.as_slice() {
        [] => return Judgement::ok("this driver has none"),
        ["performance"] => return Judgement::ok("performance"),
        _ => {}
    }
    let step = |policy: &FrequencyPolicy| {
        let word = policy.energy_preference.as_deref().filter(|word| *word != "performance")?;
        let path = format!("{PLACE}/cpufreq/{}/energy_performance_preference", policy.name);
        Some(MachineStep::write(path, Some(word), "performance"))
    };
    let judgement =
        Judgement::note(words.join(", "), "the hardware raises the frequency late, to save energy")
            .steps(policies.iter().filter_map(step).collect());
    match words.len() {
        1 => judgement
            .pattern("/sys/devices/system/cpu/cpufreq/policy*/energy_performance_preference"),
        _ => judgement,
    }
}

/// Each once, in order.
pub(super) fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Leaving the deepest state may take so long before a trial asks for better.
const SHALLOW_US: u64 = 10;
const DEEP_US: u64 = 100;

fn idle_states(facts: &Facts) -> Judgement {
    const WHY: &str = "a processor that idles deeply wakes up late by so much, and a trial cannot hold \
                       it off";
    let states = match facts.processors.idle_states.as_deref() {
        None | Some([]) => return Judgement::not_here(facts, "idle states"),
        Some(states) => states,
    };
    let enabled = states.iter().filter(|state| state.disabled < state.cpus);
    let Some(deepest) = enabled.max_by_key(|state| state.latency_us) else {
        return Judgement::ok("all switched off");
    };
    let Some(us) = deepest.latency_us else {
        return Judgement::unread(facts, "how long they take to leave");
    };
    let found = format!("deepest is {}, {us} us to leave", deepest.name);
    let limits = facts.processors.wakeup_limits_us.as_ref();
    let limited = |limit: &String| {
        limit == "n/a" || limit.parse().is_ok_and(|us: u64| us > 0 && us <= SHALLOW_US)
    };
    if us <= SHALLOW_US {
        return Judgement::ok(found);
    }
    if limits.is_some_and(|limits| !limits.is_empty() && limits.values().all(limited)) {
        return Judgement::ok(format!("{found}; kept out of it by a limit on every processor"));
    }
    let device = facts.devices.file("/dev/cpu_dma_latency").flatten();
    if device.is_some_and(|device| device.writable) {
        return Judgement::ok(format!("{found}; a trial holds it off"));
    }
    with_udev_rule(if us >= DEEP_US {
        Judgement::bad(found, WHY)
    } else {
        Judgement::note(found, WHY)
    })
}

fn turbo(facts: &Facts) -> Judgement {
    match facts.processors.turbo {
        Some(true) => Judgement::ok("on"),
        Some(false) => Judgement::ok("off"),
        None => Judgement::not_here(facts, "the switch"),
    }
}

fn smt(facts: &Facts) -> Judgement {
    const FILE: &str = "/sys/devices/system/cpu/smt/control";
    let smt = &facts.processors.smt;
    match (smt.active, smt.control.as_deref()) {
        (Some(false), control) => {
            Judgement::ok(format!("not active ({})", control.unwrap_or("off")))
        }
        (None, Some("notsupported" | "notimplemented")) => Judgement::ok("this processor has none"),
        (None, _) => Judgement::not_here(facts, "whether processors share cores"),
        (Some(true), control) => {
            let judgement = Judgement::note(
                "two processors share each core",
                "they slow each other down; an issue only where delays come with high load",
            );
            if control != Some("on") {
                return judgement; // the switch is not offered here
            }
            judgement
                .cure(format!("echo off | sudo tee {FILE}"), format!("echo on | sudo tee {FILE}"))
                .advice("try it only then: it takes away half of the processors")
        }
    }
}

fn isolation(facts: &Facts) -> Judgement {
    let processors = &facts.processors;
    if processors.isolated.is_none() && processors.nohz_full.is_none() {
        return Judgement::unread(facts, "the list");
    }
    let lists = [
        ("isolated", &processors.isolated),
        ("without tick", &processors.nohz_full),
        ("without callbacks", &processors.rcu_nocbs),
        ("for interrupts", &processors.irq_affinity),
    ];
    let set = lists.iter().filter_map(|(what, list)| {
        list.as_deref().filter(|list| !list.is_empty()).map(|list| format!("{what} {list}"))
    });
    let set: Vec<String> = set.collect();
    match processors.isolated.as_deref().filter(|list| !list.is_empty()) {
        None if set.is_empty() => {
            let none = Judgement::ok("none (needed only for the last microseconds)");
            match last_processor(facts) {
                // What a running machine can do for it would not last, nor keep the kernel's own
                // work away.
                Some(cpu) => with_parameter(none, facts, &format!("isolcpus={cpu}")),
                None => none,
            }
        }
        None => Judgement::ok(set.join("; ")),
        Some(_) => Judgement::note(
            set.join("; "),
            "nothing runs there unless it is told to, a trial neither",
        )
        .advice("give --cpu N with one of them"),
    }
}

/// The last of several processors, which has the fewest interrupts.
fn last_processor(facts: &Facts) -> Option<u32> {
    let online = facts.processors.online.as_deref().and_then(cpu_list)?;
    (online.len() > 1).then(|| online.last().copied()).flatten()
}

//! What the kernel takes from real-time threads, so that others never starve.
//!
//! Up to Linux 6.11, and later where control groups share real-time time out, the
//! FIFO and RR threads of a processor may together run 950 ms in each second; then
//! they stand for 50 ms. From 6.12 on a deadline server gives ordinary threads 50 ms
//! a second, and only when they starve.

use super::Topic::Kernel as KERNEL;
use crate::machine::Facts;
use crate::machine::finding::{Check, Judgement};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "realtime-throttling",
        topic: KERNEL,
        read: "kernel.sched_rt_runtime_us, kernel.sched_rt_period_us",
        good: "950000 of 1000000 us, the default",
        source: "https://docs.kernel.org/scheduler/sched-rt-group.html",
        judge: throttling,
    },
    Check {
        name: "fair-server",
        topic: KERNEL,
        read: "debugfs sched/fair_server/cpu*/{runtime,period} (Linux 6.12 and later)",
        good: "50 of 1000 ms, the default",
        source: "https://docs.kernel.org/scheduler/sched-deadline.html",
        judge: fair_server,
    },
];

fn throttling(facts: &Facts) -> Judgement {
    let scheduling = &facts.scheduling;
    let (Some(runtime), Some(period)) = (scheduling.rt_runtime_us, scheduling.rt_period_us) else {
        return Judgement::unread(facts, "the limit");
    };
    let setting = |us: i64| format!("sudo sysctl -w kernel.sched_rt_runtime_us={us}");
    let usual = period / 100 * 95;
    if runtime < 0 {
        return Judgement::note(
            "off",
            "a real-time thread that runs away stops the machine; a trial needs this not, since it \
             computes for less than a fifth of the time",
        )
        .cure(setting(usual), setting(runtime));
    }
    let found = format!("{runtime} of {period} us");
    if runtime < period / 2 {
        return Judgement::bad(found, "real-time threads are stopped for the rest of each period")
            .cure(setting(usual), setting(runtime));
    }
    match binds(facts) {
        Some(false) => Judgement::ok(format!("{found}, and not enforced by this kernel")),
        _ => Judgement::ok(format!("{found}; a trial stays far below")),
    }
}

/// Whether the limit is enforced and not only checked on admission.
fn binds(facts: &Facts) -> Option<bool> {
    match facts.kernel.number()? {
        version if version < (6, 12) => Some(true),
        _ => facts.kernel.config.rt_group_scheduling,
    }
}

fn fair_server(facts: &Facts) -> Judgement {
    let Some(version) = facts.kernel.number() else {
        return Judgement::unread(facts, "the kernel's version");
    };
    if version < (6, 12) {
        return Judgement::ok("this kernel has none (it came with 6.12)");
    }
    let arm = facts.kernel.architecture.as_deref() == Some("aarch64");
    let kinds = facts.processors.frequency.as_ref().map_or(0, Vec::len);
    if version == (6, 12) && arm && kinds > 1 {
        return Judgement::note(
            "Linux 6.12 on processors of several kinds",
            "early releases of 6.12 could stop real-time threads for seconds here",
        )
        .advice("use the latest 6.12 release or a later kernel");
    }
    match facts.scheduling.fair_servers.as_deref() {
        None | Some([]) => Judgement::unknown(
            "its time cannot be read",
            "debugfs shows it, to root; the default is good",
        ),
        Some([first, ..]) => match (first.runtime_ns, first.period_ns) {
            (Some(runtime), Some(period)) => Judgement::ok(format!(
                "{} of {} ms, when ordinary threads starve",
                runtime / 1_000_000,
                period / 1_000_000
            )),
            _ => Judgement::unread(facts, "its time"),
        },
    }
}

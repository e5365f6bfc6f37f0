//! What else runs on the machine.

use super::Topic::Quiet as QUIET;
use crate::machine::Facts;
use crate::machine::finding::{Check, Judgement};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "load",
        topic: QUIET,
        read: "/proc/loadavg; processors in use",
        good: "below half a program for each processor",
        source: "man 5 proc_loadavg",
        judge: load,
    },
    Check {
        name: "pressure",
        topic: QUIET,
        read: "/proc/pressure/{cpu,io,memory}",
        good: "below 10 % for a processor or disk, 1 % for memory",
        source: "https://docs.kernel.org/accounting/psi.html",
        judge: pressure,
    },
    Check {
        name: "busy-programs",
        topic: QUIET,
        read: "/proc/*/stat, over a quarter of a second",
        good: "none above 20 % of a processor",
        source: "man 5 proc_pid_stat",
        judge: busy_programs,
    },
];

const WHY: &str = "what runs beside a trial takes caches and memory from it, and from ordinary \
                   threads the processor";
const ADVICE: &str = "end what is not needed, then look again";

fn load(facts: &Facts) -> Judgement {
    let (Some([now, ..]), Some(cpus)) = (facts.load.average, facts.processors.count()) else {
        return Judgement::unread(facts, "the load average");
    };
    let found = format!("{now:.2} on {cpus} processors");
    match now / cpus.max(1) as f64 {
        share if share > 1.0 => Judgement::bad(found, WHY).advice(ADVICE),
        share if share > 0.5 => Judgement::note(found, WHY).advice(ADVICE),
        _ => Judgement::ok(found),
    }
}

fn pressure(facts: &Facts) -> Judgement {
    let pressure = &facts.load.pressure;
    let all = [
        ("processor", pressure.cpu_percent, 10.0),
        ("disk", pressure.io_percent, 10.0),
        ("memory", pressure.memory_percent, 1.0),
    ];
    if all.iter().all(|(_, percent, _)| percent.is_none()) {
        return Judgement::unread(facts, "/proc/pressure");
    }
    let known = || all.iter().filter_map(|(of, percent, limit)| Some((of, (*percent)?, limit)));
    let words: Vec<String> = known().map(|(of, percent, _)| format!("{of} {percent} %")).collect();
    let found = format!("waited for in the last 10 s: {}", words.join(", "));
    match known().any(|(_, percent, limit)| percent > *limit) {
        true => Judgement::note(found, WHY).advice(ADVICE),
        false => Judgement::ok(found),
    }
}

fn busy_programs(facts: &Facts) -> Judgement {
    let Some(busy) = &facts.load.busiest else {
        return Judgement::unknown(
            "not watched",
            "processor use is taken on the running machine only",
        );
    };
    let words: Vec<String> =
        busy.iter().map(|busy| format!("{} {} %", busy.name, busy.percent)).collect();
    match busy.iter().any(|busy| busy.percent > 20.0) {
        true => Judgement::note(words.join(", "), WHY).advice(ADVICE),
        false if words.is_empty() => Judgement::ok("none"),
        false => Judgement::ok(words.join(", ")),
    }
}

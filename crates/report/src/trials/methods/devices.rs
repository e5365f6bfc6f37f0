//! With what it was run: the program, the devices with the delays that are known of them, and how exactly in
//! time everything sounded.

use super::{Told, distinct, either};
use crate::trials::evidence;
use crate::trials::words::{counted, number};
use chronotap_data::record::RunnerMode;
use chronotap_data::tables::TimeCourse;
use std::collections::BTreeMap;

pub(super) fn sentences(told: &Told<'_>) -> Vec<String> {
    let mut said = vec![program(told)];
    let is = |mode| told.all.iter().any(|(_, course)| course.evidence.mode == mode);
    if is(RunnerMode::Imported) {
        said.push(evidence::NOT_KNOWN.into());
        return said;
    }
    if !is(RunnerMode::RealTime) {
        said.push("There were no devices: the trials were computed, and every tone came exactly when it was due.".into());
        return said;
    }
    let real: Vec<(usize, &TimeCourse)> = told
        .all
        .iter()
        .filter(|(_, course)| course.evidence.mode == RunnerMode::RealTime)
        .copied()
        .collect();
    said.push(machine(&real));
    said.extend(devices(&real));
    said.push(timing(&real));
    said
}

fn program(told: &Told<'_>) -> String {
    let programs = distinct(told.all.iter().map(|(_, course)| course.evidence.program.clone()));
    let program = either(&programs, "and").replacen("chronotap", "Chronotap", 1);
    let recorders = distinct(told.all.iter().filter_map(|(_, c)| c.evidence.recorded_by.clone()));
    match &recorders[..] {
        [] => format!("The trials were run with {program}."),
        some => format!("The trials were {} and imported with {program}.", either(some, "and")),
    }
}

fn machine(real: &[(usize, &TimeCourse)]) -> String {
    let mut had: BTreeMap<String, usize> = BTreeMap::new();
    for (_, course) in real {
        *had.entry(evidence::rights(course)).or_default() += 1;
    }
    let rights = had.iter().max_by_key(|(_, count)| **count).map_or("none", |(rights, _)| rights);
    let machines = distinct(real.iter().map(|(_, course)| course.evidence.machine.clone()));
    format!("They ran on {} (real-time rights: {rights}).", machines.join("; and on "))
}

/// What taps came from and tones went to, with the delays that the trials know.
fn devices(real: &[(usize, &TimeCourse)]) -> Vec<String> {
    let all = real.iter().flat_map(|(_, course)| &course.evidence.devices);
    let all = distinct(all.map(|device| {
        let delay = match device.latency_ns {
            Some(ns) => format!(
                ", where all sounds a constant {} ms after its due time",
                number(ns as f64 / 1e6, 2)
            ),
            None => String::new(),
        };
        format!(
            "{} {}{delay}",
            if device.input { "taps came from" } else { "tones went to" },
            device.what
        )
    }));
    match &all[..] {
        [] => vec!["Which devices were used is not known from these data.".into()],
        some => vec![
            format!("The devices: {}.", some.join("; ")),
            "How long it takes from the finger to the time stamp of a tap, and from the output to the ear, these \
             data do not say [delays of pad and loudspeaker]."
                .into(),
        ],
    }
}

/// How far from their due times tones came.
fn timing(real: &[(usize, &TimeCourse)]) -> String {
    let outputs: u64 = real.iter().map(|(_, course)| course.evidence.outputs).sum();
    let worst = real.iter().filter_map(|(_, course)| course.evidence.worst_us);
    let Some(worst) = worst.max_by(|a, b| a.abs().total_cmp(&b.abs())) else {
        return "Nothing sounded in these trials.".into();
    };
    let within = real.iter().filter_map(|(_, course)| course.evidence.p99_us).fold(0.0, f64::max);
    let way = if worst < 0.0 { "before" } else { "after" };
    let limits =
        distinct(real.iter().map(|(_, c)| format!("{} ms", c.evidence.limit_us as f64 / 1_000.0)));
    let failed = real.iter().filter(|(_, course)| !course.evidence.failures.is_empty()).count();
    let failed = match failed {
        0 => "no trial was beyond the limit".to_owned(),
        n => format!(
            "{} failed the check of their timing and are among these data",
            counted(n, "trial")
        ),
    };
    format!(
        "Of {} (tones and signals), the one farthest from its due time came {} µs {way} it; in every trial 99 % were at \
         most {} µs late; with a limit of {} set beforehand, {failed}.",
        counted(usize::try_from(outputs).unwrap_or(usize::MAX), "output"),
        number(worst.abs(), 1),
        number(within, 1),
        either(&limits, "or")
    )
}

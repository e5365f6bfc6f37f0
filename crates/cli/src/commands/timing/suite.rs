//! Running tests one after the other, under each load, with progress; their results
//! are on the disk after each test, so that no later one can lose them.

use super::files::Files;
use crate::Verdict;
use crate::args::Suite;
use crate::data::PROGRAM;
use crate::screen::{Progress, remark, say, say_raw};
use anyhow::{Context, Result, bail};
use chronotap_machine::{Facts, Root};
use chronotap_realtime::Interrupt;
use chronotap_report::{summary, verdict_text};
use chronotap_timing::{Course, Fitness, Found, Length, Probe, Results, judge};
use std::io::{IsTerminal, stderr};

/// Runs the tests under each load, and writes what they found.
pub fn run(name: &str, args: &Suite, probes: impl Fn() -> Vec<Box<dyn Probe>>) -> Result<Verdict> {
    let interrupt = Interrupt::install().context("cannot take over Ctrl-C")?;
    let length = args.length.chosen();
    let label = label(args.label.as_deref())?;
    let files = Files::reserve(&args.out, &label, name)?;
    let mut results = Results::begin(PROGRAM, &label, &chronotap_time::wall_clock_now(), length);
    results.machine = Some(Facts::read(&Root::system()));
    for load in &args.loads {
        for probe in probes() {
            if interrupt.requested() {
                break;
            }
            add(&mut results, load, one(probe.as_ref(), length, interrupt));
            files.keep(&results)?;
        }
    }
    results.interrupted = interrupt.requested();
    finish(args, &files, &results)
}

fn finish(args: &Suite, files: &Files, results: &Results) -> Result<Verdict> {
    let verdict = judge(results, args.purpose);
    let paths = files.finish(results, &verdict)?;
    if args.json {
        say(serde_json::to_string(results)?);
    } else {
        say_raw(&summary(results));
        say(format!("\n{}\n", verdict_text(&verdict)));
        for (at, path) in paths.iter().enumerate() {
            let head = if at == 0 { "Results:" } else { "        " };
            say(format!("{head} {}", path.display()));
        }
    }
    Ok(Verdict::of(verdict.fitness != Fitness::Unfit))
}

/// Runs one test. On a terminal a line shows how far it is; elsewhere there is one
/// line for each test.
fn one(probe: &dyn Probe, length: Length, interrupt: Interrupt) -> Found {
    let name = probe.name();
    if let Err(why) = probe.available() {
        remark(format!("{name}: not available"));
        return Found::unavailable(name, why);
    }
    let seconds = probe.duration(length).as_secs_f64();
    if !stderr().is_terminal() {
        remark(format!("{name}: about {seconds:.0} s"));
    }
    let mut line = Progress::new(u32::MAX);
    let mut tell = |at: &chronotap_timing::Progress| {
        let left = (seconds * (1.0 - at.done)).max(0.0);
        let done = at.done * 100.0;
        line.show(&format!("{name}: {done:3.0} %, {left:.0} s left; {}; Ctrl-C keeps it", at.what));
    };
    let found = probe.run(&mut Course::new(length, interrupt, &mut tell));
    line.end();
    found
}

/// A test that ran under several loads stands once, with all its series. Who began the
/// load knows its name, so that no test need know of loads.
fn add(results: &mut Results, load: &str, mut found: Found) {
    for series in &mut found.series {
        series.conditions.insert("load".into(), load.into());
    }
    let Some(earlier) = results.tests.iter_mut().find(|earlier| earlier.test == found.test) else {
        results.tests.push(found);
        return;
    };
    earlier.interrupted |= found.interrupted;
    earlier.series.extend(found.series);
    let new = found.notes.into_iter().filter(|note| !earlier.notes.contains(note));
    let new: Vec<String> = new.collect();
    earlier.notes.extend(new);
    if earlier.grant.is_none() {
        earlier.grant = found.grant;
    }
}

/// The label that was given, or the host's name.
fn label(given: Option<&str>) -> Result<String> {
    match given {
        Some(given) if given.trim().is_empty() => bail!("--label: a label has letters"),
        Some(given) => Ok(given.trim().to_owned()),
        None => Ok(rustix::system::uname().nodename().to_string_lossy().into_owned()),
    }
}

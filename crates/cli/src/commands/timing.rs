//! `chronotap timing`: how good the machine and its ports are.

mod audio_tests;
mod beside;
mod compare;
mod ending;
mod files;
mod looped;
mod plan;
mod ports;
mod recording;
mod suite;
mod tap_to_sound;

use crate::Verdict;
use crate::args::{
    AllTests, LoadName, PeriodicArgs, Suite, Timing, TimingTest, WaitsArgs, WakeupArgs,
};
use anyhow::Result;
use chronotap_console::server::Lasting;
use chronotap_studies::{ClockTest, Load, PeriodicTest, WaitsTest};
use chronotap_time::Nanos;
use chronotap_timing::{Length, Probe, Scheduling, WakeupTest};
use plan::{Plan, Step, chosen};
use std::collections::BTreeMap;

/// Runs the command.
pub fn timing(args: &Timing) -> Result<Verdict> {
    match &args.test {
        TimingTest::Clock(args) => suite::run(&clock(&args.suite.loads)?, &args.suite),
        TimingTest::Waits(args) => alone("waits", &args.suite, || waits(args)),
        TimingTest::Wakeup(args) => alone("wakeup", &args.suite, || wakeup(args)),
        TimingTest::Periodic(args) => alone("periodic", &args.suite, || periodic(args)),
        TimingTest::Loop(args) => ports::loop_test(args),
        TimingTest::Dsp(args) => audio_tests::dsp(args),
        TimingTest::Fragments(args) => audio_tests::fragments(args),
        TimingTest::Roundtrip(args) => audio_tests::roundtrip(args),
        TimingTest::TapToSound(args) => tap_to_sound::tap_to_sound(args),
        TimingTest::All(args) => suite::run(&all(args)?, &args.suite),
        TimingTest::Compare(args) => compare::compare(args),
        TimingTest::Report(args) => compare::report(args),
    }
}

/// About how long the tests take that the console offers.
pub fn lasting() -> BTreeMap<&'static str, Lasting> {
    let wakeup = WakeupTest::default();
    BTreeMap::from([
        ("wakeup", in_words(|length| wakeup.duration(length))),
        ("loop", in_words(|length| looped::MESSAGE * i64::from(looped::messages(length)))),
    ])
}

fn in_words(duration: impl Fn(Length) -> Nanos) -> Lasting {
    let said = |length| suite::spoken_duration(duration(length));
    let [quick, normal, full] = [Length::Quick, Length::Normal, Length::Full].map(said);
    Lasting { quick, normal, full }
}

/// One test beside each of the loads; beside none where none is named.
fn alone<T: Probe + 'static>(
    name: &'static str,
    args: &Suite,
    test: impl Fn() -> T,
) -> Result<Verdict> {
    let chosen = chosen(&args.loads, &[Load::None])?;
    suite::run(&Plan::of(name, chosen, |_| vec![Box::new(test())]), args)
}

/// The test of the clock starts its loads itself, between its runs.
fn clock(named: &[LoadName]) -> Result<Plan> {
    let usual = ClockTest::default();
    let chosen = chosen(named, &usual.loads)?;
    let test = ClockTest { loads: chosen.loads, ..usual };
    let step = Step { load: Load::None, probes: vec![Box::new(test)] };
    Ok(Plan { name: "clock", steps: vec![step], left_out: chosen.left_out })
}

/// Wake-ups as long as a verdict needs: three in the number of samples must be below
/// what is fit, and a quick test of 5 s has too few.
fn judged_wakeup(length: Length) -> WakeupTest {
    let quick = (length == Length::Quick).then_some(Nanos::from_secs(20));
    WakeupTest { duration: quick, ..WakeupTest::default() }
}

/// Every test, in the order in which they run. Beside loads other than none neither
/// the clock, which has its own, nor the ports, which do not change with them.
fn all(args: &AllTests) -> Result<Plan> {
    let length = args.suite.length.chosen();
    let named = match (args.suite.loads.as_slice(), length) {
        ([], Length::Full) => &[LoadName::All],
        (named, _) => named,
    };
    let chosen = chosen(named, &[Load::None])?;
    let mut plan = Plan::of("all", chosen, |load| {
        let mut probes: Vec<Box<dyn Probe>> = Vec::new();
        if load == Load::None {
            probes.push(Box::new(ClockTest::default()));
        }
        probes.push(Box::new(WaitsTest::default()));
        probes.push(Box::new(judged_wakeup(length)));
        probes.push(Box::new(PeriodicTest::default()));
        if load == Load::None {
            probes.push(Box::new(looped::LoopProbe::of(&args.looped)));
        }
        probes
    });
    if named.is_empty() {
        let probes: Vec<Box<dyn Probe>> = vec![Box::new(judged_wakeup(length))];
        plan.steps.push(Step { load: Load::Contending, probes });
    }
    Ok(plan)
}

fn waits(args: &WaitsArgs) -> WaitsTest {
    let pauses = (!args.pauses.is_empty()).then(|| args.pauses.clone());
    WaitsTest { pauses, ..WaitsTest::default() }
}

fn wakeup(args: &WakeupArgs) -> WakeupTest {
    let usual = WakeupTest::default();
    WakeupTest {
        interval: args.interval,
        distance: args.distance,
        scheduling: args.scheduled.asked(),
        cores: if args.cores.is_empty() { usual.cores } else { args.cores.clone() },
        duration: args.duration,
        ..WakeupTest::default()
    }
}

fn periodic(args: &PeriodicArgs) -> PeriodicTest {
    let usual = PeriodicTest::default();
    PeriodicTest {
        rates_hz: (!args.rates_hz.is_empty()).then(|| args.rates_hz.clone()),
        scheduling: if args.ordinary { Scheduling::Ordinary } else { usual.scheduling },
        duration: args.duration,
        ..PeriodicTest::default()
    }
}

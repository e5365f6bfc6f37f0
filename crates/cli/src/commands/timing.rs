//! `chronotap timing`: how good the machine and its ports are.

mod audio_tests;
mod beside;
mod compare;
mod ending;
mod files;
mod looped;
pub mod passport;
mod plan;
mod player;
mod ports;
mod recording;
mod stretches;
mod suite;
mod tap_to_sound;
mod told;

use crate::CommandVerdict;
use crate::args::{
    AllTests, LoadName, NoiseArgs, PeriodicArgs, ServoArgs, Suite, Timing, TimingTest, WaitsArgs,
    WakeupArgs,
};
use anyhow::Result;
use chronotap_bench::studies::{ClockTest, Load, PeriodicTest, ServoTest, WaitsTest};
use chronotap_bench::timing::{IdleStates, Length, NoiseTest, Probe, Scheduling, WakeupTest};
use chronotap_console::server::Lasting;
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::DeadlineTime;
use plan::{TestPlan, TestStep, chosen};
use std::collections::BTreeMap;

pub fn timing(args: &Timing) -> Result<CommandVerdict> {
    match &args.test {
        TimingTest::Clock(args) => suite::run(&clock(&args.suite)?, &args.suite),
        TimingTest::Waits(args) => alone("waits", &args.suite, || waits(args)),
        TimingTest::Wakeup(args) => suite::run(&wakeup(args)?, &args.suite),
        TimingTest::Noise(args) => alone("noise", &args.suite, || noise(args)),
        TimingTest::Periodic(args) => alone("periodic", &args.suite, || periodic(args)),
        TimingTest::Servo(args) => alone("servo", &args.suite, || servo(args)),
        TimingTest::Loop(args) => ports::loop_test(args),
        TimingTest::Dsp(args) => audio_tests::dsp(args),
        TimingTest::Fragments(args) => audio_tests::fragments(args),
        TimingTest::Roundtrip(args) => audio_tests::roundtrip(args),
        TimingTest::TapToSound(args) => tap_to_sound::tap_to_sound(args),
        TimingTest::Player(args) => player::player(args),
        TimingTest::All(args) => suite::run(&all(args)?, &args.suite),
        TimingTest::Compare(args) => compare::compare(args),
        TimingTest::Report(args) => compare::report(args),
    }
}

/// About how long the tests take that the console offers.
pub fn lasting() -> BTreeMap<&'static str, Lasting> {
    BTreeMap::from([
        ("wakeup", in_words(|length| usual_wakeup(length).duration(length))),
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
) -> Result<CommandVerdict> {
    several(name, args, || vec![Box::new(test())])
}

/// The same of several, one after the other.
fn several(
    name: &'static str,
    args: &Suite,
    tests: impl Fn() -> Vec<Box<dyn Probe>>,
) -> Result<CommandVerdict> {
    let chosen = chosen(&args.loads, &[Load::None], &args.limits())?;
    suite::run(&TestPlan::of(name, chosen, |_| tests()), args)
}

/// The test of the clock starts its loads itself, between its runs.
fn clock(suite: &Suite) -> Result<TestPlan> {
    let usual = ClockTest::default();
    let limits = suite.limits();
    let chosen = chosen(&suite.loads, &usual.loads, &limits)?;
    let test = ClockTest { loads: chosen.loads, limits, ..usual };
    let step = TestStep { load: Load::None, probes: vec![Box::new(test)] };
    Ok(TestPlan { steps: vec![step], left_out: chosen.left_out, ..TestPlan::named("clock") })
}

/// Wake-ups as long as a verdict needs: three in the number of samples must be below
/// what is fit, and a quick test of 5 s has too few.
fn judged_wakeup(length: Length) -> WakeupTest {
    let quick = (length == Length::Quick).then_some(Nanos::from_secs(20));
    WakeupTest { duration: quick, ..WakeupTest::default() }
}

/// Every test, in the order in which they run. Beside loads other than none neither
/// the clock, which has its own, nor the ports, which do not change with them.
fn all(args: &AllTests) -> Result<TestPlan> {
    let length = args.suite.length.chosen();
    let named = match (args.suite.loads.as_slice(), length) {
        ([], Length::Full) => &[LoadName::All],
        (named, _) => named,
    };
    let chosen = chosen(named, &[Load::None], &args.suite.limits())?;
    let mut plan = TestPlan::of("all", chosen, |load| {
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
        plan.steps.push(TestStep { load: Load::Contending, probes });
    }
    Ok(plan)
}

fn waits(args: &WaitsArgs) -> WaitsTest {
    WaitsTest { pauses: given(&args.pauses), ..WaitsTest::default() }
}

/// As `timing wakeup` measures where nothing else is asked. A full test is that of Vignati et al.
/// (2022): 10^8 wake-ups at 200 us, idle states held off as cyclictest does, 5 h 33 min.
fn usual_wakeup(length: Length) -> WakeupTest {
    match length {
        Length::Full => WakeupTest {
            interval: Nanos::from_micros(200),
            idle_states: IdleStates::Held,
            duration: Some(Nanos::from_secs(20_000)),
            ..WakeupTest::default()
        },
        _ => WakeupTest::default(),
    }
}

fn wakeup(args: &WakeupArgs) -> Result<TestPlan> {
    let length = args.suite.length.chosen();
    let usual = usual_wakeup(length);
    let period = args.interval.unwrap_or(usual.interval);
    let deadline = |runtime| Scheduling::Deadline(DeadlineTime::of(runtime, period));
    let test = WakeupTest {
        interval: period,
        distance: args.distance,
        scheduling: args.deadline.map_or_else(|| args.scheduled.asked(), deadline),
        stop_above: args.stop_above,
        cores: given(&args.cores).unwrap_or(usual.cores),
        duration: args.duration.or(usual.duration),
        ..usual
    };
    let limits = args.suite.limits();
    let chosen = chosen(&args.suite.loads, &[Load::None], &limits)?;
    let earlier = args.resume.as_deref().map(|file| stretches::earlier(file, &test)).transpose()?;
    let whole = test.one_run(length);
    Ok(stretches::plan(chosen, &test, whole, (earlier, &limits)))
}

fn noise(args: &NoiseArgs) -> NoiseTest {
    let usual = NoiseTest::default();
    NoiseTest {
        gap: args.gap,
        busy_percent: args.busy,
        scheduling: args.scheduled.asked(),
        cores: given(&args.cores).unwrap_or(usual.cores),
        stop_above: args.stop_above,
        duration: args.duration,
    }
}

fn periodic(args: &PeriodicArgs) -> PeriodicTest {
    let usual = PeriodicTest::default();
    PeriodicTest {
        rates_hz: given(&args.rates_hz),
        scheduling: if args.ordinary { Scheduling::Ordinary } else { usual.scheduling },
        duration: args.duration,
        ..PeriodicTest::default()
    }
}

fn servo(args: &ServoArgs) -> ServoTest {
    let usual = ServoTest::default();
    ServoTest {
        rates_hz: given(&args.rates_hz),
        scheduling: if args.ordinary { Scheduling::Ordinary } else { usual.scheduling },
        duration: args.duration,
    }
}

/// A list, where one was given.
fn given<T: Clone>(list: &[T]) -> Option<Vec<T>> {
    (!list.is_empty()).then(|| list.to_vec())
}

//! `chronotap timing`: how good the machine and its ports are.

mod compare;
mod files;
mod looped;
mod ports;
mod suite;

use crate::Verdict;
use crate::args::{Timing, TimingTest, WakeupArgs};
use anyhow::Result;
use chronotap_time::Nanos;
use chronotap_timing::{Probe, Scheduling, WaitsTest, WakeupTest};

/// Runs the command.
pub fn timing(args: &Timing) -> Result<Verdict> {
    match &args.test {
        TimingTest::Loop(args) => ports::loop_test(args),
        TimingTest::Waits(args) => {
            suite::run("waits", &args.suite, || vec![Box::new(WaitsTest::default())])
        }
        TimingTest::Wakeup(args) => {
            suite::run("wakeup", &args.suite, || vec![Box::new(wakeup(args))])
        }
        TimingTest::All(args) => suite::run("all", &args.suite, || all(&args.looped)),
        TimingTest::Compare(args) => compare::compare(args),
        TimingTest::Report(args) => compare::report(args),
    }
}

/// Every test, in the order in which they run.
fn all(looped: &[String]) -> Vec<Box<dyn Probe>> {
    vec![
        Box::new(WaitsTest::default()),
        Box::new(WakeupTest::default()),
        Box::new(looped::LoopProbe::of(looped)),
    ]
}

fn wakeup(args: &WakeupArgs) -> WakeupTest {
    let fifo = Scheduling::Fifo(args.priority);
    let usual = WakeupTest::default();
    WakeupTest {
        interval: Nanos::from_micros(args.interval_us),
        distance: Nanos::from_micros(args.distance_us),
        scheduling: if args.ordinary { Scheduling::Ordinary } else { fifo },
        cores: if args.cores.is_empty() { usual.cores } else { args.cores.clone() },
        duration: args.seconds.map(Nanos::from_secs),
        ..WakeupTest::default()
    }
}

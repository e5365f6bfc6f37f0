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
use chronotap_timing::{Probe, Scheduling, WakeupTest};

/// Runs the command.
pub fn timing(args: &Timing) -> Result<Verdict> {
    match &args.test {
        TimingTest::Loop(args) => ports::loop_test(args),
        TimingTest::Wakeup(args) => {
            suite::run("wakeup", &args.suite, |load| vec![Box::new(wakeup(args, load))])
        }
        TimingTest::All(args) => suite::run("all", &args.suite, |load| all(load, &args.looped)),
        TimingTest::Compare(args) => compare::compare(args),
        TimingTest::Report(args) => compare::report(args),
    }
}

/// Every test under a load, in the order in which they run.
fn all(load: &str, looped: &[String]) -> Vec<Box<dyn Probe>> {
    let mut probes: Vec<Box<dyn Probe>> =
        vec![Box::new(WakeupTest { load: load.into(), ..WakeupTest::default() })];
    // The loop is a trial; what it measures of the ports does not change with a load.
    if load == "none" {
        probes.push(Box::new(looped::LoopProbe::of(looped)));
    }
    probes
}

fn wakeup(args: &WakeupArgs, load: &str) -> WakeupTest {
    let fifo = Scheduling::Fifo(args.priority);
    let usual = WakeupTest::default();
    WakeupTest {
        interval: Nanos::from_micros(args.interval_us),
        distance: Nanos::from_micros(args.distance_us),
        scheduling: if args.ordinary { Scheduling::Ordinary } else { fifo },
        cores: if args.cores.is_empty() { usual.cores } else { args.cores.clone() },
        duration: args.seconds.map(Nanos::from_secs),
        load: load.into(),
        ..WakeupTest::default()
    }
}

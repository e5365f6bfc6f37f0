//! From what the threads counted to the series, figures and notes of the results.

use super::WakeupTest;
use super::overhead::Overhead;
use super::run::Run;
use super::schedule::WakeupCounts;
use super::witness::CounterLooks;
use crate::timing::doubts::note_all;
use crate::timing::thread::{Scheduling, Timed};
use crate::timing::{Quantity, SampleSeries, TestFound, Worst};
use chronotap_core::time::Nanos;
use chronotap_linux::machine::signature::{Signature, StampedValue, recognise};
use chronotap_linux::realtime::{Grant, Item};

/// Adds one run: for each core the lateness and the corrected lateness.
pub(super) fn add(test: &WakeupTest, held: bool, run: &Run, found: &mut TestFound) {
    note_all(found, run.stopped.clone());
    let shared = run.cores.first().map(|(_, _, timed)| timed.grant.clone()).unwrap_or_default();
    for (index, (core, counts, timed)) in run.cores.iter().enumerate() {
        let place = if test.is_pinned() { ("core", *core) } else { ("thread", index) };
        let conditions = conditions(test, held, place, timed, &shared);
        let of = |quantity, histogram| {
            let pairs: Vec<(&str, &str)> =
                conditions.iter().map(|(name, value)| (*name, value.as_str())).collect();
            SampleSeries::of(quantity, &pairs, histogram)
        };
        let raw = with_figures(of(Quantity::Lateness, counts.lateness.clone()), counts, timed);
        let witness = run.witness.as_ref().filter(|_| test.is_pinned());
        let worst = worst(test.is_pinned().then_some(*core), counts, run.origin, witness);
        let corrected = of(Quantity::CorrectedLateness, counts.corrected());
        found.series.push(SampleSeries { worst, ..raw });
        found.series.push(corrected.with("missed_periods", counts.missed.n() as f64));
        note_all(found, doubts(*core, timed));
    }
    note_all(found, shared.refused().map(Item::sentence));
    let is_deadline = |item: &&Item| item.granted && item.what == "deadline scheduling";
    let granted = shared.items.iter().filter(is_deadline);
    note_all(found, granted.map(Item::sentence));
    note_all(found, signatures(run));
    found.grant.get_or_insert(shared);
}

fn conditions(
    test: &WakeupTest,
    held: bool,
    (place, number): (&'static str, usize),
    timed: &Timed<Overhead>,
    shared: &Grant,
) -> Vec<(&'static str, String)> {
    let held = held && shared.has("wake-up latency");
    let apart = Some(test.distance).filter(|apart| *apart != WakeupTest::default().distance);
    let distance = apart.map(|apart| ("distance_us", apart.as_micros_f64().to_string()));
    let told = [
        (place, number.to_string()),
        ("scheduling", in_force(test.scheduling, timed, shared)),
        ("interval_us", test.interval.as_micros_f64().to_string()),
        ("load", test.load.clone()),
        ("wakeup_latency", if held { "held at 0 us" } else { "as it is" }.to_owned()),
    ];
    let stop = test.stop_above.map(|late| ("stop_above_us", late.as_micros_f64().to_string()));
    told.into_iter().chain(distance).chain(stop).collect()
}

/// What the thread had, not what it asked for.
fn in_force(asked: Scheduling, timed: &Timed<Overhead>, shared: &Grant) -> String {
    let realtime = timed.policy.is_some_and(|policy| policy.is_realtime());
    let deadline = timed.policy.is_some_and(|policy| policy.is_deadline());
    let class = match asked {
        Scheduling::Deadline(_) if !deadline => Scheduling::Ordinary.class(),
        Scheduling::Fifo(_) if !realtime => Scheduling::Ordinary.class(),
        Scheduling::Nice(_) if !timed.grant.is_complete() => Scheduling::Ordinary.class(),
        Scheduling::Ordinary => return asked.class(),
        asked => asked.class(),
    };
    let memory = if shared.has("memory lock") { ", memory locked" } else { "" };
    format!("{class}{memory}")
}

fn with_figures(
    series: SampleSeries,
    counts: &WakeupCounts,
    timed: &Timed<Overhead>,
) -> SampleSeries {
    series
        .with("missed_periods", counts.missed.n() as f64)
        .with("overhead_ns", timed.value.pass_ns)
        .with("clock_read_ns", timed.value.clock_read_ns)
        .with("minor_faults", timed.usage.minor_faults as f64)
        .with("major_faults", timed.usage.major_faults as f64)
        .with("involuntary_switches", timed.usage.involuntary_switches as f64)
}

fn worst(
    core: Option<usize>,
    counts: &WakeupCounts,
    origin: Nanos,
    witness: Option<&CounterLooks>,
) -> Vec<Worst> {
    let one = |(at, late): (Nanos, Nanos)| Worst {
        at_ns: (at - origin).0,
        value_ns: late.0,
        core,
        around: witness.zip(core).map(|(all, core)| all.around(core, at, late)).unwrap_or_default(),
    };
    counts.greatest.sorted().into_iter().map(one).collect()
}

/// Artefacts that are known by the form they leave, a sentence each.
fn signatures(run: &Run) -> Vec<String> {
    let cores: Vec<&[StampedValue]> =
        run.cores.iter().map(|(_, t, _)| t.beginning.as_slice()).collect();
    let slack = run.cores.iter().map(|(_, _, timed)| slack(timed)).max();
    let found = recognise(&cores, slack.unwrap_or_default());
    found.iter().map(Signature::sentence).collect()
}

/// How much later than asked the kernel lets this thread sleep, to wake several at once:
/// prctl(2), PR_SET_TIMERSLACK.
fn slack<T>(timed: &Timed<T>) -> Nanos {
    let realtime = timed.policy.is_some_and(|policy| policy.is_realtime() || policy.is_deadline());
    if realtime || timed.grant.has("timer slack") { Nanos::ZERO } else { Nanos::from_micros(50) }
}

/// What makes a thread's figures doubtful, a sentence each.
fn doubts(core: usize, timed: &Timed<Overhead>) -> Vec<String> {
    let mut doubts = Vec::new();
    let faults = timed.usage.minor_faults + timed.usage.major_faults;
    if faults > 0 {
        doubts.push(format!(
            "core {core}: {faults} page faults while measuring; its lateness contains them"
        ));
    }
    let demotion = timed.watchdog.as_ref().and_then(|report| report.demotion.as_ref());
    doubts.extend(demotion.map(|demotion| {
        format!("core {core}: the watchdog took the priority away: {}", demotion.reason)
    }));
    doubts
}

//! Results with everything that a page can show, and names that are as long and as
//! hostile as they may be.

use chronotap_core::time::Nanos;
use chronotap_timing::{Histogram, Length, Quantity, Results, SampleSeries, TestFound, Worst};

const FIFO: &str = "SCHED_FIFO 80, memory locked";

/// Three machines, one of them with a long name.
pub fn all() -> Vec<Results> {
    let long =
        "a machine whose label is longer than any <b>legend</b> & no_place_to_break_it_anywhere";
    [("stock", 3), ("PREEMPT_RT", 1), (long, 2)].map(|(label, k)| machine(label, k)).to_vec()
}

fn machine(label: &str, k: i64) -> Results {
    let mut results = Results::begin("chronotap 0", label, "2026-01-01T00:00:00Z", Length::Quick);
    results.machine = Some(chronotap_machine::facts::Facts::default());
    results.tests = vec![clock(k), waits(k), wakeup(k), periodic(k), ports(k)];
    results.tests.push(TestFound::unavailable("another", "no /dev/other here; `modprobe other`"));
    results
}

/// Times about a middle, some of them far off.
fn times(middle: i64, spread: i64, far: i64) -> Histogram {
    let time = |i: i64| {
        let late = if i % 997 == 0 { far } else { 0 };
        Nanos(middle + i * 7_919 % (2 * spread + 1) - spread + late)
    };
    Histogram::of((0..5_000).map(time))
}

fn found(test: &str, series: Vec<SampleSeries>) -> TestFound {
    let notes = vec!["a finding about the whole test, which goes on for a while ".repeat(3)];
    TestFound { test: test.into(), series, notes, ..TestFound::default() }
}

fn clock(k: i64) -> TestFound {
    let mut series = vec![
        SampleSeries::of(
            Quantity::ClockStep,
            &[("clock", "CLOCK_MONOTONIC"), ("scheduling", "ordinary"), ("load", "none")],
            times(30, 5, 0),
        )
        .with("resolution_ns", 1.0)
        .with("cost_ns", 25.0)
        .with("in_user_space", 1.0),
    ];
    for scheduling in ["ordinary", "nice -20, memory locked", FIFO] {
        for load in ["none", "arithmetic", "contending"] {
            let conditions = [
                ("clock", "CLOCK_MONOTONIC"),
                ("scheduling", scheduling),
                ("load", load),
                ("core", "any"),
                ("variant", "runs"),
            ];
            let steps = times(30, 10, k * 8_000_000);
            series.push(SampleSeries::of(Quantity::ClockStep, &conditions, steps));
        }
    }
    found("clock", series)
}

fn waits(k: i64) -> TestFound {
    let mechanisms = [
        "setitimer",
        "nanosleep",
        "clock_nanosleep absolute",
        "timerfd",
        "poll",
        "/dev/rtc",
        "epoll",
    ];
    let mut series = Vec::new();
    for mechanism in mechanisms {
        for us in ["50", "1000", "20000"] {
            for scheduling in ["ordinary, timer slack 1 ns", FIFO] {
                let conditions = [
                    ("mechanism", mechanism),
                    ("requested_us", us),
                    ("scheduling", scheduling),
                    ("load", "none"),
                ];
                let late = times(k * 30_000, 20_000, 900_000);
                series.push(
                    SampleSeries::of(Quantity::Lateness, &conditions, late).with("cpu_share", 0.1),
                );
            }
        }
    }
    found("waits", series)
}

fn wakeup(k: i64) -> TestFound {
    let mut series = Vec::new();
    for core in ["0", "1", "2", "3", "4", "5", "6", "7"] {
        for load in ["none", "senoner-write"] {
            let conditions = [
                ("core", core),
                ("interval_us", "1000"),
                ("load", load),
                ("scheduling", FIFO),
                ("wakeup_latency", "held at 0 us"),
            ];
            let late = times(k * 25_000, 20_000, 2_000_000);
            let mut one = SampleSeries::of(Quantity::Lateness, &conditions, late);
            one = one.with("missed_periods", 4.0);
            one.worst.push(Worst {
                at_ns: 1_000_000_000,
                value_ns: 2_020_000,
                core: Some(0),
                around: vec!["LOC +12".into(), "also late on every other core: the host".into()],
            });
            series.push(one);
        }
    }
    found("wakeup", series)
}

fn periodic(k: i64) -> TestFound {
    let mut series = Vec::new();
    for rate in ["64", "1024", "8192"] {
        for cure in ["off", "on"] {
            let conditions = [
                ("source", "clock_nanosleep"),
                ("rate_hz", rate),
                ("cure", cure),
                ("scheduling", FIFO),
                ("load", "none"),
            ];
            let late = times(0, k * 20_000, 80_000);
            let mut one = SampleSeries::of(Quantity::IntervalDeviation, &conditions, late);
            let point = |i: i32| (f64::from(i - 100), -f64::from((i - 100).abs()) * 0.5);
            one.curve = (0..200).map(point).collect();
            series.push(one);
        }
    }
    found("periodic", series)
}

fn ports(k: i64) -> TestFound {
    let conditions = [("ports", "alsa:A Device With A Long Name, MIDI 1"), ("load", "none")];
    let interval = times(960_000, k * 3_000, 1_000_000);
    found(
        "loop",
        vec![
            SampleSeries::of(Quantity::MessageInterval, &conditions, interval).with("faults", 0.0),
        ],
    )
}

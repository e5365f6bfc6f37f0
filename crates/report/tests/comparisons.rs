//! What a comparison says of results whose truth was put in: in the text, in the page, in the
//! table and in the JSON, the papers' own results first.

use chronotap_core::time::Nanos;
use chronotap_report::{comparison_csv, comparison_page, comparison_text};
use chronotap_timing::PUBLISHED;
use chronotap_timing::{Histogram, Length, Quantity, Results, SampleSeries, TestFound, compare};

fn results(label: &str, test: &str, series: SampleSeries) -> Results {
    let mut results = Results::begin("chronotap", label, "2026-01-01T00:00:00Z", Length::Quick);
    results.tests.push(TestFound {
        test: test.into(),
        series: vec![series],
        ..TestFound::default()
    });
    results
}

/// A machine with room for so many instances at 16 frames; its cycles last as long as that.
fn dsp(label: &str, instances: f64, cycle_us: i64) -> Results {
    let conditions = [
        ("period_frames", "16"),
        ("tracks", "1"),
        ("plugin", "light"),
        ("scheduling", "SCHED_FIFO 80, memory locked"),
        ("load", "none"),
    ];
    let cycles = Histogram::of((0..1_000).map(|i| Nanos::from_micros(cycle_us + i % 3)));
    let series = SampleSeries::of(Quantity::DspCycle, &conditions, cycles)
        .with("instances_per_track", instances)
        .with("least_instances", instances)
        .with("most_instances", instances)
        .with("dsp_load", 0.71)
        .with("load_per_instance", 0.71 / instances);
    results(label, "dsp", series)
}

/// One line, whatever lines the terminal's width makes of it.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn more_instances_are_better_in_every_form_and_theirs_are_not_comparable() {
    let all = [dsp("slow", 31.0, 150), dsp("fast", 188.0, 300)];
    let found = compare(&all, PUBLISHED);
    let text = in_one_line(&comparison_text(&found, "elsewhere"));
    assert!(
        text.contains("- instances per track: fast looks better, 6.06 times (188 against 31)"),
        "{text}"
    );
    assert!(text.contains("slow: instances per track 31, DSP load 71.00 %"), "{text}");
    assert!(!text.contains("slow is better") && !text.contains("slow looks better"), "{text}");
    assert!(text.contains("median: slow has less"), "{text}");
    let theirs = "Vignati et al. (2022), Fig. 2a and Sec. 3.2.1";
    assert!(text.contains(theirs) && text.contains("instances per track 11"), "{text}");
    assert!(text.contains("not comparable: our reverberator costs about a sixth"), "{text}");
    let page = comparison_page(&all, &found);
    assert!(page.contains("instances per track (more is better)"), "{page}");
    let table = comparison_csv(&found);
    let first = table.lines().nth(1).unwrap_or_default();
    assert!(first.ends_with(",instances_per_track,31,31,31,count,1"), "{first}");
    assert!(table.contains(",dsp_load,71,71,71,%,1"), "{table}");
    let json = serde_json::to_value(&found).unwrap_or_default();
    let difference = &json["rows"][0]["differences"][0];
    assert_eq!(difference["measure"], "instances_per_track");
    assert_eq!((&difference["better"], &difference["unit"]), (&1.into(), &"count".into()));
}

#[test]
fn nothing_is_said_to_be_better_1_00_times() {
    let late = |label: &str, us: i64| {
        let times = Histogram::of((0..1_000).map(|i| Nanos::from_micros(us + i % 7)));
        results(label, "wakeup", SampleSeries::of(Quantity::Lateness, &[], times))
    };
    let all = [late("a", 1_000), late("b", 1_002)];
    let text = in_one_line(&comparison_text(&compare(&all, &[]), "elsewhere"));
    let mean = "mean: a looks better, by less than 1 % (1003 us against 1005 us)";
    assert!(text.contains(mean) && !text.contains("1.00 times"), "{text}");
}

fn wakeups(label: &str, scheduling: &str, interval_us: &str) -> Results {
    let conditions = [("scheduling", scheduling), ("interval_us", interval_us)];
    let times = Histogram::of((0..1_000).map(|i| Nanos::from_micros(20 + i % 7)));
    results(label, "wakeup", SampleSeries::of(Quantity::Lateness, &conditions, times))
}

#[test]
fn what_is_not_the_same_is_named_and_where_nothing_joins_why() {
    let fifo = |priority| format!("SCHED_FIFO {priority}, memory locked");
    let all = [wakeups("a", &fifo(80), "1000"), wakeups("b", &fifo(85), "1000")];
    let text = in_one_line(&comparison_text(&compare(&all, PUBLISHED), "elsewhere"));
    assert!(
        text.contains("SCHED_FIFO 80, memory locked (a); SCHED_FIFO 85, memory locked (b)"),
        "{text}"
    );
    assert!(text.contains("a: max 26.0 us, mean 23.0 us"), "{text}");
    let table = comparison_csv(&compare(&all, PUBLISHED));
    assert!(table.contains("scheduling=SCHED_FIFO 85, memory locked"), "{table}");
    let all = [wakeups("a", &fifo(80), "1000"), wakeups("b", &fifo(80), "200")];
    let found = compare(&all, PUBLISHED);
    let why = "wakeup, lateness: b is not compared with a: what was asked for differs in \
               interval_us (1000 us against 200 us)";
    let text = in_one_line(&comparison_text(&found, "elsewhere"));
    assert!(text.contains(why), "{text}");
    assert!(comparison_page(&all, &found).contains(why));
}

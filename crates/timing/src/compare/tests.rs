use super::*;
use crate::{Histogram, Length, Like, MeasureSource, SampleSeries, SampleStatistic, TestFound};
use chronotap_core::time::Nanos;
use chronotap_machine::grant::{Grant, Item};

fn of_series(label: &str, test: &str, series: Vec<SampleSeries>) -> Results {
    let mut results = Results::begin("chronotap", label, "2026-01-01T00:00:00Z", Length::Quick);
    results.tests.push(TestFound { test: test.into(), series, ..TestFound::default() });
    results
}

fn lateness(late_us: i64, conditions: &[(&str, &str)]) -> SampleSeries {
    let times = (0..1_000).map(|i| Nanos::from_micros(late_us + i % 7));
    SampleSeries::of(Quantity::Lateness, conditions, Histogram::of(times))
}

fn results(label: &str, late_us: i64, cores: &[&str]) -> Results {
    let series = |core: &&str| {
        let conditions =
            [("scheduling", "SCHED_FIFO 80, memory locked"), ("load", "none"), ("core", *core)];
        lateness(late_us, &conditions)
    };
    of_series(label, "wakeup", cores.iter().map(series).collect())
}

fn figure(test: &'static str) -> Published {
    Published {
        source: "a study",
        place: "Table 1",
        system: "a machine",
        under: "",
        test,
        quantity: Quantity::Lateness,
        of: MeasureSource::Statistic(SampleStatistic::Max),
        bound: "",
        value: 20.0,
        unit: MeasureUnit::Microseconds,
        not_comparable: None,
        conditions: &[("scheduling", Like::Begins("SCHED_FIFO"))],
    }
}

fn difference<'a>(row: &'a ComparedRow, measure: &str) -> &'a MeasureDifference {
    row.differences.iter().find(|one| one.measure == measure).unwrap()
}

#[test]
fn cores_count_together_so_that_machines_of_different_size_compare() {
    let found = compare(&[results("a", 20, &["0", "1"]), results("b", 40, &["0"])], &[]);
    assert_eq!((found.rows.len(), found.labels.len()), (1, 2));
    let row = &found.rows[0];
    assert!(!row.conditions.contains_key("core"));
    let n = |cell: &Option<LabelCell>| cell.as_ref().unwrap().statistics.n;
    assert_eq!((n(&row.cells[0]), n(&row.cells[1])), (2_000, 1_000));
    let median = difference(row, "median_us");
    assert_eq!(median.better, Some(0));
    assert!((median.ratio.unwrap() - 43.0 / 23.0).abs() < 0.01);
    assert_eq!(median.agreement, Agreement::SingleApart);
}

#[test]
fn files_with_one_label_are_its_runs() {
    let runs = |label: &str, from: i64| -> Vec<Results> {
        (0..4).map(|i| results(label, from + i, &["0"])).collect()
    };
    let found = compare(&[runs("a", 20), runs("b", 60)].concat(), &[]);
    assert_eq!(found.runs, [4, 4]);
    let row = &found.rows[0];
    let median = difference(row, "median_us");
    assert!((median.reference_value.value - 24.496).abs() < 1e-9, "{median:?}");
    assert_eq!(median.agreement, Agreement::Exceeds);
    let cell = row.cells[0].as_ref().unwrap();
    assert_eq!((cell.runs, cell.measures[0].measure.as_str()), (4, "max_us"));
    let maxima: Vec<f64> = cell.measures[0].values.iter().map(|one| one.value).collect();
    assert_eq!(maxima, [26.0, 27.0, 28.0, 29.0], "the maximum of each run");
}

#[test]
fn what_only_one_has_stands_alone_beside_the_published_figures() {
    let found = compare(&[results("a", 20, &["0"])], &[figure("wakeup"), figure("waits")]);
    assert!(found.rows[0].differences.is_empty());
    assert_eq!(found.rows[0].published, [figure("wakeup")]);
}

fn dsp(label: &str, instances: f64, cycle_us: i64) -> Results {
    let conditions = [
        ("period_frames", "64"),
        ("tracks", "1"),
        ("plugin", "light"),
        ("scheduling", "SCHED_FIFO 80, memory locked"),
    ];
    let cycles = Histogram::of((0..1_000).map(|i| Nanos::from_micros(cycle_us + i % 5)));
    let series = SampleSeries::of(Quantity::DspCycle, &conditions, cycles)
        .with("instances_per_track", instances)
        .with("least_instances", instances - 1.0)
        .with("most_instances", instances + 1.0)
        .with("dsp_load", 0.75)
        .with("load_per_instance", 0.75 / instances);
    of_series(label, "dsp", vec![series])
}

#[test]
fn of_two_machines_the_one_with_more_instances_is_better_and_a_longer_cycle_is_no_matter() {
    let found = compare(&[dsp("slow", 31.0, 150), dsp("fast", 188.0, 944)], &[]);
    let row = &found.rows[0];
    let first = &row.differences[0];
    assert_eq!((first.measure.as_str(), first.better), ("instances_per_track", Some(1)));
    assert_eq!(first.agreement, Agreement::SingleApart, "the searches' ranges are apart");
    assert!((first.ratio.unwrap() - 188.0 / 31.0).abs() < 1e-12);
    assert_eq!(difference(row, "load_per_instance").better, Some(1));
    assert_eq!(difference(row, "dsp_load").agreement, Agreement::Same);
    for cycle in ["median_ms", "p99_ms", "max_ms"] {
        assert_eq!((difference(row, cycle).better, difference(row, cycle).less), (None, Some(0)));
    }
}

#[test]
fn the_papers_own_results_come_first_in_their_units() {
    let fragments = |label: &str, within: f64, overruns: f64, n: i64| {
        let cycles = Histogram::of((0..n).map(|i| Nanos(1_450_000 + i)));
        let series = SampleSeries::of(Quantity::FragmentCycle, &[("fragments", "3")], cycles)
            .with("within_1_ms_share", within)
            .with("within_2_ms_share", 1.0)
            .with("overruns", overruns)
            .with("dropouts", 0.0);
        of_series(label, "fragments", vec![series])
    };
    let found = compare(&[fragments("a", 0.9, 2.0, 9_000), fragments("b", 0.99, 1.0, 3_000)], &[]);
    let row = &found.rows[0];
    let cell = row.cells[0].as_ref().unwrap();
    let said: Vec<String> = cell.measures.iter().map(|m| m.median.said(m.unit)).collect();
    assert_eq!(said[..5], ["90.00 %", "100.00 %", "1.46 ms", "2", "0"]);
    let within = difference(row, "within_1_ms_share");
    assert_eq!((within.better, within.agreement), (Some(1), Agreement::SingleApart));
    let overruns = difference(row, "overruns");
    assert_eq!((overruns.better, overruns.agreement), (None, Agreement::Lengths));
}

#[test]
fn round_trips_compare_in_milliseconds_and_frames_whatever_the_card() {
    let trip = |label: &str, card: &str, frames: f64| {
        let conditions = [("card", card), ("period_frames", "64"), ("rate_hz", "48000")];
        let time = Histogram::of([Nanos::round_from_f64(frames * 1e9 / 48e3)]);
        let series = SampleSeries::of(Quantity::AudioRoundTrip, &conditions, time)
            .with("round_trip_frames", frames)
            .with("round_trip_ns", frames * 1e9 / 48e3)
            .with("sd_frames", 0.001);
        of_series(label, "roundtrip", vec![series])
    };
    // Vignati et al. (2022), Table 1: 160 and 153 samples.
    let found = compare(&[trip("rt", "alsa:hw:0,0", 160.0), trip("xenomai", "jack", 153.0)], &[]);
    let row = &found.rows[0];
    let [ms, frames] = [&row.differences[0], &row.differences[1]];
    assert_eq!((ms.measure.as_str(), ms.better), ("round_trip_ms", Some(1)));
    assert!((ms.reference_value.value - 10.0 / 3.0).abs() < 1e-12);
    assert_eq!((frames.better, frames.agreement), (Some(1), Agreement::SingleApart));
    let card = &row.differing[0];
    assert_eq!(card.condition, "card");
    assert_eq!(card.values, [Some("alsa:hw:0,0".into()), Some("jack".into())]);
}

fn with_rights(label: &str, scheduling: &str, granted: bool) -> Results {
    let mut results = of_series(label, "wakeup", vec![lateness(20, &[("scheduling", scheduling)])]);
    let item = Item {
        what: "real-time priority".into(),
        asked: "SCHED_FIFO 80".into(),
        granted,
        got: String::new(),
        why_not: None,
        cure: None,
    };
    results.tests[0].grant = Some(Grant { items: vec![item] });
    results
}

#[test]
fn rights_against_none_and_one_priority_against_another_join_and_are_named() {
    let locked = with_rights("locked", "SCHED_FIFO 80, memory locked", true);
    let higher = with_rights("higher", "SCHED_FIFO 85, memory locked", true);
    let refused = with_rights("refused", "ordinary", false);
    let found = compare(&[locked, higher, refused], &[]);
    assert_eq!((found.rows.len(), found.apart.len()), (1, 0), "{:?}", found.rows);
    let row = &found.rows[0];
    assert_eq!(row.differences.iter().filter(|one| one.measure == "max_us").count(), 2);
    let named: Vec<&str> = row.differing.iter().map(|one| one.condition.as_str()).collect();
    assert_eq!(named, ["scheduling", "refused"]);
    assert_eq!(row.differing[0].values[2], Some("ordinary".into()));
    assert_eq!(row.differing[1].values[2], Some("real-time priority".into()));
    assert!(!row.conditions.contains_key("scheduling"));
}

#[test]
fn one_port_against_another_joins_and_two_of_each_are_not_guessed() {
    let ports = |label: &str, ports: &[&str]| {
        let series = |port: &&str| {
            let times = Histogram::of([Nanos::from_micros(960)]);
            SampleSeries::of(Quantity::MessageInterval, &[("ports", *port)], times)
        };
        of_series(label, "loop", ports.iter().map(series).collect())
    };
    let found = compare(&[ports("a", &["wire", "hw:1"]), ports("b", &["wire", "hw:3"])], &[]);
    assert_eq!((found.rows.len(), found.apart.len()), (2, 0));
    assert_eq!(found.rows[1].differing[0].condition, "ports");
    let found = compare(&[ports("a", &["hw:1", "hw:2"]), ports("b", &["hw:3", "hw:4"])], &[]);
    assert_eq!((found.rows.len(), found.apart.len()), (4, 1));
    assert!(found.apart[0].conditions.is_empty(), "several fit");
}

#[test]
fn where_nothing_joins_the_condition_that_differs_is_named() {
    let at = |label: &str, us: &str, load: &str| {
        let conditions = [("scheduling", "SCHED_FIFO 80"), ("interval_us", us), ("load", load)];
        of_series(label, "wakeup", vec![lateness(20, &conditions)])
    };
    let found = compare(&[at("a", "1000", "none"), at("b", "200", "none")], &[]);
    assert_eq!(found.rows.len(), 2);
    let [apart] = &found.apart[..] else { panic!("{:?}", found.apart) };
    let told = ("interval_us".into(), Some("1000".into()), Some("200".into()));
    assert_eq!(apart.conditions, [told]);
    let ordinary = of_series("b", "wakeup", vec![lateness(20, &[("scheduling", "ordinary")])]);
    let asked = of_series("a", "wakeup", vec![lateness(20, &[("scheduling", "SCHED_FIFO 80")])]);
    let found = compare(&[asked, ordinary], &[]);
    assert_eq!(found.apart[0].conditions[0].0, "scheduling", "it asked for none");
}

/// A table of cyclictest that ends at 400 us, with so many of its 1,000 samples beyond.
fn table(label: &str, beyond: u64) -> Results {
    let rows = Histogram::counted([(Nanos(20_000), 1_000 - beyond)]);
    let max = Some(Nanos(3_000_000));
    let rows = rows.with_beyond((beyond, Nanos(400_000)), Some(33_000.0), max);
    let series = SampleSeries::of(Quantity::Lateness, &[], rows);
    Results { program: "cyclictest".into(), ..of_series(label, "wakeup", vec![series]) }
}

#[test]
fn what_lies_beyond_a_table_is_not_said_to_be_more_than_what_lies_farther_out() {
    for all in [
        [table("cut", 163), results("whole", 900, &["0"])],
        [results("whole", 900, &["0"]), table("cut", 163)],
    ] {
        let found = compare(&all, &[]);
        let [row] = &found.rows[..] else { panic!("{:?}", found.rows) };
        assert!(row.differences.iter().any(|one| one.measure == "max_us"));
        assert!(row.differences.iter().all(|one| one.measure != "p99_us"), "{row:?}");
    }
}

#[test]
fn what_lies_beyond_a_table_is_more_than_what_does_not_and_no_median_leaves_it_out() {
    let found = compare(&[table("a", 0), table("b", 163)], &[]);
    let row = &found.rows[0];
    let p99 = difference(row, "p99_us");
    assert_eq!((p99.better, p99.ratio, p99.other_value.beyond), (Some(0), None, true));
    assert_eq!(p99.other_value.said(p99.unit), "> 400 us");
    let cell = row.cells[1].as_ref().unwrap();
    assert_eq!(cell.statistics.mean_ns, Some(33_000.0));
    assert!(!cell.over_runs.contains_key("p99") && !cell.over_runs.contains_key("SD"));
    let both = compare(&[table("b", 163), table("b", 2), table("b", 170)], &[]);
    let cell = both.rows[0].cells[0].as_ref().unwrap();
    let p99 = cell.measures.iter().find(|one| one.measure == "p99_us").unwrap();
    assert!(p99.median.beyond && !p99.least.beyond, "{p99:?}");
}

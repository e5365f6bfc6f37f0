//! What cyclictest and rtla print is read as it was printed: the fixtures are
//! cyclictest 2.4's own files, and one written in the format that rtla documents.

use chronotap_timing::{Quantity, Results, Statistic, Statistics, peers};

fn read(name: &str) -> Results {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a fixture");
    peers::read(name, &text).unwrap_or_else(|error| panic!("{error}"))
}

/// For each thread: n, least, greatest in microseconds, and how many lie beyond.
fn figures(results: &Results) -> Vec<(u64, i64, i64, f64)> {
    let of = |series: &chronotap_timing::Series| {
        let us = |ns: Option<i64>| ns.unwrap_or(-1_000) / 1_000;
        let found = &series.statistics;
        (found.n, us(found.min_ns), us(found.max_ns), series.figures["beyond_the_table"])
    };
    results.series(Quantity::Lateness).map(|(_, series)| of(series)).collect()
}

#[test]
fn a_histogram_of_cyclictest_gives_its_threads_with_the_samples_beyond_it() {
    let results = read("cyclictest_histogram.txt");
    assert_eq!(figures(&results), [(500, 16, 162, 9.0), (500, 18, 632, 119.0)]);
    assert_eq!(results.program, "cyclictest");
    assert!(results.tests[0].notes.iter().any(|note| note.contains("lie beyond the table")));
}

/// As cyclictest printed them below its table of 40 us: 9 and 119 of 500 lie beyond, the
/// averages are 21 and 36 us.
#[test]
fn a_table_with_overflows_gives_cyclictests_own_averages_and_no_more_than_it_tells() {
    let results = read("cyclictest_histogram.txt");
    let all: Vec<_> = results.series(Quantity::Lateness).map(|(_, s)| s.clone()).collect();
    let said = |which: Statistic, n: usize| which.said(&all[n].statistics);
    assert_eq!([0, 1].map(|n| said(Statistic::Mean, n)), ["21.0 us", "36.0 us"]);
    assert_eq!([0, 1].map(|n| said(Statistic::P99, n)), ["> 40 us", "> 40 us"]);
    assert_eq!([0, 1].map(|n| said(Statistic::Sd, n)), ["-", "-"]);
    assert_eq!([0, 1].map(|n| said(Statistic::Max, n)), ["162.0 us", "632.0 us"]);
    let mut pooled = all[0].histogram.clone();
    pooled.merge(&all[1].histogram);
    let pooled = Statistics::of(&pooled);
    assert_eq!((pooled.n, Statistic::Mean.said(&pooled)), (1_000, "28.5 us".into()));
    assert_eq!(Statistic::P90.said(&pooled), "> 40 us", "128 of 1,000 lie beyond");
}

#[test]
fn the_summary_column_of_histofall_is_no_third_thread() {
    assert_eq!(
        figures(&read("cyclictest_histfile.txt")),
        [(500, 16, 5_761, 236.0), (500, 16, 6_569, 19.0)]
    );
}

#[test]
fn live_lines_before_the_histogram_tell_priority_and_interval() {
    let results = read("cyclictest_histofall_live.txt");
    assert_eq!(figures(&results), [(200, 16, 164, 68.0), (200, 18, 131, 4.0)]);
    let (_, series) = results.series(Quantity::Lateness).next().unwrap();
    assert_eq!(series.condition("scheduling"), Some("SCHED_FIFO 80"));
    assert_eq!(series.condition("interval_us"), Some("1000"));
}

#[test]
fn the_json_of_cyclictest_tells_cores_and_the_system_too() {
    let results = read("cyclictest.json");
    assert_eq!(figures(&results), [(500, 16, 357, 69.0), (500, 13, 63, 5.0)]);
    let (_, series) = results.series(Quantity::Lateness).nth(1).unwrap();
    assert_eq!(
        (series.condition("core"), series.condition("interval_us")),
        (Some("1"), Some("1000"))
    );
    assert_eq!(results.program, "cyclictest 2.40");
    let kernel = results.machine.unwrap().kernel;
    assert_eq!(kernel.release.as_deref(), Some("6.18.44-fc-v595"));
    assert_eq!(kernel.preemption.realtime, Some(false));
    assert!(results.began.contains("2026"));
}

#[test]
fn rtlas_columns_are_kept_apart_by_who_saw_the_lateness() {
    let results = read("rtla_timerlat_hist.txt");
    assert_eq!(
        figures(&results),
        [
            (10_000, 0, 258, 1.0),
            (10_000, 1, 263, 7.0),
            (10_000, 1, 271, 18.0),
            (10_000, 0, 7, 0.0),
            (10_000, 1, 31, 2.0),
            (10_000, 1, 40, 2.0)
        ]
    );
    let seen: Vec<_> =
        results.series(Quantity::Lateness).map(|(_, s)| s.condition("seen_by")).collect();
    assert_eq!(seen[..3], [Some("timer interrupt"), Some("kernel thread"), Some("user thread")]);
}

#[test]
fn our_own_results_are_read_as_well() {
    let ours = read("rtla_timerlat_hist.txt");
    let text = serde_json::to_string(&ours).unwrap();
    assert_eq!(peers::read("ours.json", &text).unwrap(), ours);
}

fn refusal(text: &str) -> String {
    peers::read("run.txt", text).expect_err("refused").to_string()
}

#[test]
fn damage_is_refused_with_its_line_and_what_should_stand_there() {
    let table = "# Histogram\n000001 000000\t000002\n000002 00x000\t1\n# Min Latencies: 1 1\n";
    assert_eq!(refusal(table), "run.txt:3: expected a whole number, found \"00x000\"");
    let short = "# Histogram\n000001 5\n# Min Latencies: 1 1\n";
    assert!(refusal(short).starts_with("run.txt:2: expected a value and 2 counts"));
    let rtla = "# RTLA timerlat histogram\nIndex IRQ-000 Foo-000\n";
    assert!(refusal(rtla).starts_with("run.txt:2: expected a column such as Thr-000"));
}

#[test]
fn a_file_without_a_histogram_is_refused_with_the_option_that_makes_one() {
    assert!(
        refusal("T: 0 ( 1) P:80 I:1000 C: 1 Min: 1 Act: 1 Avg: 1 Max: 1\n").contains("--histogram")
    );
    let json = r#"{"thread": {"0": {"cycles": 3, "min": 1, "max": 2, "avg": 1.5, "cpu": 0}}}"#;
    assert!(refusal(json).contains("--histogram=1000 beside --json"));
    assert!(refusal("# RTLA timerlat histogram\n0 1 2\n").contains("--no-header"));
}

#[test]
fn other_files_are_refused_with_those_that_are_known() {
    assert!(refusal("hello").contains("cyclictest --histogram=1000"));
    assert!(refusal("").contains("rtla timerlat hist"));
    assert!(refusal(r#"{"kind": "trial", "version": 1}"#).contains("trial"));
}

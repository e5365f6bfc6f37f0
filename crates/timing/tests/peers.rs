//! What cyclictest, rtla and Xenomai's latency print is read as it was printed: the fixtures are
//! cyclictest 2.4's own files, and two written in the formats of rtla's documentation and of
//! the source of Xenomai's latency.

use chronotap_timing::peers::{Lacks, PeerError};
use chronotap_timing::{Quantity, Results, ResultsError, SampleStatistic, Statistics, peers};

fn read(name: &str) -> Results {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a fixture");
    peers::read(name, &text).unwrap_or_else(|error| panic!("{error}"))
}

/// For each thread: n, least, greatest in microseconds, and how many lie beyond.
fn figures(results: &Results) -> Vec<(u64, i64, i64, f64)> {
    let of = |series: &chronotap_timing::SampleSeries| {
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
    let said = |which: SampleStatistic, n: usize| which.said(&all[n].statistics);
    assert_eq!([0, 1].map(|n| said(SampleStatistic::Mean, n)), ["21.0 us", "36.0 us"]);
    assert_eq!([0, 1].map(|n| said(SampleStatistic::P99, n)), ["> 40 us", "> 40 us"]);
    assert_eq!([0, 1].map(|n| said(SampleStatistic::Sd, n)), ["-", "-"]);
    assert_eq!([0, 1].map(|n| said(SampleStatistic::Max, n)), ["162.0 us", "632.0 us"]);
    let mut pooled = all[0].histogram.clone();
    pooled.merge(&all[1].histogram);
    let pooled = Statistics::of(&pooled);
    assert_eq!((pooled.n, SampleStatistic::Mean.said(&pooled)), (1_000, "28.5 us".into()));
    assert_eq!(SampleStatistic::P90.said(&pooled), "> 40 us", "128 of 1,000 lie beyond");
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

fn refusal(text: &str) -> PeerError {
    peers::read("run.txt", text).expect_err("refused")
}

fn lacks(text: &str) -> Lacks {
    match refusal(text) {
        PeerError::Missing { lacks, .. } => lacks,
        other => panic!("{other:?}"),
    }
}

/// The line that is refused, what should stand there, and what does.
fn refused_line(text: &str) -> (usize, String, String) {
    match refusal(text) {
        PeerError::Line { line, expected, found, .. } => (line, expected, found),
        other => panic!("{other:?}"),
    }
}

#[test]
fn damage_is_refused_with_its_line_and_what_should_stand_there() {
    let table = "# Histogram\n000001 000000\t000002\n000002 00x000\t1\n# Min Latencies: 1 1\n";
    assert_eq!(refused_line(table), (3, "a whole number".into(), "00x000".into()));
    let short = "# Histogram\n000001 5\n# Min Latencies: 1 1\n";
    assert_eq!(refused_line(short).0, 2);
    let rtla = "# RTLA timerlat histogram\nIndex IRQ-000 Foo-000\n";
    assert_eq!(refused_line(rtla).0, 2);
}

#[test]
fn a_file_without_a_histogram_is_refused() {
    let live = "T: 0 ( 1) P:80 I:1000 C: 1 Min: 1 Act: 1 Avg: 1 Max: 1\n";
    assert_eq!(lacks(live), Lacks::Histogram);
    let json = r#"{"thread": {"0": {"cycles": 3, "min": 1, "max": 2, "avg": 1.5, "cpu": 0}}}"#;
    assert_eq!(lacks(json), Lacks::HistogramOf(0));
    assert_eq!(lacks("# RTLA timerlat histogram\n0 1 2\n"), Lacks::Header);
}

#[test]
fn other_files_are_refused() {
    for text in ["hello", ""] {
        assert!(matches!(refusal(text), PeerError::Unknown { .. }), "{text}");
    }
    let other = refusal(r#"{"kind": "trial", "version": 1}"#);
    let PeerError::Results { error: ResultsError::Kind(kind), .. } = other else {
        panic!("{other:?}")
    };
    assert_eq!(kind, "trial");
}

fn latency() -> String {
    let path = format!("{}/tests/fixtures/xenomai_latency.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a fixture")
}

/// Its rows: 2000 samples of 1 us, 6990 of 2, 1000 of 3, 9 of 5, and one of 12.345; RTS says
/// 2.500 us in the mean.
#[test]
fn a_histogram_of_xenomais_latency_gives_all_samples_and_not_each_seconds() {
    let results = read("xenomai_latency.txt");
    assert_eq!(figures(&results), [(10_000, 1, 12, 0.0)]);
    let (_, series) = results.series(Quantity::Lateness).next().unwrap();
    assert_eq!(
        (results.program.as_str(), series.condition("interval_us")),
        ("Xenomai latency", Some("200"))
    );
    assert_eq!(series.condition("scheduling"), Some("SCHED_FIFO 99"));
    assert_eq!((series.statistics.median_ns, series.figures["missed_periods"]), (Some(2_000), 1.0));
    assert_eq!(series.figures["reported_mean_ns"], 2_500.0);
}

#[test]
fn the_last_bucket_of_xenomais_latency_has_what_lies_beyond() {
    // As with -H 4: the buckets 0, 1 and 2 us, and one for all else.
    let short = latency().replace("  3 -  4 |     1000", "  3 -  4 |     1010");
    let short: Vec<&str> = short
        .lines()
        .filter(|line| {
            !line.starts_with("HSD|    avg|   5") && !line.starts_with("HSD|    avg|  12")
        })
        .collect();
    let results = peers::read("short", &short.join("\n")).unwrap();
    assert_eq!(figures(&results), [(10_000, 1, 12, 1_010.0)]);
    let (_, series) = results.series(Quantity::Lateness).next().unwrap();
    let said = |which: SampleStatistic| which.said(&series.statistics);
    assert_eq!([said(SampleStatistic::Mean), said(SampleStatistic::Max)], ["2.50 us", "12.3 us"]);
    assert_eq!([said(SampleStatistic::P99), said(SampleStatistic::Sd)], ["> 3 us", "-"]);
}

#[test]
fn xenomais_latency_without_a_histogram_gives_its_mean_and_its_greatest_alone() {
    let whole = latency();
    let bare: Vec<&str> = whole.lines().filter(|line| !line.starts_with("HS")).collect();
    let results = peers::read("bare", &bare.join("\n")).unwrap();
    let (_, series) = results.series(Quantity::Lateness).next().unwrap();
    let said = |which: SampleStatistic| which.said(&series.statistics);
    assert_eq!([said(SampleStatistic::Mean), said(SampleStatistic::Max)], ["2.50 us", "12.3 us"]);
    assert_eq!((series.statistics.n, series.statistics.median_ns), (10_000, None));
}

#[test]
fn xenomais_latency_that_cannot_be_read_is_refused() {
    let of = |text: String| match peers::read("file", &text).map(drop) {
        Err(PeerError::Missing { lacks, .. }) => Some(lacks),
        Err(PeerError::Line { .. }) => None,
        other => panic!("{other:?}"),
    };
    let cut = latency().split("---|--").next().unwrap().to_owned();
    assert_eq!(of(cut), Some(Lacks::End));
    // With -B 100 the rows are tenths of a microsecond: the mean of 2.5 us is in row 25.
    assert_eq!(
        of(latency().replace("2.500|     12.345", "0.250|      1.234")),
        Some(Lacks::Buckets)
    );
    assert_eq!(of(latency().replace("|     6990", "|     many")), None);
}

fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a fixture")
}

/// What is said of a file that disagrees with itself.
fn disagreement(text: &str) -> (&'static str, String, String) {
    match lacks(text) {
        Lacks::Agreement { what, printed, rows, .. } => (what, printed, rows),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_table_that_was_cut_is_refused_by_what_is_printed_below_it() {
    // As published of a Raspberry Pi: the rows above 25 us are gone.
    let cut = "# Histogram\n000014 000004\n000015 249277\n000016 9664861\n000025 000003\n\n\
               # Total: 010000000\n# Min Latencies: 00014\n# Avg Latencies: 00016\n\
               # Max Latencies: 00076\n# Histogram Overflows: 00000\n";
    assert_eq!(disagreement(cut), ("the number of samples", "10000000".into(), "9914145".into()));
    let whole = fixture("cyclictest_histogram.txt");
    let shorter = whole.replacen("000017 000011\t", "000017 000010\t", 1);
    assert_eq!(disagreement(&shorter).0, "the number of samples");
    let least = whole.replace("# Min Latencies: 00016", "# Min Latencies: 00015");
    assert_eq!(disagreement(&least).0, "the least");
    let mean = whole.replace("# Avg Latencies: 00021", "# Avg Latencies: 00221");
    assert_eq!(disagreement(&mean).0, "the mean");
    let greatest = whole.replace("# Max Latencies: 00162", "# Max Latencies: 00039");
    assert_eq!(disagreement(&greatest).0, "the greatest");
    let json = fixture("cyclictest.json").replace("\"avg\": 31.23", "\"avg\": 21.23");
    assert_eq!(disagreement(&json).0, "the mean");
}

#[test]
fn rows_of_rtla_that_are_wider_than_a_unit_are_refused() {
    // As with -b 10: a row counts ten microseconds.
    let wide = "# RTLA timerlat histogram\n# Time unit is microseconds (us)\nIndex Thr-000\n\
                0 900\n10 90\n20 10\nover: 0\ncount: 1000\nmin: 3\navg: 6\nmax: 27\n";
    assert_eq!(disagreement(wide), ("the least", "3".into(), "0".into()));
    let whole = fixture("rtla_timerlat_hist.txt");
    let fewer = whole.replace("count:    10000     10000", "count:    10000     10001");
    assert_eq!(disagreement(&fewer).0, "the number of samples");
}

#[test]
fn a_second_run_in_one_file_is_found() {
    for name in [
        "cyclictest_histogram.txt",
        "cyclictest.json",
        "rtla_timerlat_hist.txt",
        "xenomai_latency.txt",
    ] {
        let one = fixture(name);
        let twice = lacks(&format!("{one}\n{one}"));
        assert!(matches!(twice, Lacks::OneRun { line } if line > 1), "{name}: {twice:?}");
    }
    let both = fixture("rtla_timerlat_hist.txt") + &fixture("cyclictest_histogram.txt");
    assert!(matches!(lacks(&both), Lacks::OneRun { .. }));
}

#[test]
fn a_histogram_of_xenomais_latency_has_the_printed_mean_and_greatest() {
    let results = read("xenomai_latency.txt");
    let (_, series) = results.series(Quantity::Lateness).next().unwrap();
    let of = &series.statistics;
    assert_eq!((of.mean_ns, of.max_ns, of.min_ns), (Some(2_500.0), Some(12_345), Some(1_187)));
    // The spread of its rows: 0.556 us, as HSS says.
    assert!((of.sd_ns.unwrap() - 556.0).abs() < 1.0, "{of:?}");
    let greatest = latency().replace("2.500|     12.345", "2.500|     11.345");
    assert_eq!(disagreement(&greatest).0, "the greatest");
    let fewer = latency().replace("avg|     10000", "avg|     10001");
    assert_eq!(disagreement(&fewer).0, "the number of samples");
}

//! A known distribution, from samples to results to the file, the summary and the
//! comparison: every number is the one that was put in, exactly, or for quantiles within
//! the 1,024th that is stated.

use chronotap_core::time::Nanos;
use chronotap_report::{comparison_csv, statistics_csv, summary};
use chronotap_timing::PUBLISHED;
use chronotap_timing::{
    Agreement, Because, Histogram, Length, Purpose, Quantity, Results, SampleSeries,
    SampleStatistic, TestFound, compare, judge, spoken,
};
use proptest::prelude::*;

/// Wake-ups of which everything is known: late by `base`, with even jitter, and every
/// `every`-th of them stalled for longer.
#[derive(Clone, Copy, Debug)]
struct Known {
    n: i64,
    base: i64,
    jitter: i64,
    every: i64,
    stall: i64,
}

impl Known {
    fn samples(self) -> Vec<Nanos> {
        let late = |i: i64| {
            let stalled = if i % self.every == self.every - 1 { self.stall } else { 0 };
            Nanos(self.base + i * 7_919 % (self.jitter + 1) + stalled)
        };
        (0..self.n).map(late).collect()
    }

    fn results(self, label: &str) -> Results {
        let conditions =
            [("scheduling", "SCHED_FIFO 80, memory locked"), ("load", "none"), ("core", "0")];
        let histogram = Histogram::of(self.samples());
        let series = vec![SampleSeries::of(Quantity::Lateness, &conditions, histogram)];
        let mut results = Results::begin("chronotap", label, "2026-01-01T00:00:00Z", Length::Quick);
        results.tests.push(TestFound { test: "wakeup".into(), series, ..TestFound::default() });
        results
    }

    /// A number by its definition, from the sorted samples.
    fn truth(self, which: SampleStatistic) -> f64 {
        let mut all: Vec<i64> = self.samples().iter().map(|time| time.0).collect();
        all.sort_unstable();
        let n = all.len() as f64;
        let mean = all.iter().sum::<i64>() as f64 / n;
        let squares = || all.iter().map(|x| (*x as f64 - mean).powi(2)).sum::<f64>();
        match (which, which.quantile()) {
            (SampleStatistic::Min, _) => all[0] as f64,
            (SampleStatistic::Max, _) => all[all.len() - 1] as f64,
            (SampleStatistic::Mean, _) => mean,
            (SampleStatistic::Sd, _) => (squares() / (n - 1.0)).sqrt(),
            (_, Some((p, of))) => all[(all.len() as u64 * p).div_ceil(of) as usize - 1] as f64,
            (_, None) => f64::NAN,
        }
    }
}

/// Exact but for quantiles, and for the last digits of a sum in floating point.
fn assert_is(which: SampleStatistic, found: f64, truth: f64) {
    let stated = if which.quantile().is_some() { 1.0 / 1_024.0 } else { 1e-9 };
    assert!((found - truth).abs() <= truth.abs() * stated, "{which:?}: {found}, not {truth}");
}

/// Through the file, as everything that is shown goes.
fn from_file(results: &Results) -> Results {
    Results::parse(&serde_json::to_string(results).unwrap()).unwrap()
}

const QUIET: Known = Known { n: 20_000, base: 8_000, jitter: 4_000, every: 1_000, stall: 30_000 };
const STALLED: Known =
    Known { n: 20_000, base: 25_000, jitter: 10_000, every: 100, stall: 3_000_000 };

#[test]
fn every_number_of_the_file_is_the_one_that_was_put_in() {
    for known in [QUIET, STALLED] {
        let results = from_file(&known.results("known"));
        let series = &results.tests[0].series[0];
        assert_eq!(series.statistics.n, 20_000);
        for which in SampleStatistic::ALL {
            assert_is(which, which.of(&series.statistics).unwrap(), known.truth(which));
        }
    }
}

#[test]
fn the_summary_and_the_tables_say_these_numbers() {
    let results = from_file(&STALLED.results("known"));
    let statistics = &results.tests[0].series[0].statistics;
    let (text, table) = (summary(&results), statistics_csv(&results));
    for which in
        [SampleStatistic::Mean, SampleStatistic::Median, SampleStatistic::P99, SampleStatistic::Max]
    {
        let said = spoken(which.of(statistics).unwrap());
        assert!(text.contains(&said), "{which:?} {said}: {text}");
    }
    let row = |name: &str, value: String| table.contains(&format!(",{name},{value}"));
    assert!(row("n", "20000,count".into()), "{table}");
    assert!(row("max", format!("{},ns", STALLED.truth(SampleStatistic::Max))), "{table}");
}

#[test]
fn a_comparison_finds_which_is_better_by_how_much_and_whether_that_is_chance() {
    let runs = |known: Known, label: &'static str| {
        (0..4).map(move |i| Known { base: known.base + i, ..known }.results(label))
    };
    let all: Vec<Results> = runs(QUIET, "quiet").chain(runs(STALLED, "stalled")).collect();
    let found = compare(&all, PUBLISHED);
    let row = &found.rows[0];
    assert_eq!(found.rows.len(), 1);
    let measures = [
        ("max_us", SampleStatistic::Max),
        ("mean_us", SampleStatistic::Mean),
        ("median_us", SampleStatistic::Median),
        ("p99_us", SampleStatistic::P99),
    ];
    assert_eq!(row.differences.len(), measures.len());
    for (difference, (name, which)) in row.differences.iter().zip(measures) {
        assert_eq!(difference.measure, name);
        assert_eq!((difference.better, difference.agreement), (Some(0), Agreement::Exceeds));
        // The median of four runs whose bases are 0 to 3 ns apart is half way.
        let truth = |known: Known| known.truth(which) + 1.5;
        let ns = |amount: chronotap_timing::Amount| amount.value * 1e3;
        // A mean of whole numbers is exact but for the digits of its fraction.
        assert_is(SampleStatistic::Median, ns(difference.reference_value), truth(QUIET));
        assert_is(SampleStatistic::Median, ns(difference.other_value), truth(STALLED));
    }
    assert!(
        comparison_csv(&found).lines().any(|line| line.starts_with("stalled,wakeup,lateness,"))
    );
}

#[test]
fn the_verdict_counts_the_stalls_that_were_put_in() {
    let verdict = judge(&STALLED.results("known"), Purpose::Tapping);
    let Because::WakeUps(wakeups) = verdict.because else { panic!("{verdict:?}") };
    assert_eq!((wakeups.late, wakeups.n), (200, 20_000));
}

proptest! {
    #[test]
    fn whatever_is_put_in_comes_out(
        n in 2i64..2_000, base in 0i64..1_000_000, jitter in 0i64..100_000,
        every in 1i64..100, stall in 0i64..100_000_000,
    ) {
        let known = Known { n, base, jitter, every, stall };
        let results = from_file(&known.results("known"));
        for which in SampleStatistic::ALL {
            let found = which.of(&results.tests[0].series[0].statistics).unwrap();
            let (truth, sd) = (known.truth(which), known.truth(SampleStatistic::Sd));
            let stated = match which.quantile() {
                Some(_) => truth.abs() / 1_024.0,
                None => (truth.abs() + sd) * 1e-9 + 1e-3,
            };
            prop_assert!((found - truth).abs() <= stated, "{:?}: {}, not {}", which, found, truth);
        }
    }
}

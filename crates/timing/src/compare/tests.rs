use super::*;
use crate::{Found, Histogram, Length, Like, Series};
use chronotap_time::Nanos;

fn results(label: &str, late_us: i64, cores: &[&str]) -> Results {
    let series = |core: &&str| {
        let conditions =
            [("scheduling", "SCHED_FIFO 80, memory locked"), ("load", "none"), ("core", *core)];
        let times = (0..1_000).map(|i| Nanos::from_micros(late_us + i % 7));
        Series::of(Quantity::Lateness, &conditions, Histogram::of(times))
    };
    let series = cores.iter().map(series).collect();
    let mut results = Results::begin("chronotap", label, "2026-01-01T00:00:00Z", Length::Quick);
    results.tests.push(Found { test: "wakeup".into(), series, ..Found::default() });
    results
}

fn figure(test: &'static str) -> Published {
    Published {
        source: "a study",
        place: "a journal",
        system: "a machine",
        test,
        quantity: Quantity::Lateness,
        statistic: Statistic::Max,
        value_ns: 20_000.0,
        conditions: &[("scheduling", Like::Begins("SCHED_FIFO"))],
    }
}

#[test]
fn cores_count_together_so_that_machines_of_different_size_compare() {
    let found = compare(&[results("a", 20, &["0", "1"]), results("b", 40, &["0"])], &[]);
    assert_eq!((found.rows.len(), found.labels.len()), (1, 2));
    let row = &found.rows[0];
    assert!(!row.conditions.contains_key("core"));
    let n = |cell: &Option<Cell>| cell.as_ref().unwrap().statistics.n;
    assert_eq!((n(&row.cells[0]), n(&row.cells[1])), (2_000, 1_000));
    let median = &row.differences[0];
    assert_eq!((median.better(), median.statistic), (Some(0), Statistic::Median));
    assert!((median.ratio().unwrap() - 43.0 / 23.0).abs() < 0.01);
    assert_eq!(median.agreement, Agreement::SingleApart);
}

#[test]
fn files_with_one_label_are_its_runs() {
    let runs = |label: &str, from: i64| -> Vec<Results> {
        (0..4).map(|i| results(label, from + i, &["0"])).collect()
    };
    let found = compare(&[runs("a", 20), runs("b", 60)].concat(), &[]);
    assert_eq!(found.runs, [4, 4]);
    let median = &found.rows[0].differences[0];
    assert_eq!((median.reference_ns, median.agreement), (24_496.0, Agreement::Exceeds));
    assert_eq!(found.rows[0].cells[0].as_ref().unwrap().runs, 4);
}

#[test]
fn what_only_one_has_stands_alone_beside_the_published_figures() {
    let found = compare(&[results("a", 20, &["0"])], &[figure("wakeup"), figure("waits")]);
    assert!(found.rows[0].differences.is_empty());
    assert!(found.rows[0].published.iter().any(|figure| figure.value_ns == 20_000.0));
    assert_eq!(found.rows[0].published, [figure("wakeup")]);
}

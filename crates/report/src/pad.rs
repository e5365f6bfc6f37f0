//! What a pad made of strikes, by force: missed and doubled taps beside the delays. A band of
//! which every strike was missed has no delay, and stands here all the same. Where something was struck beside
//! the pad, both in one picture.

use crate::html::HtmlTable;
use crate::panels::label_of;
use crate::plot::{Forest, ForestMark, Marked};
use chronotap_timing::{Quantity, Results, SampleSeries, SampleStatistic};

/// A row for each band of force; empty where no pad was struck.
pub(crate) fn by_force(test: &str, all: &[Results]) -> String {
    let head = ["force", "strikes", "missed", "doubled", "mean", "SD", "median", "p99", "velocity"];
    let mut table =
        HtmlTable::new("The pad by force: strikes, and the delay to their messages", &head);
    for results in all {
        let found = results.tests.iter().filter(|found| found.test == test);
        let series = found.flat_map(|found| &found.series);
        for series in series.filter(|series| series.quantity == Quantity::PadDelay) {
            table.row(row(label_of(results, all), series));
        }
    }
    if table.is_empty() { String::new() } else { table.html() }
}

fn row(label: &str, series: &SampleSeries) -> Vec<String> {
    let figure = |name: &str| series.figures.get(name).copied();
    let counted = |count: &str, share: &str| match (figure(count), figure(share)) {
        (Some(count), Some(share)) => format!("{count} ({:.1} %)", share * 100.0),
        _ => "-".into(),
    };
    let force = series.condition("force").unwrap_or("all");
    let input = series.condition("beside").and(series.condition("input"));
    let whose: Vec<&str> = [Some(label), input, Some(force)].into_iter().flatten().collect();
    let name = whose.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
    let mut cells = vec![name, figure("strikes").map_or("-".into(), |count| count.to_string())];
    cells.push(counted("missed", "missed_share"));
    cells.push(counted("doubled", "doubled_share"));
    let shown =
        [SampleStatistic::Mean, SampleStatistic::Sd, SampleStatistic::Median, SampleStatistic::P99];
    cells.extend(shown.map(|which| which.said(&series.statistics)));
    cells.push(figure("velocity_mean").map_or("-".into(), |mean| format!("{mean:.0}")));
    cells
}

/// Which input is earlier, steadier and misses less: of the pad and of each beside it the mean delay with its
/// SD, and what it missed. Empty where nothing was struck beside a pad.
pub(crate) fn compared(test: &str, all: &[Results]) -> String {
    let of = |results| beside_in(test, results, label_of(results, all));
    all.iter().map(of).collect()
}

fn beside_in(test: &str, results: &Results, label: &str) -> String {
    let found = results.tests.iter().filter(|found| found.test == test);
    let series = found.flat_map(|found| &found.series);
    let is_all = |one: &&SampleSeries| {
        one.quantity == Quantity::PadDelay && one.condition("force") == Some("all")
    };
    let series: Vec<&SampleSeries> = series.filter(is_all).collect();
    if !series.iter().any(|one| one.condition("beside").is_some()) {
        return String::new();
    }
    let rows: Vec<Marked> = series.iter().map(|one| marked(one)).collect();
    let whose = if label.is_empty() { String::new() } else { format!("{label}: ") };
    let said: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let forest = Forest {
        title: format!("{whose}which is earlier, which is steadier, which misses less"),
        description: format!("{}.", said.join("; ")),
        label: "from strike to message, mean and SD (ms)".to_owned(),
        rows,
    };
    format!("<div class=\"plots alone\">\n{}</div>\n", forest.html())
}

/// Its name says what it missed; the bar is one SD to either side of the mean.
fn marked(series: &SampleSeries) -> Marked {
    let figure = |name: &str| series.figures.get(name).copied().unwrap_or(0.0);
    let input = series.condition("input").unwrap_or("the pad");
    let (missed, strikes) = (figure("missed"), figure("strikes"));
    let [mean, sd] =
        [series.statistics.mean_ns, series.statistics.sd_ns].map(|ns| ns.map(|ns| ns / 1e6));
    let delay = mean.zip(sd).map(|(mean, sd)| format!(", {mean:.2} ms (SD {sd:.2})"));
    let name = format!("{input}: missed {missed} of {strikes}{}", delay.unwrap_or_default());
    let bar = |mean: f64| ForestMark::At(mean, sd.map(|sd| (mean - sd, mean + sd)));
    Marked { name, mark: mean.map_or(ForestMark::Nothing, bar) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;
    use chronotap_timing::{Histogram, Length, TestFound};

    #[test]
    fn a_band_that_was_missed_as_a_whole_has_its_row() {
        let band = |force, delays: &[i64]| {
            let delays = Histogram::of(delays.iter().map(|ms| Nanos::from_millis(*ms)));
            SampleSeries::of(Quantity::PadDelay, &[("force", force)], delays).with("strikes", 4.0)
        };
        let hard = band("all", &[3, 5]).with("doubled", 1.0).with("doubled_share", 0.25);
        let soft = band("24 dB or more below", &[]).with("missed", 4.0).with("missed_share", 1.0);
        let mut results = Results::begin("", "here", "", Length::Quick);
        results.tests =
            vec![TestFound { series: vec![hard, soft], ..TestFound::of("tap-to-sound") }];
        let table = by_force("tap-to-sound", &[results]);
        assert!(table.contains("4 (100.0 %)") && table.contains("1 (25.0 %)"), "{table}");
        assert!(table.contains("4.00 ms"), "the mean of 3 and 5: {table}");
    }

    #[test]
    fn what_is_beside_a_pad_stands_with_it_in_one_picture() {
        let of = |conditions: &[(&str, &str)], ms: [i64; 2], missed: f64| {
            let delays = Histogram::of(ms.map(Nanos::from_millis));
            SampleSeries::of(
                Quantity::PadDelay,
                &[&[("force", "all")], conditions].concat(),
                delays,
            )
            .with("strikes", 9.0)
            .with("missed", missed)
        };
        let pad = of(&[("input", "alsa:pad")], [3, 5], 2.0);
        let sensor = of(&[("input", "sensor:x"), ("beside", "sensor")], [1, 1], 0.0);
        let mut results = Results::begin("", "here", "", Length::Quick);
        results.tests =
            vec![TestFound { series: vec![pad.clone(), sensor], ..TestFound::of("pad") }];
        let picture = compared("pad", &[results.clone()]);
        for part in
            ["alsa:pad: missed 2 of 9, 4.00 ms (SD", "sensor:x: missed 0 of 9, 1.00 ms (SD 0.00)"]
        {
            assert!(picture.contains(part), "{part}: {picture}");
        }
        let table = by_force("pad", &[results.clone()]);
        assert!(table.contains("sensor:x: all"), "{table}");
        results.tests[0].series = vec![pad];
        assert_eq!(compared("pad", &[results]), "", "a pad alone is compared with nothing");
    }
}

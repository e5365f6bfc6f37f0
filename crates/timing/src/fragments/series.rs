//! From what the player kept to the series, figures and notes of the results.

use super::{FragmentsTest, Tally};
use crate::doubts;
use crate::{Found, Histogram, Quantity, Series, Timed, spoken};
use chronotap_time::Nanos;

/// Adds both series: the cycles and the computing.
pub(super) fn add(test: &FragmentsTest, tally: &Tally, timed: &[Timed<()>], found: &mut Found) {
    for one in timed {
        doubts::of_thread(one, "fragments", found);
    }
    let buffer = test.buffer();
    let (fragment, ideal) =
        (buffer.fragment(), buffer.fragment() * i64::from(test.cpu_percent) / 100);
    let texts = [
        test.fragments.to_string(),
        test.bytes.to_string(),
        test.cpu_percent.to_string(),
        test.scheduling.to_string(),
    ];
    let names = ["fragments", "fragment_bytes", "cpu_percent", "scheduling"];
    let pairs: Vec<(&str, &str)> =
        names.into_iter().zip(texts.iter().map(String::as_str)).collect();
    let millis = |ms: f64| Nanos::round_from_f64(ms * 1e6);
    let cycles = Series::of(Quantity::FragmentCycle, &pairs, tally.cycles.clone())
        .with("fragment_ns", fragment.0 as f64)
        .with("buffer_ns", buffer.whole().0 as f64)
        .with("within_1_ms_share", within(&tally.cycles, fragment, millis(1.0)))
        .with("within_2_ms_share", within(&tally.cycles, fragment, millis(2.0)))
        .with("overruns", tally.overruns as f64)
        .with("dropouts", tally.dropouts as f64);
    let loops = Series::of(Quantity::FragmentLoop, &pairs, tally.loops.clone())
        .with("ideal_ns", ideal.0 as f64)
        .with("within_0_1_ms_share", within(&tally.loops, ideal, millis(0.1)))
        .with("within_0_2_ms_share", within(&tally.loops, ideal, millis(0.2)));
    let seconds = |at: &Nanos| at.as_secs_f64();
    let points = &tally.kept.points;
    let white = points.iter().map(|(at, cycle, _)| (seconds(at), cycle.as_millis_f64()));
    let green = points.iter().map(|(at, _, computed)| (seconds(at), computed.as_millis_f64()));
    doubts::note(found, row(test, &cycles, &loops));
    found.series.push(Series { curve: white.collect(), ..cycles });
    found.series.push(Series { curve: green.collect(), ..loops });
    remark(found);
}

/// What Senoner printed, as a sentence.
fn row(test: &FragmentsTest, cycles: &Series, loops: &Series) -> String {
    let figure = |of: &Series, name: &str| of.figures.get(name).copied().unwrap_or_default();
    let share = |of: &Series, name: &str| 100.0 * figure(of, name);
    format!(
        "{} fragments of {}, {} % computed: cycles within 1 ms {:.2} %, within 2 ms {:.2} %, {} \
         overruns, {} drop-outs; computing within 0.1 ms {:.2} %, within 0.2 ms {:.2} %",
        test.fragments,
        spoken(figure(cycles, "fragment_ns")),
        test.cpu_percent,
        share(cycles, "within_1_ms_share"),
        share(cycles, "within_2_ms_share"),
        figure(cycles, "overruns"),
        figure(cycles, "dropouts"),
        share(loops, "within_0_1_ms_share"),
        share(loops, "within_0_2_ms_share"),
    )
}

fn remark(found: &mut Found) {
    doubts::note(
        found,
        "fragments: the device is a timer and nobody hears it; what a sound card's driver and \
         interrupts add is not contained"
            .into(),
    );
}

/// The share of samples that are no further than this from the ideal; bins are counted
/// by their lower edge, at most a 1,024th from their samples.
fn within(all: &Histogram, ideal: Nanos, distance: Nanos) -> f64 {
    let near = |from_ns: i64| (Nanos(from_ns) - ideal).abs() <= distance;
    let count: u64 = all.bins().filter(|bin| near(bin.from_ns)).map(|bin| bin.count).sum();
    count as f64 / all.n().max(1) as f64
}

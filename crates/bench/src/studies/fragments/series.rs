//! From what the player kept to the series, figures and notes of the results.

use super::{FragmentsTest, PlayedCycles};
use crate::timing::{Histogram, Quantity, SampleSeries, TestFound, Timed, beside, doubts, spoken};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{CardName, Fragments};
use rustix::io::Errno;

/// Adds both series: the cycles and the computing.
pub(super) fn add(
    test: &FragmentsTest,
    card: &str,
    played: &PlayedCycles,
    timed: &[Timed<Result<(), Errno>>],
    (load, found): (&str, &mut TestFound),
) {
    timed.iter().for_each(|one| add_doubts(one, card, played, found));
    let conditions = conditions(test, card);
    let conditions: Vec<(&str, &str)> =
        conditions.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let (cycles, loops) = (cycles(test, played, &conditions), loops(test, played, &conditions));
    doubts::note(found, row(test, load, &cycles, &loops));
    found.series.push(cycles);
    found.series.push(loops);
    doubts::note(found, remark(test, card));
}

/// What casts doubt on the player's thread, and why the card ended early, where it did.
fn add_doubts(
    one: &Timed<Result<(), Errno>>,
    card: &str,
    played: &PlayedCycles,
    found: &mut TestFound,
) {
    doubts::of_thread(one, "fragments", found);
    if let Err(errno) = one.value {
        let n = played.cycles.n();
        let cure = "it is gone or stands still; plug it in again, or see `dmesg`";
        doubts::note(found, format!("{card} ended after {n} fragments: {errno}; {cure}"));
    }
}

fn conditions(test: &FragmentsTest, card: &str) -> [(&'static str, String); 6] {
    [
        ("card", card.to_owned()),
        ("fragments", test.fragments.to_string()),
        ("fragment_bytes", test.bytes.to_string()),
        ("rate_hz", test.rate_hz.to_string()),
        ("cpu_percent", test.cpu_percent.to_string()),
        ("scheduling", test.scheduling.to_string()),
    ]
}

/// From fragment to fragment; latencytest draws them white.
fn cycles(
    test: &FragmentsTest,
    played: &PlayedCycles,
    conditions: &[(&str, &str)],
) -> SampleSeries {
    let (shape, times) = (test.shape(), &played.cycles);
    let fragment = shape.fragment();
    let series = SampleSeries::of(Quantity::FragmentCycle, conditions, times.clone())
        .with("fragment_ns", fragment.0 as f64)
        .with("buffer_ns", shape.whole().0 as f64)
        .with("within_1_ms_share", within(times, fragment, Nanos::from_millis(1)))
        .with("within_2_ms_share", within(times, fragment, Nanos::from_millis(2)))
        .with("overruns", played.overruns as f64)
        .with("dropouts", played.dropouts as f64)
        .with("late_writes", played.late as f64);
    let series = match played.least_left {
        Some(left) => series.with("least_left_ns", left.0 as f64),
        None => series,
    };
    let points = played.kept.points.iter();
    let curve = points.map(|(at, cycle, _)| (at.as_secs_f64(), cycle.as_millis_f64()));
    SampleSeries { curve: curve.collect(), ..series }
}

/// The computing in each of them; latencytest draws it green.
fn loops(test: &FragmentsTest, played: &PlayedCycles, conditions: &[(&str, &str)]) -> SampleSeries {
    let times = &played.loops;
    let ideal = test.shape().fragment() * i64::from(test.cpu_percent) / 100;
    let series = SampleSeries::of(Quantity::FragmentLoop, conditions, times.clone())
        .with("ideal_ns", ideal.0 as f64)
        .with("within_0_1_ms_share", within(times, ideal, Nanos::from_micros(100)))
        .with("within_0_2_ms_share", within(times, ideal, Nanos::from_micros(200)));
    let points = played.kept.points.iter();
    let curve = points.map(|(at, _, computed)| (at.as_secs_f64(), computed.as_millis_f64()));
    SampleSeries { curve: curve.collect(), ..series }
}

/// What Senoner printed, as a sentence.
fn row(test: &FragmentsTest, load: &str, cycles: &SampleSeries, loops: &SampleSeries) -> String {
    let figure = |of: &SampleSeries, name: &str| of.figures.get(name).copied().unwrap_or_default();
    let share = |of: &SampleSeries, name: &str| 100.0 * figure(of, name);
    let what = format!(
        "{} fragments of {}, {} % computed",
        test.fragments,
        spoken(figure(cycles, "fragment_ns")),
        test.cpu_percent
    );
    format!(
        "{}: cycles within 1 ms {:.2} %, within 2 ms {:.2} %, {} \
         overruns, {} late and not heard, {} drop-outs; computing within 0.1 ms {:.2} %, within \
         0.2 ms {:.2} %",
        beside(&what, load),
        share(cycles, "within_1_ms_share"),
        share(cycles, "within_2_ms_share"),
        figure(cycles, "overruns"),
        figure(cycles, "late_writes"),
        figure(cycles, "dropouts"),
        share(loops, "within_0_1_ms_share"),
        share(loops, "within_0_2_ms_share"),
    )
}

/// What the device was, and how it was set up.
fn remark(test: &FragmentsTest, card: &str) -> String {
    if card == CardName::Virtual(None).to_string() {
        return "fragments: the device is a timer and nobody hears it; what a sound card's driver \
                and interrupts add is not contained"
            .into();
    }
    let Fragments { count, frames, rate_hz } = test.shape();
    format!(
        "fragments: {card} granted {count} fragments of {frames} frames, 16 bits, left and right, \
         {rate_hz} Hz, as asked; drop-outs are its own xruns"
    )
}

/// The share of samples that are no further than this from the ideal; bins are counted
/// by their lower edge, at most a 1,024th from their samples.
fn within(all: &Histogram, ideal: Nanos, distance: Nanos) -> f64 {
    let near = |from_ns: i64| (Nanos(from_ns) - ideal).abs() <= distance;
    let count: u64 = all.bins().filter(|bin| near(bin.from_ns)).map(|bin| bin.count).sum();
    count as f64 / all.n().max(1) as f64
}

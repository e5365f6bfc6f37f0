//! The pictures of a participant: taps by trial, asynchronies and intervals over time, and
//! directions. Trials lie over each other; conditions differ by colour where there are few.

use super::taken::Taken;
use super::words::{counted, grouped, number};
use crate::plot::{Axis, MOST_LINES, Plot, PlotLine, Rose};
use chronotap_analysis::circular;
use chronotap_data::tables::TapAt;
use std::collections::BTreeMap;

/// Most points of a picture; of more every second, third, … is drawn, and that is said.
const POINTS: usize = 1_500;
/// Most trials whose taps are drawn one below the other.
const TRIALS: usize = 40;

/// All pictures of an input against a stream.
pub(super) fn all(taken: &[Taken<'_>]) -> String {
    let asynchrony = |tap: &TapAt| Some((tap.at_s, tap.asynchrony_ms?));
    let interval = |tap: &TapAt| Some((tap.at_s, tap.interval_ms?));
    let mut html = taps(taken);
    html += &over_time(taken, "Asynchronies over time", "tap \u{2212} beat (ms)", &asynchrony);
    html += &over_time(taken, "Intervals over time", "interval (ms)", &interval);
    html + &roses(taken)
}

/// The taps and beats of each trial in a row of its own.
fn taps(taken: &[Taken<'_>]) -> String {
    let shown = &taken[..taken.len().min(TRIALS)];
    let places = |times: &dyn Fn(&Taken<'_>) -> Vec<f64>| -> Vec<(f64, f64)> {
        let rows = shown.iter().enumerate();
        rows.flat_map(|(row, one)| times(one).into_iter().map(move |at| (at, row as f64 + 1.0)))
            .collect()
    };
    let beats = places(&|one| one.pair.beats_s.clone());
    let beats: Vec<_> = beats.into_iter().map(|(at, row)| (at, row + 0.28)).collect();
    let taps = places(&|one| one.pair.taps.iter().map(|tap| tap.at_s).collect());
    let left_out = places(&|one| one.pair.left_out_s.clone());
    let lines = [("taps", taps), ("beats", beats), ("taps left out", left_out)];
    let lines: Vec<PlotLine> = lines
        .into_iter()
        .filter(|(_, places)| !places.is_empty())
        .map(|(name, places)| PlotLine::strokes(name, thinned(places).0))
        .collect();
    let length = shown.iter().map(|one| one.length_s).fold(1.0, f64::max);
    let all: usize = taken.iter().map(|one| one.pair.taps.len()).sum();
    let more = match taken.len() - shown.len() {
        0 => String::new(),
        more => format!("; the first {TRIALS} trials are drawn, {more} are not"),
    };
    Plot {
        title: "Taps".into(),
        description: format!("{} in {}{more}.", counted(all, "tap"), counted(taken.len(), "trial")),
        x: Axis::linear("seconds", 0.0, length),
        y: Axis::counted("trial", 0.5, shown.len() as f64 + 0.7),
        lines,
    }
    .html()
}

/// Every k-th point, and k.
fn thinned(points: Vec<(f64, f64)>) -> (Vec<(f64, f64)>, usize) {
    let every = points.len().div_ceil(POINTS).max(1);
    (points.into_iter().step_by(every).collect(), every)
}

/// The taps of each condition by its name; of too many conditions, all together.
fn by_condition<'a>(taken: &'a [Taken<'a>]) -> Vec<(&'a str, Vec<&'a Taken<'a>>)> {
    let mut groups: BTreeMap<&str, Vec<&Taken<'_>>> = BTreeMap::new();
    for one in taken {
        groups.entry(&one.condition).or_default().push(one);
    }
    match groups.len() > MOST_LINES {
        true => vec![("all conditions", taken.iter().collect())],
        false => groups.into_iter().collect(),
    }
}

fn over_time(
    taken: &[Taken<'_>],
    title: &str,
    label: &str,
    value: &dyn Fn(&TapAt) -> Option<(f64, f64)>,
) -> String {
    let of = |group: &[&Taken<'_>]| -> Vec<(f64, f64)> {
        group.iter().flat_map(|one| one.pair.taps.iter().filter_map(value)).collect()
    };
    let groups: Vec<(&str, Vec<(f64, f64)>)> =
        by_condition(taken).into_iter().map(|(name, group)| (name, of(&group))).collect();
    let all: Vec<(f64, f64)> =
        groups.iter().flat_map(|(_, points)| points.iter().copied()).collect();
    if all.is_empty() {
        return String::new();
    }
    let every = all.len().div_ceil(POINTS).max(1);
    let (low, high) = extent(all.iter().map(|(_, value)| *value));
    let mean = all.iter().map(|(_, value)| value).sum::<f64>() / all.len() as f64;
    let drawn = match every {
        1 => String::new(),
        k => format!(" One of {k} of {} is drawn.", grouped(all.len())),
    };
    let lines = groups.into_iter().filter(|(_, points)| !points.is_empty());
    let lines = lines
        .map(|(name, points)| PlotLine::dots(name, points.into_iter().step_by(every).collect()));
    let room = ((high - low) * 0.06).max(1.0);
    let length = taken.iter().map(|one| one.length_s).fold(1.0, f64::max);
    Plot {
        title: title.to_owned(),
        description: format!(
            "Mean {} ms, from {} to {} ms.{drawn}",
            number(mean, 1),
            number(low, 1),
            number(high, 1)
        ),
        x: Axis::linear("seconds", 0.0, length),
        y: Axis::linear(label, low - room, high + room),
        lines: lines.collect(),
    }
    .html()
}

/// The least and the greatest.
pub(super) fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let ends = values.fold((f64::MAX, f64::MIN), |(least, most), v| (least.min(v), most.max(v)));
    if ends.0 > ends.1 { (0.0, 1.0) } else { ends }
}

fn roses(taken: &[Taken<'_>]) -> String {
    let groups = by_condition(taken);
    let several = groups.len() > 1;
    let rose = |(name, group): (&str, Vec<&Taken<'_>>)| {
        let angles: Vec<f64> =
            group.iter().flat_map(|one| one.pair.angles.iter().copied()).collect();
        let Some(found) = circular::describe(&angles) else { return String::new() };
        let title = if several { format!("Directions, {name}") } else { "Directions".into() };
        let direction = found.direction_rad.unwrap_or(0.0);
        let share = 100.0 * direction / std::f64::consts::TAU;
        let description = format!(
            "R = {}, mean direction {} rad ({} % of the interval), {}.",
            number(found.resultant, 3),
            number(direction, 3),
            number(share, 1),
            counted(angles.len(), "tap")
        );
        let mean = found.direction_rad.map(|direction| (found.resultant, direction));
        Rose { title, description, angles, mean }.html()
    };
    groups.into_iter().map(rose).collect()
}

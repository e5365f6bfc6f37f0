//! How the values of people are spread, at each step or session of the outcome.

use super::words::capital;
use crate::plot::{Axis, LineForm, MOST_LINES, Plot, PlotLine, extent};
use chronotap_data::tables::{LevelMean, OutcomeFound};

/// Fewest people whose values are shown so.
const FEWEST: usize = 8;

/// The figure; empty where the outcome is not over steps or sessions, or has too few people.
pub(super) fn histograms(found: &OutcomeFound) -> String {
    let again = matches!(found.outcome.over.as_deref(), Some("step" | "session"));
    let many = |level: &&LevelMean| level.values.len() >= FEWEST;
    let levels: Vec<&LevelMean> = found.levels.iter().filter(many).take(MOST_LINES).collect();
    let all = || levels.iter().flat_map(|level| level.values.iter().copied());
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::MIN, f64::max));
    if !again || levels.is_empty() || low >= high {
        return String::new();
    }
    let most = levels.iter().map(|level| level.values.len()).max().unwrap_or(1);
    let edges = edges(low, high, bins(most));
    let lines: Vec<PlotLine> = levels.iter().map(|level| line(level, &edges)).collect();
    let top = lines.iter().flat_map(|line| &line.points).map(|(_, count)| *count);
    let top = top.fold(1.0, f64::max);
    let unit = if found.unit.is_empty() { String::new() } else { format!(" ({})", found.unit) };
    let of = &found.outcome;
    let (least, most) = extent([low, high].into_iter());
    let figure = Plot {
        title: format!("{}: people", capital(&of.to_string())),
        description: format!(
            "How many people have which value, from {low:.0} to {high:.0}{}.",
            unit.replace(['(', ')'], "")
        ),
        x: Axis::linear(&format!("{of}{unit}"), least, most),
        y: Axis::linear("people", 0.0, top),
        lines,
    };
    format!("<div class=\"plots alone\">\n{}</div>\n", figure.html())
}

/// By the rule of Sturges (1926).
fn bins(people: usize) -> usize {
    libm::log2(people as f64).ceil() as usize + 1
}

fn edges(low: f64, high: f64, bins: usize) -> Vec<f64> {
    (0..=bins).map(|edge| low + (high - low) * edge as f64 / bins as f64).collect()
}

/// From each edge on the number of people up to the next; the last value belongs to the last bin.
fn line(level: &LevelMean, edges: &[f64]) -> PlotLine {
    let last = edges.len() - 2;
    let count = |bin: usize| {
        let inside =
            |value: &&f64| **value >= edges[bin] && (**value < edges[bin + 1] || bin == last);
        level.values.iter().filter(inside).count() as f64
    };
    let mut points: Vec<(f64, f64)> = (0..=last).map(|bin| (edges[bin], count(bin))).collect();
    points.push((edges[last + 1], 0.0));
    PlotLine { name: level.name.clone().unwrap_or_default(), points, form: LineForm::Steps }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_one_bin() {
        let values = vec![1.0, 2.0, 2.9, 3.0, 4.0];
        let level = LevelMean { name: None, values, mean: 0.0, interval: None };
        let found = line(&level, &edges(1.0, 4.0, 3));
        assert_eq!(found.points, [(1.0, 1.0), (2.0, 2.0), (3.0, 2.0), (4.0, 0.0)]);
        assert_eq!((bins(8), bins(20)), (4, 6));
    }
}

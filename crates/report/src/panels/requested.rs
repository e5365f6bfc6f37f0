//! Ways to wait against the time that was asked for: median lateness by mechanism.

use super::Labelled;
use crate::plot::{Axis, Line, MOST_LINES, Plot, shortened};
use crate::words::condition;
use chronotap_timing::{Quantity, Statistic};

/// Where lines begin to be worth drawing on a logarithmic axis, in microseconds.
const LEAST_US: f64 = 0.01;

/// One plot for each quantity, statistic and set of conditions but the mechanism and
/// the requested time.
pub(super) fn plots(all: &[Labelled<'_>]) -> Vec<Plot> {
    let mut groups: Vec<(Quantity, String, Vec<Line>)> = Vec::new();
    for one in all {
        let Some(point) = point(one) else { continue };
        let (conditions, name) = (others(one), name(one));
        let quantity = one.series.quantity;
        let group = groups.iter_mut().find(|(q, c, _)| *q == quantity && *c == conditions);
        let lines = match group {
            Some((_, _, lines)) => lines,
            None => {
                groups.push((quantity, conditions, Vec::new()));
                let last = groups.len() - 1;
                &mut groups[last].2
            }
        };
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push(point),
            None => lines.push(Line::through(&name, vec![point])),
        }
    }
    let mut plots = Vec::new();
    for (quantity, conditions, mut lines) in groups {
        while !lines.is_empty() {
            let rest = lines.split_off(lines.len().min(MOST_LINES));
            plots.push(plot(quantity, &conditions, lines));
            lines = rest;
        }
    }
    plots
}

/// Requested time and median, in microseconds.
fn point(one: &Labelled<'_>) -> Option<(f64, f64)> {
    let requested = one.series.condition("requested_us")?.parse().ok()?;
    let median = Statistic::Median.of(&one.series.statistics)?;
    Some((requested, (median / 1e3).max(LEAST_US)))
}

fn name(one: &Labelled<'_>) -> String {
    let mechanism = one.series.condition("mechanism").unwrap_or("all");
    if one.label.is_empty() {
        mechanism.into()
    } else {
        format!("{}, {mechanism}", shortened(one.label, 20))
    }
}

fn others(one: &Labelled<'_>) -> String {
    let told = ["mechanism", "requested_us", "core", "run"];
    let others = one.series.conditions.iter().filter(|(name, _)| !told.contains(&name.as_str()));
    others.map(|(name, value)| condition(name, value)).collect::<Vec<_>>().join(", ")
}

fn plot(quantity: Quantity, conditions: &str, mut lines: Vec<Line>) -> Plot {
    for line in &mut lines {
        line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let xs = || lines.iter().flat_map(|line| line.points.iter().map(|(x, _)| *x));
    let ys = || lines.iter().flat_map(|line| line.points.iter().map(|(_, y)| *y));
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::MAX, f64::min);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let what = quantity.describe().split(':').next().unwrap_or_default();
    let name = |line: &Line| {
        let last = line.points.last().copied().unwrap_or_default();
        format!("{} {:.1} us at {:.0} us", line.name, last.1, last.0)
    };
    Plot {
        title: format!("Median {what} by mechanism and requested time: {conditions}"),
        description: lines.iter().map(name).collect::<Vec<_>>().join("; "),
        x: Axis::logarithmic("requested (us)", least(&mut xs()) * 0.8, most(&mut xs()) * 1.25),
        y: Axis::logarithmic(
            &format!("median {what} (us)"),
            least(&mut ys()) * 0.7,
            most(&mut ys()) * 1.5,
        ),
        lines,
    }
}

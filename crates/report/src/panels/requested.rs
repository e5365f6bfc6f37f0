//! Ways to wait against the time that was asked for: median lateness by mechanism.

use super::{Labelled, add_point, in_plots};
use crate::plot::{Axis, Plot, PlotLine, shortened};
use crate::words::{in_a_word, words};
use chronotap_timing::{Quantity, SampleStatistic};

/// Where lines begin to be worth drawing on a logarithmic axis, in microseconds.
const LEAST_US: f64 = 0.01;

/// One plot for each quantity, statistic and set of conditions but the mechanism and
/// the requested time.
pub(super) fn plots(all: &[Labelled<'_>]) -> Vec<Plot> {
    let mut groups: Vec<(Quantity, String, Vec<PlotLine>)> = Vec::new();
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
        add_point(lines, &name, point);
    }
    let plots = groups.into_iter().map(|(quantity, conditions, lines)| {
        in_plots(lines, |lines| plot(quantity, &conditions, lines))
    });
    plots.flatten().collect()
}

/// Requested time and median, in microseconds.
fn point(one: &Labelled<'_>) -> Option<(f64, f64)> {
    let requested = one.series.condition("requested_us")?.parse().ok()?;
    let median = SampleStatistic::Median.of(&one.series.statistics)?;
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
    words(&one.series.conditions, |name| !told.contains(&name))
}

fn plot(quantity: Quantity, conditions: &str, lines: Vec<PlotLine>) -> Plot {
    let xs = || lines.iter().flat_map(|line| line.points.iter().map(|(x, _)| *x));
    let ys = || lines.iter().flat_map(|line| line.points.iter().map(|(_, y)| *y));
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::MAX, f64::min);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let what = in_a_word(quantity);
    let name = |line: &PlotLine| {
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

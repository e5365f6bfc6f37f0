//! The pairs of graphs of Vignati et al. (2022), figure 2: for each period the largest
//! number of instances on a track, and the load of one, over the number of tracks.

use super::{Labelled, add_point, in_plots};
use crate::plot::{Axis, Plot, PlotLine};
use crate::words::{plugin, words};
use chronotap_timing::Quantity;

/// Conditions that are not told in the title.
const DRAWN: [&str; 2] = ["tracks", "plugin"];
/// Both graphs: figure, unit of the figure in the graph, title, axis.
const GRAPHS: [Graph; 2] = [
    ("instances_per_track", 1.0, "Most instances per track", "instances per track"),
    ("load_per_instance", 100.0, "DSP load per instance", "percent of the period"),
];

/// Two for each period and set of conditions.
pub(super) fn plots(all: &[Labelled<'_>]) -> Vec<Plot> {
    let cells = all.iter().filter(|one| one.series.quantity == Quantity::DspCycle);
    let mut groups: Vec<(String, Vec<&Labelled<'_>>)> = Vec::new();
    for cell in cells {
        let name = conditions(cell);
        match groups.iter_mut().find(|(conditions, _)| *conditions == name) {
            Some((_, cells)) => cells.push(cell),
            None => groups.push((name, vec![cell])),
        }
    }
    let pair = |(name, cells): &(String, Vec<&Labelled<'_>>)| {
        GRAPHS.map(|graph| graphs(graph, name, cells)).into_iter().flatten().collect::<Vec<_>>()
    };
    groups.iter().flat_map(pair).collect()
}

type Graph = (&'static str, f64, &'static str, &'static str);

/// One graph, or several where there are more lines than can be told apart.
fn graphs(graph: Graph, name: &str, cells: &[&Labelled<'_>]) -> Vec<Plot> {
    let (figure, unit, ..) = graph;
    let mut lines: Vec<PlotLine> = Vec::new();
    for cell in cells {
        let Some(point) = point(cell, figure, unit) else { continue };
        add_point(&mut lines, &line(cell), point);
    }
    in_plots(lines, |lines| plot(graph, name, lines))
}

fn plot((_, _, title, axis): Graph, name: &str, lines: Vec<PlotLine>) -> Plot {
    let points = || lines.iter().flat_map(|line| &line.points);
    let tracks = points().map(|point| point.0).fold(0.0, f64::max);
    let most = points().map(|point| point.1).fold(0.0, f64::max);
    Plot {
        title: format!("{title}: {name}"),
        description: lines.iter().map(described).collect::<Vec<_>>().join("; "),
        x: Axis::linear("tracks", 0.5, tracks + 0.5),
        y: Axis::linear(axis, 0.0, most * 1.15),
        lines,
    }
}

fn point(cell: &Labelled<'_>, figure: &str, unit: f64) -> Option<(f64, f64)> {
    let tracks = cell.series.condition("tracks")?.parse().ok()?;
    Some((tracks, cell.series.figures.get(figure)? * unit))
}

fn line(cell: &Labelled<'_>) -> String {
    let plugin = plugin(cell.series.condition("plugin").unwrap_or("all"));
    if cell.label.is_empty() { plugin.into() } else { format!("{}, {plugin}", cell.label) }
}

fn described(line: &PlotLine) -> String {
    let points = line.points.iter().map(|(tracks, value)| match value {
        value if *value < 10.0 && value.fract() != 0.0 => format!("{value:.3} on {tracks}"),
        value => format!("{value:.0} on {tracks}"),
    });
    format!("{}: {}", line.name, points.collect::<Vec<_>>().join(", "))
}

fn conditions(cell: &Labelled<'_>) -> String {
    words(&cell.series.conditions, |name| !DRAWN.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;
    use chronotap_timing::{Histogram, SampleSeries};

    #[test]
    fn each_period_has_its_pair_with_a_line_for_each_plugin() {
        let cell = |frames: &str, tracks: &str, plugin: &str, instances: f64| {
            let conditions = [("period_frames", frames), ("tracks", tracks), ("plugin", plugin)];
            SampleSeries::of(Quantity::DspCycle, &conditions, Histogram::of([Nanos(1)]))
                .with("instances_per_track", instances)
                .with("load_per_instance", 0.004)
        };
        let cells = [
            cell("64", "2", "light", 90.0),
            cell("64", "1", "light", 120.0),
            cell("64", "1", "heavy", 60.0),
            cell("256", "1", "light", 200.0),
        ];
        let all: Vec<_> = cells.iter().map(|series| Labelled { label: "", series }).collect();
        let found = plots(&all);
        assert_eq!(found.len(), 4);
        let light = &found[0].lines[0];
        assert_eq!(light.points, [(1.0, 120.0), (2.0, 90.0)]);
        assert_eq!(found[0].lines.len(), 2);
        assert!(found[1].description.contains("light: 0.400 on 1, 0.400 on 2"));
    }
}

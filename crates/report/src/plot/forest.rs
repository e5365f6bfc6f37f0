//! [`Forest`]: estimates under each other, each a dot with its interval on a common axis, the
//! name above it so that long names are read on a phone too.

use super::axis::{Axis, extent};
use crate::html::escape;
use std::fmt::Write;

const WIDTH: f64 = 480.0;
const LEFT: f64 = 16.0;
const RIGHT: f64 = 24.0;
const ROW: f64 = 40.0;
const BOTTOM: f64 = 46.0;
/// So many letters of a name have room above its interval.
const LETTERS: usize = 60;

/// Estimates on a common axis.
pub struct Forest {
    /// What it shows, in a few words.
    pub title: String,
    /// The same for those who cannot see it: a sentence with the figures.
    pub description: String,
    /// What is on the axis, with the unit.
    pub label: String,
    pub rows: Vec<Marked>,
}

pub struct Marked {
    pub name: String,
    pub value: f64,
    /// The ends of its interval, where it has one.
    pub interval: Option<(f64, f64)>,
}

impl Forest {
    /// As a figure with its caption.
    pub fn html(&self) -> String {
        let height = ROW * self.rows.len() as f64 + BOTTOM;
        let axis = self.axis();
        let mut svg = ticks(&axis, height - BOTTOM);
        for (place, row) in self.rows.iter().enumerate() {
            draw(&mut svg, &axis, row, ROW * place as f64);
        }
        let _ = write!(
            svg,
            "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            WIDTH / 2.0,
            height - 8.0,
            escape(&self.label)
        );
        super::figure((WIDTH, height), &self.title, &self.description, &svg)
    }

    fn axis(&self) -> Axis {
        let ends = self.rows.iter().flat_map(|row| {
            let (low, high) = row.interval.unwrap_or((row.value, row.value));
            [row.value, low, high]
        });
        let (least, most) = extent(ends);
        let room = ((most - least) * 0.08).max(most.abs().max(least.abs()) * 0.01).max(1e-6);
        Axis::linear(&self.label, least - room, most + room)
    }
}

fn across(axis: &Axis, value: f64) -> f64 {
    LEFT + axis.share(value).unwrap_or(0.0) * (WIDTH - LEFT - RIGHT)
}

fn ticks(axis: &Axis, base: f64) -> String {
    let mut svg = format!("<path class=\"frame\" d=\"M{LEFT} {base}H{}\"/>", WIDTH - RIGHT);
    for (value, text) in axis.ticks() {
        let x = across(axis, value);
        let _ = writeln!(
            svg,
            "<path class=\"tick\" d=\"M{x:.1} 0V{}\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
            base + 4.0,
            base + 20.0
        );
    }
    svg
}

fn draw(svg: &mut String, axis: &Axis, row: &Marked, top: f64) {
    let y = top + 28.0;
    let _ = write!(
        svg,
        "<text x=\"{LEFT}\" y=\"{}\">{}</text><g class=\"l0\">",
        top + 16.0,
        escape(&super::shortened(&row.name, LETTERS))
    );
    if let Some((low, high)) = row.interval {
        let (from, to) = (across(axis, low), across(axis, high));
        let _ = write!(
            svg,
            "<path class=\"line\" d=\"M{from:.1} {y}H{to:.1}M{from:.1} {}v8M{to:.1} {}v8\"/>",
            y - 4.0,
            y - 4.0
        );
    }
    let x = across(axis, row.value);
    let _ = writeln!(svg, "<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y}\" r=\"4.5\"/></g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_and_none_make_a_picture_all_the_same() {
        let row = |value| Marked { name: "<a>".into(), value, interval: None };
        for rows in [vec![], vec![row(0.0)], vec![row(5.0), row(5.0)]] {
            let forest =
                Forest { title: "t".into(), description: String::new(), label: "ms".into(), rows };
            let html = forest.html();
            assert!(!html.contains("NaN") && !html.contains("inf") && !html.contains("<a>"));
        }
    }
}

//! [`Forest`]: estimates under each other, each a dot with its interval on a common axis, the
//! name above it so that long names are read on a phone too. Of what only a side is known, an arrow goes from there to
//! the end of the axis: no place on it is claimed.

use super::axis::{Axis, extent};
use crate::escape;
use std::fmt::Write;

const WIDTH: f64 = 480.0;
const LEFT: f64 = 16.0;
const RIGHT: f64 = 24.0;
const ROW: f64 = 40.0;
const BOTTOM: f64 = 46.0;
/// The least length of an arrow, as a share of what is drawn besides.
const ARROW: f64 = 0.25;
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
    pub mark: ForestMark,
}

/// What is drawn of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ForestMark {
    /// A value, and the ends of its interval where it has one.
    At(f64, Option<(f64, f64)>),
    /// That it is above this.
    Above(f64),
    Below(f64),
    /// That it hardly differs from this.
    About(f64),
    /// Its name alone.
    Nothing,
}

impl ForestMark {
    /// The value that is marked, where one is.
    pub fn value(self) -> Option<f64> {
        if let ForestMark::At(value, _) = self { Some(value) } else { None }
    }
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
        let (least, most) = self.ends();
        let room = ((most - least) * 0.08).max(most.abs().max(least.abs()) * 0.01).max(1e-6);
        Axis::linear(&self.label, least - room, most + room)
    }

    /// The least and the greatest that are drawn, with room for the arrows.
    fn ends(&self) -> (f64, f64) {
        let ends = self.rows.iter().flat_map(|row| match row.mark {
            ForestMark::At(value, interval) => {
                let (low, high) = interval.unwrap_or((value, value));
                vec![value, low, high]
            }
            ForestMark::Above(bound) | ForestMark::Below(bound) | ForestMark::About(bound) => {
                vec![bound]
            }
            ForestMark::Nothing => Vec::new(),
        });
        let (least, most) = extent(ends);
        let arrow = ((most - least) * ARROW).max(most.abs().max(least.abs()) * 0.1).max(1e-3);
        let room = self.rows.iter().flat_map(|row| match row.mark {
            ForestMark::Above(bound) => vec![bound + arrow],
            ForestMark::Below(bound) => vec![bound - arrow],
            _ => Vec::new(),
        });
        extent([least, most].into_iter().chain(room))
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
    *svg += &match row.mark {
        ForestMark::At(value, interval) => dot(
            across(axis, value),
            y,
            interval.map(|(low, high)| (across(axis, low), across(axis, high))),
        ),
        ForestMark::Above(bound) => arrow(across(axis, bound), WIDTH - RIGHT, y),
        ForestMark::Below(bound) => arrow(across(axis, bound), LEFT, y),
        ForestMark::About(bound) => upright(across(axis, bound), y),
        ForestMark::Nothing => String::new(),
    };
    *svg += "</g>\n";
}

fn dot(x: f64, y: f64, interval: Option<(f64, f64)>) -> String {
    let whole = interval.map_or_else(String::new, |(from, to)| {
        let top = y - 4.0;
        format!(
            "<path class=\"line\" d=\"M{from:.1} {y}H{to:.1}M{from:.1} {top}v8M{to:.1} {top}v8\"/>"
        )
    });
    whole + &format!("<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y}\" r=\"4.5\"/>")
}

/// From a bound to the end of the axis, which has a head.
fn arrow(from: f64, to: f64, y: f64) -> String {
    let back = to + if to > from { -7.0 } else { 7.0 };
    let head = format!("M{back:.1} {}L{to:.1} {y}L{back:.1} {}", y - 5.0, y + 5.0);
    upright(from, y) + &format!("<path class=\"line\" d=\"M{from:.1} {y}H{to:.1}{head}\"/>")
}

fn upright(x: f64, y: f64) -> String {
    format!("<path class=\"line\" d=\"M{x:.1} {}v12\"/>", y - 6.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_and_none_make_a_picture_all_the_same() {
        let row = |mark| Marked { name: "<a>".into(), mark };
        let at = |value| row(ForestMark::At(value, None));
        let sides = [
            ForestMark::Above(0.0),
            ForestMark::Below(0.0),
            ForestMark::About(0.0),
            ForestMark::Nothing,
        ];
        for rows in [vec![], vec![at(0.0)], vec![at(5.0), at(5.0)], sides.map(row).into()] {
            let forest =
                Forest { title: "t".into(), description: String::new(), label: "ms".into(), rows };
            let html = forest.html();
            assert!(!html.contains("NaN") && !html.contains("inf") && !html.contains("<a>"));
        }
    }
}

//! [`Line`]: one line of a plot and its entry in the legend.

use crate::html::escape;
use std::fmt::Write;

/// So many lines can be told apart without colour.
pub const MOST_LINES: usize = 6;
/// Dash patterns, one for each line.
const DASHES: [&str; MOST_LINES] = ["", "7 3", "2 2", "9 2 2 2", "4 4", "1 4"];
/// No more points than a picture has columns, about, are marked.
const MARKS: usize = 14;

/// One line.
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Where it goes, by rising x.
    pub points: Vec<(f64, f64)>,
    /// Whether it goes in steps, as a histogram does, down to the axis.
    pub steps: bool,
}

impl Line {
    /// The outline of a histogram: each point is a bin's beginning and its height.
    pub fn steps(name: &str, points: Vec<(f64, f64)>) -> Line {
        Line { name: name.into(), points, steps: true }
    }

    /// From point to point.
    pub fn through(name: &str, points: Vec<(f64, f64)>) -> Line {
        Line { name: name.into(), points, steps: false }
    }
}

/// A line through places in the picture.
pub(super) fn draw(at: usize, line: &Line, places: Vec<(f64, f64)>, base: f64) -> String {
    let Some(first) = places.first() else { return String::new() };
    let mut path = match line.steps {
        true => format!("M{:.1} {base:.1}V{:.1}", first.0, first.1),
        false => format!("M{:.1} {:.1}", first.0, first.1),
    };
    for (x, y) in &places[1..] {
        let _ = match line.steps {
            true => write!(path, "H{x:.1}V{y:.1}"),
            false => write!(path, "L{x:.1} {y:.1}"),
        };
    }
    let marks: String = match line.steps {
        true => String::new(),
        false => {
            places.iter().step_by(places.len().div_ceil(MARKS)).map(|p| mark(at, *p)).collect()
        }
    };
    format!(
        "<g class=\"{}\"><path class=\"line\"{} d=\"{path}\"/>{marks}</g>\n",
        class(at),
        dash(at)
    )
}

/// An entry of the legend: a piece of the line, its marker, its name.
pub(super) fn legend(at: usize, line: &Line, (x, y): (f64, f64)) -> String {
    let mark = if line.steps { String::new() } else { mark(at, (x + 16.0, y)) };
    format!(
        "<g class=\"{}\"><path class=\"line\"{} d=\"M{x} {y}h32\"/>{mark}</g>\
         <text x=\"{}\" y=\"{}\">{}</text>\n",
        class(at),
        dash(at),
        x + 40.0,
        y + 4.0,
        escape(&shortened(&line.name, LETTERS))
    )
}

/// The picture has room for about so many letters.
const LETTERS: usize = 46;

/// A name of at most so many letters.
pub(crate) fn shortened(name: &str, letters: usize) -> String {
    match name.chars().count() > letters {
        true => name.chars().take(letters - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

fn class(at: usize) -> String {
    format!("l{}", at % MOST_LINES)
}

fn dash(at: usize) -> String {
    match DASHES[at % MOST_LINES] {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    }
}

/// A marker: disc, square, triangle, cross, diamond, ring.
fn mark(at: usize, (x, y): (f64, f64)) -> String {
    match at % MOST_LINES {
        0 => format!("<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\"/>"),
        1 => format!("<path class=\"mark\" d=\"M{:.1} {:.1}h6v6h-6z\"/>", x - 3.0, y - 3.0),
        2 => format!("<path class=\"mark\" d=\"M{x:.1} {:.1}l4 7h-8z\"/>", y - 4.5),
        3 => format!("<path class=\"cross\" d=\"M{:.1} {:.1}l6 6m0 -6l-6 6\"/>", x - 3.0, y - 3.0),
        4 => format!("<path class=\"mark\" d=\"M{x:.1} {:.1}l4 4l-4 4l-4 -4z\"/>", y - 4.0),
        _ => format!("<circle class=\"cross\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\"/>"),
    }
}

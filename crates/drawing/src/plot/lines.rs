//! [`PlotLine`]: one line of a plot and its entry in the legend.

use crate::escape;
use std::fmt::Write;

/// So many lines can be told apart without colour.
pub const MOST_LINES: usize = 6;
/// Dash patterns, one for each line.
const DASHES: [&str; MOST_LINES] = ["", "7 3", "2 2", "9 2 2 2", "4 4", "1 4"];
/// No more points than a picture has columns, about, are marked.
const MARKS: usize = 14;
/// Half the height of a stroke.
const STROKE: f64 = 3.0;

/// The places of the least and the greatest y of a point.
pub(super) type Ends = ((f64, f64), (f64, f64));

#[derive(Clone, Debug, PartialEq)]
pub struct PlotLine {
    /// Its name in the legend.
    pub name: String,
    /// Where it goes, by rising x.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub form: LineForm,
}

/// How a line is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum LineForm {
    /// From point to point, with markers.
    Through,
    /// In steps, as a histogram, down to the axis.
    Steps,
    /// A dot at each point.
    Dots,
    /// An upright stroke at each point.
    Strokes,
    /// From point to point, with the least and the greatest y of each as a band.
    Band(Vec<(f64, f64)>),
}

impl PlotLine {
    /// The outline of a histogram: each point is a bin's beginning and its height.
    pub fn steps(name: &str, points: Vec<(f64, f64)>) -> PlotLine {
        PlotLine { name: name.into(), points, form: LineForm::Steps }
    }

    /// From point to point.
    pub fn through(name: &str, points: Vec<(f64, f64)>) -> PlotLine {
        PlotLine { name: name.into(), points, form: LineForm::Through }
    }

    pub fn dots(name: &str, points: Vec<(f64, f64)>) -> PlotLine {
        PlotLine { name: name.into(), points, form: LineForm::Dots }
    }

    pub fn strokes(name: &str, points: Vec<(f64, f64)>) -> PlotLine {
        PlotLine { name: name.into(), points, form: LineForm::Strokes }
    }
}

/// A line through places in the picture; `band` are the places of its band.
pub(super) fn draw(
    at: usize,
    form: &LineForm,
    places: &[(f64, f64)],
    band: &[Ends],
    base: f64,
) -> String {
    if places.is_empty() {
        return String::new();
    }
    let inside = match form {
        LineForm::Dots => places.iter().map(|place| dot(*place)).collect(),
        LineForm::Strokes => strokes(places),
        LineForm::Steps => outline(at, &stepped(places, base)),
        LineForm::Through => outline(at, &path(places)) + &marks(at, places),
        LineForm::Band(_) => area(band) + &outline(at, &path(places)) + &marks(at, places),
    };
    format!("<g class=\"{}\">{inside}</g>\n", class(at))
}

fn outline(at: usize, path: &str) -> String {
    format!("<path class=\"line\"{} d=\"{path}\"/>", dash(at))
}

pub(super) fn path(places: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (place, (x, y)) in places.iter().enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
    }
    path
}

fn stepped(places: &[(f64, f64)], base: f64) -> String {
    let (x, y) = places[0];
    let mut path = format!("M{x:.1} {base:.1}V{y:.1}");
    for (x, y) in &places[1..] {
        let _ = write!(path, "H{x:.1}V{y:.1}");
    }
    path
}

fn area(band: &[Ends]) -> String {
    let (low, high): (Vec<_>, Vec<_>) = band.iter().copied().unzip();
    let there: Vec<(f64, f64)> = low.into_iter().chain(high.into_iter().rev()).collect();
    if there.is_empty() {
        String::new()
    } else {
        format!("<path class=\"band\" d=\"{}Z\"/>", path(&there))
    }
}

/// One path for all strokes, in whole tenths: a page may have thousands.
fn strokes(places: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (x, y) in places {
        let _ = write!(path, "M{x:.1} {:.1}v{}", y - STROKE, 2.0 * STROKE);
    }
    format!("<path class=\"stroke\" d=\"{path}\"/>")
}

fn dot((x, y): (f64, f64)) -> String {
    format!("<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\"/>")
}

fn marks(at: usize, places: &[(f64, f64)]) -> String {
    places.iter().step_by(places.len().div_ceil(MARKS)).map(|p| mark(at, *p)).collect()
}

/// An entry of the legend: a piece of the line, its marker, its name.
pub(super) fn legend(at: usize, line: &PlotLine, (x, y): (f64, f64)) -> String {
    let middle = (x + 16.0, y);
    let stretch = outline(at, &format!("M{x} {y}h32"));
    let sample = match line.form {
        LineForm::Steps => stretch,
        LineForm::Through => stretch + &mark(at, middle),
        LineForm::Dots => dot(middle),
        LineForm::Strokes => strokes(&[middle]),
        LineForm::Band(_) => {
            let ends = [(x, y), (x + 32.0, y)].map(|(x, y)| ((x, y + 5.0), (x, y - 5.0)));
            area(&ends) + &stretch + &mark(at, middle)
        }
    };
    format!(
        "<g class=\"{}\">{sample}</g><text x=\"{}\" y=\"{}\">{}</text>\n",
        class(at),
        x + 40.0,
        y + 4.0,
        escape(&shortened(&line.name, LETTERS))
    )
}

/// An entry of the legend of a line through means.
pub(super) fn legend_of(at: usize, name: &str, place: (f64, f64)) -> String {
    legend(at, &PlotLine::through(name, Vec::new()), place)
}

/// The picture has room for about so many letters.
const LETTERS: usize = 46;

/// A name of at most so many letters.
pub fn shortened(name: &str, letters: usize) -> String {
    match name.chars().count() > letters {
        true => name.chars().take(letters - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

pub(super) fn class(at: usize) -> String {
    format!("l{}", at % MOST_LINES)
}

pub(super) fn dash(at: usize) -> String {
    match DASHES[at % MOST_LINES] {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    }
}

/// A marker: disc, square, triangle, cross, diamond, ring.
pub(super) fn mark(at: usize, (x, y): (f64, f64)) -> String {
    match at % MOST_LINES {
        0 => format!("<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\"/>"),
        1 => format!("<path class=\"mark\" d=\"M{:.1} {:.1}h6v6h-6z\"/>", x - 3.0, y - 3.0),
        2 => format!("<path class=\"mark\" d=\"M{x:.1} {:.1}l4 7h-8z\"/>", y - 4.5),
        3 => format!("<path class=\"cross\" d=\"M{:.1} {:.1}l6 6m0 -6l-6 6\"/>", x - 3.0, y - 3.0),
        4 => format!("<path class=\"mark\" d=\"M{x:.1} {:.1}l4 4l-4 4l-4 -4z\"/>", y - 4.0),
        _ => format!("<circle class=\"cross\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\"/>"),
    }
}

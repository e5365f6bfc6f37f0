//! [`Plot`]: lines over two axes, as inline SVG.
//!
//! One form for every plot: a frame with ticks, up to six lines that differ in dash
//! and marker as well as in colour (print, greyscale, colour blindness), a legend
//! below. Colours are those of the page's style sheet, so that light and dark need no
//! second drawing. Each picture has a title and a description for those who listen.

mod axis;
mod factorial;
mod forest;
mod lines;
mod rose;

pub use axis::{Axis, AxisScale, extent, power_of_ten};
pub use factorial::{At, AxisLevels, Panel, Panels};
pub use forest::{Forest, ForestMark, Marked};
pub use lines::{LineForm, MOST_LINES, PlotLine, shortened};
pub use rose::Rose;

use crate::escape;
use std::fmt::Write;

/// The picture in its own units; a phone shows it at three quarters.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 274.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 46.0;
/// Of one line of the legend.
const LEGEND: f64 = 18.0;

/// A drawing of this size as a figure with its caption.
pub fn figure((width, height): (f64, f64), title: &str, description: &str, drawn: &str) -> String {
    let (title, description) = (escape(title), escape(description));
    format!(
        "<figure><svg viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{title}</title>\
         <desc>{description}</desc>\n{drawn}</svg>\
         <figcaption>{title}. {description}</figcaption></figure>\n"
    )
}

/// Lines over two axes.
pub struct Plot {
    /// What it shows, in a few words.
    pub title: String,
    /// The same for those who cannot see it: a sentence with the figures.
    pub description: String,
    /// Left to right.
    pub x: Axis,
    /// Bottom to top.
    pub y: Axis,
    /// At most [`MOST_LINES`]; more are left out by whoever makes it, never in silence.
    pub lines: Vec<PlotLine>,
}

impl Plot {
    /// As a figure with its caption.
    pub fn html(&self) -> String {
        let mut svg = String::new();
        self.draw_axes(&mut svg);
        for (at, line) in self.lines.iter().enumerate() {
            let places: Vec<_> = line.points.iter().filter_map(|p| self.place(*p)).collect();
            svg += &lines::draw(at, &line.form, &places, &self.band(line), self.base());
            svg += &lines::legend(at, line, (LEFT, HEIGHT + LEGEND * at as f64 + 6.0));
        }
        let height = HEIGHT + LEGEND * self.lines.len() as f64;
        figure((WIDTH, height), &self.title, &self.description, &svg)
    }

    /// Where a point lies in the picture; outside of the axes it is moved to their ends.
    fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let (x, y) = (self.x.share(x)?, self.y.share(y)?);
        let across = LEFT + x * (WIDTH - LEFT - RIGHT);
        Some((across, self.base() - y * (self.base() - TOP)))
    }

    /// Where the band of a line lies, below and above each of its points.
    fn band(&self, line: &PlotLine) -> Vec<lines::Ends> {
        let LineForm::Band(ends) = &line.form else { return Vec::new() };
        let both = |((x, _), (low, high)): (&(f64, f64), &(f64, f64))| {
            Some((self.place((*x, *low))?, self.place((*x, *high))?))
        };
        line.points.iter().zip(ends).filter_map(both).collect()
    }

    fn base(&self) -> f64 {
        HEIGHT - BOTTOM
    }

    fn draw_axes(&self, svg: &mut String) {
        let (base, end) = (self.base(), WIDTH - RIGHT);
        let _ = writeln!(
            svg,
            "<path class=\"frame\" d=\"M{LEFT} {TOP}V{base}H{end}\"/>\
             <text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text class=\"label\" transform=\"translate(12 {}) rotate(-90)\" \
             text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, end),
            HEIGHT - 8.0,
            escape(&self.x.label),
            f64::midpoint(TOP, base),
            escape(&self.y.label),
        );
        for (value, text) in self.x.ticks() {
            let Some((x, _)) = self.place((value, self.y.from)) else { continue };
            let _ = writeln!(
                svg,
                "<path class=\"tick\" d=\"M{x:.1} {TOP}V{}\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
                base + 4.0,
                base + 20.0
            );
        }
        for (value, text) in self.y.ticks() {
            let Some((_, y)) = self.place((self.x.from, value)) else { continue };
            upright_tick(svg, y, end, &text);
        }
    }
}

/// A tick of the upright axis at height `y`, with its line to the frame's end.
fn upright_tick(svg: &mut String, y: f64, end: f64, text: &str) {
    let _ = writeln!(
        svg,
        "<path class=\"tick\" d=\"M{} {y:.1}H{end}\"/>\
         <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
        LEFT - 4.0,
        LEFT - 6.0,
        y + 4.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_words_for_those_who_listen_and_escapes_them() {
        let plot = Plot {
            title: "Latency <of> core".into(),
            description: "a & b".into(),
            x: Axis::linear("us", 0.0, 100.0),
            y: Axis::logarithmic("wake-ups", 0.7, 1e5),
            lines: vec![PlotLine::steps("core 0", vec![(0.0, 1.0), (50.0, 100.0)])],
        };
        let svg = plot.html();
        assert!(svg.contains("<title>Latency &lt;of&gt; core</title><desc>a &amp; b</desc>"));
        assert!(svg.starts_with("<figure><svg") && svg.trim_end().ends_with("</figure>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

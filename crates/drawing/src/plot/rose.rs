//! [`Rose`]: a polar histogram of directions, with the mean vector. The circle is one interval
//! of the pacing, the beat is at the top, early is left and late is right. The area of a petal
//! is its share of the taps, so that many taps do not look like more than they are.

use crate::escape;
use std::f64::consts::TAU;
use std::fmt::Write;

/// The picture, its middle, and the radius of the circle.
const SIZE: f64 = 240.0;
const MIDDLE: f64 = SIZE / 2.0;
const RADIUS: f64 = 84.0;
pub(crate) const PETALS: usize = 36;

pub struct Rose {
    /// What it shows, in a few words.
    pub title: String,
    /// The same for those who cannot see it: a sentence with the figures.
    pub description: String,
    /// Directions in radians: 0 on the beat, negative early.
    pub angles: Vec<f64>,
    /// Length and direction of the mean vector, where it has one.
    pub mean: Option<(f64, f64)>,
}

impl Rose {
    /// As a figure with its caption.
    pub fn html(&self) -> String {
        let (title, description) = (escape(&self.title), escape(&self.description));
        format!(
            "<figure class=\"rose\"><svg viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\">\
             <title>{title}</title><desc>{description}</desc>\n{}{}{}</svg>\
             <figcaption>{title}. {description}</figcaption></figure>\n",
            frame(),
            self.petals(),
            self.arrow()
        )
    }

    fn petals(&self) -> String {
        let counts = counts(&self.angles);
        let most = counts.iter().copied().max().unwrap_or(0);
        let mut path = String::new();
        for (petal, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let length = RADIUS * (*count as f64 / most as f64).sqrt();
            let [from, to] = [petal, petal + 1].map(|edge| TAU * edge as f64 / PETALS as f64);
            let ((ax, ay), (bx, by)) = (place(from, length), place(to, length));
            let ((cx, cy), (dx, dy)) = (bent(from, length, 1.0), bent(to, length, -1.0));
            let _ = write!(
                path,
                "M{MIDDLE} {MIDDLE}L{ax:.1} {ay:.1}C{cx:.1} {cy:.1} {dx:.1} {dy:.1} {bx:.1} {by:.1}Z"
            );
        }
        if path.is_empty() {
            path
        } else {
            format!("<g class=\"l0\"><path class=\"petal\" d=\"{path}\"/></g>\n")
        }
    }

    fn arrow(&self) -> String {
        let Some((length, direction)) = self.mean else { return String::new() };
        let (x, y) = place(direction, length * RADIUS);
        format!(
            "<g class=\"l1\"><path class=\"arrow\" d=\"M{MIDDLE} {MIDDLE}L{x:.1} {y:.1}\"/>\
             <circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/></g>\n"
        )
    }
}

/// How many directions lie in each petal, clockwise from the beat.
fn counts(angles: &[f64]) -> [usize; PETALS] {
    let mut counts = [0; PETALS];
    for angle in angles.iter().filter(|angle| angle.is_finite()) {
        let turn = angle.rem_euclid(TAU) / TAU;
        counts[((turn * PETALS as f64) as usize).min(PETALS - 1)] += 1;
    }
    counts
}

/// Where a direction lies; the beat is at the top and late is clockwise.
fn place(angle: f64, length: f64) -> (f64, f64) {
    (MIDDLE + length * libm::sin(angle), MIDDLE - length * libm::cos(angle))
}

/// The handle of a curve that goes along the circle from here, over a petal.
fn bent(angle: f64, length: f64, way: f64) -> (f64, f64) {
    let reach = way * length * 4.0 / 3.0 * libm::tan(TAU / PETALS as f64 / 4.0);
    let (x, y) = place(angle, length);
    (x + reach * libm::cos(angle), y + reach * libm::sin(angle))
}

/// The circle, half of it, both axes, and the words at their ends.
fn frame() -> String {
    let words = [
        (MIDDLE, 18.0, "middle", "on the beat"),
        (MIDDLE, SIZE - 10.0, "middle", "against it"),
        (4.0, MIDDLE - 8.0, "start", "early"),
        (SIZE - 4.0, MIDDLE - 8.0, "end", "late"),
    ];
    let mut svg = format!(
        "<circle class=\"frame\" cx=\"{MIDDLE}\" cy=\"{MIDDLE}\" r=\"{RADIUS}\"/>\
         <circle class=\"tick circle\" cx=\"{MIDDLE}\" cy=\"{MIDDLE}\" r=\"{}\"/>\
         <path class=\"tick\" d=\"M{MIDDLE} {}v{len}M{} {MIDDLE}h{len}\"/>\n",
        RADIUS / 2.0,
        MIDDLE - RADIUS,
        MIDDLE - RADIUS,
        len = 2.0 * RADIUS
    );
    for (x, y, anchor, word) in words {
        let _ = write!(
            svg,
            "<text class=\"label\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{word}</text>"
        );
    }
    svg + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_taps_lie_left_of_the_beat_and_late_ones_right() {
        let (early, late) = (place(-0.3, 50.0), place(0.3, 50.0));
        assert!(early.0 < MIDDLE && late.0 > MIDDLE && early.1 < MIDDLE && late.1 < MIDDLE);
        let counts = counts(&[-0.01, 0.01, 0.02, f64::NAN, TAU + 0.01]);
        assert_eq!((counts[PETALS - 1], counts[0]), (1, 3));
    }

    #[test]
    fn no_taps_make_an_empty_circle() {
        let rose = Rose {
            title: "none".into(),
            description: String::new(),
            angles: Vec::new(),
            mean: None,
        };
        let html = rose.html();
        assert!(!html.contains("petal") && !html.contains("NaN"), "{html}");
    }
}

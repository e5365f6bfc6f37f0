//! [`Layout`]: which rows of time the picture has, and where a time lies in them.

use super::seen::{Happened, Mark, Of};
use super::{EDGE, LETTER};

/// Where the lanes begin, and where in a picture that is narrower than this; their names stand before.
const LEFT: f64 = 132.0;
const LEFT_NARROW: f64 = 98.0;
const ROOMY: f64 = 600.0;
/// Between the name of a lane and the lane.
pub(super) const GAP: f64 = 10.0;
/// Two beats are at least so far from each other.
const APART: f64 = 16.0;
/// What a row may last, in seconds.
const SPANS: [f64; 14] =
    [1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 60.0, 90.0, 120.0, 300.0, 600.0, 3600.0];
/// Where nothing repeats, a row lasts so long at least.
const USUAL: f64 = 30.0;
/// More rows are too many to look at.
const MOST_ROWS: usize = 8;

pub(super) struct Layout {
    /// Of the picture, and where the lanes begin in it.
    pub width: f64,
    pub left: f64,
    /// Seconds in a row.
    pub span: f64,
    /// How many rows the whole trial has.
    pub all: usize,
    /// The rows that are drawn, from 0.
    pub rows: Vec<usize>,
}

impl Layout {
    pub fn of(seen: &Happened, width: f64) -> Layout {
        let left = if width < ROOMY { LEFT_NARROW } else { LEFT };
        let longest = (width - left - EDGE) / APART * closest(seen).unwrap_or(USUAL);
        let rows = |span: f64| (seen.end / span - 1e-9).ceil().max(1.0) as usize;
        let fits = |span: &&f64| **span <= longest;
        let widest = SPANS.iter().rev().find(fits).copied().unwrap_or(SPANS[0]);
        let all = rows(widest);
        // The same number of rows, which end nearer to the trial's end.
        let span = SPANS.into_iter().find(|span| rows(*span) == all).unwrap_or(widest);
        Layout { width, left, span, all, rows: shown(seen, span, all) }
    }

    /// How many letters of a lane's name there is room for.
    pub fn name(&self) -> usize {
        ((self.left - GAP - EDGE) / LETTER) as usize
    }

    /// Where a time lies in a row; at its ends where it lies outside.
    pub fn x(&self, row: usize, at: f64) -> f64 {
        let share = (at / self.span - row as f64).clamp(0.0, 1.0);
        self.left + share * (self.width - self.left - EDGE)
    }

    /// Whether something that lasts from one time to another is in a row.
    pub fn has(&self, row: usize, from: f64, to: f64) -> bool {
        let (begins, ends) = self.ends(row);
        from < ends && to >= begins
    }

    /// When a row begins and ends.
    pub fn ends(&self, row: usize) -> (f64, f64) {
        (row as f64 * self.span, (row + 1) as f64 * self.span)
    }
}

/// All rows, or of too many the first, those in which a rule acts, and the last.
fn shown(seen: &Happened, span: f64, all: usize) -> Vec<usize> {
    if all <= MOST_ROWS {
        return (0..all).collect();
    }
    let acts = seen.fired.iter().map(|fired| (fired.at / span) as usize);
    let mut rows: Vec<usize> = acts.chain([0]).filter(|row| *row < all - 1).collect();
    rows.sort_unstable();
    rows.dedup();
    rows.truncate(MOST_ROWS - 1);
    rows.push(all - 1);
    rows
}

/// The usual distance of two beats or taps where they are closest.
fn closest(seen: &Happened) -> Option<f64> {
    let paced = |of: Of| matches!(of, Of::Pacing(_) | Of::Input(_));
    let lanes = seen.lanes.iter().filter(|lane| paced(lane.of));
    let usual = |marks: &[(f64, Mark)]| {
        let gaps = marks.windows(2).map(|pair| pair[1].0 - pair[0].0);
        let mut gaps: Vec<f64> = gaps.filter(|gap| *gap > 0.02).collect();
        gaps.sort_by(f64::total_cmp);
        gaps.get(gaps.len() / 4).copied()
    };
    lanes.filter_map(|lane| usual(&lane.marks)).min_by(f64::total_cmp)
}

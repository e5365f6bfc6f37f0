//! Counts of taps, and of what the rules of an analysis left out of them.

use super::of_intervals::over_mean;
use crate::joined::Scale;
use crate::moments::{mean_ns, sd_ns};
use crate::slips;
use crate::statistics::{Join, Needs, Range, Statistic};
use chronotap_core::time::Nanos;

/// Taps that count.
pub static TAPS: Statistic = Statistic {
    name: "taps",
    needs: Needs::Taps(|of| Some(of.taps as f64)),
    about: "Taps that count.",
    ..Statistic::COUNT
};

/// Taps that were left out.
pub static LEFT_OUT_TAPS: Statistic = Statistic {
    name: "left out taps",
    needs: Needs::Taps(|of| Some(of.left_out_taps as f64)),
    about: "Taps left out by a rule of the analysis.",
    ..Statistic::COUNT
};

/// Taps that came too soon.
pub static DEBOUNCED_TAPS: Statistic = Statistic {
    name: "debounced taps",
    in_stretch: false,
    needs: Needs::Taps(|of| Some(of.debounced as f64)),
    about: "Taps that came too soon after the last one to count.",
    ..Statistic::COUNT
};

/// Intervals that were left out.
pub static LEFT_OUT_INTERVALS: Statistic = Statistic {
    name: "left out intervals",
    needs: Needs::Taps(|of| Some(of.left_out_intervals as f64)),
    about: "Intervals left out by a rule of the analysis.",
    ..Statistic::COUNT
};

/// The CV of all intervals.
pub static RAW_CV_INTERVAL: Statistic = Statistic {
    name: "raw cv interval",
    range: Range::FROM_ZERO,
    join: Join::Line(Scale::Plain),
    needs: Needs::Taps(|of| cv(of.raw_intervals)),
    about: "The same of all intervals, whatever the rules of the analysis leave out.",
    ..Statistic::USUAL
};

/// The CV without slips.
pub static CLEAN_CV_INTERVAL: Statistic = Statistic {
    name: "clean cv interval",
    range: Range::FROM_ZERO,
    join: Join::Line(Scale::Plain),
    needs: Needs::Taps(|of| cv(&without_slips(of.raw_intervals))),
    about: "The same without slips: intervals above 1.5 times their median, and those below half of it with the other part of the same interval.",
    ..Statistic::USUAL
};

fn cv(intervals: &[Nanos]) -> Option<f64> {
    over_mean(sd_ns(intervals), mean_ns(intervals))
}

fn without_slips(all: &[Nanos]) -> Vec<Nanos> {
    let kept = all.iter().zip(slips::kept(all)).filter(|(_, kept)| *kept);
    kept.map(|(interval, _)| *interval).collect()
}

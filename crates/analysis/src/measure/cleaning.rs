//! Which taps, intervals and asynchronies are left out of an analysis, by which rule.
//!
//! Each rule has a name and a number; what it leaves out is marked with the rule and
//! counted in a log. The data stay as they are: a rule is taken back by cleaning again
//! without it. Rules act in the given order, each on what those before it left.
//!
//! Sources of the usual numbers: debounce of 40 ms (TeensyTap, van Vugt 2020); the first 10
//! taps (BAASTA, Dalla Bella et al. 2017), or 4 and more (Repp 2005); intervals outside of
//! Q1 − 3 IQR … Q3 + 3 IQR (BAASTA); asynchronies beyond 3 SD. Leaving out far
//! asynchronies makes mean and SD smaller, since taps cannot follow too early but can come
//! too late (Bååth 2015).

mod marks;

use crate::slips;
use chronotap_core::time::Nanos;
pub use marks::{Applied, Cleaned, Marks};
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// A rule of cleaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CleaningRule {
    /// Leaves out a tap that comes less than so long after the last one that counts. It must
    /// be below half of the shortest interval asked for.
    Debounce(Nanos),
    /// Leaves out the first taps, so many.
    FirstTaps(usize),
    /// Leaves out intervals that are farther than so many interquartile ranges below the
    /// first or above the third quartile.
    IntervalOutliers(f64),
    /// Leaves out asynchronies that are farther than so many SD from their mean.
    AsynchronyOutliers(f64),
    /// Leaves out intervals over missed taps and the parts of doubled ones
    /// ([`crate::slips`]).
    Slips,
}

/// What is done unless something else is asked for: nothing is left out but bounces within
/// 40 ms.
pub const USUAL: [CleaningRule; 1] = [CleaningRule::Debounce(Nanos::from_millis(40))];

impl Display for CleaningRule {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            CleaningRule::Debounce(minimum) => write!(f, "debounce {} ms", minimum.as_millis_f64()),
            CleaningRule::FirstTaps(count) => write!(f, "first taps {count}"),
            CleaningRule::IntervalOutliers(ranges) => write!(f, "interval outliers {ranges} IQR"),
            CleaningRule::AsynchronyOutliers(sds) => write!(f, "asynchrony outliers {sds} SD"),
            CleaningRule::Slips => f.write_str("slips"),
        }
    }
}

/// From the words in which a rule is written down.
impl FromStr for CleaningRule {
    type Err = ();

    fn from_str(words: &str) -> Result<CleaningRule, ()> {
        let words: Vec<&str> = words.split(' ').collect();
        let number = |text: &str| text.parse::<f64>().map_err(|_| ());
        match words[..] {
            ["debounce", ms, "ms"] => {
                Ok(CleaningRule::Debounce(Nanos::round_from_f64(number(ms)? * 1e6)))
            }
            ["first", "taps", count] => count.parse().map(CleaningRule::FirstTaps).map_err(|_| ()),
            ["interval", "outliers", ranges, "IQR"] => {
                number(ranges).map(CleaningRule::IntervalOutliers)
            }
            ["asynchrony", "outliers", sds, "SD"] => {
                number(sds).map(CleaningRule::AsynchronyOutliers)
            }
            ["slips"] => Ok(CleaningRule::Slips),
            _ => Err(()),
        }
    }
}

/// Cleans the taps of one run: their onsets, ascending, and the asynchrony of each that
/// answers a beat (as long as the onsets; those missing at the end count as none).
pub fn clean(onsets: &[Nanos], asynchronies: &[Option<Nanos>], rules: &[CleaningRule]) -> Cleaned {
    let mut cleaned = Cleaned::untouched(onsets, asynchronies);
    for rule in rules {
        let before = cleaned.excluded();
        match rule {
            CleaningRule::Debounce(minimum) => debounce(&mut cleaned, *rule, *minimum),
            CleaningRule::FirstTaps(count) => first_taps(&mut cleaned, *rule, *count),
            CleaningRule::IntervalOutliers(ranges) => {
                interval_outliers(&mut cleaned, *rule, *ranges)
            }
            CleaningRule::AsynchronyOutliers(sds) => asynchrony_outliers(&mut cleaned, *rule, *sds),
            CleaningRule::Slips => slipped(&mut cleaned, *rule),
        }
        let excluded = cleaned.excluded() - before;
        cleaned.log.push(Applied { rule: *rule, excluded });
    }
    cleaned
}

fn debounce(cleaned: &mut Cleaned, rule: CleaningRule, minimum: Nanos) {
    let mut last = None;
    for tap in cleaned.taps() {
        let onset = cleaned.onset(tap);
        if last.is_some_and(|last| onset - last < minimum) {
            cleaned.marks[tap].tap = Some(rule);
        } else {
            last = Some(onset);
        }
    }
}

fn first_taps(cleaned: &mut Cleaned, rule: CleaningRule, count: usize) {
    for tap in cleaned.taps().into_iter().take(count) {
        cleaned.marks[tap].tap = Some(rule);
    }
}

fn interval_outliers(cleaned: &mut Cleaned, rule: CleaningRule, ranges: f64) {
    let intervals = cleaned.intervals();
    let mut sorted: Vec<f64> = intervals.iter().map(|(_, i)| i.0 as f64).collect();
    if sorted.is_empty() {
        return;
    }
    sorted.sort_by(f64::total_cmp);
    let [q1, q3] = [0.25, 0.75].map(|share| crate::bootstrap::percentile(&sorted, share));
    let (low, high) = (q1 - ranges * (q3 - q1), q3 + ranges * (q3 - q1));
    for (tap, interval) in intervals {
        if !(low..=high).contains(&(interval.0 as f64)) {
            cleaned.marks[tap].interval = Some(rule);
        }
    }
}

fn asynchrony_outliers(cleaned: &mut Cleaned, rule: CleaningRule, sds: f64) {
    let asynchronies = cleaned.asynchronies();
    let values: Vec<Nanos> = asynchronies.iter().map(|(_, a)| *a).collect();
    let (Some(mean), Some(sd)) = (crate::moments::mean_ns(&values), crate::moments::sd_ns(&values))
    else {
        return;
    };
    for (tap, asynchrony) in asynchronies {
        if (asynchrony.0 as f64 - mean).abs() > sds * sd {
            cleaned.marks[tap].asynchrony = Some(rule);
        }
    }
}

/// Slips are sought among neighbours, so that an interval left out before parts the run.
fn slipped(cleaned: &mut Cleaned, rule: CleaningRule) {
    let intervals = cleaned.intervals();
    let lengths: Vec<Nanos> = intervals.iter().map(|(_, interval)| *interval).collect();
    for ((tap, _), kept) in intervals.iter().zip(slips::kept(&lengths)) {
        if !kept {
            cleaned.marks[*tap].interval = Some(rule);
        }
    }
}

#[cfg(test)]
mod words {
    use super::*;

    #[test]
    fn a_rule_is_read_from_the_words_in_which_it_is_written_down() {
        let debounce = CleaningRule::Debounce(Nanos::round_from_f64(40.125e6));
        let (intervals, asynchronies) =
            (CleaningRule::IntervalOutliers(3.5), CleaningRule::AsynchronyOutliers(3.0));
        for rule in
            [debounce, CleaningRule::FirstTaps(4), intervals, asynchronies, CleaningRule::Slips]
        {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        assert!(
            "first taps".parse::<CleaningRule>().is_err()
                && "debounce x ms".parse::<CleaningRule>().is_err()
        );
    }
}

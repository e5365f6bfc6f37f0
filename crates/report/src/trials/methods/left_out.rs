//! What is not in the analysis, by which rule, and how much of it.

use super::Told;
use crate::trials::words::counted;
use chronotap_analysis::cleaning::CleaningRule;
use chronotap_analysis::statistics::of_beats::LEFT_OUT_ASYNCHRONIES;
use chronotap_analysis::statistics::of_taps::{DEBOUNCED_TAPS, LEFT_OUT_INTERVALS, LEFT_OUT_TAPS};

pub(super) fn said(told: &Told<'_>) -> Vec<String> {
    [people(told), trials(told), rules(told), bounces(told)].into_iter().flatten().collect()
}

fn people(told: &Told<'_>) -> Option<String> {
    Some(match told.of.sources.withdrawn.len() {
        0 => "No participant was left out by a rule.".to_owned(),
        n => format!("{} withdrew and are in no number here.", counted(n, "participant")),
    })
}

fn trials(told: &Told<'_>) -> Option<String> {
    let counts = told.of.analysis.counts;
    Some(match counts.trials - counts.used {
        0 => "No trial was excluded.".to_owned(),
        n => format!(
            "Excluded were {} of {} ({} whose data could not be used, {} that could not be read, {} replaced by another attempt).",
            n,
            counted(counts.trials, "trial"),
            counts.unusable,
            counts.unread,
            counts.not_counting
        ),
    })
}

fn rules(told: &Told<'_>) -> Option<String> {
    let rules: Vec<String> = told.of.how.rules.iter().map(rule).collect();
    let [taps, intervals, asynchronies] =
        [&LEFT_OUT_TAPS, &LEFT_OUT_INTERVALS, &LEFT_OUT_ASYNCHRONIES]
            .map(|of| told.of.analysis.in_all(of));
    Some(match &rules[..] {
        [] => "No tap was left out by a rule of the analysis.".to_owned(),
        some => format!(
            "Left out were {}: {}, {} and {} with a beat.",
            super::either(some, "and"),
            counted(taps, "tap"),
            counted(intervals, "interval"),
            counted(asynchronies, "comparison")
        ),
    })
}

/// What a rule leaves out.
fn rule(of: &CleaningRule) -> String {
    match of {
        CleaningRule::Debounce(least) => {
            format!("taps less than {} ms after the tap before", least.as_millis_f64())
        }
        CleaningRule::FirstTaps(count) => {
            format!("the first {} of each trial", counted(*count, "tap"))
        }
        CleaningRule::IntervalOutliers(ranges) => {
            format!("intervals more than {ranges} interquartile ranges beyond the quartiles")
        }
        CleaningRule::AsynchronyOutliers(sds) => {
            format!("asynchronies more than {sds} SD from their mean")
        }
        CleaningRule::Slips => "intervals over missed and between doubled taps".to_owned(),
    }
}

fn bounces(told: &Told<'_>) -> Option<String> {
    match told.of.analysis.in_all(&DEBOUNCED_TAPS) {
        0 => None,
        n => Some(format!("{} came too soon after another one to count.", counted(n, "tap"))),
    }
}

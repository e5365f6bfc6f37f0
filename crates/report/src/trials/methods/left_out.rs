//! What is not in the analysis, by which rule, and how much of it.

use super::Told;
use crate::trials::words::counted;
use chronotap_analysis::cleaning::CleaningRule;
use chronotap_analysis::statistics::of_beats::LEFT_OUT_ASYNCHRONIES;
use chronotap_analysis::statistics::of_taps::{DEBOUNCED_TAPS, LEFT_OUT_INTERVALS, LEFT_OUT_TAPS};
use chronotap_data::tables::OutOfTurn;
use std::collections::BTreeMap;

pub(super) fn sentences(told: &Told<'_>) -> Vec<String> {
    [people(told), turns(told), trials(told), rules(told), bounces(told)]
        .into_iter()
        .flatten()
        .collect()
}

fn people(told: &Told<'_>) -> Option<String> {
    let sources = &told.of.sources;
    let withdrew = (!sources.withdrawn.is_empty()).then(|| {
        let people = counted(sources.withdrawn.len(), "participant");
        format!("{people} withdrew and are in no number here.")
    });
    let all = left(told).into_iter().chain(withdrew).chain(excluded(told));
    let said: Vec<String> = all.collect();
    Some(match said.is_empty() {
        true => "No participant was left out by a rule.".to_owned(),
        false => said.join(" "),
    })
}

/// Who declined, ended the participation or dropped out.
fn left(told: &Told<'_>) -> Vec<String> {
    let count = |how: &str| told.of.sources.left.values().filter(|left| *left == how).count();
    let of = |how: &str, did: &str| match count(how) {
        0 => None,
        n => Some(format!("{} {did}.", counted(n, "participant"))),
    };
    let all = [
        of("declined", "declined, by an answer before the first trial, and did none"),
        of("ended", "ended the participation after some of the trials, which are in the numbers"),
        of("dropped out", "dropped out; what they did is in the numbers"),
    ];
    all.into_iter().flatten().collect()
}

/// Whom the study leaves out by their answers, and why.
fn excluded(told: &Told<'_>) -> Option<String> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in told.of.sources.excluded.people.values() {
        *reasons.entry(reason).or_default() += 1;
    }
    let each: Vec<String> = reasons.iter().map(|(reason, n)| format!("{reason}: {n}")).collect();
    let people = counted(told.of.sources.excluded.people.len(), "participant");
    (!each.is_empty()).then(|| {
        let each = each.join("; ");
        format!("Left out by rules that the study states on answers: {people} ({each}).")
    })
}

/// Sessions that were begun too early or too late, or before the one before was complete.
fn turns(told: &Told<'_>) -> Option<String> {
    let all = &told.of.sources.out_of_turn;
    let one = |of: &OutOfTurn| {
        format!("participant {}, session {}: {}", of.participant, of.session, of.why)
    };
    let each: Vec<String> = all.iter().map(one).collect();
    let sessions = counted(all.len(), "session");
    (!each.is_empty()).then(|| {
        format!("Begun out of turn, as the experimenter decided: {sessions} ({}).", each.join("; "))
    })
}

fn trials(told: &Told<'_>) -> Option<String> {
    let counts = told.of.analysis.counts;
    let cut = match counts.cut_short {
        0 => String::new(),
        n => format!(", {n} cut short with no other that counts"),
    };
    Some(match counts.trials - counts.used {
        0 => "No trial was excluded.".to_owned(),
        n => format!(
            "Excluded were {} of {} ({} whose data could not be used, {} that could not be read, {} replaced by another attempt{cut}).",
            n,
            counted(counts.trials, "trial"),
            counts.unusable,
            counts.unread,
            counts.not_counting - counts.cut_short
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

//! Statistics and comparisons as they stand in a file: `median interval of pad`,
//! `sd asynchrony < 40 ms`.

use crate::study::measure::{Measure, NumberComparison, TrialTest};
use chronotap_analysis::statistics::{Range, Statistic, Unit, columns, find};
use chronotap_config::trial_files::reading::{DAY, Field, brief, time_for};
use chronotap_core::text::{most_like, nearest};
use chronotap_core::time::Nanos;

/// The words of a test that is no comparison.
const WORDS: [(&str, TrialTest); 3] = [
    ("timing failed", TrialTest::TimingFailed),
    ("data unusable", TrialTest::DataUnusable),
    ("input lost", TrialTest::InputLost),
];

/// `STATISTIC [of INPUT] [against STREAM] [in STRETCH]`.
pub(crate) fn measure(field: &Field<'_>) -> Option<Measure> {
    named(field, &field.text()?)
}

fn named(field: &Field<'_>, text: &str) -> Option<Measure> {
    let (text, stretch) = split(text, " in ");
    let (text, against) = split(text, " against ");
    let (name, input) = split(text, " of ");
    let name = name.trim();
    match find(name) {
        Some(known) if stretch.is_some() && !known.in_stretch => {
            field.problem(&format!(": {name} has no value for a stretch"), "leave out `in`")
        }
        Some(known) => Some(Measure { known, input, against, stretch }),
        None => {
            let message = format!("{}: there is no statistic \"{}\"", field.path, brief(name));
            no_statistic(field, message, name, columns().iter().map(|known| known.name).collect());
            None
        }
    }
}

/// What people call statistics elsewhere, and the nearest here.
const ALSO_CALLED: [(&str, &str); 9] = [
    ("accuracy", "mean absolute asynchrony, hit rate"),
    ("error", "mean absolute asynchrony, mean reproduction error"),
    ("precision", "sd asynchrony, cv interval"),
    ("variability", "sd asynchrony, cv interval, sd interval"),
    ("speed", "mean interval, median interval"),
    ("tempo", "mean interval, median interval"),
    ("iti", "mean interval, sd interval"),
    ("synchrony", "mean asynchrony, sd asynchrony"),
    ("misses", "missed, hit rate"),
];

/// A statistic that there is not: which of the names is near, or the three that are nearest, and where all stand.
pub(super) fn no_statistic(field: &Field<'_>, message: String, name: &str, names: Vec<&str>) {
    if nearest(name, names.iter().copied()).is_some() {
        return field.page.unknown(field.at, message, name, names);
    }
    let words = name.to_lowercase();
    let called = ALSO_CALLED.iter().find(|(other, _)| words.contains(other));
    let near = called.map_or_else(|| most_alike(name, names), |(_, near)| (*near).to_owned());
    let cure = format!("near are {near}; docs/events-files.md lists all, under Statistics by name");
    field.page.cured(field.at, message, cure);
}

/// The three names most like one.
fn most_alike(name: &str, mut names: Vec<&str>) -> String {
    let mut near = Vec::new();
    while let Some(next) = most_like(name, names.iter().copied()).filter(|_| near.len() < 3) {
        names.retain(|other| *other != next);
        near.push(next);
    }
    near.join(", ")
}

fn split<'t>(text: &'t str, word: &str) -> (&'t str, Option<String>) {
    match text.split_once(word) {
        Some((before, after)) => (before, Some(after.trim().to_owned())),
        None => (text, None),
    }
}

/// A verdict in words, or a comparison.
pub(crate) fn test(field: &Field<'_>, words: bool) -> Option<TrialTest> {
    let text = field.text()?.replace('≥', ">=").replace('≤', "<=");
    let known = WORDS.iter().find(|(word, _)| words && *word == text);
    if let Some((_, test)) = known {
        return Some(test.clone());
    }
    let Some((measured, comparison, value_text)) = compared(&text) else {
        let message = format!("{}: \"{}\" is no comparison", field.path, brief(&text));
        let names = WORDS.iter().filter(|_| words).map(|(word, _)| *word);
        match chronotap_core::text::nearest(&text, names.clone()) {
            Some(_) => field.page.unknown(field.at, message, &text, names),
            None => field.page.cured(
                field.at,
                message,
                format!("write for example \"{}\"", likely(&text)),
            ),
        }
        return None;
    };
    let Some(comparison) = comparison else {
        return field.wrong("a comparison with <, <=, >, >= or =");
    };
    if measured.trim().parse::<f64>().is_ok() && find(value_text.trim()).is_some() {
        let turned = match comparison {
            NumberComparison::Below => ">",
            NumberComparison::AtMost => ">=",
            NumberComparison::Above => "<",
            NumberComparison::AtLeast => "<=",
            NumberComparison::Equal => "=",
        };
        let cure = format!("write \"{} {turned} {}\"", value_text.trim(), measured.trim());
        return field.problem("has the number before the statistic", &cure);
    }
    let measure = named(field, measured)?;
    let value = value(field, value_text.trim(), measure.known)?;
    always_the_same(field, &text, comparison, value, measure.known);
    let written = text.clone();
    Some(TrialTest::Compare { measure, comparison, value, written })
}

/// Doubts a comparison with an end of the statistic's range, which every trial or none meets.
fn always_the_same(
    field: &Field<'_>,
    text: &str,
    comparison: NumberComparison,
    value: f64,
    known: &Statistic,
) {
    let Range { least, most } = known.range;
    let what = match comparison {
        NumberComparison::Below if value <= least => "no",
        NumberComparison::Above if value >= most => "no",
        NumberComparison::AtMost if value < least => "no",
        NumberComparison::AtLeast if value > most => "no",
        NumberComparison::AtLeast if value <= least => "every",
        NumberComparison::AtMost if value >= most => "every",
        _ => return,
    };
    let range = match most.is_finite() {
        true => format!("lies from {least} to {most}"),
        false => format!("is {least} or more"),
    };
    let message =
        format!("{}: {what} trial has {}: {} {range}", field.path, brief(text), known.name);
    field.page.warn(field.at, message);
}

/// The comparison that words such as `fewer than 45 taps` or `taps 45` mean.
fn likely(text: &str) -> String {
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    let number = text.split_whitespace().find(is_number).unwrap_or("30");
    let names = columns().iter().map(|statistic| statistic.name).filter(|name| text.contains(name));
    let name = names.max_by_key(|name| name.len()).unwrap_or("taps");
    let more = ["more", "greater", "above", "over"].iter().any(|word| text.contains(word));
    format!("{name} {} {number}", if more { '>' } else { '<' })
}

/// What stands on both sides of the sign of a comparison; `None` without a sign. The comparison is
/// `None` where the sign is none of these.
pub(super) fn compared(text: &str) -> Option<(&str, Option<NumberComparison>, &str)> {
    let at = text.find(['<', '>', '='])?;
    let signs = text[at..].chars().take_while(|c| matches!(c, '<' | '>' | '=')).count();
    let comparison = match &text[at..at + signs] {
        "<" => Some(NumberComparison::Below),
        "<=" => Some(NumberComparison::AtMost),
        ">" => Some(NumberComparison::Above),
        ">=" => Some(NumberComparison::AtLeast),
        "=" | "==" => Some(NumberComparison::Equal),
        _ => None,
    };
    Some((&text[..at], comparison, &text[at + signs..]))
}

/// A share is compared with one, and not with a number of hundredths; nothing else ever holds or fails.
fn in_range(field: &Field<'_>, number: f64, known: &Statistic) -> Option<f64> {
    let Range { least, most } = known.range;
    if known.range.holds(number) {
        return Some(number);
    }
    let message = format!("{}: {} is never {number}", field.path, known.name);
    let cure = match (number, known.range == Range::SHARE) {
        (1.0..=100.0, true) if number.fract() == 0.0 => {
            format!("it is a share from 0 to 1; write {number} % or {}", number / 100.0)
        }
        _ if most.is_finite() => format!("it lies from {least} to {most}"),
        _ => format!("it is {least} or more"),
    };
    field.page.cured(field.at, message, cure);
    None
}

/// The number that is compared with, in the unit of the statistic.
fn value(field: &Field<'_>, text: &str, known: &Statistic) -> Option<f64> {
    let Some(ns_in_unit) = known.unit.nanoseconds() else {
        let percent = text.strip_suffix('%').map(|number| (number.trim(), 100.0));
        let (number, hundredths) = percent.unwrap_or((text, 1.0));
        let number = number.parse().ok().filter(|n: &f64| n.is_finite());
        let Some(number) = number else {
            return field.wrong(&format!("a number after {}", known.name));
        };
        if hundredths > 1.0 && known.unit != Unit::Ratio {
            return field.wrong(&format!("a number without % after {}", known.name));
        }
        return in_range(field, number / hundredths, known);
    };
    let day = Nanos(DAY);
    match time_for(text, -day, day) {
        Ok(exact) if exact.round().abs() <= day => Some(exact.as_f64() / ns_in_unit),
        Ok(_) => field.wrong("a shorter time"),
        Err(fault) => field.fault(fault),
    }
}

//! What was left out and by which rule, and which programs and machines the trials come from.

use super::words::{counted, grouped, kind};
use super::{RecordedTrials, odd};
use crate::html::{HtmlTable, element, escape};
use chronotap_analysis::statistics::of_beats::LEFT_OUT_ASYNCHRONIES;
use chronotap_analysis::statistics::of_taps::{DEBOUNCED_TAPS, LEFT_OUT_INTERVALS, LEFT_OUT_TAPS};
use chronotap_data::tables::TimeCourse;
use std::collections::BTreeMap;

pub(super) fn section(of: &RecordedTrials<'_>) -> String {
    element("p", &rules(of)) + &trials(of) + &versions(of) + &again(of)
}

/// The rules, with what each left out.
pub(super) fn rules(of: &RecordedTrials<'_>) -> String {
    let rules: Vec<String> = of.how.rules.iter().map(ToString::to_string).collect();
    let [taps, intervals, asynchronies, debounced] =
        [&LEFT_OUT_TAPS, &LEFT_OUT_INTERVALS, &LEFT_OUT_ASYNCHRONIES, &DEBOUNCED_TAPS]
            .map(|count| of.analysis.in_all(count));
    let by_trial = match debounced {
        0 => String::new(),
        n => format!(" {} came too soon after another to count.", counted(n, "tap")),
    };
    if rules.is_empty() {
        return format!("No tap was left out by a rule of the analysis.{by_trial}");
    }
    format!(
        "Rules: {}. They left out {}, {} and {} asynchronies.{by_trial}",
        rules.join(", "),
        counted(taps, "tap"),
        counted(intervals, "interval"),
        grouped(asynchronies)
    )
}

/// The trials that are not used, with the reason.
fn trials(of: &RecordedTrials<'_>) -> String {
    let mut table = HtmlTable::new("Trials that are not used", &["trial", "condition", "why"]);
    let cut = of.sources.cut_short();
    for (at, source) in of.sources.trials.iter().enumerate() {
        if !of.analysis.used[at] {
            table.row(vec![source.shown.clone(), kind(of.sources, source), why(of, at, cut[at])]);
        }
    }
    if table.is_empty() { element("p", "Every trial is used.") } else { table.html() }
}

fn why(of: &RecordedTrials<'_>, at: usize, cut: bool) -> String {
    if let Some(unread) = of.analysis.unread.iter().find(|unread| unread.source == at) {
        return chronotap_core::text::shared(&unread.why.to_string());
    }
    if !of.sources.trials[at].counts {
        let why =
            if cut { "cut short, and no other attempt counts" } else { "another attempt counts" };
        return why.into();
    }
    let reasons = of.courses[at].as_ref().map(|course| course.evidence.reasons.join("; "));
    reasons
        .filter(|reasons| !reasons.is_empty())
        .unwrap_or_else(|| "its data were recorded as unusable".into())
}

/// Programs, machines and clocks, each with its number of trials.
fn versions(of: &RecordedTrials<'_>) -> String {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (_, course) in odd::courses(of) {
        for (what, value) in facts(course) {
            *counts.entry((what, value)).or_default() += 1;
        }
    }
    *counts.entry(("this report", of.program)).or_default() += of.analysis.counts.trials;
    let mut table = HtmlTable::new("Programs and machines", &["what", "which", "trials"]);
    for ((what, which), count) in counts {
        table.row(vec![what.into(), which.into(), grouped(count)]);
    }
    table.html()
}

fn facts(course: &TimeCourse) -> [(&'static str, &str); 2] {
    let evidence = &course.evidence;
    [("recorded by", &evidence.program), ("on", &evidence.machine)]
}

/// The command that makes this page again.
fn again(of: &RecordedTrials<'_>) -> String {
    let words = of.command.join(" ");
    format!("<p class=\"soft\">Made by <code>chronotap {}</code></p>\n", escape(&words))
}

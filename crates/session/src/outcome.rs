//! What a session notes of a finished trial: its verdicts, its statistics, and what its step
//! makes of them (criterion, redo, results).

use crate::hits::hits;
use crate::line::TrialEnded;
use chronotap_analysis::statistics::Statistic;
use chronotap_analysis::summary::Summary;
use chronotap_design::{Criterion, Doing, Measure, Step, Test, Trials};
use chronotap_experiment::TrialFile;
use chronotap_record::Entry;
use std::collections::BTreeMap;

/// The end of a trial, but for its number, moments and files.
pub fn of(step: &Step, file: &TrialFile, summary: &Summary, entries: &[Entry]) -> TrialEnded {
    let interrupted = summary.ending == INTERRUPTED;
    let mut ended = TrialEnded {
        length_s: summary.length_s,
        timing_passed: summary.verdict.passed,
        data_usable: summary.data.usable,
        interrupted,
        flags: flags(summary, interrupted),
        statistics: statistics(summary),
        ..TrialEnded::default()
    };
    if let Doing::Trials(trials) = &step.doing {
        judge(&mut ended, trials, summary);
        ended.reached = trials.practice.as_ref().map(|p| reached(&p.until, file, summary, entries));
    }
    ended
}

/// The word of a summary for a trial that somebody ended by hand.
const INTERRUPTED: &str = "interruption";

fn judge(ended: &mut TrialEnded, trials: &Trials, summary: &Summary) {
    let if_any = trials.redo.iter().flat_map(|redo| &redo.if_any);
    ended.failed = if_any.filter(|test| holds(test, summary)).map(said).collect();
    let kept = trials.keep.iter().filter_map(|keep| {
        let all = summary.statistics();
        let found = find(&keep.measure, &all)?;
        let value = found.time().map_or(found.value, |time| Some(time.0 as f64));
        Some((keep.name.clone(), value?))
    });
    ended.kept = kept.collect();
}

/// Whether practice is enough, judged over this trial alone.
fn reached(until: &Criterion, file: &TrialFile, summary: &Summary, entries: &[Entry]) -> bool {
    match until {
        Criterion::All(tests) => tests.iter().all(|test| holds(test, summary)),
        Criterion::Hits { hits: needed, of, within } => {
            hits(file, entries, *of, *within) >= *needed
        }
    }
}

/// What is unusual about a trial, one sentence each.
fn flags(summary: &Summary, interrupted: bool) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    if interrupted {
        flags.push("ended by hand".into());
    }
    flags.extend(summary.verdict.reasons.iter().cloned());
    flags.extend(summary.data.reasons.iter().cloned());
    flags
}

/// The statistics of the whole trial that have a value, by their full names.
fn statistics(summary: &Summary) -> BTreeMap<String, f64> {
    let all = summary.statistics().into_iter().filter(|statistic| statistic.stretch.is_none());
    all.filter_map(|statistic| Some((statistic.to_string(), statistic.value?))).collect()
}

/// Whether this holds of the trial. What has no value holds for nothing.
fn holds(test: &Test, summary: &Summary) -> bool {
    match test {
        Test::TimingFailed => !summary.verdict.passed,
        Test::DataUnusable => !summary.data.usable,
        Test::InputLost => summary.data.reasons.iter().any(|reason| reason.contains("closed")),
        Test::Compare { measure, comparison, value, .. } => {
            let all = summary.statistics();
            let found = find(measure, &all).and_then(|statistic| statistic.value);
            found.is_some_and(|found| comparison.holds(found, *value))
        }
    }
}

fn find<'a, 'b>(measure: &Measure, all: &'a [Statistic<'b>]) -> Option<&'a Statistic<'b>> {
    let is = |wanted: &Option<String>, has: Option<&str>| {
        wanted.as_deref().is_none_or(|wanted| has == Some(wanted))
    };
    all.iter().find(|statistic| {
        statistic.known == measure.known
            && is(&measure.input, statistic.input)
            && is(&measure.against, statistic.against)
            && measure.stretch.as_deref() == statistic.stretch
    })
}

/// A test in the words of the file.
fn said(test: &Test) -> String {
    match test {
        Test::TimingFailed => "timing failed".into(),
        Test::DataUnusable => "data unusable".into(),
        Test::InputLost => "input lost".into(),
        Test::Compare { written, .. } => written.clone(),
    }
}

//! What a session notes of a trial: how it begins; when it is over, its verdicts, its statistics,
//! and what its step makes of them (criterion, redo, results).

use crate::course::Next;
use crate::line::{TrialBegan, TrialEnded};
use crate::taps::{answer, asynchronies};
use chronotap_analysis::statistics::Found;
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_design::{Doing, Finished, HITS, Keep, Measure, Staircase, Step, TrialTest, Trials};
use std::collections::BTreeMap;

/// A key of the trial file and the value that a staircase sets.
pub type StaircaseSetting = (Vec<String>, String);

/// The beginning of a trial, but for its moment. `staircase` sets its level.
pub fn begins(
    next: Next,
    seed: u64,
    staircase: Option<&str>,
    level: Option<StaircaseSetting>,
) -> TrialBegan {
    TrialBegan {
        run: next.run,
        step: next.step,
        trial: next.trial,
        attempt: next.attempt,
        seed,
        staircase: staircase.map(str::to_owned),
        values: level.into_iter().map(|(path, value)| (path.join("."), value)).collect(),
        ..TrialBegan::default()
    }
}

/// A finished trial, as the rules of its step look at it.
pub struct Judged<'a> {
    pub file: &'a TrialFile,
    /// It in numbers.
    pub summary: &'a Summary,
    /// Its events.
    pub entries: &'a [Entry],
}

/// The end of the planned trial of this number of a step, but for its run, moments and files.
/// `staircase` set its level.
pub fn of(
    step: &Step,
    trial: u32,
    staircase: Option<&Staircase>,
    judged: &Judged<'_>,
) -> TrialEnded {
    let summary = judged.summary;
    let interrupted = is_interrupted(summary);
    let mut ended = TrialEnded {
        length_s: summary.length_s,
        timing_passed: !summary.verdict.failed(),
        data_usable: summary.data.usable,
        interrupted,
        flags: flags(summary, interrupted),
        statistics: statistics(summary),
        ..TrialEnded::default()
    };
    if let Some(staircase) = staircase {
        answered(&mut ended, staircase, judged);
    }
    if let Doing::Trials(trials) = &step.doing {
        let redo = trials.redo.iter().flat_map(|redo| redo.failed(judged));
        ended.failed = redo.map(said).collect();
        ended.flags.extend(ended.failed.iter().map(|test| format!("failed: {test}")));
        ended.reached = trials.practice.as_ref().map(|practice| practice.until.is_met(judged));
        ended.criterion = criterion(trials, trial, ended.reached).filter(|_| !interrupted);
        ended.missed = trials.practice.as_ref().and_then(|practice| practice.until.missed(judged));
        ended.flags.extend(ended.criterion.clone());
        ended.kept = kept(trials, judged);
    }
    ended
}

/// What was answered to a staircase.
fn answered(ended: &mut TrialEnded, staircase: &Staircase, judged: &Judged<'_>) {
    let tapped = answer(judged.file, judged.entries, &staircase.answer);
    let meant = |note| staircase.correct.judge(note).into();
    ended.answer = Some(meant(tapped.first));
    ended.early_taps = tapped.early;
    ended.then_answered = tapped.then.map(|note| meant(Some(note)));
    ended.flags.extend(about_answer(ended));
}

/// What is unusual about an answer, one sentence each; not which answer it was, because the
/// experimenter may be blind.
pub fn about_answer(ended: &TrialEnded) -> Vec<String> {
    let early = match ended.early_taps {
        0 => None,
        n => Some(format!("{} before an answer could be given: not counted", counted(n, "tap"))),
    };
    let then =
        ended.then_answered.map(|_| "another answer after the first: not counted".to_owned());
    early.into_iter().chain(then).collect()
}

/// How practice ended, where it ended with this trial.
fn criterion(trials: &Trials, trial: u32, reached: Option<bool>) -> Option<String> {
    let at_most = trials.practice.as_ref()?.at_most;
    match reached? {
        true => Some(format!("criterion reached with trial {trial}")),
        false => (trial >= at_most).then(|| {
            let trials = if trial == 1 { "trial" } else { "trials" };
            format!("criterion not reached in {trial} {trials}")
        }),
    }
}

/// The word of a summary for a trial that somebody ended by hand.
const INTERRUPTED: &str = "interruption";
/// The same for one that ended at the bound of a rehearsal.
const CUT_OFF: &str = "the time limit";

/// Whether it was still running at the bound of a rehearsal, and ended there.
pub fn is_cut_off(summary: &Summary) -> bool {
    summary.ending == CUT_OFF
}

/// Whether somebody ended the trial before its time.
pub fn is_interrupted(summary: &Summary) -> bool {
    summary.ending == INTERRUPTED
}

impl Finished for Judged<'_> {
    fn verdict(&self, test: &TrialTest) -> bool {
        match test {
            TrialTest::TimingFailed => self.summary.verdict.failed(),
            TrialTest::DataUnusable => !self.summary.data.usable,
            // An input that was gone for a while is a doubt, one that stayed away a reason.
            TrialTest::InputLost => {
                let all = self.summary.data.reasons.iter().chain(&self.summary.data.doubts);
                all.into_iter().any(|said| said.starts_with("input ") && said.contains("closed"))
            }
            TrialTest::Compare { .. } => false,
        }
    }

    fn statistic(&self, measure: &Measure) -> Option<f64> {
        find(measure, &self.summary.statistics()).and_then(|statistic| statistic.value)
    }

    fn asynchronies(&self) -> Vec<Option<Nanos>> {
        asynchronies(self.file, self.entries)
    }
}

/// What later steps take up: a time in nanoseconds, else the plain number.
fn kept(trials: &Trials, judged: &Judged<'_>) -> BTreeMap<String, f64> {
    let all = judged.summary.statistics();
    let of = |keep: &Keep| {
        let found = find(&keep.measure, &all)?;
        let value = found.time().map_or(found.value, |time| Some(time.0 as f64));
        Some((keep.name.clone(), value?))
    };
    let practice = trials.practice.as_ref();
    let hits = practice.and_then(|practice| practice.until.hits(judged));
    let hits = hits.map(|hits| (HITS.to_owned(), f64::from(hits)));
    hits.into_iter().chain(trials.keep.iter().filter_map(of)).collect()
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
pub(crate) fn statistics(summary: &Summary) -> BTreeMap<String, f64> {
    let all = summary.statistics().into_iter().filter(|statistic| statistic.stretch.is_none());
    all.filter_map(|statistic| Some((statistic.to_string(), statistic.value?))).collect()
}

fn find<'a, 'b>(measure: &Measure, all: &'a [Found<'b>]) -> Option<&'a Found<'b>> {
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
fn said(test: &TrialTest) -> String {
    match test {
        TrialTest::TimingFailed => "timing failed".into(),
        TrialTest::DataUnusable => "data unusable".into(),
        TrialTest::InputLost => "input lost".into(),
        TrialTest::Compare { written, .. } => written.clone(),
    }
}

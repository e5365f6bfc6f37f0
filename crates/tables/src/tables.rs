//! [`analyze`]: trials read and measured, on all processors.

use crate::cells::{integer, text};
use crate::conditions::{Condition, conditions};
use crate::debounce::debounce;
use crate::{How, Source, Sources, TrialRow, taps, trial};
use chronotap_analysis::account::Account;
use chronotap_analysis::cleaning::Rule;
use chronotap_experiment::TrialFile;
use chronotap_record::{Checksum, read_events};
use serde_json::Value;
use std::collections::HashMap;
use std::thread;

/// What came of an analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The rows of the table of taps, as bytes, without a heading.
    pub taps: Vec<u8>,
    /// The rows of the table of trials.
    pub rows: Vec<TrialRow>,
    /// The rows of the table of conditions.
    pub conditions: Vec<Condition>,
    /// Of each trial, whether it goes into the conditions.
    pub used: Vec<bool>,
    /// Of each trial, the verdicts on its timing and its data; `None` where it was not read.
    pub verdicts: Vec<Option<Verdicts>>,
    /// Trials that could not be read.
    pub unread: Vec<Unread>,
    /// How many there are of everything.
    pub counts: Counts,
}

/// The verdicts of a trial, as it was recorded, and whether it still is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Whether its timing passed.
    pub timing: bool,
    /// Whether its data can be used.
    pub data: bool,
    /// Whether its events file was changed since it was written.
    pub changed: bool,
}

/// A trial that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The place of the trial among the sources.
    pub source: usize,
    /// Why, with file and cure.
    pub why: String,
}

/// How many there are of everything, and how many were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Trials of the sources.
    pub trials: usize,
    /// Trials that go into the conditions.
    pub used: usize,
    /// Trials that could not be read.
    pub unread: usize,
    /// Attempts that do not count.
    pub not_counting: usize,
    /// Trials that count, but whose data cannot be used.
    pub unusable: usize,
    /// Trials whose events files were changed since they were written; they are used.
    pub changed: usize,
    /// Trials that are used although their timing failed.
    pub timing_failed: usize,
    /// Taps.
    pub taps: usize,
}

/// What one trial came to.
struct Read {
    rows: Vec<TrialRow>,
    verdicts: Verdicts,
    taps: usize,
}

/// Reads and measures the trials.
pub fn analyze(sources: &Sources, how: &How) -> Analysis {
    let count = sources.trials.len();
    let threads = thread::available_parallelism().map_or(1, usize::from).clamp(1, count.max(1));
    let share = count.div_ceil(threads).max(1);
    let parts = thread::scope(|scope| {
        let chunks = sources.trials.chunks(share).enumerate();
        let started: Vec<_> = chunks
            .map(|(part, trials)| scope.spawn(move || part_of(part * share, trials, how)))
            .collect();
        started
            .into_iter()
            .map(|part| part.join().expect("a part does not panic"))
            .collect::<Vec<_>>()
    });
    let mut analysis = Analysis::default();
    let mut source = 0;
    for (taps, trials) in parts {
        analysis.taps.extend_from_slice(&taps);
        for read in trials {
            take_in(&mut analysis, &sources.trials[source], source, read, how);
            source += 1;
        }
    }
    analysis.conditions = conditions(sources, &analysis);
    analysis
}

fn take_in(
    analysis: &mut Analysis,
    source: &Source,
    place: usize,
    read: Result<Read, String>,
    how: &How,
) {
    let counts = &mut analysis.counts;
    counts.trials += 1;
    let (mut used, mut verdicts) = (false, None);
    match read {
        Err(why) => {
            counts.unread += 1;
            analysis.unread.push(Unread { source: place, why });
        }
        Ok(read) => {
            counts.taps += read.taps;
            let usable = read.verdicts.data || how.with_unusable;
            used = source.counts && usable;
            counts.used += usize::from(used);
            counts.not_counting += usize::from(!source.counts);
            counts.unusable += usize::from(source.counts && !read.verdicts.data);
            counts.changed += usize::from(read.verdicts.changed);
            counts.timing_failed += usize::from(used && !read.verdicts.timing);
            verdicts = Some(read.verdicts);
            analysis.rows.extend(read.rows);
        }
    }
    analysis.used.push(used);
    analysis.verdicts.push(verdicts);
}

/// A share of the trials, one after the other. Trials of one file are parsed once.
fn part_of(first: usize, trials: &[Source], how: &How) -> (Vec<u8>, Vec<Result<Read, String>>) {
    let mut taps = Vec::new();
    let mut files: HashMap<String, TrialFile> = HashMap::new();
    let of =
        |(place, source): (usize, &Source)| read(first + place, source, how, &mut files, &mut taps);
    let read = trials.iter().enumerate().map(of).collect();
    (taps, read)
}

fn read(
    place: usize,
    source: &Source,
    how: &How,
    files: &mut HashMap<String, TrialFile>,
    taps: &mut Vec<u8>,
) -> Result<Read, String> {
    let recording = read_events(&source.path).map_err(|error| error.to_string())?;
    let text = &recording.header.trial_file.text;
    if !files.contains_key(text) {
        let parsed = recording.trial_file().map_err(|problems| {
            format!("{}: the trial file kept in it: {problems}", source.path.display())
        })?;
        files.insert(text.clone(), parsed);
    }
    let mut observed = recording.observed(&files[text]).map_err(|difference| {
        format!("{}: {difference}; restore the file as it was written", source.path.display())
    })?;
    for rule in &how.rules {
        if let Rule::Debounce(minimum) = rule {
            debounce(&mut observed, *minimum);
        }
    }
    let account = Account::of(&observed);
    let inputs = trial::inputs(&observed, &account, how);
    let count = taps::put_taps(taps, &prefix(source), &observed, &account, &inputs);
    let summary = &recording.footer.summary;
    let holds = |value: &Value| value.as_bool().unwrap_or(false);
    let verdicts = Verdicts {
        timing: holds(&summary["verdict"]["passed"]),
        data: holds(&summary["data"]["usable"]),
        changed: recording.checksum == Checksum::Differs,
    };
    Ok(Read { rows: trial::rows(place, &observed, &account, &inputs), verdicts, taps: count })
}

/// The cells that say which trial it is.
pub(crate) fn prefix(source: &Source) -> Vec<u8> {
    let mut out = Vec::new();
    for part in [&source.participant, &source.session, &source.task] {
        text(&mut out, part.as_deref());
    }
    source.place.iter().for_each(|part| text(&mut out, part.as_deref()));
    text(&mut out, Some(if source.counts { "true" } else { "false" }));
    source.levels.iter().for_each(|level| text(&mut out, level.as_deref()));
    text(&mut out, Some(&source.shown));
    out
}

/// A count as a cell, for tables elsewhere in this crate.
pub(crate) fn count(out: &mut Vec<u8>, n: usize) {
    integer(out, i64::try_from(n).ok());
}

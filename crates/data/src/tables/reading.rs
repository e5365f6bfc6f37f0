//! One trial after the other, read and measured: its rows in the table of trials, and its taps.

use crate::record::{
    Checksum, Footer, Header, Outline, Outlines, ReadError, RecordedError, matching_rule,
};
use crate::tables::debounce::debounce;
use crate::tables::measures::Extent;
use crate::tables::taps::{TapSink, put_taps};
use crate::tables::time_course::{TimeCourse, course};
use crate::tables::{AnalysisOptions, Source, TrialRow, trial};
use chronotap_analysis::account::Account;
use chronotap_analysis::cleaning;
use chronotap_analysis::observed::Observed;
use chronotap_analysis::statistics::Statistic;
use chronotap_config::trial_files::TrialFile;
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The verdicts of a trial, as it was recorded, and whether it still is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialVerdicts {
    /// Whether its timing passed; `None` where another program recorded it.
    pub timing: Option<bool>,
    /// Whether its data can be used.
    pub data: bool,
    /// Whether its events file was changed since it was written.
    pub changed: bool,
}

/// Why a trial could not be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadError {
    /// Its files cannot be read, or were changed.
    #[error(transparent)]
    File(#[from] ReadError),
    /// What they hold makes no trial.
    #[error("{}: {source}", path.display())]
    Recorded {
        path: PathBuf,
        /// What is wrong with it.
        source: RecordedError,
    },
}

/// What one trial came to.
pub(super) struct Read {
    pub rows: Vec<TrialRow>,
    pub verdicts: TrialVerdicts,
    /// Whether its files say by an earlier rule what became of each tap.
    pub matched_otherwise: bool,
    /// The length of its events file and its CRC-32.
    pub bytes: (usize, u32),
    /// The same of its description.
    pub description: (usize, u32),
    /// How many taps there are.
    pub taps: usize,
    pub course: Option<Box<TimeCourse>>,
}

/// Trials, one after the other.
pub(super) type Trials = Vec<Result<Read, UnreadError>>;

/// What is asked for besides the rules, and who is told how many trials are done.
#[derive(Clone, Copy)]
pub(super) struct Wish<'a> {
    pub how: &'a AnalysisOptions,
    pub courses: bool,
    pub done: &'a AtomicUsize,
    pub progress: &'a (dyn Fn(usize) + Sync),
}

impl Wish<'_> {
    /// One more trial is done.
    pub fn tell(&self) {
        (self.progress)(self.done.fetch_add(1, Relaxed) + 1);
    }
}

/// So many trials are worked on at a time by a processor, or as many as have so many bytes of
/// events between them: an hour of tapping has as many taps as a hundred short trials.
const BATCH: usize = 64;
const BATCH_BYTES: u64 = 4 << 20;

/// How many trials are worked on at a time, going by the first, the last and one between.
pub(super) fn batch(trials: &[Source]) -> usize {
    let some = [trials.first(), trials.get(trials.len() / 2), trials.last()];
    let bytes = |source: &Source| std::fs::metadata(&source.path).map_or(0, |file| file.len());
    let largest = some.into_iter().flatten().map(bytes).max().unwrap_or(0);
    (BATCH_BYTES / largest.max(1)).clamp(1, BATCH as u64) as usize
}

/// A share of the trials, one after the other. Trials of one file are parsed once.
pub(super) fn part_of<T: TapSink>(
    range: Range<usize>,
    trials: &[Source],
    wish: Wish<'_>,
) -> (T, Trials) {
    let mut taps = T::default();
    let mut known = Known::default();
    let of = |place: usize| {
        taps.begin(&trials[place]);
        let read = read(place, &trials[place], &wish, &mut known, &mut taps);
        wish.tell();
        read
    };
    let read = range.map(of).collect();
    (taps, read)
}

/// One trial alone.
pub(super) fn read_again(
    place: usize,
    source: &Source,
    wish: Wish<'_>,
    taps: &mut impl TapSink,
) -> Result<Read, UnreadError> {
    taps.begin(source);
    let read = read(place, source, &wish, &mut Known::default(), taps);
    wish.tell();
    read
}

/// What a share of the trials has in common: the memory they are read into, and their trial files.
#[derive(Default)]
struct Known {
    outlines: Outlines,
    files: HashMap<String, TrialFile>,
}

fn read(
    place: usize,
    source: &Source,
    wish: &Wish<'_>,
    known: &mut Known,
    taps: &mut impl TapSink,
) -> Result<Read, UnreadError> {
    let wrong = |found| UnreadError::Recorded { path: source.path.clone(), source: found };
    let (recording, told) = outline(&mut known.outlines, source, wish)?;
    let text = &recording.trial_file.text;
    if !known.files.contains_key(text) {
        let parsed = recording.trial_file().map_err(|problems| wrong(problems.into()))?;
        known.files.insert(text.clone(), parsed);
    }
    let observed = recording.observed(&known.files[text]);
    let mut observed = observed.map_err(|found| wrong(RecordedError::Row(found.clone())))?;
    prepare(&mut observed, wish.how);
    let account = Account::of(&observed);
    let inputs = trial::inputs(&observed, &account, wish.how);
    let taps = put_taps(taps, &observed, &account, &inputs);
    let said = recording.verdicts;
    let changed = recording.checksum == Checksum::Differs;
    let verdicts = TrialVerdicts { timing: said.timing, data: said.data, changed };
    let rows = trial::rows(place, &observed, &account, &inputs, Extent::Whole);
    let course =
        told.map(|told| Box::new(course((&told.0, &told.1), &observed, &account, &inputs)));
    let matched_otherwise = recording.matching != matching_rule(&known.files[text]);
    let (bytes, description) = (recording.bytes, recording.description);
    Ok(Read { rows, verdicts, matched_otherwise, bytes, description, taps, course })
}

/// A trial, and all that its description says where courses are wished.
fn outline(
    outlines: &mut Outlines,
    source: &Source,
    wish: &Wish<'_>,
) -> Result<(Outline, Option<(Header, Footer)>), ReadError> {
    if !wish.courses {
        return outlines.read(&source.path).map(|outline| (outline, None));
    }
    outlines.read_whole(&source.path).map(|(outline, head, foot)| (outline, Some((head, foot))))
}

/// Measures a trial that need not be on a disk: its rows in the table of trials, with `place` as
/// their source, and its taps, of which the number is given.
pub fn measure(
    place: usize,
    mut observed: Observed<'_>,
    how: &AnalysisOptions,
    taps: &mut impl TapSink,
) -> (Vec<TrialRow>, usize) {
    prepare(&mut observed, how);
    let account = Account::of(&observed);
    let inputs = trial::inputs(&observed, &account, how);
    let count = put_taps(taps, &observed, &account, &inputs);
    (trial::rows(place, &observed, &account, &inputs, Extent::Whole), count)
}

/// Measures of such a trial the values of some statistics alone, without their intervals.
pub fn measure_values(
    place: usize,
    observed: &Observed<'_>,
    of: &[&'static Statistic],
) -> Vec<TrialRow> {
    if of.is_empty() {
        return Vec::new();
    }
    let account = Account::of(observed);
    let inputs = trial::inputs(observed, &account, &AnalysisOptions::default());
    trial::rows(place, observed, &account, &inputs, Extent::Values(of))
}

/// What acts before taps are matched to beats.
fn prepare(observed: &mut Observed<'_>, how: &AnalysisOptions) {
    if how.window.is_some() {
        observed.answers.windows = vec![how.window; observed.pacing.len()];
    }
    for rule in &how.rules {
        if let cleaning::CleaningRule::Debounce(minimum) = rule {
            debounce(observed, *minimum);
        }
    }
}

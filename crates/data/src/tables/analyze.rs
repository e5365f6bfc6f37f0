//! [`analyze`]: trials read and measured, on all processors.

use crate::record::{
    Checksum, Footer, Header, Outline, Outlines, ReadError, RecordedError, matching_rule,
};
use crate::tables::cells::integer;
use crate::tables::conditions::{Condition, conditions};
use crate::tables::debounce::debounce;
use crate::tables::in_order::in_order;
use crate::tables::share::in_turn;
use crate::tables::taps::{NoTaps, TapSink, put_taps};
use crate::tables::time_course::{TimeCourse, course};
use crate::tables::{How, Source, Sources, TrialRow, trial};
use chronotap_analysis::account::Account;
use chronotap_analysis::cleaning;
use chronotap_analysis::observed::Observed;
use chronotap_analysis::statistics::{Of, Statistic};
use chronotap_config::trial_files::TrialFile;
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What came of an analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The rows of the table of trials.
    pub rows: Vec<TrialRow>,
    /// The rows of the table of conditions.
    pub conditions: Vec<Condition>,
    /// Of each trial, whether it goes into the conditions.
    pub used: Vec<bool>,
    /// Of each trial, the verdicts on its timing and its data; `None` where it was not read.
    pub verdicts: Vec<Option<Verdicts>>,
    /// Of each trial, the length of its events file and its CRC-32, where it was read.
    pub bytes: Vec<Option<(usize, u32)>>,
    /// Trials that could not be read.
    pub unread: Vec<Unread>,
    /// How many there are of everything.
    pub counts: Counts,
}

impl Analysis {
    /// Of trials that were rehearsed and have no files: their rows, and the verdicts on each of them.
    pub fn of_rehearsal(
        sources: &Sources,
        rows: Vec<TrialRow>,
        verdicts: Vec<Verdicts>,
    ) -> Analysis {
        let used = sources.trials.iter().zip(&verdicts).map(|(of, said)| of.counts && said.data);
        let mut analysis = Analysis {
            rows,
            used: used.collect(),
            verdicts: verdicts.into_iter().map(Some).collect(),
            ..Analysis::default()
        };
        analysis.conditions = conditions(sources, &analysis);
        analysis
    }

    /// A count over all whole trials. What is of an input alone, as are its taps and intervals, is
    /// counted once, however many streams the input answers.
    pub fn in_all(&self, count: &Statistic) -> usize {
        let (of_input, place) = (count.of() == Of::Input, crate::tables::measures::place(count));
        let (mut sum, mut last) = (0.0, None);
        for row in self.rows.iter().filter(|row| row.stretch.is_none()) {
            let input = Some((row.source, &*row.input));
            if !of_input || input != last {
                sum += row.value(place).unwrap_or(0.0);
            }
            last = input;
        }
        sum as usize
    }
}

/// The verdicts of a trial, as it was recorded, and whether it still is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Whether its timing passed; `None` where another program recorded it.
    pub timing: Option<bool>,
    /// Whether its data can be used.
    pub data: bool,
    /// Whether its events file was changed since it was written.
    pub changed: bool,
}

/// A trial that could not be read.
#[derive(Clone, Debug)]
pub struct Unread {
    /// The place of the trial among the sources.
    pub source: usize,
    pub why: Arc<UnreadError>,
}

/// By what is said of it: what a system refused has no equality of its own.
impl PartialEq for Unread {
    fn eq(&self, other: &Unread) -> bool {
        (self.source, self.why.to_string()) == (other.source, other.why.to_string())
    }
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
    /// Trials whose files say by an earlier rule what became of each tap. The tables match all trials
    /// by the present one.
    pub matched_otherwise: usize,
    pub taps: usize,
}

/// What one trial came to.
pub(super) struct Read {
    pub rows: Vec<TrialRow>,
    pub verdicts: Verdicts,
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
    pub how: &'a How,
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

/// Reads and measures the trials.
pub fn analyze(sources: &Sources, how: &How) -> Analysis {
    let analysis = analyze_into(sources, how, &|_| {}, &mut |_: NoTaps| Ok(()));
    analysis.unwrap_or_else(|_| unreachable!("nothing refuses taps that nobody wants"))
}

/// The same, and the taps are handed on: sink after sink, each with those of the next trials, in
/// order, so that they are never all in memory. `progress` is told how many trials are done.
///
/// # Errors
/// The first that `take` gives; it is not called again.
pub fn analyze_into<T: TapSink>(
    sources: &Sources,
    how: &How,
    progress: &(dyn Fn(usize) + Sync),
    take: &mut (dyn FnMut(T) -> io::Result<()> + Send),
) -> io::Result<Analysis> {
    let done = AtomicUsize::new(0);
    let (analysis, _) = all(sources, Wish { how, courses: false, done: &done, progress }, take)?;
    Ok(analysis)
}

/// The same, and each trial over time; `None` where it could not be read. `progress` is told
/// how many trials are done.
pub fn analyze_with_courses(
    sources: &Sources,
    how: &How,
    progress: &(dyn Fn(usize) + Sync),
) -> (Analysis, Vec<Option<TimeCourse>>) {
    let done = AtomicUsize::new(0);
    let wish = Wish { how, courses: true, done: &done, progress };
    let found = all(sources, wish, &mut |_: NoTaps| Ok(()));
    found.unwrap_or_else(|_| unreachable!("nothing refuses taps that nobody wants"))
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

/// The analysis, and each trial over time, where that is wished.
type All = (Analysis, Vec<Option<TimeCourse>>);

fn all<T: TapSink>(
    sources: &Sources,
    wish: Wish<'_>,
    take: &mut (dyn FnMut(T) -> io::Result<()> + Send),
) -> io::Result<All> {
    let (mut analysis, mut courses) = (Analysis::default(), Vec::new());
    let mut refused = None;
    let taken = |(taps, trials): (T, Trials)| {
        for mut read in trials {
            let place = analysis.used.len();
            let course = read.as_mut().ok().and_then(|read| read.course.take());
            courses.extend(wish.courses.then(|| course.map(|course| *course)));
            take_in(&mut analysis, &sources.trials[place], place, read, wish.how);
        }
        if refused.is_none() {
            refused = take(taps).err();
        }
        refused.is_none()
    };
    let (count, size) = (sources.trials.len(), batch(&sources.trials));
    match sources.measured.is_empty() {
        true => in_order(count, size, |range| part_of(range, &sources.trials, wish), taken),
        false => in_turn(sources, wish, size, taken)?,
    }
    if let Some(refused) = refused {
        return Err(refused);
    }
    analysis.conditions = conditions(sources, &analysis);
    Ok((analysis, courses))
}

fn take_in(
    analysis: &mut Analysis,
    source: &Source,
    place: usize,
    read: Result<Read, UnreadError>,
    how: &How,
) {
    let counts = &mut analysis.counts;
    counts.trials += 1;
    let (mut used, mut verdicts, mut bytes) = (false, None, None);
    match read {
        Err(why) => {
            counts.unread += 1;
            analysis.unread.push(Unread { source: place, why: Arc::new(why) });
        }
        Ok(read) => {
            counts.taps += read.taps;
            let usable = read.verdicts.data || how.with_unusable;
            used = source.counts && usable;
            counts.used += usize::from(used);
            counts.not_counting += usize::from(!source.counts);
            counts.unusable += usize::from(source.counts && !read.verdicts.data);
            counts.changed += usize::from(read.verdicts.changed);
            counts.timing_failed += usize::from(used && read.verdicts.timing == Some(false));
            counts.matched_otherwise += usize::from(read.matched_otherwise);
            verdicts = Some(read.verdicts);
            bytes = Some(read.bytes);
            analysis.rows.extend(read.rows);
        }
    }
    analysis.used.push(used);
    analysis.verdicts.push(verdicts);
    analysis.bytes.push(bytes);
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
    let verdicts = Verdicts { timing: said.timing, data: said.data, changed };
    let rows = trial::rows(place, &observed, &account, &inputs);
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
    how: &How,
    taps: &mut impl TapSink,
) -> (Vec<TrialRow>, usize) {
    prepare(&mut observed, how);
    let account = Account::of(&observed);
    let inputs = trial::inputs(&observed, &account, how);
    let count = put_taps(taps, &observed, &account, &inputs);
    (trial::rows(place, &observed, &account, &inputs), count)
}

/// What acts before taps are matched to beats.
fn prepare(observed: &mut Observed<'_>, how: &How) {
    if how.window.is_some() {
        observed.answers.windows = vec![how.window; observed.pacing.len()];
    }
    for rule in &how.rules {
        if let cleaning::CleaningRule::Debounce(minimum) = rule {
            debounce(observed, *minimum);
        }
    }
}

/// A count as a cell, for tables elsewhere in this module.
pub(crate) fn count(out: &mut Vec<u8>, n: usize) {
    integer(out, i64::try_from(n).ok());
}

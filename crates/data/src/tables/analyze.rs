//! [`analyze`]: trials read and measured, on all processors.

use crate::tables::cells::integer;
use crate::tables::conditions::{ConditionRow, conditions};
use crate::tables::in_order::in_order;
use crate::tables::reading::{Read, Trials, Wish, batch, part_of};
use crate::tables::share::in_turn;
use crate::tables::taps::{NoTaps, TapSink};
use crate::tables::time_course::TimeCourse;
use crate::tables::{AnalysisOptions, Source, Sources, TrialRow, TrialVerdicts, UnreadError};
use chronotap_analysis::statistics::{Of, Statistic};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// What came of an analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The rows of the table of trials.
    pub rows: Vec<TrialRow>,
    /// The rows of the table of conditions.
    pub conditions: Vec<ConditionRow>,
    /// Of each trial, whether it goes into the conditions.
    pub used: Vec<bool>,
    /// Of each trial, the verdicts on its timing and its data; `None` where it was not read.
    pub verdicts: Vec<Option<TrialVerdicts>>,
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
        verdicts: Vec<TrialVerdicts>,
    ) -> Analysis {
        let used = sources.trials.iter().zip(&verdicts).map(|(of, said)| of.counts && said.data);
        let mut analysis = Analysis {
            rows,
            used: used.collect(),
            verdicts: verdicts.into_iter().map(Some).collect(),
            ..Analysis::default()
        };
        analysis.conditions = conditions(sources, &analysis.rows, &analysis.used);
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
    /// Those of them in whose place no other attempt counts ([`Sources::cut_short`]).
    pub cut_short: usize,
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

/// Reads and measures the trials.
pub fn analyze(sources: &Sources, how: &AnalysisOptions) -> Analysis {
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
    how: &AnalysisOptions,
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
    how: &AnalysisOptions,
    progress: &(dyn Fn(usize) + Sync),
) -> (Analysis, Vec<Option<TimeCourse>>) {
    let done = AtomicUsize::new(0);
    let wish = Wish { how, courses: true, done: &done, progress };
    let found = all(sources, wish, &mut |_: NoTaps| Ok(()));
    found.unwrap_or_else(|_| unreachable!("nothing refuses taps that nobody wants"))
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
    analysis.conditions = conditions(sources, &analysis.rows, &analysis.used);
    let cut = sources.cut_short().into_iter().zip(&analysis.verdicts);
    analysis.counts.cut_short = cut.filter(|(cut, read)| *cut && read.is_some()).count();
    Ok((analysis, courses))
}

fn take_in(
    analysis: &mut Analysis,
    source: &Source,
    place: usize,
    read: Result<Read, UnreadError>,
    how: &AnalysisOptions,
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

/// A count as a cell, for tables elsewhere in this module.
pub(crate) fn count(out: &mut Vec<u8>, n: usize) {
    integer(out, i64::try_from(n).ok());
}

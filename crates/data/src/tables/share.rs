//! A share of an analysis: some of the trials, measured on one computer and kept in a file ([`write_share`]); and
//! all shares in the place of the events files ([`Sources::measured_in`]), from which every table comes as one
//! computer would have written it, byte for byte.
//!
//! A share is a stretch of the trials, so that the shares are read one after the other and never all are in
//! memory. Its file has a line that says what it is, a line for each trial, and a line with the checksum of
//! the others. A number is kept as its bits. A trial that could not be read has nothing in it: whoever puts the
//! shares together meets the same fault when it is read again, and tells of it.

use crate::record::{PROGRAM, Prints, prints};
use crate::shares::{Shard, ShareError, Whose, all_there};
use crate::tables::in_order::in_order;
use crate::tables::numbers::Numbers;
use crate::tables::reading::{Read, Trials, UnreadError, Wish, batch, part_of, read_again};
use crate::tables::taps::{TapRow, TapSink};
use crate::tables::{AnalysisOptions, Source, Sources, TrialRow, TrialVerdicts};
use chronotap_analysis::cleaning::CleaningRule;
use chronotap_analysis::correction::TapRun;
use chronotap_analysis::observed::TapForce;
use chronotap_core::files;
use chronotap_core::time::Nanos;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;

const FORMAT: &str = "chronotap-analysis-share";
const VERSION: u32 = 2;
/// Of what it is.
const OF: &str = "of an analysis";

/// What stands in the first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: String,
    version: u32,
    program: String,
    /// Which share, from 1, of how many.
    share: (u32, u32),
    /// How many trials there are in all shares, and the CRC-32 of their names.
    trials: (usize, u32),
    /// What acts on what is measured.
    rules: Vec<String>,
    window: Option<String>,
}

/// What stands in the last line.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Foot {
    /// Of each trial what its files were, where they were read.
    files: Vec<Option<Prints>>,
    /// The CRC-32 of the lines before this one.
    crc32: u32,
}

/// What a trial came to. Names, such as those of inputs, stand once; elsewhere are their places.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trial {
    names: Vec<String>,
    files: Prints,
    timing: Option<bool>,
    data: bool,
    changed: bool,
    matched_otherwise: bool,
    rows: Vec<Row>,
    taps: Vec<Tap>,
}

/// A row of the table of trials.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    input: usize,
    against: Option<usize>,
    stretch: Option<usize>,
    of_partners: bool,
    swapped: bool,
    numbers: Numbers,
    runs: Vec<(Vec<i64>, Vec<Vec<i64>>)>,
}

/// A tap: its input, number, event, onset; stretch, interval, fate; the stream, beat and asynchrony that it
/// answers; the places of the rules that left something out; its peak, rise and dwell; and whence its onset is.
type Tap = (
    (usize, i64, Option<i64>, i64),
    (usize, Option<i64>, usize),
    Option<(usize, i64, i64)>,
    [Option<usize>; 3],
    Option<(u32, i64, i64)>,
    Option<usize>,
);

/// Measures a share of the trials and writes it. `progress` is told how many trials are done; where `stop` says
/// so, it ends, and there is no file. How many trials are in it.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] where there is a file, [`io::ErrorKind::Interrupted`], what the system refuses.
pub fn write_share(
    path: &Path,
    sources: &Sources,
    how: &AnalysisOptions,
    shard: Shard,
    stop: &(dyn Fn() -> bool + Sync),
    progress: &(dyn Fn(usize) + Sync),
) -> io::Result<usize> {
    let done = AtomicUsize::new(0);
    let wish = Wish { how, courses: false, done: &done, progress };
    let own = shard.stretch(sources.trials.len());
    let write = |file: &mut File| {
        let mut lines = Lines::begun(file, &Head::of(sources, how, shard))?;
        let mut refused = None;
        let from = |place: usize| own.start + place;
        let work = |range: Range<usize>| {
            part_of(from(range.start)..from(range.end), &sources.trials, wish)
        };
        let take = |(taps, trials): (Keeping, Trials)| {
            let mut put = |(taps, read): (Kept, Result<Read, UnreadError>)| match stop() {
                true => Err(io::Error::from(io::ErrorKind::Interrupted)),
                false => lines.trial(read.ok().map(|read| taps.trial(read, &how.rules))),
            };
            let put = taps.trials.into_iter().zip(trials).try_for_each(&mut put);
            refused = refused.take().or(put.err());
            refused.is_none()
        };
        in_order(own.len(), batch(&sources.trials[own.clone()]), work, take);
        refused.map_or_else(|| lines.end(), Err)
    };
    files::place(path, false, write).map(|()| own.len())
}

/// The lines of a share while they are written.
struct Lines<'a> {
    out: BufWriter<&'a mut File>,
    sum: crc32fast::Hasher,
    files: Vec<Option<Prints>>,
}

impl<'a> Lines<'a> {
    fn begun(file: &'a mut File, head: &Head) -> io::Result<Lines<'a>> {
        let (out, sum) = (BufWriter::new(file), crc32fast::Hasher::new());
        let mut lines = Lines { out, sum, files: Vec::new() };
        lines.put(head)?;
        Ok(lines)
    }

    fn trial(&mut self, trial: Option<Trial>) -> io::Result<()> {
        self.files.push(trial.as_ref().map(|trial| trial.files));
        self.put(&trial)
    }

    fn put(&mut self, line: &impl Serialize) -> io::Result<()> {
        let bytes = line_of(line)?;
        self.sum.update(&bytes);
        self.out.write_all(&bytes)
    }

    fn end(mut self) -> io::Result<()> {
        let foot = Foot { files: self.files, crc32: self.sum.finalize() };
        self.out.write_all(&line_of(&foot)?)?;
        self.out.flush()
    }
}

fn line_of(line: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

impl Head {
    fn of(sources: &Sources, how: &AnalysisOptions, shard: Shard) -> Head {
        let mut names = crc32fast::Hasher::new();
        for trial in &sources.trials {
            names.update(trial.shown.as_bytes());
            names.update(b"\n");
        }
        Head {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: PROGRAM.to_owned(),
            share: shard.written(),
            trials: (sources.trials.len(), names.finalize()),
            rules: how.rules.iter().map(ToString::to_string).collect(),
            window: how.window.map(|window| window.to_string()),
        }
    }

    /// Why it is not a share of this analysis, in the file at `path`.
    fn refused(&self, wanted: &Head, path: &Path) -> Option<ShareError> {
        let path = path.to_owned();
        let differs = |what| Some(ShareError::Asked { path: path.clone(), what });
        if self.trials != wanted.trials {
            return Some(ShareError::Trials { path, trials: wanted.trials.0 });
        }
        if self.rules != wanted.rules {
            return differs("what is left out is");
        }
        if self.window != wanted.window {
            return differs("--window is");
        }
        let (share, of) = self.share;
        let why = "it is not one of its shares".to_owned();
        (share == 0 || share > of).then_some(ShareError::NoShare { path, of: OF, why })
    }
}

impl Sources {
    /// The same trials, measured before: every share of them, in files. Of the trials themselves only the sums are made
    /// again, by which a changed one is found.
    ///
    /// # Errors
    /// [`ShareError`], among it where a trial was changed since.
    pub fn measured_in(
        self,
        shares: &[PathBuf],
        how: &AnalysisOptions,
    ) -> Result<Sources, ShareError> {
        let wanted = Head::of(&self, how, Shard::ALL);
        let ends = |path: &PathBuf| head_and_foot(path, &wanted);
        let ends: Vec<(Head, Foot)> = shares.iter().map(ends).collect::<Result<_, _>>()?;
        let all = || shares.iter().map(PathBuf::as_path).zip(&ends);
        let there = all_there(all().map(|(path, (head, _))| (path, head.share)))?;
        for (path, (head, foot)) in all() {
            let (share, of) = head.share;
            let shard = Shard { part: share as usize - 1, of: of as usize };
            let own = &self.trials[shard.stretch(self.trials.len())];
            check_files(path, own, &foot.files)?;
        }
        let measured = there.into_values().map(Path::to_owned).collect();
        Ok(Sources { measured, ..self })
    }
}

/// Whether the files of the trials are what they were.
fn check_files(path: &Path, own: &[Source], files: &[Option<Prints>]) -> Result<(), ShareError> {
    if own.len() != files.len() {
        let why = "it has not the trials of its share".to_owned();
        return Err(ShareError::NoShare { path: path.to_owned(), of: OF, why });
    }
    let is_as_it_was =
        |trial: &Source, files: &Option<Prints>| files.is_none() || prints(&trial.path) == *files;
    let changed = own.iter().zip(files).find(|(trial, files)| !is_as_it_was(trial, files));
    changed.map_or(Ok(()), |(trial, _)| {
        Err(ShareError::Changed { path: path.to_owned(), trial: trial.path.clone() })
    })
}

/// The first and the last line of a share that is as it was written.
fn head_and_foot(path: &Path, wanted: &Head) -> Result<(Head, Foot), ShareError> {
    let read = |source| ShareError::Read { path: path.to_owned(), source };
    let none =
        |why: &str| ShareError::NoShare { path: path.to_owned(), of: OF, why: why.to_owned() };
    let mut file = BufReader::new(files::open(path).map_err(read)?);
    let (mut last, mut next) = (Vec::new(), Vec::new());
    file.read_until(b'\n', &mut last).map_err(read)?;
    Whose::check(&last, path, OF, (FORMAT, VERSION))?;
    let head: Head = serde_json::from_slice(&last).map_err(|error| none(&error.to_string()))?;
    head.refused(wanted, path).map_or(Ok(()), Err)?;
    let mut sum = crc32fast::Hasher::new();
    while file.read_until(b'\n', &mut next).map_err(read)? > 0 {
        sum.update(&last);
        std::mem::swap(&mut last, &mut next);
        next.clear();
    }
    let foot: Foot = serde_json::from_slice(&last).map_err(|_| none("it has no end"))?;
    match foot.crc32 == sum.finalize() {
        true => Ok((head, foot)),
        false => Err(none("it was changed after it was written")),
    }
}

/// The trials of all shares, in order: `take` is given those of the next batch, until it says no.
pub(super) fn in_turn<T: TapSink>(
    sources: &Sources,
    wish: Wish<'_>,
    size: usize,
    mut take: impl FnMut((T, Trials)) -> bool,
) -> io::Result<()> {
    let count = sources.trials.len();
    let mut lines = Reading { sources, next: 0, left: 0, file: None, line: Vec::new() };
    for first in (0..count).step_by(size) {
        let (mut taps, mut trials) = (T::default(), Vec::new());
        for place in first..count.min(first + size) {
            trials.push(measured(place, sources, wish, lines.trial()?, &mut taps)?);
        }
        if !take((taps, trials)) {
            break;
        }
    }
    Ok(())
}

/// A trial, from its line; where there is nothing, from its events file.
fn measured(
    place: usize,
    sources: &Sources,
    wish: Wish<'_>,
    line: &[u8],
    taps: &mut impl TapSink,
) -> io::Result<Result<Read, UnreadError>> {
    let source = &sources.trials[place];
    let Some(trial) = serde_json::from_slice::<Option<Trial>>(line)? else {
        return Ok(read_again(place, source, wish, taps));
    };
    taps.begin(source);
    let read = trial.read(place, &wish.how.rules, taps);
    wish.tell();
    read.map(Ok).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// The shares while they are read, line by line.
struct Reading<'a> {
    sources: &'a Sources,
    /// The share that is opened next, from 0.
    next: usize,
    /// As many trials are left in this one.
    left: usize,
    file: Option<BufReader<File>>,
    line: Vec<u8>,
}

impl Reading<'_> {
    /// The line of the next trial.
    fn trial(&mut self) -> io::Result<&[u8]> {
        while self.left == 0 {
            let all = &self.sources.measured;
            let path = all.get(self.next).ok_or(io::ErrorKind::UnexpectedEof)?;
            self.file = Some(BufReader::new(files::open(path)?));
            self.put_line()?; // the first
            let shard = Shard { part: self.next, of: all.len() };
            self.left = shard.stretch(self.sources.trials.len()).len();
            self.next += 1;
        }
        self.left -= 1;
        self.put_line()?;
        Ok(&self.line)
    }

    fn put_line(&mut self) -> io::Result<()> {
        self.line.clear();
        self.file.as_mut().map_or(Ok(0), |file| file.read_until(b'\n', &mut self.line))?;
        Ok(())
    }
}

/// The taps of trials, with names of their own, until they are written.
#[derive(Debug, Default)]
struct Keeping {
    trials: Vec<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    names: Vec<String>,
    taps: Vec<(Tap, [Option<CleaningRule>; 3])>,
}

impl TapSink for Keeping {
    fn begin(&mut self, _: &Source) {
        self.trials.push(Kept::default());
    }

    fn put(&mut self, row: &TapRow<'_>) {
        let Some(kept) = self.trials.last_mut() else { return };
        let answered =
            row.answered.map(|(stream, beat, asynchrony)| (kept.name(stream), beat, asynchrony.0));
        let first = (kept.name(row.input), row.tap, row.event_id, row.onset.0);
        let interval = row.interval.map(|interval| interval.0);
        let then = (kept.name(row.stretch), interval, kept.name(row.fate));
        let force = row.force.map(|force| (force.peak, force.rise.0, force.dwell.0));
        let source = row.onset_source.map(|word| kept.name(word));
        kept.taps.push(((first, then, answered, [None; 3], force, source), row.left_out));
    }
}

impl Kept {
    /// The place of a name. A trial has a handful.
    fn name(&mut self, name: &str) -> usize {
        let there = self.names.iter().position(|known| known == name);
        there.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// With what was measured of the trial.
    fn trial(mut self, read: Read, rules: &[CleaningRule]) -> Trial {
        let rows = read.rows.iter().map(|row| self.row(row)).collect();
        let place = |rule: CleaningRule| rules.iter().position(|known| *known == rule);
        let taps =
            self.taps.into_iter().map(|((first, then, answered, _, force, source), left_out)| {
                (first, then, answered, left_out.map(|rule| rule.and_then(place)), force, source)
            });
        Trial {
            taps: taps.collect(),
            names: self.names,
            files: [read.bytes, read.description],
            timing: read.verdicts.timing,
            data: read.verdicts.data,
            changed: read.verdicts.changed,
            matched_otherwise: read.matched_otherwise,
            rows,
        }
    }

    fn row(&mut self, row: &TrialRow) -> Row {
        let all = |onsets: &[Nanos]| onsets.iter().map(|onset| onset.0).collect();
        let run = |run: &TapRun| (all(&run.taps), run.partners.iter().map(|of| all(of)).collect());
        Row {
            input: self.name(&row.input),
            against: row.against.as_ref().map(|name| self.name(name)),
            stretch: row.stretch.as_ref().map(|name| self.name(name)),
            of_partners: row.of_partners,
            swapped: row.swapped,
            numbers: row.numbers.clone(),
            runs: row.runs.iter().map(run).collect(),
        }
    }
}

impl Trial {
    /// As it was measured; its taps go into the sink. `None` where it names what is not there.
    fn read(self, source: usize, rules: &[CleaningRule], taps: &mut impl TapSink) -> Option<Read> {
        taps.make_room(self.taps.len());
        for tap in &self.taps {
            taps.put(&self.tap(tap, rules)?);
        }
        let rows = self.rows.iter().map(|row| self.row(source, row)).collect::<Option<_>>()?;
        let verdicts =
            TrialVerdicts { timing: self.timing, data: self.data, changed: self.changed };
        Some(Read {
            rows,
            verdicts,
            matched_otherwise: self.matched_otherwise,
            bytes: self.files[0],
            description: self.files[1],
            taps: self.taps.len(),
            course: None,
        })
    }

    fn name(&self, place: usize) -> Option<&str> {
        self.names.get(place).map(String::as_str)
    }

    fn tap(&self, tap: &Tap, rules: &[CleaningRule]) -> Option<TapRow<'_>> {
        let (first, (stretch, interval, fate), answered, left_out, force, onset_source) = tap;
        let (input, number, event_id, onset) = first;
        let answered = match answered {
            None => None,
            Some((stream, beat, asynchrony)) => {
                Some((self.name(*stream)?, *beat, Nanos(*asynchrony)))
            }
        };
        let mut by = [None; 3];
        for (by, rule) in by.iter_mut().zip(left_out) {
            *by = rule.map_or(Some(None), |rule| rules.get(rule).copied().map(Some))?;
        }
        Some(TapRow {
            input: self.name(*input)?,
            tap: *number,
            event_id: *event_id,
            onset: Nanos(*onset),
            stretch: self.name(*stretch)?,
            interval: interval.map(Nanos),
            fate: self.name(*fate)?,
            answered,
            left_out: by,
            force: force.map(|(peak, rise, dwell)| TapForce {
                peak,
                rise: Nanos(rise),
                dwell: Nanos(dwell),
            }),
            onset_source: match onset_source {
                None => None,
                Some(word) => Some(self.name(*word)?),
            },
        })
    }

    fn row(&self, source: usize, row: &Row) -> Option<TrialRow> {
        let all = |onsets: &[i64]| onsets.iter().copied().map(Nanos).collect();
        let run = |(taps, partners): &(Vec<i64>, Vec<Vec<i64>>)| TapRun {
            taps: all(taps),
            partners: partners.iter().map(|of| all(of)).collect(),
        };
        let named = |place: Option<usize>| match place {
            None => Some(None),
            Some(place) => self.name(place).map(|name| Some(name.to_owned())),
        };
        Some(TrialRow {
            source,
            input: self.name(row.input)?.to_owned(),
            against: named(row.against)?,
            stretch: named(row.stretch)?,
            of_partners: row.of_partners,
            swapped: row.swapped,
            numbers: row.numbers.clone(),
            runs: row.runs.iter().map(run).collect(),
        })
    }
}

/// The line of a trial, read and written again; `None` where it is none. For tests of hostile files.
pub fn reread_share_line(line: &[u8], rules: &[CleaningRule]) -> Option<Vec<u8>> {
    let trial: Trial = serde_json::from_slice(line).ok()?;
    let mut taps = Keeping { trials: vec![Kept::default()] };
    let read = trial.read(0, rules, &mut taps)?;
    line_of(&taps.trials.pop()?.trial(read, rules)).ok()
}

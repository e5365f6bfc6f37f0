//! Recorded trials beside the table of another recorder: what of them is compared ([`Ours`]), how
//! such a table is read ([`read_table`]), and the trials' events by the other clock
//! ([`put_heading`], [`Ours::put_rows`]; beside a recording in BIDS [`bids_events`]).
//!
//! Trials in real time say when they began on the clock of their computer. So trials of one session
//! are one recording, with the pauses between them as intervals that tell more than any within a
//! trial. Not here: the comparing itself, which is [`chronotap_analysis::alignment`].

mod brain_vision;
mod recording;
mod table;

pub use recording::{bids_description, bids_events};
pub use table::{
    Chosen, OnsetColumns, OnsetUnit, RecorderTable, RecorderTableError, code_of, parse_table,
};

use crate::record::text::{MISSING, put_i64, put_seconds, put_text};
use crate::record::{Flag, Header, Recording, Row, TrialType};
use chronotap_analysis::alignment::{Alignment, ClockMark};
use chronotap_core::time::Nanos;
use std::path::{Path, PathBuf};

/// Reads a table of another recorder, or the markers of BrainVision (`.vmrk`).
///
/// # Errors
/// [`RecorderTableError`].
pub fn read_table(
    path: &Path,
    columns: &OnsetColumns,
) -> Result<RecorderTable, RecorderTableError> {
    let text = chronotap_core::files::read(path)
        .and_then(chronotap_core::files::table_text)
        .map_err(|source| RecorderTableError::Read { path: path.to_owned(), source })?;
    let is_brain_vision = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("vmrk"));
    match is_brain_vision {
        true => brain_vision::parse(path, &text, columns),
        false => parse_table(path, &text, columns),
    }
}

/// Kinds of events that another recorder can have: they leave the computer, or come to it.
pub const KINDS: [TrialType; 5] =
    [TrialType::Code, TrialType::Pacing, TrialType::Feedback, TrialType::Masking, TrialType::Tap];

/// Recorded trials on one clock, and those of their events that are compared.
#[derive(Debug)]
pub struct Ours {
    pub trials: Vec<AlignedTrial>,
    /// In the order of time.
    pub marks: Vec<ClockMark>,
    /// For each mark: its trial, and its row there.
    places: Vec<(usize, usize)>,
}

/// A recorded trial.
#[derive(Debug)]
pub struct AlignedTrial {
    pub path: PathBuf,
    /// When it began on the clock that it shares with the trials beside it.
    pub zero: Nanos,
    pub rows: Vec<Row>,
    pub header: Header,
}

impl Ours {
    /// Those of the trials that began on one clock together, each of the others alone; or each alone.
    /// Their events of these kinds are compared.
    pub fn of(
        recordings: Vec<(PathBuf, Recording)>,
        kinds: &[TrialType],
        each_alone: bool,
    ) -> Vec<Ours> {
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        for (path, recording) in recordings {
            let (rows, header) = (recording.rows, recording.header);
            match began(&recording.footer.summary).filter(|_| !each_alone) {
                Some(zero) => together.push(AlignedTrial { path, zero, rows, header }),
                None => alone.push(vec![AlignedTrial { path, zero: Nanos::ZERO, rows, header }]),
            }
        }
        let groups = Some(together).filter(|trials| !trials.is_empty()).into_iter().chain(alone);
        groups.map(|trials| Ours::compared(trials, kinds)).collect()
    }

    fn compared(mut trials: Vec<AlignedTrial>, kinds: &[TrialType]) -> Ours {
        if let [only] = &mut trials[..] {
            only.zero = Nanos::ZERO; // one trial counts from its own start
        }
        let mut all = Vec::new();
        for (nth, trial) in trials.iter().enumerate() {
            for (place, row) in trial.rows.iter().enumerate() {
                if let Some(mark) = mark(row, trial.zero, kinds) {
                    all.push((mark, (nth, place)));
                }
            }
        }
        all.sort_by_key(|(mark, _)| mark.at);
        let (marks, places) = all.into_iter().unzip();
        Ours { trials, marks, places }
    }

    /// Leaves out what begins while another of the events still sounds, or sooner than `gap` after it: in a
    /// recorded sound its onset is not heard by itself.
    pub fn leave_out_covered(&mut self, gap: Nanos) {
        let mut silent_from = Nanos::MIN;
        let all = std::mem::take(&mut self.marks).into_iter().zip(std::mem::take(&mut self.places));
        for (mark, place) in all {
            if mark.at > silent_from {
                self.marks.push(mark);
                self.places.push(place);
            }
            let length = self.trials[place.0].rows[place.1].duration.unwrap_or(Nanos::ZERO);
            silent_from = silent_from.max(mark.at + length + gap);
        }
    }

    /// The trial of a mark, and its time there.
    pub fn trial_of(&self, mark: usize) -> (&AlignedTrial, Nanos) {
        let trial = &self.trials[self.places[mark].0];
        (trial, self.marks[mark].at - trial.zero)
    }

    /// Appends a line for every event of the trials, in the order of time.
    pub fn put_rows(&self, out: &mut Vec<u8>, found: &Alignment, theirs: &[ClockMark]) {
        self.placed(found, theirs).iter().for_each(|placed| put_row(out, placed));
    }

    /// Every event of the trials on the other clock, in the order of time.
    pub fn placed(&self, found: &Alignment, theirs: &[ClockMark]) -> Vec<PlacedEvent<'_>> {
        let became = self.became(found, theirs);
        let mut all = Vec::new();
        for (nth, trial) in self.trials.iter().enumerate() {
            all.extend(trial.rows.iter().enumerate().map(|(place, row)| PlacedEvent {
                onset: found.theirs(trial.zero + row.onset),
                trial,
                row,
                became: became.get(&(nth, place)).copied(),
            }));
        }
        all.sort_by_key(|placed| placed.onset);
        all
    }

    /// What became of each event that was compared.
    fn became(
        &self,
        found: &Alignment,
        theirs: &[ClockMark],
    ) -> std::collections::HashMap<(usize, usize), Became> {
        let there = |(ours, their): &(usize, usize)| {
            (self.places[*ours], Became::Matched(theirs[*their].at))
        };
        let lost = |ours: &usize| (self.places[*ours], Became::Missing);
        let outside = |ours: &usize| (self.places[*ours], Became::Outside);
        let matched = found.matched.iter().map(there);
        matched
            .chain(found.missing.iter().map(lost))
            .chain(found.outside.iter().map(outside))
            .collect()
    }
}

/// An event of a trial on the other clock.
#[derive(Clone, Copy, Debug)]
pub struct PlacedEvent<'a> {
    /// What the other clock reads.
    pub onset: Nanos,
    pub trial: &'a AlignedTrial,
    pub row: &'a Row,
    /// None where its kind was not compared.
    pub became: Option<Became>,
}

/// What became of an event in the other recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Became {
    /// It is there, at this time of its clock.
    Matched(Nanos),
    /// It should be there and is not.
    Missing,
    /// It was before the other recording or after it.
    Outside,
}

impl AlignedTrial {
    /// The name of its file.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }
}

/// When a trial began on the clock of its computer; unknown of trials in virtual time.
fn began(summary: &serde_json::Value) -> Option<Nanos> {
    summary["clock"]["origin_ns"].as_i64().map(Nanos)
}

/// A row that left a mark in the world, if it is of these kinds.
fn mark(row: &Row, zero: Nanos, kinds: &[TrialType]) -> Option<ClockMark> {
    // The part of a recording before its first beat has no number and no onset that is heard.
    let heard = row.trial_type != TrialType::Pacing || row.number.is_some();
    let sent = heard && row.flag != Some(Flag::Lost) && kinds.contains(&row.trial_type);
    let code = row.number.filter(|_| row.trial_type == TrialType::Code);
    row.achieved.filter(|_| sent).map(|at| ClockMark { at: zero + at, code })
}

/// The columns of a table of events by another clock.
const COLUMNS: [&str; 9] = [
    "onset",
    "duration",
    "trial_type",
    "name",
    "number",
    "event_id",
    "trial",
    "onset_in_trial",
    "recorded",
];

/// Appends the first line.
pub fn put_heading(out: &mut Vec<u8>) {
    out.extend_from_slice(COLUMNS.join("\t").as_bytes());
    out.push(b'\n');
}

fn put_row(out: &mut Vec<u8>, placed: &PlacedEvent<'_>) {
    put_seconds(out, placed.onset);
    put_row_until_trial(out, placed, |_| ());
    put_became(out, placed);
}

/// The cells that all tables have; `more` stands behind the kind.
fn put_row_until_trial(
    out: &mut Vec<u8>,
    placed: &PlacedEvent<'_>,
    more: impl FnOnce(&mut Vec<u8>),
) {
    let PlacedEvent { trial, row, .. } = placed;
    put_optional(out, row.duration, put_seconds);
    put_optional(out, Some(row.trial_type.word()), put_text);
    more(out);
    put_optional(out, row.name.as_deref(), put_text);
    put_optional(out, row.number.map(i64::from), put_i64);
    put_optional(out, i64::try_from(row.event_id).ok(), put_i64);
    put_optional(out, Some(&*trial.name()), put_text);
    put_optional(out, Some(row.onset), put_seconds);
}

fn put_became(out: &mut Vec<u8>, placed: &PlacedEvent<'_>) {
    match placed.became {
        Some(Became::Matched(at)) => put_optional(out, Some(at), put_seconds),
        Some(Became::Missing) => put_optional(out, Some("missing"), put_text),
        Some(Became::Outside) => put_optional(out, Some("outside"), put_text),
        None => put_optional(out, None, put_seconds),
    }
    out.push(b'\n');
}

fn put_optional<T>(out: &mut Vec<u8>, cell: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
    out.push(b'\t');
    match cell {
        Some(cell) => put(out, cell),
        None => out.extend_from_slice(MISSING.as_bytes()),
    }
}

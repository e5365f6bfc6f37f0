//! Taps that another program recorded: its files read into the events of recorded trials.
//!
//! Each kind of file is one row of [`KINDS`]: by what it is known, how it is read, what it never says.
//! Nothing is made up: what a file does not have (velocity, release, the way a trial ended) is missing in the
//! trial too, and [`Origin`](crate::record::RecordedOrigin) says so. Which trial is whose is decided in
//! [`arrange`]; nothing is written here.

mod arrange;
mod cells;
mod error;
mod kinds;
mod midi;
mod places;
mod recorded;
mod repp;
mod repp_sound;
mod sound;
mod table;
mod tap_arduino;
mod teensytap;

pub use arrange::{Arranged, ArrangedTrial, arrange};
pub use error::{NumberError, PlaceError, TapsError};
pub use kinds::{FileKind, KINDS, kind_named, kind_of};
pub use places::{Only, Place, StimulusInterval, TimeUnit};
pub use recorded::{Made, made};
pub use sound::{HowHeard, Mains};

use crate::exchange::abs::{AbsColumns, AbsFile};
use crate::record::OriginColumn;
use chronotap_core::files::{NotUtf8, sha256, table_text};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;

/// A file of another program, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// As messages name it.
    pub name: String,
    pub bytes: Vec<u8>,
}

impl SourceFile {
    /// Its name without the directory.
    pub fn short(&self) -> &str {
        self.name.rsplit(std::path::is_separator).next().unwrap_or(&self.name)
    }

    /// Its name without directory and ending.
    pub fn stem(&self) -> &str {
        self.short().rsplit_once('.').map_or(self.short(), |(stem, _)| stem)
    }

    pub fn sha256(&self) -> String {
        sha256(&self.bytes)
    }

    /// Its text, of UTF-8 or UTF-16, without a byte order mark.
    fn text(&self) -> Result<String, TapsError> {
        let text = table_text(self.bytes.clone()).map_err(|error| match NotUtf8::of(&error) {
            Some(found) => TapsError::NotText { name: self.name.clone(), found },
            None => TapsError::Nothing { name: self.name.clone() },
        })?;
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }
}

/// What whoever imports says about the files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// Where the onsets of taps are.
    pub taps: Option<Place>,
    /// Where those of stimuli are.
    pub stimuli: Option<Place>,
    /// Where asynchronies are, if the onsets are not there.
    pub asynchronies: Option<Place>,
    /// How far apart the stimuli are, with asynchronies.
    pub interval: Option<StimulusInterval>,
    /// Which stimulus an asynchrony belongs to, from 1.
    pub beat_column: Option<String>,
    /// Whose taps all of them are.
    pub participant: Option<String>,
    pub participant_column: Option<String>,
    pub trial_column: Option<String>,
    pub condition_columns: Vec<String>,
    /// Whether a comma is the decimal sign.
    pub decimal_comma: bool,
    /// Whether rows of a trial may stand in any order.
    pub unsorted: bool,
    /// Of FTAP's data files.
    pub columns: Option<AbsColumns>,
    /// Of Tap Arduino: the unit of its times, and the reading above which a tap begins.
    pub unit: Option<TimeUnit>,
    pub threshold: Option<u32>,
    /// Of sound recordings.
    pub hearing: HowHeard,
}

/// What can be said of files, of which each kind uses some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportSetting {
    Taps,
    Stimuli,
    Asynchronies,
    Interval,
    BeatColumn,
    ParticipantColumn,
    TrialColumn,
    ConditionColumns,
    DecimalComma,
    Unsorted,
    Columns,
    Unit,
    Threshold,
    Sensor,
    Level,
    Release,
    Gap,
    Polarity,
    Hum,
    Reading,
}

impl ImportOptions {
    /// What was said, but for whose taps they are.
    fn given(&self) -> Vec<ImportSetting> {
        let ImportOptions {
            taps,
            stimuli,
            asynchronies,
            interval,
            beat_column,
            participant: _,
            participant_column,
            trial_column,
            condition_columns,
            decimal_comma,
            unsorted,
            columns,
            unit,
            threshold,
            hearing: HowHeard { sensor, level_db, release, gap, polarity, mains, as_repp },
        } = self;
        let all = [
            (taps.is_some(), ImportSetting::Taps),
            (stimuli.is_some(), ImportSetting::Stimuli),
            (asynchronies.is_some(), ImportSetting::Asynchronies),
            (interval.is_some(), ImportSetting::Interval),
            (beat_column.is_some(), ImportSetting::BeatColumn),
            (participant_column.is_some(), ImportSetting::ParticipantColumn),
            (trial_column.is_some(), ImportSetting::TrialColumn),
            (!condition_columns.is_empty(), ImportSetting::ConditionColumns),
            (*decimal_comma, ImportSetting::DecimalComma),
            (*unsorted, ImportSetting::Unsorted),
            (columns.is_some(), ImportSetting::Columns),
            (unit.is_some(), ImportSetting::Unit),
            (threshold.is_some(), ImportSetting::Threshold),
            (sensor.is_some(), ImportSetting::Sensor),
            (level_db.is_some(), ImportSetting::Level),
            (release.is_some(), ImportSetting::Release),
            (gap.is_some(), ImportSetting::Gap),
            (polarity.is_some(), ImportSetting::Polarity),
            (mains.is_some(), ImportSetting::Hum),
            (*as_repp, ImportSetting::Reading),
        ];
        all.into_iter().filter(|(given, _)| *given).map(|(_, setting)| setting).collect()
    }
}

/// The trial of a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taken {
    /// Whose it is, in the words of the source; `None` where it does not say.
    pub participant: Option<String>,
    /// Its name or number there.
    pub trial: Option<String>,
    /// Its level of each condition, in the order in which they were asked for.
    pub levels: Vec<Option<String>>,
    /// Its first line, from 1; 0 where there are none.
    pub line: usize,
    pub events: Events,
}

/// What happened in a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Events {
    Onsets(Onsets),
    /// A data file of FTAP, which has kinds of events of its own.
    Ftap(Box<AbsFile>),
}

impl Default for Events {
    fn default() -> Events {
        Events::Onsets(Onsets::default())
    }
}

/// Onsets of taps and of what was heard, in the time of the source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Onsets {
    pub taps: Vec<SourceOnset>,
    pub stimuli: Vec<SourceOnset>,
    pub feedback: Vec<SourceOnset>,
    /// The interval between stimuli, where the source states it.
    pub interval: Option<Nanos>,
    /// Whether the source says which tap answers which stimulus, so that none is to be left out.
    pub paired: bool,
    /// What is known to be wrong with it, a sentence each.
    pub doubts: Vec<String>,
}

impl Onsets {
    /// All of them, whatever they are of.
    fn all(&self) -> impl Iterator<Item = &SourceOnset> {
        self.taps.iter().chain(&self.stimuli).chain(&self.feedback)
    }

    /// In the order of time, of each key each time once; how many stood twice.
    fn settle(&mut self) -> usize {
        let mut twice = 0;
        for list in [&mut self.taps, &mut self.stimuli, &mut self.feedback] {
            let key = |onset: &SourceOnset| onset.key.map(|key| (key.channel, key.note));
            list.sort_by_key(|onset| (onset.at, key(onset)));
            let before = list.len();
            list.dedup_by_key(|onset| (onset.at, key(onset)));
            twice += before - list.len();
        }
        twice
    }
}

/// Something that began, and ended where the source says when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceOnset {
    pub at: Nanos,
    pub end: Option<Nanos>,
    pub key: Option<MidiKey>,
}

impl SourceOnset {
    fn of(at: Nanos) -> SourceOnset {
        SourceOnset { at, ..SourceOnset::default() }
    }
}

/// A key of MIDI, pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MidiKey {
    pub channel: Channel,
    pub note: U7,
    pub velocity: U7,
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// Its trials, in order.
    pub trials: Vec<Taken>,
    /// Where what was read stands.
    pub columns: Vec<OriginColumn>,
    /// The finest step in which its times are written, in nanoseconds.
    pub step_ns: i64,
    /// How many onsets stood twice and were taken once.
    pub twice: usize,
    /// Lines of rows without an event and without a trial or a participant, which were left out.
    pub empty: Vec<usize>,
    /// What was found besides, for whoever imports: a line each.
    pub told: Vec<String>,
}

/// Reads a file of this kind. `stimuli` is the file with its stimuli, where that is another.
///
/// # Errors
/// [`TapsError`], with file and line.
pub fn read_taps(
    file: &SourceFile,
    stimuli: Option<&SourceFile>,
    kind: &FileKind,
    how: &ImportOptions,
) -> Result<Read, TapsError> {
    let mut read = match how.hearing.as_repp {
        true => repp_sound::read(file, stimuli, how)?,
        false => with_stimuli(file, stimuli, kind, how)?,
    };
    for taken in &mut read.trials {
        if let Events::Onsets(onsets) = &mut taken.events {
            read.twice += onsets.settle();
        }
    }
    let has_taps = |taken: &Taken| match &taken.events {
        Events::Onsets(onsets) => !onsets.taps.is_empty(),
        Events::Ftap(file) => !file.events.is_empty(),
    };
    match read.trials.iter().any(has_taps) {
        true => Ok(read),
        false => Err(TapsError::Nothing { name: file.name.clone() }),
    }
}

/// What a file holds, and the stimuli that another one has.
fn with_stimuli(
    file: &SourceFile,
    stimuli: Option<&SourceFile>,
    kind: &FileKind,
    how: &ImportOptions,
) -> Result<Read, TapsError> {
    let without = ImportOptions { stimuli: None, ..how.clone() };
    let mut read = (kind.read)(file, if stimuli.is_some() { &without } else { how })?;
    if let Some(other) = stimuli {
        let how = ImportOptions { taps: None, asynchronies: None, ..how.clone() };
        let others = (kind_of(other).read)(other, &how)?;
        take_stimuli(&mut read, others, (&file.name, &other.name))?;
    }
    Ok(read)
}

/// An error where something was said of a file that neither its kind nor that of its stimuli has a use for: it
/// would be taken for done.
///
/// # Errors
/// [`TapsError::Unused`].
pub fn refuse_unused(
    file: &SourceFile,
    stimuli: Option<&SourceFile>,
    kind: &FileKind,
    how: &ImportOptions,
) -> Result<(), TapsError> {
    let other = stimuli.map(kind_of);
    let used = |setting: &ImportSetting| {
        std::iter::once(kind).chain(other).any(|kind| kind.takes.contains(setting))
    };
    match how.given().into_iter().find(|setting| !used(setting)) {
        None => Ok(()),
        Some(setting) => {
            Err(TapsError::Unused { name: file.name.clone(), kind: kind.name, setting })
        }
    }
}

/// Gives each trial the stimuli of the trial with the same participant, name and levels.
fn take_stimuli(
    read: &mut Read,
    others: Read,
    (name, other): (&str, &str),
) -> Result<(), TapsError> {
    let alone = others.trials.len() == 1;
    for taken in &mut read.trials {
        let same = |one: &&Taken| {
            (&one.participant, &one.trial, &one.levels)
                == (&taken.participant, &taken.trial, &taken.levels)
        };
        let found = others.trials.iter().find(same);
        let found = found.or_else(|| others.trials.first().filter(|_| alone));
        let Some(found) = found else {
            let (name, line, other) = (name.to_owned(), taken.line, other.to_owned());
            return Err(TapsError::NoStimuli { name, line, other });
        };
        if let (Events::Onsets(onsets), Events::Onsets(of)) = (&mut taken.events, &found.events) {
            onsets.stimuli.extend(&of.stimuli);
        }
    }
    read.columns.extend(others.columns.into_iter().filter(|column| column.holds == "stimuli"));
    read.step_ns = read.step_ns.min(others.step_ns);
    Ok(())
}

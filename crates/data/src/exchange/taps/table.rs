//! Tables with a line for each tap, for each stimulus, or for both. A cell may be a list in brackets.

use super::cells::{Cells, Row};
use super::error::{NumberError, TapsError};
use super::{
    Events, ImportOptions, Onsets, Place, Read, SourceFile, SourceOnset, StimulusInterval, Taken,
    TimeUnit,
};
use crate::record::OriginColumn;
use chronotap_core::time::Nanos;
use std::collections::HashSet;

/// Reads a table.
pub(super) fn read(file: &SourceFile, how: &ImportOptions) -> Result<Read, TapsError> {
    let text = file.text()?;
    let cells = Cells::of(file, &text)?;
    if how.taps.is_none() && how.stimuli.is_none() && how.asynchronies.is_none() {
        cells.refuse_numbers(cells.names.iter())?;
        return Err(TapsError::NoTaps { name: file.name.clone(), columns: cells.names });
    }
    let reading = Reading::of(&cells, how)?;
    let mut read = Read { columns: columns(how), step_ns: i64::MAX, ..Read::default() };
    let mut known = HashSet::new();
    for row in &cells.rows {
        if reading.is_nothing(row)? {
            read.empty.push(row.line);
            continue;
        }
        let taken = reading.trial(&mut read.trials, &mut known, row)?;
        let Events::Onsets(onsets) = &mut taken.events else { continue };
        reading.row(onsets, row, &mut read.step_ns)?;
    }
    read.step_ns = if read.step_ns == i64::MAX { 1 } else { read.step_ns };
    Ok(read)
}

/// Where what was read stands, for whoever reads the trial.
fn columns(how: &ImportOptions) -> Vec<OriginColumn> {
    let unit = |place: &Place| place.unit.map(TimeUnit::words).unwrap_or_default();
    let of = |holds: &str, place: &Option<Place>| {
        let place = place.as_ref()?;
        Some(OriginColumn { holds: holds.into(), column: place.words(), unit: unit(place) })
    };
    let named = |holds: &str, column: &Option<String>| {
        let column = column.clone()?;
        Some(OriginColumn { holds: holds.into(), column, unit: String::new() })
    };
    let interval = match &how.interval {
        Some(StimulusInterval::In(place)) => of("interval", &Some(place.clone())),
        _ => None,
    };
    let places = [
        of("taps", &how.taps),
        of("stimuli", &how.stimuli),
        of("asynchronies", &how.asynchronies),
        interval,
        named("beat", &how.beat_column),
        named("participant", &how.participant_column),
        named("trial", &how.trial_column),
    ];
    let factors = how.condition_columns.iter().cloned().map(Some);
    let factors = factors.filter_map(|column| named("condition", &column));
    places.into_iter().flatten().chain(factors).collect()
}

/// By what trials of a table are told apart.
type Which = (Option<String>, Option<String>, Vec<Option<String>>);

fn which(taken: &Taken) -> Which {
    (taken.participant.clone(), taken.trial.clone(), taken.levels.clone())
}

/// A column with its unit, and the rows that count.
struct Column {
    name: String,
    place: usize,
    unit: TimeUnit,
    only: Option<(usize, String)>,
}

/// How the rows of a table are read.
struct Reading<'a> {
    file: &'a SourceFile,
    decimal_comma: bool,
    unsorted: bool,
    taps: Option<Column>,
    stimuli: Option<Column>,
    asynchronies: Option<Column>,
    interval: Option<Spacing>,
    beat: Option<usize>,
    participant: Option<usize>,
    trial: Option<usize>,
    levels: Vec<usize>,
    whose: Option<String>,
}

enum Spacing {
    Always(Nanos),
    In(Column),
}

impl<'a> Reading<'a> {
    fn of(cells: &Cells<'a>, how: &ImportOptions) -> Result<Reading<'a>, TapsError> {
        let named = |name: &Option<String>| name.as_ref().map(|n| cells.column(n)).transpose();
        let place = |place: &Option<Place>, what| {
            place.as_ref().map(|place| column(cells, place, what)).transpose()
        };
        let interval = match &how.interval {
            None => None,
            Some(StimulusInterval::Always(time)) => Some(Spacing::Always(*time)),
            Some(StimulusInterval::In(place)) => {
                Some(Spacing::In(column(cells, place, "the interval")?))
            }
        };
        if how.asynchronies.is_some() && interval.is_none() {
            return Err(TapsError::NoInterval { name: cells.file.name.clone() });
        }
        Ok(Reading {
            file: cells.file,
            decimal_comma: how.decimal_comma,
            unsorted: how.unsorted,
            taps: place(&how.taps, "the taps")?,
            stimuli: place(&how.stimuli, "the stimuli")?,
            asynchronies: place(&how.asynchronies, "the asynchronies")?,
            interval,
            beat: named(&how.beat_column)?,
            participant: named(&how.participant_column)?,
            trial: named(&how.trial_column)?,
            levels: how
                .condition_columns
                .iter()
                .map(|n| cells.column(n))
                .collect::<Result<_, _>>()?,
            whose: how.participant.clone(),
        })
    }

    /// Whether a row has no event, and no trial or nobody who it would be of: programs have rows of
    /// their own before, between and behind the trials.
    fn is_nothing(&self, row: &Row) -> Result<bool, TapsError> {
        let lacks = |place: Option<usize>| place.is_some_and(|place| row.label(place).is_none());
        if !lacks(self.trial) && !lacks(self.participant) {
            return Ok(false);
        }
        let columns = [&self.taps, &self.stimuli, &self.asynchronies];
        for column in columns.into_iter().flatten() {
            if self.times(column, row, &mut i64::MAX.clone())?.iter().any(Option::is_some) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The trial of a row: the last one, or a new one where participant, trial or levels change.
    fn trial<'t>(
        &self,
        trials: &'t mut Vec<Taken>,
        known: &mut HashSet<Which>,
        row: &Row,
    ) -> Result<&'t mut Taken, TapsError> {
        let cell = |place: Option<usize>| row.label(place?).map(str::to_owned);
        let taken = Taken {
            participant: cell(self.participant).or_else(|| self.whose.clone()),
            trial: cell(self.trial),
            levels: self.levels.iter().map(|place| cell(Some(*place))).collect(),
            line: row.line,
            events: Events::default(),
        };
        if self.participant.is_some() && taken.participant.is_none() {
            return Err(TapsError::Nobody { name: self.file.name.clone(), line: row.line });
        }
        let which = which(&taken);
        if trials.last().is_none_or(|last| self::which(last) != which) {
            if !known.insert(which) {
                let words = |cell: Option<String>| cell.unwrap_or_else(|| "n/a".to_owned());
                let (name, line) = (self.file.name.clone(), row.line);
                let (trial, participant) = (words(taken.trial), words(taken.participant));
                return Err(TapsError::Again { name, line, trial, participant });
            }
            trials.push(taken);
        }
        let last = trials.len() - 1;
        Ok(&mut trials[last])
    }

    fn row(&self, onsets: &mut Onsets, row: &Row, step: &mut i64) -> Result<(), TapsError> {
        let lists = [
            ("a tap", &self.taps, &mut onsets.taps),
            ("a stimulus", &self.stimuli, &mut onsets.stimuli),
        ];
        for (what, column, list) in lists {
            let Some(column) = column else { continue };
            for at in self.times(column, row, step)?.into_iter().flatten() {
                self.refuse_back(what, row, list.last(), at)?;
                list.push(SourceOnset::of(at));
            }
        }
        match &self.asynchronies {
            Some(column) => self.asynchronies(column, onsets, row, step),
            None => Ok(()),
        }
    }

    /// Where time goes back, another trial may begin, and nobody said which column tells them apart.
    fn refuse_back(
        &self,
        what: &'static str,
        row: &Row,
        last: Option<&SourceOnset>,
        now: Nanos,
    ) -> Result<(), TapsError> {
        match last.filter(|last| now < last.at && !self.unsorted) {
            None => Ok(()),
            Some(last) => {
                let (name, line) = (self.file.name.clone(), row.line);
                let (now_ms, last_ms) = (ms(now), ms(last.at));
                Err(TapsError::Back { name, line, what, now_ms, last_ms })
            }
        }
    }

    /// A stimulus one interval behind the last, or where its number puts it, and a tap beside it. A
    /// missing asynchrony is a stimulus without a tap.
    fn asynchronies(
        &self,
        column: &Column,
        onsets: &mut Onsets,
        row: &Row,
        step: &mut i64,
    ) -> Result<(), TapsError> {
        let interval = self.interval(row)?;
        onsets.interval = Some(interval);
        onsets.paired = true;
        for asynchrony in self.times(column, row, step)? {
            self.beat(onsets, row, interval)?;
            let (Some(asynchrony), Some(beat)) = (asynchrony, onsets.stimuli.last()) else {
                continue;
            };
            if asynchrony.abs().saturating_add(asynchrony.abs()) > interval {
                let (asynchrony_ms, interval_ms) = (ms(asynchrony), ms(interval));
                let (name, line) = (self.file.name.clone(), row.line);
                return Err(TapsError::Far { name, line, asynchrony_ms, interval_ms });
            }
            onsets.taps.push(SourceOnset::of(beat.at + asynchrony));
        }
        Ok(())
    }

    /// The next stimulus, and before it those whose numbers are not in the table.
    fn beat(&self, onsets: &mut Onsets, row: &Row, interval: Nanos) -> Result<(), TapsError> {
        let last = onsets.stimuli.len() as i64;
        let mut beat = last + 1;
        if let Some(cell) = self.beat.and_then(|place| row.cell(place)) {
            let number = cell.parse().ok().filter(|n| (last + 1..=last + MOST).contains(n));
            let (name, line) = (self.file.name.clone(), row.line);
            let wrong = || TapsError::Beat { name, line, beat: cell.to_owned(), last };
            beat = number.ok_or_else(wrong)?;
        }
        for number in last + 1..=beat {
            onsets.stimuli.push(SourceOnset::of(Nanos(interval.0.saturating_mul(number - 1))));
        }
        Ok(())
    }

    fn interval(&self, row: &Row) -> Result<Nanos, TapsError> {
        let name = || self.file.name.clone();
        let interval = match &self.interval {
            Some(Spacing::Always(time)) => *time,
            Some(Spacing::In(column)) => {
                let times = self.times(column, row, &mut i64::MAX.clone())?;
                times.into_iter().flatten().next().unwrap_or(Nanos::ZERO)
            }
            None => return Err(TapsError::NoInterval { name: name() }),
        };
        match interval > Nanos::ZERO {
            true => Ok(interval),
            false => Err(TapsError::Interval { name: name(), line: row.line, ms: ms(interval) }),
        }
    }

    /// The times in a cell; `None` for each that is missing.
    fn times(
        &self,
        column: &Column,
        row: &Row,
        step: &mut i64,
    ) -> Result<Vec<Option<Nanos>>, TapsError> {
        if let Some((place, value)) = &column.only
            && row.cells.get(*place).is_none_or(|cell| cell.trim() != value)
        {
            return Ok(Vec::new());
        }
        let Some(cell) = row.cell(column.place) else { return Ok(vec![None]) };
        let list = cell.strip_prefix('[').and_then(|cell| cell.strip_suffix(']'));
        let words: Vec<&str> = match list {
            Some(list) if list.trim().is_empty() => return Ok(Vec::new()),
            Some(list) if self.decimal_comma && list.contains(';') => {
                list.split(';').map(str::trim).collect()
            }
            Some(list) if self.decimal_comma && list.contains(',') => {
                return Err(self.wrong(column, row.line, list, NumberError::CommaInList));
            }
            Some(list) => list.split(',').map(str::trim).collect(),
            None => vec![cell],
        };
        words.into_iter().map(|word| self.time(column, row.line, word, step)).collect()
    }

    fn time(
        &self,
        column: &Column,
        line: usize,
        word: &str,
        step: &mut i64,
    ) -> Result<Option<Nanos>, TapsError> {
        if ["nan", "none", "null"].iter().any(|missing| missing.eq_ignore_ascii_case(word)) {
            return Ok(None);
        }
        // A thousand, or one? Nobody can tell.
        if self.decimal_comma && word.contains('.') {
            return Err(self.wrong(column, line, word, NumberError::Point));
        }
        let comma = self.decimal_comma && word.matches(',').count() == 1;
        let number = if comma { word.replace(',', ".") } else { word.to_owned() };
        *step = (*step).min(column.unit.step(&number));
        let time =
            column.unit.time(&number).map_err(|wrong| self.wrong(column, line, word, wrong))?;
        Ok(Some(time))
    }

    fn wrong(&self, column: &Column, line: usize, word: &str, wrong: NumberError) -> TapsError {
        let cell = word.chars().take(40).flat_map(char::escape_default).collect();
        let (name, column) = (self.file.name.clone(), column.name.clone());
        TapsError::Number { name, line, column, cell, wrong }
    }
}

/// So many stimuli may be missing before the next one.
const MOST: i64 = 100_000;

fn column(cells: &Cells<'_>, place: &Place, what: &'static str) -> Result<Column, TapsError> {
    let no_unit = || TapsError::NoUnit { name: cells.file.name.clone(), what };
    let only = match &place.only {
        Some(only) => Some((cells.column(&only.column)?, only.value.clone())),
        None => None,
    };
    Ok(Column {
        name: place.column.clone(),
        place: cells.column(&place.column)?,
        unit: place.unit.ok_or_else(no_unit)?,
        only,
    })
}

/// Milliseconds for a message.
fn ms(time: Nanos) -> String {
    format!("{}", time.as_millis_f64())
}

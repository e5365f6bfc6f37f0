//! [`Recording::entries`]: the entries of a trial again, from the rows of its events file.
//!
//! A row keeps what was decided, what was achieved, and what follows from the two. Here the
//! first two become entries; what follows is left out, so that [`rows_heard`] works it
//! out anew and [`Recording::contradiction`] can say where the file has it otherwise.
//! The engine is not asked (see `chronotap-simulate` for the replay).

use crate::record::columns::COLUMNS;
use crate::record::difference::ReplayDifference;
use crate::record::rows::{is_arrival, rows_heard};
use crate::record::{Entry, Flag, HeardAgain, Names, Recording, Row, TrialType, What, tsv, words};
use chronotap_analysis::observed::OnsetSource;
use chronotap_core::midi::{Message, U7};
use chronotap_engine::action::{Action, ActionKind, Silence};
use chronotap_engine::perturbation::Perturbation;
use std::ops::Deref;

impl Recording {
    /// The entries from which the rows of this file come, in the order of the events; the
    /// end of a tone stands after its beginning.
    ///
    /// # Errors
    /// The first row that no entry gives: its name is none of the trial's.
    pub fn entries(&self) -> Result<Vec<Entry>, ReplayDifference> {
        let decided = |(_, row): &(usize, &Row)| row.onset_source != Some(OnsetSource::Afterwards);
        let mut lines: Vec<(usize, &Row)> = (2..).zip(&self.rows).filter(decided).collect();
        lines.sort_by_key(|(_, row)| row.event_id);
        let mut entries = Vec::with_capacity(lines.len() * 2);
        for (line, row) in lines {
            let begun = entry(&self.header.names, row).ok_or_else(|| unknown(line, row))?;
            entries.push(begun);
            entries.extend(end_of_tone(row, &begun));
        }
        Ok(entries)
    }

    /// The first place where the table says something else than what follows from its own
    /// decisions and achieved times: onset, duration, lateness, releases, flags, names, what
    /// became of each tap, and the order of the rows.
    pub fn contradiction(&self) -> Option<ReplayDifference> {
        let entries = match self.entries() {
            Ok(entries) => entries,
            Err(difference) => return Some(difference),
        };
        let mut by_event = rows_heard(&self.header, &entries, &HeardAgain::of_rows(&self.rows));
        if !self.explained {
            by_event = by_event.into_iter().map(tsv::without_later_columns).collect();
        }
        by_event.sort_by_key(|row| row.event_id);
        let mut recorded: Vec<(usize, &Row)> = (2..).zip(&self.rows).collect();
        recorded.sort_by_key(|(_, row)| row.event_id);
        let cells = recorded.iter().zip(by_event).find_map(|((line, row), derived)| {
            let what = cell_difference(row, &known_gap(derived, row))?;
            Some(ReplayDifference { line: Some(*line), event_id: row.event_id, what })
        });
        cells.or_else(|| self.disorder())
    }

    /// The first row that stands before its place.
    fn disorder(&self) -> Option<ReplayDifference> {
        let place = |row: &Row| (row.onset, row.event_id);
        let after = self.rows.windows(2).position(|two| place(&two[0]) > place(&two[1]))? + 1;
        let event_id = self.rows[after].event_id;
        let what = "out of order: rows are sorted by onset, then by event_id".to_owned();
        Some(ReplayDifference { line: Some(after + 2), event_id, what })
    }
}

/// That a row stands behind a gap of the journal follows from nothing in the table.
fn known_gap(derived: Row, row: &Row) -> Row {
    let gap = row.flag.filter(|flag| *flag == Flag::BehindGap);
    Row { flag: gap.or(derived.flag), ..derived }
}

fn cell_difference(row: &Row, derived: &Row) -> Option<String> {
    if row == derived {
        return None;
    }
    let (found, due) = (tsv::cells(row), tsv::cells(derived));
    let place = found.iter().zip(&due).position(|(found, due)| found != due)?;
    let (column, found, due) = (COLUMNS[place], &found[place], &due[place]);
    Some(format!("{column} is {found}, but the other columns give {due}"))
}

/// That no entry gives this row.
pub(crate) fn unknown<T: Deref<Target = str>>(line: usize, row: &Row<T>) -> ReplayDifference {
    let what = format!(
        "the trial has no {} with the name `{}` and the port `{}`",
        row.trial_type.word(),
        row.name.as_deref().unwrap_or("n/a"),
        row.port.as_deref().unwrap_or("n/a"),
    );
    ReplayDifference { line: Some(line), event_id: row.event_id, what }
}

/// The entry from which a row comes; what begins with it, where it is a tone.
pub(crate) fn entry<T: Deref<Target = str>>(names: &Names, row: &Row<T>) -> Option<Entry> {
    let kind = kind(names, row)?;
    let arrived = is_arrival(kind);
    let action = Action {
        id: row.event_id,
        kind,
        number: row.number.unwrap_or(0),
        cause: row.cause.unwrap_or(0),
        deadline: if arrived { row.achieved? } else { row.deadline.unwrap_or(row.onset) },
        instant: row.engine,
        port: port(names, kind, row)?,
        message: row.message,
        perturbation: row.perturbation,
    };
    let stamp = row.stamp.filter(|_| arrived);
    Some(Entry { what: What::Happened, action, achieved: row.achieved, stamp, frame: row.frame })
}

/// The place of the row's name among those of its kind.
fn kind<T: Deref<Target = str>>(names: &Names, row: &Row<T>) -> Option<ActionKind> {
    let name = row.name.as_deref();
    let among = |all: &[String]| place(all, name);
    Some(match row.trial_type {
        TrialType::Pacing => ActionKind::Pacing(among(&names.pacing)?),
        TrialType::Feedback => ActionKind::Feedback(among(&names.feedback)?),
        TrialType::Silent => ActionKind::SilentBeat(among(&names.pacing)?, silence(row.flag)),
        TrialType::Muted => ActionKind::Muted(among(&names.feedback)?),
        TrialType::Cancelled => ActionKind::Cancelled(among(&names.feedback)?),
        TrialType::Masking => ActionKind::Masking(among(&names.masking)?),
        TrialType::Copy => ActionKind::Copy(among(&names.outputs)?),
        TrialType::Tap => ActionKind::Tap(among(&names.inputs)?),
        TrialType::Release => ActionKind::Release(among(&names.inputs)?),
        TrialType::Control if row.deadline.is_none() => {
            ActionKind::ControlIn(among(&names.inputs)?)
        }
        TrialType::Control => ActionKind::ControlOut(among(&names.feedback)?),
        TrialType::Sysex => ActionKind::Sysex(among(&names.inputs)?),
        TrialType::Trigger => ActionKind::Rule(u16::try_from(row.number?.checked_sub(1)?).ok()?),
        TrialType::Code => ActionKind::Code(among(&names.codes)?),
        TrialType::Marker => marker(names, row)?,
        TrialType::End => ActionKind::End(words::parse_ending(name?)?),
    })
}

/// Why a beat was silent; whoever changed the flag is told by the replay.
fn silence(flag: Option<Flag>) -> Silence {
    match flag {
        Some(Flag::Rest) => Silence::Rest,
        Some(Flag::Muted) => Silence::Muted,
        _ => Silence::Inaudible,
    }
}

/// A marker of the trial has a cause, one of an input has a port, and what an audio server told neither.
fn marker<T: Deref<Target = str>>(names: &Names, row: &Row<T>) -> Option<ActionKind> {
    let name = row.name.as_deref()?;
    if row.port.is_none() {
        let told = if row.cause.is_none() { told(name) } else { None };
        return told.or_else(|| place(&names.markers, Some(name)).map(ActionKind::Marker));
    }
    let input = place(&names.inputs, row.port.as_deref())?;
    if name.starts_with(words::REOPENED) {
        return Some(ActionKind::InputReopened(input));
    }
    name.starts_with(words::CLOSED).then_some(ActionKind::InputClosed(input))
}

/// What an audio server or sequencer told.
fn told(name: &str) -> Option<ActionKind> {
    if name == words::XRUN {
        Some(ActionKind::Xrun)
    } else {
        words::parse_change(name).map(ActionKind::Changed)
    }
}

/// The index of the output or input; 0 for what has none.
fn port<T: Deref<Target = str>>(names: &Names, kind: ActionKind, row: &Row<T>) -> Option<u16> {
    match (kind, row.port.as_deref()) {
        (_, None) => Some(0),
        (
            ActionKind::Tap(i)
            | ActionKind::Release(i)
            | ActionKind::ControlIn(i)
            | ActionKind::Sysex(i),
            Some(_),
        ) => Some(i),
        (ActionKind::InputClosed(i) | ActionKind::InputReopened(i), Some(_)) => Some(i),
        (_, port) => place(&names.outputs, port),
    }
}

fn place(names: &[String], name: Option<&str>) -> Option<u16> {
    names.iter().position(|known| Some(known.as_str()) == name)?.try_into().ok()
}

/// The end of the tone or code that this row began, where one is recorded. A tap ends with the row
/// of its release.
fn end_of_tone(row: &Row, begun: &Entry) -> Option<Entry> {
    let deadline = row.release_deadline?;
    let message = row.message.and_then(|message| match message {
        Message::NoteOn { channel, note, .. } => {
            Some(Message::NoteOff { channel, note, velocity: U7::ZERO })
        }
        _ => None,
    });
    let kind = match begun.action.kind {
        ActionKind::Code(_) if row.flag == Some(Flag::Overwritten) => ActionKind::Overwritten,
        ActionKind::Code(_) => ActionKind::CodeOff,
        _ => ActionKind::ToneOff,
    };
    let perturbation = Perturbation::NONE;
    let action =
        Action { kind, deadline, instant: deadline, message, perturbation, ..begun.action };
    let (what, achieved) = (What::Happened, row.release_achieved);
    Some(Entry { what, action, achieved, stamp: None, frame: None })
}

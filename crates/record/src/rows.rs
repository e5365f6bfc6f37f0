//! [`rows`]: from the entries of a trial, in the order in which they were carried
//! out, to the rows of its events file, in the order of their onsets.
//!
//! Every entry but a tone-off makes one row. A tone-off ends the row of the tone
//! with its id; a key release makes a row of its own and ends the row of its tap. An
//! entry that says again what was said before corrects it (see [`settled()`]).

use crate::{Entry, Flag, Names, Row, TrialType, settled};
use chronotap_engine::action::{Action, Kind};
use chronotap_midi::{Message, U7};
use chronotap_time::Nanos;
use std::collections::HashMap;

/// The rows of a trial, sorted by onset, then by event id.
pub fn rows(names: &Names, entries: &[Entry]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::with_capacity(entries.len());
    let mut by_id: HashMap<u64, usize> = HashMap::with_capacity(entries.len());
    let entries = settled(entries);
    for entry in entries.iter() {
        let Some(trial_type) = trial_type(entry.action.kind) else {
            end(&mut rows, &by_id, entry.action.id, Some(entry.action.deadline), entry.achieved);
            continue;
        };
        if let Kind::Release(_) = entry.action.kind {
            end(&mut rows, &by_id, entry.action.cause, None, arrived(entry));
        }
        by_id.insert(entry.action.id, rows.len());
        rows.push(row(names, entry, trial_type));
    }
    rows.iter_mut().for_each(flag_tone);
    rows.sort_by_key(|row| (row.onset, row.event_id));
    rows
}

/// Ends the tone or tap of that id, once.
fn end(
    rows: &mut [Row],
    by_id: &HashMap<u64, usize>,
    id: u64,
    due: Option<Nanos>,
    at: Option<Nanos>,
) {
    let Some(row) = by_id.get(&id).and_then(|&i| rows.get_mut(i)) else { return };
    if row.release_achieved.is_some() || row.release_deadline.is_some() {
        return;
    }
    row.release_deadline = due;
    row.release_achieved = at;
    row.duration = row.achieved.zip(at).map(|(onset, end)| minus(end, onset));
}

fn row(names: &Names, entry: &Entry, trial_type: TrialType) -> Row {
    let action = entry.action;
    let arrival = is_arrival(action.kind);
    let deadline = (!arrival).then_some(action.deadline);
    let achieved = if arrival { arrived(entry) } else { achieved(entry) };
    Row {
        onset: achieved.unwrap_or(action.deadline),
        duration: without_length(&action).then_some(Nanos::ZERO),
        trial_type,
        name: names.name(action.kind),
        number: (action.number > 0).then_some(action.number),
        channel: action.message.and_then(Message::channel),
        note: action.message.and_then(note),
        velocity: action.message.and_then(velocity),
        port: port(names, &action),
        event_id: action.id,
        cause: (action.cause > 0).then_some(action.cause),
        deadline,
        achieved,
        lateness: achieved.zip(deadline).map(|(achieved, due)| minus(achieved, due)),
        release_deadline: None,
        release_achieved: None,
        engine: action.instant,
        stamp: entry.stamp,
        message: action.message,
        flag: flag(entry),
        detail: detail(names, action.kind),
        frame: entry.frame,
    }
}

/// The flag of an entry by itself; what its end adds is [`flag_tone`]'s.
fn flag(entry: &Entry) -> Option<Flag> {
    match entry.action.kind {
        Kind::Tap(_) if entry.action.number == 0 => Some(Flag::Debounced),
        _ if entry.action.is_output() && entry.achieved.is_none() => Some(Flag::Lost),
        _ => None,
    }
}

/// Marks a tone whose end was lost or is missing.
fn flag_tone(row: &mut Row) {
    let sounded = row.deadline.is_some() && row.achieved.is_some();
    if !sounded || row.duration.is_some() || row.flag.is_some() {
        return;
    }
    let ended = row.release_deadline.is_some();
    row.flag = Some(if ended { Flag::ReleaseLost } else { Flag::Unfinished });
}

fn is_arrival(kind: Kind) -> bool {
    matches!(kind, Kind::Tap(_) | Kind::Release(_) | Kind::ControlIn(_))
}

/// The stamp of an arrival.
fn arrived(entry: &Entry) -> Option<Nanos> {
    Some(entry.achieved.unwrap_or(entry.action.deadline))
}

fn achieved(entry: &Entry) -> Option<Nanos> {
    match entry.action.kind {
        Kind::Cancelled(_) => None,
        _ => entry.achieved,
    }
}

fn without_length(action: &Action) -> bool {
    match action.kind {
        Kind::Trigger(_) => action.message.is_none(),
        Kind::Pacing(_) | Kind::Feedback(_) | Kind::Masking(_) => false,
        Kind::Tap(_) | Kind::Cancelled(_) => false,
        _ => true,
    }
}

/// `None` for a tone-off, which makes no row.
fn trial_type(kind: Kind) -> Option<TrialType> {
    Some(match kind {
        Kind::Pacing(_) => TrialType::Pacing,
        Kind::Feedback(_) => TrialType::Feedback,
        Kind::Masking(_) => TrialType::Masking,
        Kind::Trigger(_) => TrialType::Trigger,
        Kind::Tap(_) => TrialType::Tap,
        Kind::Release(_) => TrialType::Release,
        Kind::ControlIn(_) | Kind::ControlOut(_) => TrialType::Control,
        Kind::Marker(_) | Kind::InputClosed(_) | Kind::InputReopened(_) | Kind::Xrun => {
            TrialType::Marker
        }
        Kind::Cancelled(_) => TrialType::Cancelled,
        Kind::End(_) => TrialType::End,
        Kind::ToneOff => return None,
    })
}

fn port(names: &Names, action: &Action) -> Option<String> {
    let list = match action.kind {
        Kind::Tap(i)
        | Kind::Release(i)
        | Kind::ControlIn(i)
        | Kind::InputClosed(i)
        | Kind::InputReopened(i) => {
            return names.inputs.get(usize::from(i)).cloned();
        }
        Kind::Marker(_) | Kind::Xrun | Kind::End(_) => return None,
        _ => &names.outputs,
    };
    action.message.and_then(|_| list.get(usize::from(action.port)).cloned())
}

fn detail(names: &Names, kind: Kind) -> Option<String> {
    let Kind::Trigger(i) = kind else { return None };
    let detail = &names.triggers.get(usize::from(i))?.detail;
    (!detail.is_empty()).then(|| detail.clone())
}

fn note(message: Message) -> Option<U7> {
    match message {
        Message::NoteOn { note, .. }
        | Message::NoteOff { note, .. }
        | Message::PolyPressure { note, .. } => Some(note),
        _ => None,
    }
}

fn velocity(message: Message) -> Option<U7> {
    match message {
        Message::NoteOn { velocity, .. } | Message::NoteOff { velocity, .. } => Some(velocity),
        _ => None,
    }
}

/// A difference that never wraps; journals may hold any times.
fn minus(a: Nanos, b: Nanos) -> Nanos {
    Nanos(a.0.saturating_sub(b.0))
}

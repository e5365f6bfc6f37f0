//! [`abs_file`]: a recorded trial as a data file, in columns that its second line declares.

use super::{AbsEvent, DECLARED, Happened};
use crate::exchange::ExchangeError;
use crate::record::{PROGRAM, Recording, Row, TrialType};
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use std::fmt::Write;

/// The columns that are written.
const COLUMNS: &str = "time kind press channel note velocity id";

/// The text of the data file: what happened at the times achieved, in whole milliseconds, and of
/// one instant what ends first. Controllers, markers and whatever never sounded are not in it.
///
/// # Errors
/// [`ExchangeError::NoKeys`]: taps or tones have no key, and a line without one is no event.
pub fn abs_file(recording: &Recording) -> Result<String, ExchangeError> {
    ExchangeError::refuse_keyless(recording)?;
    let title: String = recording.header.title.chars().filter(|c| !c.is_control()).collect();
    let mut text = format!("# {title}, written by {PROGRAM}\n{DECLARED}{COLUMNS}\n");
    for event in events(recording) {
        put(&mut text, &event);
    }
    Ok(text)
}

fn events(recording: &Recording) -> Vec<AbsEvent> {
    let mut events: Vec<(Nanos, bool, u64, AbsEvent)> = Vec::new();
    for row in &recording.rows {
        let both = [begins(row), ends(row)].into_iter().flatten();
        events.extend(both.map(|event| (event.at, event.begins, row.event_id, event)));
    }
    events.sort_by_key(|(at, begins, id, _)| (*at, *begins, *id));
    events.into_iter().map(|(.., event)| event).collect()
}

/// What a row begins, or the release that it is.
fn begins(row: &Row) -> Option<AbsEvent> {
    let what = match row.trial_type {
        TrialType::Tap | TrialType::Release => Happened::Keystroke,
        TrialType::Pacing => Happened::Metronome,
        TrialType::Feedback => Happened::Feedback,
        TrialType::Masking => Happened::Junk,
        TrialType::Trigger => Happened::Trigger,
        _ => return None,
    };
    // What music has before its first beat is no beat, and has no tone.
    if what != Happened::Trigger && row.message.is_none() {
        return None;
    }
    let word = |name: &str| name.split_whitespace().collect::<Vec<_>>().join("_");
    let id = row.name.as_deref().filter(|_| what == Happened::Trigger).map(word);
    Some(AbsEvent {
        line: 0,
        at: row.achieved?,
        what,
        begins: row.trial_type != TrialType::Release,
        channel: row.channel,
        note: row.note,
        velocity: row.velocity,
        id,
    })
}

/// The end of a tone; that of a key press has a row of its own.
fn ends(row: &Row) -> Option<AbsEvent> {
    let Message::NoteOn { .. } = row.message? else { return None };
    let at = row.release_achieved.filter(|_| row.trial_type != TrialType::Tap)?;
    begins(row).map(|event| AbsEvent { at, begins: false, velocity: None, ..event })
}

fn put(text: &mut String, event: &AbsEvent) {
    let ms = (event.at.0 + 500_000).div_euclid(1_000_000).max(0);
    let number = |number: Option<u8>| number.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let press = match event.what {
        Happened::Trigger if event.note.is_none() => "-",
        _ if event.begins => "1",
        _ => "0",
    };
    let (channel, note, velocity) = (
        number(event.channel.map(|channel| channel.number())),
        number(event.note.map(|note| note.get())),
        number(event.velocity.map(|velocity| velocity.get())),
    );
    let id = event.id.as_deref().filter(|id| !id.is_empty()).unwrap_or("-");
    let letter = event.what.letter();
    // Text takes whatever is written.
    let _ = writeln!(text, "{ms} {letter} {press} {channel} {note} {velocity} {id}");
}

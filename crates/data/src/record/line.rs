//! The line of an entry in the journal: eleven cells between tabs, without checksum;
//! a twelfth where the event sounded on a sound card, and a thirteenth where it was perturbed.
//!
//! ```text
//! kind index number cause id deadline instant port message achieved stamp [frame [perturbation]]
//! ```
//!
//! Times are nanoseconds; `-` stands for what is missing; the cell `index` of an end
//! holds its reason. Only arrivals have a stamp, so that a stamp on the line of an output
//! marks a correction; it is always `audio frame`, because only what is placed in an
//! audio server's frames is ever corrected.

use crate::record::{Entry, What, parse_perturbation, put_perturbation, text, words};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, Kind, Silence};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::Stamp;
use std::str::{FromStr, Split};

const NONE: &str = "-";

/// Appends the line, without its checksum and line break.
pub(crate) fn put_entry(out: &mut Vec<u8>, entry: &Entry) {
    let action = &entry.action;
    put_kind(out, action.kind);
    for value in [u64::from(action.number), action.cause, action.id] {
        out.push(b'\t');
        text::put_u64(out, value);
    }
    for time in [action.deadline, action.instant] {
        out.push(b'\t');
        text::put_i64(out, time.0);
    }
    out.push(b'\t');
    text::put_u64(out, u64::from(action.port));
    put_optional(out, action.message, text::put_message);
    put_optional(out, entry.achieved, |out, at| text::put_i64(out, at.0));
    let put_stamp =
        |out: &mut Vec<u8>, stamp| out.extend_from_slice(words::stamp(stamp).as_bytes());
    let stamp = if entry.is_correction() { Some(Stamp::AudioFrame) } else { entry.stamp };
    put_optional(out, stamp, put_stamp);
    let perturbed = !action.perturbation.is_none();
    if entry.frame.is_some() || perturbed {
        put_optional(out, entry.frame, text::put_u64);
    }
    if perturbed {
        out.push(b'\t');
        put_perturbation(out, action.perturbation);
    }
}

fn put_optional<T>(out: &mut Vec<u8>, value: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
    out.push(b'\t');
    match value {
        Some(value) => put(out, value),
        None => out.extend_from_slice(NONE.as_bytes()),
    }
}

fn put_kind(out: &mut Vec<u8>, kind: Kind) {
    let (word, index) = match kind {
        Kind::Pacing(i) => ("pacing", i),
        Kind::Feedback(i) => ("feedback", i),
        Kind::Masking(i) => ("masking", i),
        Kind::Copy(i) => ("copy", i),
        Kind::Rule(i) => ("trigger", i),
        Kind::ToneOff => ("off", 0),
        Kind::Tap(i) => ("tap", i),
        Kind::Release(i) => ("release", i),
        Kind::ControlIn(i) => ("control-in", i),
        Kind::ControlOut(i) => ("control-out", i),
        Kind::Sysex(i) => ("sysex", i),
        Kind::Marker(i) => ("marker", i),
        Kind::InputClosed(i) => ("closed", i),
        Kind::InputReopened(i) => ("reopened", i),
        Kind::Xrun => ("xrun", 0),
        Kind::SilentBeat(i, Silence::Rest) => ("rest", i),
        Kind::SilentBeat(i, Silence::Inaudible) => ("inaudible", i),
        Kind::SilentBeat(i, Silence::Muted) => ("muted-beat", i),
        Kind::Muted(i) => ("muted", i),
        Kind::Cancelled(i) => ("cancelled", i),
        Kind::Code(i) => ("code", i),
        Kind::CodeOff => ("code-off", 0),
        Kind::Overwritten => ("overwritten", 0),
        Kind::Changed(change) => {
            out.extend_from_slice(b"changed\t");
            return out.extend_from_slice(words::change(change).as_bytes());
        }
        Kind::End(ending) => {
            out.extend_from_slice(b"end\t");
            return out.extend_from_slice(words::ending(ending).as_bytes());
        }
    };
    out.extend_from_slice(word.as_bytes());
    out.push(b'\t');
    text::put_u64(out, u64::from(index));
}

fn parse_kind(word: &str, index: &str) -> Option<Kind> {
    if word == "end" {
        return words::parse_ending(index).map(Kind::End);
    }
    if word == "changed" {
        return words::parse_change(index).map(Kind::Changed);
    }
    let i = index.parse().ok()?;
    Some(match word {
        "pacing" => Kind::Pacing(i),
        "feedback" => Kind::Feedback(i),
        "masking" => Kind::Masking(i),
        "copy" => Kind::Copy(i),
        "trigger" => Kind::Rule(i),
        "off" => Kind::ToneOff,
        "tap" => Kind::Tap(i),
        "release" => Kind::Release(i),
        "control-in" => Kind::ControlIn(i),
        "control-out" => Kind::ControlOut(i),
        "sysex" => Kind::Sysex(i),
        "marker" => Kind::Marker(i),
        "closed" => Kind::InputClosed(i),
        "reopened" => Kind::InputReopened(i),
        "xrun" => Kind::Xrun,
        "rest" => Kind::SilentBeat(i, Silence::Rest),
        "inaudible" => Kind::SilentBeat(i, Silence::Inaudible),
        "muted-beat" => Kind::SilentBeat(i, Silence::Muted),
        "muted" => Kind::Muted(i),
        "cancelled" => Kind::Cancelled(i),
        "code" => Kind::Code(i),
        "code-off" => Kind::CodeOff,
        "overwritten" => Kind::Overwritten,
        _ => return None,
    })
}

/// The entry of a line; `None` where it is not one.
pub(crate) fn parse_entry(line: &str) -> Option<Entry> {
    let mut cells = line.split('\t');
    let kind = parse_kind(cells.next()?, cells.next()?)?;
    let mut action = Action {
        kind,
        number: next(&mut cells)?,
        cause: next(&mut cells)?,
        id: next(&mut cells)?,
        deadline: Nanos(next(&mut cells)?),
        instant: Nanos(next(&mut cells)?),
        port: next(&mut cells)?,
        message: optional(&mut cells, text::parse_message)?,
        perturbation: Perturbation::NONE,
    };
    let achieved = optional(&mut cells, |cell| cell.parse().ok().map(Nanos))?;
    let stamp = optional(&mut cells, words::parse_stamp)?;
    let frame = match cells.next() {
        None | Some(NONE) => None,
        Some(cell) => Some(cell.parse().ok()?),
    };
    if let Some(cell) = cells.next() {
        action.perturbation = parse_perturbation(cell)?;
    }
    let (what, stamp) = match stamp {
        Some(_) if action.is_output() => (What::Corrected, None),
        stamp => (What::Happened, stamp),
    };
    let entry = Entry { what, action, achieved, stamp, frame };
    cells.next().is_none().then_some(entry)
}

fn next<T: FromStr>(cells: &mut Split<'_, char>) -> Option<T> {
    cells.next()?.parse().ok()
}

fn optional<T>(
    cells: &mut Split<'_, char>,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Option<Option<T>> {
    match cells.next()? {
        NONE => Some(None),
        cell => parse(cell).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::midi::{Message, SysexPart, U7};
    use chronotap_engine::action::{Change, Ending};
    use proptest::prelude::*;

    fn any_kind() -> impl Strategy<Value = Kind> {
        (0..26u8, any::<u16>()).prop_map(|(kind, i)| match kind {
            0 => Kind::Pacing(i),
            1 => Kind::Feedback(i),
            2 => Kind::Masking(i),
            3 => Kind::Rule(i),
            4 => Kind::ToneOff,
            5 => Kind::Tap(i),
            6 => Kind::Release(i),
            7 => Kind::ControlIn(i),
            8 => Kind::ControlOut(i),
            9 => Kind::Marker(i),
            10 => Kind::InputClosed(i),
            11 => Kind::Cancelled(i),
            12 => Kind::End(Ending::TimeLimit),
            13 => Kind::InputReopened(i),
            14 => Kind::Xrun,
            15 => Kind::SilentBeat(i, Silence::Rest),
            16 => Kind::SilentBeat(i, Silence::Inaudible),
            17 => Kind::SilentBeat(i, Silence::Muted),
            18 => Kind::Muted(i),
            19 => Kind::Sysex(i),
            20 => Kind::Code(i),
            21 => Kind::CodeOff,
            22 => Kind::Overwritten,
            23 => Kind::Copy(i),
            24 => Kind::Changed(Change::ALL[usize::from(i) % Change::ALL.len()]),
            _ => Kind::End(Ending::InputClosed),
        })
    }

    prop_compose! {
        fn any_entry()(
            kind in any_kind(),
            (number, cause, id) in any::<(u32, u64, u64)>(),
            (deadline, instant, achieved) in any::<(i64, i64, Option<i64>)>(),
            (port, status, note) in any::<(u16, u8, u8)>(),
            (stamped, frame) in any::<(bool, Option<u64>)>(),
            perturbation in crate::record::perturbed::any_perturbation(),
            sysex in proptest::option::of(proptest::collection::vec(0u8..128, 1..=16)),
        ) -> Entry {
            let data = [U7::from_byte(note), U7::MAX];
            let message = Message::decode(status, data)
                .filter(|_| Message::data_bytes(status) == 2);
            let part = sysex.and_then(|bytes| SysexPart::new(&bytes));
            let message = part.map(Message::Sysex).or(message);
            let (deadline, instant) = (Nanos(deadline), Nanos(instant));
            let action =
                Action { id, kind, number, cause, deadline, instant, port, message, perturbation };
            let (what, stamp) = match (stamped, action.is_output()) {
                (true, true) => (What::Corrected, None),
                (true, false) => (What::Happened, Some(Stamp::AudioFrame)),
                (false, _) => (What::Happened, None),
            };
            Entry { what, action, achieved: achieved.map(Nanos), stamp, frame }
        }
    }

    #[test]
    fn a_stamp_on_the_line_of_an_output_marks_a_correction() {
        let line = "pacing\t0\t1\t0\t1\t1000\t1000\t0\t90 3c 40\t6000\taudio frame\t288";
        let entry = parse_entry(line).unwrap();
        assert_eq!((entry.what, entry.stamp), (What::Corrected, None));
        assert_eq!((entry.achieved, entry.frame), (Some(Nanos(6000)), Some(288)));
        let mut written = Vec::new();
        put_entry(&mut written, &entry);
        assert_eq!(std::str::from_utf8(&written), Ok(line));
        let first = parse_entry(&line.replace("audio frame", "-")).unwrap();
        assert_eq!(first.what, What::Happened);
    }

    proptest! {
        #[test]
        fn prop_an_entry_comes_back_from_its_line(entry in any_entry()) {
            let mut line = Vec::new();
            put_entry(&mut line, &entry);
            prop_assert_eq!(parse_entry(std::str::from_utf8(&line).unwrap()), Some(entry));
        }

        #[test]
        fn prop_any_entries_whatever_make_rows(entries in prop::collection::vec(any_entry(), 0..20)) {
            let made = crate::record::rows(&crate::record::Names::default(), &entries);
            let offs = entries.iter().filter(|e| e.action.kind.is_end_of_another()).count();
            prop_assert_eq!(made.len(), entries.len() - offs);
        }
    }
}

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
use chronotap_engine::action::{Action, ActionKind, Silence};
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

fn put_kind(out: &mut Vec<u8>, kind: ActionKind) {
    let (word, index) = match kind {
        ActionKind::Pacing(i) => ("pacing", i),
        ActionKind::Feedback(i) => ("feedback", i),
        ActionKind::Masking(i) => ("masking", i),
        ActionKind::Copy(i) => ("copy", i),
        ActionKind::Rule(i) => ("trigger", i),
        ActionKind::ToneOff => ("off", 0),
        ActionKind::Tap(i) => ("tap", i),
        ActionKind::Release(i) => ("release", i),
        ActionKind::ControlIn(i) => ("control-in", i),
        ActionKind::ControlOut(i) => ("control-out", i),
        ActionKind::Sysex(i) => ("sysex", i),
        ActionKind::Marker(i) => ("marker", i),
        ActionKind::InputClosed(i) => ("closed", i),
        ActionKind::InputReopened(i) => ("reopened", i),
        ActionKind::Xrun => ("xrun", 0),
        ActionKind::SilentBeat(i, Silence::Rest) => ("rest", i),
        ActionKind::SilentBeat(i, Silence::Inaudible) => ("inaudible", i),
        ActionKind::SilentBeat(i, Silence::Muted) => ("muted-beat", i),
        ActionKind::Muted(i) => ("muted", i),
        ActionKind::Cancelled(i) => ("cancelled", i),
        ActionKind::Code(i) => ("code", i),
        ActionKind::CodeOff => ("code-off", 0),
        ActionKind::Overwritten => ("overwritten", 0),
        ActionKind::Changed(change) => {
            out.extend_from_slice(b"changed\t");
            return out.extend_from_slice(words::change(change).as_bytes());
        }
        ActionKind::End(ending) => {
            out.extend_from_slice(b"end\t");
            return out.extend_from_slice(words::ending(ending).as_bytes());
        }
    };
    out.extend_from_slice(word.as_bytes());
    out.push(b'\t');
    text::put_u64(out, u64::from(index));
}

fn parse_kind(word: &str, index: &str) -> Option<ActionKind> {
    if word == "end" {
        return words::parse_ending(index).map(ActionKind::End);
    }
    if word == "changed" {
        return words::parse_change(index).map(ActionKind::Changed);
    }
    let i = index.parse().ok()?;
    Some(match word {
        "pacing" => ActionKind::Pacing(i),
        "feedback" => ActionKind::Feedback(i),
        "masking" => ActionKind::Masking(i),
        "copy" => ActionKind::Copy(i),
        "trigger" => ActionKind::Rule(i),
        "off" => ActionKind::ToneOff,
        "tap" => ActionKind::Tap(i),
        "release" => ActionKind::Release(i),
        "control-in" => ActionKind::ControlIn(i),
        "control-out" => ActionKind::ControlOut(i),
        "sysex" => ActionKind::Sysex(i),
        "marker" => ActionKind::Marker(i),
        "closed" => ActionKind::InputClosed(i),
        "reopened" => ActionKind::InputReopened(i),
        "xrun" => ActionKind::Xrun,
        "rest" => ActionKind::SilentBeat(i, Silence::Rest),
        "inaudible" => ActionKind::SilentBeat(i, Silence::Inaudible),
        "muted-beat" => ActionKind::SilentBeat(i, Silence::Muted),
        "muted" => ActionKind::Muted(i),
        "cancelled" => ActionKind::Cancelled(i),
        "code" => ActionKind::Code(i),
        "code-off" => ActionKind::CodeOff,
        "overwritten" => ActionKind::Overwritten,
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
    use chronotap_engine::action::{OutsideChange, TrialEnding};
    use proptest::prelude::*;

    fn any_kind() -> impl Strategy<Value = ActionKind> {
        (0..26u8, any::<u16>()).prop_map(|(kind, i)| match kind {
            0 => ActionKind::Pacing(i),
            1 => ActionKind::Feedback(i),
            2 => ActionKind::Masking(i),
            3 => ActionKind::Rule(i),
            4 => ActionKind::ToneOff,
            5 => ActionKind::Tap(i),
            6 => ActionKind::Release(i),
            7 => ActionKind::ControlIn(i),
            8 => ActionKind::ControlOut(i),
            9 => ActionKind::Marker(i),
            10 => ActionKind::InputClosed(i),
            11 => ActionKind::Cancelled(i),
            12 => ActionKind::End(TrialEnding::TimeLimit),
            13 => ActionKind::InputReopened(i),
            14 => ActionKind::Xrun,
            15 => ActionKind::SilentBeat(i, Silence::Rest),
            16 => ActionKind::SilentBeat(i, Silence::Inaudible),
            17 => ActionKind::SilentBeat(i, Silence::Muted),
            18 => ActionKind::Muted(i),
            19 => ActionKind::Sysex(i),
            20 => ActionKind::Code(i),
            21 => ActionKind::CodeOff,
            22 => ActionKind::Overwritten,
            23 => ActionKind::Copy(i),
            24 => {
                ActionKind::Changed(OutsideChange::ALL[usize::from(i) % OutsideChange::ALL.len()])
            }
            _ => ActionKind::End(TrialEnding::InputClosed),
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

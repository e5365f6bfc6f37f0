//! [`Known`]: which events of a journal were read, so that behind damage a line is left out that
//! gives a known event's number to another event.
//!
//! Background: the events themselves take 136 bytes each, and a journal may have millions.
//! Solution: of each event a fingerprint of four bytes is kept, by its number; the engine counts
//! without gaps. Of two events that are not the same, one in 2³¹ passes for the other, and
//! only where the checksum of its line agrees too; nothing then tells them apart.

use super::numbers::Numbers;
use super::scratch::Scratch;
use crate::record::{Entry, What, line};
use chronotap_core::time::Nanos;
use std::io;

/// The events that were read so far.
#[derive(Debug)]
pub(super) struct Known {
    by_number: Numbers, // the fingerprints of a tone, and of its end from bit 32 on; 0 is none
    latest: Option<Nanos>,
    line: Vec<u8>,
}

/// Set in the fingerprint of an event that stands before all damage.
const SURE: u32 = 1 << 31;

impl Known {
    /// No event was read yet.
    pub(super) fn new(scratch: &Scratch) -> Known {
        Known { by_number: Numbers::new(scratch), latest: None, line: Vec::new() }
    }

    /// Adds an event; `sure` where no damage stands before it.
    pub(super) fn add(&mut self, entry: &Entry, sure: bool) -> io::Result<()> {
        self.latest = Some(entry.action.instant);
        let (number, ends) = key(entry);
        let both = self.by_number.get(number)?;
        let kept = if sure { SURE } else { part(both, ends) & SURE };
        let print = self.fingerprint(entry) | kept;
        let others = both & !(u64::from(u32::MAX) << shift(ends));
        self.by_number.set(number, others | u64::from(print) << shift(ends))
    }

    /// Whether it is a known event, or one whose number nobody has.
    pub(super) fn fits(&mut self, entry: &Entry) -> io::Result<bool> {
        let (number, ends) = key(entry);
        let known = part(self.by_number.get(number)?, ends);
        Ok(known == 0 || known & !SURE == self.fingerprint(entry))
    }

    /// Whether an event of this number stands before all damage.
    pub(super) fn is_sure(&mut self, number: u64) -> io::Result<bool> {
        let both = self.by_number.get(number)?;
        Ok((part(both, false) | part(both, true)) & SURE != 0)
    }

    /// When the engine decided the last of them.
    pub(super) fn latest(&self) -> Option<Nanos> {
        self.latest
    }

    /// Of the action alone: a correction has another time achieved. Never 0.
    fn fingerprint(&mut self, entry: &Entry) -> u32 {
        let (what, action) = (What::Happened, entry.action);
        self.line.clear();
        let bare = Entry { what, action, achieved: None, stamp: None, frame: None };
        line::put_entry(&mut self.line, &bare);
        (crc32fast::hash(&self.line) & !SURE).max(1)
    }
}

fn shift(ends: bool) -> u32 {
    if ends { 32 } else { 0 }
}

/// The fingerprint of a tone or of its end.
fn part(both: u64, ends: bool) -> u32 {
    (both >> shift(ends)) as u32
}

/// The end of a tone has the number of the tone.
pub(super) fn key(entry: &Entry) -> (u64, bool) {
    (entry.action.id, entry.action.kind.is_end_of_another())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::journal::scratch::Room;
    use chronotap_engine::action::{Action, ActionKind};
    use chronotap_engine::perturbation::Perturbation;

    fn entry(kind: ActionKind, id: u64, number: u32) -> Entry {
        let (at, message, perturbation) = (Nanos(1), None, Perturbation::NONE);
        let action = Action {
            kind,
            number,
            cause: 0,
            id,
            deadline: at,
            instant: at,
            port: 0,
            message,
            perturbation,
        };
        Entry { what: What::Happened, action, achieved: Some(at), stamp: None, frame: None }
    }

    #[test]
    fn a_number_belongs_to_one_event_and_its_end() {
        let mut known = Known::new(&Scratch::in_memory(Room::USUAL));
        for id in [1, 2, u64::MAX, 1 << 40] {
            let (event, end) =
                (entry(ActionKind::Pacing(0), id, 1), entry(ActionKind::ToneOff, id, 0));
            assert!(known.fits(&event).unwrap() && !known.is_sure(id).unwrap());
            known.add(&event, id != 2).unwrap();
            let other = Entry { achieved: None, ..event };
            assert!(known.fits(&other).unwrap() && known.fits(&end).unwrap());
            assert!(!known.fits(&entry(ActionKind::Pacing(0), id, 2)).unwrap());
            known.add(&end, false).unwrap();
            assert_eq!(known.is_sure(id).unwrap(), id != 2);
        }
    }
}

//! [`Known`]: which events of a journal were read, so that behind damage a line is left out that
//! gives a known event's number to another event.
//!
//! Background: the events themselves take 88 bytes each, and a journal may have millions.
//! Solution: of each event a fingerprint of four bytes is kept, by its number; the engine counts
//! without gaps. Of two events that are not the same, one in 2³¹ passes for the other, and
//! only where the checksum of its line agrees too; nothing then tells them apart.

use crate::{Entry, What, line};
use chronotap_engine::action::Kind;
use chronotap_time::Nanos;
use std::collections::HashMap;

/// The events that were read so far.
#[derive(Debug, Default)]
pub(super) struct Known {
    by_number: Vec<[u32; 2]>, // of a tone and of its end; 0 is none
    far: HashMap<(u64, bool), u32>,
    count: usize,
    latest: Option<Nanos>,
    line: Vec<u8>,
}

/// Set in the fingerprint of an event that stands before all damage.
const SURE: u32 = 1 << 31;
/// Numbers up to here, and to twice the count, have a place of their own. A damaged file may say
/// any number.
const NEAR: usize = 4_096;

impl Known {
    /// Adds an event; `sure` where no damage stands before it.
    pub(super) fn add(&mut self, entry: &Entry, sure: bool) {
        self.count += 1;
        self.latest = Some(entry.action.instant);
        let earlier = self.of(key(entry)).unwrap_or(0);
        let kept = if sure { SURE } else { earlier & SURE };
        let print = self.fingerprint(entry) | kept;
        let (number, ends) = key(entry);
        match usize::try_from(number).ok().filter(|at| *at < NEAR + 2 * self.count) {
            Some(at) => {
                if self.by_number.len() <= at {
                    self.by_number.resize(at + 1, [0; 2]);
                }
                self.by_number[at][usize::from(ends)] = print;
            }
            None => {
                self.far.insert((number, ends), print);
            }
        }
    }

    /// Whether it is a known event, or one whose number nobody has.
    pub(super) fn fits(&mut self, entry: &Entry) -> bool {
        let known = self.of(key(entry));
        known.is_none_or(|known| known & !SURE == self.fingerprint(entry))
    }

    /// Whether an event of this number stands before all damage.
    pub(super) fn is_sure(&self, number: u64) -> bool {
        let sure = |ends| self.of((number, ends)).is_some_and(|print| print & SURE != 0);
        sure(false) || sure(true)
    }

    /// When the engine decided the last of them.
    pub(super) fn latest(&self) -> Option<Nanos> {
        self.latest
    }

    fn of(&self, (number, ends): (u64, bool)) -> Option<u32> {
        let near = usize::try_from(number).ok().and_then(|at| self.by_number.get(at));
        let near = near.map(|of| of[usize::from(ends)]).filter(|print| *print != 0);
        near.or_else(|| self.far.get(&(number, ends)).copied())
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

/// The end of a tone has the number of the tone.
pub(super) fn key(entry: &Entry) -> (u64, bool) {
    (entry.action.id, entry.action.kind == Kind::ToneOff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::action::Action;
    use chronotap_engine::perturbation::Perturbation;

    fn entry(kind: Kind, id: u64, number: u32) -> Entry {
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
        let mut known = Known::default();
        for id in [1, 2, u64::MAX, 1 << 40] {
            let (event, end) = (entry(Kind::Pacing(0), id, 1), entry(Kind::ToneOff, id, 0));
            assert!(known.fits(&event) && !known.is_sure(id));
            known.add(&event, id != 2);
            assert!(known.fits(&Entry { achieved: None, ..event }) && known.fits(&end));
            assert!(!known.fits(&entry(Kind::Pacing(0), id, 2)));
            known.add(&end, false);
            assert_eq!(known.is_sure(id), id != 2);
        }
        assert!(known.by_number.len() < NEAR, "a number that is far off takes no room");
    }
}

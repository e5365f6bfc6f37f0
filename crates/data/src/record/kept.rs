//! [`Kept`]: the entries of a running trial in memory, in parts of one size. A list in one piece
//! doubles when it is full, and the real-time program locks its memory and gives none back: it
//! would take twice what it holds, and its former places besides.

use crate::record::Entry;
use std::collections::VecDeque;

/// Entries of a part, in 560 kB.
const PART: usize = 1 << 12;

/// Entries in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    parts: VecDeque<Vec<Entry>>, // all but the last are full
}

impl Kept {
    /// None yet, with room for the first ones.
    pub fn new() -> Kept {
        Kept { parts: VecDeque::from([Vec::with_capacity(PART)]) }
    }

    /// Adds the next.
    pub fn push(&mut self, entry: Entry) {
        match self.parts.back_mut().filter(|part| part.len() < PART) {
            Some(part) => part.push(entry),
            None => {
                let mut part = Vec::with_capacity(PART);
                part.push(entry);
                self.parts.push_back(part);
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.parts.back().map_or(0, |last| (self.parts.len() - 1) * PART + last.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry at a place, from 0.
    pub fn get(&self, at: usize) -> Option<&Entry> {
        self.parts.get(at / PART)?.get(at % PART)
    }

    /// One after another.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> + Clone {
        self.parts.iter().flatten()
    }

    /// All in one piece; each part goes as soon as it is copied.
    pub fn into_vec(mut self) -> Vec<Entry> {
        let mut all = Vec::with_capacity(self.len());
        while let Some(part) = self.parts.pop_front() {
            all.extend_from_slice(&part);
        }
        all
    }
}

impl FromIterator<Entry> for Kept {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Kept {
        let mut kept = Kept::new();
        entries.into_iter().for_each(|entry| kept.push(entry));
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::What;
    use chronotap_core::time::Nanos;
    use chronotap_engine::action::{Action, ActionKind};
    use chronotap_engine::perturbation::Perturbation;

    fn entry(id: u64) -> Entry {
        let (at, message, perturbation) = (Nanos(1), None, Perturbation::NONE);
        let (kind, number, cause, port) = (ActionKind::Xrun, 0, 0, 0);
        let (deadline, instant) = (at, at);
        let action =
            Action { kind, number, cause, id, deadline, instant, port, message, perturbation };
        Entry { what: What::Happened, action, achieved: Some(at), stamp: None, frame: None }
    }

    #[test]
    fn entries_stay_in_their_order_and_no_room_doubles() {
        let all: Vec<Entry> = (0..3 * PART as u64 + 7).map(entry).collect();
        let kept: Kept = all.iter().copied().collect();
        assert_eq!((kept.len(), kept.parts.len()), (all.len(), 4));
        assert!(kept.parts.iter().all(|part| part.capacity() == PART));
        assert!(kept.iter().eq(&all));
        assert_eq!((kept.get(2 * PART), kept.get(all.len())), (all.get(2 * PART), None));
        assert_eq!(kept.into_vec(), all);
        assert!(Kept::default().is_empty() && Kept::new().is_empty());
    }

    /// The bounds of a trial's memory that the manual states follow from it.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn an_entry_takes_the_memory_that_the_manual_says() {
        let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/events-files.md");
        let manual = std::fs::read_to_string(manual).unwrap();
        let each = size_of::<Entry>();
        assert!(manual.contains(&format!("An event takes {each} bytes")), "{each} bytes");
        assert!(manual.contains(&format!("{} MB at most on a disk", 4 * each)), "{each} bytes");
    }
}

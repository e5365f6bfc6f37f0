//! [`Ring`]: the last entries of one writer, each of some words that belong together, for
//! any number of readers.
//!
//! Background: the words of an entry are several atomics, so that a reader could see some
//! of one entry and some of a later one that took its place.
//! Solution: a sequence lock for each place. The place bears the number of the entry it
//! holds, and [`WRITING`] while that is replaced. A reader takes the words only where it
//! saw the entry's number before it read them, and sees it again afterwards.
//! Why it works: the writer's fence stands between its mark and its words, the reader's
//! between the words and the second look. Who has read a word of a later entry therefore
//! sees that entry's mark or its number, and no number comes twice (2^64 entries last
//! longer than any computer). All fields are atomics: there is no data race to begin with.
//! `tests/ring_model.rs` compiles this very file against the atomics of `loom`, and tries
//! every interleaving.
//!
//! Real-time contract: bounded, whatever the other threads do; no allocation, lock, system
//! call, log or panic.

use super::Ordering::{Acquire, Relaxed, Release};
use super::{AtomicU64, fence};

/// No entry bears this number: they are counted from 1 within a place.
const WRITING: u64 = 0;

/// The last `PLACES` entries.
#[derive(Debug)]
pub(super) struct Ring<const PLACES: usize, const WORDS: usize> {
    pushed: AtomicU64,
    places: [Slot<WORDS>; PLACES],
}

#[derive(Debug)]
struct Slot<const WORDS: usize> {
    number: AtomicU64,
    words: [AtomicU64; WORDS],
}

impl<const PLACES: usize, const WORDS: usize> Ring<PLACES, WORDS> {
    /// Writes the next entry. One thread at a time may call it: two would mix their words.
    pub(super) fn push(&self, words: [u64; WORDS]) {
        let number = self.pushed.load(Relaxed) + 1; // written by this thread
        let place = self.place(number);
        place.number.store(WRITING, Relaxed);
        fence(Release); // whoever sees one of the words sees the mark
        place.words.iter().zip(words).for_each(|(to, word)| to.store(word, Relaxed));
        place.number.store(number, Release); // whoever sees the number sees the words
        self.pushed.store(number, Release);
    }

    /// How many entries were written.
    pub(super) fn pushed(&self) -> u64 {
        self.pushed.load(Acquire)
    }

    /// The entry of that index, from 0; `None` where it is not there yet, or not any more.
    pub(super) fn entry(&self, index: u64) -> Option<[u64; WORDS]> {
        let number = index.checked_add(1)?;
        let place = self.place(number);
        if place.number.load(Acquire) != number {
            return None;
        }
        let words = std::array::from_fn(|i| place.words[i].load(Relaxed));
        fence(Acquire); // a word of a later entry brings its mark along
        (place.number.load(Relaxed) == number).then_some(words)
    }

    /// The last entry; `None` where there is none, and where each of so many tries met an
    /// entry that was just then replaced.
    pub(super) fn last(&self, tries: usize) -> Option<[u64; WORDS]> {
        (0..tries).find_map(|_| self.entry(self.pushed().checked_sub(1)?))
    }

    fn place(&self, number: u64) -> &Slot<WORDS> {
        &self.places[(number % PLACES as u64) as usize]
    }
}

impl<const PLACES: usize, const WORDS: usize> Default for Ring<PLACES, WORDS> {
    fn default() -> Ring<PLACES, WORDS> {
        let words = || std::array::from_fn(|_| AtomicU64::new(0));
        let place = |_| Slot { number: AtomicU64::new(WRITING), words: words() };
        Ring { pushed: AtomicU64::new(0), places: std::array::from_fn(place) }
    }
}

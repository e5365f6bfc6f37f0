//! The ring of the frame clock under `loom`, which tries every order in which two threads
//! may take turns and see each other's writes, with at most three switches that neither
//! asked for.
//!
//! The ring's own source is compiled here a second time, against the atomics of `loom`.
//! The rings are as short as can be, so that a few entries already take each other's place.

use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering, fence};
use loom::thread;

#[path = "../src/cards/frames/ring.rs"]
mod ring;

use ring::Ring;

/// Entries that are written.
const ENTRIES: u64 = 3;
const TRIES: usize = 2;

/// The words of an entry, which belong together.
fn words(index: u64) -> [u64; 2] {
    [100 + index, 200 + index]
}

/// Which entry it is.
fn index(found: [u64; 2]) -> u64 {
    (0..ENTRIES).find(|i| words(*i) == found).expect("a mixture was read")
}

/// Tries every interleaving of a writer and a reader. The reader is the thread that comes
/// second: `loom` begins with a run in which each thread goes as far as it can, and looks
/// for what else could have been from there. A reader that came first would find nothing,
/// and the search would end with it.
fn against_a_writer<R: Default + Send + Sync + 'static>(write: fn(&R, [u64; 2]), read: fn(&R)) {
    let mut model = Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let ring = Arc::new(R::default());
        let readers = Arc::clone(&ring);
        let reader = thread::spawn(move || read(&readers));
        (0..ENTRIES).for_each(|i| write(&ring, words(i)));
        reader.join().expect("the reader does not panic");
    });
}

#[test]
fn the_last_entry_is_whole_or_not_given_and_never_goes_back() {
    against_a_writer(Ring::<2, 2>::push, |ring| {
        let last = || ring.last(TRIES).map(index);
        let (first, second) = (last(), last());
        assert!(first.zip(second).is_none_or(|(first, second)| first <= second));
    });
}

#[test]
fn an_entry_that_was_replaced_is_not_given() {
    against_a_writer(Ring::<2, 2>::push, |ring| {
        let found = ring.entry(0);
        assert!(found.is_none_or(|found| found == words(0)), "{found:?}");
        let pushed = ring.pushed();
        let last = pushed.checked_sub(1).and_then(|last| ring.entry(last));
        assert!(last.is_some() || pushed < ENTRIES, "nobody can replace the very last");
    });
}

/// What a ring is without the marks: an entry is trusted because it is replaced only
/// after a whole round.
#[derive(Default)]
struct Trusting {
    pushed: AtomicU64,
    places: [[AtomicU64; 2]; 2],
}

impl Trusting {
    fn push(&self, words: [u64; 2]) {
        let next = self.pushed.load(Ordering::Relaxed) + 1;
        let place = &self.places[next as usize % 2];
        place.iter().zip(words).for_each(|(to, word)| to.store(word, Ordering::Relaxed));
        self.pushed.store(next, Ordering::Release);
    }

    fn last(&self) -> [u64; 2] {
        let place = &self.places[self.pushed.load(Ordering::Acquire) as usize % 2];
        [0, 1].map(|i: usize| place[i].load(Ordering::Relaxed))
    }
}

#[test]
#[should_panic(expected = "a mixture was read")]
fn the_model_finds_the_mixture_that_a_ring_without_marks_gives() {
    against_a_writer(Trusting::push, |ring| {
        let [first, second] = ring.last();
        assert!(first == 0 || second == first + 100, "a mixture was read");
    });
}

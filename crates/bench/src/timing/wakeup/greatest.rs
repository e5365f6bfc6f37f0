//! [`Greatest`]: the few greatest samples of a run with the time of each, in room
//! that was allocated before.
//!
//! Real-time contract of [`Greatest::offer`]: any thread; no allocation, lock or
//! system call; one comparison for a sample that is not among the greatest, as many
//! as there are places for one that is.

use chronotap_core::time::Nanos;

/// The greatest samples.
#[derive(Clone, Debug)]
pub struct Greatest {
    kept: Vec<(Nanos, Nanos)>, // when, and the sample; never grows
    room: usize,
}

impl Greatest {
    /// Room for `n` of them.
    pub fn new(n: usize) -> Greatest {
        Greatest { kept: Vec::with_capacity(n), room: n }
    }

    /// Keeps a sample where it is greater than one of those that are kept, and tells
    /// whether it did; of equal ones the first stays.
    pub fn offer(&mut self, at: Nanos, sample: Nanos) -> bool {
        if self.kept.len() < self.room {
            self.kept.push((at, sample)); // within the room allocated
        } else if sample > self.floor() {
            self.replace_least(at, sample);
        } else {
            return false;
        }
        self.least_to_front();
        true
    }

    /// What a sample must exceed to be kept.
    pub fn floor(&self) -> Nanos {
        let full = self.kept.len() == self.room;
        if full { self.kept.first().map_or(Nanos::MAX, |least| least.1) } else { Nanos::MIN }
    }

    /// When, and the sample; greatest first.
    pub fn sorted(&self) -> Vec<(Nanos, Nanos)> {
        let mut sorted = self.kept.clone();
        sorted.sort_unstable_by_key(|&(at, sample)| (-sample, at));
        sorted
    }

    fn replace_least(&mut self, at: Nanos, sample: Nanos) {
        if let Some(least) = self.kept.first_mut() {
            *least = (at, sample);
        }
    }

    /// Of equal ones the last comes to the front, so that the first stays.
    fn least_to_front(&mut self) {
        let least = (0..self.kept.len()).min_by_key(|&i| (self.kept[i].1, -self.kept[i].0));
        if let Some(least) = least {
            self.kept.swap(0, least);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn without_room_nothing_is_kept() {
        let mut none = Greatest::new(0);
        none.offer(Nanos(1), Nanos(9));
        assert!(none.sorted().is_empty());
    }

    proptest! {
        #[test]
        fn the_greatest_are_kept_and_of_equal_ones_the_first(samples in prop::collection::vec(0i64..50, 0..100), room in 1usize..8) {
            let mut greatest = Greatest::new(room);
            let mut all: Vec<(Nanos, Nanos)> = Vec::new();
            for (at, sample) in samples.into_iter().enumerate() {
                greatest.offer(Nanos(at as i64), Nanos(sample));
                all.push((Nanos(at as i64), Nanos(sample)));
            }
            all.sort_by_key(|&(at, sample)| (-sample, at));
            all.truncate(room);
            prop_assert_eq!(greatest.sorted(), all);
        }
    }
}

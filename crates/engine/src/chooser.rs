//! [`Chooser`]: picks from a list at random: each time anew, in shuffled order, or once.
//!
//! Real-time contract: its memory is taken at construction, for the longest list that may be
//! shuffled ([`LONGEST_SHUFFLE`] bounds the work of a new shuffle).

use crate::random::Random;
use crate::trial::{Choice, Shift, Trial};
use chronotap_core::time::Nanos;

/// The most elements of a list that is shuffled.
pub const LONGEST_SHUFFLE: usize = 1_000;

/// Where a trial stands in a list that is chosen from.
#[derive(Clone, Debug)]
pub struct Chooser {
    random: Random,
    order: Vec<u16>, // of a shuffled list: the indices still to come, the next one last
    shuffled: usize, // the length of the list that was shuffled
    last: Option<u16>, // of the shuffle, until it is given back
    once: Option<usize>,
}

impl Chooser {
    /// Nothing has been chosen; room for any list of the trial.
    pub fn new(random: Random, trial: &Trial) -> Chooser {
        let longest = trial.notes.len().max(trial.times.len()).min(LONGEST_SHUFFLE);
        Chooser { random, order: Vec::with_capacity(longest), shuffled: 0, last: None, once: None }
    }

    /// Another list holds from now on.
    pub fn forget(&mut self) {
        self.order.clear();
        self.last = None;
        self.once = None;
    }

    /// What was drawn last never came: the shuffle goes on with it.
    pub fn give_back(&mut self) {
        let room = self.order.len() < self.order.capacity();
        self.order.extend(self.last.take().filter(|_| room)); // within the capacity, so without allocating
    }

    /// Index of an element of a list of this length. What is chosen each time anew is drawn
    /// from `each`, the rest from the chooser's own numbers.
    pub fn choose(&mut self, how: Choice, length: usize, each: &mut Random) -> usize {
        let last = length.max(1) - 1;
        match how {
            Choice::Random => each.between(0, last as u32) as usize,
            Choice::Shuffled => self.next(length).unwrap_or(0),
            Choice::Once => {
                let random = &mut self.random;
                *self.once.get_or_insert_with(|| random.between(0, last as u32) as usize)
            }
        }
    }

    /// How far something moves: as far as is fixed, or as far as is chosen.
    pub fn shift(&mut self, shift: Shift, trial: &Trial, each: &mut Random) -> Nanos {
        match shift {
            Shift::None => Nanos::ZERO,
            Shift::Fixed(by) => by,
            Shift::Chosen(how, list) => {
                let times = list.of(&trial.times);
                let chosen = self.choose(how, times.len(), each);
                times.get(chosen).copied().unwrap_or(Nanos::ZERO)
            }
        }
    }

    /// The next index of the shuffle; a new shuffle where all have come.
    fn next(&mut self, length: usize) -> Option<usize> {
        if self.order.is_empty() || self.shuffled != length {
            self.shuffle(length);
        }
        self.last = self.order.pop();
        self.last.map(usize::from)
    }

    /// All orders are equally likely (Fisher and Yates 1938, as Durstenfeld 1964 has it).
    fn shuffle(&mut self, length: usize) {
        self.shuffled = length;
        self.order.clear();
        self.order.extend(0..length.min(self.order.capacity()) as u16);
        for last in (1..self.order.len()).rev() {
            let other = self.random.between(0, last as u32) as usize;
            self.order.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chooser(length: usize) -> (Chooser, Random) {
        let trial = Trial { times: vec![Nanos::ZERO; length], ..Trial::default() };
        (Chooser::new(Random::named(7, "own"), &trial), Random::named(7, "each"))
    }

    #[test]
    fn a_shuffle_has_each_element_once_before_any_comes_again() {
        let (mut chooser, mut each) = chooser(5);
        let mut rounds = Vec::new();
        for _ in 0..40 {
            let round: Vec<usize> =
                (0..5).map(|_| chooser.choose(Choice::Shuffled, 5, &mut each)).collect();
            let mut sorted = round.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4]);
            rounds.push(round);
        }
        rounds.sort();
        rounds.dedup();
        assert!(rounds.len() > 25, "the orders differ: {}", rounds.len());
    }

    #[test]
    fn all_orders_of_three_are_equally_likely() {
        let (mut chooser, mut each) = chooser(3);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let order: Vec<usize> =
                (0..3).map(|_| chooser.choose(Choice::Shuffled, 3, &mut each)).collect();
            *counts.entry(order).or_insert(0) += 1;
        }
        // Four standard deviations of a count with probability 1/6 are 115.
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|n| (885..=1_115).contains(n)), "{counts:?}");
    }

    #[test]
    fn what_is_chosen_once_stays_until_another_list_holds() {
        let (mut chooser, mut each) = chooser(100);
        let once = chooser.choose(Choice::Once, 100, &mut each);
        assert!((0..50).all(|_| chooser.choose(Choice::Once, 100, &mut each) == once));
        chooser.forget();
        let again: Vec<usize> = (0..5)
            .map(|_| {
                chooser.forget();
                chooser.choose(Choice::Once, 100, &mut each)
            })
            .collect();
        assert!(again.iter().any(|other| *other != once), "{again:?}");
    }
}

//! [`Gradual`]: a change of interval on its way, beat by beat. [`Steps`]: those that add up.
//!
//! Background: a step over 5,000 beats at every beat has 5,000 of them on their way at a time,
//! and the interval is asked for several times a beat.
//! Solution: steps by equal differences over equally many beats are one fraction,
//! Σ by·done / over. A beat adds Σ by to its numerator, and those that are made leave it from
//! the front, since they began in order. Steps by equal ratios are rounded each for itself, so each
//! is computed, once a beat.
//! Why it works: the sum is exact, whatever the order in which it is taken.
//!
//! Real-time contract: the memory of [`Steps`] is taken at construction, for as many as can be on
//! their way at a time.

use crate::trial::{Change, Occasions, Shift};
use chronotap_core::time::{Exact, Nanos};
use std::collections::VecDeque;

/// A change of interval that is spread over several beats.
#[derive(Clone, Copy, Debug)]
pub struct Gradual {
    /// Before it.
    pub from: Exact,
    /// After it.
    pub to: Exact,
    /// Beats it has taken so far.
    pub done: u32,
    /// Beats it takes; at least 1.
    pub over: u32,
    /// Equal ratios rather than equal differences.
    pub exponential: bool,
}

impl Gradual {
    /// `from + (to − from)·done/over`, or `from·(to/from)^(done/over)`.
    pub fn value(&self) -> Exact {
        if self.exponential && self.done < self.over {
            let share = f64::from(self.done) / f64::from(self.over);
            let ratio = self.to.as_f64() / self.from.as_f64();
            return Nanos::round_from_f64(self.from.as_f64() * libm::pow(ratio, share)).into();
        }
        self.from + (self.to - self.from).scaled(i64::from(self.done), i64::from(self.over))
    }

    /// How far it has come.
    fn so_far(&self) -> Exact {
        self.value() - self.from
    }
}

/// By how much steps and corrections have changed the interval since it was last set.
#[derive(Clone, Debug)]
pub struct Steps {
    made: Exact,
    even: Vec<Even>,      // by equal differences, one for each number of beats
    curved: Vec<Gradual>, // by equal ratios
    sum: Exact,           // of all of it, at the present beat
}

impl Steps {
    /// None yet, of a stream with these changes.
    pub fn new(changes: &[Change]) -> Steps {
        let stepping = || changes.iter().filter(|change| change.interval_step != Shift::None);
        let curved = stepping().filter(|change| change.exponential).map(most_at_once).sum();
        let even = || stepping().filter(|change| !change.exponential);
        let mut overs: Vec<u32> = even().map(|change| change.over.max(1)).collect();
        overs.sort_unstable();
        overs.dedup();
        let most =
            |over| even().filter(|change| change.over.max(1) == over).map(most_at_once).sum();
        let even = overs.into_iter().map(|over| Even::new(over, most(over))).collect();
        Steps { made: Exact::ZERO, even, curved: Vec::with_capacity(curved), sum: Exact::ZERO }
    }

    /// What they come to at the present beat.
    pub fn sum(&self) -> Exact {
        self.sum
    }

    /// The interval is longer by this, at once.
    pub fn add(&mut self, by: Exact) {
        self.made = self.made + by;
        self.sum = self.sum + by;
    }

    /// A step from this interval begins, which the next beats make.
    pub fn begin(&mut self, change: &Change, from: Exact, by: Nanos) {
        let over = change.over.max(1);
        if change.exponential {
            let to = from + by.into();
            let step = Gradual { from, to, done: 0, over, exponential: true };
            self.sum = self.sum + step.so_far();
            self.curved.push(step);
        } else if let Some(even) = self.even.iter_mut().find(|even| even.over == over) {
            even.begin(by);
        }
    }

    /// A beat has come: each goes on by one part.
    pub fn go_on(&mut self) {
        let made = &mut self.made;
        self.even.iter_mut().for_each(|even| *made = *made + even.go_on());
        self.curved.retain_mut(|step| {
            step.done += 1;
            if step.done >= step.over {
                *made = *made + (step.to - step.from);
            }
            step.done < step.over
        });
        let even = self.even.iter().filter(|even| !even.under_way.is_empty()).map(Even::so_far);
        let curved = self.curved.iter().map(Gradual::so_far);
        self.sum = even.chain(curved).fold(self.made, |sum, step| sum + step);
    }

    /// The interval was set to a value that holds without them.
    pub fn clear(&mut self) {
        (self.made, self.sum) = (Exact::ZERO, Exact::ZERO);
        self.even.iter_mut().for_each(Even::clear);
        self.curved.clear();
    }
}

/// Steps by equal differences over equally many beats.
#[derive(Clone, Debug)]
struct Even {
    over: u32,
    under_way: VecDeque<(u32, Nanos)>, // the beat before each, and by how much; in order
    beats: u32,                        // that have come
    by: i128,                          // all that is under way
    done: i128,                        // so many parts of it, times `over`
}

impl Even {
    fn new(over: u32, most: usize) -> Even {
        Even { over, under_way: VecDeque::with_capacity(most), beats: 0, by: 0, done: 0 }
    }

    fn begin(&mut self, by: Nanos) {
        self.under_way.push_back((self.beats, by));
        self.by += i128::from(by.0);
    }

    /// A beat has come; gives what is made by it.
    fn go_on(&mut self) -> Exact {
        self.beats += 1;
        self.done += self.by;
        let mut made = Exact::ZERO;
        while let Some((before, by)) = self.under_way.front().copied() {
            if self.beats - before < self.over {
                break;
            }
            self.under_way.pop_front();
            self.by -= i128::from(by.0);
            self.done -= i128::from(by.0) * i128::from(self.over);
            made = made + by.into();
        }
        made
    }

    fn so_far(&self) -> Exact {
        let sum = Exact::ratio(self.done, self.over.into());
        sum.unwrap_or(Exact::whole(Nanos::MAX))
    }

    fn clear(&mut self) {
        (self.beats, self.by, self.done) = (0, 0, 0);
        self.under_way.clear();
    }
}

/// How many steps of a change can be on their way at a time, the one that begins included.
fn most_at_once(change: &Change) -> usize {
    let over = change.over.max(1);
    let most = match &change.at {
        Occasions::Listed(list) => over.min(u32::try_from(list.len()).unwrap_or(u32::MAX)),
        Occasions::Every { from, .. } => over / (*from).max(1) + 1,
        Occasions::Chance { .. } => over,
    };
    most as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn change(over: u32, exponential: bool) -> Change {
        Change {
            at: Occasions::Every { from: 1, to: 1, after: 0 },
            apart: 0,
            mute: false,
            phase_shift: Shift::None,
            onset_shift: Shift::None,
            interval: None,
            interval_step: Shift::Fixed(Nanos(1)),
            over,
            exponential,
        }
    }

    #[test]
    fn what_steps_come_to_is_the_sum_of_each_for_itself() {
        let changes = [(1, false), (7, false), (7, false), (12, true), (50, false), (1, true)];
        let changes = changes.map(|(over, exponential)| change(over, exponential));
        let (mut steps, mut each) = (Steps::new(&changes), Vec::new());
        let (start, mut random) =
            (Exact::ratio(60_000_000_000, 140).unwrap(), Random::named(1, "steps"));
        for _ in 0..2_000 {
            let from = start + steps.sum();
            for change in &changes {
                if random.uniform() < 0.7 {
                    let by = Nanos((2e6 * random.uniform() - 1e6) as i64);
                    let Change { over, exponential, .. } = *change;
                    steps.begin(change, from, by);
                    each.push(Gradual { from, to: from + by.into(), done: 0, over, exponential });
                }
            }
            steps.go_on();
            each.iter_mut().for_each(|step| step.done = step.over.min(step.done + 1));
            let sum = each.iter().fold(Exact::ZERO, |sum, step| sum + step.so_far());
            assert!(steps.sum().cmp(&sum).is_eq(), "{:?} is not {sum:?}", steps.sum());
        }
    }

    #[test]
    fn however_many_are_under_way_a_stream_has_one_sum_of_them_and_takes_no_more_memory() {
        let changes = [change(5_000, false), change(5_000, false)];
        let mut steps = Steps::new(&changes);
        let room = steps.even[0].under_way.capacity();
        for _ in 0..20_000 {
            changes.iter().for_each(|change| steps.begin(change, Exact::ZERO, Nanos(3)));
            steps.go_on();
        }
        assert_eq!((steps.even.len(), steps.even[0].under_way.capacity()), (1, room));
        assert_eq!(steps.even[0].under_way.len(), 2 * 4_999);
    }
}

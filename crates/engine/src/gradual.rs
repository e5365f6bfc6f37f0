//! [`Gradual`]: a change of interval on its way, beat by beat. [`Steps`]: those that add up.
//!
//! Real-time contract: the memory of [`Steps`] is taken at construction, for as many as can be on
//! their way at a time.

use crate::trial::{Change, Occasions, Shift};
use chronotap_time::{Exact, Nanos};

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
}

/// By how much steps and corrections have changed the interval since it was last set.
#[derive(Clone, Debug)]
pub struct Steps {
    made: Exact,
    under_way: Vec<Gradual>,
}

impl Steps {
    /// None yet, of a stream with these changes.
    pub fn new(changes: &[Change]) -> Steps {
        let most = changes.iter().map(most_at_once).sum();
        Steps { made: Exact::ZERO, under_way: Vec::with_capacity(most) }
    }

    /// What they come to at the present beat.
    pub fn sum(&self) -> Exact {
        let so_far = self.under_way.iter().map(|step| step.value() - step.from);
        so_far.fold(self.made, |sum, step| sum + step)
    }

    /// The interval is longer by this, at once.
    pub fn add(&mut self, by: Exact) {
        self.made = self.made + by;
    }

    /// A step begins, which the next beats make.
    pub fn begin(&mut self, step: Gradual) {
        self.under_way.push(step);
    }

    /// A beat has come: each goes on by one part.
    pub fn go_on(&mut self) {
        let made = &mut self.made;
        self.under_way.retain_mut(|step| {
            step.done += 1;
            if step.done >= step.over {
                *made = *made + (step.to - step.from);
            }
            step.done < step.over
        });
    }

    /// The interval was set to a value that holds without them.
    pub fn clear(&mut self) {
        self.made = Exact::ZERO;
        self.under_way.clear();
    }
}

/// How many steps of a change can be on their way at a time, the one that begins included.
fn most_at_once(change: &Change) -> usize {
    if change.interval_step == Shift::None {
        return 0;
    }
    let over = change.over.max(1);
    let most = match &change.at {
        Occasions::Listed(list) => over.min(u32::try_from(list.len()).unwrap_or(u32::MAX)),
        Occasions::Every { from, .. } => over / (*from).max(1) + 1,
        Occasions::Chance { .. } => over,
    };
    most as usize + 1
}

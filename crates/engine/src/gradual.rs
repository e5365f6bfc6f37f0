//! [`Gradual`]: a change of interval on its way, beat by beat.

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

//! [`CallbackLoad`]: what the callbacks of a trial amount to.

use chronotap_core::time::Nanos;
use chronotap_engine::signal::Callback;

/// The callbacks since the trial's start, in sum and at worst.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallbackLoad {
    /// The outputs that sound on the card, by name.
    pub outputs: Vec<String>,
    /// Length of the card's period.
    pub period: Nanos,
    /// How many there were.
    pub callbacks: u64,
    /// The time spent in all of them.
    pub busy: Nanos,
    pub longest: Nanos,
    /// When the longest began, since the trial's start.
    pub longest_at: Nanos,
    /// The greatest time from when one was due to when it began.
    pub latest: Nanos,
    /// Callbacks that are missing from the file, those before the trial's start included.
    pub lost: u64,
    /// Periods that the card missed since the trial's start.
    pub xruns: u64,
}

impl CallbackLoad {
    /// Takes in a callback; `origin` is when the trial's clock started.
    pub fn add(&mut self, call: &Callback, origin: Option<Nanos>) {
        let Some(origin) = origin.filter(|origin| call.due >= *origin) else { return };
        let took = call.ended - call.began;
        self.callbacks += 1;
        self.busy += took;
        self.latest = self.latest.max(call.began - call.due);
        if took > self.longest {
            (self.longest, self.longest_at) = (took, call.began - origin);
        }
    }

    /// The share of the time that was spent in callbacks, 0 to 1.
    pub fn mean_share(&self) -> f64 {
        self.busy.0 as f64 / (self.callbacks.max(1) as f64 * self.period.0.max(1) as f64)
    }

    /// The share of its period that the longest one took.
    pub fn worst_share(&self) -> f64 {
        self.longest.0 as f64 / self.period.0.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_called_before_the_trial_is_no_part_of_its_load() {
        let call = |due: i64, took: i64| {
            let (due, began) = (Nanos(due), Nanos(due + 5));
            Callback { frame: 0, frames: 64, due, began, ended: began + Nanos(took) }
        };
        let mut load = CallbackLoad { period: Nanos(100), ..CallbackLoad::default() };
        load.add(&call(900, 90), Some(Nanos(1_000)));
        load.add(&call(950, 90), None);
        for (due, took) in [(1_000, 10), (1_100, 30), (1_200, 20)] {
            load.add(&call(due, took), Some(Nanos(1_000)));
        }
        assert_eq!((load.callbacks, load.busy, load.latest), (3, Nanos(60), Nanos(5)));
        assert_eq!((load.longest, load.longest_at), (Nanos(30), Nanos(105)));
        assert!(
            (load.mean_share() - 0.2).abs() < 1e-12 && (load.worst_share() - 0.3).abs() < 1e-12
        );
    }
}

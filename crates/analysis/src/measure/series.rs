//! [`Series`]: the intervals or asynchronies that statistics are taken from. What several of them
//! need is worked out once.

use crate::intervals::Placed;
use crate::moments::{mean_ns, sd_ns_about};
use chronotap_core::time::Nanos;
use std::cell::OnceCell;

/// Values in the order of taps, each with its place among all that there were.
#[derive(Debug)]
pub struct Series<'a> {
    placed: &'a Placed,
    mean: OnceCell<Option<f64>>,
    sd: OnceCell<Option<f64>>,
}

impl<'a> Series<'a> {
    /// Of these values.
    pub fn of(placed: &'a Placed) -> Series<'a> {
        Series { placed, mean: OnceCell::new(), sd: OnceCell::new() }
    }

    /// How many values.
    pub fn n(&self) -> usize {
        self.placed.len()
    }

    /// The values, in order.
    pub fn values(&self) -> &'a [Nanos] {
        self.placed.intervals()
    }

    /// The same with the place of each.
    pub fn placed(&self) -> &'a Placed {
        self.placed
    }

    /// Each two that are neighbours.
    pub fn neighbours(&self) -> impl Iterator<Item = (Nanos, Nanos)> + 'a {
        self.placed.neighbours()
    }

    /// Their mean; `None` where there are none.
    pub fn mean_ns(&self) -> Option<f64> {
        *self.mean.get_or_init(|| mean_ns(self.values()))
    }

    /// The mean of their distances from 0; `None` where there are none.
    pub fn mean_absolute_ns(&self) -> Option<f64> {
        let distances: i128 = self.values().iter().map(|value| i128::from(value.abs().0)).sum();
        (self.n() > 0).then(|| distances as f64 / self.n() as f64)
    }

    /// Their standard deviation, with n − 1; `None` below two.
    pub fn sd_ns(&self) -> Option<f64> {
        *self.sd.get_or_init(|| sd_ns_about(self.values(), self.mean_ns()?))
    }
}

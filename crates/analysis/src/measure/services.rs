//! Engine services: how often the engine was looked after. FTAP's figure (Finney
//! 2001), whose engine polled; ours sleeps between events, so that the mean is the
//! spacing of events and only the busy stretches show what the machine can do. Where it is asked
//! to serve as often as FTAP did, the figure is FTAP's.

use chronotap_core::time::Nanos;
use serde::{Deserialize, Serialize};

/// Counts services as they come; never allocates, so that the real-time thread
/// can hold one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Services {
    first: Option<Nanos>,
    last: Nanos,
    count: u64,
    longest: Nanos,
}

/// The time between services described. Times in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServiceIntervals {
    /// How many services.
    pub n: u64,
    /// Mean time from one service to the next.
    pub mean_us: f64,
    /// Longest time from one service to the next.
    pub max_us: f64,
    /// How many times were longer than 1 ms, where the engine was to be served at least as often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_1_ms: Option<u64>,
}

impl Services {
    /// The engine was served at this time, which is not before the last one.
    pub fn add(&mut self, at: Nanos) {
        if self.first.is_some() {
            self.longest = self.longest.max(at - self.last);
        }
        self.first.get_or_insert(at);
        self.last = at;
        self.count += 1;
    }

    /// Mean and maximum; `None` below two services.
    pub fn describe(&self) -> Option<ServiceIntervals> {
        let first = self.first.filter(|_| self.count > 1)?;
        let mean_us = (self.last - first).as_micros_f64() / (self.count - 1) as f64;
        Some(ServiceIntervals {
            n: self.count,
            mean_us,
            max_us: self.longest.as_micros_f64(),
            over_1_ms: None,
        })
    }
}

impl Extend<Nanos> for Services {
    fn extend<I: IntoIterator<Item = Nanos>>(&mut self, services: I) {
        services.into_iter().for_each(|at| self.add(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_maximum_are_between_services() {
        let mut services = Services::default();
        services.extend([1_000, 2_000, 5_000, 6_000].map(Nanos));
        let found = services.describe().unwrap();
        assert_eq!((found.n, found.max_us), (4, 3.0));
        assert!((found.mean_us - 5.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn one_service_has_no_interval() {
        let mut services = Services::default();
        assert_eq!(services.describe(), None);
        services.add(Nanos(5));
        assert_eq!(services.describe(), None);
    }
}

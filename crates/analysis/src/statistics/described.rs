//! [`Described`]: what describes the intervals or asynchronies of a summary, without their
//! intervals for 95 %: every statistic of them that the summary has, worked out once.

use crate::intervals::Placed;
use crate::series::Series;
use crate::statistics::catalogue::recorded;
use crate::statistics::{Statistic, described_asynchronies, described_intervals};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Intervals or asynchronies, described.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    n: usize,
    values: Vec<(&'static Statistic, Option<f64>)>,
}

impl Described {
    /// Of intervals between taps; `None` where there are none.
    pub fn intervals(placed: &Placed) -> Option<Described> {
        Described::of_all(placed, described_intervals())
    }

    /// Of asynchronies; `None` where there are none.
    pub fn asynchronies(placed: &Placed) -> Option<Described> {
        Described::of_all(placed, described_asynchronies())
    }

    fn of_all(placed: &Placed, all: &[&'static Statistic]) -> Option<Described> {
        let series = Series::of(placed);
        let value = |of: &&'static Statistic| (*of, of.of_series(&series));
        let n = placed.len();
        (n > 0).then(|| Described { n, values: all.iter().map(value).collect() })
    }

    /// How many values there are.
    pub fn n(&self) -> usize {
        self.n
    }

    /// One of the statistics.
    pub fn of(&self, statistic: &Statistic) -> Option<f64> {
        self.values.iter().find(|(of, _)| *of == statistic).and_then(|(_, value)| *value)
    }
}

/// As data files have it: what they say can be proved again, whatever is added.
impl Serialize for Described {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("n", &self.n)?;
        for (of, value) in self.values.iter().filter(|(of, _)| recorded().contains(of)) {
            if let Some(key) = of.key {
                map.serialize_entry(key, value)?;
            }
        }
        map.end()
    }
}

//! A [`Histogram`] as a file holds it: its bins in use, and what they do not tell.

use super::{Beyond, Histogram, HistogramError, SIDE, edge, first, place};
use serde::{Deserialize, Serialize};

/// As a file holds it: the bins, and what they do not tell.
#[derive(Serialize, Deserialize)]
struct Written {
    n: u64,
    sum_ns: i128,
    sum_of_squares_ns2: u128,
    min_ns: Option<i64>,
    max_ns: Option<i64>,
    /// Each `[from_ns, width_ns, count]`.
    bins: Vec<(i64, i64, u64)>,
    /// Samples in no bin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beyond: Option<Beyond>,
}

impl Serialize for Histogram {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bins = self.bins().map(|bin| (bin.from_ns, bin.width_ns, bin.count)).collect();
        let written = Written {
            n: self.n,
            sum_ns: self.sum,
            sum_of_squares_ns2: self.squares,
            min_ns: self.min().map(|time| time.0),
            max_ns: (self.n > 0).then_some(self.max),
            bins,
            beyond: self.beyond,
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Histogram {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Histogram, D::Error> {
        let written = Written::deserialize(deserializer)?;
        written.restore().map_err(serde::de::Error::custom)
    }
}

impl Written {
    fn restore(self) -> Result<Histogram, HistogramError> {
        let mut in_use = Vec::with_capacity(self.bins.len());
        for (from_ns, width_ns, count) in self.bins {
            let place = place(from_ns);
            if edge(place % SIDE).1 != width_ns || first(place) != from_ns {
                return Err(HistogramError { from_ns, width_ns });
            }
            in_use.push((place as u32, count));
        }
        in_use.sort_unstable_by_key(|(place, _)| first(*place as usize));
        Ok(Histogram {
            counts: Vec::new(),
            in_use,
            n: self.n,
            sum: self.sum_ns,
            squares: self.sum_of_squares_ns2,
            min: self.min_ns.unwrap_or(i64::MAX),
            max: self.max_ns.unwrap_or(i64::MIN),
            beyond: self.beyond,
        })
    }
}

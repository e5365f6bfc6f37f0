//! [`Described`]: the intervals or asynchronies that a summary describes. Their statistics are
//! taken from them as everywhere, by [`Material::measure`], and without intervals for 95 %.

use crate::intervals::Placed;
use crate::series::Series;
use crate::statistics::catalogue::recorded;
use crate::statistics::{
    CatalogueOrder, Material, Statistic, described_asynchronies, described_intervals,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Intervals or asynchronies, of which there is one at least.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    placed: Placed,
    values: Values,
}

/// What the values are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Values {
    Intervals,
    Asynchronies,
}

impl Described {
    /// Of intervals between taps; `None` where there are none.
    pub fn intervals(placed: &Placed) -> Option<Described> {
        Described::of_some(placed, Values::Intervals)
    }

    /// Of asynchronies; `None` where there are none.
    pub fn asynchronies(placed: &Placed) -> Option<Described> {
        Described::of_some(placed, Values::Asynchronies)
    }

    fn of_some(placed: &Placed, values: Values) -> Option<Described> {
        (!placed.is_empty()).then(|| Described { placed: placed.clone(), values })
    }

    /// How many values there are.
    pub fn n(&self) -> usize {
        self.placed.len()
    }

    /// The values.
    pub fn placed(&self) -> &Placed {
        &self.placed
    }

    /// One of their statistics, where a summary has it.
    pub fn of(&self, statistic: &Statistic) -> Option<f64> {
        let known = self.values.statistics().iter().find(|known| **known == statistic)?;
        self.values.material(&Series::of(&self.placed)).measure(known).value
    }
}

impl Values {
    fn material<'a>(self, series: &'a Series<'a>) -> Material<'a> {
        match self {
            Values::Intervals => {
                Material { intervals: Some((series, None)), ..Material::default() }
            }
            Values::Asynchronies => {
                Material { asynchronies: Some((series, None)), ..Material::default() }
            }
        }
    }

    fn statistics(self) -> CatalogueOrder {
        match self {
            Values::Intervals => described_intervals(),
            Values::Asynchronies => described_asynchronies(),
        }
    }
}

/// As data files have it: what they say can be proved again, whatever is added.
impl Serialize for Described {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let series = Series::of(&self.placed);
        let material = self.values.material(&series);
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("n", &self.n())?;
        for of in self.values.statistics().iter().filter(|of| recorded().contains(of)) {
            if let Some(key) = of.key {
                map.serialize_entry(key, &material.measure(of).value)?;
            }
        }
        map.end()
    }
}

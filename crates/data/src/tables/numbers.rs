//! [`Numbers`]: the measures of a row of the table of trials. Missing measures take no memory.
//!
//! That matters because all rows are in memory at the same time: a trial may have three rows, and a
//! study a hundred thousand trials. And many measures are missing: a continuation has no
//! asynchronies, and many measures have no interval.

use serde::{Deserialize, Serialize};

/// A measure with its interval, where they are there.
type One = (Option<f64>, Option<[f64; 2]>);

/// The measures that are there, and their intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Bits", into = "Bits")]
pub(crate) struct Numbers {
    there: u128,     // a bit for each measure that has a value
    bounded: u128,   // and for each that has an interval
    all: Box<[f64]>, // the values, and then the two ends of each interval
}

/// There is a bit for each measure.
const MOST: usize = 128;

impl Numbers {
    /// Of the measures in their order, each with its interval.
    pub fn of(measures: &[One]) -> Numbers {
        assert!(measures.len() <= MOST, "there is a bit for each measure");
        let bit = |(place, there): (usize, bool)| u128::from(there) << place;
        let bits = |there: fn(&One) -> bool| {
            measures.iter().map(there).enumerate().map(bit).fold(0, |bits, bit| bits | bit)
        };
        let values = measures.iter().filter_map(|(value, _)| *value);
        let ends = measures.iter().filter_map(|(_, bounds)| *bounds).flatten();
        Numbers {
            there: bits(|(value, _)| value.is_some()),
            bounded: bits(|(_, bounds)| bounds.is_some()),
            all: values.chain(ends).collect(),
        }
    }

    /// A measure by its place.
    pub fn value(&self, place: usize) -> Option<f64> {
        has(self.there, place).then(|| self.all[before(self.there, place)])
    }

    /// Its interval.
    pub fn bounds(&self, place: usize) -> Option<[f64; 2]> {
        has(self.bounded, place).then(|| {
            let low = self.there.count_ones() as usize + 2 * before(self.bounded, place);
            [self.all[low], self.all[low + 1]]
        })
    }
}

/// The numbers as whole ones, which every format keeps as they are: of each field the bits.
type Bits = ([u64; 2], [u64; 2], Vec<u64>);

impl From<Numbers> for Bits {
    fn from(of: Numbers) -> Bits {
        let halves = |bits: u128| [bits as u64, (bits >> 64) as u64];
        (halves(of.there), halves(of.bounded), of.all.iter().map(|value| value.to_bits()).collect())
    }
}

impl TryFrom<Bits> for Numbers {
    type Error = &'static str;

    fn try_from((there, bounded, all): Bits) -> Result<Numbers, &'static str> {
        let whole = |[low, high]: [u64; 2]| u128::from(low) | u128::from(high) << 64;
        let (there, bounded) = (whole(there), whole(bounded));
        if all.len() != (there.count_ones() + 2 * bounded.count_ones()) as usize {
            return Err("not as many numbers as there are said to be");
        }
        Ok(Numbers { there, bounded, all: all.into_iter().map(f64::from_bits).collect() })
    }
}

fn has(bits: u128, place: usize) -> bool {
    bits >> place & 1 == 1
}

/// How many of the bits before this place are set.
fn before(bits: u128, place: usize) -> usize {
    (bits & ((1 << place) - 1)).count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_comes_back_from_its_place() {
        let measure = |place: usize| {
            let number = place as f64;
            let bounds = place.is_multiple_of(4).then_some([-number, number + 0.5]);
            (place.is_multiple_of(3).then_some(number), bounds)
        };
        for count in [0, 1, 2, 53, MOST] {
            let all: Vec<_> = (0..count).map(measure).collect();
            let numbers = Numbers::of(&all);
            let back = |place: usize| (numbers.value(place), numbers.bounds(place));
            assert_eq!((0..count).map(back).collect::<Vec<_>>(), all);
            let kept = serde_json::to_string(&numbers).unwrap();
            assert_eq!(serde_json::from_str::<Numbers>(&kept).unwrap(), numbers, "to the last bit");
        }
    }
}

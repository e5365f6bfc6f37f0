//! [`Placed`]: the intervals that count, each with its place among all that there were. Two of
//! them are neighbours where nothing was left out between.

use chronotap_core::time::Nanos;

/// Intervals that count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    intervals: Vec<Nanos>,
    places: Vec<usize>,
}

impl Placed {
    /// Intervals of which none was left out.
    pub fn all(intervals: Vec<Nanos>) -> Placed {
        let places = (0..intervals.len()).collect();
        Placed { intervals, places }
    }

    /// Intervals with their places; `None` where there are not as many, or do not ascend.
    pub fn new(intervals: Vec<Nanos>, places: Vec<usize>) -> Option<Placed> {
        let ascend = places.windows(2).all(|pair| pair[0] < pair[1]);
        (ascend && intervals.len() == places.len()).then_some(Placed { intervals, places })
    }

    /// Adds the interval of a place beyond all others; one of another place is passed over.
    pub fn push(&mut self, place: usize, interval: Nanos) {
        if self.places.last().is_none_or(|last| *last < place) {
            self.places.push(place);
            self.intervals.push(interval);
        }
    }

    /// Adds an interval behind all others, as the neighbour of the last one or apart from it.
    pub fn push_next(&mut self, is_neighbour: bool, interval: Nanos) {
        let apart = if is_neighbour { 1 } else { 2 };
        self.push(self.places.last().map_or(0, |last| last + apart), interval);
    }

    /// The intervals, in order.
    pub fn intervals(&self) -> &[Nanos] {
        &self.intervals
    }

    /// The place of each.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// The intervals of these places, which ascend; one that counts at none of them is passed over.
    pub fn at(&self, places: &[usize]) -> Vec<Nanos> {
        let of = |place| self.places.binary_search(place).ok().map(|found| self.intervals[found]);
        places.iter().filter_map(of).collect()
    }

    pub fn len(&self) -> usize {
        self.intervals.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Of each interval whether its neighbour follows it.
    pub(crate) fn followed(&self) -> impl Iterator<Item = bool> + '_ {
        let next = self.places.iter().skip(1).map(|place| Some(*place)).chain([None]);
        self.places.iter().zip(next).map(|(place, next)| next == Some(place + 1))
    }

    /// Where each two that are neighbours stand in the list of intervals: what every statistic with a lag goes by, so
    /// that none reaches across a tap that was missed.
    pub(crate) fn next_to_each_other(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.followed().enumerate().filter(|(_, follows)| *follows).map(|(k, _)| (k, k + 1))
    }

    /// Each two that are neighbours.
    pub(crate) fn neighbours(&self) -> impl Iterator<Item = (Nanos, Nanos)> + '_ {
        self.next_to_each_other().map(|(one, next)| (self.intervals[one], self.intervals[next]))
    }

    /// All places up to the last one with an interval each, and whether it is one that counts
    /// and that `counts` takes.
    pub(crate) fn among_all(&self, counts: &[bool]) -> (Vec<Nanos>, Vec<bool>) {
        let count = self.places.last().map_or(0, |last| last + 1);
        let (mut all, mut kept) = (vec![Nanos::ZERO; count], vec![false; count]);
        for ((place, interval), counts) in self.places.iter().zip(&self.intervals).zip(counts) {
            (all[*place], kept[*place]) = (*interval, *counts);
        }
        (all, kept)
    }
}

/// The middle of places, 0 of none.
pub(crate) fn centre(places: &[usize]) -> f64 {
    let sum: f64 = places.iter().map(|place| *place as f64).sum();
    if places.is_empty() { 0.0 } else { sum / places.len() as f64 }
}

//! [`kept`]: which inter-tap intervals are intervals of the rhythm, and not the trace of a
//! missed or a doubled tap. A model of timing is fitted to those alone; how many were left
//! out is said.

use crate::moments::median;
use chronotap_core::time::Nanos;

/// Whether each interval is kept. Left out are, of intervals that follow each other:
///
/// - those above 1.5 times their median: a tap was missed, or came too soft;
/// - those below half of it: a tap was doubled. The shorter of such an interval's
///   neighbours goes with it where the two together lie below 1.5 medians: they are the
///   two parts of one interval.
pub fn kept(intervals: &[Nanos]) -> Vec<bool> {
    let Some(median) = median(intervals) else { return Vec::new() };
    let long = |interval: Nanos| interval * 2 > median * 3;
    let short = |interval: Nanos| interval * 2 < median;
    let mut kept: Vec<bool> = intervals.iter().map(|i| !long(*i) && !short(*i)).collect();
    for (place, interval) in intervals.iter().enumerate().filter(|(_, i)| short(**i)) {
        let neighbours = [place.checked_sub(1), Some(place + 1)];
        let neighbour = neighbours.into_iter().flatten().filter(|n| *n < intervals.len());
        let shorter = neighbour.min_by_key(|n| intervals[*n]);
        if let Some(other) = shorter.filter(|n| !long(*interval + intervals[*n])) {
            kept[other] = false;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(ms: &[i64]) -> Vec<usize> {
        let intervals: Vec<Nanos> = ms.iter().copied().map(Nanos::from_millis).collect();
        let kept = kept(&intervals);
        (0..ms.len()).filter(|place| !kept[*place]).collect()
    }

    #[test]
    fn an_interval_over_a_missed_tap_is_left_out() {
        assert_eq!(places(&[500, 510, 1_010, 490, 500, 1_490]), [2, 5]);
    }

    #[test]
    fn both_parts_of_a_doubled_interval_are_left_out() {
        assert_eq!(places(&[500, 510, 90, 410, 500, 490]), [2, 3]);
        assert_eq!(places(&[500, 510, 410, 90, 500, 490]), [2, 3]);
        assert_eq!(places(&[500, 510, 245, 256, 500, 490, 500]), [2, 3]);
    }

    #[test]
    fn a_short_interval_between_whole_ones_goes_alone() {
        assert_eq!(places(&[500, 530, 240, 540, 500, 500]), [2]);
    }

    #[test]
    fn ordinary_variability_leaves_nothing_out() {
        assert!(places(&[400, 450, 500, 550, 600, 650]).is_empty());
        assert!(places(&[]).is_empty());
        assert!(places(&[500]).is_empty());
        assert!(places(&[0, 0]).is_empty());
    }
}

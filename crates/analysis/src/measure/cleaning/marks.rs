//! [`Cleaned`]: the data of a run with a mark on whatever a rule has left out.

use super::CleaningRule;
use chronotap_core::time::Nanos;

/// A run of taps with marks. The taps themselves are untouched.
#[derive(Clone, Debug, PartialEq)]
pub struct Cleaned {
    onsets: Vec<Nanos>,
    asynchronies: Vec<Option<Nanos>>,
    /// Of each tap.
    pub marks: Vec<Marks>,
    /// What each rule left out, in the order of the rules.
    pub log: Vec<Applied>,
}

/// The rules that have left out something of a tap; `None` where it counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Marks {
    /// The tap as a whole, and with it its asynchrony and interval.
    pub tap: Option<CleaningRule>,
    /// The interval that ends with it.
    pub interval: Option<CleaningRule>,
    pub asynchrony: Option<CleaningRule>,
}

/// A rule and how much it has left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Applied {
    pub rule: CleaningRule,
    /// Taps, intervals or asynchronies, whichever the rule is about.
    pub excluded: usize,
}

impl Cleaned {
    pub(super) fn untouched(onsets: &[Nanos], asynchronies: &[Option<Nanos>]) -> Cleaned {
        let mut asynchronies = asynchronies.to_vec();
        asynchronies.resize(onsets.len(), None);
        let marks = vec![Marks::default(); onsets.len()];
        Cleaned { onsets: onsets.to_vec(), asynchronies, marks, log: Vec::new() }
    }

    pub(super) fn onset(&self, tap: usize) -> Nanos {
        self.onsets[tap]
    }

    /// The places of the taps that count.
    pub fn taps(&self) -> Vec<usize> {
        (0..self.onsets.len()).filter(|tap| self.marks[*tap].tap.is_none()).collect()
    }

    /// The intervals that count, each with the place of the tap that ends it. An interval
    /// reaches from one tap that counts to the next one.
    pub fn intervals(&self) -> Vec<(usize, Nanos)> {
        let taps = self.taps();
        let counts = |pair: &&[usize]| self.marks[pair[1]].interval.is_none();
        let interval = |pair: &[usize]| (pair[1], self.onsets[pair[1]] - self.onsets[pair[0]]);
        taps.windows(2).filter(counts).map(interval).collect()
    }

    /// The asynchronies that count, each with the place of its tap.
    pub fn asynchronies(&self) -> Vec<(usize, Nanos)> {
        let counts = |tap: &usize| self.marks[*tap].asynchrony.is_none();
        let asynchrony = |tap: usize| self.asynchronies[tap].map(|a| (tap, a));
        self.taps().into_iter().filter(counts).filter_map(asynchrony).collect()
    }

    pub(super) fn excluded(&self) -> usize {
        let parts = |marks: &Marks| [marks.tap, marks.interval, marks.asynchrony];
        self.marks.iter().flat_map(parts).flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;

    fn ms(times: &[i64]) -> Vec<Nanos> {
        times.iter().copied().map(Nanos::from_millis).collect()
    }

    #[test]
    fn each_rule_marks_what_it_leaves_out_and_counts_it() {
        let onsets = ms(&[0, 500, 505, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 4_500]);
        let rules = [
            CleaningRule::Debounce(Nanos::from_millis(40)),
            CleaningRule::FirstTaps(1),
            CleaningRule::Slips,
        ];
        let cleaned = clean(&onsets, &[], &rules);
        assert_eq!(cleaned.taps(), [1, 3, 4, 5, 6, 7, 8, 9]);
        let ends: Vec<usize> = cleaned.intervals().iter().map(|(tap, _)| *tap).collect();
        assert_eq!(ends, [3, 4, 5, 6, 7, 9]);
        let log: Vec<(String, usize)> =
            cleaned.log.iter().map(|a| (a.rule.to_string(), a.excluded)).collect();
        let expected = [("debounce 40 ms", 1), ("first taps 1", 1), ("slips", 1)];
        assert_eq!(log, expected.map(|(rule, count)| (rule.to_owned(), count)));
    }

    #[test]
    fn outliers_are_left_out_and_come_back_without_the_rule() {
        let onsets = ms(&[0, 500, 1_010, 1_500, 2_005, 2_900, 3_400, 3_895]);
        let asynchronies: Vec<Option<Nanos>> =
            ms(&[5, -5, 4, -4, 3, 90, -3, 2]).into_iter().map(Some).collect();
        let rules = [CleaningRule::IntervalOutliers(3.0), CleaningRule::AsynchronyOutliers(2.0)];
        let cleaned = clean(&onsets, &asynchronies, &rules);
        assert_eq!(cleaned.marks[5].interval, Some(rules[0]));
        assert_eq!(cleaned.marks[5].asynchrony, Some(rules[1]));
        assert_eq!(cleaned.log.iter().map(|a| a.excluded).sum::<usize>(), 2);
        assert_eq!(clean(&onsets, &asynchronies, &[]).asynchronies().len(), 8);
    }

    #[test]
    fn nothing_and_one_tap_are_cleaned_of_nothing() {
        let all = [
            USUAL[0],
            CleaningRule::FirstTaps(0),
            CleaningRule::IntervalOutliers(3.0),
            CleaningRule::AsynchronyOutliers(3.0),
            CleaningRule::Slips,
        ];
        assert!(clean(&[], &[], &all).taps().is_empty());
        let one = clean(&ms(&[7]), &[Some(Nanos(1))], &all);
        assert_eq!((one.taps().len(), one.asynchronies().len(), one.intervals().len()), (1, 1, 0));
    }
}

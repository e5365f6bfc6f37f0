//! [`PadCheck`]: what a handful of taps tells about a pad, before anybody is measured with it:
//! how hard they were, whether one blow was heard twice, and which debounce would cure that.

use chronotap_core::time::Nanos;

/// Taps on one input, looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PadCheck {
    /// How many there were.
    pub taps: usize,
    /// The softest and the hardest, of those that are no doubles.
    pub velocities: Option<(u8, u8)>,
    /// The distance from its tap of each that is a double.
    pub doubles: Vec<Nanos>,
    /// The debounce that would take all doubles away and no tap; `None` where there are no
    /// doubles, or where taps follow each other as closely as doubles do.
    pub debounce: Option<Nanos>,
}

/// Nobody taps with one finger faster than about ten times a second, so what comes sooner is
/// one blow heard twice (Repp, 2005, Psychonomic Bulletin & Review 12, 969-992).
const NO_TAP: Nanos = Nanos::from_millis(100);
/// A debounce is a multiple of this.
const GRAIN: Nanos = Nanos::from_millis(5);

impl PadCheck {
    /// Looks at taps, each a time and a velocity, in the order of time.
    pub fn of(taps: &[(Nanos, u8)]) -> PadCheck {
        let mut check = PadCheck { taps: taps.len(), ..PadCheck::default() };
        let mut last: Option<Nanos> = None;
        let mut closest: Option<Nanos> = None; // of two taps
        for (at, velocity) in taps {
            let since = last.map(|last| *at - last);
            if let Some(since) = since.filter(|since| *since < NO_TAP) {
                check.doubles.push(since);
                continue;
            }
            closest = closest.into_iter().chain(since).min();
            let (softest, hardest) = check.velocities.unwrap_or((*velocity, *velocity));
            check.velocities = Some((softest.min(*velocity), hardest.max(*velocity)));
            last = Some(*at);
        }
        let longest = check.doubles.iter().max();
        let needed = longest.map(|longest| GRAIN * (longest.0 / GRAIN.0 + 2));
        check.debounce = needed.filter(|needed| closest.is_none_or(|closest| *needed < closest));
        check
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(taps: &[(i64, u8)]) -> PadCheck {
        let taps: Vec<_> = taps.iter().map(|(ms, v)| (Nanos::from_millis(*ms), *v)).collect();
        PadCheck::of(&taps)
    }

    #[test]
    fn clean_taps_need_no_debounce() {
        let clean = check(&[(0, 60), (400, 90), (810, 75)]);
        assert_eq!(clean.velocities, Some((60, 90)));
        assert_eq!((clean.doubles.len(), clean.debounce), (0, None));
    }

    #[test]
    fn a_blow_that_is_heard_twice_is_a_double_and_sets_the_debounce() {
        let bouncing = check(&[(0, 60), (23, 12), (400, 90), (441, 9), (800, 75)]);
        assert_eq!(bouncing.doubles, [Nanos::from_millis(23), Nanos::from_millis(41)]);
        assert_eq!(bouncing.velocities, Some((60, 90)));
        assert_eq!(bouncing.debounce, Some(Nanos::from_millis(50)));
    }

    #[test]
    fn where_taps_come_as_soon_as_doubles_no_debounce_is_suggested() {
        let fast = check(&[(0, 60), (97, 60), (200, 60), (301, 60)]);
        assert_eq!((fast.doubles.len(), fast.debounce), (1, None));
        assert_eq!(check(&[]), PadCheck::default());
    }
}

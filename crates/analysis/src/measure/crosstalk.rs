//! [`crosstalk`]: whether taps of one input are those of another, felt by a pad that nobody struck, as pads
//! on one stand feel each other.
//!
//! What gives it away is the time between the two, which is the same each time. Two hands share a clock,
//! but each has its own motor delay, whose variance is 10 to 50 ms² (Wing & Kristofferson, 1973, Perception
//! & Psychophysics 14, 5-12): two hands that tap together are apart by a time whose standard deviation is
//! 4.5 to 10 ms, so that at most 18 % of such times lie within [`STEADY`] of their median. Half of them, and
//! [`FEWEST`], is more than people do.

//!
//! Two sensors on one table feel each other's hardest taps alone, which may be few ([`heard_through`]). What
//! was felt is weaker then, and their onsets come from the sound that was kept, within .2 ms: of the times
//! between two hands at most 9 % lie within [`STEADY_IN_SOUND`] of their median.
//!
//! A microphone that hears the metronome tells taps at one time after its tones ([`heard_tones`]). A person's
//! motor delay alone, with a variance of 10 ms² or more, spreads taps so far that at most 13 % of them lie within
//! [`STEADY_IN_SOUND`] of any one time.

use chronotap_core::time::Nanos;

/// The longest time between a stroke and what another pad feels of it: sound takes 3 ms for each metre in
/// air and less in wood, and modules look for the peak of a stroke for 2 to 5 ms.
pub const LONGEST: Nanos = Nanos::from_millis(10);
/// How far such times are from their median.
pub const STEADY: Nanos = Nanos::from_millis(1);
/// The fewest taps of which it is told.
pub const FEWEST: usize = 10;

/// The same for onsets from kept sound.
pub const STEADY_IN_SOUND: Nanos = Nanos::from_micros(500);
/// A tap that was felt is at least so many times weaker (6 dB).
pub const WEAKER: u64 = 2;
/// The longest time from a tone to its being heard: 17 m of air.
pub const FARTHEST: Nanos = Nanos::from_millis(50);

/// Taps of one input that follow those of another at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crosstalk {
    /// How many do.
    pub taps: usize,
    /// The median time between the two; negative where the first input is the later one.
    pub lag: Nanos,
}

/// Whether taps of `other` are those of `one`, or those of `one` of `other`; onsets ascend.
pub fn crosstalk(one: &[Nanos], other: &[Nanos]) -> Option<Crosstalk> {
    let mut lags: Vec<Nanos> = other.iter().filter_map(|tap| lag(one, *tap)).collect();
    lags.sort_unstable();
    let lag = *lags.get(lags.len() / 2)?;
    let taps = lags.iter().filter(|one| (**one - lag).abs() <= STEADY).count();
    let fewer = one.len().min(other.len());
    (taps >= FEWEST && 2 * taps >= fewer).then_some(Crosstalk { taps, lag })
}

/// Whether taps of `at` are those of `from`, which it hears weaker. Each tap has its onset, ascending, and
/// its peak; [`FEWEST`] are needed, and a quarter of those that come at the time of one of `from`.
pub fn heard_through(from: &[(Nanos, u32)], at: &[(Nanos, u32)]) -> Option<Crosstalk> {
    let together: Vec<(Nanos, bool)> =
        at.iter().filter_map(|(tap, peak)| beside(from, *tap, *peak)).collect();
    let mut lags: Vec<Nanos> =
        together.iter().filter(|(_, weaker)| *weaker).map(|(lag, _)| *lag).collect();
    lags.sort_unstable();
    let lag = *lags.get(lags.len() / 2)?;
    let taps = lags.iter().filter(|one| (**one - lag).abs() <= STEADY_IN_SOUND).count();
    (taps >= FEWEST && 4 * taps >= together.len()).then_some(Crosstalk { taps, lag })
}

/// Whether taps are the tones of these beats: [`FEWEST`] come at one time after a beat, and a quarter of those that
/// come within [`FARTHEST`]. Both ascend.
pub fn heard_tones(beats: &[Nanos], taps: &[Nanos]) -> Option<Crosstalk> {
    let after =
        |tap: &Nanos| Some(*tap - *beats[..beats.partition_point(|beat| beat <= tap)].last()?);
    let mut lags: Vec<Nanos> =
        taps.iter().filter_map(after).filter(|lag| *lag <= FARTHEST).collect();
    lags.sort_unstable();
    let within =
        |from: usize| lags.partition_point(|lag| *lag <= lags[from] + STEADY_IN_SOUND * 2) - from;
    let (from, taps) =
        (0..lags.len()).map(|from| (from, within(from))).max_by_key(|(_, taps)| *taps)?;
    let lag = lags[from + taps / 2];
    (taps >= FEWEST && 4 * taps >= lags.len()).then_some(Crosstalk { taps, lag })
}

/// From the nearest of these taps to this one, and whether this one is weaker.
fn beside(taps: &[(Nanos, u32)], tap: Nanos, peak: u32) -> Option<(Nanos, bool)> {
    let behind = taps.partition_point(|(one, _)| *one <= tap);
    let near = taps[behind.saturating_sub(1)..].iter().take(2);
    let (lag, other) =
        near.map(|(one, peak)| (tap - *one, *peak)).min_by_key(|(lag, _)| lag.abs())?;
    let weaker = u64::from(other) >= WEAKER * u64::from(peak);
    (lag.abs() <= LONGEST).then_some((lag, weaker))
}

/// From the nearest of these taps to this one; `None` where it is too far.
fn lag(taps: &[Nanos], tap: Nanos) -> Option<Nanos> {
    let behind = taps.partition_point(|one| *one <= tap);
    let near = taps[behind.saturating_sub(1)..].iter().take(2).map(|one| tap - *one);
    near.min_by_key(|lag| lag.abs()).filter(|lag| lag.abs() <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tap each half second, each moved by so many microseconds.
    fn taps(moved: impl Iterator<Item = i64>) -> Vec<Nanos> {
        (1..).zip(moved).map(|(n, by)| Nanos(n * 500_000_000 + by * 1_000)).collect()
    }

    fn beats(n: usize) -> Vec<Nanos> {
        taps(std::iter::repeat_n(0, n))
    }

    #[test]
    fn taps_that_always_follow_at_one_time_are_crosstalk_from_ten_on() {
        let echo = |n| taps([3_000, 3_400, 2_700].into_iter().cycle().take(n));
        assert_eq!(crosstalk(&beats(9), &echo(9)), None);
        let found = Crosstalk { taps: 10, lag: Nanos::from_millis(3) };
        assert_eq!(crosstalk(&beats(10), &echo(10)), Some(found));
        let found = Crosstalk { lag: Nanos::from_millis(-3), ..found };
        assert_eq!(crosstalk(&echo(10), &beats(10)), Some(found));
    }

    #[test]
    fn taps_that_are_apart_as_those_of_two_hands_are_none() {
        // Quantiles of a normal distribution with a standard deviation of 4.5 ms, the least of two hands.
        let apart = [-7_403, -4_664, -3_035, -1_734, -565, 565, 1_734, 3_035, 4_664, 7_403];
        assert_eq!(crosstalk(&beats(200), &taps(apart.into_iter().cycle().take(200))), None);
    }

    #[test]
    fn half_of_the_taps_is_enough_and_less_is_not() {
        let mixed = |echoes: i64| {
            taps((0..40).map(move |n| if n < echoes { 2_000 } else { 100_000 + 2_500 * n }))
        };
        assert_eq!(crosstalk(&beats(40), &mixed(20)).map(|found| found.taps), Some(20));
        assert_eq!(crosstalk(&beats(40), &mixed(19)), None);
    }

    /// A tap each second and half a second after it, by turns of two hands, and what the second hand's sensor
    /// feels of so many of the first one's, with this peak.
    fn by_turns(felt: usize, peak: u32) -> [Vec<(Nanos, u32)>; 2] {
        let at = |n: usize, us: i64| Nanos(n as i64 * 1_000_000_000 + us * 1_000);
        let left = (1..=40).map(|n| (at(n, 0), 300_000)).collect();
        let own = (1..=40).map(|n| (at(n, 500_000), 250_000));
        let through = (1..=felt).map(|n| (at(n, 600 + n as i64 % 5 * 40), peak));
        let mut right: Vec<_> = own.chain(through).collect();
        right.sort_unstable();
        [left, right]
    }

    #[test]
    fn hard_taps_that_a_second_sensor_feels_weaker_are_found_from_ten_on_though_they_are_few() {
        let [left, right] = by_turns(12, 60_000);
        let due = Crosstalk { taps: 12, lag: Nanos::from_micros(680) };
        assert_eq!(heard_through(&left, &right), Some(due));
        assert_eq!(heard_through(&right, &left), None, "the harder one is not felt");
        let onsets = |taps: &[(Nanos, u32)]| taps.iter().map(|(at, _)| *at).collect::<Vec<_>>();
        assert_eq!(crosstalk(&onsets(&left), &onsets(&right)), None, "too few without peaks");
        let none = |[left, right]: [Vec<_>; 2]| heard_through(&left, &right).is_none();
        assert!(none(by_turns(9, 60_000)) && none(by_turns(12, 160_000)) && none(by_turns(0, 0)));
    }

    #[test]
    fn two_hands_that_tap_together_are_not_felt_through_a_table_though_one_is_weaker() {
        let apart = [-7_403, -4_664, -3_035, -1_734, -565, 565, 1_734, 3_035, 4_664, 7_403];
        let with =
            |taps: Vec<Nanos>, peak| taps.into_iter().map(|at| (at, peak)).collect::<Vec<_>>();
        let one = with(beats(200), 400_000);
        let other = with(taps(apart.into_iter().cycle().take(200)), 100_000);
        assert_eq!(heard_through(&one, &other), None);
    }

    #[test]
    fn tones_that_a_microphone_hears_are_found_and_taps_of_people_are_not() {
        // Of each four beats so many are heard 4.1 to 4.3 ms later; at the others somebody taps.
        let heard = |beats: i64, of_four: i64| {
            taps((0..beats).map(|n| {
                if n % 4 < of_four { 4_100 + n % 3 * 100 } else { n * 7_001 % 29_000 - 30_000 }
            }))
        };
        let found = Crosstalk { taps: 10, lag: Nanos::from_micros(4_200) };
        assert_eq!(heard_tones(&beats(40), &heard(40, 1)), Some(found));
        assert_eq!(heard_tones(&beats(36), &heard(36, 1)), None, "nine are too few");
        assert_eq!(heard_tones(&beats(40), &heard(40, 0)), None);
        // The steadiest hand: quantiles of a normal distribution with a variance of 10 ms².
        let steady = [-5_202, -3_277, -2_133, -1_218, -397, 397, 1_218, 2_133, 3_277, 5_202];
        let steady = taps(steady.into_iter().cycle().take(200).map(|us| us + 20_000));
        assert_eq!(heard_tones(&beats(200), &steady), None);
        assert_eq!(heard_tones(&[], &beats(20)), None);
        assert_eq!(heard_tones(&beats(20), &[]), None);
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        assert_eq!(crosstalk(&[], &beats(20)), None);
        assert_eq!(crosstalk(&beats(20), &[]), None);
        assert_eq!(crosstalk(&beats(20), &taps(std::iter::repeat_n(11_000, 20))), None);
    }
}

//! [`Partner`]: what an adaptive stream knows about the taps that it follows. For each tapper this
//! is the tap nearest to the present beat, and those that answered the beats before.

use crate::trial::{Leaders, MOST_LEADERS};
use chronotap_core::time::{Exact, Nanos};

/// The taps of all that a stream follows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Partner {
    of: [Followed; MOST_LEADERS],
}

/// The taps of one of them.
#[derive(Clone, Copy, Debug, Default)]
struct Followed {
    last: Option<Nanos>,
    nearest: Option<Nanos>,      // to the present beat
    answers: [Option<Nanos>; 3], // to the present beat and the two before, once it is decided
}

impl Partner {
    /// The stream begins anew: the beats before are no longer its last ones.
    pub fn restart(&mut self) {
        self.of.iter_mut().for_each(|one| one.answers = [None; 3]);
    }

    /// The present beat came; the last tap before it may be the nearest.
    pub fn beat(&mut self) {
        self.of.iter_mut().for_each(|one| one.nearest = one.last);
    }

    /// A tap of the leader at this place. Of two that are equally near to the present beat the
    /// earlier counts.
    pub fn tap(&mut self, leader: usize, stamp: Nanos, beat: Nanos) {
        let Some(one) = self.of.get_mut(leader) else { return };
        one.last = one.last.max(Some(stamp));
        let nearer = |other: Nanos| stamp.0.abs_diff(beat.0) < other.0.abs_diff(beat.0);
        if one.nearest.is_none_or(nearer) {
            one.nearest = Some(stamp);
        }
    }

    /// The mean asynchrony of the leaders that tapped within half an interval of the present
    /// beat, by their weights; 0 where none did. To be asked once for each beat.
    pub fn asynchrony(&mut self, leaders: &Leaders, beat: Nanos, interval: Exact) -> Exact {
        let (num, den) = interval.as_ratio();
        let within = |tap: &Nanos| 2 * i128::from(tap.0.abs_diff(beat.0)) * den <= num;
        for one in &mut self.of {
            let answer = one.nearest.filter(within);
            one.answers = [answer, one.answers[0], one.answers[1]];
        }
        let asynchronies = self.of.iter().map(|one| one.answers[0].map(|tap| tap - beat));
        mean(leaders, asynchronies.map(|one| one.map(Exact::whole))).unwrap_or(Exact::ZERO)
    }

    /// When the leaders' next taps will come, by their weights, if each changes its interval by a
    /// share `m` of what it changed last: `t + (t - t') + m ((t - t') - (t' - t''))` of the taps `t''`,
    /// `t'`, `t` that answered the last three beats. With `m` 1 that is linear extrapolation, with 0 the last
    /// interval again (van der Steen and Keller 2013, ADAM). `None` where no leader
    /// answered all three.
    pub fn expected(&self, leaders: &Leaders, m: f64) -> Option<Exact> {
        let expected = self.of.iter().map(|one| {
            let [Some(last), Some(before), Some(first)] = one.answers else { return None };
            let (interval, earlier) = (last - before, before - first);
            let change = Exact::whole(interval - earlier).times(m);
            Some(Exact::whole(last + interval) + change)
        });
        mean(leaders, expected)
    }
}

/// The weighted mean of the times that are there, as an exact fraction.
fn mean(leaders: &Leaders, times: impl Iterator<Item = Option<Exact>>) -> Option<Exact> {
    let (mut sum, mut weights, mut first) = (Exact::ZERO, 0, None);
    for ((_, weight), time) in leaders.all().iter().zip(times) {
        let Some(time) = time else { continue };
        let (origin, weight) = (*first.get_or_insert(time), millionths(*weight));
        // Relative to the first, so that the numbers stay small.
        sum = sum + (time - origin).scaled(weight, 1);
        weights += weight;
    }
    first.map(|first| first + sum.scaled(1, weights.max(1)))
}

/// A weight as a whole number. Only their ratios matter.
fn millionths(weight: f64) -> i64 {
    ((weight * 1e6).round() as i64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEAT: Nanos = Nanos::from_secs(1);
    const HALF_SECOND: Exact = Exact::whole(Nanos::from_millis(500));

    fn ms(ms: i64) -> Nanos {
        Nanos::from_millis(ms)
    }

    #[test]
    fn asynchronies_count_by_the_weights_of_those_who_tapped() {
        let both = Leaders::of(&[(0, 3.0), (4, 1.0)]).unwrap();
        let mut partner = Partner::default();
        partner.tap(0, ms(1_020), BEAT);
        assert_eq!(
            partner.asynchrony(&both, BEAT, HALF_SECOND),
            ms(20).into(),
            "the other is missing"
        );
        partner.beat();
        partner.tap(0, ms(1_020), BEAT);
        partner.tap(1, ms(940), BEAT);
        assert_eq!(partner.asynchrony(&both, BEAT, HALF_SECOND), ms(0).into(), "(3*20 - 60) / 4");
    }

    #[test]
    fn a_tap_is_expected_where_its_interval_changes_as_it_did() {
        let one = Leaders::one(0);
        let mut partner = Partner::default();
        let mut expected = Vec::new();
        for (tap, beat) in [(1_000, 1_000), (1_480, 1_500), (1_940, 1_980)] {
            partner.beat();
            partner.tap(0, ms(tap), ms(beat));
            partner.asynchrony(&one, ms(beat), HALF_SECOND);
            expected.push(partner.expected(&one, 1.0));
        }
        assert_eq!(expected, [None, None, Some(ms(2_380).into())], "480, 460, then 440 ms");
    }
}

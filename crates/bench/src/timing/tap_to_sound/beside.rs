//! [`BesidePad`]: an ear or a sensor that is struck together with a pad, compared with it: which is earlier,
//! which is steadier, and which misses less.
//!
//! Background: two inputs that are tried one after the other are struck by other strikes. Solution: both are
//! struck at once, and the microphone hears each strike, so that each is its own comparison. Of the strikes
//! that both answered, the mean difference of the delays has Student's interval; the SDs are compared by the
//! correlation of the delays' sum and difference (Pitman, 1939; Morgan, 1939); of the strikes that one of both
//! missed, how many each did, by the sign test. What chance may have made is not told as a difference.

use super::OpenPort;
use super::strikes::{PadReading, Strike};
use chronotap_analysis::estimate::{Estimate, LEVEL};
use chronotap_analysis::joined::{FEWEST, paired};
use chronotap_analysis::student;
use chronotap_core::time::Nanos;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// An input that is struck together with the pad.
#[derive(Clone)]
pub struct BesideInput {
    /// The port's name.
    pub name: String,
    /// What it is, in a word.
    pub sense: &'static str,
    pub open: OpenPort,
}

/// How it did, compared with the pad.
#[derive(Clone, Debug, PartialEq)]
pub struct BesidePad {
    /// Strikes in all.
    pub strikes: usize,
    /// Those that were missed, by the pad and by it.
    pub missed: [usize; 2],
    /// Those that one missed and the other did not: the pad alone, it alone.
    pub missed_alone: [usize; 2],
    /// From strike to message, in nanoseconds, the pad's and its own, of the strikes that both answered.
    pub delays: Vec<[f64; 2]>,
}

impl BesidePad {
    /// Of what both made of the same strikes.
    pub fn of(pad: &PadReading, own: &PadReading) -> BesidePad {
        let own: BTreeMap<Nanos, &Strike> = own.strikes.iter().map(|one| (one.at, one)).collect();
        // By when it was, and not by its place in the list.
        let pairs = || pad.strikes.iter().filter_map(|one| Some((one, *own.get(&one.at)?)));
        let count = |wanted: fn(bool, bool) -> bool| {
            let missed = |one: &Strike| one.messages.is_empty();
            pairs().filter(|(pad, own)| wanted(missed(pad), missed(own))).count()
        };
        BesidePad {
            strikes: pairs().count(),
            missed: [count(|pad, _| pad), count(|_, own| own)],
            missed_alone: [count(|pad, own| pad && !own), count(|pad, own| own && !pad)],
            delays: pairs().filter_map(|(pad, own)| Some([delay(pad)?, delay(own)?])).collect(),
        }
    }

    /// By how many nanoseconds it is earlier than the pad, on average, with the interval where it has one.
    pub fn earlier(&self) -> Option<(f64, Option<Estimate>)> {
        let pairs: Vec<(f64, f64)> = self.delays.iter().map(|[pad, own]| (*own, *pad)).collect();
        paired(&pairs).filter(|_| pairs.len() >= FEWEST)
    }

    /// The SDs of the delays, the pad's and its own.
    pub fn sds(&self) -> Option<[f64; 2]> {
        let [pad, own] = [0, 1].map(|which| sum_of_products(&self.delays, which, which));
        let freedom = self.delays.len() as f64 - 1.0;
        let sds = [(pad / freedom).sqrt(), (own / freedom).sqrt()];
        (self.delays.len() >= FEWEST).then_some(sds)
    }

    /// Whether it is earlier (`Greater`) or later.
    pub fn is_earlier(&self) -> Ordering {
        match self.earlier() {
            Some((_, Some(interval))) if interval.holds(0.0) => Ordering::Equal,
            // Without an interval all differences are the same.
            Some((mean, _)) if mean != 0.0 => mean.total_cmp(&0.0),
            _ => Ordering::Equal,
        }
    }

    /// Whether it is steadier (`Greater`) or less steady.
    pub fn is_steadier(&self) -> Ordering {
        let around: Vec<[f64; 2]> =
            self.delays.iter().map(|[pad, own]| [pad + own, pad - own]).collect();
        let [sums, differences] = [0, 1].map(|which| sum_of_products(&around, which, which));
        let r = sum_of_products(&around, 0, 1) / (sums * differences).sqrt();
        let freedom = self.delays.len() as f64 - 2.0;
        // Of two that never differ, or always by as much, r is no number.
        let t = r * (freedom / (1.0 - r * r).max(f64::EPSILON)).sqrt();
        let is_known = self.delays.len() >= FEWEST && r.is_finite();
        if is_known && student::two_sided(t, freedom) < 1.0 - LEVEL {
            r.total_cmp(&0.0)
        } else {
            Ordering::Equal
        }
    }

    /// Whether it misses less (`Greater`) or more.
    pub fn misses_less(&self) -> Ordering {
        let [pad, own] = self.missed_alone;
        if sign_test(pad, own) < 1.0 - LEVEL { pad.cmp(&own) } else { Ordering::Equal }
    }

    /// All of it in a sentence.
    pub fn said(&self, name: &str) -> String {
        let delays = self.earlier().zip(self.sds()).map_or_else(
            || "too few strikes that both answered to tell which is earlier".to_owned(),
            |((earlier, interval), [pad, own])| {
                let way = of(self.is_earlier(), ["later", "as early", "earlier"]);
                let steady = of(self.is_steadier(), ["less steady", "as steady", "steadier"]);
                let (by, ends) = (ms(earlier.abs()), interval.map(within).unwrap_or_default());
                format!("{way} by {by} ms{ends}, {steady} (SD {} against {} ms)", ms(own), ms(pad))
            },
        );
        let misses =
            of(self.misses_less(), ["misses more", "misses not clearly less", "misses less"]);
        let ([pad, own], strikes) = (self.missed, self.strikes);
        format!(
            "{name}, beside the pad: {delays}, {misses} ({own} of {strikes} strikes against {pad})"
        )
    }
}

fn of(ordering: Ordering, [less, equal, greater]: [&'static str; 3]) -> &'static str {
    match ordering {
        Ordering::Less => less,
        Ordering::Equal => equal,
        Ordering::Greater => greater,
    }
}

fn ms(ns: f64) -> String {
    format!("{:.2}", ns / 1e6)
}

/// The interval of how much earlier, told as the mean is: without the sign of what is later.
fn within(earlier: Estimate) -> String {
    let Estimate { value, low, high, .. } = earlier;
    let [from, to] = if value < 0.0 { [-high, -low] } else { [low, high] };
    format!(" (95 % interval {} to {} ms)", ms(from), ms(to))
}

/// From a strike to its first message, where its onset is exact.
fn delay(strike: &Strike) -> Option<f64> {
    let first = strike.messages.first().filter(|_| !strike.clipped)?;
    Some((first.stamp - strike.at).0 as f64)
}

/// The sum of the products of two columns' distances from their means.
fn sum_of_products(rows: &[[f64; 2]], one: usize, other: usize) -> f64 {
    let n = rows.len().max(1) as f64;
    let mean = |which: usize| rows.iter().map(|row| row[which]).sum::<f64>() / n;
    let (a, b) = (mean(one), mean(other));
    rows.iter().map(|row| (row[one] - a) * (row[other] - b)).sum()
}

/// The probability that chance parts so many as unevenly as this, if either side is as likely.
fn sign_test(one: usize, other: usize) -> f64 {
    let n = one + other;
    let (mut tail, mut share) = (0.0, 0.5_f64.powi(n as i32));
    for k in 0..=one.min(other) {
        tail += share;
        share *= (n - k) as f64 / (k + 1) as f64;
    }
    f64::min(2.0 * tail, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::strikes::PadMessage;
    use super::*;

    /// Strikes half a second apart, each answered after so many microseconds, or missed.
    fn reading(after_us: &[Option<i64>]) -> PadReading {
        let strike = |(n, after): (i64, &Option<i64>)| {
            let at = Nanos::from_millis(500 * n);
            let message = |us: i64| PadMessage { stamp: at + Nanos::from_micros(us), velocity: 64 };
            let messages = after.map(message).into_iter().collect();
            Strike { at, peak: 0.5, clipped: false, messages }
        };
        let strikes = (1..).zip(after_us).map(strike).collect();
        PadReading { strikes, ..PadReading::default() }
    }

    #[test]
    fn what_is_earlier_steadier_and_misses_less_is_told_with_its_figures() {
        // The pad takes 3 or 5 ms, the sensor 1.0 or 1.1 ms; six of twenty strikes the pad alone missed.
        let pad = |n: i64| (n >= 6).then_some(if n % 2 == 0 { 3_000 } else { 5_000 });
        let pad = reading(&(0..20).map(pad).collect::<Vec<_>>());
        let own = reading(&(0..20).map(|n| Some(1_000 + n % 4 / 2 * 100)).collect::<Vec<_>>());
        let found = BesidePad::of(&pad, &own);
        assert_eq!((found.strikes, found.missed, found.missed_alone), (20, [6, 0], [6, 0]));
        // Of the other 14 the pad takes 4 ms on average; the sensor 1.0 ms six times, 1.1 ms eight times.
        let (earlier, interval) = found.earlier().unwrap();
        assert!((earlier - (4e6 - 14.8e6 / 14.0)).abs() < 1.0, "{earlier}");
        assert!(interval.unwrap().low > 2.3e6);
        let all = [found.is_earlier(), found.is_steadier(), found.misses_less()];
        assert_eq!(all, [Ordering::Greater; 3]);
        let said = found.said("sensor:virtual");
        let wanted = "sensor:virtual, beside the pad: earlier by 2.94 ms (95 % interval 2.34 to 3.54 ms), \
                      steadier (SD 0.05 against 1.04 ms), misses less (0 of 20 strikes against 6)";
        assert_eq!(said, wanted);
        let other = BesidePad::of(&own, &pad);
        let all = [other.is_earlier(), other.is_steadier(), other.misses_less()];
        assert_eq!(all, [Ordering::Less; 3]);
        let said = other.said("alsa:pad");
        assert!(
            said.contains("later by 2.94 ms (95 % interval 2.34 to 3.54 ms), less steady"),
            "{said}"
        );
        assert!(said.ends_with("misses more (6 of 20 strikes against 0)"), "{said}");
    }

    #[test]
    fn what_chance_may_have_made_is_no_difference() {
        // Both take 2, 3 or 4 ms, one in another order; one missed one strike and the other two.
        let pad = |n: i64| (n > 0).then_some(2_000 + n % 3 * 1_000);
        let own = |n: i64| (n < 18).then_some(2_000 + (n * 7 + 1) % 3 * 1_000);
        let of =
            |after: &dyn Fn(i64) -> Option<i64>| reading(&(0..20).map(after).collect::<Vec<_>>());
        let found = BesidePad::of(&of(&pad), &of(&own));
        let all = [found.is_earlier(), found.is_steadier(), found.misses_less()];
        assert_eq!((all, found.missed), ([Ordering::Equal; 3], [1, 2]));
        let few = BesidePad::of(&reading(&[Some(3_000); 2]), &reading(&[Some(1_000); 2]));
        assert!(few.earlier().is_none() && few.said("ear:virtual").contains("too few strikes"));
        // Two that never vary are as steady as each other, however far apart.
        let even = BesidePad::of(&reading(&[Some(3_000); 12]), &reading(&[Some(1_000); 12]));
        assert_eq!((even.is_earlier(), even.is_steadier()), (Ordering::Greater, Ordering::Equal));
    }

    #[test]
    fn a_strike_that_one_list_lacks_shifts_no_other() {
        let pad = reading(&(0..12).map(|n| Some(3_000 + n * 10)).collect::<Vec<_>>());
        let mut own = reading(&(0..12).map(|n| Some(1_000 + n * 10)).collect::<Vec<_>>());
        own.strikes.remove(0);
        let found = BesidePad::of(&pad, &own);
        assert_eq!(found.strikes, 11);
        assert!(found.delays.iter().all(|[pad, own]| pad - own == 2e6), "{:?}", found.delays);
    }

    #[test]
    fn the_sign_test_is_that_of_coins() {
        // 2 (1 + 6) / 2^6, 2 / 2^6, and no more than certainty.
        let found = [sign_test(1, 5), sign_test(6, 0), sign_test(3, 3), sign_test(0, 0)];
        let wanted = [14.0 / 64.0, 2.0 / 64.0, 1.0, 1.0];
        assert!(
            found.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 1e-12),
            "{found:?}"
        );
    }
}

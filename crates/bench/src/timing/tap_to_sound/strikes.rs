//! [`read_pad`]: what a pad made of each strike: a message, none, or more than one, and
//! after how long; and [`Band`]: the same by force.
//!
//! Background: pads miss soft strikes and answer hard ones twice, and their data sheets
//! say neither. Solution: a microphone on the pad hears every strike, so that each message
//! belongs to the strike before it, and a strike without one was missed. Why it works: the
//! microphone knows nothing of the pad's threshold. Force is how far a strike's peak lies
//! below the hardest one's, so that the microphone's gain has no part in it.

use super::ear::{HeardOnsets, Located};
use super::pairing::{EARLIEST_PAD, LONGEST_PAD};
use chronotap_core::time::Nanos;

/// A band of force is so wide, in dB: half the peak.
const BAND_DB: f32 = 6.0;
/// The bands, hardest first, as they are called in results.
pub const BANDS: [&str; 5] = [
    "0 to 6 dB below the hardest",
    "6 to 12 dB below",
    "12 to 18 dB below",
    "18 to 24 dB below",
    "24 dB or more below",
];

/// A message that a pad sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PadMessage {
    /// Its stamp, in the trial's time.
    pub stamp: Nanos,
    /// 1 to 127.
    pub velocity: u8,
}

/// A strike as it was heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Strike {
    /// When it was at the input's converter, in the trial's time.
    pub at: Nanos,
    /// Full scale being 1.
    pub peak: f32,
    /// Whether it reached full scale: then neither force nor onset is exact.
    pub clipped: bool,
    /// The messages that it made, oldest first.
    pub messages: Vec<PadMessage>,
}

/// What a pad made of all strikes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PadReading {
    /// Oldest first.
    pub strikes: Vec<Strike>,
    /// Messages that no strike made.
    pub unstruck: usize,
    /// Strikes beside which the card missed a period, or frames are missing; they are not among
    /// the strikes, nor are their messages counted.
    pub broken: usize,
}

/// The strikes of one band of force.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    pub strikes: usize,
    /// Those without a message.
    pub missed: usize,
    /// Those with more than one.
    pub doubled: usize,
    /// From each strike to its first message, where the onset is exact.
    pub delays: Vec<Nanos>,
    /// From the first message of a doubled strike to its second.
    pub apart: Vec<Nanos>,
    /// Of the first messages.
    pub velocities: Vec<u8>,
}

/// What the strikes are read from.
pub struct Struck<'a> {
    pub heard: &'a HeardOnsets,
    /// Oldest first.
    pub messages: &'a [PadMessage],
    /// The trial's start, raw CLOCK_MONOTONIC.
    pub origin: Nanos,
    /// By how much the input's converter was earlier than a frame was due.
    pub capture: Nanos,
    pub rate_hz: u32,
    /// When periods were missed, in the trial's time.
    pub xruns: &'a [Nanos],
    /// When the trial ended: later messages are unknown.
    pub ended: Nanos,
}

/// What a pad made of each strike.
pub fn read_pad(struck: &Struck<'_>) -> PadReading {
    let mut reading = PadReading::default();
    let heard = struck.strikes();
    let mut left = struck.messages;
    for (n, strike) in heard.iter().enumerate() {
        let next = heard.get(n + 1).map_or(Nanos::MAX, |next| next.at - EARLIEST_PAD);
        let (before, after) = cut(left, strike.at - EARLIEST_PAD);
        let (own, after) = cut(after, next.min(strike.at + LONGEST_PAD));
        left = after;
        reading.unstruck += before.iter().filter(|one| !struck.is_broken_at(one.stamp)).count();
        match struck.is_broken_at(strike.at) || strike.at + LONGEST_PAD > struck.ended {
            true => reading.broken += usize::from(strike.at + LONGEST_PAD <= struck.ended),
            false => reading.strikes.push(Strike { messages: own.to_vec(), ..strike.clone() }),
        }
    }
    reading.unstruck += left.iter().filter(|one| !struck.is_broken_at(one.stamp)).count();
    reading
}

/// Those before `at`, and the others.
fn cut(messages: &[PadMessage], at: Nanos) -> (&[PadMessage], &[PadMessage]) {
    messages.split_at(messages.partition_point(|one| one.stamp < at))
}

impl Struck<'_> {
    /// As they were heard, without messages. What is heard within a message's time of a strike
    /// is the same strike: the stick bounced, or the answer was heard.
    fn strikes(&self) -> Vec<Strike> {
        let mut strikes: Vec<Strike> = Vec::new();
        for one in &self.heard.taps {
            let at = self.time_of(one);
            if strikes.last().is_none_or(|last| at > last.at + LONGEST_PAD) {
                let (peak, clipped) = (one.onset.peak, one.onset.clipped);
                strikes.push(Strike { at, peak, clipped, messages: Vec::new() });
            }
        }
        strikes
    }

    fn time_of(&self, one: &Located) -> Nanos {
        one.due - self.origin - self.capture
    }

    /// Whether something may be unheard there.
    fn is_broken_at(&self, at: Nanos) -> bool {
        let near = |missed: Nanos| (at - missed).abs() <= LONGEST_PAD;
        self.xruns.iter().any(|xrun| near(*xrun)) || self.gaps().any(near)
    }

    /// When frames were missing, by the sound that was heard nearest.
    fn gaps(&self) -> impl Iterator<Item = Nanos> {
        let HeardOnsets { taps, gaps, .. } = self.heard;
        gaps.iter().filter_map(move |gap| {
            let frames = |one: &&Located| (one.onset.frame - *gap as f64).abs();
            let nearest = taps.iter().min_by(|a, b| frames(a).total_cmp(&frames(b)))?;
            let since = (*gap as f64 - nearest.onset.frame) * 1e9 / f64::from(self.rate_hz.max(1));
            Some(self.time_of(nearest) + Nanos::round_from_f64(since))
        })
    }
}

impl PadReading {
    /// All strikes together.
    pub fn all(&self) -> Band {
        Band::of(self.strikes.iter())
    }

    /// By force; bands without strikes are left out.
    pub fn bands(&self) -> Vec<(&'static str, Band)> {
        let hardest = self.strikes.iter().map(|strike| strike.peak).fold(0.0, f32::max);
        let bands = BANDS.into_iter().enumerate().map(|(n, name)| {
            let within = |strike: &&Strike| band(strike.peak, hardest) == n;
            (name, Band::of(self.strikes.iter().filter(within)))
        });
        bands.filter(|(_, band)| band.strikes > 0).collect()
    }
}

/// The place of a strike's band among [`BANDS`].
fn band(peak: f32, hardest: f32) -> usize {
    let below_db = 20.0 * (hardest / peak.max(f32::MIN_POSITIVE)).log10();
    ((below_db / BAND_DB) as usize).min(BANDS.len() - 1)
}

impl Band {
    fn of<'a>(strikes: impl Iterator<Item = &'a Strike>) -> Band {
        let mut band = Band::default();
        for strike in strikes {
            band.strikes += 1;
            let first = strike.messages.first();
            band.missed += usize::from(first.is_none());
            band.velocities.extend(first.map(|first| first.velocity));
            band.delays.extend(first.filter(|_| !strike.clipped).map(|one| one.stamp - strike.at));
            if let [first, second, ..] = &strike.messages[..] {
                band.doubled += 1;
                band.apart.push(second.stamp - first.stamp);
            }
        }
        band
    }

    /// By name, for a series of its delays.
    pub fn figures(&self) -> Vec<(&'static str, f64)> {
        let share = |count: usize| count as f64 / self.strikes.max(1) as f64;
        let mut figures = vec![
            ("strikes", self.strikes as f64),
            ("missed", self.missed as f64),
            ("missed_share", share(self.missed)),
            ("doubled", self.doubled as f64),
            ("doubled_share", share(self.doubled)),
        ];
        let mut mean = |name, values: Vec<f64>| {
            if !values.is_empty() {
                figures.push((name, values.iter().sum::<f64>() / values.len() as f64));
            }
        };
        mean("velocity_mean", self.velocities.iter().map(|one| f64::from(*one)).collect());
        mean("second_after_ns", self.apart.iter().map(|one| one.0 as f64).collect());
        figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_audio::onset::Onset;

    const MS: i64 = 1_000_000;
    const CAPTURE: Nanos = Nanos::from_millis(5);
    const ORIGIN: Nanos = Nanos::from_secs(100);

    fn strike(at_ms: i64, peak: f32) -> Located {
        let onset = Onset { frame: at_ms as f64 * 48.0, peak, clipped: peak >= 1.0 };
        Located { onset, due: ORIGIN + CAPTURE + Nanos(at_ms * MS) }
    }

    fn message(at_ms: i64, velocity: u8) -> PadMessage {
        PadMessage { stamp: Nanos(at_ms * MS), velocity }
    }

    fn reading(taps: Vec<Located>, messages: &[PadMessage], xruns: &[Nanos]) -> PadReading {
        let heard = HeardOnsets { taps, ..HeardOnsets::default() };
        let (origin, capture, ended) = (ORIGIN, CAPTURE, Nanos::from_secs(60));
        read_pad(&Struck {
            heard: &heard,
            messages,
            origin,
            capture,
            rate_hz: 48_000,
            xruns,
            ended,
        })
    }

    #[test]
    fn each_message_belongs_to_the_strike_before_it() {
        let taps = vec![strike(1_000, 0.8), strike(1_500, 0.3), strike(2_000, 0.05)];
        // 3 ms; 8 ms and again 25 ms later; none; and one that nobody struck.
        let sent = [message(1_003, 120), message(1_508, 70), message(1_533, 20), message(2_500, 9)];
        let found = reading(taps, &sent, &[]);
        let Band { strikes, missed, doubled, delays, apart, velocities } = found.all();
        assert_eq!((strikes, missed, doubled, found.unstruck), (3, 1, 1, 1));
        assert_eq!(delays, [Nanos(3 * MS), Nanos(8 * MS)]);
        assert_eq!((apart, velocities), (vec![Nanos(25 * MS)], vec![120, 70]));
    }

    #[test]
    fn bands_are_6_db_wide_below_the_hardest() {
        // 0, -5.9, -6.1, -23.9 and -24.1 dB.
        let peaks = [0.9, 0.456_3, 0.445_9, 0.057_4, 0.056_1];
        let taps = (0..).zip(peaks).map(|(n, peak)| strike(1_000 + 500 * n, peak)).collect();
        let bands = reading(taps, &[], &[]).bands();
        let counts: Vec<_> = bands.iter().map(|(name, band)| (*name, band.missed)).collect();
        assert_eq!(counts, [(BANDS[0], 2), (BANDS[1], 1), (BANDS[3], 1), (BANDS[4], 1)]);
    }

    #[test]
    fn a_bounce_is_no_second_strike_and_what_was_not_heard_is_not_counted() {
        let taps = vec![strike(1_000, 0.5), strike(1_040, 0.2), strike(1_500, 0.5)];
        let sent = [message(1_045, 60), message(1_504, 60), message(1_590, 60)];
        let found = reading(taps.clone(), &sent, &[]);
        assert_eq!((found.strikes.len(), found.all().doubled, found.unstruck), (2, 1, 0));
        let found = reading(taps, &sent, &[Nanos(1_550 * MS)]);
        assert_eq!((found.strikes.len(), found.broken, found.unstruck), (1, 1, 0));
    }

    #[test]
    fn a_strike_at_full_scale_is_counted_but_its_delay_is_not_known() {
        let found = reading(vec![strike(1_000, 1.0)], &[message(1_004, 127)], &[]);
        assert_eq!((found.all().strikes, found.all().missed, found.all().delays.len()), (1, 0, 0));
    }

    #[test]
    fn shares_and_means_are_by_hand() {
        let taps = (0..4).map(|n| strike(1_000 + 500 * n, 0.5)).collect();
        let sent = [message(1_002, 10), message(1_502, 30), message(1_512, 30), message(2_002, 50)];
        let figures = reading(taps, &sent, &[]).all().figures();
        let of = |name| figures.iter().find(|(one, _)| *one == name).map(|(_, value)| *value);
        assert_eq!((of("missed_share"), of("doubled_share")), (Some(0.25), Some(0.25)));
        assert_eq!((of("velocity_mean"), of("second_after_ns")), (Some(30.0), Some(10e6)));
    }
}

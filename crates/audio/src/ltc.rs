//! [`Ltc`]: linear time code (SMPTE 12M-1) as sound, by which cameras and sound recorders know when each of
//! their frames was.
//!
//! Background: a frame of time code has 80 bits, which last as long as a frame of the picture. Each bit begins
//! with a change of polarity, and a 1 has another in its middle (biphase mark). Solution: as one bit of each frame
//! makes the number of ones even, a frame has an even number of changes, and all begin alike. Why it works: each
//! sample then follows from its number alone. There is no state to lose, and what was missed leaves no trace in what follows.
//!
//! Not here: drop frame time code (29.97), whose labels are no time of day; user bits, which are 0.
//!
//! Real-time contract of [`Ltc::put`]: any thread; no allocation, lock, system call, log or panic; bounded by
//! the samples asked for.

use std::fmt;

/// Bits of a frame.
const BITS: u64 = 80;
/// Halves of its bits.
const HALVES: u64 = 2 * BITS;
/// Bits 64 to 79, the first sent the lowest here: 0011 1111 1111 1101.
const SYNC: u128 = 0b1011_1111_1111_1100;

/// Frames a second: 24, 25 or 30.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRate(u8);

impl FrameRate {
    /// That of European television, and the usual one.
    pub const EUROPEAN: FrameRate = FrameRate(25);

    /// One of the three; `None` for others.
    pub fn new(fps: u8) -> Option<FrameRate> {
        matches!(fps, 24 | 25 | 30).then_some(FrameRate(fps))
    }

    /// Frames a second.
    pub const fn fps(self) -> u32 {
        self.0 as u32
    }

    /// Frames of a day.
    const fn day(self) -> u64 {
        86_400 * self.0 as u64
    }

    /// The place of the bit that makes the number of ones even.
    const fn polarity(self) -> u32 {
        if self.0 == 25 { 59 } else { 27 }
    }
}

/// A frame of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeCode {
    number: u64, // from midnight, below those of a day
    rate: FrameRate,
}

impl TimeCode {
    /// The frame of this number from midnight; after a day it is midnight again.
    pub const fn new(number: u64, rate: FrameRate) -> TimeCode {
        TimeCode { number: number % rate.day(), rate }
    }

    /// Hours, minutes, seconds and frames.
    pub fn parts(self) -> [u64; 4] {
        let (fps, number) = (u64::from(self.rate.fps()), self.number);
        let seconds = number / fps;
        [seconds / 3_600, seconds / 60 % 60, seconds % 60, number % fps]
    }

    /// Its 80 bits; the first sent is the lowest.
    pub fn bits(self) -> u128 {
        let fields = self.parts().into_iter().zip([48, 32, 16, 0]);
        let decimal = |(value, at): (u64, u32)| {
            u128::from(value % 10) << at | u128::from(value / 10) << (at + 8)
        };
        let bits = fields.map(decimal).fold(SYNC << 64, |all, field| all | field);
        bits | u128::from(bits.count_ones() % 2) << self.rate.polarity()
    }
}

impl fmt::Display for TimeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [hours, minutes, seconds, frames] = self.parts();
        write!(f, "{hours:02}:{minutes:02}:{seconds:02}:{frames:02}")
    }
}

/// Time code from a frame on, as samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ltc {
    first: TimeCode,
    rate_hz: u32,
}

impl Ltc {
    /// The first frame begins with sample 0.
    pub const fn new(first: TimeCode, rate_hz: u32) -> Ltc {
        Ltc { first, rate_hz }
    }

    /// Puts the samples from this number on, as high or low as `level`.
    pub fn put(&self, from: u64, output: &mut [f32], level: f32) {
        let mut at = 0;
        while at < output.len() {
            let half = self.half_at(from + at as u64);
            let next = usize::try_from(self.begins(half + 1).saturating_sub(from));
            let end = next.unwrap_or(usize::MAX).clamp(at + 1, output.len());
            let high = if self.is_high(half) { level } else { -level };
            output.get_mut(at..end).unwrap_or_default().fill(high);
            at = end;
        }
    }

    /// Halves of bits a second.
    fn halves(&self) -> u64 {
        HALVES * u64::from(self.first.rate.fps())
    }

    /// The half of a bit to which a sample belongs, from the first frame on.
    fn half_at(&self, sample: u64) -> u64 {
        (u128::from(sample) * u128::from(self.halves()) / u128::from(self.rate_hz.max(1))) as u64
    }

    /// Its first sample.
    fn begins(&self, half: u64) -> u64 {
        let ticks = u128::from(half) * u128::from(self.rate_hz.max(1));
        ticks.div_ceil(u128::from(self.halves())) as u64
    }

    /// Whether it is high: after an odd number of changes since its frame began.
    fn is_high(&self, half: u64) -> bool {
        let number = self.first.number + half / HALVES;
        let bits = TimeCode::new(number, self.first.rate).bits();
        let (bit, second) = ((half % HALVES / 2) as u32, (half % 2) as u32);
        let up_to = bits & ((1 << (bit + second)) - 1);
        (bit + 1 + up_to.count_ones()) % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;

    const RATES: [FrameRate; 3] = [FrameRate(24), FrameRate(25), FrameRate(30)];

    /// The bits in the order in which they are sent.
    fn sent(code: TimeCode) -> String {
        let bits = code.bits();
        (0..80).map(|at| if bits >> at & 1 == 1 { '1' } else { '0' }).collect()
    }

    #[test]
    fn the_bits_of_a_frame_are_those_of_the_standard() {
        // 13:57:46:19 at 25 frames: units, tens and user bits of each field, lowest bit first.
        let number = ((13 * 60 + 57) * 60 + 46) * 25 + 19;
        let frames = ["1001", "0000", "1000", "0000"];
        let seconds = ["0110", "0000", "0010", "0000"];
        let minutes = ["1110", "0000", "1010", "0000"];
        let hours = ["1100", "0000", "1000", "0000"];
        let all = [frames, seconds, minutes, hours].concat().concat();
        let code = TimeCode::new(number, FrameRate::EUROPEAN);
        assert_eq!(code.to_string(), "13:57:46:19");
        let ones = all.matches('1').count() + 13;
        assert_eq!(ones % 2, 1, "bit 59 makes it even");
        let all = format!("{}1{}0011111111111101", &all[..59], &all[60..]);
        assert_eq!(sent(code), all);
    }

    #[test]
    fn midnight_has_a_lone_polarity_bit_whose_place_the_rate_decides() {
        for (rate, place) in RATES.into_iter().zip([27, 59, 27]) {
            let expected: String = (0..64).map(|at| if at == place { '1' } else { '0' }).collect();
            let of_the_day = 86_400 * u64::from(rate.fps());
            for number in [0, of_the_day] {
                let sent = sent(TimeCode::new(number, rate));
                assert_eq!(sent, format!("{expected}0011111111111101"));
            }
        }
    }

    /// What a decoder hears that knows nothing but the standard: the frames, each with the sample where it
    /// begins. A bit is one long or two short distances between changes.
    fn heard(samples: &[f32], rate_hz: u32, rate: FrameRate) -> Vec<(u64, u128)> {
        let whole = f64::from(rate_hz) / (80.0 * f64::from(rate.fps()));
        let mut changes = vec![0];
        changes.extend((1..samples.len()).filter(|at| samples[*at] * samples[at - 1] < 0.0));
        let (mut bits, mut at) = (Vec::new(), 0);
        while at + 1 < changes.len() {
            let long = (changes[at + 1] - changes[at]) as f64 > 0.75 * whole;
            bits.push((changes[at] as u64, !long));
            at += if long { 1 } else { 2 };
        }
        let word = |bits: &[(u64, bool)]| {
            bits.iter().rev().fold(0_u128, |word, (_, bit)| word << 1 | u128::from(*bit))
        };
        let frames = bits.windows(80).filter(|frame| word(&frame[64..]) == SYNC);
        frames.map(|frame| (frame[0].0, word(frame))).collect()
    }

    #[test]
    fn what_is_heard_is_what_was_asked_for_over_midnight_at_every_rate() {
        for (rate, rate_hz) in RATES.into_iter().zip([44_100, 48_000, 96_000]) {
            let day = 86_400 * u64::from(rate.fps());
            let ltc = Ltc::new(TimeCode::new(day - 40, rate), rate_hz);
            let mut samples = vec![0.0; 4 * rate_hz as usize];
            // In periods of odd lengths, as a card may ask for them.
            let mut from = 0;
            for period in samples.chunks_mut(173) {
                assert_no_alloc(|| ltc.put(from, period, 0.5));
                from += period.len() as u64;
            }
            let heard = heard(&samples, rate_hz, rate);
            assert!(heard.len() as u32 >= 4 * rate.fps() - 1, "{}", heard.len());
            for (n, (at, bits)) in (0..).zip(heard) {
                let code = TimeCode::new(day - 40 + n, rate);
                assert_eq!((bits, bits.count_ones() % 2), (code.bits(), 0), "{code}");
                let begins = (n * u64::from(rate_hz)).div_ceil(rate.fps().into());
                assert_eq!(at, begins, "{code}");
            }
            assert!(samples.iter().all(|sample| sample.abs() == 0.5));
        }
    }

    #[test]
    fn a_sample_depends_on_its_number_alone() {
        let ltc = Ltc::new(TimeCode::new(7, FrameRate::EUROPEAN), 48_000);
        let (mut all, mut part) = ([0.0; 4_000], [0.0; 100]);
        ltc.put(0, &mut all, 1.0);
        ltc.put(3_001, &mut part, 1.0);
        assert_eq!(all[3_001..3_101], part);
    }
}

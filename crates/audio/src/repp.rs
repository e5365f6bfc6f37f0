//! What REPP hears in a recording: its markers and its taps, by its published procedure.
//!
//! Background: REPP (Anglada-Tort, Harrison & Jacoby, 2022) plays a stimulus with three markers
//! before and three after it, and records everything with one microphone. Whoever has such
//! recordings wants what REPP makes of them, and not what another detector would.
//!
//! The procedure, of `repp-tapping` 1.4.0 with its settings for synchronization:
//!
//! 1. The whole recording is brought to 22 kHz.
//! 2. Three bands are taken from it: taps (80 to 500 Hz), markers (200 to 340 Hz) and what lies
//!    below the markers (100 to 170 Hz), each by a Butterworth bandpass of second order, twice
//!    forwards and backwards, so that nothing is delayed.
//! 3. Each has an envelope: the greatest value of each block of 45 samples, to the power 1.3,
//!    which fades in and out within half a second.
//! 4. Markers are raised where, in blocks of a tenth of a second, their band is stronger than the
//!    one below it, and lowered where it is weaker, at most ten times. Taps are told from the
//!    greatest value between 33.3 and 66 % of the recording, or a twentieth of one outside.
//! 5. An onset is a sample above a share of the greatest that comes more than the first window
//!    after the last such sample; it counts if that was more than the second window ago.
//!
//! So an onset is the beginning of a block of 2 ms and moves with the greatest tap of all. It is
//! read here to be compared with REPP's own figures; [`crate::sensor`] is nearer to the contact.
//!
//! The share of .19 and the window of 26 ms belong to the markers, and .225 and 120 ms to the taps:
//! the code takes them so, whatever the comment of its settings says. Another resampling than
//! REPP's is used, which does not turn the end of a recording into its beginning.

use crate::rate::AtRate;

/// The rate at which it listens.
const RATE_HZ: u32 = 22_000;
const TAPS_HZ: [f64; 2] = [80.0, 500.0];
const MARKERS_HZ: [f64; 2] = [200.0, 340.0];
const BELOW_HZ: [f64; 2] = [100.0, 170.0];
const BLOCK_MS: f64 = 2.0;
const CLEANED_MS: f64 = 100.0;
const POWER: f64 = 1.3;
const FADE_MS: f64 = 500.0;
/// By how much markers are raised or lowered at most.
const RATIO: f64 = 10.0;
/// Where in a recording the taps are that are the measure, and what others count.
const MIDDLE: [f64; 2] = [0.333, 0.66];
const OUTSIDE: f64 = 0.05;
const MARKERS: Rule = Rule { share: 0.19, first_ms: 18.0, second_ms: 26.0 };
const TAPS: Rule = Rule { share: 0.225, first_ms: 18.0, second_ms: 120.0 };
/// Added to what is divided by, so that silence is no division by 0.
const LEAST: f64 = 1e-10;

/// From what share on something is an onset, and how far from others.
struct Rule {
    share: f64,
    first_ms: f64,
    second_ms: f64,
}

/// What REPP hears, in ms from the beginning of the recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReppOnsets {
    pub markers_ms: Vec<f64>,
    pub taps_ms: Vec<f64>,
}

/// Listens to a recording of one channel as REPP does. In silence it hears nothing.
pub fn repp_onsets(samples: &[f32], rate_hz: u32) -> ReppOnsets {
    let sound = at_its_rate(samples, rate_hz);
    let band = |hz| twice_filtered(&sound, hz);
    let (taps, markers, below) = (band(TAPS_HZ), band(MARKERS_HZ), band(BELOW_HZ));
    let strongest = peak(&markers);
    if strongest == 0.0 || peak(&taps) == 0.0 {
        return ReppOnsets::default();
    }
    let taps = envelope(&taps, peak(&taps));
    let (markers, below) = (envelope(&markers, strongest), envelope(&below, strongest));
    ReppOnsets {
        markers_ms: onsets(&cleaned(&markers, &below), &MARKERS),
        taps_ms: onsets(&middled(taps), &TAPS),
    }
}

/// At 22 kHz, with as many samples as REPP has.
fn at_its_rate(samples: &[f32], rate_hz: u32) -> Vec<f64> {
    let mut rate = AtRate::new(rate_hz, RATE_HZ);
    let mut out = Vec::new();
    for block in samples.chunks(4_096) {
        let frames: Vec<[f32; 2]> = block.iter().map(|one| [*one; 2]).collect();
        rate.push(&frames, &mut out);
    }
    rate.finish(&mut out);
    let kept = (samples.len() as f64 * (f64::from(RATE_HZ) / f64::from(rate_hz))) as usize;
    out.truncate(kept);
    out.iter().map(|frame| f64::from(frame[0])).collect()
}

/// So many samples, and one more.
fn samples_of(ms: f64) -> usize {
    (ms / 1_000.0 * f64::from(RATE_HZ)) as usize + 1
}

fn peak(signal: &[f64]) -> f64 {
    signal.iter().fold(0.0, |most, value| value.abs().max(most))
}

/// The greatest of each block; what does not fill the last is left as it is.
fn blocks(signal: &[f64], ms: f64) -> Vec<f64> {
    let block = samples_of(ms);
    let mut out: Vec<f64> = signal.iter().map(|value| value.abs()).collect();
    let whole = signal.len().saturating_sub(block).div_ceil(block);
    for part in out.chunks_mut(block).take(whole) {
        let most = peak(part);
        part.fill(most);
    }
    out
}

/// The envelope of a band, its greatest value in all 1; `loudest` is that of the band it is a
/// share of.
fn envelope(band: &[f64], loudest: f64) -> Vec<f64> {
    let halved: Vec<f64> = band.iter().map(|value| 0.5 * value / loudest).collect();
    let mut out: Vec<f64> =
        blocks(&halved, BLOCK_MS).into_iter().map(|value| libm::pow(value, POWER)).collect();
    let fade = (1.0 + FADE_MS / 1_000.0 * f64::from(RATE_HZ)).round() as usize;
    let len = out.len();
    for at in 0..fade.min(len) {
        let share = (at as f64 / (fade - 1) as f64).powi(2);
        out[at] *= share;
        out[len - 1 - at] *= share;
    }
    out
}

/// Markers against the band below them.
fn cleaned(markers: &[f64], below: &[f64]) -> Vec<f64> {
    let most = peak(markers);
    let shares = |signal: &[f64]| signal.iter().map(|value| value / most).collect::<Vec<_>>();
    let (markers, below) = (shares(markers), shares(below));
    let [loud, low] = [&markers, &below].map(|signal| blocks(signal, CLEANED_MS));
    let ratio = loud.iter().zip(&low).map(|(of, by)| (of / (by + LEAST)).clamp(1.0 / RATIO, RATIO));
    let out: Vec<f64> = markers.iter().zip(ratio).map(|(value, ratio)| value * ratio).collect();
    let most = peak(&out);
    out.into_iter().map(|value| value / most).collect()
}

/// Taps as shares of the greatest in the middle.
fn middled(taps: Vec<f64>) -> Vec<f64> {
    let [from, to] = MIDDLE.map(|share| (taps.len() as f64 * share).round_ties_even() as usize);
    let outside = peak(&taps[..from]).max(peak(&taps[to..])) * OUTSIDE;
    let most = outside.max(peak(&taps[from..to]));
    taps.into_iter().map(|value| (value / most).min(1.0)).collect()
}

/// Where something rises above its share, in ms.
fn onsets(signal: &[f64], rule: &Rule) -> Vec<f64> {
    let [first, second] = [rule.first_ms, rule.second_ms].map(samples_of);
    let (mut found, mut last) = (Vec::new(), 0);
    for (at, value) in signal.iter().enumerate() {
        if value.abs() > rule.share && at - last > first {
            if at - last > second {
                found.push(at);
            }
            last = at;
        }
    }
    let apart = |(nth, at): (usize, &usize)| nth == 0 || at - found[nth - 1] > second;
    let kept = found.iter().enumerate().filter(|one| apart(*one));
    kept.map(|(_, at)| 1_000.0 * *at as f64 / f64::from(RATE_HZ)).collect()
}

/// A band, filtered twice forwards and backwards.
fn twice_filtered(signal: &[f64], hz: [f64; 2]) -> Vec<f64> {
    let bandpass = Bandpass::new(hz);
    bandpass.both_ways(&bandpass.both_ways(signal))
}

/// A Butterworth bandpass made of a lowpass of second order, by the bilinear transform.
struct Bandpass {
    b: [f64; 5],
    a: [f64; 5],
    /// Its state when 1 has come in for ever.
    rest: [f64; 4],
}

/// How many samples are put before the first and after the last, turned about them.
const BEYOND: usize = 15;

impl Bandpass {
    /// The lowpass has its poles at -(1 ± i)/√2. Each becomes two of the band: those of
    /// s² - p·width·s + middle² = 0.
    fn new([low, high]: [f64; 2]) -> Bandpass {
        let warped = |hz: f64| 4.0 * libm::tan(std::f64::consts::PI * hz / f64::from(RATE_HZ));
        let (low, high) = (warped(low), warped(high));
        let (width, middle) = (high - low, (low * high).sqrt());
        let half = width * std::f64::consts::FRAC_1_SQRT_2 / 2.0;
        // p = -half + i half; p² = -2i half²; both roots of p² - middle².
        let (re, im) = root(-middle * middle, -2.0 * half * half);
        let poles = [(-half + re, half + im), (-half - re, half - im)];
        let mut a = vec![1.0];
        let mut gain = width * width;
        for (re, im) in poles {
            // z = (4 + s)/(4 - s), and its conjugate.
            let below = (4.0 - re).powi(2) + im * im;
            let (x, y) = ((16.0 - re * re - im * im) / below, 8.0 * im / below);
            a = times(&a, &[1.0, -2.0 * x, x * x + y * y]);
            gain /= below;
        }
        gain *= 16.0;
        let b = [gain, 0.0, -2.0 * gain, 0.0, gain];
        let a = [a[0], a[1], a[2], a[3], a[4]];
        Bandpass { b, a, rest: at_rest(&b, &a) }
    }

    /// Filters what is extended on both sides by its own mirror image, from a state of rest.
    fn both_ways(&self, signal: &[f64]) -> Vec<f64> {
        if signal.len() <= BEYOND {
            return vec![0.0; signal.len()];
        }
        let (first, last) = (signal[0], signal[signal.len() - 1]);
        let before = signal[1..=BEYOND].iter().rev().map(|value| 2.0 * first - value);
        let after = signal[signal.len() - 1 - BEYOND..signal.len() - 1].iter().rev();
        let after = after.map(|value| 2.0 * last - value);
        let mut all: Vec<f64> = before.chain(signal.iter().copied()).chain(after).collect();
        for _ in 0..2 {
            self.filter(&mut all);
            all.reverse();
        }
        all[BEYOND..all.len() - BEYOND].to_vec()
    }

    /// In transposed direct form II.
    fn filter(&self, signal: &mut [f64]) {
        let first = signal[0];
        let mut state = self.rest.map(|value| value * first);
        for value in signal {
            let input = *value;
            let output = self.b[0] * input + state[0];
            for nth in 0..4 {
                let next = if nth < 3 { state[nth + 1] } else { 0.0 };
                state[nth] = next + self.b[nth + 1] * input - self.a[nth + 1] * output;
            }
            *value = output;
        }
    }
}

/// The state of a filter when 1 has come in for ever: what it then puts out is sum(b)/sum(a).
fn at_rest(b: &[f64; 5], a: &[f64; 5]) -> [f64; 4] {
    let output = b.iter().sum::<f64>() / a.iter().sum::<f64>();
    let mut state = [0.0; 4];
    for nth in (0..4).rev() {
        let next = if nth < 3 { state[nth + 1] } else { 0.0 };
        state[nth] = next + b[nth + 1] - a[nth + 1] * output;
    }
    state
}

/// The root of a complex number that has no negative real part.
fn root(re: f64, im: f64) -> (f64, f64) {
    let size = libm::hypot(re, im);
    (((size + re) / 2.0).sqrt(), ((size - re) / 2.0).sqrt().copysign(im))
}

/// The product of two polynomials.
fn times(one: &[f64], other: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; one.len() + other.len() - 1];
    for (at, a) in one.iter().enumerate() {
        for (by, b) in other.iter().enumerate() {
            out[at + by] += a * b;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `scipy.signal.butter(2, [low, high], "band", fs=22000)` and `lfilter_zi` (scipy
    /// 1.17.1) give.
    #[test]
    fn a_band_is_that_of_scipy() {
        let cases = [
            (
                TAPS_HZ,
                0.003_312_503_864_910_676,
                [-3.824_466_546_314_634_6, 0.843_971_571_885_799_3],
            ),
            (
                MARKERS_HZ,
                0.000_388_639_903_771_620_3,
                [-3.932_535_926_996_836_3, 0.945_023_221_064_939_6],
            ),
            (
                BELOW_HZ,
                9.852_354_084_933_722e-5,
                [-3.968_975_502_573_130_6, 0.972_123_046_667_751_7],
            ),
        ];
        for (hz, gain, [second, last]) in cases {
            let Bandpass { b, a, rest } = Bandpass::new(hz);
            let near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-6;
            assert!(near(b[0], gain) && near(b[2], -2.0 * gain) && near(b[4], gain), "{b:?}");
            assert!(near(a[1], second) && near(a[4], last), "{a:?}");
            assert!(near(rest[0], -gain) && near(rest[3], gain), "{rest:?}");
        }
    }

    #[test]
    fn silence_and_a_moment_of_sound_have_no_onsets() {
        for length in [0, 1, 15, 16, 100, 40_000] {
            assert_eq!(repp_onsets(&vec![0.0; length], 44_100), ReppOnsets::default());
        }
        repp_onsets(&[0.5; 20], 44_100);
    }
}

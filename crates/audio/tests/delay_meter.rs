//! The meter on delays that were chosen: fractional, noisy, weak, upside down.

use assert_no_alloc::assert_no_alloc;
use chronotap_audio::meter::{Meter, MeterDoubt, Reading, SineSum};
use proptest::prelude::*;
use std::f64::consts::PI;

const RATE_HZ: f64 = 48_000.0;

/// A signal delayed by a fraction of a frame: ideal interpolation, a windowed sinc of
/// 128 frames, so that its own error is below a ten-thousandth of a frame.
fn delayed(signal: &[f32], frames: f64) -> Vec<f32> {
    let (whole, fraction) = (frames.floor() as i64, frames.fract());
    let taps: Vec<f64> = (-64..64).map(|k| sinc(f64::from(k) - fraction + 0.0)).collect();
    let at = |n: i64| usize::try_from(n).ok().and_then(|n| signal.get(n)).copied().unwrap_or(0.0);
    (0..signal.len() as i64)
        .map(|n| {
            let taps = taps.iter().zip(-64i64..64);
            taps.map(|(tap, k)| tap * f64::from(at(n - whole - k))).sum::<f64>() as f32
        })
        .collect()
}

fn sinc(x: f64) -> f64 {
    let window = if x.abs() < 64.0 { (PI * x / 128.0).cos().powi(2) } else { 0.0 };
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) * window }
}

/// What the meter reads `seconds` after the first frame came back through `path`.
fn read(
    frames: f64,
    seconds: f64,
    path: impl Fn(usize, f32) -> f32,
) -> Result<Reading, MeterDoubt> {
    let mut sent = vec![0.0; (frames + seconds * RATE_HZ) as usize];
    SineSum::new().render(&mut sent);
    let back = delayed(&sent, frames);
    let back: Vec<f32> = back.into_iter().enumerate().map(|(n, x)| path(n, x)).collect();
    let mut meter = Meter::new(RATE_HZ);
    meter.listen(&back);
    meter.read()
}

/// White noise of this standard deviation, by a hash of the frame (12 uniform numbers).
fn noise(seed: u64, n: usize, sd: f64) -> f32 {
    let mut state = seed.wrapping_add(n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut sum = -6.0;
    for _ in 0..12 {
        state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        state ^= state >> 31;
        sum += (state >> 11) as f64 / (1u64 << 53) as f64;
    }
    (sum * sd) as f32
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_delay_is_read_to_a_thousandth_of_a_frame_in_a_quarter_of_a_second(frames in 70.0..20_000.0f64) {
        let found = read(frames, 0.25, |_, x| x).unwrap();
        prop_assert!((found.frames - frames).abs() < 0.001, "{found:?} for {frames}");
        prop_assert!((found.gain - 1.0).abs() < 0.001);
    }

    #[test]
    fn weak_and_inverted_signals_are_read_as_well(frames in 70.0..5_000.0f64, gain in 0.01..1.0f32, seed: u64) {
        let found = read(frames, 0.25, |n, x| -gain * x + noise(seed, n, 1e-6)).unwrap();
        prop_assert!(found.inverted);
        prop_assert!((found.frames - frames).abs() < 0.001, "{found:?} for {frames}");
        prop_assert!((found.gain - f64::from(gain)).abs() < 0.001);
    }

    #[test]
    fn noise_costs_what_the_reading_says(frames in 70.0..2_000.0f64, sd in 0.001..0.05f64, seed: u64) {
        let found = read(frames, 1.0, |n, x| x + noise(seed, n, sd)).unwrap();
        prop_assert!((found.frames - frames).abs() < 6.0 * found.sd_frames + 2e-4, "{found:?}");
        prop_assert!((found.noise / sd - 1.0).abs() < 0.05, "{found:?} for {sd}");
    }
}

#[test]
fn every_whole_delay_of_a_period_is_exact() {
    for frames in [64.0, 128.0, 256.0, 512.0, 60_000.0] {
        let found = read(frames, 0.25, |_, x| x).unwrap();
        assert!((found.frames - frames).abs() < 1e-4, "{found:?}");
    }
}

#[test]
fn what_cannot_be_trusted_is_refused_with_the_reason() {
    assert!(matches!(read(100.0, 0.05, |_, x| x), Err(MeterDoubt::TooShort)));
    assert!(matches!(read(100.0, 0.5, |_, _| 0.0), Err(MeterDoubt::Quiet(_))));
    assert!(matches!(
        read(100.0, 0.5, |_, x| (8.0 * x).clamp(-1.0, 1.0)),
        Err(MeterDoubt::Clipped(_))
    ));
    let strange = read(100.0, 0.5, |n, x| 0.01 * x + noise(7, n, 0.2));
    assert!(
        matches!(strange, Err(MeterDoubt::Contradiction(_) | MeterDoubt::Unsteady(_))),
        "{strange:?}"
    );
}

#[test]
fn a_delay_that_runs_away_is_no_reading() {
    let mut sent = vec![0.0; 48_000];
    SineSum::new().render(&mut sent);
    // Two clocks, 1,000 parts in a million apart: 4.8 frames in a tenth of a second.
    let back: Vec<f32> = (0..40_000).map(|n| sent[(f64::from(n) * 1.001) as usize]).collect();
    let mut meter = Meter::new(RATE_HZ);
    meter.listen(&back);
    assert!(matches!(meter.read(), Err(MeterDoubt::Unsteady(_) | MeterDoubt::Contradiction(_))));
}

#[test]
fn measuring_allocates_nothing() {
    let mut meter = Meter::new(RATE_HZ);
    let (input, mut output) = ([0.0; 64], [0.0; 64]);
    assert_no_alloc(|| {
        for _ in 0..2_000 {
            meter.process(&input, &mut output);
        }
    });
}

//! The onset detector on sounds whose beginning was chosen: between frames, weak, upside
//! down, with noise and an offset.

use chronotap_audio::offline;
use chronotap_audio::onset::{Onset, OnsetFinder};
use chronotap_audio::tone::{Cue, Generator, Kit, Score, Sound};
use chronotap_core::midi::{Channel, U7};
use proptest::prelude::*;
use std::f64::consts::PI;

const RATE_HZ: u32 = 48_000;

/// A click as a trial's is.
fn sound() -> Option<Sound> {
    Kit::default().sound(Channel::new(10)?, U7::from_byte(33), U7::MAX)
}

/// What the generator makes of it.
fn click() -> Vec<f32> {
    let generator = Generator::new(RATE_HZ, Vec::new());
    let mut score = Score::new(generator, vec![Cue { frame: 0, key: 1, sound: sound() }]);
    let mut heard = Vec::new();
    let played = offline(&mut score, RATE_HZ, |score, [left, _]| {
        heard.extend_from_slice(left);
        Ok::<_, ()>(score.is_over())
    });
    assert_eq!(played, Ok(()));
    heard
}

/// Adds a sound that begins between two frames, by ideal interpolation: a windowed sinc
/// of 64 frames, which rings before the click as a converter's filter does.
fn add(samples: &mut [f32], sound: &[f32], at: f64, gain: f32) {
    let (whole, fraction) = (at.floor() as i64, at.fract());
    for (n, level) in sound.iter().enumerate() {
        for k in -32..32i64 {
            let place = whole + n as i64 + k;
            let share = if fraction == 0.0 {
                f64::from(u8::from(k == 0))
            } else {
                sinc(k as f64 - fraction)
            };
            samples[place as usize] += (share * f64::from(*level)) as f32 * gain;
        }
    }
}

fn sinc(x: f64) -> f64 {
    let window = if x.abs() < 32.0 { (PI * x / 64.0).cos().powi(2) } else { 0.0 };
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) * window }
}

fn found(samples: &[f32], threshold: Option<f32>) -> Vec<Onset> {
    let (mut onsets, mut all) = (OnsetFinder::new(RATE_HZ, threshold), Vec::new());
    for (n, input) in samples.chunks(256).enumerate() {
        onsets.hear(n as u64 * 256, input, &mut |onset| all.push(onset));
    }
    all
}

/// Noise between -1 and 1.
fn noise(seed: u32, frames: usize) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    (0..frames).map(|_| next()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The shape of a click between frames moves its half by less than a third of one.
    #[test]
    fn a_click_is_found_within_half_a_frame(
        at in 16_000.0f64..40_000.0,
        gain in prop_oneof![0.05f32..4.0, -4.0f32..-0.05],
        offset in -0.3f32..0.3,
        hiss in 0.0f32..0.001,
        seed in any::<u32>(),
    ) {
        let mut samples: Vec<f32> =
            noise(seed, 48_000).into_iter().map(|x| x * hiss + offset).collect();
        add(&mut samples, &click(), at, gain.clamp(-2.0, 2.0));
        let all = found(&samples, None);
        prop_assert_eq!(all.len(), 1, "{:?}", all);
        prop_assert!((all[0].frame - at).abs() < 0.5, "{} at {at}", all[0].frame);
    }

    /// How strong a sound is and which way up changes nothing; this is what a threshold
    /// alone cannot do.
    #[test]
    fn strength_and_sign_do_not_move_an_onset(
        at in 16_000.0f64..40_000.0,
        gain in prop_oneof![0.02f32..1.0, -1.0f32..-0.02],
    ) {
        let of = |gain| {
            let mut samples = vec![0.0; 48_000];
            add(&mut samples, &click(), at, gain);
            found(&samples, Some(0.001))[0].frame
        };
        prop_assert!((of(gain) - of(1.0)).abs() < 1e-3);
    }

    #[test]
    fn a_click_on_a_frame_is_found_on_it(at in 16_000u32..40_000, gain in 0.01f32..2.0) {
        let mut samples = vec![0.0; 48_000];
        add(&mut samples, &click(), f64::from(at), gain);
        let all = found(&samples, None);
        prop_assert_eq!(all.len(), 1);
        prop_assert!((all[0].frame - f64::from(at)).abs() < 1e-3, "{} at {at}", all[0].frame);
    }
}

#[test]
fn noise_alone_has_no_onset() {
    for seed in 1..20 {
        let samples: Vec<f32> = noise(seed, 96_000).into_iter().map(|x| x * 0.01).collect();
        assert_eq!(found(&samples, None), []);
    }
}

#[test]
fn every_click_of_the_generator_is_found_on_its_frame() {
    let frames: Vec<u64> = (1..20).map(|n| 15_000 + n * 4_801).collect();
    let cues = frames.iter().map(|frame| Cue { frame: *frame, key: *frame, sound: sound() });
    let mut score = Score::new(Generator::new(RATE_HZ, Vec::new()), cues.collect());
    let mut heard = vec![0.0f32; 0];
    let played = offline(&mut score, RATE_HZ, |score, [left, _]| {
        heard.extend_from_slice(left);
        Ok::<_, ()>(score.is_over())
    });
    assert_eq!(played, Ok(()));
    heard.extend([0.0; 512]);
    let all: Vec<u64> =
        found(&heard, None).iter().map(|onset| onset.frame.round() as u64).collect();
    assert_eq!(all, frames);
}

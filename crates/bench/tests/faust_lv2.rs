//! Faust's reverberator as a plugin, the one of Vignati et al. (2022), beside what Faust's own C++
//! answers to the same impulse. Passed over where the plugin is not installed;
//! docs/audio-tests.md says how it is made.

use super::{FRAMES, found};
use std::f64::consts::TAU;

/// `fdnrev0_demo(8, 5, 3)` of Faust 2.54.9.
const REVERBERATOR: &str = "https://faustlv2.bitbucket.io/reverbDesigner_light";
const RATE_HZ: u32 = 48_000;
const PERIODS: usize = 2_250; // 3 s

/// Frames of the response with their values, by the C++ class that `faust -lang cpp` makes of the
/// same file (`g++ -O2`), an impulse at each of its four inputs.
const RESPONSE: [(usize, f32); 8] = [
    (4_911, 0.0),
    (4_912, 0.01),
    (8_192, 0.02),
    (13_106, 0.007_766_62),
    (16_385, -0.006_665_441_7),
    (47_950, -0.000_123_034_57),
    (96_028, -3.265_866_3e-5),
    (143_049, -1.868_918_7e-6),
];

/// Bands in Hz, and the time in s in which the same response decays there by 60 dB. The sliders say
/// 8.4, 6.5, 5.0, 3.8 and 2.7 s. It decays faster, because four of its eight delay lines are meant
/// to be longer than the 8,192 frames that Faust's library gives them, and lose for all that length.
const DECAYS: [(f64, f64, f64); 5] = [
    (100.0, 400.0, 7.5459),
    (600.0, 900.0, 6.0528),
    (1_200.0, 1_800.0, 4.3215),
    (2_400.0, 3_600.0, 2.9614),
    (4_800.0, 9_600.0, 2.2496),
];

#[test]
fn fausts_reverberator_answers_an_impulse_as_its_own_code_does() {
    let Some(response) = response() else { return };
    for (frame, expected) in RESPONSE {
        let found = response[frame];
        assert!((found - expected).abs() < 1e-7, "frame {frame}: {found}, not {expected}");
    }
    for (from, to, expected) in DECAYS {
        let found = decay(&response, from, to);
        assert!((found / expected - 1.0).abs() < 0.001, "{from} Hz: {found} s, not {expected} s");
    }
}

/// What its first output gives after an impulse.
fn response() -> Option<Vec<f32>> {
    let mut instance = found(REVERBERATOR)?.instance(RATE_HZ).expect("an instance");
    let mut response = Vec::new();
    let mut input = vec![0.0; FRAMES as usize];
    input[0] = 1.0;
    for _ in 0..PERIODS {
        instance.process(&input);
        response.extend_from_slice(instance.outputs().next().expect("an output"));
        input[0] = 0.0;
    }
    Some(response)
}

/// Frames of a window, 85 ms.
const WINDOW: usize = 4_096;

/// The time of 60 dB in s, by the line through the levels of windows from .2 to 2 s.
fn decay(response: &[f32], from: f64, to: f64) -> f64 {
    let rate = f64::from(RATE_HZ);
    let frequencies: Vec<f64> =
        (0..8).map(|n| from * (to / from).powf(f64::from(n) / 7.0)).collect();
    let starts = (9_600..96_000).step_by(WINDOW);
    let levels: Vec<(f64, f64)> = starts
        .map(|start| {
            let sound = &response[start..start + WINDOW];
            let power: f64 = frequencies.iter().map(|hz| power(sound, hz / rate)).sum();
            (start as f64 / rate, 10.0 * power.log10())
        })
        .collect();
    -60.0 / slope(&levels)
}

/// The power of a sound at a frequency in cycles a frame, through Hann's window.
fn power(sound: &[f32], frequency: f64) -> f64 {
    let (mut re, mut im) = (0.0, 0.0);
    for (n, value) in sound.iter().enumerate() {
        let hann = 0.5 - 0.5 * (TAU * n as f64 / (WINDOW - 1) as f64).cos();
        let (sin, cos) = (TAU * frequency * n as f64).sin_cos();
        re += f64::from(*value) * hann * cos;
        im -= f64::from(*value) * hann * sin;
    }
    re * re + im * im
}

/// Of the line through points, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    both / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

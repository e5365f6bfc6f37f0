//! The study's reverberator beside what Faust's own C++ answers to the same impulse.

use assert_no_alloc::assert_no_alloc;
use chronotap_audio::network::Designer;

const RATE_HZ: f64 = 48_000.0;

/// A frame, and what the left and the right output have there.
type Heard = (usize, [f32; 2]);

/// `fdnrev0_demo(8, 5, 3)` of Faust 2.54.9, by the C++ that `faust -lang cpp` makes of it (`g++
/// -O2`), after an impulse at its left input.
const LIGHT: [Heard; 8] = [
    (4_911, [0.0, 0.0]),
    (4_912, [0.01, 0.0]),
    (8_192, [0.02, 0.0]),
    (9_826, [-0.001_879_181_7, 0.0]),
    (13_106, [0.006_256_861_6, 0.003_758_363_4]),
    (16_385, [-0.005_155_683, -0.003_148_214_4]),
    (30_011, [2.944_338e-6, -2.753_54e-5]),
    (96_028, [-1.693_096_2e-5, -1.598_598e-5]),
];

/// `fdnrev0_demo(16, 5, 3)`, likewise.
const HEAVY: [Heard; 7] = [
    (1_679, [0.0, 0.0]),
    (1_680, [0.01, 0.0]),
    (3_050, [0.0, 0.001_582_096_9]),
    (8_192, [0.029_913_802, -7.856_285e-5]),
    (16_385, [-0.005_117_675, -0.001_795_245_3]),
    (30_011, [5.876_535_6e-5, 1.285_267_5e-5]),
    (47_950, [-2.159_651_4e-5, -4.825_745e-5]),
];

#[test]
fn the_light_one_answers_an_impulse_as_fausts_own_code_does() {
    hears::<8>(&LIGHT);
}

#[test]
fn the_heavy_one_answers_an_impulse_as_fausts_own_code_does() {
    hears::<16>(&HEAVY);
}

fn hears<const N: usize>(expected: &[Heard]) {
    let frames = expected.last().unwrap().0 + 1;
    let (left, right) = answer(&mut Designer::<N>::new(RATE_HZ), frames);
    for (frame, expected) in expected {
        let found = [left[*frame], right[*frame]];
        let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-7;
        assert!(found.iter().zip(expected).all(near), "{frame}: {found:?}, not {expected:?}");
    }
}

fn answer<const N: usize>(network: &mut Designer<N>, frames: usize) -> (Vec<f32>, Vec<f32>) {
    let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
    left[0] = 1.0;
    network.process(&mut left, &mut right);
    (left, right)
}

#[test]
fn what_was_reset_answers_as_new_without_allocation() {
    let mut network = Designer::<8>::new(RATE_HZ);
    let first = answer(&mut network, 20_000);
    network.reset();
    assert_eq!(answer(&mut network, 20_000), first);
    let (mut left, mut right) = ([0.1; 64], [0.0; 64]);
    assert_no_alloc(|| (0..100).for_each(|_| network.process(&mut left, &mut right)));
}

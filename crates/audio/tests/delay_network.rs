//! The network against a slow one, line by line and in double precision; and its decay.

use assert_no_alloc::assert_no_alloc;
use chronotap_audio::network::{BANDS, CROSSOVERS_HZ, DECAY_S, Network, lengths};
use std::collections::VecDeque;
use std::f64::consts::PI;

const RATE_HZ: f64 = 48_000.0;

/// A filter by its difference equation, a₀ being 1.
#[derive(Clone)]
struct Filter {
    b: Vec<f64>,
    a: Vec<f64>,
    inputs: VecDeque<f64>,
    outputs: VecDeque<f64>,
}

impl Filter {
    fn new(b: &[f64], a: &[f64]) -> Filter {
        let scale = |c: &[f64]| c.iter().map(|c| c / a[0]).collect::<Vec<_>>();
        let zeros = |n: usize| VecDeque::from(vec![0.0; n]);
        Filter {
            b: scale(b),
            a: scale(&a[1..]),
            inputs: zeros(b.len()),
            outputs: zeros(a.len() - 1),
        }
    }

    fn step(&mut self, x: f64) -> f64 {
        self.inputs.push_front(x);
        self.inputs.pop_back();
        let forward: f64 = self.b.iter().zip(&self.inputs).map(|(b, x)| b * x).sum();
        let back: f64 = self.a.iter().zip(&self.outputs).map(|(a, y)| a * y).sum();
        self.outputs.push_front(forward - back);
        self.outputs.pop_back();
        self.outputs[0]
    }
}

/// The product of two polynomials in 1/z.
fn times(p: &[f64], q: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; p.len() + q.len() - 1];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in q.iter().enumerate() {
            product[i + j] += a * b;
        }
    }
    product
}

/// Butterworth's order-3 denominator (1 + s)(1 + s + s²) at a corner, after the bilinear
/// transform; s is (1 - q) / (w (1 + q)).
fn denominator(w: f64) -> Vec<f64> {
    times(&[1.0 + w, w - 1.0], &[1.0 + w + w * w, 2.0 * (w * w - 1.0), 1.0 - w + w * w])
}

struct Slow {
    lines: Vec<VecDeque<f64>>,
    banks: Vec<SlowBank>,
}

/// One line's bands, each with its own chain of filters from the line's output.
struct SlowBank {
    chains: Vec<(Vec<Filter>, f64)>,
}

impl SlowBank {
    fn new(frames: usize) -> SlowBank {
        let corner = |n: usize| (PI * CROSSOVERS_HZ[n] / RATE_HZ).tan();
        let low = |n: usize| {
            let w = corner(n);
            Filter::new(&[1.0, 3.0, 3.0, 1.0].map(|b| b * w * w * w), &denominator(w))
        };
        let high = |n: usize| Filter::new(&[1.0, -3.0, 3.0, -1.0], &denominator(corner(n)));
        let level = |n: usize| {
            let w = corner(n);
            let a = [1.0 + w + w * w, 2.0 * (w * w - 1.0), 1.0 - w + w * w];
            Filter::new(&[a[2], a[1], a[0]], &a)
        };
        let chain = |band: usize| {
            let mut filters: Vec<Filter> = (0..band).map(low).collect();
            if band < BANDS - 1 {
                filters.push(high(band));
                filters.extend((band + 1..BANDS - 1).map(level));
            }
            let decay = DECAY_S[BANDS - 1 - band];
            (filters, 10f64.powf(-3.0 * frames as f64 / (decay * RATE_HZ)))
        };
        SlowBank { chains: (0..BANDS).map(chain).collect() }
    }

    fn step(&mut self, x: f64) -> f64 {
        let through = |filters: &mut Vec<Filter>| filters.iter_mut().fold(x, |x, f| f.step(x));
        self.chains.iter_mut().map(|(filters, weight)| through(filters) * *weight).sum()
    }
}

impl Slow {
    fn new<const N: usize>() -> Slow {
        let lengths = lengths::<N>(RATE_HZ);
        Slow {
            lines: lengths.iter().map(|n| VecDeque::from(vec![0.0; *n])).collect(),
            banks: lengths.iter().map(|n| SlowBank::new(*n)).collect(),
        }
    }

    fn step(&mut self, input: [f64; 2]) -> [f64; 2] {
        let n = self.lines.len();
        let ends: Vec<f64> = self.lines.iter_mut().map(|line| line.pop_back().unwrap()).collect();
        let banked: Vec<f64> = self.banks.iter_mut().zip(ends).map(|(b, x)| b.step(x)).collect();
        let mut output = [0.0; 2];
        for (row, line) in self.lines.iter_mut().enumerate() {
            let sign = |column: usize| {
                if (row & column).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 }
            };
            let mixed: f64 = banked.iter().enumerate().map(|(column, x)| sign(column) * x).sum();
            let next = input[row % 2] + mixed / (n as f64).sqrt();
            output[row % 2] += next;
            line.push_front(next);
        }
        output.map(|sample| sample * 0.01)
    }
}

fn signal(n: usize) -> [f32; 2] {
    let burst = if n % 9_000 < 700 { 0.5 } else { 0.0 };
    let tone = |hz: f64| (2.0 * PI * hz * n as f64 / RATE_HZ).sin() as f32;
    [burst * tone(330.0), burst * tone(2_750.0)]
}

fn differs_by<const N: usize>(frames: usize) -> f64 {
    let (mut fast, mut slow) = (Network::<N>::new(RATE_HZ), Slow::new::<N>());
    let mut worst: f64 = 0.0;
    for n in 0..frames {
        let [left, right] = signal(n);
        let expected = slow.step([f64::from(left), f64::from(right)]);
        let (mut left, mut right) = ([left], [right]);
        fast.process(&mut left, &mut right);
        for (found, expected) in [left[0], right[0]].into_iter().zip(expected) {
            worst = worst.max((f64::from(found) - expected).abs());
        }
    }
    worst
}

#[test]
fn the_light_network_is_the_slow_one_within_float_error() {
    let worst = differs_by::<8>(40_000);
    assert!(worst < 1e-6, "{worst}"); // the signal's peak is 0.04
}

#[test]
fn the_heavy_network_is_the_slow_one_within_float_error() {
    let worst = differs_by::<16>(20_000);
    assert!(worst < 1e-6, "{worst}");
}

#[test]
fn an_impulse_decays_as_its_bands_should() {
    let mut network = Network::<8>::new(RATE_HZ);
    let mut energy_of = |seconds: f64, impulse: f32| {
        let mut left = vec![0.0; (seconds * RATE_HZ) as usize];
        left[0] = impulse;
        let mut right = vec![0.0; left.len()];
        network.process(&mut left, &mut right);
        left.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>()
    };
    energy_of(0.5, 1.0);
    let first = energy_of(1.0, 0.0);
    let later = energy_of(1.0, 0.0);
    let decibels = 10.0 * (first / later).log10();
    // 60 dB in 2.7 to 8.4 s is 7.1 to 22.2 dB a second.
    assert!((7.0..22.3).contains(&decibels), "{decibels} dB");
}

#[test]
fn what_was_reset_sounds_as_new() {
    let run = |network: &mut Network<8>| {
        let (mut left, mut right): (Vec<f32>, Vec<f32>) =
            (0..20_000).map(|n| signal(n).into()).unzip();
        network.process(&mut left, &mut right);
        (left, right)
    };
    let mut network = Network::<8>::new(RATE_HZ);
    let first = run(&mut network);
    network.reset();
    // The rings stand elsewhere, but are as empty.
    assert_eq!(run(&mut network), first);
}

#[test]
fn sound_is_made_without_allocation() {
    let mut network = Network::<16>::new(RATE_HZ);
    let (mut left, mut right) = ([0.1; 64], [0.0; 64]);
    assert_no_alloc(|| (0..100).for_each(|_| network.process(&mut left, &mut right)));
}

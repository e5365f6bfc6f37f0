//! Artefacts are recognised in made-up measurements that have them, also beneath
//! noise and beside each other, and not in those that have none.

use chronotap_core::time::Nanos;
use chronotap_linux::machine::signature::{
    Artefact, StampedValue, comb, recognise, simultaneous, throttling, timer_slack,
};
use proptest::prelude::*;

/// A small generator of its own, so that a seed says everything (xorshift64*).
struct Random(u64);

impl Random {
    fn of(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// 0 to 1, never 0.
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        (bits as f64 + 1.0) / (1u64 << 53) as f64
    }

    fn exponential(&mut self, mean_us: f64) -> Nanos {
        Nanos((-self.uniform().ln() * mean_us * 1e3) as i64)
    }

    fn normal(&mut self, mean_us: f64, sd_us: f64) -> Nanos {
        let (a, b) = (self.uniform(), self.uniform());
        let z = (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos();
        Nanos(((mean_us + sd_us * z) * 1e3) as i64)
    }
}

const INTERVAL: Nanos = Nanos::from_millis(1);

/// Deadlines 1 ms apart, each late by what `late` says.
fn measured(n: i64, mut late: impl FnMut(i64) -> Nanos) -> Vec<StampedValue> {
    let sample = |k| {
        let value = late(k);
        (INTERVAL * k + value, value)
    };
    (0..n).map(sample).collect()
}

fn of(found: Option<chronotap_linux::machine::signature::Signature>) -> Option<Artefact> {
    found.map(|signature| signature.artefact)
}

/// 50 ms are missing at the end of each second; the loop then catches up.
fn throttled(random: &mut Random) -> Vec<StampedValue> {
    measured(10_000, |k| {
        let in_second = k % 1_000;
        let pause =
            if in_second >= 950 { Nanos::from_millis(1_000 - in_second) } else { Nanos::ZERO };
        pause + random.exponential(10.0)
    })
}

/// Most wake up at the end of the slack, one in ten earlier.
fn slack(random: &mut Random) -> Vec<StampedValue> {
    measured(5_000, |_| {
        let early = if random.uniform() < 0.1 { random.uniform() * 50.0 } else { 50.0 };
        Nanos::round_from_f64(early * 1e3) + random.normal(14.0, 1.5)
    })
}

fn toothed(random: &mut Random, step_ms: i64, jitter_us: f64) -> Vec<StampedValue> {
    let mut seen = Nanos::ZERO;
    let mut sample = || {
        let tooth = (random.uniform() * 5.0) as i64;
        let value = Nanos::from_millis(step_ms * tooth) + random.normal(60.0, jitter_us);
        seen += Nanos::from_millis(20) + value;
        (seen, value)
    };
    (0..1_000).map(|_| sample()).collect()
}

#[test]
fn throttling_is_known_whether_the_loop_catches_up_or_not() {
    let samples = throttled(&mut Random::of(1));
    assert_eq!(of(throttling(&samples)), Some(Artefact::Throttling));
    let first_only: Vec<StampedValue> = samples
        .iter()
        .copied()
        .filter(|(_, late)| *late < Nanos::from_millis(1) || *late > Nanos::from_millis(49))
        .collect();
    assert_eq!(of(throttling(&first_only)), Some(Artefact::Throttling));
}

#[test]
fn pauses_of_another_length_or_rhythm_are_no_throttling() {
    let random = &mut Random::of(2);
    let pauses = |every: i64, ms: i64| move |k: i64| if k % every == every - 1 { ms } else { 0 };
    for (every, ms) in [(1_000, 20), (1_000, 80), (700, 50), (1_500, 50)] {
        let pause = pauses(every, ms);
        let samples = measured(9_000, |k| Nanos::from_millis(pause(k)) + random.exponential(10.0));
        assert_eq!(throttling(&samples), None, "{ms} ms every {every} ms");
    }
}

#[test]
fn slack_is_known_by_itself_and_beside_a_real_time_thread() {
    let random = &mut Random::of(3);
    let ordinary = slack(random);
    let realtime = measured(5_000, |_| random.normal(14.0, 1.5));
    let us = Nanos::from_micros;
    assert_eq!(of(timer_slack(&ordinary, None, us(50))), Some(Artefact::TimerSlack));
    assert_eq!(of(timer_slack(&ordinary, Some(&realtime), us(50))), Some(Artefact::TimerSlack));
    assert_eq!(timer_slack(&realtime, None, us(50)), None);
    assert_eq!(timer_slack(&realtime, Some(&realtime), us(50)), None);
    assert_eq!(timer_slack(&ordinary, None, Nanos::ZERO), None); // a thread without slack
    let slow = measured(5_000, |_| random.normal(70.0, 8.0)); // slow, and not for slack
    assert_eq!(timer_slack(&slow, None, us(50)), None);
}

#[test]
fn combs_are_known_by_their_widest_step() {
    let random = &mut Random::of(4);
    let steps = [(1, Artefact::Comb1Ms), (4, Artefact::Comb4Ms), (10, Artefact::Comb10Ms)];
    for (step, artefact) in steps {
        assert_eq!(of(comb(&toothed(random, step, 20.0))), Some(artefact));
    }
    assert_eq!(comb(&toothed(random, 1, 400.0)), None, "teeth as wide as the gaps");
}

#[test]
fn a_loop_that_catches_up_is_no_comb() {
    let random = &mut Random::of(5);
    // one stall: all its deadlines are served together at its end
    let mut samples = measured(2_000, |_| random.exponential(10.0));
    let end = Nanos::from_millis(1_100);
    for (k, sample) in samples.iter_mut().enumerate().take(1_100).skip(1_000) {
        let seen = end + Nanos(k as i64 * 500);
        *sample = (seen, seen - INTERVAL * k as i64);
    }
    assert_eq!(comb(&samples), None);
}

#[test]
fn narrow_values_with_a_smooth_tail_are_no_comb() {
    let random = &mut Random::of(6);
    let samples = measured(5_000, |_| match random.uniform() < 0.1 {
        true => Nanos::round_from_f64(random.uniform() * 4e6),
        false => random.exponential(50.0),
    });
    assert_eq!(comb(&samples), None);
}

/// Two cores with noise, and stalls of 3 ms at the given times, in ms.
fn cores(random: &mut Random, first: &[i64], second: &[i64]) -> [Vec<StampedValue>; 2] {
    [first, second].map(|stalls| {
        measured(10_000, |k| {
            let stall = stalls.iter().find(|at| (**at..**at + 3).contains(&k));
            let rest = stall.map_or(Nanos::ZERO, |at| Nanos::from_millis(at + 3 - k));
            rest + random.exponential(10.0)
        })
    })
}

#[test]
fn delays_of_all_cores_at_once_are_the_hosts_or_the_firmwares() {
    let random = &mut Random::of(7);
    let times = [500, 2_600, 4_400, 7_000, 9_100];
    let together = cores(random, &times, &times);
    let found = simultaneous(&[&together[0], &together[1]]).unwrap();
    assert!(found.sentence().contains("5 delays came on all 2 processors"), "{}", found.sentence());
    let apart = cores(random, &times, &times.map(|at| at + 50));
    assert_eq!(simultaneous(&[&apart[0], &apart[1]]), None);
    assert_eq!(simultaneous(&[&together[0]]), None, "one core cannot tell");
    assert_eq!(simultaneous(&[]), None);
}

#[test]
fn several_artefacts_in_one_measurement_are_each_named() {
    let random = &mut Random::of(8);
    let (mut a, mut b) = (throttled(random), throttled(random));
    a.iter_mut().chain(&mut b).for_each(|(seen, late)| {
        let more = random.exponential(5.0);
        (*seen, *late) = (*seen + more, *late + more);
    });
    let found: Vec<Artefact> =
        recognise(&[&a, &b], Nanos::ZERO).iter().map(|signature| signature.artefact).collect();
    assert!(found.contains(&Artefact::Throttling), "{found:?}");
    assert!(found.contains(&Artefact::Simultaneous), "{found:?}");
}

#[test]
fn three_long_delays_a_second_apart_among_many_shorter_ones_are_chance() {
    let random = &mut Random::of(6_224_264_055_494_308_481);
    let noise = [(); 2].map(|()| measured(3_000, |_| random.exponential(4_815.092_227_614_763)));
    assert_eq!(recognise(&[&noise[0], &noise[1]], Nanos::from_micros(50)), []);
}

#[test]
fn nothing_is_recognised_in_nothing() {
    assert_eq!(recognise(&[], Nanos::from_micros(50)), []);
    assert_eq!(recognise(&[&[], &[]], Nanos::from_micros(50)), []);
    assert_eq!(recognise(&[&[(Nanos(1), Nanos(1))]], Nanos::from_micros(50)), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn exponential_noise_raises_no_alarm(seed: u64, mean_us in 1.0..20_000.0f64) {
        let random = &mut Random::of(seed);
        let noise = [(); 2].map(|()| measured(3_000, |_| random.exponential(mean_us)));
        prop_assert_eq!(recognise(&[&noise[0], &noise[1]], Nanos::from_micros(50)), []);
    }

    #[test]
    fn normal_noise_raises_no_alarm(seed: u64, mean_us in 0.0..5_000.0f64, sd_us in 0.1..5_000.0f64) {
        let random = &mut Random::of(seed);
        let noise = [(); 2].map(|()| measured(3_000, |_| random.normal(mean_us, sd_us)));
        prop_assert_eq!(recognise(&[&noise[0], &noise[1]], Nanos::from_micros(50)), []);
    }

    #[test]
    fn a_comb_is_known_beneath_a_third_of_noise(seed: u64, step in 0usize..3) {
        let random = &mut Random::of(seed);
        let step_ms = [1, 4, 10][step];
        let mut samples = toothed(random, step_ms, 20.0);
        for (_, value) in samples.iter_mut().step_by(3) {
            *value = random.exponential(step_ms as f64 * 500.0);
        }
        let expected = [Artefact::Comb1Ms, Artefact::Comb4Ms, Artefact::Comb10Ms][step];
        prop_assert_eq!(of(comb(&samples)), Some(expected));
    }

    #[test]
    fn slack_is_known_beneath_a_tenth_of_late_ones(seed: u64) {
        let random = &mut Random::of(seed);
        let mut samples = slack(random);
        for (_, value) in samples.iter_mut().step_by(10) {
            *value += random.exponential(300.0);
        }
        prop_assert_eq!(of(timer_slack(&samples, None, Nanos::from_micros(50))), Some(Artefact::TimerSlack));
    }
}

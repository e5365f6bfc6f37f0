//! Combs: values heap up at multiples of 1, 4 or 10 ms.
//!
//! Whoever is served by a clock of 1 kHz (USB frames, the sequencer's timer) or by
//! the kernel's tick (4 ms at 250 Hz, 10 ms at 100) gets times in its steps. Rule: each
//! value belongs to the nearest tooth, a multiple of the step plus an offset that all
//! share (their circular mean). Apart from the fullest tooth, which any narrow
//! distribution has, there are 40 samples or more in at least two teeth of 20 or more,
//! and 60 % of those lie within 0.15 steps of their tooth; of smooth noise 30 % do.
//! Samples seen within 50 us of the one before are left out: a loop that catches up
//! after a stall makes a comb of its own interval.

use super::{Artefact, Signature, StampedValue};
use chronotap_core::time::Nanos;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

const STEPS: [(Nanos, Artefact); 3] = [
    (Nanos::from_millis(10), Artefact::Comb10Ms),
    (Nanos::from_millis(4), Artefact::Comb4Ms),
    (Nanos::from_millis(1), Artefact::Comb1Ms),
];
const CAUGHT_UP: Nanos = Nanos::from_micros(50);
const LEAST_OF_TOOTH: usize = 20;
const LEAST_OF_ALL: usize = 40;

/// The comb with the widest step that the samples show; its finer ones follow from it.
pub fn comb(samples: &[StampedValue]) -> Option<Signature> {
    let values = apart(samples);
    STEPS.iter().find_map(|(step, artefact)| {
        let teeth = teeth(&values, *step)?;
        let evidence =
            format!("values heap up at {teeth} multiples of {} ms", step.as_millis_f64());
        Some(Signature::of(*artefact, evidence))
    })
}

/// The values of samples that were not seen together with the one before.
fn apart(samples: &[StampedValue]) -> Vec<Nanos> {
    let mut before = None;
    let mut values = Vec::with_capacity(samples.len());
    for (seen, value) in samples {
        if before.replace(*seen).is_none_or(|before| *seen - before >= CAUGHT_UP) {
            values.push(*value);
        }
    }
    values
}

/// How many teeth there are; none where it is no comb.
fn teeth(values: &[Nanos], step: Nanos) -> Option<usize> {
    let offset = circular_mean(values, step)?;
    let mut teeth: BTreeMap<i64, (usize, usize)> = BTreeMap::new(); // all, and near it
    for value in values {
        let (tooth, off) = nearest(*value - offset, step);
        let (all, near) = teeth.entry(tooth).or_default();
        *all += 1;
        *near += usize::from(off.abs().0 * 20 <= step.0 * 3);
    }
    let fullest = *teeth.iter().max_by_key(|(_, (all, _))| *all)?.0;
    let others =
        teeth.iter().filter(|(tooth, (all, _))| **tooth != fullest && *all >= LEAST_OF_TOOTH);
    let (count, all, near) = others.fold((0, 0, 0), |(count, sum, close), (_, (all, near))| {
        (count + 1, sum + all, close + near)
    });
    (count >= 2 && all >= LEAST_OF_ALL && near * 10 >= all * 6).then_some(count + 1)
}

fn nearest(value: Nanos, step: Nanos) -> (i64, Nanos) {
    let tooth = (value + step / 2).0.div_euclid(step.0);
    (tooth, value - step * tooth)
}

/// Where on the step the values lie on average, -0.5 to 0.5 steps.
fn circular_mean(values: &[Nanos], step: Nanos) -> Option<Nanos> {
    let angle = |value: &Nanos| value.0.rem_euclid(step.0) as f64 / step.0 as f64 * TAU;
    let (sin, cos) =
        values.iter().map(angle).fold((0.0, 0.0), |(sin, cos), a| (sin + a.sin(), cos + a.cos()));
    (!values.is_empty()).then(|| Nanos::round_from_f64(f64::atan2(sin, cos) / TAU * step.0 as f64))
}

//! A group that taps together: how closely at each moment, and who is ahead (Wing, Endo,
//! Bradbury & Vorberg 2014; the measures of the Groove Enhancement Machine, Fink et al. 2022).
//!
//! A moment is a beat of the pacing, or a tap of one of the group where nothing paces, for which
//! every member has a tap. Its spread is the standard deviation over members, with n − 1, of
//! their taps; its group asynchrony the mean of the members' asynchronies to the beat. A
//! member's lead is the mean over moments of its tap less the group's mean: negative is ahead.
//! Pairs of members are in [`crate::pairs`]; who adapts to whom, by model, is in
//! [`crate::correction`] with a partner each.
//!
//! Assumes members who tap at one level of the metre. Intervals are by moving blocks
//! ([`crate::bootstrap`]), since neighbouring moments depend on each other; in short runs they
//! hold the truth less often than in 95 % (docs/statistics.md). Limit: moments with a missing
//! tap are left out and counted.

use crate::bootstrap::{Resampling, interval};
use crate::estimate::Estimate;
use crate::matching::{WINDOW, match_taps};
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use crate::observed::ObservedStream;
use chronotap_core::time::Nanos;
use serde::Serialize;

/// How a group taps together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ensemble {
    /// Moments for which everybody has a tap.
    pub moments: usize,
    /// Moments for which somebody has none.
    pub incomplete: usize,
    /// Mean over moments of the standard deviation over members, in ms.
    pub spread_ms: Estimate,
    /// Mean over moments of the group's mean asynchrony, in ms.
    pub asynchrony_ms: Estimate,
    /// Standard deviation over moments of the same, with n − 1, in ms.
    pub asynchrony_sd_ms: f64,
    /// Of each member, the mean of its tap less the group's mean, in ms; negative is ahead.
    pub leads_ms: Vec<Estimate>,
}

/// How members tap together around the moments of a reference: beats, or one member's taps.
/// All ascend. `seed` is that of the resampling.
pub fn ensemble(
    reference: &[Nanos],
    members: &[Vec<Nanos>],
    seed: u64,
) -> Result<Ensemble, NoEstimate> {
    NoEstimate::unless("members", members.len(), 2)?;
    let moments = moments(reference, members);
    let n = moments.len();
    let how = Resampling::of(n, seed);
    let over = |value: &dyn Fn(&[f64]) -> f64| {
        let values: Vec<f64> = moments.iter().map(|moment| value(moment)).collect();
        interval(n, how, |places| {
            Some(places.iter().map(|place| values[*place]).sum::<f64>() / places.len() as f64)
        })
    };
    let centre = |moment: &[f64]| mean(moment).unwrap_or(0.0);
    let spread_ms = over(&|moment| sd(moment))?;
    let asynchrony_ms = over(&centre)?;
    let lead = |member: usize| over(&|moment: &[f64]| moment[member] - centre(moment));
    let centres: Vec<f64> = moments.iter().map(|moment| centre(moment)).collect();
    Ok(Ensemble {
        moments: n,
        incomplete: reference.len() - n,
        spread_ms,
        asynchrony_ms,
        asynchrony_sd_ms: sd(&centres),
        leads_ms: (0..members.len()).map(lead).collect::<Result<_, _>>()?,
    })
}

/// Of each complete moment the asynchronies of the members to it, in ms.
fn moments(reference: &[Nanos], members: &[Vec<Nanos>]) -> Vec<Vec<f64>> {
    let stream = ObservedStream::steady("reference", reference.iter().copied());
    let mut found: Vec<Vec<Option<f64>>> = vec![vec![None; members.len()]; reference.len()];
    for (member, taps) in members.iter().enumerate() {
        for pair in match_taps(&stream, taps, WINDOW).pairs {
            found[pair.beat][member] = Some(pair.asynchrony.as_millis_f64());
        }
    }
    found.into_iter().filter_map(|moment| moment.into_iter().collect()).collect()
}

fn sd(values: &[f64]) -> f64 {
    let centre = mean(values).unwrap_or(0.0);
    let squares: f64 = values.iter().map(|value| square(value - centre)).sum();
    (squares / (values.len() as f64 - 1.0).max(1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    fn taps(ahead: i64) -> Vec<Nanos> {
        (0..20).map(|k| Nanos::from_millis(500 * k + 1_000 - ahead)).collect()
    }

    #[test]
    fn spread_asynchrony_and_leads_come_apart() {
        let beats = taps(0);
        let members = [taps(30), taps(20), taps(-20)];
        let found = ensemble(&beats, &members, 1).unwrap();
        near(found.asynchrony_ms.value, -10.0, 1e-9);
        near(found.spread_ms.value, 700f64.sqrt(), 1e-9);
        let leads: Vec<f64> = found.leads_ms.iter().map(|lead| lead.value).collect();
        for (lead, expected) in leads.iter().zip([-20.0, -10.0, 30.0]) {
            near(*lead, expected, 1e-9);
        }
        assert_eq!((found.moments, found.incomplete), (20, 0));
    }

    #[test]
    fn a_moment_without_a_tap_of_somebody_is_counted_and_not_used() {
        let mut gaps = taps(10);
        gaps.remove(4);
        let found = ensemble(&taps(0), &[taps(0), gaps], 1).unwrap();
        assert_eq!((found.moments, found.incomplete), (19, 1));
        assert!(ensemble(&taps(0), &[taps(0)], 1).is_err());
        assert!(ensemble(&[], &[taps(0), taps(1)], 1).is_err());
    }
}

//! Whether somebody predicts a changing tempo or follows it (Repp 2002; Pecenka & Keller
//! 2009, 2011).
//!
//! With inter-tap intervals I and inter-onset intervals C of the pacing, of the same number:
//! r0 = corr(I\[k\], C\[k\]), r1 = corr(I\[k\], C\[k−1\]). Ratio r0/r1, above 1 for prediction;
//! index r0 − r1, which holds where r1 is near 0. Both are inflated by the sequence's own
//! autocorrelation a = corr(C\[k\], C\[k−1\]); r* = (r − a)/(1 − a) takes it off: a pure
//! predictor has r0* = 1 and r1* = 0, a pure tracker the reverse.
//!
//! Where a tap was missed, the intervals on both sides of it are no neighbours, and r1 passes over them. The pacing went
//! on meanwhile: a is that of all its intervals. Taken from those that were tapped it depends on which were missed, and r*
//! divides by little: of beginners in 49 beats the interval of r0* then held the truth in 91 %, so in 94.
//!
//! Assumes a tempo that changes smoothly. Limits: r* says little
//! where a is near 1; with an even tempo nothing varies and there is no index.

use crate::autocorrelation::pearson;
use crate::intervals::Placed;
use crate::no_estimate::NoEstimate;
use serde::Serialize;

/// Prediction and tracking.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tracking {
    /// Pairs of intervals.
    pub n: usize,
    /// Correlation with the interval of the same place: prediction.
    pub r0: f64,
    /// Correlation with the interval before it: tracking.
    pub r1: f64,
    /// r0 / r1; `None` where r1 is 0.
    pub ratio: Option<f64>,
    /// r0 − r1.
    pub index: f64,
    /// The pacing's own correlation of neighbouring intervals.
    pub own: f64,
    /// r0 less what the pacing's own correlation explains; `None` where that is 1.
    pub r0_less_own: Option<f64>,
    /// r1 less what the pacing's own correlation explains; `None` where that is 1.
    pub r1_less_own: Option<f64>,
}

/// Fewest intervals of which the indices are given.
pub const FEWEST: usize = 10;

/// The indices of inter-tap intervals against the pacing's, which has one at each of their places and may have more.
///
/// # Errors
/// [`NoEstimate`] with fewer than [`FEWEST`] intervals, where the pacing lacks one of a place, and where nothing varies.
pub fn tracking(placed: &Placed, pacing: &Placed) -> Result<Tracking, NoEstimate> {
    NoEstimate::unless("intervals", placed.len(), FEWEST)?;
    let answered = pacing.at(placed.places());
    NoEstimate::unless_equal("intervals of the pacing", answered.len(), placed.len())?;
    let [taps, answered, whole] =
        [placed.intervals(), &answered, pacing.intervals()].map(|of| -> Vec<f64> {
            // Less the first, so that equal intervals differ by exactly nothing.
            of.iter().map(|interval| (*interval - of[0]).as_millis_f64()).collect()
        });
    let r0 = pearson(&taps, &answered).ok_or(NoEstimate::NothingVaries("intervals"))?;
    let (r1, own) = (after(placed, &taps, &answered), after(pacing, &whole, &whole));
    let (Some(r1), Some(own)) = (r1, own) else {
        return Err(NoEstimate::NothingVaries("intervals"));
    };
    let less_own = |r: f64| (own < 1.0).then(|| (r - own) / (1.0 - own));
    Ok(Tracking {
        n: taps.len(),
        r0,
        r1,
        ratio: (r1 != 0.0).then(|| r0 / r1),
        index: r0 - r1,
        own,
        r0_less_own: less_own(r0),
        r1_less_own: less_own(r1),
    })
}

/// The correlation of values with those of the neighbours before them.
fn after(placed: &Placed, values: &[f64], others: &[f64]) -> Option<f64> {
    let pairs = placed.next_to_each_other().map(|(before, now)| (values[now], others[before]));
    let (now, before): (Vec<f64>, Vec<f64>) = pairs.unzip();
    pearson(&now, &before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;
    use chronotap_core::time::Nanos;

    fn tracking(taps: &[Nanos], pacing: &[Nanos]) -> Result<Tracking, NoEstimate> {
        super::tracking(&Placed::all(taps.to_vec()), &Placed::all(pacing.to_vec()))
    }

    /// Somebody who only tracks a tempo without pattern, and misses every fourth tap: each interval that is left still
    /// equals the pacing's before it, and nothing else does.
    #[test]
    fn a_missed_tap_has_no_neighbours() {
        let pacing = of(|k| 500.0 + f64::from(((k * k * 37.0) as i32) % 101));
        let kept = || (1..24).filter(|k| k % 4 > 1);
        let taps = Placed::new(kept().map(|k| pacing[k - 1]).collect(), kept().collect());
        near(super::tracking(&taps.unwrap(), &Placed::all(pacing)).unwrap().r1, 1.0, 1e-9);
    }

    /// The tempo swings on, whichever of its intervals were tapped.
    #[test]
    fn the_pacing_s_own_correlation_is_the_same_whichever_taps_were_missed() {
        let pacing = of(tempo);
        let whole = tracking(&pacing, &pacing).unwrap();
        let tapped = Placed::all(pacing.clone());
        for missed in 2..20 {
            let kept: Vec<usize> = (0..24).filter(|k| k % 7 > 1 && *k != missed).collect();
            let taps = Placed::new(tapped.at(&kept), kept).unwrap();
            let found = super::tracking(&taps, &tapped).unwrap();
            near(found.own, whole.own, 1e-12);
            near(found.r0_less_own.unwrap(), 1.0, 1e-9);
        }
        let further = Placed::new(pacing.clone(), (1..=24).collect()).unwrap();
        assert!(matches!(super::tracking(&further, &tapped), Err(NoEstimate::Unequal { .. })));
    }

    fn tempo(k: f64) -> f64 {
        500.0 + 80.0 * libm::sin(std::f64::consts::TAU * k / 12.0)
    }

    fn of(interval: impl Fn(f64) -> f64) -> Vec<Nanos> {
        (0..24).map(|k| Nanos::round_from_f64(interval(f64::from(k)) * 1e6)).collect()
    }

    #[test]
    fn predictor_tracker_and_half_and_half_come_out_as_worked() {
        let pacing = of(tempo);
        let predictor = tracking(&pacing, &pacing).unwrap();
        near(predictor.r0, 1.0, 1e-9);
        near(predictor.r1, 0.8756, 5e-5);
        near(predictor.ratio.unwrap(), 1.1421, 5e-5);
        near(predictor.r0_less_own.unwrap(), 1.0, 1e-9);
        near(predictor.r1_less_own.unwrap(), 0.0, 1e-9);
        let tracker = tracking(&of(|k| tempo(k - 1.0)), &pacing).unwrap();
        near(tracker.r1, 1.0, 1e-9);
        near(tracker.r1_less_own.unwrap(), 1.0, 1e-9);
        let half = tracking(&of(|k| (tempo(k) + tempo(k - 1.0)) / 2.0), &pacing).unwrap();
        near(half.index, half.r0 - half.r1, 1e-12);
        assert!(half.r0 > 0.96 && half.r1 > 0.96, "{half:?}");
    }

    #[test]
    fn an_even_tempo_has_no_index() {
        let even = [Nanos::from_millis(500); 24];
        assert_eq!(tracking(&of(tempo), &even), Err(NoEstimate::NothingVaries("intervals")));
        assert!(tracking(&even[..9], &even[..9]).is_err());
        assert!(matches!(tracking(&even, &even[..9]), Err(NoEstimate::Unequal { .. })));
    }
}

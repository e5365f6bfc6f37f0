//! Reproduction of rhythms: errors of single intervals, ratios, and the drift of ratios
//! towards simple ones (Povel 1981; Repp, London & Keller 2011; Jacoby & McDermott 2017).
//!
//! A reproduction has as many intervals as the rhythm. Error: produced − asked. Tempo: the
//! ratio of the total lengths. A ratio is an interval's share of its rhythm, I / Σ I, so that
//! tempo is no error. The category of a share, in a rhythm of two intervals, is the closest of
//! 1:1, 1:2, 2:1, 1:3, 3:1, 2:3, 3:2; categorical drift is how much of the distance of the
//! asked share from its category is gone in the produced one: 0 as asked, 1 on the category,
//! negative away from it.
//!
//! Limits: drift has no value where the asked share is a category itself; shares half way
//! between two categories drift either way, so that they average to less than they are.

use crate::estimate::{Estimate, of_mean};
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;

/// The shares of the first of two intervals that make simple ratios.
pub const CATEGORIES: [f64; 7] =
    [1.0 / 4.0, 1.0 / 3.0, 2.0 / 5.0, 1.0 / 2.0, 3.0 / 5.0, 2.0 / 3.0, 3.0 / 4.0];

/// An asked share closer to a category than this has no drift.
const ON_CATEGORY: f64 = 1e-3;

/// How one interval of a rhythm was reproduced, over all reproductions.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproduced {
    /// The interval asked for, in ms.
    pub asked_ms: f64,
    /// Produced − asked, in ms.
    pub error_ms: Result<Estimate, NoEstimate>,
    /// The share asked for.
    pub asked_share: f64,
    /// The share produced − the share asked for.
    pub share_error: Result<Estimate, NoEstimate>,
    /// Categorical drift; only in rhythms of two intervals.
    pub drift: Option<Result<Estimate, NoEstimate>>,
}

/// Reproductions of a rhythm.
#[derive(Clone, Debug, PartialEq)]
pub struct RhythmReproduction {
    /// Reproductions of the right number of intervals.
    pub complete: usize,
    /// Others, which do not count.
    pub incomplete: usize,
    /// Total length produced / asked.
    pub tempo: Result<Estimate, NoEstimate>,
    /// Each interval of the rhythm.
    pub intervals: Vec<Reproduced>,
}

/// Describes reproductions of a rhythm; estimates are means over reproductions, with
/// Student's interval.
pub fn reproduction(
    asked: &[Nanos],
    produced: &[Vec<Nanos>],
) -> Result<RhythmReproduction, NoEstimate> {
    NoEstimate::unless("intervals of the rhythm", asked.len(), 2)?;
    let total = |of: &[Nanos]| of.iter().map(|i| i.as_millis_f64()).sum::<f64>();
    let whole = total(asked);
    if whole <= 0.0 {
        return Err(NoEstimate::NothingVaries("intervals of the rhythm"));
    }
    let complete: Vec<&Vec<Nanos>> =
        produced.iter().filter(|p| p.len() == asked.len() && total(p) > 0.0).collect();
    let of = |value: &dyn Fn(&[Nanos]) -> f64| -> Vec<f64> {
        complete.iter().map(|produced| value(produced)).collect()
    };
    let interval = |(place, interval): (usize, &Nanos)| {
        let asked_ms = interval.as_millis_f64();
        let asked_share = asked_ms / whole;
        let errors = of(&|p| p[place].as_millis_f64() - asked_ms);
        let shares = of(&|p| p[place].as_millis_f64() / total(p));
        let share_errors: Vec<f64> = shares.iter().map(|share| share - asked_share).collect();
        Reproduced {
            asked_ms,
            error_ms: of_mean("reproductions", &errors),
            asked_share,
            share_error: of_mean("reproductions", &share_errors),
            drift: (asked.len() == 2).then(|| drift(asked_share, &shares)),
        }
    };
    Ok(RhythmReproduction {
        complete: complete.len(),
        incomplete: produced.len() - complete.len(),
        tempo: of_mean("reproductions", &of(&|p| total(p) / whole)),
        intervals: asked.iter().enumerate().map(interval).collect(),
    })
}

fn drift(asked: f64, produced: &[f64]) -> Result<Estimate, NoEstimate> {
    let distance = |category: &f64| (asked - category).abs();
    let closest = CATEGORIES.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let category = closest.expect("there are categories");
    if distance(&category) < ON_CATEGORY {
        return Err(NoEstimate::Indistinct("the asked ratio and its category"));
    }
    let gone = |share: &f64| (share - asked) / (category - asked);
    of_mean("reproductions", &produced.iter().map(gone).collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    fn ms(times: &[i64]) -> Vec<Nanos> {
        times.iter().copied().map(Nanos::from_millis).collect()
    }

    #[test]
    fn errors_tempo_and_drift_come_apart() {
        // Asked 0.47 : 0.53; produced half way to 1:1, at four fifths of the length.
        let produced = vec![ms(&[388, 412]); 3];
        let found = reproduction(&ms(&[470, 530]), &produced).unwrap();
        near(found.tempo.as_ref().unwrap().value, 0.8, 1e-12);
        let first = &found.intervals[0];
        near(first.error_ms.as_ref().unwrap().value, -82.0, 1e-9);
        near(first.share_error.as_ref().unwrap().value, 0.015, 1e-12);
        near(first.drift.as_ref().unwrap().as_ref().unwrap().value, 0.5, 1e-9);
    }

    #[test]
    fn a_simple_ratio_does_not_drift_and_incomplete_ones_do_not_count() {
        let found = reproduction(&ms(&[400, 400]), &[ms(&[410, 400]), ms(&[400])]).unwrap();
        assert_eq!((found.complete, found.incomplete), (1, 1));
        assert!(matches!(found.intervals[0].drift, Some(Err(NoEstimate::Indistinct(_)))));
        assert!(found.tempo.is_err());
        assert!(reproduction(&ms(&[400]), &[]).is_err());
    }
}

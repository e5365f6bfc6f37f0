//! Adaptation and anticipation together: the parameters of ADAM (van der Steen & Keller 2013,
//! Frontiers in Human Neuroscience 7, 253; Harry & Keller 2019, Biological Cybernetics 113,
//! 397-421).
//!
//! Adaptation plans the next tap from the last asynchrony, anticipation from where the next
//! onset is expected, and the tap comes between both. With taps R, onsets S, A = R − S, and
//! the pacing's intervals s\[k\] = S\[k\] − S\[k−1\]:
//!
//! ```text
//! t[k+1] = t[k] − β A[k]                                   period correction
//! Pa     = R[k] + t[k+1] − α A[k]                          adaptation: phase correction
//! Pp     = S[k] + m (2 s[k] − s[k−1]) + (1 − m) s[k]       anticipation: m predicts, 1 − m tracks
//! R[k+1] = Pa − γ (Pa − Pp) + H[k]                         joint: γ is anticipatory correction
//! ```
//!
//! That is linear in A\[k\], ΣA, s\[k\] and s\[k\] − s\[k−1\], with coefficients
//! −(α (1 − γ) + γ), −β (1 − γ), γ and γ m. The noise is H\[k\] = T\[k\] + M\[k+1\] − (1 − γ) M\[k\],
//! of which only neighbours are correlated, as in phase correction. So it is fitted by the
//! same bGLS, each run with its own mean and a line for its mean asynchrony.
//! α is phase correction alone; published programs also print the sum α + β under this name.
//!
//! Intervals are those of a jackknife over runs (Tukey 1958), by Student's t.
//!
//! Assumes runs of one person and condition, each unbroken, and at least five of them. Limits: only pacing
//! whose tempo changes in both directions and irregularly tells the four apart. Under a smooth one the
//! change of the last interval follows from the rest, and m is not given (1.5 came out for 0.7). Nor is it where
//! γ cannot be told from 0: it is a ratio over γ. No pacing that was tried gives all four without bias
//! (docs/statistics.md): every interval comes with how often it held at worst, by the number of taps.

use super::least_squares::{Fit, fit, solved};
use super::rows::{Rows, of_anticipation};
use super::{FEWEST, TapRun};
use crate::estimate::{Estimate, of_mean};
use crate::no_estimate::NoEstimate;
use serde::Serialize;

/// The parameters, each with its interval for 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Adam {
    /// Phase correction.
    pub alpha: Estimate,
    /// Period correction.
    pub beta: Estimate,
    /// Anticipatory correction: 0 is adaptation alone, 1 anticipation alone.
    pub gamma: Estimate,
    /// The weight of prediction: 0 tracks the last interval, 1 goes on with its change.
    pub prediction: Result<Estimate, Unpredicted>,
    /// SD of the timekeeper, sT.
    pub timekeeper_sd_ms: f64,
    /// SD of the motor delays, sM.
    pub motor_sd_ms: f64,
    /// The SD of the timekeeper with its interval, in ms.
    pub timekeeper: Estimate,
    /// The SD of the motor delays with its interval, in ms.
    pub motor: Estimate,
    /// Intervals that were fitted.
    pub intervals: usize,
    pub runs: usize,
}

/// Why the weight of prediction is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Unpredicted {
    /// γ cannot be told from 0, and the weight is a ratio over it.
    NoAnticipation,
    /// The pacing is so smooth that its last change follows from the rest.
    SmoothPacing,
}

/// Fewest runs, for the jackknife.
pub const FEWEST_RUNS: usize = 5;
/// Nearer to 1 than this, γ leaves α and β without a meaning, and nearer to 0 m.
const EDGE: f64 = 0.02;
/// Less of the pacing's last change that does not follow from the rest is too little for m.
const OWN_SHARE: f64 = 0.12;

/// The parameters of one person towards one partner, from several runs.
pub fn adam(runs: &[TapRun]) -> Result<Adam, NoEstimate> {
    NoEstimate::unless("runs", runs.len(), FEWEST_RUNS)?;
    let rows = of_anticipation(runs)?;
    let count: usize = rows.iter().map(|rows| rows.response.len()).sum();
    NoEstimate::unless("intervals between taps", count, FEWEST.max(6 * runs.len()))?;
    let whole = fit(&rows).ok_or(ALIKE)?;
    let parameters = parameters(&whole)?;
    let without: Vec<[f64; 6]> =
        (0..rows.len()).map(|run| of_others(&rows, run)).collect::<Result<_, _>>()?;
    let estimate = |place: usize| {
        let values: Vec<f64> = without.iter().map(|found| found[place]).collect();
        jackknife(parameters[place], &values)
    };
    let gamma = estimate(2)?;
    let prediction = match tells_prediction(&rows, &gamma) {
        Ok(()) => Ok(estimate(3)?),
        Err(why) => Err(why),
    };
    let sd = |place: usize| Ok(Estimate { low: estimate(place)?.low.max(0.0), ..estimate(place)? });
    Ok(Adam {
        alpha: estimate(0)?,
        beta: estimate(1)?,
        gamma,
        prediction,
        timekeeper_sd_ms: parameters[4],
        motor_sd_ms: parameters[5],
        timekeeper: sd(4)?,
        motor: sd(5)?,
        intervals: whole.rows,
        runs: runs.len(),
    })
}

const ALIKE: NoEstimate = NoEstimate::Indistinct("adaptation and anticipation");

fn of_others(rows: &[Rows], but: usize) -> Result<[f64; 6], NoEstimate> {
    let others: Vec<Rows> =
        rows.iter().enumerate().filter(|(run, _)| *run != but).map(|(_, r)| r.clone()).collect();
    parameters(&fit(&others).ok_or(ALIKE)?)
}

/// sT and sM from g0 = sT² + (1 + (1 − γ)²) sM² and g1 = −(1 − γ) sM².
fn noise((g0, g1): (f64, f64), gamma: f64) -> (f64, f64) {
    let kept = 1.0 - gamma;
    let motor = (-g1 / kept).max(0.0);
    ((g0 - (1.0 + kept * kept) * motor).max(0.0).sqrt(), motor.sqrt())
}

/// α, β, γ and m from the coefficients, sT and sM from the covariances.
fn parameters(fit: &Fit) -> Result<[f64; 6], NoEstimate> {
    let [asynchrony, sum, interval, change] =
        [0, 1, 2, 3].map(|place: usize| fit.coefficients.get(place).copied().unwrap_or(f64::NAN));
    let gamma = interval;
    let is_apart = (1.0 - gamma).abs() > EDGE; // not so where it is no number
    if !is_apart {
        return Err(ALIKE);
    }
    let alpha = (-asynchrony - gamma) / (1.0 - gamma);
    let (timekeeper, motor) = noise(fit.covariances, gamma);
    Ok([alpha, -sum / (1.0 - gamma), gamma, change / gamma, timekeeper, motor])
}

fn tells_prediction(rows: &[Rows], gamma: &Estimate) -> Result<(), Unpredicted> {
    if gamma.value.abs() <= EDGE || gamma.holds(0.0) {
        return Err(Unpredicted::NoAnticipation);
    }
    let told = own_share(rows, CHANGE).is_some_and(|own| own > OWN_SHARE);
    if told { Ok(()) } else { Err(Unpredicted::SmoothPacing) }
}

/// The column of the pacing's last change ([`of_anticipation`]).
const CHANGE: usize = 3;

/// How much of a column's squares the other columns leave, from 0 to 1.
fn own_share(rows: &[Rows], place: usize) -> Option<f64> {
    let (_, errors) = solved(rows, (1.0, 0.0))?;
    let squares: f64 = rows.iter().flat_map(|run| &run.columns[place]).map(|x| x * x).sum();
    Some(1.0 / (errors[place] * errors[place] * squares))
}

/// The interval from the estimates without one run each: their spread is that of n − 1 times
/// as much data as lies between them.
fn jackknife(value: f64, without: &[f64]) -> Result<Estimate, NoEstimate> {
    let n = without.len() as f64;
    let spread = of_mean("runs", without)?;
    // of_mean's standard error is √(Σd²/(n−1)/n); the jackknife's is √((n−1)/n Σd²).
    Ok(Estimate::student(value, spread.standard_error * (n - 1.0), n - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;

    /// A tapper of known parameters, without noise, to a pacing whose tempo changes irregularly.
    fn run(parameters: [f64; 4], start: f64) -> TapRun {
        let steps = |k: u32| 20.0 * f64::from((k * k + 3 * k) % 7);
        follows(parameters, start, |k| steps(k) + (10.0 + start) * f64::from(k % 5))
    }

    /// The same to a sine of 21 beats.
    fn sine(parameters: [f64; 4], start: f64) -> TapRun {
        follows(parameters, start, |k| 80.0 * (0.3 * f64::from(k)).sin())
    }

    fn follows(parameters: [f64; 4], start: f64, longer: impl Fn(u32) -> f64) -> TapRun {
        let [alpha, beta, gamma, prediction] = parameters;
        let (mut tap, mut onset, mut period) = (start, 0.0, 500.0);
        let (mut last, mut before) = (500.0, 500.0);
        let mut run = TapRun { taps: Vec::new(), partners: vec![Vec::new()] };
        for k in 0..60 {
            run.taps.push(Nanos::round_from_f64(tap * 1e6));
            run.partners[0].push(Nanos::round_from_f64(onset * 1e6));
            let asynchrony = tap - onset;
            period -= beta * asynchrony;
            let adapted = tap + period - alpha * asynchrony;
            let expected = onset + last + prediction * (last - before);
            tap = adapted - gamma * (adapted - expected);
            let next = 500.0 + longer(k);
            onset += next;
            (before, last) = (last, next);
        }
        run
    }

    fn runs(parameters: [f64; 4]) -> Vec<TapRun> {
        (0..6).map(|k| run(parameters, f64::from(k))).collect()
    }

    #[test]
    fn without_noise_every_parameter_is_exact() {
        let truth = [0.4, 0.1, 0.3, 0.7];
        let found = adam(&runs(truth)).unwrap();
        let values =
            [found.alpha, found.beta, found.gamma, found.prediction.unwrap()].map(|e| e.value);
        for (value, truth) in values.iter().zip(truth) {
            assert!((value - truth).abs() < 1e-4, "{found:?}");
        }
        assert_eq!((found.runs, found.intervals), (6, 6 * 57));
    }

    #[test]
    fn adaptation_alone_has_no_prediction_and_too_few_runs_are_refused() {
        let found = adam(&runs([0.4, 0.1, 0.0, 0.7])).unwrap();
        assert!(
            (found.alpha.value - 0.4).abs() < 1e-4
                && found.prediction == Err(Unpredicted::NoAnticipation),
            "{found:?}"
        );
        assert!(matches!(adam(&runs([0.4, 0.1, 0.3, 0.7])[..4]), Err(NoEstimate::TooFew { .. })));
    }

    /// Without noise the asynchronies under a sine are a sine too, and so is its change.
    #[test]
    fn a_smooth_pacing_tells_no_prediction() {
        let smooth: Vec<TapRun> =
            (0..6).map(|k| sine([0.4, 0.1, 0.3, 0.7], f64::from(k))).collect();
        assert_eq!(adam(&smooth).unwrap().prediction, Err(Unpredicted::SmoothPacing));
    }
}

//! [`fit`]: least squares of rows whose noise is a moving average of order one, with its
//! covariances estimated in turn and kept within bounds.

use super::rows::Rows;

/// What was fitted.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub rows: usize,
    pub coefficients: Vec<f64>,
    /// Standard errors of the coefficients.
    pub errors: Vec<f64>,
    /// Standard error of g1 / g0, where it can be told from the coefficients.
    pub ratio_error: Option<f64>,
    /// g0 and g1 of the noise.
    pub covariances: (f64, f64),
    pub at_bound: bool,
    pub converged: bool,
}

/// Most rounds, and the change in all that ends them sooner, as in the published program: a round
/// fits with the covariances of the one before, and then takes them anew from what it leaves.
const ROUNDS: usize = 20;
const AT_REST: f64 = 1e-3;

/// `None` where the columns depend on each other, or nothing varies.
pub(super) fn fit(runs: &[Rows]) -> Option<Fit> {
    let mut covariances = (1.0, 0.0);
    let mut coefficients: Vec<f64> = Vec::new();
    let (mut at_bound, mut converged) = (false, false);
    for round in 0..ROUNDS {
        // Without any noise there is nothing to weigh by.
        let weights = if covariances.0 > 0.0 { covariances } else { (1.0, 0.0) };
        let (next, _) = solved(runs, weights)?;
        (covariances, at_bound) = bounded(residual_covariances(runs, &next));
        let change: f64 = next.iter().zip(&coefficients).map(|(a, b)| (a - b).abs()).sum();
        coefficients = next;
        converged = round > 0 && change < AT_REST;
        if converged {
            break;
        }
    }
    let mut errors = standard_errors(runs, &coefficients, covariances);
    let ratio_error = errors.get(coefficients.len()).copied();
    errors.truncate(coefficients.len());
    let rows = runs.iter().map(|run| run.response.len()).sum();
    Some(Fit { rows, coefficients, errors, ratio_error, covariances, at_bound, converged })
}

/// Standard errors that count the covariances as estimated with the rest: those of least
/// squares (Gauss and Newton) of the innovations over the coefficients and g1/g0 together, as
/// for a moving average in time series (Box & Jenkins 1970). Least squares with known
/// covariances would make them too small by half in an even metronome, where correction and
/// motor delays are told apart by little. The last one is that of g1/g0, where it can be told.
fn standard_errors(runs: &[Rows], coefficients: &[f64], (g0, g1): (f64, f64)) -> Vec<f64> {
    if g0 <= 0.0 {
        return vec![0.0; coefficients.len()];
    }
    const STEP: f64 = 1e-5;
    let at = |step: f64| Factor::of(longest(runs), (1.0, g1 / g0 + step));
    let [middle, wider, narrower] = [0.0, STEP, -STEP].map(at);
    let widened = runs.iter().map(|run| {
        let residuals = residuals(run, coefficients);
        let [more, less] = [&wider, &narrower].map(|factor| factor.whitened(&residuals));
        // As a column of the rows: what whitening will make the derivative of the innovations.
        let slope = |k: usize| {
            (more[k] * wider.diagonal[k] - less[k] * narrower.diagonal[k]) / (2.0 * STEP)
        };
        let slopes: Vec<f64> =
            (0..residuals.len()).map(|k| slope(k) / middle.diagonal[k]).collect();
        let mut columns = run.columns.clone();
        columns.push(middle.coloured(&slopes));
        Rows { response: run.response.clone(), columns }
    });
    let widened: Vec<Rows> = widened.collect();
    let errors = solved(&widened, (g0, g1)).or_else(|| solved(runs, (g0, g1)));
    errors.map_or(vec![0.0; coefficients.len()], |(_, errors)| errors)
}

/// sT ≥ sM ≥ 0, that is g1 ≤ 0 and g0 ≥ −3 g1.
fn bounded((g0, g1): (f64, f64)) -> ((f64, f64), bool) {
    let bounded_g1 = g1.min(0.0);
    let bounded_g0 = g0.max(-3.0 * bounded_g1);
    ((bounded_g0, bounded_g1), bounded_g1 != g1 || bounded_g0 != g0)
}

/// The covariance of neighbouring residuals, and the mean of the variances of the first and
/// of the second of each two, with n − 1. Neighbours are of one run.
fn residual_covariances(runs: &[Rows], coefficients: &[f64]) -> (f64, f64) {
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for run in runs {
        let residuals = residuals(run, coefficients);
        pairs.extend(residuals.windows(2).map(|pair| (pair[0], pair[1])));
    }
    let n = pairs.len() as f64;
    let (a, b) = pairs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let sum = |f: fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| f(x - a, y - b)).sum::<f64>();
    let freedom = (n - 1.0).max(1.0);
    let variances = sum(|x, _| x * x) + sum(|_, y| y * y);
    (variances / 2.0 / freedom, sum(|x, y| x * y) / freedom)
}

fn residuals(run: &Rows, coefficients: &[f64]) -> Vec<f64> {
    let residual = |k: usize| {
        let fitted = run.columns.iter().zip(coefficients).map(|(column, b)| column[k] * b);
        run.response[k] - fitted.sum::<f64>()
    };
    (0..run.response.len()).map(residual).collect()
}

/// Coefficients and standard errors for given covariances of the noise.
pub(super) fn solved(runs: &[Rows], covariances: (f64, f64)) -> Option<(Vec<f64>, Vec<f64>)> {
    let count = runs.first()?.columns.len();
    let mut normal = vec![vec![0.0; count + 1]; count];
    let factor = Factor::of(longest(runs), covariances);
    for run in runs {
        let response = factor.whitened(&run.response);
        let columns: Vec<Vec<f64>> =
            run.columns.iter().map(|column| factor.whitened(column)).collect();
        for (i, column) in columns.iter().enumerate() {
            for (j, other) in columns.iter().enumerate() {
                normal[i][j] += dot(column, other);
            }
            normal[i][count] += dot(column, &response);
        }
    }
    inverted(&normal)
}

/// The most rows of a run.
fn longest(runs: &[Rows]) -> usize {
    runs.iter().map(|run| run.response.len()).max().unwrap_or(0)
}

/// L of the covariance matrix L Lᵀ, which is tridiagonal, g0 on the diagonal and g1 beside: one
/// for all columns of all runs, since that of a shorter run is its beginning.
struct Factor {
    /// L\[k\]\[k\].
    diagonal: Vec<f64>,
    /// L\[k\]\[k − 1\].
    beside: Vec<f64>,
}

impl Factor {
    fn of(count: usize, (g0, g1): (f64, f64)) -> Factor {
        let mut factor =
            Factor { diagonal: Vec::with_capacity(count), beside: Vec::with_capacity(count) };
        let mut diagonal = 0.0;
        for _ in 0..count {
            let beside = if diagonal > 0.0 { g1 / diagonal } else { 0.0 };
            diagonal = (g0 - beside * beside).sqrt();
            factor.diagonal.push(diagonal);
            factor.beside.push(beside);
        }
        factor
    }

    /// L⁻¹ v.
    fn whitened(&self, values: &[f64]) -> Vec<f64> {
        let mut before = 0.0;
        let next = |((value, diagonal), beside): ((&f64, &f64), &f64)| {
            before = (value - beside * before) / diagonal;
            before
        };
        values.iter().zip(&self.diagonal).zip(&self.beside).map(next).collect()
    }

    /// L v.
    fn coloured(&self, values: &[f64]) -> Vec<f64> {
        let mut before = 0.0;
        let next = |((value, diagonal), beside): ((&f64, &f64), &f64)| {
            let coloured = diagonal * value + beside * before;
            before = *value;
            coloured
        };
        values.iter().zip(&self.diagonal).zip(&self.beside).map(next).collect()
    }
}

/// Solves the normal equations, the response in the last column, by elimination on scaled
/// columns; also the roots of the diagonal of the inverse.
fn inverted(normal: &[Vec<f64>]) -> Option<(Vec<f64>, Vec<f64>)> {
    let count = normal.len();
    let scale: Vec<f64> = (0..count).map(|i| normal[i][i].sqrt()).collect();
    if scale.iter().any(|scale| !(*scale > 0.0 && scale.is_finite())) {
        return None;
    }
    // [ scaled matrix | scaled response | identity ]
    let row = |i: usize| {
        let matrix = (0..count).map(|j| normal[i][j] / scale[i] / scale[j]);
        let response = [normal[i][count] / scale[i]];
        let identity = (0..count).map(|j| f64::from(u8::from(i == j)));
        matrix.chain(response).chain(identity).collect::<Vec<f64>>()
    };
    let mut rows: Vec<Vec<f64>> = (0..count).map(row).collect();
    for i in 0..count {
        let pivot = rows[i][i];
        if pivot < 1e-10 {
            return None; // what is left of a column that the others explain
        }
        rows[i].iter_mut().for_each(|x| *x /= pivot);
        let pivot_row = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i];
            row.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let coefficients = (0..count).map(|i| rows[i][count] / scale[i]).collect();
    let error = |i: usize| rows[i][count + 1 + i].max(0.0).sqrt() / scale[i];
    Some((coefficients, (0..count).map(error).collect()))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitening_is_the_inverse_of_the_root_of_the_covariances() {
        let (g0, g1): (f64, f64) = (5.0, -1.5);
        let l0 = g0.sqrt();
        let m = g1 / l0;
        let l1 = (g0 - m * m).sqrt();
        let found = Factor::of(2, (g0, g1)).whitened(&[l0 * 2.0, m * 2.0 + l1 * 3.0]);
        assert!((found[0] - 2.0).abs() < 1e-12 && (found[1] - 3.0).abs() < 1e-12);
    }

    #[test]
    fn colouring_undoes_whitening() {
        let values = [1.0, -2.0, 0.5, 7.0];
        let factor = Factor::of(9, (5.0, -1.5));
        let there = factor.coloured(&factor.whitened(&values));
        assert!(there.iter().zip(values).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn covariances_outside_the_model_are_put_on_its_bounds() {
        assert_eq!(bounded((4.0, 1.0)), ((4.0, 0.0), true));
        assert_eq!(bounded((2.0, -1.0)), ((3.0, -1.0), true));
        assert_eq!(bounded((4.0, -1.0)), ((4.0, -1.0), false));
    }
}

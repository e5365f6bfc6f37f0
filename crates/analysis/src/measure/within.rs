//! Means of the conditions that the same people had, each with an interval from which what people differ by
//! altogether is taken out (Cousineau, 2005), with the correction of Morey (2008).

use crate::estimate::{Estimate, of_mean};
use crate::moments::mean;
use crate::no_estimate::NoEstimate;

/// By how much the normalised intervals are widened: √(C/(C − 1)) of C conditions (Morey, 2008).
pub fn correction(conditions: usize) -> f64 {
    let conditions = conditions as f64;
    (conditions / (conditions - 1.0)).sqrt()
}

/// The mean of each condition over people, with Student's interval of the normalised values
/// `value - mean of the person + mean of all`, widened by [`correction`]. A row is a person, with a value in
/// each condition.
///
/// # Errors
/// [`NoEstimate`] where there are fewer than two people or conditions.
pub fn within(people: &[Vec<f64>]) -> Result<Vec<Estimate>, NoEstimate> {
    NoEstimate::unless("people", people.len(), 2)?;
    let conditions = people.iter().map(Vec::len).min().unwrap_or(0);
    NoEstimate::unless("conditions", conditions, 2)?;
    let own: Vec<f64> = people.iter().map(|row| mean(row).unwrap_or(0.0)).collect();
    let all = mean(&own).unwrap_or(0.0);
    let of = |condition: usize| {
        let values: Vec<f64> =
            people.iter().zip(&own).map(|(row, own)| row[condition] - own + all).collect();
        let found = of_mean("people", &values)?;
        let error = found.standard_error * correction(conditions);
        Ok(Estimate::student(found.value, error, people.len() as f64 - 1.0))
    };
    (0..conditions).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    /// Worked out by Python:
    ///
    /// ```python
    /// y, n, c, t = [[1, 3, 8], [4, 5, 9], [2, 7, 9], [0, 2, 7]], 4, 3, 3.182446305283709
    /// z = [[v - sum(r) / c + sum(map(sum, y)) / (n * c) for v in r] for r in y]
    /// for j in range(c):
    ///     reach = t * statistics.stdev(r[j] for r in z) / math.sqrt(n) * math.sqrt(c / (c - 1))
    ///     print(sum(r[j] for r in y) / n, reach)
    /// ```
    #[test]
    fn what_people_differ_by_altogether_is_not_in_the_intervals() {
        let people = [[1.0, 3.0, 8.0], [4.0, 5.0, 9.0], [2.0, 7.0, 9.0], [0.0, 2.0, 7.0]];
        let rows = people.map(|row| row.to_vec());
        let found = within(&rows).unwrap();
        for (found, (centre, reach)) in found.iter().zip(ORACLE) {
            near(found.value, centre, 1e-12);
            near(found.high - found.value, reach, 1e-6);
            near(found.value - found.low, reach, 1e-6);
        }
        // Everybody is later by as much: the same intervals.
        let later: Vec<Vec<f64>> = (0..)
            .zip(&rows)
            .map(|(by, row)| row.iter().map(|v| v + 100.0 * f64::from(by)).collect())
            .collect();
        for (one, other) in within(&later).unwrap().iter().zip(&found) {
            near(one.high - one.low, other.high - other.low, 1e-9);
        }
    }

    const ORACLE: [(f64, f64); 3] =
        [(1.75, 1.591_223_153), (4.25, 1.948_842_395), (8.25, 1.125_164_682)];

    #[test]
    fn one_person_or_one_condition_has_no_such_interval() {
        assert!(within(&[vec![1.0, 2.0]]).is_err());
        assert!(within(&[vec![1.0], vec![2.0]]).is_err());
        assert!(within(&[]).is_err());
    }
}

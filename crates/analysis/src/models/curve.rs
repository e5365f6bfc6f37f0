//! Where a U has its bottom: the parabola of each person, and the turning point of the people's mean parabola with
//! the interval of Fieller (1954). That a curve is a parabola is not tested here; with three levels it always is.

use crate::estimate::{Estimate, LEVEL};
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use crate::student;

/// The parabola of least squares through points, about an abscissa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parabola {
    /// Its slope there.
    pub slope: f64,
    /// The factor of the square. It is that of the quadratic trend that is orthogonal to the linear one, however far
    /// apart the abscissas are.
    pub curve: f64,
}

/// `None` where there are fewer than three abscissas that differ.
pub fn parabola(points: &[(f64, f64)], about: f64) -> Option<Parabola> {
    let x: Vec<f64> = points.iter().map(|(x, _)| x - about).collect();
    let y: Vec<f64> = points.iter().map(|(_, y)| *y).collect();
    let line = without_line(&x, &x.iter().map(|x| x * x).collect::<Vec<_>>())?;
    let squares: f64 = line.rest.iter().map(|rest| rest * rest).sum();
    let size: f64 = x.iter().map(|x| square(x * x)).sum();
    let curve: f64 = line.rest.iter().zip(&y).map(|(rest, y)| rest * y).sum::<f64>() / squares;
    let slope = without_line(&x, &y)?.slope - curve * line.slope;
    (squares > 1e-18 * size).then_some(Parabola { slope, curve })
}

/// A line of least squares, and what it leaves.
struct Line {
    slope: f64,
    rest: Vec<f64>,
}

fn without_line(x: &[f64], y: &[f64]) -> Option<Line> {
    let (mx, my) = (mean(x)?, mean(y)?);
    let squares: f64 = x.iter().map(|x| square(x - mx)).sum();
    let products: f64 = x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum();
    let slope = products / squares;
    let rest = x.iter().zip(y).map(|(x, y)| y - my - slope * (x - mx)).collect();
    (squares > 0.0).then_some(Line { slope, rest })
}

/// Where the mean parabola of people turns, as a distance from what theirs are about. The interval is that of Fieller
/// (1954): all places at which the people's mean slope does not differ from 0 by Student's t. It is exact where slopes
/// and curves of people are normal. Its standard error is that of the delta method.
///
/// # Errors
/// [`NoEstimate`] of fewer than two people; and where the mean curve is not told from a line, so that the interval
/// has no end.
pub fn turning_point(people: &[Parabola]) -> Result<Estimate, NoEstimate> {
    NoEstimate::unless("people", people.len(), 2)?;
    let n = people.len() as f64;
    let slopes: Vec<f64> = people.iter().map(|of| of.slope).collect();
    let bends: Vec<f64> = people.iter().map(|of| 2.0 * of.curve).collect();
    let (slope, bend) = (mean(&slopes).unwrap_or(0.0), mean(&bends).unwrap_or(0.0));
    let product = |x: &[f64], of_x: f64, y: &[f64], of_y: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - of_x) * (y - of_y)).sum::<f64>() / (n - 1.0) / n
    };
    let of_slope = product(&slopes, slope, &slopes, slope);
    let of_bend = product(&bends, bend, &bends, bend);
    let of_both = product(&slopes, slope, &bends, bend);
    let reach = square(student::quantile(0.5 + LEVEL / 2.0, n - 1.0));
    // (slope + place * bend)² = reach * its variance, a quadratic equation of the place.
    let a = square(bend) - reach * of_bend;
    let b = slope * bend - reach * of_both;
    let c = square(slope) - reach * of_slope;
    if a.is_nan() || a <= 0.0 {
        return Err(NoEstimate::Indistinct("a curve and a line"));
    }
    let (value, root) = (-slope / bend, (square(b) - a * c).max(0.0).sqrt());
    let variance = of_slope + 2.0 * value * of_both + square(value) * of_bend;
    let standard_error = variance.max(0.0).sqrt() / bend.abs();
    Ok(Estimate { value, standard_error, low: (-b - root) / a, high: (-b + root) / a })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;
    use crate::near;
    use chronotap_engine::random::Random;

    /// Each person's values at 0, 0.25, 0.5 and 1.
    const AT: [f64; 4] = [0.0, 0.25, 0.5, 1.0];
    const PEOPLE: [[f64; 4]; 5] = [
        [22.0, 19.0, 18.5, 27.0],
        [31.0, 25.0, 26.0, 33.5],
        [18.0, 17.5, 16.0, 24.0],
        [27.0, 22.0, 24.5, 36.0],
        [24.0, 21.0, 19.0, 23.0],
    ];

    fn parabolas(about: f64) -> Vec<Parabola> {
        let one = |values: &[f64; 4]| {
            parabola(&AT.into_iter().zip(*values).collect::<Vec<_>>(), about).unwrap()
        };
        PEOPLE.iter().map(one).collect()
    }

    /// From numpy 2 and scipy 1.17, by another way than the quadratic equation here:
    ///
    ///     c, b, _ = np.array([np.polyfit(x, y, 2) for y in people]).T
    ///     p = lambda place: stats.ttest_1samp(b + 2 * place * c, 0).pvalue - .05
    ///     optimize.brentq(p, -1, least), optimize.brentq(p, least, 2)   # least = -b.mean() / 2 / c.mean()
    #[test]
    fn the_turning_point_and_its_interval_are_those_of_scipy() {
        let all = parabolas(0.0);
        near(all[0].curve, 23.636_363_636_363_65, 1e-9);
        near(all[3].slope, -21.327_272_727_272_73, 1e-9);
        let of = turning_point(&all).unwrap();
        near(of.value, 0.406_415_241_057_542_3, 1e-9);
        near(of.low, 0.326_194_116_414_309_3, 1e-9);
        near(of.high, 0.513_129_514_184_945_9, 1e-9);
        // About another place it is the same.
        let about = turning_point(&parabolas(0.7)).unwrap();
        near(about.value + 0.7, of.value, 1e-9);
        near(about.high + 0.7, of.high, 1e-9);
        near(about.standard_error, of.standard_error, 1e-9);
    }

    /// A share of 0.95 of so many has a standard error of 0.0022. People differ in all three parameters of their
    /// parabolas, and each value has an error.
    #[test]
    fn the_interval_holds_the_true_bottom_in_95_percent_of_experiments() {
        let mut random = Random::named(11, "turning points");
        let (mut holds, mut endless) = (0, 0);
        for _ in 0..10_000 {
            let mut person = || {
                let [slope, curve] = [-16.0 + 5.0 * random.normal(), 20.0 + 6.0 * random.normal()];
                let own = 25.0 + 8.0 * random.normal();
                let mut at = |x: f64| (x, own + slope * x + curve * x * x + 2.0 * random.normal());
                parabola(&AT.map(&mut at), 0.0).unwrap()
            };
            let people: Vec<Parabola> = (0..12).map(|_| person()).collect();
            match turning_point(&people) {
                Ok(of) => holds += usize::from(of.holds(0.4)),
                Err(_) => endless += 1,
            }
        }
        let share = f64::from(holds as u32) / 10_000.0;
        assert!((share - 0.95).abs() < 0.0066, "{share}");
        assert_eq!(endless, 0);
    }

    #[test]
    fn a_curve_that_is_not_told_from_a_line_has_no_turning_point() {
        let one = |slope: f64, curve: f64| Parabola { slope, curve };
        let flat = [one(1.0, 2.0), one(1.2, -1.5), one(0.8, 0.4)];
        assert_eq!(turning_point(&flat), Err(NoEstimate::Indistinct("a curve and a line")));
        assert!(turning_point(&flat[..1]).is_err());
        assert_eq!(parabola(&[(0.0, 1.0), (1.0, 2.0), (1.0, 4.0)], 0.0), None);
    }
}

//! The normalized pairwise variability index: how unlike neighbouring intervals are, as a share of
//! both. A definition in a file of its own, to be copied for a new statistic.

use crate::estimate::Estimate;
use crate::joined::Scale;
use crate::moments::mean;
use crate::series::Series;
use crate::statistics::{Join, Needs, Range, Statistic};
use crate::uncertainty::SpectralSpread;
use chronotap_core::time::Nanos;

/// Normalized pairwise variability index.
pub static NPVI: Statistic = Statistic {
    name: "npvi",
    range: Range { least: 0.0, most: 200.0 },
    join: Join::Line(Scale::Positive),
    needs: Needs::Intervals(value, Some(interval)),
    key: Some("npvi"),
    #[rustfmt::skip]
    coverage: &[(15, 0.947), (20, 0.950), (30, 0.939), (60, 0.949), (120, 0.950), (400, 0.963)],
    about: "Normalized pairwise variability index; of pairs with nothing left out between.",
    source: "Grabe & Low 2002",
    ..Statistic::USUAL
};

/// 100 / (n − 1) · Σ |I[k+1] − I[k]| / ((I[k+1] + I[k]) / 2). `None` below two intervals, and where
/// two have no length.
fn value(series: &Series<'_>) -> Option<f64> {
    let term = |(a, b): (Nanos, Nanos)| {
        let (a, b) = (a.0 as f64, b.0 as f64);
        (a + b > 0.0).then(|| (b - a).abs() / ((a + b) / 2.0))
    };
    let terms: Option<Vec<f64>> = series.neighbours().map(term).collect();
    Some(100.0 * mean(&terms?)?)
}

/// It grows as the differences of neighbours do.
fn interval(spread: &SpectralSpread<'_>, npvi: f64) -> Option<Estimate> {
    spread.of_neighbours(npvi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::Placed;
    use crate::statistics::estimates_of_intervals;
    use crate::{near, vector_1_intervals};

    fn of(placed: &Placed) -> Option<f64> {
        value(&Series::of(placed))
    }

    #[test]
    fn the_worked_example_comes_out() {
        near(of(&Placed::all(vector_1_intervals())).unwrap(), 7.762606006, 1e-9);
    }

    #[test]
    fn pairs_are_neighbours_and_have_a_length() {
        // Of 500 510 (980) 540 550 570 the one in brackets is left out.
        let ms = [500, 510, 540, 550, 570].map(Nanos::from_millis);
        let left = Placed::new(ms.to_vec(), vec![0, 1, 3, 4, 5]).unwrap();
        let terms = [10.0 / 505.0, 10.0 / 545.0, 20.0 / 560.0];
        near(of(&left).unwrap(), 100.0 * terms.iter().sum::<f64>() / 3.0, 1e-9);
        let apart = Placed::new(ms[..2].to_vec(), vec![0, 2]).unwrap();
        assert_eq!((of(&apart), of(&Placed::all(vec![Nanos::ZERO; 2]))), (None, None));
        assert_eq!(of(&Placed::all(ms[..1].to_vec())), None);
    }

    #[test]
    fn it_lies_in_its_interval_where_something_varies() {
        let estimate = |k: i64| {
            let run = (0..40).map(|n| Nanos::from_millis(500 + k * (n * 7 % 13))).collect();
            estimates_of_intervals(&Placed::all(run), &[&NPVI]).unwrap()[0]
        };
        let found = estimate(1).unwrap();
        assert!(found.low < found.value && found.value < found.high, "{found:?}");
        assert_eq!(estimate(0), None);
    }
}

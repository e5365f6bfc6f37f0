//! Statistics of the intervals between taps: their length, their variability and their drift.
//!
//! Differences are those of neighbours, never across what was left out, and the drift is over the
//! number among all. SD and CV have the interval of the SD of a Gaussian autoregression (`autoregression`), RMSSD
//! and nPVI that of the differences: the waves alone held them in 90 to 93 % of the trials of people, and both
//! together in 98 %. The drift has the error √(Ω / Σ (k − k̄)²), as least squares for a line
//! loses nothing to serial dependence in long runs (Grenander 1954).

use crate::estimate::Estimate;
use crate::intervals::{centre, lag_one, slope_ns};
use crate::joined::Scale;
use crate::moments::{median, ms, rms_ns, square};
use crate::series::Series;
use crate::statistics::{Better, Join, Needs, Range, ShownAs, Statistic, Unit};
use crate::uncertainty::SpectralSpread;
use chronotap_core::time::Nanos;

/// How many.
pub static INTERVALS: Statistic = Statistic {
    name: "intervals",
    needs: Needs::Intervals(|series| Some(series.n() as f64), None),
    about: "Inter-tap intervals that count.",
    ..Statistic::COUNT
};

/// Their mean.
pub static MEAN_INTERVAL: Statistic = Statistic {
    name: "mean interval",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    needs: Needs::Intervals(
        |series| series.mean_ns().map(ms),
        Some(|spread, mean| Some(spread.linear(mean, &spread.deviations))),
    ),
    key: Some("mean_ms"),
    shown: ShownAs::Column("mean interval (ms)", 1),
    #[rustfmt::skip]
    coverage: &[(15, 0.983), (20, 0.984), (30, 0.988), (60, 0.993), (120, 0.994), (400, 0.990)],
    about: "Mean inter-tap interval.",
    ..Statistic::USUAL
};

/// Their median: the middle one, or the mean of the middle two in whole nanoseconds.
pub static MEDIAN_INTERVAL: Statistic = Statistic {
    name: "median interval",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    needs: Needs::Intervals(
        |series| median(series.values()).map(Nanos::as_millis_f64),
        Some(|spread, median| Some(spread.of_median(median))),
    ),
    key: Some("median_ms"),
    #[rustfmt::skip]
    coverage: &[(15, 0.969), (20, 0.966), (30, 0.960), (60, 0.964), (120, 0.957), (400, 0.955)],
    about: "Median inter-tap interval.",
    ..Statistic::USUAL
};

/// Their standard deviation.
pub static SD_INTERVAL: Statistic = Statistic {
    name: "sd interval",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    needs: Needs::Intervals(|series| series.sd_ns().map(ms), Some(|spread, sd| spread.as_sd(sd))),
    key: Some("sd_ms"),
    shown: ShownAs::Column("SD of intervals (ms)", 1),
    #[rustfmt::skip]
    coverage: &[(15, 0.935), (20, 0.943), (30, 0.944), (60, 0.944), (120, 0.946), (400, 0.940)],
    about: "Standard deviation of the intervals, with n - 1.",
    ..Statistic::USUAL
};

/// Their coefficient of variation.
pub static CV_INTERVAL: Statistic = Statistic {
    name: "cv interval",
    range: Range::FROM_ZERO,
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    needs: Needs::Intervals(
        |series| over_mean(series.sd_ns(), series.mean_ns()),
        Some(|spread, cv| spread.as_sd(cv)),
    ),
    key: Some("cv"),
    shown: ShownAs::Column("CV of intervals", 4),
    #[rustfmt::skip]
    coverage: &[(15, 0.937), (20, 0.946), (30, 0.945), (60, 0.945), (120, 0.946), (400, 0.940)],
    about: "SD / mean of the intervals.",
    source: "Repp & Su 2013",
    ..Statistic::USUAL
};

/// Root of the mean square of successive differences.
pub static RMSSD_INTERVAL: Statistic = Statistic {
    name: "rmssd interval",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    needs: Needs::Intervals(rmssd, Some(|spread, rmssd| spread.of_neighbours(rmssd))),
    key: Some("rmssd_ms"),
    #[rustfmt::skip]
    coverage: &[(15, 0.963), (20, 0.961), (30, 0.964), (60, 0.965), (120, 0.965), (400, 0.966)],
    about: "Root of the mean square of successive differences; none across an interval that was left out.",
    ..Statistic::USUAL
};

/// Least-squares slope of the interval on its number; positive when slowing down.
pub static DRIFT: Statistic = Statistic {
    name: "drift",
    unit: Unit::MillisecondsPerInterval,
    needs: Needs::Intervals(
        |series| slope_ns(series.values(), series.placed().places(), series.mean_ns()?).map(ms),
        Some(|spread, drift| Some(interval_of_drift(spread, drift))),
    ),
    key: Some("drift_ms_per_interval"),
    #[rustfmt::skip]
    coverage: &[(15, 0.957), (20, 0.967), (30, 0.977), (60, 0.988), (120, 0.988), (400, 0.977)],
    about: "Least-squares slope of the interval on its number, in ms per interval.",
    ..Statistic::USUAL
};

/// Their lag-1 autocorrelation.
pub static INTERVAL_LAG_ONE: Statistic = Statistic {
    name: "interval lag one",
    range: Range::CORRELATION,
    join: Join::Line(Scale::Correlation),
    needs: Needs::Intervals(
        |series| lag_one(series.placed()),
        Some(|spread, lag| spread.as_lag_one(lag)),
    ),
    key: Some("lag_one"),
    #[rustfmt::skip]
    coverage: &[(15, 0.983), (20, 0.969), (30, 0.969), (60, 0.957), (120, 0.959), (400, 0.961)],
    about: "Lag-1 autocorrelation of the intervals, with 1/n; over pairs with nothing left out between.",
    source: "Box & Jenkins 1970",
    ..Statistic::USUAL
};

/// A standard deviation over a mean that is not 0.
pub(super) fn over_mean(sd: Option<f64>, mean: Option<f64>) -> Option<f64> {
    let mean = mean.filter(|mean| *mean > 0.0)?;
    sd.map(|sd| sd / mean)
}

fn rmssd(series: &Series<'_>) -> Option<f64> {
    let differences: Vec<Nanos> = series.neighbours().map(|(a, b)| b - a).collect();
    rms_ns(&differences).map(ms)
}

fn interval_of_drift(spread: &SpectralSpread<'_>, drift: f64) -> Estimate {
    let (n, places) = (spread.series.n() as f64, spread.series.placed().places());
    let middle = centre(places);
    let from_middle = |place: &usize| *place as f64 - middle;
    let off_line = places.iter().zip(&spread.deviations);
    let residuals: Vec<f64> = off_line.map(|(place, d)| d - drift * from_middle(place)).collect();
    let squares: f64 = places.iter().map(|place| square(from_middle(place))).sum();
    spread.about_line(drift, &residuals, (n / squares).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::described::Described;
    use crate::intervals::{Placed, between};
    use crate::statistics::estimates_of_intervals;
    use crate::{near, vector_1_intervals};

    fn describe(intervals: &[Nanos]) -> Described {
        Described::intervals(&Placed::all(intervals.to_vec())).unwrap()
    }

    fn run(drift: i64) -> Vec<Nanos> {
        (0..40).map(|k| Nanos::from_millis(500 + k * 7 % 13 - 6 + drift * k)).collect()
    }

    static ALL: [&Statistic; 7] = [
        &MEAN_INTERVAL,
        &MEDIAN_INTERVAL,
        &DRIFT,
        &SD_INTERVAL,
        &CV_INTERVAL,
        &RMSSD_INTERVAL,
        &INTERVAL_LAG_ONE,
    ];

    fn estimates(placed: &Placed) -> Vec<Option<Estimate>> {
        estimates_of_intervals(placed, &ALL).unwrap()
    }

    #[test]
    fn the_worked_example_comes_out() {
        let found = describe(&vector_1_intervals());
        let of = |one: &Statistic| found.of(one).unwrap();
        near(of(&MEAN_INTERVAL), 599.444444, 1e-6);
        assert_eq!(of(&MEDIAN_INTERVAL), 585.0);
        near(of(&SD_INTERVAL), 35.039660, 1e-6);
        near(of(&CV_INTERVAL), 0.058453557, 1e-9);
        near(of(&RMSSD_INTERVAL), 58.576873, 1e-6);
        near(of(&DRIFT), -1.666667, 1e-6);
    }

    #[test]
    fn what_was_left_out_parts_neighbours_and_keeps_its_number() {
        let ms = |ms: &[i64]| ms.iter().copied().map(Nanos::from_millis).collect::<Vec<_>>();
        // Of 500 510 (980) 540 550 570 the one in brackets is left out.
        let left = Placed::new(ms(&[500, 510, 540, 550, 570]), vec![0, 1, 3, 4, 5]).unwrap();
        let found = Described::intervals(&left).unwrap();
        near(found.of(&RMSSD_INTERVAL).unwrap(), (600.0_f64 / 3.0).sqrt(), 1e-9);
        near(found.of(&DRIFT).unwrap(), 238.0 / 17.2, 1e-9);
        let apart = Placed::new(ms(&[500, 510]), vec![0, 2]).unwrap();
        assert_eq!(Described::intervals(&apart).unwrap().of(&RMSSD_INTERVAL), None);
    }

    #[test]
    fn one_interval_has_a_mean_and_no_spread() {
        assert_eq!(Described::intervals(&Placed::all(between(&[Nanos(1)]))), None);
        let one = describe(&between(&[Nanos(0), Nanos::from_millis(500)]));
        assert_eq!((one.n(), one.of(&MEAN_INTERVAL)), (1, Some(500.0)));
        for spread in [&SD_INTERVAL, &CV_INTERVAL, &RMSSD_INTERVAL, &DRIFT] {
            assert_eq!(one.of(spread), None, "{spread:?}");
        }
    }

    #[test]
    fn simultaneous_taps_give_no_infinities() {
        let none = describe(&[Nanos(0), Nanos(0)]);
        assert_eq!((none.of(&CV_INTERVAL), none.of(&SD_INTERVAL)), (None, Some(0.0)));
    }

    #[test]
    fn what_was_left_out_widens_the_intervals_of_neighbours() {
        let all = run(0);
        let places: Vec<usize> = (0..all.len()).filter(|place| place % 5 != 3).collect();
        let left = places.iter().map(|place| all[*place]).collect();
        let placed = Placed::new(left, places).unwrap();
        let values = Described::intervals(&placed).unwrap();
        let found = estimates(&placed);
        for (of, one) in ALL.iter().zip(&found) {
            let one = one.unwrap();
            let value = values.of(of).unwrap_or(one.value);
            assert!(one.value == value && one.low < value && value < one.high, "{of:?} {one:?}");
        }
        // Every other one has no neighbour at all.
        let places: Vec<usize> = (0..40).step_by(2).collect();
        let alone = estimates(&Placed::new(all[..20].to_vec(), places).unwrap());
        assert_eq!(alone[5..], [None, None]);
    }

    #[test]
    fn each_statistic_lies_in_its_interval() {
        for one in estimates(&Placed::all(run(0))) {
            let one = one.unwrap();
            assert!(one.low <= one.value && one.value <= one.high, "{one:?}");
        }
    }

    #[test]
    fn a_drift_is_told_from_none() {
        let drift = |ms: i64| estimates(&Placed::all(run(ms)))[2].unwrap();
        assert!(drift(0).holds(0.0) && drift(2).low > 1.0, "{:?} {:?}", drift(0), drift(2));
    }

    #[test]
    fn even_intervals_have_no_spread_and_no_interval_for_95_percent() {
        let found = estimates(&Placed::all(vec![Nanos::from_millis(500); 20]));
        assert_eq!((found[0], &found[3..]), (None, &[None; 4][..]));
        assert!(estimates_of_intervals(&Placed::all(run(0)[..9].to_vec()), &ALL).is_err());
    }
}

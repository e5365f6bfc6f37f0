//! Statistics of asynchronies, tap less beat: negative is early. Their intervals are worked out
//! together, because they reach as far as one autoregression may
//! ([`crate::uncertainty::AsynchronyBounds`]).

use crate::intervals::lag_one;
use crate::joined::Scale;
use crate::moments::{median, ms, rms_ns};
use crate::statistics::{Better, Join, Needs, Range, ShownAs, Statistic, Unit};
use chronotap_core::time::Nanos;

/// How many.
pub static ASYNCHRONIES: Statistic = Statistic {
    name: "asynchronies",
    needs: Needs::Asynchronies(|series| Some(series.n() as f64), None),
    about: "Asynchronies that count.",
    ..Statistic::COUNT
};

/// Their mean.
pub static MEAN_ASYNCHRONY: Statistic = Statistic {
    name: "mean asynchrony",
    unit: Unit::Milliseconds,
    needs: Needs::Asynchronies(
        |series| series.mean_ns().map(ms),
        Some(|of, _| Some(of.bounds.mean_ms)),
    ),
    key: Some("mean_ms"),
    shown: ShownAs::Column("mean asynchrony (ms)", 1),
    #[rustfmt::skip]
    coverage: &[(10, 0.948), (15, 0.967), (20, 0.970), (30, 0.956), (60, 0.939), (120, 0.962), (400, 0.973)],
    about: "Mean of tap - beat; negative is early.",
    source: "Repp 2005",
    ..Statistic::USUAL
};

/// Their median: the middle one, or the mean of the middle two in whole nanoseconds.
pub static MEDIAN_ASYNCHRONY: Statistic = Statistic {
    name: "median asynchrony",
    unit: Unit::Milliseconds,
    needs: Needs::Asynchronies(
        |series| median(series.values()).map(Nanos::as_millis_f64),
        Some(|of, _| Some(of.bounds.median_ms)),
    ),
    key: Some("median_ms"),
    shown: ShownAs::Column("median asynchrony (ms)", 1),
    #[rustfmt::skip]
    coverage: &[(10, 0.958), (15, 0.972), (20, 0.983), (30, 0.965), (60, 0.961), (120, 0.971), (400, 0.973)],
    about: "Median of tap - beat.",
    ..Statistic::USUAL
};

/// Their standard deviation.
pub static SD_ASYNCHRONY: Statistic = Statistic {
    name: "sd asynchrony",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    needs: Needs::Asynchronies(|series| series.sd_ns().map(ms), Some(|of, _| of.bounds.sd_ms)),
    key: Some("sd_ms"),
    shown: ShownAs::Column("SD of asynchronies (ms)", 1),
    #[rustfmt::skip]
    coverage: &[(10, 0.989), (15, 0.983), (20, 0.977), (30, 0.969), (60, 0.957), (120, 0.949), (400, 0.951)],
    about: "Standard deviation of the asynchronies, with n - 1.",
    source: "Repp 2005",
    ..Statistic::USUAL
};

/// The mean distance from the beat, early or late.
pub static MEAN_ABSOLUTE_ASYNCHRONY: Statistic = Statistic {
    name: "mean absolute asynchrony",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    needs: Needs::Asynchronies(
        |series| series.mean_absolute_ns().map(ms),
        Some(|of, _| of.bounds.mean_absolute_ms),
    ),
    key: Some("mean_absolute_ms"),
    #[rustfmt::skip]
    coverage: &[(10, 0.961), (15, 0.975), (20, 0.974), (30, 0.957), (60, 0.955), (120, 0.966), (400, 0.973)],
    about: "Mean distance from the beat.",
    source: "Repp 2005",
    ..Statistic::USUAL
};

/// The root of their mean square.
pub static RMS_ASYNCHRONY: Statistic = Statistic {
    name: "rms asynchrony",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    needs: Needs::Asynchronies(
        |series| rms_ns(series.values()).map(ms),
        Some(|of, _| of.bounds.rms_ms),
    ),
    key: Some("rms_ms"),
    #[rustfmt::skip]
    coverage: &[(10, 0.961), (15, 0.983), (20, 0.973), (30, 0.959), (60, 0.955), (120, 0.966), (400, 0.969)],
    about: "Root of the mean square of the asynchronies.",
    source: "Repp 2005",
    ..Statistic::USUAL
};

/// Their lag-1 autocorrelation.
pub static ASYNCHRONY_LAG_ONE: Statistic = Statistic {
    name: "asynchrony lag one",
    range: Range::CORRELATION,
    join: Join::Line(Scale::Correlation),
    needs: Needs::Asynchronies(|series| lag_one(series.placed()), Some(|of, _| of.bounds.lag_one)),
    key: Some("lag_one"),
    #[rustfmt::skip]
    coverage: &[(10, 0.958), (15, 0.963), (20, 0.958), (30, 0.945), (60, 0.942), (120, 0.953), (400, 0.954)],
    about: "Lag-1 autocorrelation of the asynchronies, with 1/n; over pairs of beats that follow each other, never across one without an asynchrony.",
    source: "Box & Jenkins 1970",
    ..Statistic::USUAL
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::described::Described;
    use crate::intervals::Placed;
    use crate::{near, vector_1};

    #[test]
    fn the_worked_example_comes_out() {
        let found = Described::asynchronies(&Placed::all(vector_1())).unwrap();
        let of = |one: &Statistic| found.of(one).unwrap();
        let means = [&MEAN_ASYNCHRONY, &MEAN_ABSOLUTE_ASYNCHRONY].map(&of);
        assert_eq!((found.n(), means), (10, [-22.5, 24.5]));
        near(of(&SD_ASYNCHRONY), 21.245915, 1e-6);
        near(of(&RMS_ASYNCHRONY), 30.207615, 1e-6);
    }

    #[test]
    fn none_and_one_are_not_described_beyond_what_they_say() {
        assert_eq!(Described::asynchronies(&Placed::default()), None);
        let one = Placed::all(vec![Nanos::from_millis(-3)]);
        let one = Described::asynchronies(&one).unwrap();
        assert_eq!((one.of(&MEAN_ASYNCHRONY), one.of(&SD_ASYNCHRONY)), (Some(-3.0), None));
    }
}

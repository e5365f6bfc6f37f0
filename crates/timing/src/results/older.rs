//! Results of earlier versions of this program, as they are read now.

use super::WHOLE;
use crate::{Quantity, SampleSeries, Statistics};
use chronotap_core::time::Nanos;

/// A series of an earlier version of this program, which had the calibration in two figures
/// only: the readings and the other figures less it as well.
pub(super) fn corrected(series: &mut SampleSeries) {
    let figure = |name: &str| series.figures.get(name).copied();
    let old = series.quantity == Quantity::AudioRoundTrip && figure(WHOLE).is_none();
    let figures = (figure("calibration_ns"), figure("own_ns"), figure("own_frames"));
    let (true, (Some(external_ns), Some(own_ns), Some(own))) = (old, figures) else { return };
    let whole = figure("round_trip_frames").unwrap_or(own);
    let histogram = series.histogram.moved(-Nanos::round_from_f64(external_ns));
    series.statistics = Statistics::of(&histogram);
    series.histogram = histogram;
    for (name, value) in [("round_trip_frames", own), ("round_trip_ns", own_ns), (WHOLE, whole)] {
        series.figures.insert(name.to_owned(), value);
    }
}

//! From round trips to the series, figures and notes of the results.

use super::{Calibration, Model, RoundTrip};
use crate::doubts::note;
use crate::{Found, Histogram, Quantity, Series, Statistics, beside};
use chronotap_cards::Shape;
use chronotap_time::Nanos;

/// The figure of the whole loop, from which a calibration was subtracted.
const WHOLE: &str = "whole_loop_frames";

/// Adds the round trip of one period, less the calibration where there is one.
pub(super) fn add(
    shape: &Shape,
    trip: &RoundTrip,
    calibration: Option<&Calibration>,
    load: &str,
    found: &mut Found,
) {
    let rate = f64::from(shape.rate_hz);
    let ns_of = |frames: f64| frames * 1e9 / rate;
    let external_ns = calibration.and_then(|all| all.at(shape.period_frames));
    let external = external_ns.unwrap_or(0.0) * rate / 1e9;
    let own = |frames: f64| Nanos::round_from_f64(ns_of(frames - external));
    let readings = trip.frames.iter().map(|frames| own(*frames));
    let (period, rate_hz) = (shape.period_frames.to_string(), shape.rate_hz.to_string());
    let conditions = [
        ("card", shape.card.as_str()),
        ("period_frames", period.as_str()),
        ("rate_hz", rate_hz.as_str()),
    ];
    let reading = &trip.reading;
    let own = reading.frames - external;
    let mut series = Series::of(Quantity::AudioRoundTrip, &conditions, Histogram::of(readings))
        .with("round_trip_frames", own)
        .with("round_trip_ns", ns_of(own))
        .with("sd_frames", trip.sd_frames())
        .with("gain", reading.gain)
        .with("inverted", f64::from(u8::from(reading.inverted)))
        .with("noise", reading.noise)
        .with("window_s", reading.window_s)
        .with("xruns", trip.xruns as f64);
    if let Some(external_ns) = external_ns {
        series = series
            .with("calibration_ns", external_ns)
            .with(WHOLE, reading.frames)
            .with("own_ns", ns_of(own))
            .with("own_frames", own);
    }
    found.series.push(series);
    note(found, row(shape, trip, own, load));
}

/// A series of an earlier version of this program, which had the calibration in two figures
/// only: the readings and the other figures less it as well.
pub(crate) fn corrected(series: &mut Series) {
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

/// A row of the table, as a sentence.
fn row(shape: &Shape, trip: &RoundTrip, own: f64, load: &str) -> String {
    let reading = &trip.reading;
    let ms = |frames: f64| frames * 1e3 / f64::from(shape.rate_hz);
    let mut text = format!(
        "{}: {:.3} frames, {:.4} ms (SD {:.4} frames)",
        beside(&format!("{} frames", shape.period_frames), load),
        own,
        ms(own),
        trip.sd_frames()
    );
    if own != reading.frames {
        text += &format!(", of {:.3} with the calibrated instrument", reading.frames);
    }
    if reading.inverted {
        text += ", upside down";
    }
    match trip.xruns {
        0 => {}
        1 => text += "; one period was missed meanwhile",
        xruns => text += &format!("; {xruns} periods were missed meanwhile"),
    }
    text
}

/// What all periods together say.
pub(super) fn remarks(
    measured: &[(Shape, RoundTrip)],
    calibration: Option<&Calibration>,
    found: &mut Found,
) {
    for (shape, _) in measured {
        if calibration.is_some_and(|all| all.at(shape.period_frames).is_none()) {
            let period = shape.period_frames;
            note(
                found,
                format!(
                    "{period} frames: the calibration has no such period; nothing is subtracted"
                ),
            );
        }
    }
    let point = |(shape, trip): &(Shape, RoundTrip)| {
        let external = calibration.and_then(|all| all.at(shape.period_frames)).unwrap_or(0.0);
        let frames = trip.reading.frames - external * f64::from(shape.rate_hz) / 1e9;
        (shape.period_frames, frames)
    };
    let points: Vec<(u32, f64)> = measured.iter().map(point).collect();
    if let (Some(model), Some((shape, _))) = (Model::fit(&points), measured.first()) {
        note(found, model.sentence(shape.rate_hz));
    }
}

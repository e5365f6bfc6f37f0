//! From round trips to the series, figures and notes of the results.

use super::{Calibration, RoundTrip};
use crate::timing::doubts::note;
use crate::timing::{Histogram, Quantity, SampleSeries, TestFound, TestRun, beside};
use crate::timing::{RoundTripLine, WHOLE};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{CardShape, PortJoin};

/// What a round trip is of.
pub(super) struct Of<'a> {
    pub calibration: Option<&'a Calibration>,
    pub join: PortJoin,
}

/// A sound server is not told of all that its card takes, so that it says of its ports that they
/// are earlier than they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server's ports report {frames} frames less than the round trip takes")]
pub struct Unreported {
    /// Frames of a period.
    pub period_frames: u32,
    /// Whole frames that are not reported, at least 1.
    pub frames: u32,
}

/// Adds the round trip of one period, less the calibration where there is one.
pub(super) fn add(
    shape: &CardShape,
    trip: &RoundTrip,
    of: &Of<'_>,
    course: &TestRun<'_>,
    found: &mut TestFound,
) {
    let Of { calibration, join } = of;
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
    let mut series =
        SampleSeries::of(Quantity::AudioRoundTrip, &conditions, Histogram::of(readings))
            .with("round_trip_frames", own)
            .with("round_trip_ns", ns_of(own))
            .with("sd_frames", trip.sd_frames())
            .with("gain", reading.gain)
            .with("inverted", f64::from(u8::from(reading.inverted)))
            .with("noise", reading.noise)
            .with("window_s", reading.window_s)
            .with("xruns", trip.xruns as f64);
    let unreported = unreported(shape, own).filter(|_| *join == PortJoin::Card);
    if let Some(frames) = unreported {
        series = series.with("unreported_frames", frames);
    }
    if let Some(external_ns) = external_ns {
        series = series
            .with("calibration_ns", external_ns)
            .with(WHOLE, reading.frames)
            .with("own_ns", ns_of(own))
            .with("own_frames", own);
    }
    found.series.push(series);
    note(found, row(shape, trip, own, course.load));
    if let Some(frames) = unreported.filter(|frames| *frames >= 1.0 && is_server(shape)) {
        let (period_frames, frames) = (shape.period_frames, frames as u32);
        note(found, course.words_for(&Unreported { period_frames, frames }));
    }
}

/// What the round trip takes beyond what the card, or its server, says that input and output do; in
/// whole frames, as the server counts them. Less than nothing where it says too much.
fn unreported(shape: &CardShape, own: f64) -> Option<f64> {
    let reported = shape.playback_latency_frames + shape.capture_latency_frames;
    (reported > 0).then(|| (own + 1e-3).floor() - f64::from(reported))
}

/// Whether it is a server's card, to which one can say what the hardware takes: a server does not
/// tell of its periods.
const fn is_server(shape: &CardShape) -> bool {
    shape.periods == 0
}

/// A row of the table, as a sentence.
fn row(shape: &CardShape, trip: &RoundTrip, own: f64, load: &str) -> String {
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
    measured: &[(CardShape, RoundTrip)],
    calibration: Option<&Calibration>,
    found: &mut TestFound,
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
    let point = |(shape, trip): &(CardShape, RoundTrip)| {
        let external = calibration.and_then(|all| all.at(shape.period_frames)).unwrap_or(0.0);
        let frames = trip.reading.frames - external * f64::from(shape.rate_hz) / 1e9;
        (shape.period_frames, frames)
    };
    let points: Vec<(u32, f64)> = measured.iter().map(point).collect();
    if let (Some(model), Some((shape, _))) = (RoundTripLine::fit(&points), measured.first()) {
        note(found, model.sentence(shape.rate_hz));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// jack_iodelay of a card of 160 frames at a period of 64, whose ports say 64 and 64:
    /// "extra loopback latency: 32 frames, use 16 for the backend arguments -I and -O".
    #[test]
    fn what_is_not_reported_is_the_whole_frames_beyond_the_latencies_of_the_ports() {
        let (playback_latency_frames, capture_latency_frames) = (64, 64);
        let shape =
            CardShape { playback_latency_frames, capture_latency_frames, ..CardShape::default() };
        assert_eq!(unreported(&shape, 160.734), Some(32.0));
        assert_eq!(unreported(&shape, 159.999_9), Some(32.0), "a thousandth is the meter's own");
        assert_eq!(unreported(&shape, 100.0), Some(-28.0));
        assert_eq!(unreported(&CardShape::default(), 160.0), None);
    }
}

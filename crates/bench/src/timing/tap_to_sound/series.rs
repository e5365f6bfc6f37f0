//! From a run to the series, figures and notes of the results.

use super::{
    Band, BesidePad, Latencies, PadReading, PadUnheard, PathStep, TapChain, TapCounts,
    TapToSoundRun, TapToSoundTest, judged,
};
use crate::timing::doubts::note;
use crate::timing::{ErrorWords, Histogram, Quantity, SampleSeries, TestFound, spoken};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::Stamp;

/// Adds what was measured, or why there is no figure.
pub(super) fn add(
    test: &TapToSoundTest,
    measured: &TapToSoundRun,
    words: ErrorWords,
    found: &mut TestFound,
) {
    let card = latencies(test, measured);
    let (chains, counts) = measured.chains(test.channels.tap.is_some(), card);
    found.grant.clone_from(&measured.grant);
    if test.channels.tap.is_some() {
        let reading = measured.pad(card);
        pad("the pad", places(test, measured), &reading, found);
        beside(test, measured, (&reading, card), found);
    }
    if let Err(doubt) = judged(&counts, &measured.heard) {
        return note(found, format!("no figure: {}", words(&doubt)));
    }
    for step in PathStep::ALL {
        let times: Vec<Nanos> = chains.iter().filter_map(|chain| chain.step(step)).collect();
        if !times.is_empty() {
            found.series.push(series(test, measured, step, times));
        }
    }
    if let Some(total) = found.series.last_mut() {
        figures(total, measured, &counts, &chains);
    }
    remarks(test, measured, &counts, words, found);
}

/// What each input beside the pad made of the same strikes, and how it did compared with the pad.
fn beside(
    test: &TapToSoundTest,
    measured: &TapToSoundRun,
    (with, card): (&PadReading, Latencies),
    found: &mut TestFound,
) {
    for (place, beside) in test.beside.iter().enumerate().filter(|_| !with.strikes.is_empty()) {
        let reading = measured.beside(place, card);
        let mut places = places(test, measured);
        places.retain(|(condition, _)| *condition != "input");
        places.extend([("input", beside.name.clone()), ("beside", beside.sense.to_owned())]);
        let first = found.series.len();
        pad(&beside.name, places, &reading, found);
        let compared = BesidePad::of(with, &reading);
        if let Some(all) = found.series.get_mut(first) {
            all.figures.extend(compared_figures(&compared));
        }
        note(found, compared.said(&beside.name));
    }
}

fn compared_figures(compared: &BesidePad) -> impl Iterator<Item = (String, f64)> {
    let earlier = compared.earlier();
    let ends = earlier.and_then(|(_, interval)| interval);
    let [pad, own] = compared.missed_alone.map(|count| Some(count as f64));
    let figures = [
        ("earlier_ns", earlier.map(|(mean, _)| mean)),
        ("earlier_low_ns", ends.map(|interval| interval.low)),
        ("earlier_high_ns", ends.map(|interval| interval.high)),
        ("pad_missed_alone", pad),
        ("missed_alone", own),
    ];
    figures.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
}

/// What a pad, or what is beside it, made of the strikes, in all and by force.
fn pad(
    name: &str,
    places: Vec<(&'static str, String)>,
    reading: &PadReading,
    found: &mut TestFound,
) {
    let all = reading.all();
    if all.strikes == 0 {
        return note(found, format!("{name}: no strike was heard"));
    }
    let series = |force: &str, band: &Band| {
        let mut conditions = places.clone();
        conditions.push(("force", force.to_owned()));
        let of = conditions.iter().map(|(name, value)| (*name, value.as_str()));
        let delays = Histogram::of(band.delays.iter().copied());
        let series = SampleSeries::of(Quantity::PadDelay, &of.collect::<Vec<_>>(), delays);
        band.figures().into_iter().fold(series, |series, (name, value)| series.with(name, value))
    };
    let (unstruck, left_out) = (reading.unstruck as f64, reading.broken as f64);
    let total = series("all", &all).with("unstruck", unstruck);
    found.series.push(total.with("left_out_strikes", left_out));
    note(found, counted(name, &all));
    if reading.unstruck > 0 {
        note(found, format!("{name}: {unstruck} messages came without a strike"));
    }
    for (force, band) in reading.bands() {
        note(found, counted(force, &band));
        found.series.push(series(force, &band));
    }
}

fn counted(what: &str, band: &Band) -> String {
    let Band { strikes, missed, doubled, .. } = band;
    let counted = if *strikes == 1 { "strike" } else { "strikes" };
    format!("{what}: {strikes} {counted}, {missed} missed, {doubled} doubled")
}

/// As the card tells them, or as they were measured: what the round trip has beyond both
/// latencies is then shared between both converters.
fn latencies(test: &TapToSoundTest, measured: &TapToSoundRun) -> Latencies {
    let told = Latencies::of(&measured.shape);
    let period = measured.shape.period_frames;
    let Some(trip_ns) = test.calibration.as_ref().and_then(|all| all.at(period)) else {
        return told;
    };
    let beyond = Nanos::round_from_f64(trip_ns) - told.playback - told.capture;
    Latencies { capture: told.capture + beyond / 2, ..told }
}

fn series(
    test: &TapToSoundTest,
    measured: &TapToSoundRun,
    step: PathStep,
    times: Vec<Nanos>,
) -> SampleSeries {
    let mut conditions = places(test, measured);
    conditions.push(("step", step.name().to_owned()));
    let of = conditions.iter().map(|(name, value)| (*name, value.as_str()));
    SampleSeries::of(Quantity::TapToSound, &of.collect::<Vec<_>>(), Histogram::of(times))
}

/// Where it was measured.
fn places(test: &TapToSoundTest, measured: &TapToSoundRun) -> Vec<(&'static str, String)> {
    let shape = &measured.shape;
    vec![
        ("card", shape.card.clone()),
        ("input", test.input.clone()),
        ("period_frames", shape.period_frames.to_string()),
        ("rate_hz", shape.rate_hz.to_string()),
    ]
}

/// What belongs to the run as a whole stands with the total.
fn figures(
    total: &mut SampleSeries,
    measured: &TapToSoundRun,
    counts: &TapCounts,
    chains: &[TapChain],
) {
    let middle = |peaks: &[f32]| peaks.get(peaks.len() / 2).map(|peak| f64::from(*peak));
    let apart = chains.iter().map(|chain| chain.disagreement.0.abs()).max().unwrap_or(0);
    let silence = measured.heard.silence.map_or(0.0, |silence| f64::from(silence.noise));
    let figures = [
        ("taps", Some(counts.taps as f64)),
        ("left_out", Some((counts.taps - counts.whole) as f64)),
        ("unasked_sounds", Some(counts.unasked as f64)),
        ("xruns", Some(measured.xruns.len() as f64)),
        ("constant_latency_ns", Some(measured.latency.0 as f64)),
        ("clock_disagreement_ns", Some(apart as f64)),
        ("sound_peak", middle(&counts.peaks)),
        ("tap_peak", middle(&counts.tap_peaks)),
        ("noise_peak", Some(silence)),
    ];
    for (name, value) in figures {
        total.figures.extend(value.map(|value| (name.to_owned(), value)));
    }
}

fn remarks(
    test: &TapToSoundTest,
    measured: &TapToSoundRun,
    counts: &TapCounts,
    words: ErrorWords,
    found: &mut TestFound,
) {
    let begins = match test.channels.tap {
        Some(_) => "the tap as it is heard",
        None => "the stamp of its message",
    };
    let (whole, taps) = (counts.whole, counts.taps);
    note(found, format!("{whole} of {taps} taps, each from {begins} to the sound as it is heard"));
    found.notes.extend(found.series.last().map(|total| total_row(total, measured)));
    let constant = spoken(measured.latency.0 as f64);
    note(found, format!("from stamp to converter is a constant, {constant}, to half a frame"));
    if test.channels.tap.is_none() {
        note(found, words(&PadUnheard));
    }
    found.notes.extend(measured.stamped.and_then(stamped).map(str::to_owned));
    let period = measured.shape.period_frames;
    if test.calibration.as_ref().is_some_and(|all| all.at(period).is_none()) {
        note(found, format!("the calibration has no period of {period} frames; it is not used"));
    }
    let cable =
        found.series.iter().find(|one| one.condition("step") == Some(PathStep::Cable.name()));
    let half_a_frame_ns = measured.shape.length(1).0 as f64 / 2.0; // less is rounding
    if cable.and_then(|one| one.statistics.mean_ns).is_some_and(|mean| mean < -half_a_frame_ns) {
        let sentence = "`converter and cable` is below 0: the sound came back sooner than the \
                        card's own latencies allow, as within an audio server; look at the total";
        note(found, sentence.into());
    }
    left_out(counts, found);
}

/// What the stamps leave out, by who took them.
fn stamped(by: Stamp) -> Option<&'static str> {
    match by {
        Stamp::Kernel => None,
        Stamp::UserSpace => Some(
            "this port has no stamps of the kernel: `kernel to program` is empty, and what it \
             holds elsewhere is part of `pad and interface`",
        ),
        Stamp::AudioFrame => Some(
            "the stamps are frames of the audio server, which hands a message over a period later",
        ),
        Stamp::Device => Some(
            "the stamps are the device's own, mapped to this computer's clock: what its messages take \
             is part of `kernel to program`",
        ),
        Stamp::Virtual => Some("the taps came from a simulated hand on the virtual wire"),
    }
}

/// The figure that counts, more finely than in tables.
fn total_row(total: &SampleSeries, measured: &TapToSoundRun) -> String {
    let ms = |ns: Option<f64>| ns.map_or("-".into(), |ns| format!("{:.3} ms", ns / 1e6));
    let all = &total.statistics;
    let frame_ns = 1e9 / f64::from(measured.shape.rate_hz.max(1));
    let frames = all.mean_ns.map_or(0.0, |ns| ns / frame_ns);
    let (mean, sd) = (ms(all.mean_ns), ms(all.sd_ns));
    format!("total: {mean}, {frames:.1} frames (SD {sd})")
}

/// What is not in the figures, and why.
fn left_out(counts: &TapCounts, found: &mut TestFound) {
    let reasons = [
        (counts.lost, "whose answer was lost"),
        (counts.broken, "beside missed periods"),
        (counts.silent, "whose sound was not heard"),
        (counts.unheard, "that were not heard"),
        (counts.doubled, "with two onsets"),
        (counts.clipped, "at full scale"),
    ];
    let some = reasons.into_iter().filter(|(count, _)| *count > 0);
    let said: Vec<String> = some.map(|(count, why)| format!("{count} {why}")).collect();
    if !said.is_empty() {
        note(found, format!("left out are taps: {}", said.join(", ")));
    }
    if counts.unasked > 0 {
        note(found, format!("{} sounds answered no tap", counts.unasked));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Channels;
    use super::*;
    use crate::timing::roundtrip::Calibration;
    use crate::timing::{Length, Results};
    use chronotap_linux::cards::CardShape;
    use std::sync::Arc;

    /// A card of 20 us a frame that tells 200 frames to its output and 100 from its input,
    /// with a round trip measured at this period.
    fn calibrated(period: &str, trip_frames: f64) -> Latencies {
        let conditions = [("period_frames", period)];
        let trip = SampleSeries::of(Quantity::AudioRoundTrip, &conditions, Histogram::new())
            .with("round_trip_ns", trip_frames * 20_000.0);
        // A calibration of one period is used at every one, so there are two.
        let other =
            SampleSeries::of(Quantity::AudioRoundTrip, &[("period_frames", "7")], Histogram::new())
                .with("round_trip_ns", 1.0);
        let mut results = Results::begin("", "", "", Length::Quick);
        results.tests = vec![TestFound { series: vec![trip, other], ..TestFound::default() }];
        let test = TapToSoundTest {
            input: "wire".into(),
            open: Arc::new(|| Err("no port".into())),
            card: Default::default(),
            channels: Channels::default(),
            taps: None,
            longest: None,
            threshold: None,
            calibration: Calibration::of(&results).ok(),
            scripted: None,
            beside: Vec::new(),
        };
        let shape = CardShape {
            rate_hz: 50_000,
            period_frames: 100,
            playback_latency_frames: 200,
            capture_latency_frames: 100,
            ..CardShape::default()
        };
        latencies(&test, &TapToSoundRun { shape, ..TapToSoundRun::default() })
    }

    #[test]
    fn what_a_round_trip_has_beyond_both_buffers_is_shared_between_the_converters() {
        let own = calibrated("64", 360.0);
        assert_eq!((own.playback, own.capture), (Nanos::from_millis(4), Nanos::from_millis(2)));
        let found = calibrated("100", 360.0);
        assert_eq!(found.playback, own.playback);
        assert_eq!(found.capture, Nanos::from_micros(2_600), "30 frames more");
    }
}

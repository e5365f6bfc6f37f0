//! Recordings with REPP's markers are heard and judged as REPP does: `repp/kept.json` has what
//! `repp-tapping` 1.4.0 said of them. They are made anew here by the formulas of
//! `repp/recordings.py`, and a sum holds both together. `scripts/repp.sh` compares hundreds.

use chronotap_data::exchange::taps::{
    Events, HowHeard, ImportOptions, Onsets, Read, SourceFile, TapsError, kind_of, read_taps,
};
use chronotap_testkit_audio::music::{SoundFileForm, wav};
use serde_json::Value;
use std::f64::consts::PI;

const KEPT: &str = include_str!("repp/kept.json");
const MARKER_HZ: f64 = 260.768;
const TAP_HZ: f64 = 180.0;
const TAU: f64 = 0.012;
/// REPP rounds its times to hundredths of a millisecond.
const ROUNDED_MS: f64 = 0.006;

struct Case(Value);

impl Case {
    fn number(&self, key: &str) -> f64 {
        self.0[key].as_f64().unwrap()
    }

    fn numbers(&self, key: &str) -> Vec<f64> {
        let list = self.0.pointer(key).and_then(Value::as_array).unwrap();
        list.iter().map(|one| one.as_f64().unwrap()).collect()
    }

    fn rate_hz(&self) -> f64 {
        self.number("rate_hz")
    }

    /// Adds a sine that begins at this time and whose peak is that of a function.
    fn add(
        &self,
        to: &mut [f64],
        at_ms: f64,
        hz: f64,
        lasts_s: f64,
        (from, peak): (f64, &dyn Fn(f64) -> f64),
    ) {
        let rate = self.rate_hz();
        let first = (at_ms / 1e3 * rate).ceil() as usize;
        let count = (lasts_s * rate) as usize;
        for (nth, sample) in to.iter_mut().skip(first).take(count).enumerate() {
            let t = ((first + nth) as f64 - from * rate) / rate;
            *sample += peak(t) * (2.0 * PI * hz * t).sin();
        }
    }

    fn samples(&self) -> Vec<i32> {
        let mut all = noise(self.number("length") as usize, self.number("noise"));
        let missing = self.numbers("/missing");
        for (nth, marker) in (0..).zip(self.numbers("/markers_onsets")) {
            if !missing.contains(&f64::from(nth)) {
                // A marker begins on a sample.
                let from = (marker / 1e3 * self.rate_hz()).ceil() / self.rate_hz();
                self.add(&mut all, marker, MARKER_HZ, 0.015, (from, &|_| 0.6));
            }
        }
        let gain = self.number("gain");
        for contact in self.numbers("/contacts_ms") {
            let fades = |t: f64| gain * (-t / TAU).exp();
            self.add(&mut all, contact, TAP_HZ, 8.0 * TAU, (contact / 1e3, &fades));
        }
        all.iter().map(|sample| (sample * 32_767.0).round_ties_even() as i32).collect()
    }

    fn files(&self) -> [SourceFile; 2] {
        let samples = self.samples();
        let sum: i64 = samples.iter().map(|sample| i64::from(sample.abs())).sum();
        assert_eq!(sum, self.0["sum"].as_i64().unwrap(), "{}: another recording", self.0["name"]);
        let form = SoundFileForm { rate_hz: self.rate_hz() as u32, channels: 1, bits: 16 };
        let [name, other] = ["sub-07.wav", "s.json"].map(str::to_owned);
        let stimulus = self.0.to_string().into_bytes();
        [
            SourceFile { name, bytes: wav(form, &samples) },
            SourceFile { name: other, bytes: stimulus },
        ]
    }
}

/// Of a linear congruential generator.
fn noise(length: usize, peak: f64) -> Vec<f64> {
    let mut state: u32 = 1;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (f64::from(state) / f64::from(1u32 << 31) - 1.0) * peak
    };
    (0..length).map(|_| next()).collect()
}

fn cases() -> Vec<Case> {
    let kept: Value = serde_json::from_str(KEPT).unwrap();
    kept["cases"].as_array().unwrap().iter().cloned().map(Case).collect()
}

fn read(file: &SourceFile, stimulus: Option<&SourceFile>) -> Result<Read, TapsError> {
    let how = ImportOptions {
        hearing: HowHeard { as_repp: true, ..HowHeard::default() },
        ..ImportOptions::default()
    };
    read_taps(file, stimulus, kind_of(file), &how)
}

fn onsets(read: &Read) -> &Onsets {
    match &read.trials[0].events {
        Events::Onsets(onsets) => onsets,
        Events::Ftap(_) => panic!("a sound"),
    }
}

/// What is said where REPP has this reason.
fn judgement(reason: &str) -> &'static str {
    match reason {
        "All good" => "REPP would keep it",
        "Not all markers detected" => "REPP would leave it out: 1 of 6 markers are not heard",
        "Too few detected taps" => "REPP would leave it out: too few taps",
        "Too many detected taps" => "REPP would leave it out: too many taps",
        _ => "REPP would leave it out: the asynchronies vary by",
    }
}

#[test]
fn taps_markers_and_judgement_are_those_that_repp_gave() {
    for case in cases() {
        let name = &case.0["name"];
        let [file, stimulus] = case.files();
        let found = read(&file, Some(&stimulus)).unwrap();
        let meant = judgement(case.0["repp"]["reason"].as_str().unwrap());
        assert!(found.told[0].contains(meant), "{name}: {:?}", found.told);
        let onsets = onsets(&found);
        assert_eq!(onsets.doubts.len(), usize::from(!meant.ends_with("keep it")), "{name}");
        let (markers, played) = (case.numbers("/repp/markers"), case.numbers("/markers_onsets"));
        let is_marker =
            |ms: &f64| played.iter().any(|one| (ms - (one - played[0] + markers[0])).abs() < 35.0);
        let theirs = case.numbers("/repp/taps").into_iter().filter(|ms| !is_marker(ms));
        let theirs: Vec<f64> = theirs.map(|ms| ms - markers[0]).collect();
        let ours: Vec<f64> = onsets.taps.iter().map(|tap| tap.at.as_millis_f64()).collect();
        assert_eq!(ours.len(), theirs.len(), "{name}: {ours:?} {theirs:?}");
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert!((ours - theirs).abs() < 2.0 * ROUNDED_MS, "{name}: {ours} {theirs}");
        }
        assert_eq!(onsets.stimuli[0].at.as_millis_f64(), 2_500.0, "from the first marker");
    }
}

#[test]
fn a_recording_without_its_stimulus_or_without_markers_is_refused() {
    let [file, stimulus] = cases().remove(3).files();
    assert!(matches!(read(&file, None), Err(TapsError::NoReppStimulus { .. })));
    let form = SoundFileForm { rate_hz: 16_000, channels: 1, bits: 16 };
    let silent = SourceFile { bytes: wav(form, &[0; 32_000]), ..file.clone() };
    assert!(matches!(read(&silent, Some(&stimulus)), Err(TapsError::NoMarker { .. })));
    for broken in [
        "",
        "[]",
        "{}",
        "{\"markers_onsets\": [0], \"stim_shifted_onsets\": [1, 2]}",
        "{\"markers_onsets\": [0, 1], \"stim_shifted_onsets\": [2, 2]}",
        "{\"markers_onsets\": [0, 1], \"stim_shifted_onsets\": [2, \"a\"]}",
        "{\"markers_onsets\": [0, 1e300], \"stim_shifted_onsets\": [2, 3]}",
    ] {
        let other = SourceFile { name: "s.json".into(), bytes: broken.into() };
        let said = read(&file, Some(&other));
        assert!(matches!(said, Err(TapsError::Broken { .. })), "{broken}: {said:?}");
    }
}

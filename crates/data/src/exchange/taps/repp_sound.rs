//! Recordings of REPP (Anglada-Tort, Harrison & Jacoby, 2022), heard and judged as REPP does it
//! ([`chronotap_audio::repp`]), with the JSON that REPP keeps of each stimulus.
//!
//! Taps and stimuli are brought onto the time of the first marker, which REPP heard in one case
//! and played in the other. What REPP would leave out is a doubt here: nothing is lost.

mod judged;

use super::error::TapsError;
use super::sound::{channel, form};
use super::{Events, ImportOptions, Onsets, Read, SourceFile, SourceOnset, Taken};
use crate::record::OriginColumn;
use chronotap_audio::repp::{ReppOnsets, repp_onsets};
use chronotap_audio::tone::SampleError;
use chronotap_audio::{SoundFile, SoundForm};
use chronotap_core::time::Nanos;
use judged::{MARKER_WITHIN_MS, judged};
use serde_json::Value;
use std::io::Cursor;

const MARKERS: &str = "markers_onsets";
const STIMULI: &str = "stim_shifted_onsets";
const KIND: &str = "JSON of a stimulus of REPP";
/// The longest recording, in seconds: all of it is in memory several times.
const LONGEST_S: u64 = 600;
/// The most stimuli of a trial: each is compared with each tap.
const MOST: usize = 10_000;
/// How long a block of its envelope is, in ns: in such steps it tells onsets.
const STEP_NS: i64 = 45 * 1_000_000_000 / 22_000;

/// What REPP played, in ms from the beginning of the stimulus.
#[derive(Clone, Debug, Default, PartialEq)]
struct Played {
    markers_ms: Vec<f64>,
    stimuli_ms: Vec<f64>,
}

pub(super) fn read(
    file: &SourceFile,
    stimulus: Option<&SourceFile>,
    how: &ImportOptions,
) -> Result<Read, TapsError> {
    let no_stimulus = || TapsError::NoReppStimulus { name: file.name.clone() };
    let played = played(stimulus.ok_or_else(no_stimulus)?)?;
    let form = form(file)?;
    let number = how.taps.as_ref().map(|place| channel(file, place, form.channels)).transpose()?;
    let heard = repp_onsets(&whole(file, form, number)?, form.rate_hz);
    let Some(first) = heard.markers_ms.first().copied() else {
        return Err(TapsError::NoMarker { name: file.name.clone() });
    };
    let judged = judged(&played, &heard);
    let at = |ms: f64| SourceOnset::of(Nanos::round_from_f64(ms * 1e6));
    let taps = without_markers(&heard, &played, first);
    let onsets = Onsets {
        taps: taps.iter().map(|ms| at(ms - first)).collect(),
        stimuli: played.stimuli_ms.iter().map(|ms| at(ms - played.markers_ms[0])).collect(),
        doubts: judged.clone().err().into_iter().collect(),
        ..Onsets::default()
    };
    let taken = Taken {
        participant: how.participant.clone(),
        levels: vec![None; how.condition_columns.len()],
        events: Events::Onsets(onsets),
        ..Taken::default()
    };
    let words = words(&heard, taps.len(), number);
    let told = vec![format!("{words}; {}", judged.unwrap_or_else(|why| why))];
    Ok(Read {
        trials: vec![taken],
        columns: columns(number),
        step_ns: STEP_NS,
        told,
        ..Read::default()
    })
}

/// What of a recording was listened to.
fn of_channel(number: Option<u16>) -> String {
    number.map_or("all channels as one".to_owned(), |number| format!("channel {number}"))
}

fn words(heard: &ReppOnsets, taps: usize, number: Option<u16>) -> String {
    let counted = heard.taps_ms.len();
    format!(
        "{}, heard as REPP does: {taps} taps ({counted} with markers, which it counts as taps, too)",
        of_channel(number)
    )
}

/// The taps: markers lie in the band of taps, and REPP hears them there once more. What it hears as
/// markers may be taps, so that those are markers which come where one was played.
fn without_markers(heard: &ReppOnsets, played: &Played, first: f64) -> Vec<f64> {
    let markers = || played.markers_ms.iter().map(|ms| ms - played.markers_ms[0] + first);
    let near = |ms: f64| markers().any(|marker| (ms - marker).abs() < MARKER_WITHIN_MS);
    heard.taps_ms.iter().copied().filter(|ms| !near(*ms)).collect()
}

fn columns(number: Option<u16>) -> Vec<OriginColumn> {
    let of = |holds: &str, column: String| OriginColumn {
        holds: holds.into(),
        column,
        unit: "ms".into(),
    };
    let taps = format!(
        "{}, heard as repp-tapping 1.4.0 does (80 to 500 Hz, from .225 on), less the first marker \
         heard (200 to 340 Hz, from .19 on)",
        of_channel(number)
    );
    vec![of("taps", taps), of("stimuli", format!("{STIMULI} less the first of {MARKERS}"))]
}

/// What the file of a stimulus says of it.
fn played(file: &SourceFile) -> Result<Played, TapsError> {
    let broken = |why: String| TapsError::Broken { name: file.name.clone(), kind: KIND, why };
    let whole: Value =
        serde_json::from_str(&file.text()?).map_err(|error| broken(error.to_string()))?;
    let times = |key: &str| times(whole.get(key)).map_err(|why| broken(format!("{key}: {why}")));
    let played = Played { markers_ms: times(MARKERS)?, stimuli_ms: times(STIMULI)? };
    match (played.markers_ms.len(), played.stimuli_ms.len()) {
        (0 | 1, _) => Err(broken(format!("{MARKERS}: fewer than two"))),
        (_, 0 | 1) => Err(broken(format!("{STIMULI}: fewer than two"))),
        _ => Ok(played),
    }
}

/// A list of times that rise.
fn times(list: Option<&Value>) -> Result<Vec<f64>, String> {
    let all = list.and_then(Value::as_array).ok_or("no list of times in ms")?;
    let number = |value: &Value| value.as_f64().filter(|ms| ms.abs() < 1e9);
    let all: Option<Vec<f64>> = all.iter().map(number).collect();
    let all = all.ok_or("something in it is no time in ms")?;
    match all.len() <= MOST && all.windows(2).all(|two| two[0] < two[1]) {
        true => Ok(all),
        false => Err(format!("more than {MOST} times, or one that is not above the one before")),
    }
}

/// The whole of a channel, or the mean of both.
fn whole(file: &SourceFile, form: SoundForm, number: Option<u16>) -> Result<Vec<f32>, TapsError> {
    let wrong = |error| TapsError::Sound { name: file.name.clone(), error };
    if form.frames / u64::from(form.rate_hz) >= LONGEST_S {
        return Err(wrong(SampleError::Long(LONGEST_S)));
    }
    let sound = SoundFile::open(Cursor::new(&*file.bytes)).map_err(wrong)?;
    let one = |frame: &[f32; 2]| {
        let value = match number {
            None => (frame[0] + frame[1]) / 2.0,
            Some(number) => frame[usize::from(number > 1)],
        };
        if value.is_finite() { value } else { 0.0 }
    };
    let (mut all, mut left) = (Vec::new(), form.frames);
    let mut blocks = |frames: &[[f32; 2]]| {
        left = left.checked_sub(frames.len() as u64).ok_or(SampleError::Long(LONGEST_S))?;
        all.extend(frames.iter().map(one));
        Ok(())
    };
    sound.each(&mut blocks).map_err(wrong)?;
    Ok(all)
}

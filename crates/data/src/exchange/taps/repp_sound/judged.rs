//! Whether REPP would keep a trial, and why not: by its markers, the number of taps, and how much
//! the asynchronies vary. Thresholds are those of `repp-tapping` 1.4.0.

use super::Played;
use chronotap_audio::repp::ReppOnsets;

/// Markers are sought within so many ms, and must be heard within fewer.
pub(super) const MARKER_WITHIN_MS: f64 = 35.0;
const MARKER_OFF_MS: f64 = 15.0;
/// Taps are sought within so many ms; so far that the phase alone decides.
const TAP_WITHIN_MS: f64 = 1_999.0;
/// Two belong together if they are nearer than this share of the interval between stimuli.
const PHASE: f64 = 0.4;
/// Taps in percent of stimuli.
const TAPS_PERCENT: std::ops::RangeInclusive<f64> = 50.0..=150.0;
/// An SD of asynchronies that no hand has, in ms.
const LEAST_SD_MS: f64 = 10.0;

/// `Ok` in words if REPP would keep the trial, `Err` with its first reason if not.
pub(super) fn judged(played: &Played, heard: &ReppOnsets) -> Result<String, String> {
    let markers = asynchronies(
        &from(played.markers_ms[0], &played.markers_ms),
        &from(first(&heard.markers_ms), &heard.markers_ms),
        MARKER_WITHIN_MS,
    );
    let (found, all) = (markers.len(), played.markers_ms.len());
    let off = markers.iter().fold(0.0, |most: f64, ms| ms.abs().max(most));
    let (taps, stimuli) = (heard.taps_ms.len(), played.stimuli_ms.len());
    let percent = 100.0 * taps as f64 / stimuli as f64;
    // Both from the first stimulus on, by the time of the first marker.
    let marker = first(&heard.markers_ms) - played.markers_ms[0];
    let begin = played.stimuli_ms[0];
    let of_taps = || {
        let taps = from(begin + marker, &heard.taps_ms);
        asynchronies(&from(begin, &played.stimuli_ms), &taps, TAP_WITHIN_MS)
    };
    let why = match () {
        () if found < all => format!("{} of {all} markers are not heard", all - found),
        () if off >= MARKER_OFF_MS => format!("a marker is {off:.1} ms off"),
        () if percent < *TAPS_PERCENT.start() => {
            format!("too few taps, {taps} for {stimuli} stimuli")
        }
        () if percent > *TAPS_PERCENT.end() => {
            format!("too many taps, {taps} for {stimuli} stimuli")
        }
        () => match sd(&of_taps()) {
            None => "fewer than two taps answer a stimulus".to_owned(),
            Some(sd) if sd > LEAST_SD_MS => {
                return Ok(format!("REPP would keep it (markers {off:.1} ms off at most)"));
            }
            Some(sd) => format!("the asynchronies vary by {sd:.1} ms"),
        },
    };
    Err(format!("REPP would leave it out: {why}"))
}

fn first(all: &[f64]) -> f64 {
    all.first().copied().unwrap_or_default()
}

/// Times counted from one of them.
fn from(zero: f64, all: &[f64]) -> Vec<f64> {
    all.iter().map(|ms| ms - zero).collect()
}

/// How much later each answered stimulus is answered: matched once, and again without the mean.
fn asynchronies(stimuli: &[f64], answers: &[f64], within: f64) -> Vec<f64> {
    let mean = mean(&matched(stimuli, answers, within)).unwrap_or_default();
    let found = matched(stimuli, &from(mean, answers), within);
    found.iter().map(|ms| ms + mean).collect()
}

/// The differences of those that belong together, by the stimulus: of all pairs the one that is
/// nearest in phase, then the nearest of what is left, and so on.
fn matched(stimuli: &[f64], answers: &[f64], within: f64) -> Vec<f64> {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (nth, stimulus) in stimuli.iter().enumerate() {
        let behind = stimuli.get(nth + 1).map(|next| next - stimulus);
        let before = nth.checked_sub(1).map(|last| stimulus - stimuli[last]);
        let (next, last) = (behind.or(before).unwrap_or(0.0), before.or(behind).unwrap_or(0.0));
        for (of, answer) in answers.iter().enumerate() {
            let apart = answer - stimulus;
            let phase = if apart > 0.0 { apart / next } else { -apart / last };
            if phase < PHASE && apart.abs() < within {
                pairs.push((phase, nth, of));
            }
        }
    }
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut left, mut unused) = (vec![None; stimuli.len()], vec![true; answers.len()]);
    for (_, nth, of) in pairs {
        if left[nth].is_none() && unused[of] {
            left[nth] = Some(answers[of] - stimuli[nth]);
            unused[of] = false;
        }
    }
    left.into_iter().flatten().collect()
}

fn mean(all: &[f64]) -> Option<f64> {
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

/// The SD of at least two, with their number below the line.
fn sd(all: &[f64]) -> Option<f64> {
    let mean = mean(all).filter(|_| all.len() > 1)?;
    let squares: f64 = all.iter().map(|one| (one - mean).powi(2)).sum();
    Some((squares / all.len() as f64).sqrt())
}

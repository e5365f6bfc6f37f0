//! [`TapToSoundDoubt`]: why there is no figure.
//!
//! A figure is given only where nearly every tap was answered by one sound, and nearly
//! every sound answers a tap. What a detector hears besides is not averaged away.

use super::TapCounts;
use super::ear::HeardOnsets;
use chronotap_audio::onset::QuietStretch;

/// Fewer whole ways than this are no sample.
const FEWEST: usize = 5;
/// More than one in so many that did not come out even is too many.
const ONE_IN: usize = 10;
/// A sound's peak over the threshold (6 dB): half of the peak is then above it.
const CLEAR: f32 = 2.0;

/// Why there is no figure.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TapToSoundDoubt {
    /// Nobody tapped, or the port is another one.
    #[error("no tap came in")]
    NoTaps,
    /// The card cut samples off.
    #[error("{0} of {1} taps reached full scale, so that their onsets are not known")]
    Clipped(usize, usize),
    /// The card lost periods.
    #[error("the card missed periods beside {0} of {1} taps")]
    Broken(usize, usize),
    /// The answers are not heard.
    #[error("{silent} of {taps} sounds were not heard above {threshold_db:.0} dB full scale")]
    Silent {
        silent: usize,
        /// Of so many.
        taps: usize,
        /// What they would have to exceed.
        threshold_db: f32,
    },
    /// The taps are not heard.
    #[error(
        "{unheard} of {taps} taps were not heard above {threshold_db:.0} dB full scale in the \
         100 ms before their messages"
    )]
    Unheard {
        unheard: usize,
        /// Of so many.
        taps: usize,
        /// What they would have to exceed.
        threshold_db: f32,
    },
    /// There are more onsets than taps.
    #[error("{0} of {1} taps have two onsets in the place of one")]
    Doubled(usize, usize),
    /// There are sounds that nobody asked for.
    #[error("{0} sounds answer no tap, beside {1} taps")]
    Unasked(usize, usize),
    /// Sounds hardly exceed the threshold.
    #[error("the sounds are only {0:.0} dB above the threshold, 6 are needed")]
    Quiet(f32),
    /// The same of the taps.
    #[error("the taps are only {0:.0} dB above the threshold, 6 are needed")]
    QuietTaps(f32),
    /// Answers never left the program.
    #[error("{0} of {1} answers were lost in the program")]
    Lost(usize, usize),
    /// Too few.
    #[error("only {0} taps were measured, {FEWEST} are needed")]
    Few(usize),
}

/// The total begins with the stamp of a message, since no microphone hears the tap itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what pad and interface take before the stamp is not in the total")]
pub struct PadUnheard;

/// Whether a figure may be given.
///
/// # Errors
/// [`TapToSoundDoubt`].
pub fn judged(counts: &TapCounts, heard: &HeardOnsets) -> Result<(), TapToSoundDoubt> {
    let taps = counts.taps;
    let many = |count: usize| count * ONE_IN > taps;
    let threshold_db = db(heard.silence.map_or(0.0, |silence| silence.threshold));
    let tap_db = db(heard.tap_silence.map_or(0.0, |silence| silence.threshold));
    let counted = [
        (counts.lost, TapToSoundDoubt::Lost(counts.lost, taps)),
        (counts.broken, TapToSoundDoubt::Broken(counts.broken, taps)),
        (counts.clipped, TapToSoundDoubt::Clipped(counts.clipped, taps)),
        (counts.silent, TapToSoundDoubt::Silent { silent: counts.silent, taps, threshold_db }),
        (
            counts.unheard,
            TapToSoundDoubt::Unheard { unheard: counts.unheard, taps, threshold_db: tap_db },
        ),
        (counts.doubled, TapToSoundDoubt::Doubled(counts.doubled, taps)),
        (counts.unasked, TapToSoundDoubt::Unasked(counts.unasked, taps)),
    ];
    if taps == 0 {
        return Err(TapToSoundDoubt::NoTaps);
    }
    if let Some((_, doubt)) = counted.into_iter().find(|(count, _)| many(*count)) {
        return Err(doubt);
    }
    if let Some(above) = short_of(&counts.peaks, heard.silence) {
        return Err(TapToSoundDoubt::Quiet(above));
    }
    if let Some(above) = short_of(&counts.tap_peaks, heard.tap_silence) {
        return Err(TapToSoundDoubt::QuietTaps(above));
    }
    if counts.whole < FEWEST { Err(TapToSoundDoubt::Few(counts.whole)) } else { Ok(()) }
}

/// By how many dB the weaker ones exceed the threshold, where that is too little: nine in
/// ten are stronger.
fn short_of(peaks: &[f32], silence: Option<QuietStretch>) -> Option<f32> {
    let weak = peaks.get(peaks.len() / ONE_IN)?;
    let above = weak / silence?.threshold;
    (above < CLEAR).then(|| db(above))
}

fn db(share: f32) -> f32 {
    20.0 * share.max(1e-9).log10()
}

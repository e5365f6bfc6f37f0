//! [`pair_up`]: which sound answered which tap, and what did not come out even.
//!
//! A sound belongs to the answer that was on its way: it is heard after the answer's
//! first frame and before the next answer's. A tap's own sound is heard shortly before
//! its stamp. Where two stand in a place that is for one, neither is taken.

use super::chain::{AnsweredTap, Latencies, OnsetFrame, TapChain};
use super::ear::{HeardOnsets, Located};
use chronotap_core::time::Nanos;

/// A sound is heard at most so long after its frame is at the converter.
const LONGEST_CABLE: Nanos = Nanos::from_millis(400);
/// A tap's message is stamped at most so long after the tap is heard.
pub(super) const LONGEST_PAD: Nanos = Nanos::from_millis(100);
/// And at most so long before: the card's word on its latency may be wrong by that.
pub(super) const EARLIEST_PAD: Nanos = Nanos::from_millis(5);

/// What became of the taps, and of what was heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TapCounts {
    /// Taps that came in.
    pub taps: usize,
    /// Those whose way is known as a whole.
    pub whole: usize,
    /// Those whose answer was lost in the program.
    pub lost: usize,
    /// Those beside which the card missed a period, or frames are missing.
    pub broken: usize,
    /// Those whose answer was not heard.
    pub silent: usize,
    /// Those whose own sound was not heard.
    pub unheard: usize,
    /// Those with two onsets in the place of one.
    pub doubled: usize,
    /// Those whose sounds reached full scale.
    pub clipped: usize,
    /// Sounds that answer no tap.
    pub unasked: usize,
    /// Peaks of the sounds of the whole ones, full scale being 1, rising.
    pub peaks: Vec<f32>,
    /// Peaks of their taps.
    pub tap_peaks: Vec<f32>,
}

/// What taps are paired with.
pub struct Pairing<'a> {
    /// What was heard.
    pub heard: &'a HeardOnsets,
    /// Whether taps are heard at all.
    pub with_taps: bool,
    /// The trial's start, raw CLOCK_MONOTONIC.
    pub origin: Nanos,
    /// The card's latencies.
    pub card: Latencies,
    /// When periods were missed, in the trial's time.
    pub xruns: &'a [Nanos],
}

/// Why a tap is left out.
enum Left {
    Broken,
    Silent,
    Unheard,
    Doubled,
    Clipped,
}

/// The way of each tap, oldest first.
pub fn pair_up(tapped: &[AnsweredTap], pairing: &Pairing<'_>) -> (Vec<TapChain>, TapCounts) {
    let mut counts = TapCounts { taps: tapped.len(), ..TapCounts::default() };
    let (mut chains, mut asked) = (Vec::new(), 0);
    for (n, tap) in tapped.iter().enumerate() {
        let answers = pairing.answers(tap, tapped.get(n + 1));
        asked += answers.len();
        match pairing.chain(tap, answers) {
            Ok((chain, sound, own)) => {
                chains.push(chain);
                counts.peaks.push(sound);
                counts.tap_peaks.extend(own);
            }
            Err(Left::Broken) => counts.broken += 1,
            Err(Left::Silent) => counts.silent += 1,
            Err(Left::Unheard) => counts.unheard += 1,
            Err(Left::Doubled) => counts.doubled += 1,
            Err(Left::Clipped) => counts.clipped += 1,
        }
    }
    counts.whole = chains.len();
    counts.unasked = pairing.heard.sounds.len().saturating_sub(asked);
    counts.peaks.sort_by(f32::total_cmp);
    counts.tap_peaks.sort_by(f32::total_cmp);
    (chains, counts)
}

impl Pairing<'_> {
    /// What was heard between an answer and the next one.
    fn answers(&self, tap: &AnsweredTap, next: Option<&AnsweredTap>) -> &[Located] {
        let longest = Nanos(LONGEST_CABLE.0 + self.card.playback.0 + self.card.capture.0);
        let end = tap.frame as f64 + longest.as_secs_f64() * f64::from(self.card.rate_hz);
        let end = next.map_or(end, |next| end.min(next.frame as f64));
        let sounds = &self.heard.sounds;
        // Half a frame is the detector's word on a click that is on its frame.
        let from = sounds.partition_point(|one| one.onset.frame < tap.frame as f64 - 0.5);
        let to = sounds.partition_point(|one| one.onset.frame < end - 0.5);
        &sounds[from..to.max(from)]
    }

    /// The way of a tap with the peaks of its sound, and of its own.
    fn chain(
        &self,
        tap: &AnsweredTap,
        answers: &[Located],
    ) -> Result<(TapChain, f32, Option<f32>), Left> {
        if answers.is_empty() && self.is_broken(tap, None) {
            return Err(Left::Broken);
        }
        let sound = only(answers.iter(), Left::Silent)?;
        let placed = OnsetFrame { frame: sound.onset.frame, due: sound.due - self.origin };
        if self.is_broken(tap, Some(sound.onset.frame)) {
            return Err(Left::Broken);
        }
        let own = self.with_taps.then(|| self.own_sound(tap)).transpose()?;
        if sound.onset.clipped || own.is_some_and(|own| own.onset.clipped) {
            return Err(Left::Clipped);
        }
        let chain = TapChain::of(tap, placed, own.map(|own| own.onset.frame), &self.card);
        Ok((chain, sound.onset.peak, own.map(|own| own.onset.peak)))
    }

    fn own_sound(&self, tap: &AnsweredTap) -> Result<&Located, Left> {
        let near = self.heard.taps.iter().filter(|one| {
            let pad = tap.stamp - (one.due - self.origin - self.card.capture);
            (-EARLIEST_PAD..=LONGEST_PAD).contains(&pad)
        });
        only(near, Left::Unheard)
    }

    /// Whether a period was missed, or frames are missing, between tap and sound.
    fn is_broken(&self, tap: &AnsweredTap, sound: Option<f64>) -> bool {
        let rate_hz = f64::from(self.card.rate_hz);
        let last = sound.unwrap_or(tap.frame as f64);
        let first = tap.frame as f64 - (tap.said - tap.stamp).as_secs_f64() * rate_hz;
        let first = first - LONGEST_PAD.as_secs_f64() * rate_hz;
        let missing = |gap: &u64| (first..=last).contains(&(*gap as f64));
        let until = tap.said + self.card.length(last - tap.frame as f64);
        let missed = |at: &Nanos| (tap.stamp - LONGEST_PAD..=until).contains(at);
        self.heard.gaps.iter().any(missing) || self.xruns.iter().any(missed)
    }
}

/// The only one there is.
fn only<'a>(mut found: impl Iterator<Item = &'a Located>, none: Left) -> Result<&'a Located, Left> {
    match (found.next(), found.next()) {
        (None, _) => Err(none),
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(Left::Doubled),
    }
}

//! [`distances`]: from each tap to its sound in a recording of two channels, where this
//! program neither played nor recorded.

use chronotap_audio::onset::{Onset, OnsetFinder, SILENCE_S};

/// A sound is looked for so many seconds after its tap.
const LONGEST_S: f64 = 1.0;
/// Fewer than these are no sample.
const FEWEST: usize = 5;

/// How far sounds are from their taps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distances {
    /// In frames, in the order of the taps.
    pub frames: Vec<f64>,
    /// Taps that were heard.
    pub taps: usize,
    /// Sounds that were heard.
    pub sounds: usize,
    /// Taps without a sound, or with a tap before their sound.
    pub unanswered: usize,
    /// Onsets that reached full scale.
    pub clipped: usize,
}

/// Why there is no figure.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Undistanced {
    /// A channel has no onsets behind the silence with which a recording begins.
    #[error(
        "channel {0} has no onset; channel 1 is the tap, channel 2 the sound, the first \
         {SILENCE_S} s are silent"
    )]
    Silent(u8),
    /// Taps and sounds do not belong together one by one.
    #[error(
        "{unanswered} of {taps} taps have no sound of their own within a second ({sounds} sounds \
         in all)"
    )]
    Unanswered {
        /// How many taps.
        unanswered: usize,
        /// Of so many.
        taps: usize,
        /// Sounds in all.
        sounds: usize,
    },
    /// Cut off.
    #[error("{0} onsets reached full scale")]
    Clipped(usize),
    /// Too few.
    #[error("only {0} taps have a sound, {FEWEST} are needed")]
    Few(usize),
}

/// Of a recording: the tap's channel, the sound's channel.
///
/// # Errors
/// [`Undistanced`].
pub fn distances(
    tap: &[f32],
    sound: &[f32],
    rate_hz: u32,
    threshold: Option<f32>,
) -> Result<Distances, Undistanced> {
    let (taps, sounds) = (onsets(tap, rate_hz, threshold), onsets(sound, rate_hz, threshold));
    for (channel, found) in [(1, &taps), (2, &sounds)] {
        if found.is_empty() {
            return Err(Undistanced::Silent(channel));
        }
    }
    paired(&taps, &sounds, rate_hz).judged()
}

fn onsets(channel: &[f32], rate_hz: u32, threshold: Option<f32>) -> Vec<Onset> {
    let (mut onsets, mut found) = (OnsetFinder::new(rate_hz, threshold), Vec::new());
    onsets.hear(0, channel, &mut |onset| found.push(onset));
    found
}

fn paired(taps: &[Onset], sounds: &[Onset], rate_hz: u32) -> Distances {
    let clipped = taps.iter().chain(sounds).filter(|onset| onset.clipped).count();
    let (taps_heard, sounds_heard) = (taps.len(), sounds.len());
    let mut found =
        Distances { taps: taps_heard, sounds: sounds_heard, clipped, ..Distances::default() };
    for (n, tap) in taps.iter().enumerate() {
        let longest = tap.frame + LONGEST_S * f64::from(rate_hz);
        let end = taps.get(n + 1).map_or(longest, |next| longest.min(next.frame));
        let mut own = sounds.iter().filter(|one| (tap.frame..end).contains(&one.frame));
        match (own.next(), own.next()) {
            (Some(sound), None) => found.frames.push(sound.frame - tap.frame),
            _ => found.unanswered += 1,
        }
    }
    found
}

impl Distances {
    fn judged(self) -> Result<Distances, Undistanced> {
        let Distances { taps, sounds, unanswered, clipped, .. } = self;
        let many = |count: usize| count * 10 > taps;
        if many(clipped) {
            Err(Undistanced::Clipped(clipped))
        } else if many(unanswered) || many(sounds.saturating_sub(taps)) {
            Err(Undistanced::Unanswered { unanswered, taps, sounds })
        } else if self.frames.len() < FEWEST {
            Err(Undistanced::Few(self.frames.len()))
        } else {
            Ok(self)
        }
    }
}

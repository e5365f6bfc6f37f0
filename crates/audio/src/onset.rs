//! [`OnsetFinder`]: where sounds begin in what a microphone, a piezo or a cable brings in.
//!
//! Background: a threshold that is passed says that there is a sound, but a weak sound
//! passes it later than a strong one. Solution: the threshold finds the sound, and its
//! onset is where its flank passes half of the peak of its first two milliseconds, found
//! between frames by a straight line. Why it works: half a peak lies at the same place
//! of the flank however strong, and whichever way up, the sound is.
//!
//! Bias: half a frame is added, so that a sound whose first frame is its peak, as a click
//! of ours, begins at exactly this frame. A sound that rises slowly begins where it has
//! risen to its half: 0.15 ms late, where the rise takes 0.3 ms.
//!
//! The first stretch is taken for silence and says how strong the noise is. Not here:
//! which onset belongs to what, and the audio thread, outside of which it works.

/// How long the noise is measured, in seconds.
pub const SILENCE_S: f64 = 0.25;
/// The threshold is so many times the noise's peak (12 dB).
const ABOVE_NOISE: f32 = 4.0;
/// But no lower than this, full scale being 1 (-60 dB).
const LOWEST: f32 = 0.001;
/// From here on a sample counts as clipped.
const CLIPPED: f32 = 0.999;
/// How long a sound's attack is, in seconds; the ringing that a converter's filter puts
/// before a click, 1 ms at most, is part of it.
const ATTACK_S: f64 = 0.002;
/// A sound is over when it has been below the threshold for so many seconds; until then
/// it has no second onset.
const OVER_S: f64 = 0.010;

/// A sound began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
    /// Where, in frames.
    pub frame: f64,
    /// The peak of its first two milliseconds, full scale being 1.
    pub peak: f32,
    /// Whether that reached full scale, so that its half is not known.
    pub clipped: bool,
}

/// What the first stretch was like, full scale being 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuietStretch {
    /// The mean: what the converter puts out for nothing.
    pub offset: f32,
    /// The greatest distance from it.
    pub noise: f32,
    /// What a sound must exceed.
    pub threshold: f32,
}

/// Finds onsets, a stretch of input at a time.
#[derive(Clone, Debug)]
pub struct OnsetFinder {
    asked: Option<f32>,
    attack_frames: usize,
    over_frames: usize,
    silence_frames: u64,
    state: State,
    next_frame: u64,
    last: f32,        // the sample before, less the offset
    attack: Vec<f32>, // the sample before the threshold was passed, and all since
    attack_clipped: bool,
    silence: QuietStretch,
}

/// What is listened for.
#[derive(Clone, Debug)]
enum State {
    /// How strong the noise is.
    Silence { frames: u64, sum: f64, least: f32, most: f32 },
    /// A sound.
    Waiting,
    /// How strong it becomes.
    Attack,
    /// Its end.
    Ringing { quiet_frames: usize },
}

impl OnsetFinder {
    /// For this rate; `threshold` is a share of full scale, otherwise four times the
    /// noise, -60 dB at least.
    pub fn new(rate_hz: u32, threshold: Option<f32>) -> OnsetFinder {
        let frames = |seconds: f64| (seconds * f64::from(rate_hz)).ceil().max(2.0) as usize;
        let silence = QuietStretch { offset: 0.0, noise: 0.0, threshold: 0.0 };
        let (least, most) = (f32::MAX, f32::MIN);
        OnsetFinder {
            asked: threshold,
            attack_frames: frames(ATTACK_S),
            over_frames: frames(OVER_S),
            silence_frames: frames(SILENCE_S) as u64,
            state: State::Silence { frames: 0, sum: 0.0, least, most },
            next_frame: 0,
            last: 0.0,
            attack: Vec::with_capacity(frames(ATTACK_S) + 1),
            attack_clipped: false,
            silence,
        }
    }

    /// What the first stretch was like, once it is over.
    pub fn silence(&self) -> Option<QuietStretch> {
        (!matches!(self.state, State::Silence { .. })).then_some(self.silence)
    }

    /// Takes the input from this frame on. Where frames are missing before it, a sound
    /// that is under way is forgotten.
    pub fn hear(&mut self, frame: u64, input: &[f32], found: &mut dyn FnMut(Onset)) {
        if frame != self.next_frame && !matches!(self.state, State::Silence { .. }) {
            self.state = State::Ringing { quiet_frames: 0 };
        }
        for (at, sample) in (frame..).zip(input) {
            if let Some(onset) = self.take(at, *sample) {
                found(onset);
            }
        }
        self.next_frame = frame + input.len() as u64;
    }

    fn take(&mut self, frame: u64, sample: f32) -> Option<Onset> {
        let level = sample - self.silence.offset;
        let loud = level.abs() > self.silence.threshold;
        let mut onset = None;
        match &mut self.state {
            State::Silence { .. } => self.measure(sample),
            State::Waiting if loud => {
                self.attack.clear();
                self.attack.extend([self.last, level]);
                self.attack_clipped = sample.abs() >= CLIPPED;
                self.state = State::Attack;
            }
            State::Waiting => {}
            State::Attack => {
                self.attack.push(level);
                self.attack_clipped |= sample.abs() >= CLIPPED;
                if self.attack.len() > self.attack_frames {
                    onset = Some(self.located(frame));
                    self.state = State::Ringing { quiet_frames: 0 };
                }
            }
            State::Ringing { quiet_frames } => {
                *quiet_frames = if loud { 0 } else { *quiet_frames + 1 };
                if *quiet_frames >= self.over_frames {
                    self.state = State::Waiting;
                }
            }
        }
        self.last = level;
        onset
    }

    fn measure(&mut self, sample: f32) {
        let State::Silence { frames, sum, least, most } = &mut self.state else { return };
        (*frames, *sum) = (*frames + 1, *sum + f64::from(sample));
        (*least, *most) = (least.min(sample), most.max(sample));
        if *frames < self.silence_frames {
            return;
        }
        let offset = (*sum / *frames as f64) as f32;
        let noise = (*most - offset).max(offset - *least);
        let threshold = self.asked.unwrap_or((noise * ABOVE_NOISE).max(LOWEST));
        self.silence = QuietStretch { offset, noise, threshold };
        self.state = State::Ringing { quiet_frames: 0 };
    }

    /// The onset of the attack whose last frame is this one.
    fn located(&self, frame: u64) -> Onset {
        let peak = self.attack.iter().fold(0.0f32, |peak, level| peak.max(level.abs()));
        let half = peak / 2.0;
        // Frame 0 of the attack is still below the threshold; the peak is in another one.
        let after = self.attack.iter().skip(1).position(|level| level.abs() >= half);
        let at = after.map_or(1, |after| after + 1);
        let (before, level) = (self.attack[at - 1] * self.attack[at].signum(), self.attack[at]);
        let share = ((half - before) / (level.abs() - before)).clamp(0.0, 1.0);
        let first = (frame + 1 - self.attack.len() as u64) as f64;
        let passed = first + (at - 1) as f64 + f64::from(share);
        Onset { frame: passed + 0.5, peak, clipped: self.attack_clipped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second of silence with clicks that begin at their peak.
    fn clicks(at: &[usize], level: f32, offset: f32) -> Vec<f32> {
        let mut samples = vec![offset; 48_000];
        for first in at {
            for n in 0..48 {
                samples[first + n] += level * 0.8f32.powi(n as i32);
            }
        }
        samples
    }

    fn found(samples: &[f32], stretch: usize) -> Vec<Onset> {
        let (mut onsets, mut all) = (OnsetFinder::new(48_000, None), Vec::new());
        for (n, input) in samples.chunks(stretch).enumerate() {
            onsets.hear((n * stretch) as u64, input, &mut |onset| all.push(onset));
        }
        all
    }

    #[test]
    fn a_click_begins_at_its_first_frame_however_the_input_is_cut() {
        let places = [20_000, 25_001, 30_999];
        for (level, offset) in [(0.5, 0.0), (-0.5, 0.1), (0.01, -0.2)] {
            for stretch in [1, 64, 4_096] {
                let all = found(&clicks(&places, level, offset), stretch);
                let frames: Vec<f64> = all.iter().map(|onset| onset.frame).collect();
                for (place, frame) in places.iter().zip(&frames) {
                    assert!((*place as f64 - frame).abs() < 1e-3, "{frames:?}");
                }
                assert_eq!(all.len(), 3);
            }
        }
    }

    #[test]
    fn what_rings_has_one_onset_and_what_follows_10_ms_of_silence_another() {
        let near = found(&clicks(&[20_000, 20_300], 0.5, 0.0), 512);
        assert_eq!(near.len(), 1, "{near:?}");
        let apart = found(&clicks(&[20_000, 20_600], 0.5, 0.0), 512);
        assert_eq!(apart.len(), 2, "{apart:?}");
    }

    #[test]
    fn frames_that_are_missing_make_no_onset() {
        let mut onsets = OnsetFinder::new(48_000, None);
        onsets.hear(0, &[0.0; 24_000], &mut |_| panic!("silence"));
        let (mut all, loud) = (Vec::new(), [0.5; 64]);
        onsets.hear(24_500, &loud, &mut |onset| all.push(onset));
        assert!(all.is_empty());
        assert_eq!(onsets.silence().map(|silence| silence.threshold), Some(0.001));
    }

    #[test]
    fn a_peak_at_full_scale_is_told() {
        assert!(found(&clicks(&[20_000], 1.0, 0.0), 64)[0].clipped);
        assert!(!found(&clicks(&[20_000], 0.9, 0.0), 64)[0].clipped);
    }
}

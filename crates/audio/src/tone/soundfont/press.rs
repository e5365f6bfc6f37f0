//! [`Instrument`]: a preset whose keys are pressed one after the other, each to be kept.

use super::{Preset, SoundFontError};
use rustysynth::{Synthesizer, SynthesizerSettings};
use std::sync::Arc;

/// Frames that are computed at once.
const BLOCK: usize = 4_096;
/// A note has ended when this many frames were silent.
const SILENT: usize = 4 * BLOCK;
/// What is silent, of a note's peak: -80 dB.
const SILENCE: f32 = 1e-4;
/// Frames of the fade of what lasts longer than is kept.
const FADE: usize = 480;

/// The synthesizer with an instrument, of which one key after the other is pressed.
pub(super) struct Instrument {
    synthesizer: Synthesizer,
    channel: i32,
    bank: i32,
    program: i32,
    longest: usize,
}

impl Instrument {
    pub(super) fn new(
        font: &Arc<rustysynth::SoundFont>,
        preset: &Preset,
        rate_hz: u32,
        longest: usize,
    ) -> Result<Instrument, SoundFontError> {
        let refused = || SoundFontError::Rate(rate_hz);
        let mut settings = SynthesizerSettings::new(i32::try_from(rate_hz).map_err(|_| refused())?);
        settings.enable_reverb_and_chorus = false;
        let mut synthesizer = Synthesizer::new(font, &settings).map_err(|_| refused())?;
        synthesizer.set_master_volume(1.0);
        // Only channel 10 reaches the banks from 128 on.
        let (channel, first) = if preset.bank >= 128 { (9, 128) } else { (0, 0) };
        let (bank, program) = (i32::from(preset.bank) - first, preset.program.into());
        Ok(Instrument { synthesizer, channel, bank, program, longest })
    }

    /// The frames of a key held down, as loud as if its velocity were 127.
    pub(super) fn press(&mut self, key: u8, velocity: u8) -> Vec<[f32; 2]> {
        const CONTROL: i32 = 0xB0;
        const PROGRAM: i32 = 0xC0;
        let Instrument { synthesizer, channel, bank, program, .. } = self;
        synthesizer.reset();
        synthesizer.process_midi_message(*channel, CONTROL, 0, *bank);
        synthesizer.process_midi_message(*channel, PROGRAM, *program, 0);
        // The default of General MIDI's volume, 100 of 127, is no part of a sound.
        for full in [7, 11] {
            synthesizer.process_midi_message(*channel, CONTROL, full, 127);
        }
        synthesizer.note_on(*channel, key.into(), velocity.into());
        let gain = (127.0 / f32::from(velocity.max(1))).powi(2);
        let mut frames: Vec<[f32; 2]> = Vec::new();
        let (mut peak, mut last) = (0.0_f32, 0);
        while frames.len() < self.longest.max(FADE) && frames.len() < last + SILENT {
            let [mut left, mut right] = [[0.0; BLOCK]; 2];
            self.synthesizer.render(&mut left, &mut right);
            for (left, right) in left.iter().zip(&right) {
                let loud = left.abs().max(right.abs());
                peak = peak.max(loud);
                frames.push([left * gain, right * gain]);
                if loud > peak * SILENCE {
                    last = frames.len();
                }
            }
        }
        let goes_on = last + FADE > frames.len();
        trimmed(frames, self.longest, peak * SILENCE * gain, goes_on)
    }
}

/// Without the silence before and after it, and faded out where it is cut off: because it
/// is longer than it may be, or went on when it had been computed for as long as that.
fn trimmed(
    mut frames: Vec<[f32; 2]>,
    longest: usize,
    silence: f32,
    goes_on: bool,
) -> Vec<[f32; 2]> {
    let heard = |frame: &[f32; 2]| frame.iter().any(|sample| sample.abs() > silence);
    frames.truncate(frames.iter().rposition(heard).map_or(0, |last| last + 1));
    frames.drain(..frames.iter().position(heard).unwrap_or(0));
    if goes_on || frames.len() > longest {
        frames.truncate(longest);
        let fade = frames.len().saturating_sub(FADE);
        for (i, frame) in frames[fade..].iter_mut().enumerate() {
            *frame = frame.map(|sample| sample * (1.0 - i as f32 / FADE as f32));
        }
    }
    frames.shrink_to_fit();
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_fades_out_wherever_it_is_cut() {
        let sounding = |silent: usize| [vec![[0.0; 2]; silent], vec![[0.5; 2]; 5_000]].concat();
        for (silent, longest) in [(0, 4_000), (100, 5_050), (100, 5_000)] {
            let kept = trimmed(sounding(silent), longest, 1e-4, true);
            assert_eq!(kept.len(), longest.min(5_000));
            assert!(kept[0] == [0.5; 2] && kept[kept.len() - 1][0] < 0.01);
        }
        let rung_out = trimmed(sounding(100), 6_000, 1e-4, false);
        assert!(rung_out.len() == 5_000 && rung_out[4_999] == [0.5; 2]);
    }
}

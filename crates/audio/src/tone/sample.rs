//! [`Sample`]: a recorded sound, read from a WAV file and brought to the card's rate.

use crate::rate::AtRate;
use crate::sound_file::{SampleError, SoundFile};
use std::io::{Read, Seek};

/// Longest sample in seconds: it stays in memory, locked.
const LONGEST_S: u64 = 60;

/// A sound of one or two channels at the rate it is played at.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    frames: Vec<[f32; 2]>,
}

impl Sample {
    /// Reads a WAV file and brings it to a rate.
    ///
    /// # Errors
    /// [`SampleError`].
    pub fn read(wav: impl Read + Seek, rate_hz: u32) -> Result<Sample, SampleError> {
        let file = SoundFile::open_wav(wav)?;
        let form = file.form();
        if form.frames > LONGEST_S * u64::from(form.rate_hz) {
            return Err(SampleError::Long(LONGEST_S));
        }
        let (mut rate, mut frames) = (AtRate::new(form.rate_hz, rate_hz), Vec::new());
        file.each(&mut |block| {
            rate.push(block, &mut frames);
            Ok(())
        })?;
        rate.finish(&mut frames);
        Ok(Sample { frames })
    }

    /// Frames at the rate they are played at.
    pub(super) fn from_frames(frames: Vec<[f32; 2]>) -> Sample {
        Sample { frames }
    }

    /// How many frames it has.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Frame `i`, left and right; nothing after the last.
    pub(super) fn frame(&self, i: usize) -> Option<[f32; 2]> {
        self.frames.get(i).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;
    use std::io::Cursor;

    fn wav(channels: u16, sample_rate: u32, samples: impl Iterator<Item = i16>) -> Vec<u8> {
        let (bits_per_sample, sample_format) = (16, hound::SampleFormat::Int);
        let spec = hound::WavSpec { channels, sample_rate, bits_per_sample, sample_format };
        let mut bytes = Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut bytes, spec).unwrap();
        samples.for_each(|sample| writer.write_sample(sample).unwrap());
        writer.finalize().unwrap();
        bytes.into_inner()
    }

    #[test]
    fn one_channel_is_heard_in_both_ears_and_two_in_their_own() {
        let mono = wav(1, 48_000, [16_384, -32_768].into_iter());
        let mono = Sample::read(Cursor::new(mono), 48_000).unwrap();
        assert_eq!(mono.frames, [[0.5, 0.5], [-1.0, -1.0]]);
        let stereo = wav(2, 48_000, [16_384, 0].into_iter());
        let stereo = Sample::read(Cursor::new(stereo), 48_000).unwrap();
        assert_eq!(stereo.frames, [[0.5, 0.0]]);
    }

    #[test]
    fn another_rate_is_brought_to_the_card_s() {
        let sine = |i: i32, hz: f64, rate: f64| (f64::from(i) * hz / rate * PI * 2.0).sin();
        let at_44100 = (0..8_820).map(|i| (sine(i, 1_000.0, 44_100.0) * 16_384.0) as i16);
        let sample = Sample::read(Cursor::new(wav(1, 44_100, at_44100)), 48_000).unwrap();
        assert_eq!(sample.frames.len(), 9_600);
        let off =
            |i: i32| (sample.frames[i as usize][0] - sine(i, 1_000.0, 48_000.0) as f32 / 2.0).abs();
        let worst = (100..9_500).map(off).fold(0.0, f32::max);
        assert!(worst < 1e-3, "{worst}");
    }

    #[test]
    fn what_is_no_wav_file_is_refused_with_a_cure() {
        let said =
            |bytes: Vec<u8>| Sample::read(Cursor::new(bytes), 48_000).unwrap_err().to_string();
        assert!(said(b"no such thing".to_vec()).contains("convert it"));
        assert!(said(wav(6, 48_000, (0..6).map(|_| 0))).contains("6 channels"));
        assert!(said(wav(1, 10, (0..601).map(|_| 0))).contains("60 s"));
    }
}

//! [`Sample`]: a recorded sound, read from a WAV file and brought to the card's rate.

use crate::wav::{WavError, samples};
use std::f64::consts::PI;
use std::io::{Read, Seek};

/// Longest sample in seconds: it stays in memory, locked.
const LONGEST_S: u64 = 60;
/// Longest recording that a stream plays, in seconds: it stays in memory, at 48 kHz 23 MB a
/// minute.
pub const LONGEST_RECORDING_S: u64 = 900;
/// Kernels that are kept where a rate is changed: between usual rates there are no more.
const PHASES: usize = 1_024;
/// Crossings of zero of the kernel on each side, when the rate is changed.
const WIDTH: f64 = 16.0;

/// A sound of one or two channels at the rate it is played at.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    frames: Vec<[f32; 2]>,
}

/// Why a WAV file could not be used as a sample.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// It is no WAV file of a known kind, or holds what is no sound. See [`WavError`].
    #[error(transparent)]
    Wav(#[from] WavError),
    /// More than two channels. Mix it down.
    #[error("it has {0} channels, not 1 or 2; mix it down, as in `sox IN -c 2 OUT.wav`")]
    Channels(u16),
    /// Too long to be held in memory. Shorten it.
    #[error("it lasts more than {0} s; shorten it")]
    Long(u64),
    /// A damaged FLAC file. Make it anew.
    #[error("not a usable FLAC file: {0}; convert it, as in `sox IN -b 16 OUT.wav`")]
    Flac(#[from] claxon::Error),
}

impl Sample {
    /// Reads a WAV file and brings it to a rate.
    ///
    /// # Errors
    /// [`SampleError`].
    pub fn read(wav: impl Read, rate_hz: u32) -> Result<Sample, SampleError> {
        Sample::read_wav(wav, rate_hz, LONGEST_S)
    }

    fn read_wav(wav: impl Read, rate_hz: u32, longest_s: u64) -> Result<Sample, SampleError> {
        let reader = hound::WavReader::new(wav).map_err(WavError::Format)?;
        let spec = reader.spec();
        if !(1..=2).contains(&spec.channels) {
            return Err(SampleError::Channels(spec.channels));
        }
        if u64::from(reader.duration()) > longest_s * u64::from(spec.sample_rate) {
            return Err(SampleError::Long(longest_s));
        }
        let samples = samples(reader)?;
        let channels = usize::from(spec.channels);
        let frames = samples.chunks_exact(channels).map(|f| [f[0], f[channels - 1]]).collect();
        Ok(Sample { frames }.at_rate(spec.sample_rate, rate_hz))
    }

    /// Reads a WAV or FLAC file of at most [`LONGEST_RECORDING_S`] and brings it to a rate.
    ///
    /// # Errors
    /// [`SampleError`].
    pub fn read_recording(mut file: impl Read + Seek, rate_hz: u32) -> Result<Sample, SampleError> {
        let mut head = [0; 4];
        let flac = file.read_exact(&mut head).is_ok() && head == *b"fLaC";
        file.rewind().map_err(|error| WavError::Format(error.into()))?;
        if flac {
            return Sample::read_flac(file, rate_hz);
        }
        Sample::read_wav(file, rate_hz, LONGEST_RECORDING_S)
    }

    fn read_flac(file: impl Read, rate_hz: u32) -> Result<Sample, SampleError> {
        let mut reader = claxon::FlacReader::new(file)?;
        let claxon::metadata::StreamInfo { sample_rate, channels, bits_per_sample, .. } =
            reader.streaminfo();
        if !(1..=2).contains(&channels) {
            return Err(SampleError::Channels(channels as u16));
        }
        let longest = (LONGEST_RECORDING_S * u64::from(sample_rate)) as usize;
        let full = 2_f32.powi(bits_per_sample as i32 - 1);
        let (mut frames, mut blocks, mut buffer) = (Vec::new(), reader.blocks(), Vec::new());
        while let Some(block) = blocks.read_next_or_eof(std::mem::take(&mut buffer))? {
            let right = channels - 1;
            let frame = |i| [0, right].map(|channel| block.sample(channel, i) as f32 / full);
            frames.extend((0..block.duration()).map(frame));
            if frames.len() > longest {
                return Err(SampleError::Long(LONGEST_RECORDING_S));
            }
            buffer = block.into_buffer();
        }
        Ok(Sample { frames }.at_rate(sample_rate, rate_hz))
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

    /// The same sound at another rate: each frame is a sum of its neighbours, weighted by
    /// a sinc under a Hann window, which is also what keeps out frequencies that the
    /// lower rate does not have.
    fn at_rate(self, from_hz: u32, to_hz: u32) -> Sample {
        if from_hz == to_hz {
            return self;
        }
        let step = f64::from(from_hz) / f64::from(to_hz);
        let cut = (1.0 / step).min(1.0);
        let length = (self.frames.len() as f64 / step).ceil() as usize;
        let reach = (WIDTH / cut).ceil() as usize;
        // Where a frame lies between two of the file's repeats after so many.
        let phases = (to_hz / common(from_hz, to_hz)) as usize;
        let weights = |k: usize| -> Vec<f64> {
            let past = k as u64 * u64::from(from_hz) % u64::from(to_hz);
            let at = past as f64 / f64::from(to_hz);
            let weight = |i: usize| kernel((i as f64 - reach as f64 - at) * cut) * cut;
            (0..=2 * reach + 1).map(weight).collect()
        };
        let kept: Vec<Vec<f64>> = (0..phases.min(PHASES)).map(weights).collect();
        let frame = |k: usize| {
            // In whole numbers, so that no error adds up.
            let first = (k as u64 * u64::from(from_hz) / u64::from(to_hz)) as usize;
            let own = if phases > PHASES { Some(weights(k)) } else { None };
            let weights = own.as_ref().unwrap_or_else(|| &kept[k % phases]);
            let mut sum = [0.0_f64; 2];
            for (i, weight) in weights.iter().enumerate() {
                let frame = (first + i).checked_sub(reach).and_then(|i| self.frames.get(i));
                let [left, right] = frame.copied().unwrap_or_default();
                sum = [sum[0] + weight * f64::from(left), sum[1] + weight * f64::from(right)];
            }
            sum.map(|sample| sample as f32)
        };
        Sample { frames: (0..length).map(frame).collect() }
    }
}

/// The greatest common divisor.
fn common(a: u32, b: u32) -> u32 {
    if b == 0 { a.max(1) } else { common(b, a % b) }
}

/// A sinc under a Hann window; 1 at 0, 0 from `WIDTH` on.
fn kernel(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    if x.abs() >= WIDTH {
        return 0.0;
    }
    (PI * x).sin() / (PI * x) * (0.5 + 0.5 * (PI * x / WIDTH).cos())
}

#[cfg(test)]
mod tests {
    use super::*;
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

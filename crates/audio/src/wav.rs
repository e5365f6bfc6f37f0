//! [`samples`]: the numbers of a WAV file, relative to full scale. All of them are fit to be played
//! and measured.
//!
//! A file of 32-bit floats may hold anything: no number at all (NaN), infinity, or integers
//! that were never divided by full scale. Such a file is refused where it is read, before any
//! of it can reach a card or a figure. The caller decides how long a file may be.

use hound::{SampleFormat, WavReader};
use std::io::Read;

/// What is louder is no sound but a mistake: 24 dB above full scale.
pub const LOUDEST: f32 = 16.0;

/// Why the samples of a WAV file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WavError {
    /// It is no WAV file, or one of a kind that is not known. Convert it to one.
    #[error("not a usable WAV file: {0}; convert it, as in `sox IN -b 16 OUT.wav`")]
    Format(#[from] hound::Error),
    /// A sample is no number, infinite, or far beyond full scale. Write the file again.
    #[error(
        "sample {number} of frame {frame} is {value}, and full scale is 1; write the file again, \
         as in `sox IN -b 16 OUT.wav`"
    )]
    Unfit {
        /// Which frame, from 0.
        frame: usize,
        /// Which channel's sample, from 1.
        number: usize,
        value: f32,
    },
}

/// Whether a sample can be played or measured: a number of at most [`LOUDEST`].
pub fn is_fit(sample: f32) -> bool {
    sample.abs() <= LOUDEST // false of NaN
}

/// All samples of all channels, in the order of the file.
///
/// # Errors
/// [`WavError`].
pub fn samples(mut wav: WavReader<impl Read>) -> Result<Vec<f32>, WavError> {
    let spec = wav.spec();
    let samples: Vec<f32> = match spec.sample_format {
        SampleFormat::Float => wav.samples().collect::<Result<_, _>>()?,
        SampleFormat::Int => {
            let full = 2_f32.powi(i32::from(spec.bits_per_sample) - 1);
            let scaled = wav.samples::<i32>().map(|sample| Ok(sample? as f32 / full));
            scaled.collect::<Result<_, hound::Error>>()?
        }
    };
    let channels = usize::from(spec.channels.max(1));
    match samples.iter().position(|sample| !is_fit(*sample)) {
        Some(at) => Err(WavError::Unfit {
            frame: at / channels,
            number: at % channels + 1,
            value: samples[at],
        }),
        None => Ok(samples),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn read(channels: u16, written: &[f32]) -> Result<Vec<f32>, WavError> {
        let spec = hound::WavSpec {
            channels,
            sample_rate: 48_000,
            bits_per_sample: 32,
            sample_format: SampleFormat::Float,
        };
        let mut bytes = Cursor::new(Vec::new());
        let mut wav = hound::WavWriter::new(&mut bytes, spec).unwrap();
        written.iter().for_each(|sample| wav.write_sample(*sample).unwrap());
        wav.finalize().unwrap();
        samples(WavReader::new(Cursor::new(bytes.into_inner())).unwrap())
    }

    #[test]
    fn a_sample_that_is_no_number_or_far_beyond_full_scale_is_refused_with_its_place() {
        for unfit in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 32_767.0, -1e30, 16.1] {
            let said = read(2, &[0.0, 0.5, 0.0, unfit]).unwrap_err().to_string();
            assert!(said.starts_with("sample 2 of frame 1 is "), "{said}");
            assert!(said.contains("write the file again"), "{said}");
        }
        assert_eq!(read(1, &[0.5, -1.5]).unwrap(), [0.5, -1.5]);
    }
}

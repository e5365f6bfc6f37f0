//! [`WavFile`]: the frames of a WAV file, relative to full scale, block by block. All of them are fit to be played
//! and measured.
//!
//! How samples lie in the file follows from its format chunk alone (`format.rs`), where the data lie from its other
//! chunks (`head.rs`). What is not surely understood is refused: a sample read from the wrong end of its bytes is
//! noise, as loud as a card can be.
//!
//! A file of floats may hold anything: no number at all (NaN), infinity, or integers that were never divided by full
//! scale. Such a file is refused where it is read, before any of it can reach a card or a figure. The caller decides
//! how long a file may be.

mod format;
mod head;

use format::{Coding, Format};
use std::io::{self, Read, Seek};

/// What is louder is no sound but a mistake: 24 dB above full scale.
pub const LOUDEST: f32 = 16.0;
/// Frames that are decoded together.
const BLOCK: u64 = 4_096;

/// A WAV file whose head has been read and whose data are all there.
pub struct WavFile<R> {
    file: R,
    format: Format,
    frames: u64,
    read: u64,
    bytes: Vec<u8>,
}

/// Why a WAV file cannot be used. What is to be done with the file stands with it, whoever reads of it.
#[derive(Debug, thiserror::Error)]
pub enum WavError {
    /// It is no WAV file: what it is, where its first bytes say so.
    #[error("{}; convert it, as in `sox IN -b 16 OUT.wav`", no_wav(.0))]
    NoWav(Option<&'static str>),
    /// The system does not let it be read.
    #[error("cannot read it: {0}")]
    Unreadable(#[from] io::Error),
    /// It ends, or its data begin, before it has said how its samples lie.
    #[error("not a usable WAV file: it has no {0}; write it again, as in `sox IN -b 16 OUT.wav`")]
    Lacks(&'static str),
    /// It has two format chunks.
    #[error(
        "not a usable WAV file: it says twice how its samples lie; write it again, as in `sox IN -b 16 OUT.wav`"
    )]
    TwoFormats,
    /// Its samples are no integers and no floats.
    #[error(
        "not a usable WAV file: its samples are coded as {0}; convert it, as in `sox IN -b 16 OUT.wav`"
    )]
    Coded(String),
    /// It does not say for certain where the bits of a sample stand in their bytes.
    #[error(
        "not a usable WAV file: it says {bits} bits a sample ({valid} of them valid) and {frame_bytes} bytes a frame of \
         {channels}, so where the bits stand is not sure; write it again as 16, 24 or 32 bits where it was made"
    )]
    Bits {
        /// Bits of a sample, as the format says.
        bits: u16,
        /// Those of them that are said to be used.
        valid: u16,
        /// Bytes of a frame.
        frame_bytes: u16,
        /// Samples of a frame.
        channels: u16,
    },
    /// Bits are set that it says are not used, so one of both is wrong.
    #[error(
        "not a usable WAV file: it says that {valid} of {bits} bits are used, and sample {number} of frame {frame} uses \
         others; write it again as 16, 24 or 32 bits where it was made"
    )]
    Unused {
        valid: u16,
        bits: u16,
        /// Which frame, from 0.
        frame: u64,
        /// Which channel's sample, from 1.
        number: usize,
    },
    /// Its bytes a second are not its frames a second times the bytes of a frame.
    #[error(
        "not a usable WAV file: {rate_hz} frames of {frame_bytes} bytes a second are not the {said} bytes a second that \
         it says; write it again, as in `sox IN -b 16 OUT.wav`"
    )]
    Inconsistent {
        rate_hz: u32,
        frame_bytes: u16,
        /// The bytes a second that it says.
        said: u32,
    },
    /// Its data end within a frame.
    #[error(
        "not a usable WAV file: its {bytes} bytes of data end within a frame; copy it again, or write it again"
    )]
    Uneven { bytes: u64 },
    /// It ends before its end.
    #[error("it ends after {found} of the {said} frames that it says it has; copy it again")]
    CutShort {
        /// Frames that are there.
        found: u64,
        /// Frames that its head tells of.
        said: u64,
    },
    /// A sample is no number, infinite, or far beyond full scale. Write the file again.
    #[error(
        "sample {number} of frame {frame} is {value}, and full scale is 1; write the file again, \
         as in `sox IN -b 16 OUT.wav`"
    )]
    Unfit {
        /// Which frame, from 0.
        frame: u64,
        /// Which channel's sample, from 1.
        number: usize,
        value: f32,
    },
}

fn no_wav(what: &Option<&'static str>) -> String {
    match what {
        Some(what) => format!("it is {what}, not a WAV file"),
        None => "it is no WAV file".to_owned(),
    }
}

/// Whether a sample can be played or measured: a number of at most [`LOUDEST`].
pub fn is_fit(sample: f32) -> bool {
    sample.abs() <= LOUDEST // false of NaN
}

impl<R: Read + Seek> WavFile<R> {
    /// Reads the head of a file, and looks whether all that it tells of is there.
    ///
    /// # Errors
    /// [`WavError`].
    pub fn open(mut file: R) -> Result<WavFile<R>, WavError> {
        let found = head::find(&mut file)?;
        let format = Format::of(&found.format)?;
        let frame = u64::from(format.frame_bytes());
        let frames = found.bytes / frame;
        if found.rest < found.bytes {
            return Err(WavError::CutShort { found: found.rest / frame, said: frames });
        }
        if found.said && found.bytes % frame != 0 {
            return Err(WavError::Uneven { bytes: found.bytes });
        }
        Ok(WavFile { file, format, frames, read: 0, bytes: Vec::new() })
    }
}

impl<R: Read> WavFile<R> {
    /// Frames a second, as its head says.
    pub fn rate_hz(&self) -> u32 {
        self.format.rate_hz
    }

    /// Samples of a frame; at least 1.
    pub fn channels(&self) -> u16 {
        self.format.channels
    }

    /// Frames of the whole file.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Puts the samples of the next frames into `block`, all channels in turn; none behind the last.
    ///
    /// # Errors
    /// [`WavError::CutShort`], [`WavError::Unused`], [`WavError::Unfit`].
    pub fn next_block(&mut self, block: &mut Vec<f32>) -> Result<(), WavError> {
        block.clear();
        let frames = (self.frames - self.read).min(BLOCK);
        self.fill(frames)?;
        let (format, before) = (&self.format, self.read);
        let place = |at: usize| {
            let channels = usize::from(format.channels);
            (before + (at / channels) as u64, at % channels + 1)
        };
        let step = usize::from(format.coding.bytes());
        for (at, bytes) in self.bytes.chunks_exact(step).enumerate() {
            let (frame, number) = place(at);
            let Some(value) = format.coding.sample(bytes) else {
                let Coding { valid, bits, .. } = format.coding;
                return Err(WavError::Unused { valid, bits, frame, number });
            };
            if !is_fit(value) {
                return Err(WavError::Unfit { frame, number, value });
            }
            block.push(value);
        }
        self.read += frames;
        Ok(())
    }

    /// Reads the bytes of so many frames.
    fn fill(&mut self, frames: u64) -> Result<(), WavError> {
        let frame = u64::from(self.format.frame_bytes());
        self.bytes.clear();
        self.file.by_ref().take(frames * frame).read_to_end(&mut self.bytes)?;
        let found = self.bytes.len() as u64 / frame;
        if found == frames {
            return Ok(());
        }
        Err(WavError::CutShort { found: self.read + found, said: self.frames })
    }

    /// All samples of all channels, in the order of the file.
    ///
    /// # Errors
    /// As those of [`WavFile::next_block`].
    pub fn samples(mut self) -> Result<Vec<f32>, WavError> {
        let (mut all, mut block) = (Vec::new(), Vec::new());
        loop {
            self.next_block(&mut block)?;
            if block.is_empty() {
                return Ok(all);
            }
            all.append(&mut block);
        }
    }
}

/// The head of a WAV file of one channel and whole numbers, whose lengths are not known yet: 44 bytes.
pub fn head_without_lengths(rate_hz: u32, bits_per_sample: u16) -> Vec<u8> {
    let sample_format = hound::SampleFormat::Int;
    let spec = hound::WavSpec { channels: 1, sample_rate: rate_hz, bits_per_sample, sample_format };
    spec.into_header_for_infinite_file()
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
            sample_format: hound::SampleFormat::Float,
        };
        let mut bytes = Cursor::new(Vec::new());
        let mut wav = hound::WavWriter::new(&mut bytes, spec).unwrap();
        written.iter().for_each(|sample| wav.write_sample(*sample).unwrap());
        wav.finalize().unwrap();
        WavFile::open(Cursor::new(bytes.into_inner()))?.samples()
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

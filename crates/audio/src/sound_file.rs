//! [`SoundFile`]: a WAV or FLAC file of one or two channels, decoded block by block.
//!
//! Only one block is in memory, so a file may have any length. The caller decides where a file
//! is, and whether it is the right one.

use crate::long_wav::LongWav;
use crate::tone::SampleError;
use crate::wav::{WavError, is_fit};
use hound::SampleFormat;
use std::io::{self, Cursor, Read, Seek};

/// Frames that are handed on together.
const BLOCK: usize = 4_096;

/// What a sound file says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Frames a second.
    pub rate_hz: u32,
    /// Channels: 1 or 2.
    pub channels: u16,
    pub frames: u64,
}

/// A sound file that is open.
pub struct SoundFile<R: Read> {
    form: Form,
    coded: Coded<R>,
}

enum Coded<R: Read> {
    Wav(hound::WavReader<R>),
    LongWav(LongWav<R>),
    Flac(Box<claxon::FlacReader<R>>),
}

/// Who takes frames, left and right; where it fails, the decoding ends.
pub type Taker<'a> = dyn FnMut(&[[f32; 2]]) -> Result<(), SampleError> + 'a;

impl<R: Read + Seek> SoundFile<R> {
    /// Reads the head of a file.
    ///
    /// # Errors
    /// [`SampleError`].
    pub fn open(mut file: R) -> Result<SoundFile<R>, SampleError> {
        let mut head = [0; 4];
        let flac = file.read_exact(&mut head).is_ok() && head == *b"fLaC";
        file.rewind().map_err(|error| WavError::Format(error.into()))?;
        match flac {
            true => SoundFile::open_flac(file),
            false => SoundFile::open_any_wav(file),
        }
    }

    /// A WAV file of any length: one whose size fields are too short for it, or empty, too.
    fn open_any_wav(file: R) -> Result<SoundFile<R>, SampleError> {
        let found = LongWav::find(file).map_err(|error| WavError::Format(error.into()))?;
        let long = match found {
            Err(ordinary) => return SoundFile::open_wav(ordinary),
            Ok(long) => long,
        };
        let head = hound::WavReader::new(Cursor::new(long.empty())).map_err(WavError::Format)?;
        let (said, frames) = (head.spec(), long.frames());
        let form = Form { rate_hz: said.sample_rate, channels: said.channels, frames };
        SoundFile { form, coded: Coded::LongWav(long) }.checked()
    }

    fn open_flac(file: R) -> Result<SoundFile<R>, SampleError> {
        let flac = claxon::FlacReader::new(file)?;
        let said = flac.streaminfo();
        let frames = said.samples.filter(|frames| *frames > 0).ok_or(SampleError::NoLength)?;
        let channels = u16::try_from(said.channels).unwrap_or(u16::MAX);
        let form = Form { rate_hz: said.sample_rate, channels, frames };
        SoundFile { form, coded: Coded::Flac(Box::new(flac)) }.checked()
    }
}

impl<R: Read> SoundFile<R> {
    /// Reads the head of a WAV file.
    ///
    /// # Errors
    /// [`SampleError`].
    pub fn open_wav(file: R) -> Result<SoundFile<R>, SampleError> {
        let wav = hound::WavReader::new(file).map_err(WavError::Format)?;
        let (said, frames) = (wav.spec(), u64::from(wav.duration()));
        let form = Form { rate_hz: said.sample_rate, channels: said.channels, frames };
        SoundFile { form, coded: Coded::Wav(wav) }.checked()
    }

    fn checked(self) -> Result<SoundFile<R>, SampleError> {
        match self.form {
            Form { rate_hz: 0, .. } => Err(SampleError::NoRate),
            Form { channels: 1 | 2, .. } => Ok(self),
            Form { channels, .. } => Err(SampleError::Channels(channels)),
        }
    }

    /// What it says of itself.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Decodes all of it; one channel is handed on as both.
    ///
    /// # Errors
    /// [`SampleError`], and what `take` fails with.
    pub fn each(self, take: &mut Taker<'_>) -> Result<(), SampleError> {
        let mut found = 0;
        let mut counted = |frames: &[[f32; 2]]| {
            found += frames.len() as u64;
            take(frames)
        };
        match self.coded {
            Coded::Wav(wav) => _ = each_of_wav(wav, 0, &mut counted)?,
            Coded::LongWav(long) => each_of_long(long, &mut counted)?,
            Coded::Flac(flac) => each_of_flac(*flac, &mut counted)?,
        }
        if found == self.form.frames {
            return Ok(());
        }
        Err(SampleError::CutShort { found, said: self.form.frames })
    }
}

fn each_of_long<R: Read>(mut long: LongWav<R>, take: &mut Taker<'_>) -> Result<(), SampleError> {
    let mut before = 0;
    while let Some(piece) = long.next_piece() {
        let wav = hound::WavReader::new(piece).map_err(WavError::Format)?;
        before = each_of_wav(wav, before, take)?;
    }
    Ok(())
}

/// Decodes frames, of which the first is that behind `before` others; gives how many were before
/// those that would follow.
fn each_of_wav<R: Read>(
    wav: hound::WavReader<R>,
    mut before: usize,
    take: &mut Taker<'_>,
) -> Result<usize, SampleError> {
    let spec = wav.spec();
    let full = 2_f32.powi(i32::from(spec.bits_per_sample) - 1);
    let mut samples: Box<dyn Iterator<Item = hound::Result<f32>>> = match spec.sample_format {
        SampleFormat::Float => Box::new(wav.into_samples::<f32>()),
        SampleFormat::Int => {
            Box::new(wav.into_samples::<i32>().map(move |sample| Ok(sample? as f32 / full)))
        }
    };
    let mut block = Vec::with_capacity(BLOCK);
    loop {
        let frame = before + block.len();
        let Some(left) = fit(samples.next(), frame, 1)? else { break };
        let right = match spec.channels {
            1 => Some(left),
            _ => fit(samples.next(), frame, 2)?,
        };
        let Some(right) = right else { break };
        block.push([left, right]);
        if block.len() == BLOCK {
            take(&block)?;
            before += BLOCK;
            block.clear();
        }
    }
    take(&block)?;
    Ok(before + block.len())
}

/// A sample that can be played; `None` where there are no more.
fn fit(
    sample: Option<hound::Result<f32>>,
    frame: usize,
    number: usize,
) -> Result<Option<f32>, WavError> {
    match sample.transpose()? {
        Some(value) if !is_fit(value) => Err(WavError::Unfit { frame, number, value }),
        sample => Ok(sample),
    }
}

fn each_of_flac<R: Read>(
    mut flac: claxon::FlacReader<R>,
    take: &mut Taker<'_>,
) -> Result<(), SampleError> {
    let claxon::metadata::StreamInfo { channels, bits_per_sample, .. } = flac.streaminfo();
    let full = 2_f32.powi(bits_per_sample as i32 - 1);
    let (mut blocks, mut buffer, mut before) = (flac.blocks(), Vec::new(), 0);
    while let Some(block) = blocks.read_next_or_eof(std::mem::take(&mut buffer))? {
        if block.channels() != channels {
            let what = "a block has not as many channels as the file says";
            return Err(claxon::Error::FormatError(what).into());
        }
        let of = |channel| block.channel(channel).iter().map(|sample| *sample as f32 / full);
        let frames: Vec<[f32; 2]> =
            of(0).zip(of(channels - 1)).map(|(left, right)| [left, right]).collect();
        refuse_unfit(&frames, before)?;
        take(&frames)?;
        before += frames.len();
        buffer = block.into_buffer();
    }
    Ok(())
}

/// Frames that can all be played; `before` others stand before them.
fn refuse_unfit(frames: &[[f32; 2]], before: usize) -> Result<(), WavError> {
    let unfit = |frame: &[f32; 2]| frame.iter().position(|sample| !is_fit(*sample));
    let found = frames.iter().enumerate().find_map(|(at, frame)| Some((at, unfit(frame)?)));
    let Some((at, channel)) = found else { return Ok(()) };
    let value = frames[at][channel];
    Err(WavError::Unfit { frame: before + at, number: channel + 1, value })
}

impl From<io::Error> for SampleError {
    fn from(error: io::Error) -> SampleError {
        SampleError::Kept(error)
    }
}

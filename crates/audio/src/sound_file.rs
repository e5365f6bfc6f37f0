//! [`SoundFile`]: a WAV or FLAC file of one or two channels, decoded block by block.
//!
//! Only one block is in memory, so a file may have any length. The caller decides where a file
//! is, and whether it is the right one.

use crate::wav::{WavError, WavFile, is_fit};
use std::io::{self, Read, Seek};

/// What a sound file says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundForm {
    /// Frames a second.
    pub rate_hz: u32,
    /// Channels: 1 or 2.
    pub channels: u16,
    pub frames: u64,
}

/// A sound file that is open.
pub struct SoundFile<R: Read> {
    form: SoundForm,
    coded: Coded<R>,
}

enum Coded<R: Read> {
    Wav(WavFile<R>),
    Flac(Box<claxon::FlacReader<R>>),
}

/// Why a sound file could not be used.
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
    /// A FLAC file that was written to a pipe, and does not say how long it is. Encode it anew.
    #[error("the file does not say how long it is; encode it again, as in `sox IN OUT.flac`")]
    NoLength,
    /// Its head says 0 Hz. Write it again.
    #[error("the file says 0 frames a second; write it again, as in `sox IN -r 48000 OUT.wav`")]
    NoRate,
    /// It ends before its end. Copy it again.
    #[error("it ends after {found} of the {said} frames that it says it has; copy it again")]
    CutShort {
        /// Frames that are there.
        found: u64,
        /// Frames that its head tells of.
        said: u64,
    },
    /// What was decoded could not be kept. The system says why.
    #[error("cannot keep it as it is to be played: {0}")]
    Kept(#[source] io::Error),
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
        file.rewind().map_err(WavError::Unreadable)?;
        match flac {
            true => SoundFile::open_flac(file),
            false => SoundFile::open_wav(file),
        }
    }

    /// Reads the head of a WAV file.
    ///
    /// # Errors
    /// [`SampleError`].
    pub fn open_wav(file: R) -> Result<SoundFile<R>, SampleError> {
        let wav = WavFile::open(file)?;
        let form =
            SoundForm { rate_hz: wav.rate_hz(), channels: wav.channels(), frames: wav.frames() };
        SoundFile { form, coded: Coded::Wav(wav) }.checked()
    }

    fn open_flac(file: R) -> Result<SoundFile<R>, SampleError> {
        let flac = claxon::FlacReader::new(file)?;
        let said = flac.streaminfo();
        let frames = said.samples.filter(|frames| *frames > 0).ok_or(SampleError::NoLength)?;
        let channels = u16::try_from(said.channels).unwrap_or(u16::MAX);
        let form = SoundForm { rate_hz: said.sample_rate, channels, frames };
        SoundFile { form, coded: Coded::Flac(Box::new(flac)) }.checked()
    }
}

impl<R: Read> SoundFile<R> {
    fn checked(self) -> Result<SoundFile<R>, SampleError> {
        match self.form {
            SoundForm { rate_hz: 0, .. } => Err(SampleError::NoRate),
            SoundForm { channels: 1 | 2, .. } => Ok(self),
            SoundForm { channels, .. } => Err(SampleError::Channels(channels)),
        }
    }

    /// What it says of itself.
    pub fn form(&self) -> SoundForm {
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
            Coded::Wav(wav) => each_of_wav(wav, &mut counted)?,
            Coded::Flac(flac) => each_of_flac(*flac, &mut counted)?,
        }
        if found == self.form.frames {
            return Ok(());
        }
        Err(SampleError::CutShort { found, said: self.form.frames })
    }
}

fn each_of_wav<R: Read>(mut wav: WavFile<R>, take: &mut Taker<'_>) -> Result<(), SampleError> {
    let channels = usize::from(wav.channels());
    let (mut block, mut frames) = (Vec::new(), Vec::new());
    loop {
        wav.next_block(&mut block)?;
        if block.is_empty() {
            return Ok(());
        }
        frames.clear();
        frames.extend(block.chunks_exact(channels).map(|all| [all[0], all[channels - 1]]));
        take(&frames)?;
    }
}

fn each_of_flac<R: Read>(
    mut flac: claxon::FlacReader<R>,
    take: &mut Taker<'_>,
) -> Result<(), SampleError> {
    let claxon::metadata::StreamInfo { channels, bits_per_sample, .. } = flac.streaminfo();
    let full = 2_f32.powi(bits_per_sample as i32 - 1);
    let (mut blocks, mut buffer, mut before) = (flac.blocks(), Vec::new(), 0_u64);
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
        before += frames.len() as u64;
        buffer = block.into_buffer();
    }
    Ok(())
}

/// Frames that can all be played; `before` others stand before them.
fn refuse_unfit(frames: &[[f32; 2]], before: u64) -> Result<(), WavError> {
    let unfit = |frame: &[f32; 2]| frame.iter().position(|sample| !is_fit(*sample));
    let found = frames.iter().enumerate().find_map(|(at, frame)| Some((at, unfit(frame)?)));
    let Some((at, channel)) = found else { return Ok(()) };
    let value = frames[at][channel];
    Err(WavError::Unfit { frame: before + at as u64, number: channel + 1, value })
}

impl From<io::Error> for SampleError {
    fn from(error: io::Error) -> SampleError {
        SampleError::Kept(error)
    }
}

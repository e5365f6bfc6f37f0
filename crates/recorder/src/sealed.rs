//! [`seal`]: the sound that a trial kept, as FLAC (RFC 9639), once nothing more comes to it.
//!
//! While a trial runs, its sound is a WAV file, of which nothing is lost when the program is killed. FLAC takes
//! less room, and each of its blocks has a checksum. The WAV file goes only when the other one is on the disk and
//! was read back, by another library than wrote it, with every sample as it was. Where that fails, the WAV file stays.

use chronotap_audio::{SampleError, SoundFile};
use chronotap_core::files::{Disk, Summing, System, place_on, sync_folder};
use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr, StreamInfo};
use flacenc::config;
use flacenc::error::{Verified, Verify};
use flacenc::source::{Context, Fill, FrameBuf};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const BITS: usize = 24;
/// Samples that are encoded together.
const BLOCK: usize = 4_096;
/// The bits of a block beside its samples are fewer than this: its own head, and that of a channel (RFC 9639, 9).
const FRAME_BITS: usize = 256;
/// Where the head says what is known at the end alone (RFC 9639, 8.2): behind the mark of the format and what it
/// says of this part of the head, which is the last one and has 34 bytes.
const BEFORE_HEAD: [u8; 8] = [b'f', b'L', b'a', b'C', 0x80, 0, 0, 34];

/// Makes a FLAC file of a WAV file of one channel and 24 bits, and removes the WAV file. Gives the name of the new
/// one. `durable` where it must be on the disk before the other goes. Another file of its name stays as it is.
///
/// # Errors
/// Where the system refuses, the encoder knows no such rate (above 96 kHz), or what is read back is not the same: the
/// WAV file is then as it was.
pub(crate) fn seal(wav: &Path, durable: bool) -> io::Result<PathBuf> {
    let sealed = wav.with_extension("flac");
    place_on(&System, &sealed, durable, |file| encode(wav, file))?;
    if durable {
        sync_folder(wav.parent().unwrap_or(Path::new("")))?;
    }
    System.remove(wav)?;
    Ok(sealed)
}

/// Writes the file, and reads it back.
fn encode(wav: &Path, to: &mut File) -> io::Result<()> {
    let sound = || open(File::open(wav)?);
    let mut flac = Flac::begin(&mut *to, sound()?.form().rate_hz)?;
    each_block(sound()?, &mut |samples| flac.take(samples))?;
    flac.end()?;
    to.rewind()?;
    match sum(sound()?)? == sum(open(to)?)? {
        true => Ok(()),
        false => Err(io::Error::other("what was written is not what was heard")),
    }
}

/// A FLAC file that is being written, block by block.
struct Flac<W: Write + Seek> {
    out: BufWriter<W>,
    predicted: Verified<config::Encoder>,
    as_they_are: Verified<config::Encoder>,
    head: StreamInfo,
    block: FrameBuf,
    added_up: Context,
    pending: Vec<i32>,
}

impl<W: Write + Seek> Flac<W> {
    fn begin(file: W, rate_hz: u32) -> io::Result<Flac<W>> {
        // What is predicted by fixed polynomials takes a tenth more room, and a fifth of the time.
        let mut predicted = config::Encoder::default();
        predicted.subframe_coding.use_lpc = false;
        let mut as_they_are = predicted.clone();
        as_they_are.subframe_coding.use_fixed = false;
        let verified = |settings: config::Encoder| {
            settings.into_verified().map_err(|(_, wrong)| refused(wrong))
        };
        let (predicted, as_they_are) = (verified(predicted)?, verified(as_they_are)?);
        let mut head = StreamInfo::new(rate_hz as usize, 1, BITS).map_err(refused)?;
        head.set_block_sizes(BLOCK, BLOCK).map_err(refused)?;
        let mut out = BufWriter::new(file);
        out.write_all(&BEFORE_HEAD)?;
        out.write_all(&bytes(&head)?)?;
        let block = FrameBuf::with_size(1, BLOCK).map_err(refused)?;
        let added_up = Context::new(BITS, 1);
        Ok(Flac {
            out,
            predicted,
            as_they_are,
            head,
            block,
            added_up,
            pending: Vec::with_capacity(BLOCK),
        })
    }

    fn take(&mut self, mut samples: &[i32]) -> io::Result<()> {
        while !samples.is_empty() {
            let (now, rest) = samples.split_at(samples.len().min(BLOCK - self.pending.len()));
            self.pending.extend(now);
            if self.pending.len() == BLOCK {
                self.put()?;
            }
            samples = rest;
        }
        Ok(())
    }

    /// Writes what is pending.
    fn put(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        (&mut self.block, &mut self.added_up).fill_interleaved(&self.pending).map_err(refused)?;
        let number = self.added_up.current_frame_number().unwrap_or(0);
        let encode = |settings| {
            flacenc::encode_fixed_size_frame(settings, &self.block, number, &self.head)
                .map_err(refused)
        };
        let mut frame = encode(&self.predicted)?;
        // The encoder estimates the bits of a residual; of clicks in silence it takes some thousand times too many.
        if frame.count_bits() > self.pending.len() * BITS + FRAME_BITS {
            frame = encode(&self.as_they_are)?;
        }
        self.pending.clear();
        self.out.write_all(&bytes(&frame)?)
    }

    fn end(mut self) -> io::Result<()> {
        self.put()?;
        self.head.set_total_samples(self.added_up.total_samples());
        self.head.set_md5_digest(&self.added_up.md5_digest());
        self.out.seek(SeekFrom::Start(BEFORE_HEAD.len() as u64))?;
        self.out.write_all(&bytes(&self.head)?)?;
        self.out.flush()
    }
}

/// What the encoder does not take, in its words.
fn refused(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}

fn bytes(part: &impl BitRepr) -> io::Result<Vec<u8>> {
    let mut sink = ByteSink::new();
    part.write(&mut sink).map_err(refused)?;
    Ok(sink.into_inner())
}

/// How many samples there are, and what they add up to.
fn sum(sound: SoundFile<impl Read>) -> io::Result<(u64, String)> {
    let (frames, mut sum) = (sound.form().frames, Summing::of(io::sink()));
    each_block(sound, &mut |samples| {
        samples.iter().try_for_each(|sample| sum.write_all(&sample.to_le_bytes()))
    })?;
    Ok((frames, sum.sha256()))
}

fn open<F: Read + Seek>(file: F) -> io::Result<SoundFile<BufReader<F>>> {
    let sound = SoundFile::open(BufReader::new(file)).map_err(io::Error::other)?;
    match sound.form().channels {
        1 => Ok(sound),
        other => Err(io::Error::other(SampleError::Channels(other))),
    }
}

/// Hands on the samples, as they are written: in 24 bits, which are exact in floats.
fn each_block(
    sound: SoundFile<impl Read>,
    take: &mut dyn FnMut(&[i32]) -> io::Result<()>,
) -> io::Result<()> {
    let (full, mut samples) = (2_f32.powi(BITS as i32 - 1), Vec::new());
    let mut whole = |frames: &[[f32; 2]]| {
        samples.clear();
        samples.extend(frames.iter().map(|[sample, _]| (sample * full) as i32));
        take(&samples).map_err(SampleError::Kept)
    };
    sound.each(&mut whole).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A WAV file of these samples, at that rate.
    fn wav_of(samples: &[i32], sample_rate: u32) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a_sound.wav");
        let sample_format = hound::SampleFormat::Int;
        let spec = hound::WavSpec { channels: 1, sample_rate, bits_per_sample: 24, sample_format };
        let mut wav = hound::WavWriter::create(&path, spec).unwrap();
        samples.iter().for_each(|sample| wav.write_sample(*sample).unwrap());
        wav.finalize().unwrap();
        (dir, path)
    }

    /// The samples of a FLAC file, as claxon reads them.
    fn read(path: &Path) -> Vec<i32> {
        claxon::FlacReader::open(path).unwrap().samples().map(Result::unwrap).collect()
    }

    /// Numbers that look like chance (Numerical Recipes' constants), of so many bits.
    fn noise(n: usize, bits: u32) -> Vec<i32> {
        let step = |state: &mut u32| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some(*state as i32 >> (32 - bits))
        };
        (0..n).scan(7, |state, _| step(state)).collect()
    }

    #[test]
    fn every_sample_is_in_the_flac_file_whatever_the_length_and_the_wav_file_is_gone() {
        for length in [1, 5, 31, 32, 33, 2_400, 4_095, 4_096, 4_097, 4_100, 20_001] {
            for bits in [1, 8, 24] {
                let samples = noise(length, bits);
                let (_dir, path) = wav_of(&samples, 44_100);
                let sealed = seal(&path, true).unwrap();
                assert_eq!(read(&sealed), samples, "{length} of {bits} bits");
                assert!(!path.exists());
            }
        }
    }

    #[test]
    fn the_ends_of_the_scale_and_silence_come_back() {
        let samples = [[-8_388_608, 8_388_607].repeat(5_000), vec![0; 9_000]].concat();
        let (_dir, path) = wav_of(&samples, 96_000);
        assert_eq!(read(&seal(&path, false).unwrap()), samples);
    }

    #[test]
    fn clicks_as_loud_as_can_be_take_no_more_room_than_they_had() {
        let full = noise(20_000, 24);
        let samples: Vec<i32> = full
            .iter()
            .enumerate()
            .map(|(at, by)| match (by >> 4) % 7 {
                0 => [-8_388_608, 8_388_607][at % 2],
                _ => 0,
            })
            .collect();
        let (_dir, path) = wav_of(&samples, 48_000);
        let before = std::fs::metadata(&path).unwrap().len();
        let sealed = seal(&path, false).unwrap();
        assert!(std::fs::metadata(&sealed).unwrap().len() < before + 1_000);
        assert_eq!(read(&sealed), samples);
    }

    #[test]
    fn the_head_tells_rate_length_and_sum_so_that_every_player_can_check_it() {
        let samples = noise(10_000, 16);
        let (_dir, path) = wav_of(&samples, 48_000);
        let flac = claxon::FlacReader::open(seal(&path, false).unwrap()).unwrap().streaminfo();
        assert_eq!((flac.sample_rate, flac.samples), (48_000, Some(10_000)));
        let bytes: Vec<u8> =
            samples.iter().flat_map(|sample| sample.to_le_bytes()[..3].to_vec()).collect();
        let mut added_up = Context::new(BITS, 1);
        added_up.fill_le_bytes(&bytes, 3).unwrap();
        assert_eq!(flac.md5sum, added_up.md5_digest());
    }

    #[test]
    fn a_rate_that_the_encoder_does_not_know_leaves_the_wav_file_as_it_was() {
        let (dir, path) = wav_of(&noise(1_000, 24), 192_000);
        let before = std::fs::read(&path).unwrap();
        seal(&path, true).unwrap_err();
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn where_a_program_was_killed_before_the_wav_file_went_the_next_one_finishes_it() {
        let samples = noise(9_000, 24);
        let (_dir, path) = wav_of(&samples, 48_000);
        let whole = std::fs::read(&path).unwrap();
        seal(&path, true).unwrap();
        std::fs::write(&path, whole).unwrap();
        assert_eq!(read(&seal(&path, true).unwrap()), samples);
        assert!(!path.exists());
    }

    #[test]
    fn another_sound_of_that_name_is_never_taken_for_this_one() {
        let (_dir, path) = wav_of(&noise(9_000, 24), 48_000);
        let (_other, another) = wav_of(&noise(9_000, 23), 48_000);
        std::fs::copy(seal(&another, false).unwrap(), path.with_extension("flac")).unwrap();
        seal(&path, true).unwrap_err();
        assert!(path.exists());
    }
}

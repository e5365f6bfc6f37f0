//! [`Song`]: a sound file that a trial's pacing stream plays, checked and brought to the
//! card's rate before the trial. Where that is kept while it plays is not known here.

use super::SoundsError;
use chronotap_audio::{AtRate, SoundFile};
use chronotap_core::files::Summing;
use chronotap_engine::signal::StagedSound;
use std::fs::File;
use std::io::{self, BufReader, Seek, Write};
use std::path::PathBuf;

/// A sound file that is the right one, and can be decoded.
pub struct Song {
    path: PathBuf,
    file: SoundFile<BufReader<File>>,
    rate: AtRate,
}

impl Song {
    /// Opens the file of a recording, compares its checksum, and reads its head.
    ///
    /// # Errors
    /// [`SoundsError::Unreadable`], [`SoundsError::Changed`], [`SoundsError::Sample`].
    pub fn open(recorded: &StagedSound<'_>, rate_hz: u32) -> Result<Song, SoundsError> {
        let file = opened(recorded)?;
        let rate = AtRate::new(file.form().rate_hz, rate_hz);
        Ok(Song { path: recorded.path.to_path_buf(), file, rate })
    }

    /// Reads the file of a recording to its end, block by block, and keeps nothing of it:
    /// whether a trial could play it.
    ///
    /// # Errors
    /// As those of [`Song::open`] and [`Song::write`].
    pub fn check(recorded: &StagedSound<'_>) -> Result<(), SoundsError> {
        let read = opened(recorded)?.each(&mut |_| Ok(()));
        read.map_err(|source| SoundsError::Sample { path: recorded.path.to_path_buf(), source })
    }

    /// How many frames it has at the card's rate.
    pub fn frames(&self) -> u64 {
        self.rate.frames(self.file.form().frames)
    }

    /// Its channels: 1 or 2.
    pub fn channels(&self) -> u16 {
        self.file.form().channels
    }

    /// Writes the samples at the card's rate, of its channels in turn, each four bytes of a
    /// float, least significant byte first.
    ///
    /// # Errors
    /// [`SoundsError::Sample`]: the file is damaged, or they cannot be written.
    pub fn write(self, out: &mut dyn Write) -> Result<(), SoundsError> {
        let Song { path, file, mut rate } = self;
        let channels = usize::from(file.form().channels);
        let (mut frames, mut bytes) = (Vec::new(), Vec::new());
        let mut put = |frames: &[[f32; 2]]| -> io::Result<()> {
            bytes.clear();
            let samples = frames.iter().flat_map(|frame| &frame[..channels]);
            samples.for_each(|sample| bytes.extend_from_slice(&sample.to_le_bytes()));
            out.write_all(&bytes)
        };
        let decoded = file.each(&mut |block| {
            frames.clear();
            rate.push(block, &mut frames);
            Ok(put(&frames)?)
        });
        decoded.map_err(|source| SoundsError::Sample { path: path.clone(), source })?;
        frames.clear();
        rate.finish(&mut frames);
        put(&frames).map_err(|error| SoundsError::Sample { path, source: error.into() })
    }
}

/// The sound file, where it is the right one; its head is read.
fn opened(recorded: &StagedSound<'_>) -> Result<SoundFile<BufReader<File>>, SoundsError> {
    let unusable = |source| SoundsError::Sample { path: recorded.path.to_path_buf(), source };
    SoundFile::open(BufReader::new(checked(recorded)?)).map_err(unusable)
}

/// The file, where its bytes have the checksum that they had.
fn checked(recorded: &StagedSound<'_>) -> Result<File, SoundsError> {
    let path = || recorded.path.to_path_buf();
    let unreadable = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => {
            SoundsError::Gone { path: path(), expected: recorded.sha256.to_owned() }
        }
        _ => SoundsError::Unreadable { path: path(), source },
    };
    let mut file = chronotap_core::files::open(recorded.path).map_err(unreadable)?;
    let mut sum = Summing::of(io::sink());
    io::copy(&mut file, &mut sum).map_err(unreadable)?;
    if sum.sha256() != recorded.sha256 {
        return Err(SoundsError::Changed { path: path(), expected: recorded.sha256.to_owned() });
    }
    file.rewind().map_err(unreadable)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_testkit_audio::music::{SoundFileForm, flac, samples, wav};
    use std::path::Path;

    /// What a file of these bytes becomes at a rate.
    fn written(bytes: &[u8], rate_hz: u32) -> Result<(u64, Vec<u8>), String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("song");
        std::fs::write(&path, bytes).unwrap();
        brought(&path, &chronotap_core::files::sha256(bytes), rate_hz)
    }

    fn brought(path: &Path, sha256: &str, rate_hz: u32) -> Result<(u64, Vec<u8>), String> {
        let recorded = StagedSound { stream: 0, path, sha256, beats: &[] };
        let song = Song::open(&recorded, rate_hz).map_err(|error| error.to_string())?;
        let (frames, mut out) = (song.frames() * u64::from(song.channels()), Vec::new());
        song.write(&mut out).map_err(|error| error.to_string())?;
        Ok((frames, out))
    }

    #[test]
    fn a_flac_file_is_kept_as_the_same_bytes_as_its_wav_file_at_any_rate() {
        for (channels, bits) in [(1, 16), (2, 16), (1, 24), (2, 24)] {
            let form = SoundFileForm { rate_hz: 44_100, channels, bits };
            let all = samples(form, 10_000);
            for rate_hz in [44_100, 48_000, 8_000] {
                let of_wav = written(&wav(form, &all), rate_hz).unwrap();
                assert_eq!(of_wav.1.len() as u64, of_wav.0 * 4);
                assert!(written(&flac(form, &all), rate_hz).unwrap() == of_wav, "{form:?}");
            }
        }
    }

    #[test]
    fn an_hour_is_brought_to_another_rate_and_keeps_its_length() {
        let form = SoundFileForm { rate_hz: 500, channels: 1, bits: 8 };
        let hour = wav(form, &samples(form, 500 * 3_600));
        let (frames, bytes) = written(&hour, 1_000).unwrap();
        assert_eq!((frames, bytes.len()), (3_600_000, 14_400_000));
    }

    #[test]
    fn a_file_that_is_gone_changed_or_cut_short_is_named_with_its_cure() {
        let said = brought(Path::new("/nowhere/song.wav"), "abc", 48_000).unwrap_err();
        assert!(said.contains("song.wav: it is gone") && said.contains("abc"), "{said}");
        let form = SoundFileForm { rate_hz: 48_000, channels: 2, bits: 16 };
        let whole = wav(form, &samples(form, 1_000));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("song.wav");
        std::fs::write(&path, &whole).unwrap();
        let said = brought(&path, "abc", 48_000).unwrap_err();
        assert!(said.contains("not the file that the trial was read with"), "{said}");
        assert!(written(&whole[..whole.len() - 2], 48_000).is_err());
    }
}

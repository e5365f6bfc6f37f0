//! [`Sounds`]: the file that says which note makes which sound, if the usual sounds are not
//! wanted. It is read here, with the WAV files and SoundFonts that it names. The sound itself
//! is computed in `chronotap-audio`.
//!
//! ```toml
//! [channel.1]
//! sound = "sine"
//! level = "-20 dB"
//! ear = "left"
//! [channel.10.note.76]
//! sound = "tick.wav"
//! ```
//!
//! Its keys are in `keys.rs`; the instruments of SoundFonts are in `fonts.rs`, the levels in
//! dB SPL in `calibration.rs`.

mod calibration;
mod cues;
mod fonts;
mod keys;
mod reading;
mod recordings;
mod songs;

pub use cues::{cue, frame_of, unheard};
pub use recordings::Song;
pub use songs::{FreeBytes, MusicError, ReadyMusic, Songs};

use crate::trial_files::Problems;
use crate::trial_files::reading::read;
use chronotap_audio::tone::{Kit, Sample, SampleError, SoundFontError};
use fonts::Font;
use keys::KEYS;
use reading::Reading;
use std::path::{Path, PathBuf};

/// Which note makes which sound, and the samples it takes.
#[derive(Clone, Debug, Default)]
pub struct Sounds {
    /// Which note makes which sound.
    pub kit: Kit,
    samples: Vec<PathBuf>,
    fonts: Vec<Font>,
}

/// Why a file of sounds could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SoundsError {
    /// It cannot be read. Name one that exists.
    #[error("{}: cannot read it: {source}; name a file of sounds that exists", path.display())]
    Unreadable {
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It has mistakes, each with its line.
    #[error(transparent)]
    Wrong(#[from] Problems),
    /// A sample or a recording cannot be used.
    #[error("{}: {source}", path.display())]
    Sample { path: PathBuf, source: SampleError },
    /// A recording is not there any more. Put it back.
    #[error(
        "{}: it is gone; put back the file that the trial was read with (SHA-256 {expected})",
        path.display()
    )]
    Gone {
        path: PathBuf,
        /// Its checksum.
        expected: String,
    },
    /// A recording is another than the trial was made with. Put the right one back.
    #[error(
        "{}: this is not the file that the trial was read with (SHA-256 {expected}); put that one \
         back", path.display()
    )]
    Changed {
        path: PathBuf,
        /// The checksum of the right one.
        expected: String,
    },
    /// A SoundFont cannot be used.
    #[error("{}: {source}", path.display())]
    SoundFont {
        /// The SF2 file.
        path: PathBuf,
        source: SoundFontError,
    },
}

impl Sounds {
    /// Reads the file.
    ///
    /// # Errors
    /// [`SoundsError`].
    pub fn read(path: &Path) -> Result<Sounds, SoundsError> {
        let text = chronotap_core::files::read_to_string(path)
            .map_err(|source| SoundsError::Unreadable { path: path.into(), source })?;
        Sounds::parse(&text, path)
    }

    /// The sounds of a file's text; samples and SoundFonts are looked for beside it.
    ///
    /// # Errors
    /// [`SoundsError::Wrong`].
    pub fn parse(text: &str, path: &Path) -> Result<Sounds, SoundsError> {
        let beside = path.parent().unwrap_or(Path::new(""));
        let name = path.display().to_string();
        Ok(read(&KEYS, &name, text, |top| Reading::new(top, beside).whole(top))?)
    }

    /// The samples, each brought to a rate: those of files, then the notes of SoundFonts.
    ///
    /// # Errors
    /// [`SoundsError::Unreadable`], [`SoundsError::Sample`], [`SoundsError::SoundFont`].
    pub fn samples(&self, rate_hz: u32) -> Result<Vec<Sample>, SoundsError> {
        let read = |path: &PathBuf| {
            let file = chronotap_core::files::open(path)
                .map_err(|source| SoundsError::Unreadable { path: path.into(), source })?;
            Sample::read(std::io::BufReader::new(file), rate_hz)
                .map_err(|source| SoundsError::Sample { path: path.into(), source })
        };
        let mut samples: Vec<Sample> = self.samples.iter().map(read).collect::<Result<_, _>>()?;
        let mut room = fonts::ROOM_MB * 1_000_000;
        for font in &self.fonts {
            samples.extend(font.play(rate_hz, &mut room)?);
        }
        Ok(samples)
    }

    /// What is played from SoundFonts, in words: which instrument, how many samples.
    pub fn instruments(&self) -> Vec<String> {
        self.fonts.iter().map(ToString::to_string).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_audio::tone::{Ears, Timbre};
    use chronotap_core::midi::{Channel, U7};
    use chronotap_core::time::Nanos;

    fn parsed(text: &str) -> Result<Sounds, String> {
        Sounds::parse(text, Path::new("kit/s.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_note_takes_over_what_its_channel_says_and_changes_it() {
        let text = "[channel.2]\nsound = \"pink noise\"\nlevel = \"-30 dB\"\near = \"left\"\n\
                    rise = \"20 ms\"\n[channel.2.note.60]\nsound = \"tick.wav\"\n";
        let sounds = parsed(text).unwrap();
        let channel = Channel::new(2).unwrap();
        let noise = sounds.kit.sound(channel, U7::ZERO, U7::MAX).unwrap();
        assert_eq!((noise.timbre, noise.level_db, noise.ears), (Timbre::Pink, -30.0, Ears::Left));
        assert_eq!(noise.rise, Nanos::from_millis(20));
        let tick = sounds.kit.sound(channel, U7::from_byte(60), U7::MAX).unwrap();
        assert_eq!((tick.timbre, tick.level_db), (Timbre::Sample(0), -30.0));
        assert_eq!(sounds.samples, [Path::new("kit/tick.wav")]);
    }

    #[test]
    fn mistakes_are_named_with_file_line_and_what_was_meant() {
        let said = |text| parsed(text).unwrap_err();
        assert!(said("[channel.1]\nsound = \"sien\"\n").starts_with("kit/s.toml:2: there is no"));
        assert!(said("[channel.1]\nsound = \"sien\"\n").contains("did you mean \"sine\"?"));
        assert!(said("\n[channel.17]\n").starts_with("kit/s.toml:2: a channel is"));
        assert!(said("[channel.1]\nlevel = \"3 dB\"\n").contains("at most 0"));
        assert!(
            said("[channel.1]\n\nrise = \"5\"\n")
                .starts_with("kit/s.toml:3: channel.1.rise: \"5\" has no unit; write \"5 ms\"")
        );
        assert!(said("[channel.1]\near = \"up\"\n").contains("left"));
        assert!(said("[canal.1]\n").contains("known here: calibration, channel"));
        assert!(said("[channel.1.note.128]\n").contains("0 to 127"));
    }

    #[test]
    fn all_mistakes_are_told_together() {
        let all =
            parsed("[channel.1]\nsound = \"sien\"\near = \"up\"\n[channel.99]\n").unwrap_err();
        let lines: Vec<&str> = all.lines().map(|line| &line[..13]).collect();
        assert_eq!(lines, ["kit/s.toml:2:", "kit/s.toml:3:", "kit/s.toml:4:"], "{all}");
    }

    #[test]
    fn a_wrong_calibration_is_one_mistake_and_not_one_more_for_each_level() {
        let all = parsed("[calibration]\nfull_scale = \"9\"\n[channel.1]\nlevel = \"70 dB SPL\"\n");
        assert_eq!(all.unwrap_err().lines().count(), 1);
    }

    #[test]
    fn a_sample_that_is_not_there_is_named() {
        let sounds = parsed("[channel.1]\nsound = \"none.wav\"\n").unwrap();
        let said = sounds.samples(48_000).unwrap_err().to_string();
        assert!(said.starts_with("kit/none.wav: cannot read it"), "{said}");
    }
}

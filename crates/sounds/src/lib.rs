#![forbid(unsafe_code)]
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
//! The values of keys are in `said.rs`; the instruments of SoundFonts are in `fonts.rs`, the
//! levels in dB SPL in `calibration.rs`.

mod calibration;
mod fonts;
mod reading;
mod recordings;
mod said;

pub use recordings::Song;

use calibration::Calibration;
use chronotap_audio::tone::{Kit, Sample, SampleError, SoundFontError};
use chronotap_text::Lines;
use fonts::{Font, Fonts};
use reading::Reading;
use said::File;
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
        /// As given.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It says something that is not understood.
    #[error("{}:{line}: {problem}", path.display())]
    Wrong {
        /// As given.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong, what was expected.
        problem: String,
    },
    /// A sample or a recording cannot be used.
    #[error("{}: {source}", path.display())]
    Sample {
        /// The sound file.
        path: PathBuf,
        /// Why.
        source: SampleError,
    },
    /// A recording is not there any more. Put it back.
    #[error(
        "{}: it is gone; put back the file that the trial was read with (SHA-256 {expected})",
        path.display()
    )]
    Gone {
        /// The sound file.
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
        /// The sound file.
        path: PathBuf,
        /// The checksum of the right one.
        expected: String,
    },
    /// A SoundFont cannot be used.
    #[error("{}: {source}", path.display())]
    SoundFont {
        /// The SF2 file.
        path: PathBuf,
        /// Why.
        source: SoundFontError,
    },
}

/// What the tables may hold, for whoever mistypes one.
const TABLES: &str = "the tables are [calibration] with full_scale, or left and right; [channel.N] and \
     [channel.N.note.N] with sound, level, ear, rise, fall, and of a SoundFont preset, program, \
     bank, keys, longest";

/// What is wrong at which byte of the file.
type Wrong = (usize, String);

impl Sounds {
    /// Reads the file.
    ///
    /// # Errors
    /// [`SoundsError`].
    pub fn read(path: &Path) -> Result<Sounds, SoundsError> {
        let text = chronotap_files::read_to_string(path)
            .map_err(|source| SoundsError::Unreadable { path: path.into(), source })?;
        Sounds::parse(&text, path)
    }

    /// The sounds of a file's text; samples and SoundFonts are looked for beside it.
    ///
    /// # Errors
    /// [`SoundsError::Wrong`].
    pub fn parse(text: &str, path: &Path) -> Result<Sounds, SoundsError> {
        let wrong = |(at, problem): Wrong| {
            let line = Lines::new(text).line(at);
            SoundsError::Wrong { path: path.into(), line, problem }
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            wrong((at, format!("{}; {TABLES}", error.message())))
        })?;
        let beside = path.parent().unwrap_or(Path::new(""));
        let calibration = file.calibration.as_ref().map(Calibration::of).transpose();
        let mut reading = Reading {
            sounds: Sounds::default(),
            fonts: Fonts::default(),
            calibration: calibration.map_err(wrong)?,
            beside,
        };
        file.channel
            .iter()
            .try_for_each(|(number, said)| reading.take(number, said))
            .map_err(wrong)?;
        Ok(reading.finish())
    }

    /// The samples, each brought to a rate: those of files, then the notes of SoundFonts.
    ///
    /// # Errors
    /// [`SoundsError::Unreadable`], [`SoundsError::Sample`], [`SoundsError::SoundFont`].
    pub fn samples(&self, rate_hz: u32) -> Result<Vec<Sample>, SoundsError> {
        let read = |path: &PathBuf| {
            let file = chronotap_files::open(path)
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
    use chronotap_midi::{Channel, U7};
    use chronotap_time::Nanos;

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
        assert!(said("[channel.1]\n\nrise = \"5\"\n").starts_with("kit/s.toml:3: \"5\": a ramp"));
        assert!(said("[channel.1]\near = \"up\"\n").contains("left"));
        assert!(said("[canal.1]\n").contains("the tables are"));
        assert!(said("[channel.1.note.128]\n").contains("0 to 127"));
    }

    #[test]
    fn a_sample_that_is_not_there_is_named() {
        let sounds = parsed("[channel.1]\nsound = \"none.wav\"\n").unwrap();
        let said = sounds.samples(48_000).unwrap_err().to_string();
        assert!(said.starts_with("kit/none.wav: cannot read it"), "{said}");
    }
}

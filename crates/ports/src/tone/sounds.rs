//! [`Sounds`]: the file that says which note makes which sound, where the usual sounds
//! will not do.
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
//! What a key may hold is in [`said`]; the instruments of SoundFonts are in [`fonts`], the
//! levels in dB SPL in [`calibration`].

mod calibration;
mod fonts;
mod said;

use crate::spec::nearest;
use calibration::Calibration;
use chronotap_audio::tone::{Instrument, Kit, Patch, Sample, SampleError, SoundFontError};
use chronotap_midi::{Channel, U7};
use fonts::{Font, Fonts};
use said::{File, Said, ears, ramp, said};
use std::path::{Path, PathBuf};
use toml::Spanned;

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
    /// A sample cannot be used.
    #[error("{}: {source}", path.display())]
    Sample {
        /// The WAV file.
        path: PathBuf,
        /// Why.
        source: SampleError,
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

/// The words for the sounds that need no file.
const WORDS: [(&str, Instrument); 9] = [
    ("sine", Instrument::Sine),
    ("complex", Instrument::Complex),
    ("percussion", Instrument::Percussion),
    ("click", Instrument::Click),
    ("woodblock", Instrument::Woodblock),
    ("drum", Instrument::Drum),
    ("white noise", Instrument::White),
    ("pink noise", Instrument::Pink),
    ("silence", Instrument::Silence),
];

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
        let text = std::fs::read_to_string(path)
            .map_err(|source| SoundsError::Unreadable { path: path.into(), source })?;
        Sounds::parse(&text, path)
    }

    /// The sounds of a file's text; samples and SoundFonts are looked for beside it.
    ///
    /// # Errors
    /// [`SoundsError::Wrong`].
    pub fn parse(text: &str, path: &Path) -> Result<Sounds, SoundsError> {
        let wrong = |(at, problem): Wrong| {
            let line = text[..at.min(text.len())].matches('\n').count() + 1;
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
            let file = std::fs::File::open(path)
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

/// The file while it is read.
struct Reading<'a> {
    sounds: Sounds,
    fonts: Fonts,
    calibration: Option<Calibration>,
    beside: &'a Path,
}

impl Reading<'_> {
    fn take(&mut self, number: &Spanned<String>, said: &Said) -> Result<(), Wrong> {
        let channel = number.get_ref().parse().ok().and_then(Channel::new);
        let at = number.span().start;
        let channel = channel.ok_or_else(|| (at, "a channel is a number from 1 to 16".into()))?;
        let patch = self.patch(self.sounds.kit.channel(channel), said, channel, None)?;
        self.sounds.kit.set_channel(channel, patch);
        for (number, said) in &said.note {
            let key = number.get_ref().parse().ok().and_then(U7::new);
            let at = number.span().start;
            let key = key.ok_or_else(|| (at, "a note is a number from 0 to 127".into()))?;
            if !said.note.is_empty() {
                return Err((at, "a note has no notes of its own".into()));
            }
            let own = self.patch(patch, said, channel, Some(key))?;
            self.sounds.kit.set_note(channel, key, own);
        }
        Ok(())
    }

    /// A patch with what the file says of it.
    fn patch(
        &mut self,
        mut patch: Patch,
        table: &Said,
        channel: Channel,
        note: Option<U7>,
    ) -> Result<Patch, Wrong> {
        if let Some(sound) = &table.sound {
            patch.instrument = self.instrument(sound, table, channel, note)?;
        } else if let Some(at) = table.of_a_soundfont() {
            let problem = "this belongs to a SoundFont: say sound = \"FILE.sf2\" in the same table";
            return Err((at, problem.into()));
        }
        if let Some(ear) = &table.ear {
            patch.ears = said(ear, ears, "an ear is \"both\", \"left\" or \"right\"")?;
        }
        if let Some(level) = &table.level {
            (patch.level_db, patch.balance_db) =
                calibration::level(level, patch.ears, self.calibration.as_ref())?;
        }
        const RAMP: &str = "a ramp lasts 0 to 1000 ms, as in \"5 ms\"";
        if let Some(rise) = &table.rise {
            patch.rise = said(rise, ramp, RAMP)?;
        }
        if let Some(fall) = &table.fall {
            patch.fall = said(fall, ramp, RAMP)?;
        }
        Ok(patch)
    }

    fn instrument(
        &mut self,
        said: &Spanned<String>,
        table: &Said,
        channel: Channel,
        note: Option<U7>,
    ) -> Result<Instrument, Wrong> {
        let word = said.get_ref().as_str();
        let ending = word.to_ascii_lowercase();
        if ending.ends_with(".sf2") {
            let path = self.beside.join(word);
            return self.fonts.instrument(path, said.span().start, table, channel, note);
        }
        if let Some(at) = table.of_a_soundfont() {
            return Err((at, format!("this belongs to a SoundFont, and \"{word}\" is none")));
        }
        if let Some((_, instrument)) = WORDS.iter().find(|(known, _)| *known == word) {
            return Ok(*instrument);
        }
        if !ending.ends_with(".wav") {
            let words = WORDS.map(|(known, _)| known);
            let (best, all) = (nearest(word, &words), words.join(", "));
            let problem = format!(
                "there is no sound \"{word}\"; did you mean \"{best}\"? ({all}, a WAV file or an \
                 SF2 file)"
            );
            return Err((said.span().start, problem));
        }
        let path = self.beside.join(word);
        let samples = &mut self.sounds.samples;
        let known = samples.iter().position(|other| *other == path);
        let index = known.unwrap_or_else(|| {
            samples.push(path);
            samples.len() - 1
        });
        let full = |_| (said.span().start, "so many samples have no room".into());
        u16::try_from(index).map(Instrument::Sample).map_err(full)
    }

    /// The places of the SoundFonts' notes come after those of all files.
    fn finish(self) -> Sounds {
        let Reading { mut sounds, fonts, .. } = self;
        sounds.kit.set_maps(fonts.maps(sounds.samples.len()));
        sounds.fonts = fonts.all;
        sounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_audio::tone::{Ears, Timbre};
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

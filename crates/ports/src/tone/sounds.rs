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

use crate::spec::nearest;
use chronotap_audio::tone::{Ears, Instrument, Kit, Patch, Sample, SampleError};
use chronotap_midi::{Channel, U7};
use chronotap_time::Nanos;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// Which note makes which sound, and the samples it takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sounds {
    /// Which note makes which sound.
    pub kit: Kit,
    samples: Vec<PathBuf>,
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    channel: BTreeMap<Spanned<String>, OfChannel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfChannel {
    sound: Option<Spanned<String>>,
    level: Option<Spanned<String>>,
    ear: Option<Spanned<String>>,
    rise: Option<Spanned<String>>,
    fall: Option<Spanned<String>>,
    #[serde(default)]
    note: BTreeMap<Spanned<String>, OfNote>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfNote {
    sound: Option<Spanned<String>>,
    level: Option<Spanned<String>>,
    ear: Option<Spanned<String>>,
    rise: Option<Spanned<String>>,
    fall: Option<Spanned<String>>,
}

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

    /// The sounds of a file's text; samples are looked for beside it.
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
            wrong((at, format!("{}; the tables are [channel.N] and [channel.N.note.N], with sound, level, ear, rise, fall", error.message())))
        })?;
        let mut sounds = Sounds::default();
        let beside = path.parent().unwrap_or(Path::new(""));
        file.channel
            .iter()
            .try_for_each(|(number, said)| sounds.take(number, said, beside))
            .map_err(wrong)?;
        Ok(sounds)
    }

    /// The samples, each brought to a rate.
    ///
    /// # Errors
    /// [`SoundsError::Unreadable`], [`SoundsError::Sample`].
    pub fn samples(&self, rate_hz: u32) -> Result<Vec<Sample>, SoundsError> {
        let read = |path: &PathBuf| {
            let file = std::fs::File::open(path)
                .map_err(|source| SoundsError::Unreadable { path: path.into(), source })?;
            Sample::read(std::io::BufReader::new(file), rate_hz)
                .map_err(|source| SoundsError::Sample { path: path.into(), source })
        };
        self.samples.iter().map(read).collect()
    }

    fn take(
        &mut self,
        number: &Spanned<String>,
        said: &OfChannel,
        beside: &Path,
    ) -> Result<(), Wrong> {
        let channel = number.get_ref().parse().ok().and_then(Channel::new);
        let at = number.span().start;
        let channel = channel.ok_or_else(|| (at, "a channel is a number from 1 to 16".into()))?;
        let OfChannel { sound, level, ear, rise, fall, note } = said;
        let words = [sound, level, ear, rise, fall];
        let patch = self.patch(self.kit.channel(channel), words, beside)?;
        self.kit.set_channel(channel, patch);
        for (number, OfNote { sound, level, ear, rise, fall }) in note {
            let key = number.get_ref().parse().ok().and_then(U7::new);
            let at = number.span().start;
            let key = key.ok_or_else(|| (at, "a note is a number from 0 to 127".into()))?;
            let own = self.patch(patch, [sound, level, ear, rise, fall], beside)?;
            self.kit.set_note(channel, key, own);
        }
        Ok(())
    }

    /// A patch with what the file says of it.
    fn patch(
        &mut self,
        mut patch: Patch,
        [sound, level, ear, rise, fall]: [&Option<Spanned<String>>; 5],
        beside: &Path,
    ) -> Result<Patch, Wrong> {
        if let Some(sound) = sound {
            patch.instrument = self.instrument(sound, beside)?;
        }
        if let Some(level) = level {
            patch.level_db = said(level, level_db, "a level is at most 0, as in \"-20 dB\"")?;
        }
        if let Some(ear) = ear {
            patch.ears = said(ear, ears, "an ear is \"both\", \"left\" or \"right\"")?;
        }
        const RAMP: &str = "a ramp lasts 0 to 1000 ms, as in \"5 ms\"";
        if let Some(rise) = rise {
            patch.rise = said(rise, ramp, RAMP)?;
        }
        if let Some(fall) = fall {
            patch.fall = said(fall, ramp, RAMP)?;
        }
        Ok(patch)
    }

    fn instrument(&mut self, said: &Spanned<String>, beside: &Path) -> Result<Instrument, Wrong> {
        let word = said.get_ref().as_str();
        if let Some((_, instrument)) = WORDS.iter().find(|(known, _)| *known == word) {
            return Ok(*instrument);
        }
        if !word.to_ascii_lowercase().ends_with(".wav") {
            let words = WORDS.map(|(known, _)| known);
            let (best, all) = (nearest(word, &words), words.join(", "));
            let problem = format!(
                "there is no sound \"{word}\"; did you mean \"{best}\"? ({all}, or a WAV file)"
            );
            return Err((said.span().start, problem));
        }
        let path = beside.join(word);
        let known = self.samples.iter().position(|other| *other == path);
        let index = known.unwrap_or_else(|| {
            self.samples.push(path);
            self.samples.len() - 1
        });
        u16::try_from(index)
            .map(Instrument::Sample)
            .map_err(|_| (said.span().start, "so many samples have no room".into()))
    }
}

fn said<T>(
    cell: &Spanned<String>,
    parse: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Result<T, Wrong> {
    let text = cell.get_ref();
    parse(text).ok_or_else(|| (cell.span().start, format!("\"{text}\": {expected}")))
}

fn level_db(text: &str) -> Option<f32> {
    let level: f32 = text.strip_suffix("dB")?.trim_end().parse().ok()?;
    (-120.0..=0.0).contains(&level).then_some(level)
}

fn ears(text: &str) -> Option<Ears> {
    match text {
        "both" => Some(Ears::Both),
        "left" => Some(Ears::Left),
        "right" => Some(Ears::Right),
        _ => None,
    }
}

fn ramp(text: &str) -> Option<Nanos> {
    let ms: f64 = text.strip_suffix("ms")?.trim_end().parse().ok()?;
    (0.0..=1_000.0).contains(&ms).then(|| Nanos::round_from_f64(ms * 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_audio::tone::Timbre;

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

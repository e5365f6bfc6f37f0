//! [`Reading`]: from what a file of sounds says to what its notes sound like.

use super::calibration::{self, Calibration};
use super::fonts::Fonts;
use super::said::{Said, ears, ramp, said};
use super::{Sounds, Wrong};
use chronotap_audio::tone::{Instrument, Patch};
use chronotap_midi::{Channel, U7};
use chronotap_text::most_like;
use std::path::Path;
use toml::Spanned;

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

/// The file while it is read.
pub(super) struct Reading<'a> {
    pub(super) sounds: Sounds,
    pub(super) fonts: Fonts,
    pub(super) calibration: Option<Calibration>,
    pub(super) beside: &'a Path,
}

impl Reading<'_> {
    /// Takes in what is said of a channel.
    pub(super) fn take(&mut self, number: &Spanned<String>, said: &Said) -> Result<(), Wrong> {
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
            let (best, all) = (most_like(word, words).unwrap_or_default(), words.join(", "));
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
    pub(super) fn finish(self) -> Sounds {
        let Reading { mut sounds, fonts, .. } = self;
        sounds.kit.set_maps(fonts.maps(sounds.samples.len()));
        sounds.fonts = fonts.all;
        sounds
    }
}

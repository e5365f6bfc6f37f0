//! [`Reading`]: from what a file of sounds says to what its notes sound like.

use super::Sounds;
use super::calibration::{self, Calibration};
use super::fonts::{Fonts, Place};
use super::keys::{EARS, OF_A_SOUNDFONT};
use crate::trial_files::reading::{Field, Part};
use chronotap_audio::tone::{Instrument, Patch};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::text::most_like;
use std::path::Path;

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
    sounds: Sounds,
    fonts: Fonts,
    calibration: Option<Calibration>,
    beside: &'a Path,
}

impl<'a> Reading<'a> {
    /// Reads how loud full scale is; everything else is to come.
    pub(super) fn new(top: &Part<'_>, beside: &'a Path) -> Reading<'a> {
        let calibration = top.get("calibration").map(|field| {
            Part::of(&field, "calibration").map_or(Calibration::Mistaken, |of| Calibration::of(&of))
        });
        Reading { sounds: Sounds::default(), fonts: Fonts::default(), calibration, beside }
    }

    /// Takes in every channel. What is wrong is reported and stands as if it were not there.
    pub(super) fn whole(mut self, top: &Part<'_>) -> Sounds {
        for (name, at, field) in sorted(top.named("channel")) {
            match name.parse().ok().and_then(Channel::new) {
                Some(channel) => self.channel(channel, &field),
                None => top.page.problem(at, "a channel is a number from 1 to 16"),
            }
        }
        self.finish()
    }

    fn channel(&mut self, channel: Channel, field: &Field<'_>) {
        let Some(part) = Part::of(field, "channel.N") else { return };
        let patch = self.patch(self.sounds.kit.channel(channel), &part, (channel, None));
        self.sounds.kit.set_channel(channel, patch);
        for (name, at, field) in sorted(part.named("note")) {
            let Some(key) = name.parse().ok().and_then(U7::new) else {
                part.page.problem(at, "a note is a number from 0 to 127");
                continue;
            };
            let Some(part) = Part::of(&field, "channel.N.note.N") else { continue };
            let own = self.patch(patch, &part, (channel, Some(key)));
            self.sounds.kit.set_note(channel, key, own);
        }
    }

    /// A patch with what the file says of it.
    fn patch(&mut self, mut patch: Patch, part: &Part<'_>, place: Place) -> Patch {
        if let Some(sound) = part.get("sound") {
            patch.instrument = self.instrument(&sound, part, place).unwrap_or(patch.instrument);
        } else if let Some(at) = of_a_soundfont(part) {
            let problem = "this belongs to a SoundFont: say sound = \"FILE.sf2\" in the same table";
            part.page.problem(at, problem);
        }
        patch.ears = part.given("ear", |f| f.choice(&EARS)).unwrap_or(patch.ears);
        let level = |f: &Field<'_>| calibration::level(f, patch.ears, self.calibration.as_ref());
        if let Some((level, balance)) = part.given("level", level) {
            (patch.level_db, patch.balance_db) = (level, balance);
        }
        patch.rise = part.given("rise", Field::time).unwrap_or(patch.rise);
        patch.fall = part.given("fall", Field::time).unwrap_or(patch.fall);
        patch
    }

    fn instrument(
        &mut self,
        sound: &Field<'_>,
        part: &Part<'_>,
        place: Place,
    ) -> Option<Instrument> {
        let word = sound.text()?;
        let ending = word.to_ascii_lowercase();
        if ending.ends_with(".sf2") {
            return self.fonts.instrument(self.beside.join(word), sound, part, place);
        }
        let refused = |at, problem: String| {
            part.page.problem(at, problem);
            None
        };
        if let Some(at) = of_a_soundfont(part) {
            return refused(at, format!("this belongs to a SoundFont, and \"{word}\" is none"));
        }
        if let Some((_, instrument)) = WORDS.iter().find(|(known, _)| *known == word) {
            return Some(*instrument);
        }
        if !ending.ends_with(".wav") {
            return refused(sound.at, no_sound(&word));
        }
        let index = self.sample(&word);
        let full = || refused(sound.at, "so many samples have no room".to_owned());
        u16::try_from(index).ok().map(Instrument::Sample).or_else(full)
    }

    /// The place of a file among the samples.
    fn sample(&mut self, word: &str) -> usize {
        let path = self.beside.join(word);
        let samples = &mut self.sounds.samples;
        let known = samples.iter().position(|other| *other == path);
        known.unwrap_or_else(|| {
            samples.push(path);
            samples.len() - 1
        })
    }

    /// The places of the SoundFonts' notes come after those of all files.
    fn finish(self) -> Sounds {
        let Reading { mut sounds, fonts, .. } = self;
        sounds.kit.set_maps(fonts.maps(sounds.samples.len()));
        sounds.fonts = fonts.all;
        sounds
    }
}

/// In the order of their names, as the samples of SoundFonts have always stood.
fn sorted<'p>(mut named: Vec<(&'p str, usize, Field<'p>)>) -> Vec<(&'p str, usize, Field<'p>)> {
    named.sort_by_key(|(name, ..)| *name);
    named
}

/// Where something is said that only a SoundFont has.
fn of_a_soundfont(part: &Part<'_>) -> Option<usize> {
    OF_A_SOUNDFONT.iter().filter_map(|name| part.get(name)).map(|field| field.at).min()
}

fn no_sound(word: &str) -> String {
    let words = WORDS.map(|(known, _)| known);
    let (best, all) = (most_like(word, words).unwrap_or_default(), words.join(", "));
    format!(
        "there is no sound \"{word}\"; did you mean \"{best}\"? ({all}, a WAV file or an SF2 file)"
    )
}

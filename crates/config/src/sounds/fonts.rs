//! The instruments of SoundFonts that a file of sounds names: which file, which preset,
//! which keys, how long.

use super::SoundsError;
use super::calibration::said;
use crate::trial_files::reading::{Field, Part};
use chronotap_audio::tone::{Instrument, KeyMap, Preset, Sample, Selection, SoundFont};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::text::most_like;
use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Room for the notes of all SoundFonts; it is locked in memory.
pub(super) const ROOM_MB: usize = 256;
/// Largest file: it is read into memory as a whole. RIFF files cannot have more than twice
/// as much.
const LARGEST_BYTES: u64 = 2_000_000_000;
/// Samples of all SoundFonts; some thousand of files have room beside them.
const PLACES: usize = 60_000;
/// The bank of percussion.
const PERCUSSION: u16 = 128;

/// An instrument that is to be played into samples.
#[derive(Clone, Debug)]
pub(super) struct Font {
    path: PathBuf,
    font: SoundFont,
    selection: Selection,
    layers: Vec<u8>,
}

/// The channel of a sound, and its note where it is that of one.
pub(super) type Place = (Channel, Option<U7>);

/// Those named so far.
#[derive(Default)]
pub(super) struct Fonts {
    pub(super) all: Vec<Font>,
    read: HashMap<PathBuf, SoundFont>,
}

impl Fonts {
    /// What a table means that names a SoundFont.
    pub(super) fn instrument(
        &mut self,
        path: PathBuf,
        sound: &Field<'_>,
        part: &Part<'_>,
        (channel, note): Place,
    ) -> Option<Instrument> {
        let refused = |at, problem: String| {
            part.page.problem(at, problem);
            None
        };
        let font = match self.font(&path) {
            Ok(font) => font,
            Err(problem) => return refused(sound.at, problem),
        };
        let preset = preset(&font, part, channel, sound.at)?;
        let keys = match (part.get("keys"), note) {
            (None, None) => 0..=127,
            (None, Some(note)) => note.get()..=note.get(),
            (Some(keys), None) => {
                said(&keys, range, "keys are numbers from 0 to 127, as in \"48-72\"")?
            }
            (Some(keys), Some(_)) => return refused(keys.at, "a note is its only key".into()),
        };
        let longest = part.read("longest", Field::time)?;
        let longest_ms = (longest.as_millis_f64().round()) as u32;
        let layers = font.layers(&preset);
        let selection = Selection { preset, keys, longest_ms };
        self.all.push(Font { path, font, selection, layers });
        let places: usize = self.all.iter().map(Font::places).sum();
        let place = u16::try_from(self.all.len() - 1).ok().filter(|_| places <= PLACES);
        let full = "so many notes have no room; name fewer with `keys`";
        place.map(Instrument::Keys).or_else(|| refused(sound.at, full.into()))
    }

    fn font(&mut self, path: &PathBuf) -> Result<SoundFont, String> {
        if let Some(font) = self.read.get(path) {
            return Ok(font.clone());
        }
        let shown = path.display();
        let unreadable =
            |error| format!("{shown}: cannot read it: {error}; name a SoundFont that exists");
        let about = std::fs::metadata(path).map_err(unreadable)?;
        if !about.is_file() || about.len() > LARGEST_BYTES {
            let largest = LARGEST_BYTES / 1_000_000;
            return Err(format!(
                "{shown}: it is no file of at most {largest} MB; name a smaller SoundFont"
            ));
        }
        let bytes = std::fs::read(path).map_err(unreadable)?;
        let font = SoundFont::read(&bytes).map_err(|error| format!("{shown}: {error}"))?;
        self.read.insert(path.clone(), font.clone());
        Ok(font)
    }

    /// Where the samples of each instrument are, the first after so many of files.
    pub(super) fn maps(&self, files: usize) -> Vec<KeyMap> {
        let mut first = files;
        let map = |font: &Font| {
            let Font { selection, layers, .. } = font;
            let place = u16::try_from(first).unwrap_or(u16::MAX);
            first += font.places();
            KeyMap { first: place, keys: selection.keys.clone(), layers: layers.clone() }
        };
        self.all.iter().map(map).collect()
    }
}

impl Font {
    /// How many samples it is played into.
    fn places(&self) -> usize {
        self.selection.keys.len() * self.layers.len()
    }

    pub(super) fn play(&self, rate_hz: u32, room: &mut usize) -> Result<Vec<Sample>, SoundsError> {
        let played = self.font.play(&self.selection, rate_hz, room, ROOM_MB);
        played.map_err(|source| SoundsError::SoundFont { path: self.path.clone(), source })
    }
}

impl fmt::Display for Font {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Selection { preset: Preset { bank, program, name }, keys, longest_ms } =
            &self.selection;
        let (path, layers) = (self.path.display(), self.layers.len());
        let layers = if layers == 1 {
            "one velocity layer".into()
        } else {
            format!("{layers} velocity layers")
        };
        let (first, last) = (keys.start(), keys.end());
        let keys =
            if first == last { format!("key {first}") } else { format!("keys {first}-{last}") };
        let seconds = f64::from(*longest_ms) / 1_000.0;
        write!(
            f,
            "{path}: bank {bank}, program {program} \"{name}\"; {keys} in {layers}, at most {seconds} s a note"
        )
    }
}

/// The preset by its name or number; else the first of its bank.
fn preset(font: &SoundFont, part: &Part<'_>, channel: Channel, at: usize) -> Option<Preset> {
    let all = font.presets();
    if let Some(field) = part.get("preset") {
        let name = field.text()?;
        let found = all.iter().find(|preset| preset.name == name).cloned();
        let names = all.iter().map(|preset| preset.name.as_str());
        let best = most_like(&name, names).unwrap_or_default();
        if found.is_none() {
            let problem = format!("there is no preset \"{name}\"; did you mean \"{best}\"?");
            part.page.problem(field.at, problem);
        }
        return found;
    }
    let percussion = channel.number() == 10;
    let number = |name: &str| part.given(name, Field::count).map(|number| number as u16);
    let (program, bank) = (number("program"), number("bank"));
    let bank = bank.unwrap_or(if percussion { PERCUSSION } else { 0 });
    let this = |p: &&Preset| p.bank == bank && program.is_none_or(|program| program == p.program);
    let found = all.iter().find(this).cloned();
    if found.is_none() {
        let named = part.get("program").or_else(|| part.get("bank"));
        part.page.problem(named.map_or(at, |field| field.at), nowhere(&all, bank, program));
    }
    found
}

/// That there is no such program in a bank, and which is the nearest.
fn nowhere(all: &[Preset], bank: u16, program: Option<u16>) -> String {
    let wanted = program.map_or("any program".into(), |program| format!("program {program}"));
    let near = |p: &&Preset| (p.bank.abs_diff(bank), p.program.abs_diff(program.unwrap_or(0)));
    let nearest = all.iter().min_by_key(near).map_or("none at all".into(), |p| {
        format!("bank = {}, program = {} (\"{}\")", p.bank, p.program, p.name)
    });
    format!("there is not {wanted} in bank {bank}; the nearest is {nearest}")
}

fn range(text: &str) -> Option<RangeInclusive<u8>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let key = |text: &str| text.trim().parse().ok().filter(|key| *key <= 127);
    let (first, last) = (key(first)?, key(last)?);
    (first <= last).then_some(first..=last)
}

#[cfg(test)]
#[path = "../../../audio/src/tone/tiny.rs"]
mod tiny;

#[cfg(test)]
mod tests {
    use super::tiny;
    use crate::sounds::Sounds;
    use chronotap_audio::tone::Timbre;
    use chronotap_core::midi::{Channel, U7};

    fn parsed(text: &str) -> Result<Sounds, String> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("tiny.sf2"), tiny::tiny_soundfont()).unwrap();
        std::fs::write(dir.path().join("torn.sf2"), &tiny::tiny_soundfont()[..99]).unwrap();
        // A hole: it takes no room on the disk.
        let huge = std::fs::File::create(dir.path().join("huge.sf2")).unwrap();
        huge.set_len(1 << 40).unwrap();
        std::fs::create_dir(dir.path().join("folder.sf2")).unwrap();
        let told = Sounds::parse(text, &dir.path().join("s.toml"));
        told.map_err(|e| e.to_string().replace(&format!("{}/", dir.path().display()), ""))
    }

    #[test]
    fn a_key_has_its_sample_after_those_of_files_and_others_are_silent() {
        let text = "[channel.1]\nsound = \"tiny.sf2\"\npreset = \"Two Layers\"\nkeys = \"60-62\"\n\
                    longest = \"50 ms\"\n[channel.2]\nsound = \"tick.wav\"\n\
                    [channel.10.note.38]\nsound = \"tiny.sf2\"\nlongest = \"0.1 s\"\n";
        let sounds = parsed(text).unwrap();
        let timbre = |channel, note, velocity| {
            let (note, velocity) = (U7::from_byte(note), U7::from_byte(velocity));
            sounds.kit.sound(Channel::new(channel).unwrap(), note, velocity).map(|s| s.timbre)
        };
        assert_eq!(timbre(1, 60, 63), Some(Timbre::Sample(1)));
        assert_eq!(timbre(1, 62, 64), Some(Timbre::Sample(6)));
        assert_eq!(timbre(1, 63, 64), None);
        assert_eq!(timbre(10, 38, 127), Some(Timbre::Sample(7)));
        let [layered, kit] = &sounds.instruments()[..] else { unreachable!() };
        assert!(layered.ends_with("bank 0, program 5 \"Two Layers\"; keys 60-62 in 2 velocity layers, at most 0.05 s a note"), "{layered}");
        assert!(kit.contains("bank 128, program 0 \"Kit\"; key 38 in one velocity layer"), "{kit}");
    }

    #[test]
    fn mistakes_are_named_with_their_line_and_the_nearest_there_is() {
        let said = |more: &str| parsed(&format!("[channel.1]\n{more}\n")).unwrap_err();
        let font = |more: &str| said(&format!("sound = \"tiny.sf2\"\n{more}"));
        assert_eq!(
            font("preset = \"Tik\""),
            "s.toml:3: there is no preset \"Tik\"; did you mean \"Tick\"?"
        );
        assert_eq!(
            font("program = 4"),
            "s.toml:3: there is not program 4 in bank 0; the nearest is bank = 0, program = 5 (\"Two Layers\")"
        );
        assert!(font("keys = \"72-48\"").starts_with("s.toml:3: \"72-48\": keys are numbers"));
        assert!(
            font("longest = \"4\"")
                .starts_with("s.toml:3: channel.1.longest: \"4\" has no unit; write \"4 s\"")
        );
        assert!(said("sound = \"torn.sf2\"").starts_with("s.toml:2: torn.sf2: not a usable"));
        for no_font in ["huge", "folder"] {
            let said = said(&format!("sound = \"{no_font}.sf2\""));
            let start = format!("s.toml:2: {no_font}.sf2: it is no file of at most 2000 MB");
            assert!(said.starts_with(&start), "{said}");
        }
        assert!(said("sound = \"none.sf2\"").starts_with("s.toml:2: none.sf2: cannot read it"));
        assert!(said("sound = \"sine\"\nkeys = \"1-2\"").starts_with("s.toml:3: this belongs"));
        assert!(said("program = 1").starts_with("s.toml:2: this belongs to a SoundFont: say"));
    }

    #[test]
    fn what_has_no_room_says_how_many_keys_do() {
        let text = "[channel.1]\nsound = \"tiny.sf2\"\nlongest = \"30 s\"\n";
        let said = parsed(text).unwrap().samples(48_000).unwrap_err().to_string();
        assert!(said.contains("more than 256 MB: 22 of 128 keys fit"), "{said}");
    }
}

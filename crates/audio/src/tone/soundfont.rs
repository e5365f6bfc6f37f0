//! [`SoundFont`]: a bank of recorded instruments (SF2), each note played into a sample
//! before the trial.
//!
//! Background: a SoundFont synthesizer computes blocks of frames, and begins notes at
//! their borders; it also has envelopes and filters that a card's thread would have to
//! compute. Solution: before the trial each key is played once for each of its velocity
//! layers, from the frame in which it is first heard, and kept as a [`Sample`]. Why it
//! works: within a layer a velocity changes nothing but the level, by the rule that the
//! generator has too (General MIDI's 40·log10(v/127) dB). So a note begins at its frame,
//! and the card's thread does what it does for any sample.
//!
//! Not here: reverb, chorus, modulators, and the release of a note, whose place the ramp
//! at its end takes.

mod chunks;
mod contained;
mod press;

use super::Sample;
use crate::wav::is_fit;
use chronotap_core::midi::U7;
use contained::contained;
use press::Instrument;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Bytes of a frame.
const FRAME_BYTES: usize = size_of::<[f32; 2]>();

/// A file of instruments.
#[derive(Clone, Debug)]
pub struct SoundFont(Arc<rustysynth::SoundFont>);

/// One of its instruments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its bank; 128 holds percussion.
    pub bank: u16,
    /// Its program in that bank, from 0.
    pub program: u16,
    pub name: String,
}

/// What is played into samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The instrument.
    pub preset: Preset,
    pub keys: RangeInclusive<u8>,
    /// How long a note may last, in milliseconds; what lasts longer fades out there.
    pub longest_ms: u32,
}

/// Why a SoundFont cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SoundFontError {
    /// It is no SoundFont 2 file, or a damaged or compressed one. Convert it.
    #[error(
        "not a usable SoundFont 2 file: {0}; save it as uncompressed SF2, as Polyphone does, or use another"
    )]
    Format(String),
    /// Its notes do not fit. Ask for fewer keys or shorter notes.
    #[error(
        "its notes take more than {limit_mb} MB: {fit} of {asked} keys fit; name fewer with `keys`, or shorten them with `longest`"
    )]
    Room {
        /// Room for all SoundFonts.
        limit_mb: usize,
        /// Keys that fit.
        fit: usize,
        /// Keys asked for.
        asked: usize,
    },
    /// The card's rate is not one of the synthesizer's. Ask for another.
    #[error("it cannot be played at {0} Hz; ask for a rate of 16000 to 192000 Hz")]
    Rate(u32),
    /// A note comes out as no number, or far beyond full scale. The file is damaged.
    #[error(
        "its key {key} at velocity {velocity} gives no sound that can be played: the file is \
         damaged, use another"
    )]
    Unfit {
        key: u8,
        /// The greatest velocity of the layer.
        velocity: u8,
    },
}

impl SoundFontError {
    /// The library took what the file says at its word, and was led outside of it.
    fn contradiction() -> SoundFontError {
        SoundFontError::Format("its parts contradict each other".into())
    }
}

impl SoundFont {
    /// Reads a file's bytes.
    ///
    /// # Errors
    /// [`SoundFontError::Format`].
    pub fn read(bytes: &[u8]) -> Result<SoundFont, SoundFontError> {
        chunks::check(bytes).map_err(SoundFontError::Format)?;
        let read = contained(|| rustysynth::SoundFont::new(&mut &*bytes));
        let font = read.ok_or_else(SoundFontError::contradiction)?;
        let font = font.map_err(|error| SoundFontError::Format(error.to_string()))?;
        Ok(SoundFont(Arc::new(font)))
    }

    /// Its instruments by bank and program.
    pub fn presets(&self) -> Vec<Preset> {
        let number = |n: i32| u16::try_from(n).unwrap_or(u16::MAX);
        let preset = |preset: &rustysynth::Preset| Preset {
            bank: number(preset.get_bank_number()),
            program: number(preset.get_patch_number()),
            name: preset.get_name().trim().into(),
        };
        let mut all: Vec<Preset> = self.0.get_presets().iter().map(preset).collect();
        all.sort_by_key(|preset| (preset.bank, preset.program));
        all
    }

    /// The greatest velocity of each of an instrument's layers, ascending up to 127.
    pub fn layers(&self, preset: &Preset) -> Vec<u8> {
        let (bank, program) = (i32::from(preset.bank), i32::from(preset.program));
        let this = |p: &&rustysynth::Preset| {
            (p.get_bank_number(), p.get_patch_number()) == (bank, program)
        };
        let mut ends = BTreeSet::from([127]);
        for region in self.0.get_presets().iter().filter(this).flat_map(|p| p.get_regions()) {
            let mut border = |start: i32, end: i32| ends.extend([start - 1, end]);
            border(region.get_velocity_range_start(), region.get_velocity_range_end());
            let instrument = self.0.get_instruments().get(region.get_instrument_id());
            for part in instrument.into_iter().flat_map(|i| i.get_regions()) {
                border(part.get_velocity_range_start(), part.get_velocity_range_end());
            }
        }
        ends.into_iter().filter(|v| (1..=127).contains(v)).map(|v| v as u8).collect()
    }

    /// Plays each key in each layer, from the softest layer of the lowest key on. Takes
    /// at most `room` bytes, and what they need less off it.
    ///
    /// # Errors
    /// [`SoundFontError::Rate`], [`SoundFontError::Room`], [`SoundFontError::Unfit`],
    /// [`SoundFontError::Format`].
    pub fn play(
        &self,
        played: &Selection,
        rate_hz: u32,
        room: &mut usize,
        limit_mb: usize,
    ) -> Result<Vec<Sample>, SoundFontError> {
        let notes = contained(|| self.notes(played, rate_hz, room, limit_mb));
        notes.ok_or_else(SoundFontError::contradiction)?
    }

    fn notes(
        &self,
        played: &Selection,
        rate_hz: u32,
        room: &mut usize,
        limit_mb: usize,
    ) -> Result<Vec<Sample>, SoundFontError> {
        let longest = u64::from(rate_hz) * u64::from(played.longest_ms) / 1_000;
        let mut instrument = Instrument::new(&self.0, &played.preset, rate_hz, longest as usize)?;
        let layers = self.layers(&played.preset);
        let mut samples = Vec::with_capacity(played.keys.len() * layers.len());
        for (fit, number) in played.keys.clone().enumerate() {
            for velocity in &layers {
                let frames = instrument.press(number, *velocity);
                if !frames.as_flattened().iter().all(|sample| is_fit(*sample)) {
                    return Err(SoundFontError::Unfit { key: number, velocity: *velocity });
                }
                let left = room.checked_sub(frames.len() * FRAME_BYTES);
                let asked = played.keys.len();
                *room = left.ok_or(SoundFontError::Room { limit_mb, fit, asked })?;
                samples.push(Sample::from_frames(frames));
            }
        }
        Ok(samples)
    }
}

/// Which sample a key sounds at which velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyMap {
    /// Place of the first sample.
    pub first: u16,
    /// The keys that have samples.
    pub keys: RangeInclusive<u8>,
    /// The greatest velocity of each layer.
    pub layers: Vec<u8>,
}

impl KeyMap {
    /// The place of the sample; none where the key has none.
    ///
    /// Real-time contract: no allocation, lock or system call; bounded by the layers.
    pub(super) fn sample(&self, key: U7, velocity: U7) -> Option<u16> {
        let row = usize::from(key.get().checked_sub(*self.keys.start())?);
        let layer = self.layers.iter().position(|greatest| velocity.get() <= *greatest)?;
        let place = row * self.layers.len() + layer;
        let there = self.keys.contains(&key.get());
        there.then(|| u16::try_from(place + usize::from(self.first)).ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tone::tiny::{LAYERED, tiny_soundfont};

    fn played(font: &SoundFont, keys: RangeInclusive<u8>, longest_ms: u32) -> Selection {
        Selection { preset: font.presets()[0].clone(), keys, longest_ms }
    }

    fn samples(font: &SoundFont, played: &Selection) -> Vec<Sample> {
        font.play(played, 48_000, &mut 100_000_000, 100).unwrap()
    }

    #[test]
    fn its_instruments_are_listed_by_bank_and_program() {
        let font = SoundFont::read(&tiny_soundfont()).unwrap();
        let names: Vec<_> =
            font.presets().into_iter().map(|p| (p.bank, p.program, p.name)).collect();
        assert_eq!(names, [(0, 0, "Tick".into()), (0, 5, LAYERED.into()), (128, 0, "Kit".into())]);
    }

    #[test]
    fn a_note_is_heard_from_its_first_frame_at_its_pitch_and_fades_where_it_is_cut() {
        let font = SoundFont::read(&tiny_soundfont()).unwrap();
        let all = samples(&font, &played(&font, 69..=81, 100));
        assert_eq!(all.len(), 13);
        let at = |sample: &Sample, i: usize| sample.frame(i).map_or(0.0, |frame| frame[0]);
        for (sample, cycles) in [(&all[0], 440.0 / 12.0), (&all[12], 880.0 / 12.0)] {
            let up = |i: &usize| at(sample, i - 1) <= 0.0 && at(sample, *i) > 0.0;
            let found = (1..4_000).filter(up).count() as f64;
            assert!((found - cycles).abs() <= 1.0, "{found} cycles in a twelfth of a second");
            assert!(at(sample, 0).abs() > 0.0 && at(sample, 4_799).abs() < 0.01);
            assert_eq!(sample.frames(), 4_800);
        }
    }

    #[test]
    fn each_layer_is_played_as_loud_as_velocity_127_and_found_by_its_velocities() {
        let font = SoundFont::read(&tiny_soundfont()).unwrap();
        let preset = font.presets()[1].clone();
        assert_eq!(font.layers(&preset), [63, 127]);
        let all = samples(&font, &Selection { preset, keys: 60..=61, longest_ms: 100 });
        let peak = |sample: &Sample| {
            (0..sample.frames()).filter_map(|i| sample.frame(i)).map(|f| f[0]).fold(0.0, f32::max)
        };
        // The soft layer is a recording half as loud.
        let [soft, loud] = [peak(&all[0]), peak(&all[1])];
        assert!((loud / soft - 2.0).abs() < 0.05, "{soft}, {loud}");
        let map = KeyMap { first: 3, keys: 60..=61, layers: vec![63, 127] };
        let found = |key, velocity| map.sample(U7::from_byte(key), U7::from_byte(velocity));
        assert_eq!([found(60, 1), found(60, 63), found(60, 64)], [Some(3), Some(3), Some(4)]);
        assert_eq!([found(61, 127), found(59, 64), found(62, 64)], [Some(6), None, None]);
    }

    #[test]
    fn percussion_is_in_bank_128_and_what_does_not_fit_is_refused() {
        let font = SoundFont::read(&tiny_soundfont()).unwrap();
        let preset = font.presets()[2].clone();
        let kit = Selection { preset, keys: 36..=38, longest_ms: 1_000 };
        assert!(samples(&font, &kit).iter().all(|sample| sample.frames() > 1_000));
        let said = font.play(&kit, 48_000, &mut 1_000_000, 1).unwrap_err().to_string();
        assert!(said.contains("more than 1 MB: 2 of 3 keys fit; name fewer"), "{said}");
        let said = font.play(&kit, 8_000, &mut 1_000_000, 1).unwrap_err().to_string();
        assert!(said.contains("16000 to 192000"), "{said}");
    }

    #[test]
    fn what_is_no_soundfont_or_was_cut_off_is_refused_with_a_cure() {
        let whole = tiny_soundfont();
        for bytes in
            [&b"RIFF no such thing"[..], &whole[..whole.len() / 2], &whole[..whole.len() - 60]]
        {
            let said = SoundFont::read(bytes).unwrap_err().to_string();
            assert!(said.contains("save it as uncompressed SF2"), "{said}");
        }
    }

    /// Bytes that look random, and are the same in every run.
    fn scrambled(n: u64) -> u64 {
        let mixed = (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 7
    }

    #[test]
    fn whatever_byte_of_it_is_damaged_a_note_is_fit_to_be_played_or_refused() {
        let whole = tiny_soundfont();
        // All but the recordings, in which every number is a sound.
        let smpl = whole.windows(4).position(|name| name == b"smpl").unwrap() + 8;
        let pdta = whole.windows(4).position(|name| name == b"pdta").unwrap();
        let places: Vec<usize> = (0..smpl).chain(pdta..whole.len()).collect();
        let (mut read, mut refused) = (0, 0);
        for n in 0..2_000 {
            let mut bytes = whole.clone();
            for change in 0..1 + n % 3 {
                let random = scrambled(n * 3 + change);
                bytes[places[random as usize % places.len()]] = (random >> 32) as u8;
            }
            let Ok(font) = SoundFont::read(&bytes) else {
                refused += 1;
                continue;
            };
            for preset in font.presets() {
                let played = Selection { preset, keys: 60..=60, longest_ms: 20 };
                let samples = font.play(&played, 48_000, &mut 10_000_000, 10).unwrap_or_default();
                let frames =
                    samples.iter().flat_map(|s| (0..s.frames()).filter_map(|i| s.frame(i)));
                assert!(frames.flatten().all(is_fit), "change {n}");
            }
            read += 1;
        }
        assert!(read > 200 && refused > 200, "{read} read, {refused} refused");
    }
}

//! [`Kit`]: which note of which MIDI channel makes which sound.
//!
//! Channel 10 is percussion, as in General MIDI: woodblocks on notes 76 and 77, drums on
//! those of the drums, a click on every other. The other channels make a complex tone of
//! the note's pitch. A patch gives a channel, or one note of it, another sound.

use super::{Ears, KeyMap, Sound, Timbre};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;

/// What a note is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instrument {
    /// A sine of the note's pitch.
    Sine,
    /// Six harmonics of the note's pitch.
    Complex,
    /// By the note: woodblock, drum or click.
    Percussion,
    Click,
    /// A woodblock of the note's pitch.
    Woodblock,
    /// A drum of the note's pitch.
    Drum,
    /// White noise.
    White,
    /// Pink noise.
    Pink,
    /// A sample, by its place in the list.
    Sample(u16),
    /// Samples of its own for each note, by the place of its key map in the list.
    Keys(u16),
    /// Nothing.
    Silence,
}

/// How the notes of a channel sound, or one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// What they are played on.
    pub instrument: Instrument,
    /// Level in dB full scale of a note of velocity 127.
    pub level_db: f32,
    /// Where they are heard.
    pub ears: Ears,
    /// What each ear, left and right, has more than the level, in dB; at most 0.
    pub balance_db: [f32; 2],
    /// Ramp at the beginning.
    pub rise: Nanos,
    /// Ramp after the end.
    pub fall: Nanos,
}

impl Patch {
    /// An instrument at -12 dB in both ears with ramps of 5 ms.
    pub const fn new(instrument: Instrument) -> Patch {
        let ramp = Nanos::from_millis(5);
        let (ears, balance_db) = (Ears::Both, [0.0; 2]);
        Patch { instrument, level_db: -12.0, ears, balance_db, rise: ramp, fall: ramp }
    }
}

/// Which note makes which sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Kit {
    channels: [Patch; 16],
    notes: Vec<(Channel, U7, Patch)>,
    maps: Vec<KeyMap>,
}

impl Default for Kit {
    fn default() -> Kit {
        let mut channels = [Patch::new(Instrument::Complex); 16];
        channels[PERCUSSION].instrument = Instrument::Percussion;
        Kit { channels, notes: Vec::new(), maps: Vec::new() }
    }
}

/// The index of MIDI channel 10.
const PERCUSSION: usize = 9;

impl Kit {
    /// How the notes of a channel sound.
    pub fn channel(&self, channel: Channel) -> Patch {
        self.channels[channel.index()]
    }

    /// Gives a channel another sound.
    pub fn set_channel(&mut self, channel: Channel, patch: Patch) {
        self.channels[channel.index()] = patch;
    }

    /// Gives one note of a channel a sound of its own.
    pub fn set_note(&mut self, channel: Channel, note: U7, patch: Patch) {
        self.notes.push((channel, note, patch));
    }

    /// The key maps of the instruments that have samples for each note.
    pub fn set_maps(&mut self, maps: Vec<KeyMap>) {
        self.maps = maps;
    }

    /// The sound of a note, or nothing where it is silent.
    ///
    /// Real-time contract: no allocation, lock or system call; bounded by the notes that
    /// have a sound of their own.
    pub fn sound(&self, channel: Channel, note: U7, velocity: U7) -> Option<Sound> {
        let own = self.notes.iter().rev().find(|(c, n, _)| (*c, *n) == (channel, note));
        let patch = own.map_or(&self.channels[channel.index()], |(_, _, patch)| patch);
        let timbre = match patch.instrument {
            Instrument::Sine => Timbre::Sine(pitch_hz(note)),
            Instrument::Complex => Timbre::Complex(pitch_hz(note)),
            Instrument::Percussion => percussion(note),
            Instrument::Click => Timbre::Click,
            Instrument::Woodblock => Timbre::Woodblock(pitch_hz(note)),
            Instrument::Drum => Timbre::Drum(pitch_hz(note)),
            Instrument::White => Timbre::White,
            Instrument::Pink => Timbre::Pink,
            Instrument::Sample(index) => Timbre::Sample(index),
            Instrument::Keys(index) => {
                Timbre::Sample(self.maps.get(usize::from(index))?.sample(note, velocity)?)
            }
            Instrument::Silence => return None,
        };
        let level_db = patch.level_db + below_full_db(velocity);
        let Patch { ears, balance_db, rise, fall, .. } = *patch;
        Some(Sound { timbre, level_db, ears, balance_db, rise, fall })
    }
}

/// The pitch of a note: 440 Hz for A4, note 69; a semitone is the twelfth root of 2.
fn pitch_hz(note: U7) -> f64 {
    440.0 * libm::exp2((f64::from(note.get()) - 69.0) / 12.0)
}

/// What a velocity takes off the level: amplitude goes with its square, as the General
/// MIDI guidelines recommend.
fn below_full_db(velocity: U7) -> f32 {
    40.0 * libm::log10f(f32::from(velocity.get().max(1)) / 127.0)
}

/// The sounds of General MIDI's percussion that there is something like.
fn percussion(note: U7) -> Timbre {
    match note.get() {
        35 | 36 => Timbre::Drum(60.0),
        41 => Timbre::Drum(80.0),
        43 => Timbre::Drum(100.0),
        45 => Timbre::Drum(120.0),
        47 => Timbre::Drum(140.0),
        48 => Timbre::Drum(160.0),
        38 | 40 | 50 => Timbre::Drum(180.0),
        60..=64 => Timbre::Drum(300.0),
        76 => Timbre::Woodblock(1_000.0),
        77 => Timbre::Woodblock(700.0),
        _ => Timbre::Click,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timbre(kit: &Kit, channel: u8, note: u8) -> Option<Timbre> {
        let channel = Channel::new(channel).unwrap();
        kit.sound(channel, U7::from_byte(note), U7::MAX).map(|sound| sound.timbre)
    }

    #[test]
    fn channel_10_is_percussion_and_the_others_sound_at_their_pitch() {
        let kit = Kit::default();
        assert_eq!(timbre(&kit, 10, 76), Some(Timbre::Woodblock(1_000.0)));
        assert_eq!(timbre(&kit, 10, 36), Some(Timbre::Drum(60.0)));
        assert_eq!(timbre(&kit, 10, 37), Some(Timbre::Click));
        assert_eq!(timbre(&kit, 1, 69), Some(Timbre::Complex(440.0)));
        assert_eq!(timbre(&kit, 2, 81), Some(Timbre::Complex(880.0)));
    }

    #[test]
    fn the_greatest_velocity_is_the_patch_s_level_and_half_of_it_12_db_less() {
        let kit = Kit::default();
        let level = |v| kit.sound(Channel::ONE, U7::ZERO, U7::from_byte(v)).unwrap().level_db;
        assert_eq!(level(127), -12.0);
        assert!((level(64) + 12.0 + 11.9).abs() < 0.01);
    }

    #[test]
    fn a_note_s_own_sound_stands_before_its_channel_s() {
        let mut kit = Kit::default();
        kit.set_channel(Channel::ONE, Patch::new(Instrument::Silence));
        kit.set_note(Channel::ONE, U7::from_byte(60), Patch::new(Instrument::Pink));
        assert_eq!(timbre(&kit, 1, 61), None);
        assert_eq!(timbre(&kit, 1, 60), Some(Timbre::Pink));
    }
}

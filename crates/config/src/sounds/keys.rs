//! Every key of a file of sounds: the rows of one table, from which reading and the nearest
//! name come.

use crate::trial_files::reading::{Default, Key, KeyKind, Keys, Section, words_of};
use chronotap_audio::tone::Ears;
use std::sync::LazyLock;

/// The keys of a file of sounds.
pub(super) static KEYS: LazyLock<Keys> =
    LazyLock::new(|| Keys::of(&[&SECTIONS], &[&TOP, &LEVELS, &CHANNEL, &NOTES, &NOTE]));

/// At which ear a sound is heard.
pub(super) const EARS: [(&str, Ears); 3] =
    [("both", Ears::Both), ("left", Ears::Left), ("right", Ears::Right)];

const EAR_WORDS: &[&str] = &words_of(&EARS);

/// What belongs to a SoundFont alone.
pub(super) const OF_A_SOUNDFONT: [&str; 5] = ["preset", "program", "bank", "keys", "longest"];

static SECTIONS: [Section; 4] = [
    Section { name: "", title: "The top of the file" },
    Section { name: "calibration", title: "[calibration]: what was measured at the ears" },
    Section { name: "channel.N", title: "[channel.N]: the sound of a MIDI channel" },
    Section { name: "channel.N.note.N", title: "[channel.N.note.N]: the sound of one note" },
];

const MS: i64 = 1_000_000;
const RAMP: KeyKind = KeyKind::Time(0, 1_000 * MS);
const SPL: KeyKind = KeyKind::Form("level in dB SPL, 20 to 180");
const OTHERS: Default = Default::Not("as the channel, or as usual");
const OF_THE_FONT: Default = Default::Not("the first preset of the usual bank");

const fn key(section: &'static str, name: &'static str, kind: KeyKind, default: Default) -> Key {
    Key::new(section, name, kind, default)
}

static TOP: [Key; 2] = [
    key("", "calibration", KeyKind::Part, Default::Not("not known"))
        .means("How loud full scale is.", "[calibration]"),
    key("", "channel", KeyKind::Part, Default::Not("the usual sounds"))
        .means("Channels, each under its number.", "[channel.1]"),
];

static LEVELS: [Key; 3] = [
    key("calibration", "full_scale", SPL, Default::Not("none; give it, or left and right"))
        .means("The level of a sine of full scale, at both ears.", "full_scale = \"105.2 dB SPL\""),
    key("calibration", "left", SPL, Default::Not("none; give full_scale, or left and right"))
        .means("The same at the left ear.", "left = \"105.2 dB SPL\""),
    key("calibration", "right", SPL, Default::Not("none; give full_scale, or left and right"))
        .means("The same at the right ear.", "right = \"104.8 dB SPL\""),
];

static NOTES: [Key; 1] = [key("channel.N", "note", KeyKind::Part, Default::Not("none"))
    .means("Notes that sound otherwise, each under its number.", "[channel.10.note.76]")];

static CHANNEL: [Key; 10] = of("channel.N");
static NOTE: [Key; 10] = of("channel.N.note.N");

/// What is said of a channel, and of a note.
const fn of(section: &'static str) -> [Key; 10] {
    [
        key(section, "sound", KeyKind::Text, OTHERS)
            .means("A word, a WAV file, or a SoundFont.", "sound = \"sine\""),
        key(section, "level", KeyKind::Form("level in dB, at most 0, or in dB SPL"), OTHERS)
            .means("How loud.", "level = \"-20 dB\""),
        key(section, "ear", KeyKind::Choice(EAR_WORDS), OTHERS)
            .means("Where it is heard.", "ear = \"left\""),
        key(section, "rise", RAMP, OTHERS).means("How long it rises.", "rise = \"5 ms\""),
        key(section, "fall", RAMP, OTHERS).means("How long it falls.", "fall = \"5 ms\""),
        key(section, "preset", KeyKind::Text, OF_THE_FONT)
            .means("Which instrument of a SoundFont, by its name.", "preset = \"Piano\""),
        key(section, "program", KeyKind::Count(0, 65_535), OF_THE_FONT)
            .means("The same by its number.", "program = 0"),
        key(section, "bank", KeyKind::Count(0, 65_535), Default::Not("0; 128 on channel 10"))
            .means("In which bank.", "bank = 0"),
        key(section, "keys", KeyKind::Form("key or range of keys, 0 to 127"), Default::Not("all"))
            .means("Which keys are played.", "keys = \"48-72\""),
        key(section, "longest", KeyKind::Time(10 * MS, 60_000 * MS), Default::Is("\"4 s\""))
            .means("How long a note lasts at most.", "longest = \"4 s\""),
    ]
}

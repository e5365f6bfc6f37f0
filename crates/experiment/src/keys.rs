//! Every key of a trial file, in one table: where it stands, what it may hold,
//! its unit, range and default, what it means, and whether a trigger may set or
//! ramp it. Reading, the search for the nearest name, the table of resolved
//! parameters and the printed reference all come from here, so none of them can
//! say what another does not.

mod feedback;
mod masking;
mod pacing;
mod top;
mod when;

use crate::node::Node;
use crate::quantity::bounds;
use chronotap_time::Nanos;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Where it stands, such as `pacing.NAME.tone`; empty at the top of the file.
    pub section: &'static str,
    /// The key.
    pub name: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// What holds where it is not given.
    pub default: Default,
    /// One or two sentences.
    pub meaning: &'static str,
    /// A line as it could stand in a file.
    pub example: &'static str,
    /// Whether `set` may change it.
    pub sets: bool,
    /// Whether `ramp` may change it.
    pub ramps: bool,
}

/// What a key may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Any text on one line.
    Text,
    /// `true` or `false`.
    Flag,
    /// A time, within bounds in nanoseconds.
    Time(i64, i64),
    /// A time between beats, or a table that says where it is taken from.
    Interval,
    /// Beats per minute.
    Tempo,
    /// Events a second.
    Rate,
    /// A whole number within bounds.
    Count(u64, u64),
    /// A number within bounds.
    Number(f64, f64),
    /// A MIDI note, by number or name.
    Note,
    /// A range of notes.
    Range,
    /// A MIDI channel.
    Channel,
    /// A velocity that sounds.
    Velocity,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// The name of something declared elsewhere: what it names.
    Name(&'static str),
    /// A form of its own, described; keys of its tables may follow in a section below.
    Form(&'static str),
    /// A table whose keys follow in a section of their own.
    Part,
}

/// What holds where a key is not given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Default {
    /// This value, as TOML; reading takes it from here.
    Is(&'static str),
    /// In words, because it depends on others or is the absence of a thing.
    Not(&'static str),
}

/// A title over the keys of a section, for the reference.
pub(crate) struct Section {
    pub name: &'static str,
    pub title: &'static str,
}

/// Sections in the order of the reference, each with its keys.
pub(crate) fn sections() -> impl Iterator<Item = &'static Section> {
    [top::SECTIONS, pacing::SECTIONS, feedback::SECTIONS, masking::SECTIONS, when::SECTIONS]
        .into_iter()
        .flatten()
}

/// Every key, in the order of the reference.
pub(crate) fn all() -> impl Iterator<Item = &'static Key> {
    [top::KEYS, pacing::KEYS, feedback::KEYS, masking::KEYS, when::KEYS].into_iter().flatten()
}

/// The keys that may stand in a section.
pub(crate) fn within(section: &str) -> impl Iterator<Item = &'static Key> {
    all().filter(move |key| key.section == section)
}

/// One key, if there is such.
pub(crate) fn find(section: &str, name: &str) -> Option<&'static Key> {
    INDEX.get(&(section, name)).map(|known| known.key)
}

/// What holds where a key is not given, if that is a value.
pub(crate) fn default(key: &Key) -> Option<&'static Node> {
    INDEX.get(&(key.section, key.name))?.default.as_ref()
}

/// A key, and its default read: every table of a file asks for those of all its keys.
struct Known {
    key: &'static Key,
    default: Option<Node>,
}

static INDEX: LazyLock<HashMap<(&str, &str), Known>> = LazyLock::new(|| {
    let read = |key: &Key| match key.default {
        Default::Is(text) => Node::parse(text),
        Default::Not(_) => None,
    };
    all().map(|key| ((key.section, key.name), Known { key, default: read(key) })).collect()
});

const MS: i64 = 1_000_000;
const SECOND: i64 = 1_000_000_000;
/// The longest time a file may name.
pub(crate) const DAY: i64 = 86_400 * SECOND;
/// Bounds of an interval between beats.
pub(crate) const INTERVAL: Kind = Kind::Time(MS, 3_600 * SECOND);
/// The tempi whose intervals are allowed.
pub(crate) const TEMPI: &str = "1 bpm / 60 to 60000 bpm";
const SPAN: Kind = Kind::Time(0, DAY);
const LENGTH: Kind = Kind::Time(1, 3_600 * SECOND);
const SHAPE: Kind = Kind::Choice(&["linear", "exponential"]);

const fn key(section: &'static str, name: &'static str, kind: Kind, default: Default) -> Key {
    Key { section, name, kind, default, meaning: "", example: "", sets: false, ramps: false }
}

impl Key {
    const fn means(mut self, meaning: &'static str, example: &'static str) -> Key {
        self.meaning = meaning;
        self.example = example;
        self
    }

    const fn set(mut self) -> Key {
        self.sets = true;
        self
    }

    const fn ramp(mut self) -> Key {
        self.ramps = true;
        self
    }
}

impl Kind {
    /// Whether it is a plain number, which stands without quotes.
    pub fn is_a_number(self) -> bool {
        matches!(self, Kind::Count(..) | Kind::Number(..) | Kind::Channel | Kind::Velocity)
    }

    /// What may be written, with unit and range.
    pub fn describe(self) -> String {
        match self {
            Kind::Text => "text".into(),
            Kind::Flag => "true or false".into(),
            Kind::Time(min, max) => format!("time, {}", bounds(Nanos(min), Nanos(max))),
            Kind::Interval => format!("{}, or the form below", INTERVAL.describe()),
            Kind::Tempo => format!("beats per minute, {TEMPI}"),
            Kind::Rate => "tones per s or per min, 0.001 to 1000 per s".into(),
            Kind::Count(min, u64::MAX) => format!("whole number, from {min}"),
            Kind::Count(min, max) => format!("whole number, {min} to {max}"),
            Kind::Number(min, max) => format!("number, {min} to {max}"),
            Kind::Note => "note: 0 to 127, or C-1 to G9 (C4 = 60)".into(),
            Kind::Range => "one note or a range, such as \"C2..B3\"".into(),
            Kind::Channel => "MIDI channel, 1 to 16".into(),
            Kind::Velocity => "MIDI velocity, 1 to 127".into(),
            Kind::Choice(words) => {
                words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(" or ")
            }
            Kind::Name(of) => format!("the name of {of}"),
            Kind::Form(text) => text.into(),
            Kind::Part => "a table; its keys follow".into(),
        }
    }

    /// The unit, for the table of parameters.
    pub const fn unit(self) -> &'static str {
        match self {
            Kind::Time(..) | Kind::Interval => "time",
            Kind::Tempo => "beats per minute",
            Kind::Rate => "tones per second",
            Kind::Count(..) => "count",
            Kind::Note | Kind::Range => "MIDI note",
            Kind::Channel => "MIDI channel",
            Kind::Velocity => "MIDI velocity",
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_section_a_meaning_and_an_example() {
        for key in all() {
            assert!(sections().any(|s| s.name == key.section), "{} has no section", key.name);
            assert!(key.meaning.ends_with('.'), "{}.{}", key.section, key.name);
            assert!(!key.example.is_empty(), "{}.{}", key.section, key.name);
            assert_eq!(within(key.section).filter(|k| k.name == key.name).count(), 1);
        }
    }

    #[test]
    fn every_default_is_toml() {
        for key in all() {
            if let Default::Is(text) = key.default {
                assert!(Node::parse(text).is_some(), "{}.{}: {text}", key.section, key.name);
            }
        }
    }

    /// The example of a key in a file that has all it refers to.
    fn file_with(key: &Key) -> String {
        let around = |has: &[&str], lines: &str| {
            if has.contains(&key.name) { String::new() } else { format!("{lines}\n") }
        };
        let before = match key.section {
            "input.NAME" => "[input.pad]\n".to_owned(),
            "output.NAME" => "[output.headphones]\n".to_owned(),
            "masking.NAME" => "[masking.noise]\n".to_owned(),
            "when.taps_after" => "[[when]]\nmark = \"x\"\n".to_owned(),
            "when.play" => "[[when]]\ntap = 1\n".to_owned(),
            "when" => {
                let waits = ["time", "beat", "tap", "taps_after", "note", "silence", "all", "any"];
                let condition = around(&waits, "tap = 1");
                let acts = ["set", "ramp", "mark", "play", "start", "stop", "end"];
                format!("[[when]]\n{condition}{}", around(&acts, "mark = \"x\""))
            }
            "every" | "pacing.NAME.change" | "pacing.NAME.change.shift" => {
                let at =
                    around(&["at", "every", "chance", "after", "apart", "from", "to"], "at = 3");
                let at = if matches!(key.name, "after" | "apart") {
                    "every = 5\n".to_owned()
                } else {
                    at
                };
                let new = ["interval", "tempo", "interval_step"];
                format!(
                    "[[pacing.metronome.change]]\n{at}{}",
                    around(&new, "interval = \"450 ms\"")
                )
            }
            "feedback.NAME.perturb" => {
                let at = around(&["at", "every", "chance", "after", "apart"], "at = 3");
                let at = if matches!(key.name, "after" | "apart") {
                    "every = 5\n".to_owned()
                } else {
                    at
                };
                let forms = ["mute", "delay", "pitch", "velocity", "duration"];
                format!("[[feedback.tone.perturb]]\n{at}{}", around(&forms, "mute = true"))
            }
            section if section.starts_with("feedback") => "[feedback.other]\n".to_owned(),
            "pacing.NAME.interval" => {
                "[pacing.other]\nstart = { tap = 31, delay = \"one interval\" }\n".to_owned()
            }
            section
                if section == "pacing.NAME.repeat"
                    || key.name == "repeat" && section == "pacing.NAME" =>
            {
                "[pacing.other]\nonsets = [\"0 s\", \"1 s\"]\n".to_owned()
            }
            section if section == "pacing.NAME.response" || key.name == "response" => {
                "[pacing.other]\ninterval = \"500 ms\"\nbeats = 4\n".to_owned()
            }
            "file.NAME" => "[file.\"song.wav\"]\n".to_owned(),
            "pacing.NAME" if ["beats_from", "audio"].contains(&key.name) => {
                let beats = "[file.\"song.tsv\"]\nbeats = [\"1 s\"]\n";
                let song = "[file.\"song.wav\"]\npath = \"s\"\nlength = \"9 s\"\n";
                let other = if key.name == "audio" { "beats_from = \"song.tsv\"\n" } else { "" };
                format!("{beats}{song}[pacing.other]\n{other}")
            }
            section if section.starts_with("pacing") => {
                let spacing = around(&["interval", "tempo", "onsets"], "interval = \"500 ms\"");
                format!("[pacing.other]\n{spacing}")
            }
            _ => String::new(),
        };
        let rest = "[pacing.countdown]\ninterval = \"1 s\"\nbeats = 4\n[pacing.three]\ninterval = \"1 s\"\n\
                    [pacing.metronome]\ninterval = \"500 ms\"\n[feedback.tone]\n";
        let declared = "[output.headphones]\n[input.pad]\n";
        let declared: String = declared
            .lines()
            .filter(|line| !before.contains(line))
            .map(|l| format!("{l}\n"))
            .collect();
        match key.section {
            "" => format!("{}\n{declared}{rest}", key.example),
            _ => format!("{declared}{rest}{before}{}\n", key.example),
        }
    }

    #[test]
    fn every_example_is_valid_in_its_place() {
        // Headings and the inner parts of tables are no lines of their own.
        let whole = |key: &&Key| {
            !key.example.starts_with(['[', '{'])
                && !["when.ramp", "feedback.NAME.delay.normal"].contains(&key.section)
        };
        for key in all().filter(whole) {
            let text = file_with(key);
            if let Err(problems) = crate::TrialFile::parse(&text, "example.toml") {
                panic!("{}.{}: {problems}\n{text}", key.section, key.name);
            }
        }
    }
}

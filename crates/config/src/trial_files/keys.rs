//! Every key of a trial file, section by section: the rows of one table, from which reading,
//! the nearest name, the table of resolved parameters and the printed reference come.

mod codes;
mod feedback;
mod hed;
mod masking;
mod pacing;
mod top;
mod when;

pub(super) use feedback::{
    CONTROLLERS, DELAY_FORMS, DelayForm, PITCH_FORMS, PitchForm, VELOCITY_FORMS, VelocityForm,
};
pub(super) use masking::IRREGULAR;
pub(super) use pacing::{ACCUMULATES, SHIFT_FORMS};
pub(super) use top::ENDS_WHEN_CLOSED;

pub(crate) use crate::trial_files::reading::{
    DAY, INTERVAL, Key, KeyKind, Keys, Section, Settable,
};
use crate::trial_files::reading::{Default, words_of};
use std::sync::LazyLock;

/// The keys of a trial file.
pub(crate) static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    Keys::of(
        &[
            top::SECTIONS,
            pacing::SECTIONS,
            feedback::SECTIONS,
            masking::SECTIONS,
            when::SECTIONS,
            codes::SECTIONS,
            hed::SECTIONS,
        ],
        &[
            top::KEYS,
            pacing::KEYS,
            feedback::KEYS,
            masking::KEYS,
            when::KEYS,
            codes::KEYS,
            hed::KEYS,
        ],
    )
});

const HEAD: &str = "\
Every key of a trial file
=========================

Each key is followed by what it may hold and its default. \"set\" and \"ramp\"
mark what a rule may change in mid-trial.
";

/// The complete reference of trial files: for every key what it may hold with unit and range,
/// its default, its meaning, an example, and whether a rule may change it.
pub fn reference() -> String {
    crate::trial_files::reading::reference(HEAD, &KEYS)
}

const SECOND: i64 = 1_000_000_000;
const SPAN: KeyKind = KeyKind::Time(0, DAY);
const LENGTH: KeyKind = KeyKind::Time(1, 3_600 * SECOND);
const SHAPE: KeyKind = KeyKind::Choice(&words_of(&EXPONENTIAL));

/// Of a change, whether it is exponential.
pub(super) const EXPONENTIAL: [(&str, bool); 2] = [("linear", false), ("exponential", true)];

const fn key(section: &'static str, name: &'static str, kind: KeyKind, default: Default) -> Key {
    Key::new(section, name, kind, default)
}

/// Whether each of these forms has a row in a section: a form without one could not be written.
const fn have_rows(keys: &[Key], section: &str, forms: &[&str]) -> bool {
    let mut form = 0;
    while form < forms.len() {
        let mut row = 0;
        while row < keys.len()
            && !(same(keys[row].section, section) && same(keys[row].name, forms[form]))
        {
            row += 1;
        }
        if row == keys.len() {
            return false;
        }
        form += 1;
    }
    true
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut place = 0;
    while place < one.len() && place < other.len() && one[place] == other[place] {
        place += 1;
    }
    place == one.len() && place == other.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial_files::reading::Node;

    /// A form without a meaning could not be written, and the compiler asks what each means.
    #[test]
    fn every_form_has_a_name_and_every_name_is_a_form() {
        let names = |section| KEYS.within(section).map(|key| key.name).collect::<Vec<_>>();
        assert_eq!(names("feedback.NAME.pitch"), words_of(&PITCH_FORMS));
        assert_eq!(names("feedback.NAME.velocity"), words_of(&VELOCITY_FORMS));
        assert_eq!(names("feedback.NAME.delay"), words_of(&DELAY_FORMS));
        assert_eq!(names("pacing.NAME.change.shift"), words_of(&SHIFT_FORMS));
    }

    #[test]
    fn every_key_has_a_section_a_meaning_and_an_example() {
        for key in KEYS.all() {
            assert!(KEYS.sections().any(|s| s.name == key.section), "{} has no section", key.name);
            assert!(key.meaning.ends_with('.'), "{}.{}", key.section, key.name);
            assert!(!key.example.is_empty(), "{}.{}", key.section, key.name);
            assert_eq!(KEYS.within(key.section).filter(|k| k.name == key.name).count(), 1);
        }
    }

    #[test]
    fn every_default_is_toml() {
        for key in KEYS.all() {
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
            "codes" => {
                let output = around(&["output"], "output = \"eeg\"");
                let end = around(&["end"], "end = 2");
                format!("{CODED}[codes]\n{output}{end}")
            }
            "hed" => format!("{CODED}[hed]\n"),
            "codes.every" => format!("{CODED}[codes]\noutput = \"eeg\"\n"),
            "codes.together" => {
                let rest = around(&["of"], "of = [\"start\", \"pacing.metronome\"]");
                let rest = format!("{rest}{}", around(&["code"], "code = 9"));
                let codes = "output = \"eeg\"\nstart = 1\npacing.metronome = 10\n";
                format!("{CODED}[codes]\n{codes}[[codes.together]]\n{rest}")
            }
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

    /// What has codes in the examples.
    const CODED: &str =
        "[output.eeg]\n[masking.noise]\n[[when]]\nname = \"switch\"\ntap = 1\nmark = \"x\"\n";

    #[test]
    fn every_example_is_valid_in_its_place() {
        // Headings and the inner parts of tables are no lines of their own.
        let whole = |key: &&Key| {
            !key.example.starts_with(['[', '{'])
                && !["when.ramp", "feedback.NAME.delay.normal"].contains(&key.section)
        };
        for key in KEYS.all().filter(whole) {
            let text = file_with(key);
            if let Err(problems) = crate::trial_files::TrialFile::parse(&text, "example.toml") {
                panic!("{}.{}: {problems}\n{text}", key.section, key.name);
            }
        }
    }
}

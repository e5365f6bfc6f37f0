//! A key that there is not: which one was meant, or where it belongs.

use super::field::example_of;
use super::keys::{Key, KeyKind};
use super::node::{TomlEntry, Value};
use super::page::Page;
use super::quantity::brief;
use chronotap_core::text::nearest;

/// What keys are called elsewhere, and here.
const ALSO_CALLED: [(&str, &str); 79] = [
    ("beat", "at"),
    ("tap", "at"),
    ("shift", "phase_shift"),
    ("input", "from"),
    ("note", "pitch"),
    ("bpm", "tempo"),
    ("ioi", "interval"),
    ("isi", "interval"),
    ("period", "interval"),
    ("latency", "delay"),
    ("lag", "delay"),
    ("loudness", "velocity"),
    ("length", "duration"),
    ("repeats", "repetitions"),
    ("repeat", "repetitions"),
    ("reps", "repetitions"),
    ("repeats", "times"),
    ("max", "at_most"),
    ("maximum", "at_most"),
    ("most", "at_most"),
    ("randomize", "shuffle"),
    ("randomise", "shuffle"),
    ("randomization", "shuffle"),
    ("randomisation", "shuffle"),
    ("random", "shuffle"),
    ("trials", "repetitions"),
    ("n_trials", "repetitions"),
    ("file", "trial"),
    ("iti", "gap"),
    ("pause", "gap"),
    ("duration", "for"),
    ("length", "for"),
    ("after", "every"),
    ("groups", "between"),
    ("group", "between"),
    ("options", "choices"),
    ("answers", "choices"),
    ("measure", "of"),
    ("statistic", "of"),
    ("dv", "of"),
    ("rule", "when"),
    ("rules", "when"),
    ("if", "when"),
    ("trigger", "when"),
    ("triggers", "when"),
    ("event", "when"),
    ("events", "when"),
    ("perturbation", "change"),
    ("perturbations", "change"),
    ("enabled", "sounding"),
    ("enabled", "audible"),
    ("active", "sounding"),
    ("active", "audible"),
    ("frequency", "note"),
    ("volume", "velocity"),
    ("gain", "velocity"),
    ("volume", "tone"),
    ("sound", "tone"),
    ("sample", "tone"),
    ("source", "from"),
    ("device", "from"),
    ("at", "time"),
    ("after", "time"),
    ("n", "participants"),
    ("N", "participants"),
    ("subjects", "participants"),
    ("sample_size", "participants"),
    ("break", "rest"),
    ("breaks", "rest"),
    ("pause", "rest"),
    ("show", "say"),
    ("instruction", "say"),
    ("instructions", "say"),
    ("counterbalance", "order"),
    ("counterbalanced", "order"),
    ("counterbalancing", "order"),
    ("conditions", "factor"),
    ("over", "ramp"),
    ("steps", "step"),
];

/// What an experiment file says, and is looked for at the top of a trial file.
const OF_STUDIES: [&str; 12] = [
    "between",
    "conditions",
    "contrast",
    "factor",
    "outcome",
    "participant",
    "participants",
    "question",
    "repetitions",
    "sessions",
    "shuffle",
    "staircase",
];

/// What is said when a study is run, and is looked for at the top of its file.
const OF_RUNS: [(&str, &str); 5] = [
    ("data", "--data FOLDER"),
    ("device", "--in PORT"),
    ("input", "--in PORT"),
    ("output", "--out PORT"),
    ("port", "--in PORT"),
];

/// What people call the length of a trial, which a rule gives.
const LENGTHS: [&str; 6] =
    ["beats", "n_beats", "number_of_beats", "taps", "n_taps", "number_of_taps"];

/// Ends of the names of files of sound.
const RECORDINGS: [&str; 9] = ["wav", "flac", "mp3", "ogg", "m4a", "aac", "aif", "aiff", "wma"];

/// Units that a name may end with, as values have them.
const UNITS: [(&str, &str); 8] = [
    ("us", "us"),
    ("ms", "ms"),
    ("s", "s"),
    ("sec", "s"),
    ("secs", "s"),
    ("seconds", "s"),
    ("min", "min"),
    ("bpm", "bpm"),
];

/// Reports a key that a part of this section does not have.
pub(super) fn unknown_key(page: &Page<'_>, entry: &TomlEntry, path: &str, section: &str) {
    let (at, name) = (entry.at, entry.key.as_str());
    let place =
        if path.is_empty() { "at the top of the file".into() } else { format!("in {path}") };
    let message = format!("unknown key \"{}\" {place}", brief(name));
    let here: Vec<&str> = page.keys.within(section).map(|key| key.name).collect();
    if let Some(line) = rewritten(page, entry, path, section) {
        return page.cured(at, message, format!("write {line}"));
    }
    if let Some(cure) = a_recording(entry, &here) {
        return page.cured(at, message, cure);
    }
    if let Some(cure) = said_elsewhere(name, section, &here) {
        return page.cured(at, message, cure);
    }
    if let Some(key) = also_called(name, &here) {
        return page.near(at, message, key.to_owned());
    }
    let is_near = is_near(name, &here);
    // What stands in a trial that was read is for programs.
    let elsewhere =
        page.keys.all().find(|key| key.name == name && key.section != "file.NAME" && !is_near);
    match (elsewhere, one_of_its_words(name, &here)) {
        (Some(elsewhere), _) => {
            page.cured(at, message, belongs_in(page, elsewhere));
        }
        (None, Some(key)) if !is_near => page.near(at, message, key.to_owned()),
        _ => page.unknown(at, message, name, here),
    }
}

/// Where else it is said what stands at the top of this file: in another file, or when a study is run.
fn said_elsewhere(name: &str, section: &str, here: &[&str]) -> Option<String> {
    if !section.is_empty() {
        return None;
    }
    if here.contains(&"pacing") && OF_STUDIES.contains(&name) {
        return Some(format!("{name} belongs in an experiment file, which has [[step]]"));
    }
    let (_, option) = OF_RUNS.iter().find(|(of, _)| here.contains(&"step") && *of == name)?;
    Some(format!("say it when the study is run, with {option}"))
}

/// Where a key belongs that some section has; `None` where none has.
pub fn belongs(page: &Page<'_>, name: &str) -> Option<String> {
    let key = page.keys.all().find(|key| key.name == name && key.section != "file.NAME")?;
    Some(belongs_in(page, key))
}

/// Where a key of another place belongs: some are headings, and others stand within a value.
fn belongs_in(page: &Page<'_>, key: &Key) -> String {
    let name = key.name;
    if let Some(heading) = key.example.lines().next().filter(|line| line.starts_with('[')) {
        return format!("{name} is a section of its own, below the heading {heading}");
    }
    let is_value =
        page.keys.sections().any(|of| of.name == key.section && of.title.contains("= {"));
    match key.section.rsplit_once('.').filter(|_| is_value && key.example.contains("= {")) {
        Some((of, _)) => {
            format!("{name} belongs in a value of {}: {}", page.keys.heading(of), key.example)
        }
        None => format!("{name} belongs in {}", page.keys.heading(key.section)),
    }
}

/// The line as it should be, where the value says what was meant.
fn rewritten(page: &Page<'_>, entry: &TomlEntry, path: &str, section: &str) -> Option<String> {
    let here: Vec<&Key> = page.keys.within(section).collect();
    named_step(entry, section)
        .or_else(|| with_its_unit(entry, &here))
        .or_else(|| ended_by_a_rule(page, entry, section))
        .or_else(|| set_by_a_rule(page, entry, section))
        .or_else(|| set_by_a_study(page, entry, path))
        .or_else(|| named_by_its_value(entry, &here, path))
        .or_else(|| without_quotes(entry, &here))
        .or_else(|| under_its_kind(page, entry).filter(|_| section.is_empty()))
}

/// What to write where a file of sound is given to a part that has tones.
pub(super) fn a_recording(entry: &TomlEntry, here: &[&str]) -> Option<String> {
    let text = entry.node.text()?.to_lowercase();
    let (_, kind) = text.rsplit_once('.').filter(|(_, kind)| RECORDINGS.contains(kind))?;
    let is_read = matches!(kind, "wav" | "flac");
    let which = if is_read { "" } else { ", and WAV and FLAC files alone are read" };
    let sounds = "the sound of a tone stands in a file of sounds (\"tone:...?sounds=FILE\")";
    let own = match here.contains(&"audio") {
        true => "; one recording of all beats is audio = \"song.wav\" with beats_from",
        false => "",
    };
    let is_of_tones = ["tone", "pitch", "note"].iter().any(|key| here.contains(key));
    is_of_tones.then(|| format!("{sounds}{own}{which}"))
}

/// `[[step.main]]` as a step of that name.
fn named_step(entry: &TomlEntry, section: &str) -> Option<String> {
    let is_list =
        matches!(&entry.node.value, Value::List(all) if all.iter().any(|of| of.table().is_some()));
    (is_list && section == "step")
        .then(|| format!("[[step]] and below it name = \"{}\"", brief(&entry.key)))
}

/// Whether it is a key of this place with a slip in it. Of a short name every other is near.
fn is_near(name: &str, here: &[&str]) -> bool {
    name.len() > 4 && nearest(name, here.iter().copied()).is_some()
}

/// `interval_ms = 500` as `interval = "500 ms"`.
fn with_its_unit(entry: &TomlEntry, here: &[&Key]) -> Option<String> {
    if !matches!(entry.node.value, Value::Integer(_) | Value::Decimal(_)) {
        return None;
    }
    let name = entry.key.as_str();
    let (base, end) = name.rsplit_once('_').unwrap_or((name, name));
    let (_, unit) = UNITS.iter().find(|(written, _)| *written == end)?;
    let names: Vec<&str> = here.iter().map(|key| key.name).collect();
    let exact = names.iter().find(|key| **key == base).copied();
    let meant = exact.or_else(|| also_called(base, &names))?;
    let kind = here.iter().find(|key| key.name == meant)?.kind;
    let takes = match kind {
        KeyKind::Tempo => *unit == "bpm",
        KeyKind::Time(..) | KeyKind::Interval | KeyKind::Form(_) => *unit != "bpm",
        _ => false,
    };
    takes.then(|| format!("{meant} = \"{} {unit}\"", entry.node))
}

/// `beats = 61` as the rule that ends a trial.
fn ended_by_a_rule(page: &Page<'_>, entry: &TomlEntry, section: &str) -> Option<String> {
    let Value::Integer(many) = entry.node.value else { return None };
    if page.keys.find(section, "beats").is_some() {
        return None; // it is meant
    }
    let is_length = LENGTHS.contains(&&*entry.key) && page.keys.find("when", "end").is_some();
    let what = if entry.key.ends_with("taps") { "tap" } else { "beat" };
    is_length.then(|| format!("[[when]] and below it {what} = {many} and end = true"))
}

/// `pacing.metronome.interval = "400 ms"` in a rule as what it sets.
fn set_by_a_rule(page: &Page<'_>, entry: &TomlEntry, section: &str) -> Option<String> {
    let is_of_trial = ["pacing", "feedback", "masking"].contains(&&*entry.key);
    let sets = section == "when" && page.keys.find("when", "set").is_some();
    (is_of_trial && sets).then(|| format!("set.{0} in place of {0}", entry.key))
}

/// `interval = { factor = "tempo" }` in a trial file as what the experiment file sets.
fn set_by_a_study(page: &Page<'_>, entry: &TomlEntry, path: &str) -> Option<String> {
    let factor = entry.node.text().filter(|_| entry.key == "factor" && !path.is_empty())?;
    let is_trial = page.keys.find("", "pacing").is_some();
    is_trial.then(|| {
        let sets = format!("{path} = {{ factor = \"{}\" }}", brief(factor));
        format!("one value here, and {sets} below [set] in the experiment file")
    })
}

/// `action = "end"` as `end = true`.
fn named_by_its_value(entry: &TomlEntry, here: &[&Key], path: &str) -> Option<String> {
    let text = entry.node.text()?;
    let key = here.iter().find(|key| key.name == text)?;
    Some(match key.kind {
        KeyKind::Flag => format!("{text} = true"),
        _ => example_of(key, path),
    })
}

/// `"feedback.tone.delay"`, which is one name, as the path that it looks like.
fn without_quotes(entry: &TomlEntry, here: &[&Key]) -> Option<String> {
    let (first, _) = entry.key.split_once('.')?;
    let is_path = here.iter().any(|key| key.name == first);
    is_path.then(|| format!("{} without quotes", brief(&entry.key)))
}

/// `[metronome]` as `[pacing.metronome]`, where its keys are those of one kind alone.
fn under_its_kind(page: &Page<'_>, entry: &TomlEntry) -> Option<String> {
    let table = entry.node.table().filter(|table| !table.entries.is_empty())?;
    let top: Vec<&str> = page.keys.within("").map(|key| key.name).collect();
    if is_near(&entry.key, &top) {
        return None;
    }
    let holds_all = |section: &str| {
        table.entries.iter().all(|inner| page.keys.find(section, &inner.key).is_some())
    };
    let mut kinds = page.keys.sections().filter_map(|of| of.name.strip_suffix(".NAME"));
    let kind = kinds.find(|kind| !kind.contains('.') && holds_all(&format!("{kind}.NAME")))?;
    let others = kinds.any(|kind| !kind.contains('.') && holds_all(&format!("{kind}.NAME")));
    (!others).then(|| format!("[{kind}.{}]", brief(&entry.key)))
}

/// What a name elsewhere is called here.
fn also_called(name: &str, here: &[&str]) -> Option<&'static str> {
    let mut called = ALSO_CALLED.iter();
    called.find(|(other, key)| *other == name && here.contains(key)).map(|(_, key)| *key)
}

/// The longest key that is one of the words of a name, as `tap` of `tap_count`.
fn one_of_its_words<'k>(name: &str, here: &[&'k str]) -> Option<&'k str> {
    let words: Vec<&str> = name.split('_').collect();
    let is_one = |key: &&&str| key.len() > 2 && words.len() > 1 && words.contains(*key);
    here.iter().filter(is_one).max_by_key(|key| key.len()).copied()
}

/// Whether a key that a section does not have was meant as one of these names of it.
pub(super) fn means_one_of(entry: &TomlEntry, names: &[&str]) -> bool {
    let name = entry.key.as_str();
    also_called(name, names).is_some()
        || (name == "factor" && entry.node.text().is_some())
        || nearest(name, names.iter().copied()).is_some()
        || one_of_its_words(name, names).is_some()
        || entry.node.text().is_some_and(|text| names.contains(&text))
}

//! From the tree of a trial file to a [`Trial`]: every part in turn, then what
//! only shows when all are there (names that must exist, streams that wait for
//! each other, rules that can never act).

mod act;
mod change;
mod checks;
pub(super) mod codes;
mod feedback;
mod files;
mod forms;
mod hed;
mod masking;
mod occasions;
mod outputs;
mod pacing;
mod perform;
mod pools;
mod response;
mod rule;
mod set;
mod spacing;
mod start;

use crate::trial_files::answers::{InputAnswers, answers};
use crate::trial_files::keys::ENDS_WHEN_CLOSED;
use crate::trial_files::reading::{
    Field, Node, Page, Part, TomlEntry, TomlTable, Value, belongs, say, well_named,
};
use crate::trial_files::recording::SoundRecording;
use chronotap_core::midi::U7;
use chronotap_core::text::nearest;
use chronotap_core::time::Nanos;
use chronotap_engine::action::ActionKind;
use chronotap_engine::trial::{CopiedTones, Input, Trial};
use pools::Pools;
use std::collections::BTreeMap;

/// More streams, channels, inputs or outputs than this are a mistake.
const NAMED_MAX: usize = 1000;

/// The shortest debounce that is doubted: people tap faster than this.
const LONG_DEBOUNCE: Nanos = Nanos(500_000_000);

/// Everything that is referred to by index: names, and the lists that parameters point into.
#[derive(Default)]
pub(crate) struct Names {
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    pub pacing: Vec<String>,
    pub feedback: Vec<String>,
    pub masking: Vec<String>,
    files: Vec<files::Kept>,
    pools: Pools,
}

/// What the sections of a file come to.
pub(crate) struct Built {
    pub trial: Trial,
    /// Which input answers which stream.
    pub answers: InputAnswers,
    /// The recordings that pacing streams play.
    pub recordings: Vec<SoundRecording>,
    /// What kinds of events mean, as HED tags.
    pub hed: BTreeMap<String, String>,
    /// What each rule does, in words.
    pub said: Vec<Vec<String>>,
}

/// Reads every section of the file.
pub(crate) fn trial<'c>(page: &'c Page<'c>, file: &'c TomlTable) -> Built {
    let top = Part::open(page, file, 0, String::new(), "");
    let names = Names {
        inputs: names_or(&top, "input", "input.NAME"),
        outputs: names_or(&top, "output", "output.NAME"),
        pacing: names(&top, "pacing", "pacing.NAME"),
        feedback: names(&top, "feedback", "feedback.NAME"),
        masking: names(&top, "masking", "masking.NAME"),
        files: files::kept(&top),
        pools: Pools::default(),
    };
    let mut inputs = named(&top, "input", "input.NAME");
    if inputs.is_empty() {
        inputs.extend(names.inputs.iter().map(|name| undeclared(page, name)));
    }
    let mut trial = Trial {
        inputs: inputs.iter().map(input).collect(),
        outputs: names.outputs.clone(),
        ..Trial::default()
    };
    let outputs = named(&top, "output", "output.NAME");
    outputs::outputs(&top, &outputs, &mut trial);
    let streams = named(&top, "pacing", "pacing.NAME");
    let (pacing, answered_by): (Vec<_>, Vec<_>) =
        streams.iter().map(|part| pacing::pacing(part, &names)).unzip();
    let windows = streams.iter().map(|part| part.given("window", |f| f.number())).collect();
    let responses: Vec<_> = streams
        .iter()
        .zip(&pacing)
        .map(|(part, stream)| response::response(part, stream, &names.pools))
        .collect();
    let recordings = (0..).zip(&streams);
    let recordings =
        recordings.filter_map(|(stream, part)| files::recording(part, stream, &names)).collect();
    trial.pacing = pacing;
    let channels = named(&top, "feedback", "feedback.NAME");
    trial.feedback = channels.iter().map(|part| feedback::feedback(part, &names)).collect();
    let noises = named(&top, "masking", "masking.NAME");
    trial.masking = noises.iter().map(|part| masking::masking(part, &names)).collect();
    trial.copies = [
        copies(&streams, ActionKind::Pacing, &names),
        copies(&channels, ActionKind::Feedback, &names),
        copies(&noises, ActionKind::Masking, &names),
    ]
    .concat();
    let rules = rule::rules(&top, &names);
    trial.rules = rules.iter().map(|placed| placed.rule.clone()).collect();
    trial.codes = codes::codes(&top, &names, &trial.rules);
    let hed = hed::tags(&top, &names, &trial.rules);
    let (streams, rules) = (&streams[..], &rules[..]);
    checks::whole(&checks::Whole { page, trial: &trial, streams, rules, names: &names });
    let sequences = sequences(&inputs);
    let acts = rule::every_action(rules).map(|(at, act)| (at, *act)).collect::<Vec<_>>();
    let sounding: Vec<Part<'_>> = [streams, &channels, &noises].concat();
    let answers = InputAnswers { windows, sequences, ..answers(&trial, &answered_by, &responses) };
    inputs.iter().zip(&trial.inputs).for_each(|(part, input)| long_debounce(part, input));
    let said = rules.iter().map(|placed| placed.said.clone()).collect();
    names.pools.fill(&mut trial);
    codes::check(&top, &trial, &sounding, &acts);
    outputs::check(&top, &outputs, &trial);
    Built { trial, answers, recordings, hed, said }
}

/// Where the tones of these streams or channels sound besides.
fn copies(parts: &[Part<'_>], kind: fn(u16) -> ActionKind, names: &Names) -> Vec<CopiedTones> {
    let of = (0..).zip(parts).map(|(place, part)| pacing::copies(part, kind(place), names));
    of.flatten().collect()
}

fn input(part: &Part<'_>) -> Input {
    Input {
        name: part.path.trim_start_matches("input.").to_owned(),
        debounce: part.read("debounce", |f| f.time()).unwrap_or_default(),
        ends_when_closed: part
            .read("when_closed", |f| f.choice(&ENDS_WHEN_CLOSED))
            .unwrap_or_default(),
        records_sysex: part.read("record_sysex", |f| f.flag()).unwrap_or_default(),
    }
}

/// Doubts a debounce that is longer than anybody waits from one tap to the next.
fn long_debounce(part: &Part<'_>, input: &Input) {
    if input.debounce >= LONG_DEBOUNCE {
        let message = format!(
            "{}: taps that come sooner than {} after the last are left out; \"80 ms\" is usual",
            part.path_of("debounce"),
            say(input.debounce)
        );
        part.page.warn(part.at("debounce"), message);
    }
}

/// The keys that are to be played on each input that has a sequence.
fn sequences(inputs: &[Part<'_>]) -> Vec<(u16, Vec<U7>)> {
    let keys = |part: &Part<'_>| {
        part.read("sequence", |f| f.list("notes")?.iter().map(Field::note).collect::<Option<_>>())
    };
    (0..).zip(inputs).filter_map(|(place, part)| Some((place, keys(part)?))).collect()
}

/// The input of a file that declares none: all defaults.
fn undeclared<'c>(page: &'c Page<'c>, name: &str) -> Part<'c> {
    Part::absent(page, 0, format!("input.{name}"), "input.NAME")
}

/// The names under `[kind.NAME]`, each at the place that its part has among those of [`named`].
fn names(top: &Part<'_>, kind: &str, section: &str) -> Vec<String> {
    let entries = entries(top, kind);
    if entries.len() > NAMED_MAX {
        return Vec::new();
    }
    let meant = entries.iter().filter(|entry| is_meant_as_name(top.page, section, entry));
    let meant = meant.filter(|entry| alike(entry, entries).is_none());
    meant.map(|entry| entry.key.clone()).collect()
}

/// The same; where none is declared there is one, named like its kind.
fn names_or(top: &Part<'_>, kind: &str, section: &str) -> Vec<String> {
    let names = names(top, kind, section);
    if names.is_empty() { vec![kind.to_owned()] } else { names }
}

fn entries<'a>(top: &Part<'a>, kind: &str) -> &'a [TomlEntry] {
    let table = top.table.get(kind).and_then(|entry| entry.node.table());
    table.map_or(&[][..], |table| &table.entries)
}

/// The parts under `[kind.NAME]`, names checked.
fn named<'c>(top: &Part<'c>, kind: &str, section: &'static str) -> Vec<Part<'c>> {
    let Some(entry) = top.table.get(kind) else { return Vec::new() };
    if entry.node.table().is_none() {
        let cure = format!("write [{kind}.NAME] with a name of your own");
        top.page.cured(entry.at, format!("{kind} must be a table of named tables"), cure);
        return Vec::new();
    }
    let entries = entries(top, kind);
    if entries.len() > NAMED_MAX {
        top.page.problem(entry.at, format!("more than {NAMED_MAX} of [{kind}.NAME]"));
        return Vec::new();
    }
    let (meant, others): (Vec<&TomlEntry>, Vec<_>) =
        entries.iter().partition(|entry| is_meant_as_name(top.page, section, entry));
    let (meant, misspelt): (Vec<&TomlEntry>, Vec<_>) =
        meant.into_iter().partition(|entry| alike(entry, entries).is_none());
    for entry in misspelt {
        let message = format!("there is no [{kind}.{}] for its changes", entry.key);
        let near = alike(entry, entries).unwrap_or_default();
        top.page.near(entry.at, message, near.to_owned());
    }
    others.into_iter().for_each(|wrong| nameless(top.page, kind, wrong));
    let parts = meant.into_iter().filter_map(|entry| {
        well_named(top.page, entry.at, &entry.key);
        let path = format!("{kind}.{}", entry.key);
        Some(Part::open(top.page, entry.node.table()?, entry.at, path, section))
    });
    parts.collect()
}

/// Whether an entry is a part with a name, and no key such as `pitch` that lacks the name before it.
fn is_meant_as_name(page: &Page<'_>, section: &str, entry: &TomlEntry) -> bool {
    entry.node.table().is_some() && !is_key_of_its_kind(page, section, entry)
}

/// Whether a key with a table of its own, such as `pitch`, stands where a name should stand.
fn is_key_of_its_kind(page: &Page<'_>, section: &str, entry: &TomlEntry) -> bool {
    let inner = entry.node.table().map_or(&[][..], |table| &table.entries);
    let none_fits = !inner.iter().any(|inner| page.keys.find(section, &inner.key).is_some());
    page.keys.find(section, &entry.key).is_some() && !inner.is_empty() && none_fits
}

/// The other name that is meant by one that has changes and nothing to change: `[[pacing.metronom.change]]`.
fn alike<'e>(entry: &TomlEntry, all: &'e [TomlEntry]) -> Option<&'e str> {
    let has_changes_only = |entry: &TomlEntry| {
        let inner = entry.node.table().map_or(&[][..], |table| &table.entries);
        !inner.is_empty() && inner.iter().all(|key| ["change", "perturb"].contains(&&*key.key))
    };
    let others = all.iter().filter(|other| other.key != entry.key && !has_changes_only(other));
    let differs = |name: &&str| !in_numbers_only(name, &entry.key);
    let near = nearest(&entry.key, others.map(|other| other.key.as_str()).filter(differs));
    near.filter(|_| has_changes_only(entry))
}

/// Whether two names are one but for their numbers, as `tone1` and `tone2`.
fn in_numbers_only(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.replace(|c: char| c.is_ascii_digit(), "");
    letters(one) == letters(other)
}

fn nameless(page: &Page<'_>, kind: &str, entry: &TomlEntry) {
    let has_tables = |items: &[Node]| items.iter().any(|item| item.table().is_some());
    if let Value::List(items) = &entry.node.value
        && has_tables(items)
    {
        let cure = format!("write [{kind}.{}] with single brackets", entry.key);
        page.cured(entry.at, format!("{kind}.{} stands more than once", entry.key), cure);
    } else {
        let message = format!("{} stands in [{kind}], which has no name", entry.key);
        page.cured(entry.at, message, named_instead(page, kind, entry));
    }
}

/// What to write in place of a key that stands where a name should.
fn named_instead(page: &Page<'_>, kind: &str, entry: &TomlEntry) -> String {
    let is_known = |section: &str| page.keys.find(section, &entry.key).is_some();
    let is_port = ["input", "output"].contains(&kind) && entry.node.text().is_some();
    if is_port && !is_known(&format!("{kind}.NAME")) {
        return format!(
            "write [{kind}.{}] in a trial; the machine file says which device that is",
            entry.key
        );
    }
    if !is_known(&format!("{kind}.NAME"))
        && let Some(elsewhere) = belongs(page, &entry.key)
    {
        return elsewhere;
    }
    format!("write [{kind}.NAME] with a name of your own")
}

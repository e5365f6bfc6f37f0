//! From the tree of a trial file to a [`Trial`]: every part in turn, then what
//! only shows when all are there (names that must exist, streams that wait for
//! each other, triggers that can never act).

mod change;
mod checks;
mod feedback;
mod files;
mod forms;
mod masking;
mod occasions;
mod pacing;
mod perform;
mod response;
mod set;
mod spacing;
mod start;
mod trigger;

use crate::answers::{Answers, answers};
use crate::check::Check;
use crate::node::{Entry, Table, Value};
use crate::part::Part;
use crate::recording::Recording;
use chronotap_engine::trial::{Input, Trial};

/// Names of everything that can be referred to, by index.
#[derive(Default)]
pub(crate) struct Names {
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    pub pacing: Vec<String>,
    pub feedback: Vec<String>,
    pub masking: Vec<String>,
    files: Vec<files::Kept>,
}

/// What the sections of a file come to.
pub(crate) struct Built {
    pub trial: Trial,
    /// Which input answers which stream.
    pub answers: Answers,
    /// The recordings that pacing streams play.
    pub recordings: Vec<Recording>,
    /// What each trigger does, in words.
    pub said: Vec<Vec<String>>,
}

/// Reads every section of the file.
pub(crate) fn trial<'c>(check: &'c Check<'c>, file: &'c Table) -> Built {
    let top = Part::open(check, file, 0, String::new(), "");
    let names = Names {
        inputs: names_or(&top, "input"),
        outputs: names_or(&top, "output"),
        pacing: names(&top, "pacing"),
        feedback: names(&top, "feedback"),
        masking: names(&top, "masking"),
        files: files::kept(&top),
    };
    let mut inputs = named(&top, "input", "input.NAME");
    if inputs.is_empty() {
        inputs.extend(names.inputs.iter().map(|name| undeclared(check, name)));
    }
    let mut trial = Trial {
        inputs: inputs.iter().map(input).collect(),
        outputs: names.outputs.clone(),
        ..Trial::default()
    };
    for part in named(&top, "output", "output.NAME") {
        part.read("description", |field| field.text());
    }
    let streams = named(&top, "pacing", "pacing.NAME");
    let (pacing, answered_by): (Vec<_>, Vec<_>) =
        streams.iter().map(|part| pacing::pacing(part, &names)).unzip();
    let windows = streams.iter().map(|part| part.given("window", |f| f.number())).collect();
    let responses: Vec<_> = streams
        .iter()
        .zip(&pacing)
        .map(|(part, stream)| response::response(part, stream))
        .collect();
    let recordings = (0..).zip(&streams);
    let recordings =
        recordings.filter_map(|(stream, part)| files::recording(part, stream, &names)).collect();
    trial.pacing = pacing;
    let channels = named(&top, "feedback", "feedback.NAME");
    trial.feedback = channels.iter().map(|part| feedback::feedback(part, &names)).collect();
    let noises = named(&top, "masking", "masking.NAME");
    trial.masking = noises.iter().map(|part| masking::masking(part, &names)).collect();
    let triggers = trigger::triggers(&top, &names);
    trial.triggers = triggers.iter().map(|placed| placed.trigger.clone()).collect();
    let (streams, triggers) = (&streams[..], &triggers[..]);
    checks::whole(&checks::Whole { check, trial: &trial, streams, triggers, names: &names });
    let answers = Answers { windows, ..answers(&trial, &answered_by, &responses) };
    Built {
        trial,
        answers,
        recordings,
        said: triggers.iter().map(|placed| placed.said.clone()).collect(),
    }
}

fn input(part: &Part<'_>) -> Input {
    Input {
        name: part.path.trim_start_matches("input.").to_owned(),
        debounce: part.read("debounce", |f| f.time()).unwrap_or_default(),
        ends_when_closed: part.read("when_closed", |f| f.choice()) == Some("end"),
        records_sysex: part.read("record_sysex", |f| f.flag()).unwrap_or_default(),
    }
}

/// The input of a file that declares none: all defaults.
fn undeclared<'c>(check: &'c Check<'c>, name: &str) -> Part<'c> {
    static NOTHING: Table = Table::EMPTY;
    let (table, at) = (&NOTHING, 0);
    Part { check, table, at, path: format!("input.{name}"), section: "input.NAME" }
}

/// The names under `[kind.NAME]`.
fn names(top: &Part<'_>, kind: &str) -> Vec<String> {
    entries(top, kind).map(|entry| entry.key.clone()).collect()
}

/// The same; where none is declared there is one, named like its kind.
fn names_or(top: &Part<'_>, kind: &str) -> Vec<String> {
    let names = names(top, kind);
    if names.is_empty() { vec![kind.to_owned()] } else { names }
}

fn entries<'a>(top: &Part<'a>, kind: &str) -> impl Iterator<Item = &'a Entry> + use<'a> {
    let table = top.table.get(kind).and_then(|entry| entry.node.table());
    table.map_or(&[][..], |t| &t.entries[..]).iter().filter(|e| e.node.table().is_some())
}

/// The parts under `[kind.NAME]`, names checked.
fn named<'c>(top: &Part<'c>, kind: &str, section: &'static str) -> Vec<Part<'c>> {
    let Some(entry) = top.table.get(kind) else { return Vec::new() };
    let Some(table) = entry.node.table() else {
        let cure = format!("write [{kind}.NAME] with a name of your own");
        top.check.cured(entry.at, format!("{kind} must be a table of named tables"), cure);
        return Vec::new();
    };
    for wrong in table.entries.iter().filter(|e| e.node.table().is_none()) {
        nameless(top.check, kind, wrong);
    }
    if table.entries.len() > 1000 {
        top.check.problem(entry.at, format!("more than 1000 of [{kind}.NAME]"));
        return Vec::new();
    }
    let parts = entries(top, kind).filter_map(|entry| {
        well_named(top.check, entry);
        let path = format!("{kind}.{}", entry.key);
        Some(Part::open(top.check, entry.node.table()?, entry.at, path, section))
    });
    parts.collect()
}

fn nameless(check: &Check<'_>, kind: &str, entry: &Entry) {
    if let Value::List(_) = entry.node.value {
        let cure = format!("write [{kind}.{}] with single brackets", entry.key);
        check.cured(entry.at, format!("{kind}.{} stands more than once", entry.key), cure);
    } else {
        let message = format!("{} stands in [{kind}], which has no name", entry.key);
        check.cured(entry.at, message, format!("write [{kind}.NAME] with a name of your own"));
    }
}

/// Names stand in columns, file names and `--in NAME=PORT`.
fn well_named(check: &Check<'_>, entry: &Entry) {
    let fits = entry.key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if !fits || entry.key.is_empty() || entry.key.chars().count() > 40 {
        let message = format!("\"{}\" cannot be a name", crate::quantity::brief(&entry.key));
        check.cured(entry.at, message, "use up to 40 letters, digits, _ and -");
    }
}

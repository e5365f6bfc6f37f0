//! `[set]` and `set` of a step: which keys of the trial file are set, and from where.

use super::Context;
use super::factors::{Factors, Found};
use crate::file::keys;
use crate::study::experiment::Experiment;
use crate::study::factor::Level;
use crate::study::setting::{Carried, Setting, SettingSource, Times};
use crate::study::step::{Doing, Step};
use chronotap_config::trial_files::reading::{DAY, Field, Node, Part, TomlTable, Value};
use chronotap_core::time::Nanos;
use std::collections::HashSet;

/// Reads what a part sets. In a step without conditions no factor within participants has
/// a level: `without` says why.
pub(crate) fn settings(
    part: &Part<'_>,
    context: &Context<'_>,
    without: Option<&str>,
) -> Vec<Setting> {
    let Some(field) = part.get("set") else { return Vec::new() };
    let Some(table) = field.node.table() else {
        field.wrong::<()>("a table in the shape of the trial file");
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut path = Vec::new();
    leaves(&field, table, &mut path, &mut found);
    let one = |(path, field): (Vec<String>, Field<'_>)| {
        let source = source(&field, context, without)?;
        Some(Setting { path, source, line: field.page.line(field.at) })
    };
    found.into_iter().filter_map(one).collect()
}

/// The values below a table, each with its path.
fn leaves<'p>(
    field: &Field<'p>,
    table: &'p TomlTable,
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, Field<'p>)>,
) {
    for entry in &table.entries {
        path.push(entry.key.clone());
        let path_of_entry = format!("{}.{}", field.path, entry.key);
        let inner = Field { path: path_of_entry, ..field.with(&entry.node) };
        match entry.node.table() {
            Some(below) if !is_from(below) && !below.entries.is_empty() => {
                leaves(&inner, below, path, found);
            }
            _ => found.push((path.clone(), inner)),
        }
        path.pop();
    }
}

/// Whether a table says where a value is from, and is no part of the path.
fn is_from(table: &TomlTable) -> bool {
    let named = |key| table.get(key).is_some_and(|entry| entry.node.text().is_some());
    named("factor") || named("result")
}

fn source(
    field: &Field<'_>,
    context: &Context<'_>,
    without: Option<&str>,
) -> Option<SettingSource> {
    let Some(table) = field.node.table() else {
        return Some(SettingSource::Toml(toml(field.node)));
    };
    if table.entries.is_empty() {
        return field.problem("sets nothing", "give a value, or { factor = NAME }");
    }
    let part = Part::called(field.page, table, field.at, field.path.clone(), keys::FROM);
    if part.has("result") {
        return carried(&part, context, without).map(SettingSource::Result);
    }
    for other in ["times", "within"].into_iter().filter(|other| part.has(other)) {
        let message = format!("{}: {other} belongs to a result", part.said());
        part.page.cured(part.at(other), message, "leave it out");
    }
    part.read("factor", |f| factor(f, context, without)).map(SettingSource::Factor)
}

/// A factor that has a level where it is used.
fn factor(field: &Field<'_>, context: &Context<'_>, without: Option<&str>) -> Option<String> {
    let (found, factor) = context.factors.named(field)?;
    match (found, without) {
        (Found::Within(_), Some(why)) => {
            let message = format!(": {} has no level here: {why}", factor.name);
            field.problem(&message, "give the step shuffle, order, block, repetitions or only")
        }
        _ => Some(factor.name.clone()),
    }
}

fn carried(part: &Part<'_>, context: &Context<'_>, without: Option<&str>) -> Option<Carried> {
    if part.has("factor") {
        let message = format!("{} gives both factor and result", part.said());
        part.page.cured(
            part.at("factor"),
            message,
            "keep one; times = { factor = NAME } multiplies",
        );
    }
    let named = |f: &Field<'_>| match f.text()?.split_once('.') {
        Some((step, result)) => Some((step.to_owned(), result.to_owned())),
        None => f.wrong("STEP.NAME"),
    };
    let (step, result) = part.read("result", named)?;
    let times = part.read("times", |f| times(f, context, without));
    let within = part.read("within", |f| {
        let [least, greatest] = f.pair()?;
        let (least, greatest) = (bound(&least)?, bound(&greatest)?);
        if least > greatest {
            return f.problem("puts the greater value first", "write the least first");
        }
        Some((least, greatest))
    });
    Some(Carried { step, result, times: times.unwrap_or(Times::Number(1.0)), within })
}

/// A time in nanoseconds, or a plain number.
fn bound(field: &Field<'_>) -> Option<f64> {
    match field.node.value {
        Value::Text(_) => field.time_within(Nanos(-DAY), Nanos(DAY)).map(|time| time.0 as f64),
        _ => field.number(),
    }
}

fn times(field: &Field<'_>, context: &Context<'_>, without: Option<&str>) -> Option<Times> {
    if field.node.table().is_none() {
        return field.number().map(Times::Number);
    }
    let part = Part::of(field, keys::FROM)?;
    let name = part.must("factor", |f| factor(f, context, without))?;
    let (_, of) = context.factors.find(&name)?;
    match of.levels.iter().find(|level| level.number().is_none()) {
        Some(level) => {
            let level: &Level = level;
            field.problem(
                &format!("multiplies by {name}, whose level \"{level}\" is no number"),
                "write numbers as levels, without quotes",
            )
        }
        None => Some(Times::Factor(name)),
    }
}

/// A value as TOML of one line.
fn toml(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => toml_edit::Value::from(text.as_str()).to_string(),
        Value::List(list) => {
            let items: Vec<String> = list.iter().map(toml).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(table) => {
            let key = |key: &str| toml_edit::Key::new(key).to_string();
            let items =
                table.entries.iter().map(|e| format!("{} = {}", key(&e.key), toml(&e.node)));
            format!("{{ {} }}", items.collect::<Vec<_>>().join(", "))
        }
        _ => node.to_string(),
    }
}

/// The parts of trial files, such as `pacing.metronome`, in which the file sets something that
/// could not be read: what else is told of them may follow from that alone.
pub(crate) fn lost(top: &Part<'_>, experiment: &Experiment, factors: &Factors) -> Vec<String> {
    let steps = top.table.get("step").map(|step| &step.node.value);
    let steps = match steps {
        Some(Value::List(list)) => list.iter().filter_map(Node::table).collect(),
        _ => Vec::new(),
    };
    let mut given = Vec::new();
    for table in std::iter::once(top.table).chain(steps) {
        if let Some(set) = table.get("set").and_then(|set| set.node.table()) {
            paths(set, &mut Vec::new(), &mut given);
        }
    }
    let staircases = top.table.get("staircase").and_then(|entry| entry.node.table());
    for staircase in staircases.map_or(&[][..], |table| &table.entries[..]) {
        let set = staircase.node.table().and_then(|table| table.get("set"));
        given.extend(set.and_then(|set| set.node.text()).map(str::to_owned));
    }
    let is_known = |setting: &&Setting| match &setting.source {
        SettingSource::Factor(name) => factors.is_listed(name),
        SettingSource::Result(of) => {
            experiment.steps.iter().any(|step| step.name == of.step && keeps(step, &of.result))
        }
        SettingSource::Toml(_) => true,
    };
    let said = |settings: &[Setting]| -> Vec<String> {
        settings.iter().filter(is_known).map(Setting::said).collect()
    };
    let mut read: HashSet<String> = said(&experiment.settings).into_iter().collect();
    for step in &experiment.steps {
        if let Doing::Trials(trials) = &step.doing {
            read.extend(said(&trials.settings));
        }
    }
    read.extend(experiment.staircases.iter().map(|of| of.path.join(".")));
    given.retain(|path| !read.contains(path));
    given.iter().map(|path| path.split('.').take(2).collect::<Vec<_>>().join(".")).collect()
}

/// The paths of the values below a table.
fn paths(table: &TomlTable, path: &mut Vec<String>, found: &mut Vec<String>) {
    for entry in &table.entries {
        path.push(entry.key.clone());
        match entry.node.table() {
            Some(below) if !is_from(below) && !below.entries.is_empty() => {
                paths(below, path, found);
            }
            _ => found.push(path.join(".")),
        }
        path.pop();
    }
}

/// Reports results that no earlier step keeps.
pub(crate) fn results(top: &Part<'_>, settings: &[Setting], steps: &[Step]) {
    let mut kept: Vec<String> = Vec::new();
    for step in steps {
        let Doing::Trials(trials) = &step.doing else { continue };
        let general = settings.iter().filter(|_| trials.conditions);
        for setting in general.chain(&trials.settings) {
            if let SettingSource::Result(carried) = &setting.source {
                known(top, (step, setting, carried), &kept, steps);
            }
        }
        kept.extend(trials.keep.iter().map(|keep| format!("{}.{}", step.name, keep.name)));
    }
}

fn known(
    top: &Part<'_>,
    (step, setting, carried): (&Step, &Setting, &Carried),
    kept: &[String],
    steps: &[Step],
) {
    let name = format!("{}.{}", carried.step, carried.result);
    if !kept.contains(&name) {
        let of = format!("set.{} of step {}", setting.said(), step.name);
        let at = top.page.start_of(setting.line);
        if steps.iter().any(|later| later.name == carried.step && keeps(later, &carried.result)) {
            let message = format!("{of}: \"{name}\" is kept by a later step");
            let cure = format!("put the step {} before the step {}", carried.step, step.name);
            return top.page.cured(at, message, cure);
        }
        let message = format!("{of}: no earlier step keeps \"{name}\"");
        top.page.unknown(at, message, &name, kept.iter().map(String::as_str));
    }
}

fn keeps(step: &Step, result: &str) -> bool {
    let Doing::Trials(trials) = &step.doing else { return false };
    trials.keep.iter().any(|keep| keep.name == result)
}

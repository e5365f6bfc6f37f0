//! Rules: what each waits for, and what it then does.

use super::{Names, perform};
use crate::trial_files::keys::{DAY, KEYS};
use crate::trial_files::reading::{Field, Node, Part, TomlEntry, Value, words_of};
use chronotap_engine::trial::{Do, Rule, RuleCondition};
use std::collections::HashSet;

/// More would take noticeably long to check, and no trial needs them.
const RULES_MAX: usize = 5_000;

/// What a rule waits for.
#[derive(Clone, Copy)]
enum Waits {
    Time,
    For(Awaited),
    All,
    Any,
}

/// What comes of a stream or an input.
#[derive(Clone, Copy)]
enum Awaited {
    Beat,
    Tap,
    TapsAfter,
    Note,
    Silence,
}

const CONDITIONS: [(&str, Waits); 8] = [
    ("time", Waits::Time),
    ("beat", Waits::For(Awaited::Beat)),
    ("tap", Waits::For(Awaited::Tap)),
    ("taps_after", Waits::For(Awaited::TapsAfter)),
    ("note", Waits::For(Awaited::Note)),
    ("silence", Waits::For(Awaited::Silence)),
    ("all", Waits::All),
    ("any", Waits::Any),
];
const ACTIONS: [&str; 7] = ["set", "ramp", "mark", "play", "start", "stop", "end"];

/// A rule, where each of its actions stands in the file, and the actions in words.
pub(super) struct Placed<'c> {
    pub part: Part<'c>,
    pub rule: Rule,
    pub places: Vec<usize>,
    pub said: Vec<String>,
}

/// Reads every `[[when]]`.
pub(super) fn rules<'c>(top: &Part<'c>, names: &Names) -> Vec<Placed<'c>> {
    let mut parts = top.parts("when", "when");
    if parts.len() > RULES_MAX {
        top.page.problem(parts[RULES_MAX].at, format!("more than {RULES_MAX} rules"));
        parts.truncate(RULES_MAX);
    }
    let placed: Vec<Placed<'c>> =
        parts.into_iter().enumerate().map(|(index, part)| rule(part, index, names)).collect();
    let mut names_seen = HashSet::new();
    for one in &placed {
        if !names_seen.insert(&one.rule.name) {
            let message = format!("two rules are named \"{}\"", one.rule.name);
            top.page.cured(one.part.at("name"), message, "give each its own name");
        }
    }
    placed
}

fn rule<'c>(part: Part<'c>, index: usize, names: &Names) -> Placed<'c> {
    let page = part.page;
    let mut conditions = conditions(&part, names);
    let waits = CONDITIONS.iter().any(|(key, _)| part.has(key));
    if !waits && !part.misspells(&words_of(&CONDITIONS)) && !part.has_strange(&ACTIONS) {
        let message = format!("{} waits for nothing", part.said());
        page.cured(part.at, message, format!("give one of {}", words_of(&CONDITIONS).join(", ")));
    }
    let is_meant = part.misspells(&ACTIONS) || part.has_strange(&words_of(&CONDITIONS));
    if !ACTIONS.iter().any(|key| part.has(key)) && !is_meant {
        let message = format!("{} does nothing", part.said());
        page.cured(part.at, message, format!("give one of {}", ACTIONS.join(", ")));
    }
    let only_end = ACTIONS.iter().filter(|key| part.has(key)).eq(&["end"]);
    if only_end && part.given("end", Field::flag) == Some(false) {
        let message = format!("{} does nothing: end is false", part.said());
        page.cured(part.at("end"), message, "write end = true, or leave the rule out");
    }
    let actions = perform::actions(&part, names);
    let when = match conditions.len() {
        1 => conditions.remove(0),
        _ => RuleCondition::All(conditions),
    };
    let repeats = part.given("repeat", |f| f.flag()).unwrap_or(false);
    if repeats && waits && !comes_anew(&when) {
        page.warn(
            part.at("repeat"),
            "this rule acts once all the same: a time, beat or tap number comes only once",
        );
    }
    let name = part.given("name", |f| f.text()).unwrap_or_else(|| format!("when-{}", index + 1));
    let plays = actions.iter().find(|act| matches!(act.what, Do::Play(..)));
    if let (Some(play), Some(Do::End)) = (plays, actions.last().map(|act| act.what)) {
        page.warn(play.at, "this tone is not heard: the trial ends at the same instant");
    }
    let places = actions.iter().map(|act| act.at).collect();
    let then = actions.iter().map(|act| act.what).collect();
    let said = actions.into_iter().map(|act| act.said).collect();
    Placed { part, rule: Rule { name, when, then, repeats }, places, said }
}

fn comes_anew(condition: &RuleCondition) -> bool {
    match condition {
        RuleCondition::Note { .. } | RuleCondition::Silence { .. } => true,
        RuleCondition::All(list) | RuleCondition::Any(list) => list.iter().any(comes_anew),
        RuleCondition::Time(_)
        | RuleCondition::Beat { .. }
        | RuleCondition::Tap { .. }
        | RuleCondition::TapsAfter { .. } => false,
    }
}

/// The conditions of one table, in file order.
fn conditions(part: &Part<'_>, names: &Names) -> Vec<RuleCondition> {
    let mut found = Vec::new();
    for entry in &part.table.entries {
        let Some(waits) = waits_for(&entry.key) else { continue };
        let Some(key) = KEYS.find("when", &entry.key) else { continue };
        let path = part.path_of(&entry.key);
        let field = Field { page: part.page, node: &entry.node, at: entry.node.at, path, key };
        match (waits, &entry.node.value) {
            (Waits::All, _) => found.extend(several(part, entry, names).map(RuleCondition::All)),
            (Waits::Any, _) => found.extend(several(part, entry, names).map(RuleCondition::Any)),
            (Waits::Time, _) => found.extend(field.time().map(RuleCondition::Time)),
            (Waits::For(what @ Awaited::TapsAfter), Value::Table(table))
                if table.has("taps") && table.has("input") =>
            {
                found.extend(bare(&field, what, names));
            }
            (Waits::For(what), Value::Table(table)) if !table.entries.is_empty() => {
                let each = table.entries.iter();
                found.extend(each.filter_map(|of| named(&field, what, of, names)));
            }
            (Waits::For(what), _) => found.extend(bare(&field, what, names)),
        }
    }
    found
}

fn waits_for(key: &str) -> Option<Waits> {
    CONDITIONS.iter().find(|(name, _)| *name == key).map(|(_, waits)| *waits)
}

/// `all = [{ ... }, { ... }]`.
fn several(part: &Part<'_>, entry: &TomlEntry, names: &Names) -> Option<Vec<RuleCondition>> {
    let Value::List(list) = &entry.node.value else {
        let cure = format!("write {} = [{{ tap = 20 }}, {{ time = \"10 s\" }}]", entry.key);
        part.page.cured(entry.node.at, format!("{} must be a list of conditions", entry.key), cure);
        return None;
    };
    let mut conditions = Vec::new();
    for node in list {
        conditions.extend(inner(part, &entry.key, node, names));
    }
    if list.is_empty() {
        part.page.cured(
            entry.node.at,
            format!("{} is an empty list", entry.key),
            "name at least one condition",
        );
    }
    Some(conditions)
}

fn inner(part: &Part<'_>, key: &str, node: &Node, names: &Names) -> Option<RuleCondition> {
    let Some(table) = node.table().filter(|table| !table.entries.is_empty()) else {
        part.page.cured(
            node.at,
            format!("{key} must list conditions"),
            "write each as { tap = 20 }",
        );
        return None;
    };
    for wrong in table.entries.iter().filter(|e| waits_for(&e.key).is_none()) {
        let message =
            format!("\"{}\" is not a condition", crate::trial_files::reading::brief(&wrong.key));
        part.page.unknown(wrong.at, message, &wrong.key, words_of(&CONDITIONS));
    }
    let part = part.with(table, node.at, part.path_of(key));
    let mut found = conditions(&part, names);
    Some(if found.len() == 1 { found.remove(0) } else { RuleCondition::All(found) })
}

/// `beat = 21` where there is one stream, `tap = 40` where there is one input.
fn bare(field: &Field<'_>, awaited: Awaited, names: &Names) -> Option<RuleCondition> {
    let (what, known) = counted(awaited, names);
    if let Awaited::Note = awaited {
        return Some(RuleCondition::Note { input: None, note: field.note()? });
    }
    match known {
        [_] => condition(field, awaited, 0, names),
        [] => field.problem(&format!("waits for a {what}, and there is none"), "add [pacing.NAME]"),
        [first, ..] => {
            let cure = format!("name one: {}.{first} = {}", field.key.name, shown(field.node));
            field.problem(&format!("does not say of which {what} ({})", known.join(", ")), cure)
        }
    }
}

fn shown(node: &Node) -> String {
    node.text().map_or_else(|| node.to_string(), |text| format!("\"{text}\""))
}

/// `beat.three = 21`.
fn named(
    field: &Field<'_>,
    awaited: Awaited,
    of: &TomlEntry,
    names: &Names,
) -> Option<RuleCondition> {
    let (what, known) = counted(awaited, names);
    let name = Node { at: of.at, value: Value::Text(of.key.clone()) };
    let index = field.with(&name).named(what, known)?;
    let path = format!("{}.{}", field.path, of.key);
    condition(&Field { path, ..field.with(&of.node) }, awaited, index, names)
}

/// What a condition counts, and the names of all there are.
fn counted(awaited: Awaited, names: &Names) -> (&'static str, &[String]) {
    match awaited {
        Awaited::Beat | Awaited::TapsAfter => ("pacing stream", &names.pacing),
        Awaited::Tap | Awaited::Note | Awaited::Silence => ("input", &names.inputs),
    }
}

fn condition(
    field: &Field<'_>,
    awaited: Awaited,
    index: u16,
    names: &Names,
) -> Option<RuleCondition> {
    Some(match awaited {
        Awaited::TapsAfter => taps_after(field, index, names)?,
        Awaited::Beat => RuleCondition::Beat { stream: index, number: field.count()? },
        Awaited::Tap => RuleCondition::Tap { input: index, number: field.count()? },
        Awaited::Note => RuleCondition::Note { input: Some(index), note: field.note()? },
        Awaited::Silence => {
            let length = field
                .time_within(chronotap_core::time::Nanos(1), chronotap_core::time::Nanos(DAY))?;
            RuleCondition::Silence { input: index, length }
        }
    })
}

/// So many taps, or `{ taps, input }` where there are several inputs.
fn taps_after(field: &Field<'_>, stream: u16, names: &Names) -> Option<RuleCondition> {
    if field.node.table().is_some() {
        let fields = Part::of(field, "when.taps_after")?;
        let number = fields.must("taps", |f| f.count())?;
        let input = fields.must("input", |f| f.named("input", &names.inputs))?;
        return Some(RuleCondition::TapsAfter { stream, input, number });
    }
    let number = field.count()?;
    if let [first, _, ..] = &names.inputs[..] {
        let cure = format!("write {{ taps = {number}, input = \"{first}\" }}");
        return field.problem("does not say of which input", cure);
    }
    Some(RuleCondition::TapsAfter { stream, input: 0, number })
}

/// Every action of every rule, with its place.
pub(super) fn every_action<'a>(placed: &'a [Placed<'_>]) -> impl Iterator<Item = (usize, &'a Do)> {
    placed.iter().flat_map(|one| one.places.iter().copied().zip(&one.rule.then))
}

//! When a pacing stream begins.

use super::Names;
use crate::trial_files::reading::{Field, Node, Part, Value, time};
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Delayed, Start};

/// Reads `start`: a time, a word, or a table.
pub(super) fn start(field: &Field<'_>, names: &Names) -> Option<Start> {
    match field.node.text() {
        Some("when started") => return Some(Start::Rule),
        Some("first tap") => {
            let input = only_input(field, names)?;
            return Some(Start::Tap { input, number: 1, delay: Delayed::By(Nanos::ZERO) });
        }
        Some(text) if text.chars().all(|c| c.is_alphabetic() || c == ' ') => {
            let message = format!(
                "{} must be a time, \"first tap\", \"when started\" or a table",
                field.path
            );
            field.page.unknown(field.at, message, text, ["first tap", "when started"]);
            return None;
        }
        Some(text)
            if text.trim().starts_with('-')
                && time(text.trim().trim_start_matches('-')).is_ok() =>
        {
            let what = format!("= \"{text}\" lies before the beginning of the trial");
            let cure = "write a time from \"0 s\", and let the other streams start later instead";
            return field.problem(&what, cure);
        }
        _ => {}
    }
    if field.node.table().is_none() {
        return field.time().map(Start::At);
    }
    table(field, names)
}

fn table(field: &Field<'_>, names: &Names) -> Option<Start> {
    let fields = Part::of(field, "pacing.NAME.start")?;
    let delay = fields.get("delay");
    let one = delay.as_ref().is_some_and(|f| f.node.text() == Some("one interval"));
    let time = |f: Field<'_>| f.time();
    match (fields.get("tap"), fields.get("after")) {
        (Some(tap), None) => {
            let (input, number) = tap_of(&tap, names)?;
            let delay = match delay.filter(|_| !one) {
                Some(delay) => Delayed::By(time(delay)?),
                None if one => Delayed::ByOneInterval,
                None => Delayed::By(Nanos::ZERO),
            };
            Some(Start::Tap { input, number, delay })
        }
        (None, Some(after)) => {
            let stream = after.named("pacing stream", &names.pacing)?;
            let delay = delay.map_or(Some(Nanos::ZERO), time)?;
            Some(Start::After { stream, delay })
        }
        (None, None) => {
            field.problem("lacks one of tap, after", "write { tap = 1 } or { after = \"NAME\" }")
        }
        (Some(_), Some(_)) => field.problem("gives both tap and after", "keep one of them"),
    }
}

/// `tap = 1` or `tap = { left = 1 }`.
fn tap_of(field: &Field<'_>, names: &Names) -> Option<(u16, u32)> {
    let Value::Table(table) = &field.node.value else {
        return Some((only_input(field, names)?, field.count()?));
    };
    let [entry] = &table.entries[..] else {
        return field.wrong("a tap number, or tap.NAME = number for one input");
    };
    let name = Node { at: entry.at, value: Value::Text(entry.key.clone()) };
    let input = field.with(&name).named("input", &names.inputs)?;
    Some((input, field.with(&entry.node).count()?))
}

fn only_input(field: &Field<'_>, names: &Names) -> Option<u16> {
    if names.inputs.len() > 1 {
        let cure = format!("name one: {{ tap.{} = 1 }}", names.inputs[0]);
        return field.problem("does not say of which input", cure);
    }
    Some(0)
}

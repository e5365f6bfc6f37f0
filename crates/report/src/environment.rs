//! The machine as it was: a line for the head of the page, and every fact in a table.

use crate::html::{Table, element};
use chronotap_machine::Facts;
use chronotap_timing::Results;
use serde_json::Value;

/// Lists of more entries than this are counted, not shown; the results file has them.
const LISTED: usize = 12;

/// What matters most, in a line.
pub(crate) fn in_a_line(facts: &Facts) -> String {
    let kernel = facts.kernel.release.as_deref().unwrap_or("unknown");
    let guest = if facts.is_guest() { ", a virtual machine or container" } else { "" };
    format!("Linux {kernel}{guest}")
}

/// Every fact.
pub(crate) fn section(results: &Results) -> String {
    let Some(facts) = &results.machine else {
        return element("p", &format!("{}: not recorded", results.label));
    };
    let mut table = Table::new(&format!("The machine of {}", results.label), &["fact", "value"]);
    let value = serde_json::to_value(facts).unwrap_or_default();
    rows(&mut table, "", &value);
    format!(
        "<details><summary>{}</summary>\n{}</details>\n",
        crate::html::escape(&format!("{}: every fact that was read", results.label)),
        table.html()
    )
}

/// A row for each value, named by its way through the facts.
fn rows(table: &mut Table, name: &str, value: &Value) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let key = key.replace('_', " ");
                let name = if name.is_empty() { key } else { format!("{name}: {key}") };
                rows(table, &name, value);
            }
        }
        Value::Null => table.row(vec![name.into(), "unknown".into()]),
        Value::Array(entries) if entries.len() > LISTED => {
            table.row(vec![name.into(), format!("{} entries", entries.len())]);
        }
        Value::Array(entries) if entries.iter().any(|entry| entry.is_object()) => {
            for (at, entry) in entries.iter().enumerate() {
                rows(table, &format!("{name} {}", at + 1), entry);
            }
        }
        Value::Array(entries) => {
            let words: Vec<String> = entries.iter().map(plain).collect();
            table.row(vec![name.into(), words.join(", ")]);
        }
        value => table.row(vec![name.into(), plain(value)]),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        other => other.to_string(),
    }
}

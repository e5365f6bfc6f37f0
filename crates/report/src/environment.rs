//! The machine as it was: a line for the head of the page, every fact in a table, and what
//! differs between machines, or between one machine before and after it was tuned.

use crate::html::{HtmlTable, element};
use chronotap_machine::facts::Facts;
use chronotap_timing::Results;
use serde_json::Value;

/// Lists of more entries than this are counted, not shown; the results file has them.
const LISTED: usize = 12;
/// What is another from minute to minute, and no difference between machines.
const PASSING: [&str; 4] = ["load", "power", "interrupts", "memory: available kib"];

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
    let mut table =
        HtmlTable::new(&format!("The machine of {}", results.label), &["fact", "value"]);
    listed(facts).into_iter().for_each(|(name, value)| table.row(vec![name, value]));
    format!(
        "<details><summary>{}</summary>\n{}</details>\n",
        crate::html::escape(&format!("{}: every fact that was read", results.label)),
        table.html()
    )
}

/// The facts that are not the same everywhere, a column for each file; empty where all are.
pub(crate) fn differing(all: &[Results]) -> String {
    let known: Vec<(&str, Vec<(String, String)>)> = all
        .iter()
        .filter_map(|results| Some((results.label.as_str(), listed(results.machine.as_ref()?))))
        .collect();
    let labels: Vec<&str> = known.iter().map(|(label, _)| *label).collect();
    let head: Vec<&str> = std::iter::once("fact").chain(labels).collect();
    let mut table = HtmlTable::new("Where the machines differ", &head);
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in known.iter().flat_map(|(_, facts)| facts) {
        if !names.contains(&name) && !PASSING.iter().any(|passing| name.starts_with(passing)) {
            names.push(name);
        }
    }
    for name in names {
        let value = |(_, facts): &(&str, Vec<(String, String)>)| {
            facts.iter().find(|(one, _)| one == name).map_or("-".into(), |(_, value)| value.clone())
        };
        let values: Vec<String> = known.iter().map(value).collect();
        if values.windows(2).any(|two| two[0] != two[1]) {
            table.row(std::iter::once(name.clone()).chain(values).collect());
        }
    }
    if table.is_empty() { String::new() } else { table.html() }
}

/// Every fact with its name, which is its way through the facts.
fn listed(facts: &Facts) -> Vec<(String, String)> {
    let mut found = Vec::new();
    rows(&mut found, "", &serde_json::to_value(facts).unwrap_or_default());
    found
}

/// A row for each value.
fn rows(table: &mut Vec<(String, String)>, name: &str, value: &Value) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let key = key.replace('_', " ");
                let name = if name.is_empty() { key } else { format!("{name}: {key}") };
                rows(table, &name, value);
            }
        }
        Value::Null => table.push((name.into(), "unknown".into())),
        Value::Array(entries) if entries.len() > LISTED => {
            table.push((name.into(), format!("{} entries", entries.len())));
        }
        Value::Array(entries) if entries.iter().any(|entry| entry.is_object()) => {
            for (at, entry) in entries.iter().enumerate() {
                rows(table, &format!("{name} {}", at + 1), entry);
            }
        }
        Value::Array(entries) => {
            let words: Vec<String> = entries.iter().map(plain).collect();
            table.push((name.into(), words.join(", ")));
        }
        value => table.push((name.into(), plain(value))),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_timing::Length;

    #[test]
    fn only_what_differs_is_told() {
        let machine = |label: &str, release: &str| {
            let mut facts = Facts::default();
            facts.kernel.release = Some(release.into());
            facts.kernel.architecture = Some("x86_64".into());
            Results { machine: Some(facts), ..Results::begin("", label, "", Length::Quick) }
        };
        let text = differing(&[machine("untuned", "6.1"), machine("tuned", "6.1-rt")]);
        assert!(text.contains("kernel: release") && text.contains("6.1-rt"), "{text}");
        assert!(text.contains("untuned") && !text.contains("x86_64"), "{text}");
        assert_eq!(differing(&[machine("a", "6.1"), machine("b", "6.1")]), "");
    }
}

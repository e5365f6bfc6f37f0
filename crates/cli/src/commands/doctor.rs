//! `chronotap doctor`: what on this machine spoils timing, and what cures it.

mod fix;
mod measure;
mod undo;

use crate::CommandVerdict;
use crate::args::Doctor;
use crate::commands::take_over_ctrl_c;
use crate::screen::{say, say_data, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_linux::machine::{BelowRoot, Facts, Finding, FindingTally, Root, examine, report};
use serde_json::{Value, json};
use std::path::Path;

pub fn doctor(args: &Doctor) -> Result<CommandVerdict> {
    let facts = match &args.facts {
        Some(file) => from_file(file)?,
        None => Facts::read(&Root::system()),
    };
    let findings = examine(&facts);
    if !args.fix.is_empty() || args.undo || args.measure {
        return change_and_measure(args, &findings);
    }
    if args.json {
        say_data(as_json(&facts, &findings));
    } else {
        say(report(&findings));
        advise_fixes(&findings);
    }
    Ok(verdict(&findings))
}

/// Measures, changes, measures again; each only where it was asked for.
fn change_and_measure(args: &Doctor, findings: &[Finding]) -> Result<CommandVerdict> {
    let wanted = fix::choose(&args.fix, findings)?;
    let stored = if args.undo { Some(undo::newest(&undo::place()?)?) } else { None };
    let mut measured = Vec::new();
    let interrupt = if args.measure { Some(take_over_ctrl_c()?) } else { None };
    if let Some(interrupt) = interrupt {
        measured.push(measure::wakeups("as it is", interrupt)?);
        if interrupt.requested() {
            measure::show(&measured);
            bail!("interrupted before anything was changed");
        }
    }
    let changed = fix::carry_out(&wanted)?;
    let undone = stored.as_deref().map(undo::carry_out).transpose()?;
    let any = changed.is_some() || undone.is_some();
    if let (Some(interrupt), true) = (interrupt, any) {
        measured.push(measure::wakeups("after the changes", interrupt)?);
    }
    if args.json {
        say_data(json!({ "changed": changed, "undone": undone, "measured": measured }));
    } else {
        changed.iter().for_each(fix::Changed::show);
        undone.iter().for_each(undo::Undone::show);
        measure::show(&measured);
    }
    Ok(CommandVerdict::of(changed.iter().all(fix::Changed::all_is_well)))
}

/// Facts that were written down: by `--json`, or in the results of `chronotap timing`.
fn from_file(file: &Path) -> Result<Facts> {
    let name = file.display();
    let text = chronotap_core::files::read_to_string(file)
        .with_context(|| format!("--facts {name}: cannot read it; name a file that exists"))?;
    let mut all: Value = serde_json::from_str(&text)
        .with_context(|| format!("--facts {name}: no JSON; give what --json printed"))?;
    let facts = ["facts", "machine"].iter().find_map(|key| {
        let found = all.get_mut(*key)?.take();
        found.is_object().then_some(found)
    });
    let Some(facts) = facts else {
        bail!(
            "--facts {name}: holds no facts of a machine; give what `chronotap doctor --json` printed"
        );
    };
    serde_json::from_value(facts).with_context(|| format!("--facts {name}"))
}

fn as_json(facts: &Facts, findings: &[Finding]) -> Value {
    json!({
        "program": concat!("chronotap ", env!("CARGO_PKG_VERSION")),
        "facts": facts,
        "findings": findings,
        "verdict": FindingTally::of(findings),
    })
}

fn advise_fixes(findings: &[Finding]) {
    let names: Vec<&str> =
        findings.iter().filter(|finding| finding.fixable).map(|finding| finding.name).collect();
    if !names.is_empty() {
        let text = format!("`chronotap doctor --fix NAME` does it for {}", names.join(", "));
        say(wrapped(&text, ""));
    }
}

fn verdict(findings: &[Finding]) -> CommandVerdict {
    CommandVerdict::of(FindingTally::of(findings).bad == 0)
}

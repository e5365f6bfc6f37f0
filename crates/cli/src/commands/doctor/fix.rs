//! `chronotap doctor --fix NAME`: what was asked is checked in full before anything is
//! changed; then each setting is written, read again, and its undoing printed.

use crate::screen::{say, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_machine::{
    Change, Facts, Finding, Root, Status, checks, command_lines, examine, nearest, undo,
};
use serde::Serialize;

/// What was changed, and how the checks came out afterwards.
#[derive(Debug, Serialize)]
pub struct Changed {
    changes: Vec<Change>,
    /// The command that undoes all of it.
    undo: Option<String>,
    checks: Vec<Rechecked>,
}

#[derive(Debug, Serialize)]
struct Rechecked {
    name: &'static str,
    before: Status,
    after: Status,
    found: String,
}

/// The findings of these names, all of which can be carried out.
pub fn choose(names: &[String], findings: &[Finding]) -> Result<Vec<Finding>> {
    let mut chosen: Vec<Finding> = Vec::new();
    for name in names {
        let Some(finding) = findings.iter().find(|finding| finding.name == name) else {
            bail!("--fix {name}: {}", no_such(name));
        };
        if finding.status != Status::Ok && !finding.fixable {
            bail!("--fix {name}: {}", by_hand(finding));
        }
        if !chosen.contains(finding) {
            chosen.push(finding.clone());
        }
    }
    Ok(chosen)
}

fn no_such(name: &str) -> String {
    match nearest(name) {
        Some(near) => format!("there is no such check; did you mean {near}?"),
        None => "there is no such check; `chronotap doctor` lists them".into(),
    }
}

fn by_hand(finding: &Finding) -> String {
    let known = checks().any(|check| check.name == finding.name);
    debug_assert!(known, "findings come from checks");
    match (&finding.cure, &finding.advice) {
        (Some(cure), _) => format!("this is not done for you; if you want it, type\n{cure}"),
        (None, Some(advice)) => format!("no command can do this: {advice}"),
        (None, None) => format!("there is nothing to change: {}", finding.found),
    }
}

/// Carries out the cures; nothing where none was asked for.
pub fn carry_out(findings: &[Finding]) -> Result<Option<Changed>> {
    if findings.is_empty() {
        return Ok(None);
    }
    let root = Root::system();
    let mut changes: Vec<Change> = Vec::new();
    for step in findings.iter().flat_map(|finding| &finding.steps) {
        match step.apply(&root) {
            Ok(change) => changes.push(change),
            Err(error) => return Err(error).with_context(|| so_far(&changes)),
        }
    }
    let now = examine(&Facts::read(&root));
    let checks = findings.iter().map(|before| rechecked(before, &now)).collect();
    Ok(Some(Changed { undo: undo(&changes), changes, checks }))
}

/// What stays changed when a later step is refused.
fn so_far(changes: &[Change]) -> String {
    match undo(changes) {
        None => "nothing was changed".into(),
        Some(undo) => format!("some of it was changed; to undo that: {undo}"),
    }
}

fn rechecked(before: &Finding, now: &[Finding]) -> Rechecked {
    let after = now.iter().find(|finding| finding.name == before.name).unwrap_or(before);
    let (name, found) = (before.name, after.found.clone());
    Rechecked { name, before: before.status, after: after.status, found }
}

impl Changed {
    /// Whether every check that was to be cured is now well.
    pub fn all_is_well(&self) -> bool {
        self.checks.iter().all(|check| check.after == Status::Ok)
    }

    /// Prints it.
    pub fn show(&self) {
        for Change { what, before, after, .. } in &self.changes {
            say(what);
            say(format!("  was {before}, is {after}"));
        }
        for Rechecked { name, before, after, found } in &self.checks {
            let text = format!("{name}: was {}, is {}: {found}", before.word(), after.word());
            say(wrapped(&text, ""));
        }
        match &self.undo {
            Some(undo) => say(format!("to undo it:\n{}", command_lines(undo, 2).join("\n"))),
            None => say("nothing had to be changed"),
        }
    }
}

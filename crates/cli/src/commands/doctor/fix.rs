//! `chronotap doctor --fix NAME`: what was asked is checked in full, and how to undo it is
//! said and stored, before anything is changed; then each setting is written and read again.

use super::undo;
use crate::screen::{remark, say, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_linux::machine::{
    BelowRoot, Facts, Finding, FindingStatus, MachineStep, Root, StepChange, checks, command_lines,
    examine, nearest, undo_beforehand,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What was changed, and how the checks came out afterwards.
#[derive(Debug, Serialize)]
pub struct Changed {
    changes: Vec<StepChange>,
    /// The command that undoes all of it.
    undo: Option<String>,
    /// The file that holds the commands that undo it.
    stored: Option<PathBuf>,
    checks: Vec<Rechecked>,
}

#[derive(Debug, Serialize)]
struct Rechecked {
    name: &'static str,
    before: FindingStatus,
    after: FindingStatus,
    found: String,
}

/// The findings of these names, all of which can be carried out.
pub fn choose(names: &[String], findings: &[Finding]) -> Result<Vec<Finding>> {
    let mut chosen: Vec<Finding> = Vec::new();
    for name in names {
        let Some(finding) = findings.iter().find(|finding| finding.name == name) else {
            bail!("--fix {name}: {}", no_such(name));
        };
        if !finding.fixable && (finding.status != FindingStatus::Ok || finding.reboot) {
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
        (Some(cure), _) if finding.reboot => format!(
            "this needs a restart, so that nothing is changed now; if you want it, type\n{cure}\n\
             and restart. To undo it:\n{}",
            finding.undo.as_deref().unwrap_or("take the parameter away again")
        ),
        (None, Some(advice)) if finding.reboot => {
            format!("this needs a restart, so that nothing is changed now: {advice}")
        }
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
    let place = undo::place()?;
    below(&Root::system(), &place, findings).map(Some)
}

/// The same below a root, with the undoing stored in a folder.
fn below(root: &Root, place: &Path, findings: &[Finding]) -> Result<Changed> {
    let steps: Vec<MachineStep> =
        findings.iter().flat_map(|finding| finding.steps.clone()).collect();
    let undoing = undo_beforehand(&steps, root).context("nothing was changed")?;
    let stored = undoing.as_ref().map(|commands| undo::store(place, commands)).transpose()?;
    if let (Some(commands), Some(stored)) = (&undoing, &stored) {
        remark(format!("to undo what follows, or as much of it as was done:\n{commands}"));
        remark(format!("(stored in {})", stored.display()));
    }
    let mut changes: Vec<StepChange> = Vec::new();
    for step in &steps {
        match step.apply(root) {
            Ok(change) => changes.push(change),
            Err(error) => return Err(error).with_context(|| so_far(&changes)),
        }
    }
    let now = examine(&Facts::read(root));
    let checks = findings.iter().map(|before| rechecked(before, &now)).collect();
    Ok(Changed { undo: chronotap_linux::machine::undo(&changes), stored, changes, checks })
}

/// What stays changed when a later step is refused.
fn so_far(changes: &[StepChange]) -> String {
    match chronotap_linux::machine::undo(changes) {
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
        self.checks.iter().all(|check| check.after == FindingStatus::Ok)
    }

    pub fn show(&self) {
        for StepChange { what, before, after, .. } in &self.changes {
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

#[cfg(test)]
mod tests {
    use super::*;

    const SWAPPINESS: &str = "proc/sys/vm/swappiness";

    /// A machine of which nothing is known but that it swaps too eagerly.
    fn swapping() -> (tempfile::TempDir, Root, Vec<Finding>) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("proc/sys/vm")).unwrap();
        std::fs::write(dir.path().join(SWAPPINESS), "60\n").unwrap();
        let root = Root::at(dir.path());
        let findings = choose(&["swappiness".into()], &examine(&Facts::read(&root))).unwrap();
        (dir, root, findings)
    }

    #[test]
    fn how_to_undo_it_is_stored_before_anything_is_changed() {
        let (dir, root, findings) = swapping();
        let setting = || std::fs::read_to_string(dir.path().join(SWAPPINESS)).unwrap();
        let in_the_way = dir.path().join("file");
        std::fs::write(&in_the_way, "").unwrap();
        let refused = below(&root, &in_the_way, &findings).unwrap_err().to_string();
        assert!(refused.contains("nothing was changed"), "{refused}");
        assert_eq!(setting(), "60\n");

        let changed = below(&root, &dir.path().join("state"), &findings).unwrap();
        assert_eq!(setting(), "10");
        let stored = std::fs::read_to_string(changed.stored.unwrap()).unwrap();
        assert!(stored.lines().any(|line| line == "sudo sysctl -w vm.swappiness=60"), "{stored}");
    }
}

//! [`MachineStep`]: one setting that a running machine may change at any moment and change
//! back: a file to write, or a module to load. Here are the commands that do and
//! undo it, and the doing itself, which looks whether it worked.

use crate::machine::Root;
use crate::machine::root::chosen;
use crate::realtime::{policy_of, set_fifo_of};
use serde::Serialize;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;

/// One setting to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachineStep {
    /// Write a word into a file of /proc/sys or /sys.
    Write {
        path: String,
        /// What it says now, where that was read.
        before: Option<String>,
        /// What it shall say.
        after: String,
    },
    /// Load a module of the kernel.
    Load { module: &'static str },
    /// Unload it, where nothing uses it.
    Unload { module: &'static str },
    /// Give a thread of the kernel another real-time priority. It keeps its number until the
    /// machine is restarted or its device is unplugged.
    Priority {
        /// Its name, irq/N-NAME.
        thread: String,
        /// Its number.
        pid: u32,
        before: u32,
        after: u32,
    },
}

/// What a step changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepChange {
    /// The file or module.
    pub what: String,
    /// What it was.
    pub before: String,
    /// What it is, read again afterwards.
    pub after: String,
    /// The step that undoes it; none where nothing changed.
    #[serde(skip)]
    undo: Option<MachineStep>,
}

/// The command that undoes changes; none where nothing changed.
pub fn undo(changes: &[StepChange]) -> Option<String> {
    let steps: Vec<MachineStep> = changes.iter().filter_map(|change| change.undo.clone()).collect();
    commands(&steps, None).0
}

/// The commands that will undo steps, one a line, as the machine is before any of them is
/// carried out; none where nothing would change. They may be carried out at any time, in
/// part or again: each sets what it finds to what it was.
///
/// # Errors
/// [`StepError::Refused`] where a file that is to be written cannot be read.
pub fn undo_beforehand(steps: &[MachineStep], root: &Root) -> Result<Option<String>, StepError> {
    let mut back: Vec<MachineStep> = Vec::new();
    for step in steps {
        match step {
            MachineStep::Write { path, after, .. } => {
                let before = said_by(&root.resolve(path)).map_err(|error| refused(path, error))?;
                let known = |step: &MachineStep| matches!(step, MachineStep::Write { path: p, .. } if p == path);
                if before != *after && !back.iter().any(known) {
                    back.push(MachineStep::write(path, None, &before));
                }
            }
            MachineStep::Load { module } => back.push(MachineStep::Unload { module }),
            MachineStep::Unload { module } => back.push(MachineStep::Load { module }),
            MachineStep::Priority { thread, pid, before, after } => {
                back.push(MachineStep::Priority {
                    thread: thread.clone(),
                    pid: *pid,
                    before: *after,
                    after: *before,
                })
            }
        }
    }
    // Line by line: where a module was never loaded, what follows is still undone.
    Ok(commands(&back, None).0.map(|all| all.replace(" && ", "\n")))
}

/// Why a step failed.
#[derive(Debug)]
pub enum StepError {
    /// The file cannot be read or written; with sudo it can, unless this is a container
    /// or the kernel is locked down.
    Refused {
        /// The file or module.
        what: String,
        /// What the system said.
        error: io::Error,
    },
    /// The kernel took the word and kept another; it does not offer this one.
    Kept {
        what: String,
        /// What was asked.
        asked: String,
        /// What it says.
        got: String,
    },
}

impl MachineStep {
    pub(crate) fn write(path: impl Into<String>, before: Option<&str>, after: &str) -> MachineStep {
        MachineStep::Write {
            path: path.into(),
            before: before.map(str::to_owned),
            after: after.to_owned(),
        }
    }

    /// Carries it out and reads it again.
    ///
    /// # Errors
    /// Where the system refuses it, or accepts it and keeps the former setting.
    pub fn apply(&self, root: &Root) -> Result<StepChange, StepError> {
        match self {
            MachineStep::Write { path, after, .. } => write(root, path, after),
            MachineStep::Load { module } => modprobe(module, true),
            MachineStep::Unload { module } => modprobe(module, false),
            MachineStep::Priority { thread, pid, after, .. } => {
                prioritize(root, thread, *pid, *after)
            }
        }
    }
}

/// A number that was given to another thread meanwhile is left alone.
fn prioritize(root: &Root, thread: &str, pid: u32, after: u32) -> Result<StepChange, StepError> {
    let refused = |error: io::Error| refused(thread, error);
    let named = said_by(&root.resolve(&format!("/proc/{pid}/comm"))).map_err(refused)?;
    if named != thread {
        return Err(refused(io::Error::other(format!("thread {pid} is now {named}"))));
    }
    let priority = || policy_of(pid as i32).map(|policy| policy.priority() as u32);
    let before = priority().map_err(|errno| refused(errno.into()))?;
    set_fifo_of(pid as i32, after as i32).map_err(|errno| refused(errno.into()))?;
    let got = priority().map_err(|errno| refused(errno.into()))?;
    if got != after {
        let (asked, got) = (after.to_string(), got.to_string());
        return Err(StepError::Kept { what: thread.into(), asked, got });
    }
    let back = MachineStep::Priority { thread: thread.into(), pid, before: after, after: before };
    let undo = (before != got).then_some(back);
    let what = format!("priority of {thread}");
    Ok(StepChange { what, before: before.to_string(), after: got.to_string(), undo })
}

fn write(root: &Root, path: &str, after: &str) -> Result<StepChange, StepError> {
    let refused = |error| refused(path, error);
    let file = root.resolve(path);
    let read = || said_by(&file);
    let before = read().map_err(refused)?;
    if before != after {
        // Not created where it is missing: then the kernel has no such setting.
        let written = std::fs::OpenOptions::new().write(true).truncate(true).open(&file);
        written
            .and_then(|mut file| io::Write::write_all(&mut file, after.as_bytes()))
            .map_err(refused)?;
    }
    let got = read().map_err(refused)?;
    if got != after {
        return Err(StepError::Kept { what: path.into(), asked: after.into(), got });
    }
    let undo = (before != got).then(|| MachineStep::write(path, None, &before));
    Ok(StepChange { what: path.to_owned(), before, after: got, undo })
}

fn refused(path: &str, error: io::Error) -> StepError {
    StepError::Refused { what: path.to_owned(), error }
}

/// The setting that is in force, as its file says.
fn said_by(file: &Path) -> io::Result<String> {
    let text = std::fs::read_to_string(file)?;
    let line = text.lines().next().unwrap_or_default().trim();
    Ok(chosen(line).unwrap_or_else(|| line.to_owned()))
}

fn modprobe(module: &'static str, load: bool) -> Result<StepChange, StepError> {
    let what = format!("module {module}");
    let options: &[&str] = if load { &[module] } else { &["-r", module] };
    let done = Command::new("modprobe").args(options).output();
    let refused = |error| StepError::Refused { what: what.clone(), error };
    let output = done.map_err(refused)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(refused(io::Error::other(said)));
    }
    let (before, after, undo) = match load {
        true => ("not loaded", "loaded", MachineStep::Unload { module }),
        false => ("loaded", "not loaded", MachineStep::Load { module }),
    };
    Ok(StepChange { what, before: before.into(), after: after.into(), undo: Some(undo) })
}

/// The commands that carry steps out and undo them. `pattern` stands for the paths of
/// all steps, where they are many and were all the same before.
pub(crate) fn commands(
    steps: &[MachineStep],
    pattern: Option<&str>,
) -> (Option<String>, Option<String>) {
    if steps.is_empty() {
        return (None, None);
    }
    let (mut cures, mut undoes) = (Vec::new(), Vec::new());
    for (before, after, paths) in alike(steps) {
        let paths = pattern.map_or(paths, |pattern| vec![pattern]);
        cures.push(write_command(&paths, after));
        undoes.extend(before.map(|before| write_command(&paths, before)));
    }
    for step in steps {
        let (load, unload) = match step {
            MachineStep::Write { .. } => continue,
            MachineStep::Priority { pid, before, after, .. } => (
                format!("chrt --fifo --pid {after} {pid}"),
                format!("chrt --fifo --pid {before} {pid}"),
            ),
            MachineStep::Load { module } => {
                (format!("modprobe {module}"), format!("modprobe -r {module}"))
            }
            MachineStep::Unload { module } => {
                (format!("modprobe -r {module}"), format!("modprobe {module}"))
            }
        };
        cures.push(format!("sudo {load}"));
        undoes.push(format!("sudo {unload}"));
    }
    let complete = undoes.len() == cures.len();
    (Some(cures.join(" && ")), complete.then(|| undoes.join(" && ")))
}

type Alike<'a> = (Option<&'a str>, &'a str, Vec<&'a str>);

/// Paths with the same words before and after.
fn alike(steps: &[MachineStep]) -> Vec<Alike<'_>> {
    let mut groups: Vec<Alike<'_>> = Vec::new();
    for step in steps {
        let MachineStep::Write { path, before, after } = step else { continue };
        match groups.iter_mut().find(|(b, a, _)| (*b, *a) == (before.as_deref(), after.as_str())) {
            Some((.., paths)) => paths.push(path),
            None => groups.push((before.as_deref(), after, vec![path])),
        }
    }
    groups
}

fn write_command(paths: &[&str], word: &str) -> String {
    match paths {
        [path] if path.starts_with("/proc/sys/") => {
            let name = path.trim_start_matches("/proc/sys/").replace('/', ".");
            format!("sudo sysctl -w {name}={word}")
        }
        _ => format!("echo {word} | sudo tee {}", paths.join(" ")),
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Refused { what, error } => write!(f, "{what}: {error}"),
            StepError::Kept { what, asked, got } => write!(f, "{what}: asked {asked}, still {got}"),
        }
    }
}

impl std::error::Error for StepError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_do_and_undo_and_settings_that_differ_are_undone_each() {
        let steps = [
            MachineStep::write("/sys/a", Some("powersave"), "performance"),
            MachineStep::write("/sys/b", Some("schedutil"), "performance"),
        ];
        let (cure, undo) = commands(&steps, None);
        assert_eq!(
            cure.unwrap(),
            "echo performance | sudo tee /sys/a && echo performance | sudo tee /sys/b"
        );
        assert_eq!(
            undo.unwrap(),
            "echo powersave | sudo tee /sys/a && echo schedutil | sudo tee /sys/b"
        );
    }

    #[test]
    fn a_thread_gets_its_priority_back_and_another_of_its_number_is_left_alone() {
        let (thread, pid) = ("irq/17-snd_hda".to_owned(), std::process::id());
        let steps = [MachineStep::Priority { thread, pid, before: 50, after: 85 }];
        let cure = format!("sudo chrt --fifo --pid 85 {pid}");
        let undo = format!("sudo chrt --fifo --pid 50 {pid}");
        assert_eq!(commands(&steps, None), (Some(cure), Some(undo.clone())));
        assert_eq!(undo_beforehand(&steps, &Root::system()).unwrap(), Some(undo));
        let refused = steps[0].apply(&Root::system()).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("irq/17-snd_hda: thread {pid} is now ")), "{refused}");
    }

    #[test]
    fn a_sysctl_is_written_as_one_and_what_was_not_read_cannot_be_undone() {
        let steps = [MachineStep::write("/proc/sys/vm/swappiness", None, "10")];
        assert_eq!(commands(&steps, None), (Some("sudo sysctl -w vm.swappiness=10".into()), None));
        assert_eq!(commands(&[], None), (None, None));
    }
}

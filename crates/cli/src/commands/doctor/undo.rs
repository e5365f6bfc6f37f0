//! Where the commands that undo a fix are kept: a file of their own in the user's state
//! folder, on the disk before the first setting is changed, so that a fix that is killed half
//! way leaves them behind. What the commands are is the machine's affair.

use crate::screen::say;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a file of commands; who has all rights needs no sudo, and may have none.
const RUN: &str = r#"command -v sudo >/dev/null || sudo() { "$@"; }; set -e; . "$0""#;

/// What was taken back.
#[derive(Debug, Serialize)]
pub struct Undone {
    /// The commands, which have been carried out.
    commands: Vec<String>,
    /// The file that held them, under its new name.
    kept: PathBuf,
}

impl Undone {
    pub fn show(&self) {
        self.commands.iter().for_each(say);
        say(format!("taken back; the commands are kept in {}", self.kept.display()));
    }
}

/// The newest file of a folder whose commands have not been carried out.
pub fn newest(place: &Path) -> Result<PathBuf> {
    let file = |number: u32| place.join(format!("undo-fix-{number}.sh"));
    let number = |name: &str| name.strip_prefix("undo-fix-")?.strip_suffix(".sh")?.parse().ok();
    let names = std::fs::read_dir(place).into_iter().flatten().flatten();
    let numbers = names.filter_map(|entry| number(entry.file_name().to_str()?));
    match numbers.max() {
        Some(number) => Ok(file(number)),
        None => bail!("--undo: nothing is stored in {} that --fix changed", place.display()),
    }
}

/// Carries out the commands of a file, which gets another name when all are done. Those that were
/// carried out already do no harm: each sets what it finds to what it was.
pub fn carry_out(file: &Path) -> Result<Undone> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("--undo: cannot read {}", file.display()))?;
    let done = Command::new("sh").arg("-c").arg(RUN).arg(file).output().context("--undo: sh")?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr).trim().to_owned();
        bail!("--undo: {said}; some of it may be done, run it again: sh {}", file.display());
    }
    let kept = file.with_extension("sh.done");
    std::fs::rename(file, &kept)
        .with_context(|| format!("--undo: cannot rename {}", file.display()))?;
    let commands = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
    Ok(Undone { commands: commands.collect(), kept })
}

/// The folder: `$XDG_STATE_HOME/chronotap`, else `~/.local/state/chronotap`.
pub fn place() -> Result<PathBuf> {
    match crate::data::state_folder() {
        Some(state) => Ok(state),
        None => bail!(
            "--fix: nothing was changed, for there is no place to store how to undo it; set \
             XDG_STATE_HOME to a folder that you may write to"
        ),
    }
}

/// Stores commands in a new file of the folder, and returns once they are on the disk.
pub fn store(place: &Path, commands: &str) -> Result<PathBuf> {
    let problem = || {
        format!(
            "--fix: nothing was changed, for how to undo it cannot be stored in {}; set \
             XDG_STATE_HOME to a folder that you may write to",
            place.display()
        )
    };
    write(place, commands).with_context(problem)
}

fn write(place: &Path, commands: &str) -> std::io::Result<PathBuf> {
    DirBuilder::new().recursive(true).mode(0o700).create(place)?;
    for number in 1.. {
        let path = place.join(format!("undo-fix-{number}.sh"));
        if path.with_extension("sh.done").exists() {
            continue;
        }
        // Never an old file, nor one that a link leads to.
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(mut file) => {
                writeln!(file, "# undoes what `chronotap doctor --fix` changed\n{commands}")?;
                file.sync_all()?;
                File::open(place)?.sync_all()?;
                return Ok(path);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("there are more numbers than files")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_that_was_not_taken_back_is_carried_out_once() {
        let dir = tempfile::tempdir().unwrap();
        let setting = dir.path().join("setting");
        let to = |word: &str| format!("echo {word} | tee '{}' >/dev/null", setting.display());
        let first = store(dir.path(), &to("first")).unwrap();
        let second = store(dir.path(), &to("second")).unwrap();
        assert_eq!(newest(dir.path()).unwrap(), second);
        let undone = carry_out(&second).unwrap();
        assert_eq!(std::fs::read_to_string(&setting).unwrap(), "second\n");
        assert_eq!(undone.commands, [to("second")]);
        assert_eq!(newest(dir.path()).unwrap(), first, "then the one before");
        carry_out(&first).unwrap();
        assert!(newest(dir.path()).is_err(), "nothing is left");
        assert!(store(dir.path(), "true").unwrap().ends_with("undo-fix-3.sh"));
    }

    #[test]
    fn commands_that_fail_stay_stored() {
        let dir = tempfile::tempdir().unwrap();
        let file = store(dir.path(), "false\necho never").unwrap();
        assert!(carry_out(&file).is_err());
        assert_eq!(newest(dir.path()).unwrap(), file);
    }
}

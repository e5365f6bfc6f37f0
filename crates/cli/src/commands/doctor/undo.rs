//! Where the commands that undo a fix are kept: a file of their own in the user's state
//! folder, on the disk before the first setting is changed, so that a fix that is killed half
//! way leaves them behind. What the commands are is the machine's affair.

use anyhow::{Context, Result, bail};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

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

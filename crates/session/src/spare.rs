//! Which spare folders this computer has had. A dataset does not say it, because their names are
//! nobody's business but the user's; whoever withdraws must find them all the same.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The user's folder of what programs keep: `$XDG_STATE_HOME/chronotap`, else
/// `~/.local/state/chronotap`; none where neither is set.
pub fn state_folder() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || absolute("HOME").map(|home| home.join(".local/state"));
    absolute("XDG_STATE_HOME").or_else(home).map(|state| state.join("chronotap"))
}

/// The file in the user's folder that has a spare folder in each line.
const LIST: &str = "spare-folders";

/// Remembers a folder that was given for data which theirs refuses.
///
/// # Errors
/// What the system refuses.
pub fn remember(folder: &Path) -> std::io::Result<()> {
    let (Some(state), Ok(folder)) = (state_folder(), std::path::absolute(folder)) else {
        return Ok(());
    };
    let known = listed(&state);
    if known.contains(&folder) {
        return Ok(());
    }
    chronotap_core::files::create_folder(&state)?;
    let all = known.iter().chain([&folder]).map(|path| format!("{}\n", path.display()));
    let all: String = all.collect();
    chronotap_core::files::replace(&state.join(LIST), |file| file.write_all(all.as_bytes()))
}

/// The spare folders that this user has had: the usual one, and those that were given.
pub fn known() -> Vec<PathBuf> {
    let Some(state) = state_folder() else { return Vec::new() };
    let given = listed(&state);
    [state].into_iter().chain(given).collect()
}

fn listed(state: &Path) -> Vec<PathBuf> {
    let text = chronotap_core::files::read_to_string(&state.join(LIST)).unwrap_or_default();
    text.lines().map(PathBuf::from).collect()
}

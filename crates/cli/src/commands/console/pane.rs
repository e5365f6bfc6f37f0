//! Where the pane *Try* lies, which `scripts/web.sh` makes and `cargo build` does not: beside an installed
//! program, or in the folder of a build.

use crate::screen::complain;
use std::path::{Path, PathBuf};

/// From the folder of the program.
const PLACES: [&str; 2] = ["../share/chronotap/try", "../try/made"];

/// The version of the engine in it stands there.
const VERSION: &str = "version.txt";

/// The pane beside this program. An engine of another version could answer otherwise than the program: it is
/// passed over, and that is said.
pub(super) fn beside(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let mut found = PLACES.iter().filter_map(|place| {
        let pane = folder.join(place).canonicalize().ok()?;
        let version = std::fs::read_to_string(pane.join(VERSION)).ok()?;
        Some((pane, version.trim().to_owned()))
    });
    let (pane, version) = found.next()?;
    let own = env!("CARGO_PKG_VERSION");
    if version == own {
        return Some(pane);
    }
    complain(&format!(
        "warning: {}: the engine for \"Try\" is of version {version}, the program of {own}; make it again (scripts/web.sh)",
        pane.display()
    ));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pane_of_this_version_is_found_beside_the_program_and_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("bin/chronotap");
        std::fs::create_dir(dir.path().join("bin")).unwrap();
        assert_eq!(beside(&program), None);
        let made = dir.path().join("try/made");
        std::fs::create_dir_all(&made).unwrap();
        assert_eq!(beside(&program), None, "it has no engine");
        let own = format!("{}\n", env!("CARGO_PKG_VERSION"));
        std::fs::write(made.join(VERSION), &own).unwrap();
        assert_eq!(beside(&program), Some(made.canonicalize().unwrap()));
        let installed = dir.path().join("share/chronotap/try");
        std::fs::create_dir_all(&installed).unwrap();
        std::fs::write(installed.join(VERSION), "0.0.0\n").unwrap();
        assert_eq!(beside(&program), None, "an older one was installed");
        std::fs::write(installed.join(VERSION), own).unwrap();
        assert_eq!(beside(&program), Some(installed.canonicalize().unwrap()));
    }
}

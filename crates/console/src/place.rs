//! Where the sockets of sessions are: in a folder that only this user may enter, so that
//! any console of the user finds every session of the user.
//!
//! Background: anybody may make a folder in /tmp beforehand, with any name. One that is not this
//! user's alone is never used: whoever owns it could read answers and end trials. Nor may it shut the
//! user out of their own sessions.
//! Solution: several places in one order, which is the same for every program of the user. The first
//! that is theirs alone is used, and what was passed over is said.

use rustix::fs::{FileType, Mode, lstat};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Why a folder is not used for sockets.
#[derive(Debug, thiserror::Error)]
pub enum SocketFolderError {
    /// The folder, or the one around it, may be changed by others. Remove it, or set
    /// XDG_RUNTIME_DIR.
    #[error("{}: not a folder of yours alone (owner you, mode 700, no link, in a folder that nobody else may change)", path.display())]
    NotYours { path: PathBuf },
    /// A socket's name would be longer than the system takes. Set XDG_RUNTIME_DIR.
    #[error("{}: too long for the name of a socket", path.display())]
    Long { path: PathBuf },
    /// The system refused. Its words say why.
    #[error("{}: {source}; the folder for the sockets of sessions cannot be made there", path.display())]
    System { path: PathBuf, source: io::Error },
    /// No place can be used. Cure one of them.
    #[error("no folder for the sockets of sessions can be used:{}", listed(refused))]
    Nowhere {
        /// Why each is not.
        refused: Vec<SocketFolderError>,
    },
}

fn listed(refused: &[SocketFolderError]) -> String {
    refused.iter().map(|error| format!("\n  {error}")).collect()
}

/// The folder for sockets.
#[derive(Debug)]
pub struct RuntimeFolder {
    /// It; this user's alone.
    pub path: PathBuf,
    /// What comes before it in the order, and why it is not used.
    pub refused: Vec<SocketFolderError>,
}

/// The folder, made where it is missing: `chronotap` in $XDG_RUNTIME_DIR, else in the system's
/// folder for what the user runs, else in the user's state folder, else one in /tmp with the
/// user's number.
///
/// # Errors
/// [`SocketFolderError::Nowhere`].
pub fn runtime_folder() -> Result<RuntimeFolder, SocketFolderError> {
    first_of(places())
}

/// The places in their order. Those in /tmp come last: only there somebody else can be first.
fn places() -> impl Iterator<Item = PathBuf> {
    let user = rustix::process::getuid().as_raw();
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = Some(PathBuf::from(format!("/run/user/{user}"))).filter(|path| path.is_dir());
    let runtime = absolute("XDG_RUNTIME_DIR").or(usual).map(|path| path.join("chronotap"));
    let home = || absolute("HOME").map(|home| home.join(".local/state"));
    let state = absolute("XDG_STATE_HOME").or_else(home).filter(|path| is_there(path));
    let state = state.map(|path| path.join("chronotap/sockets"));
    let last = PathBuf::from(format!("/tmp/chronotap-{user}"));
    let others = (1..10).map(move |n| PathBuf::from(format!("/tmp/chronotap-{user}-{n}")));
    runtime.into_iter().chain(state).chain([last]).chain(others)
}

/// Whether it is a folder, or can be made in the home that is there.
fn is_there(state: &Path) -> bool {
    state.ancestors().take(3).any(Path::is_dir)
}

fn first_of(places: impl Iterator<Item = PathBuf>) -> Result<RuntimeFolder, SocketFolderError> {
    let mut refused = Vec::new();
    for path in places {
        match private_folder(&path) {
            Ok(()) => return Ok(RuntimeFolder { path, refused }),
            Err(error) => refused.push(error),
        }
    }
    Err(SocketFolderError::Nowhere { refused })
}

/// Bytes of the name of a socket, with the end that the system needs.
const LONGEST: usize = 107;

/// Makes a folder for this user alone, or sees that one that is there is that.
fn private_folder(path: &Path) -> Result<(), SocketFolderError> {
    let refused = |source: io::Error| SocketFolderError::System { path: path.to_owned(), source };
    let name = path.join("session-4294967295.opening");
    if name.as_os_str().as_bytes().len() > LONGEST {
        return Err(SocketFolderError::Long { path: path.to_owned() });
    }
    let above = path.parent().unwrap_or(Path::new("/"));
    if path.ends_with("chronotap/sockets") {
        chronotap_core::files::create_folder(above).map_err(refused)?; // the data that found no other place are there, too
    }
    match std::fs::DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(refused(error)),
    }
    match is_safe(above).and_then(|above| Ok(above && is_mine_alone(path)?)).map_err(refused)? {
        true => Ok(()),
        false => Err(SocketFolderError::NotYours { path: path.to_owned() }),
    }
}

/// Whether it is a folder of this user's that nobody else may enter, and no link to one.
fn is_mine_alone(path: &Path) -> io::Result<bool> {
    let found = lstat(path)?;
    let others = Mode::from_raw_mode(found.st_mode) & Mode::from_raw_mode(0o077);
    let mine = found.st_uid == rustix::process::getuid().as_raw();
    Ok(FileType::from_raw_mode(found.st_mode).is_dir() && mine && others.is_empty())
}

/// Whether nobody but this user and the system can put something else in the place of what is in
/// this folder: it is theirs, and if others may write there, each only their own (as in /tmp).
fn is_safe(above: &Path) -> io::Result<bool> {
    let found = rustix::fs::stat(above)?;
    let mode = Mode::from_raw_mode(found.st_mode);
    let theirs = [0, rustix::process::getuid().as_raw()].contains(&found.st_uid);
    let closed = (mode & Mode::from_raw_mode(0o022)).is_empty();
    Ok(theirs && (closed || mode.contains(Mode::SVTX)))
}

/// The name of a new session's socket in this folder: the process number tells sessions apart.
pub fn session_socket(folder: &Path) -> PathBuf {
    folder.join(format!("session-{}.socket", std::process::id()))
}

/// The number of a session by the name of its socket; `None` where it is no such name.
pub(crate) fn number_of(name: &str) -> Option<u32> {
    name.strip_prefix("session-")?.strip_suffix(".socket")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// The place that is found where this one is the first of two.
    fn found_beside(first: &Path) -> RuntimeFolder {
        let second = first.with_file_name("second");
        let found = first_of([first.to_owned(), second.clone()].into_iter()).unwrap();
        let again = first_of([first.to_owned(), second].into_iter()).unwrap();
        assert_eq!(found.path, again.path, "sessions and consoles find the same");
        found
    }

    fn assert_passed_over(first: &Path) {
        let found = found_beside(first);
        assert!(found.path.ends_with("second"), "{found:?}");
        let first = first.display().to_string();
        assert!(
            matches!(&found.refused[..], [one] if one.to_string().contains(&first)),
            "{found:?}"
        );
    }

    #[test]
    fn a_folder_of_ones_own_is_used_and_nothing_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let found = found_beside(&dir.path().join("sockets"));
        assert!(found.path.ends_with("sockets") && found.refused.is_empty());
    }

    #[test]
    fn a_folder_that_others_may_enter_is_passed_over_and_said() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sockets");
        std::fs::create_dir(&path).unwrap();
        for mode in [0o755, 0o770, 0o701] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            assert_passed_over(&path);
        }
    }

    #[test]
    fn a_link_a_file_and_a_name_that_is_too_long_are_passed_over_and_said() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        private_folder(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert_passed_over(&link);
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_passed_over(&file);
        assert_passed_over(&dir.path().join("x".repeat(LONGEST)));
    }

    #[test]
    fn a_folder_that_somebody_else_made_beforehand_is_passed_over_and_said() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sockets");
        private_folder(&path).unwrap();
        if std::os::unix::fs::chown(&path, Some(12_345), None).is_err() {
            return chronotap_testkit::pass_over("only root can give a folder to another user");
        }
        assert_passed_over(&path);
    }

    #[test]
    fn a_folder_whose_name_others_may_give_to_another_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let open = dir.path().join("open");
        std::fs::create_dir(&open).unwrap();
        let mode = |mode| std::fs::set_permissions(&open, std::fs::Permissions::from_mode(mode));
        mode(0o777).unwrap();
        assert!(matches!(
            private_folder(&open.join("mine")),
            Err(SocketFolderError::NotYours { .. })
        ));
        mode(0o1777).unwrap(); // as /tmp is: each may remove only their own
        assert!(private_folder(&open.join("mine")).is_ok());
    }

    #[test]
    fn where_no_place_can_be_used_each_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let places = ["one", "two"].map(|name| dir.path().join(name));
        places.iter().for_each(|path| std::fs::write(path, "").unwrap());
        let said = first_of(places.into_iter()).unwrap_err().to_string();
        assert!(said.contains("/one: ") && said.contains("/two: "), "{said}");
    }

    #[test]
    fn only_sockets_of_sessions_have_a_number() {
        assert_eq!(number_of("session-42.socket"), Some(42));
        assert_eq!(number_of("session-../x.socket"), None);
        assert_eq!(number_of("other"), None);
    }
}

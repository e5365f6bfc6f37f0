//! Where the sockets of sessions are: in a folder that only this user may enter, so that
//! any console of the user finds every session of the user.

use rustix::fs::{Mode, stat};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Why there is no folder for sockets.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The folder is not this user's alone. Remove it, or set XDG_RUNTIME_DIR.
    #[error("{}: not a folder of yours alone (owner you, mode 700); remove it, or set XDG_RUNTIME_DIR", path.display())]
    NotYours {
        /// The folder.
        path: PathBuf,
    },
    /// The system refused. Its words say why.
    #[error("{}: {source}; the folder for the sockets of sessions cannot be made there", path.display())]
    System {
        /// The folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

/// The folder, made where it is missing: `chronotap` in $XDG_RUNTIME_DIR, else one in /tmp
/// with the user's number.
///
/// # Errors
/// [`PlaceError`].
pub fn runtime_folder() -> Result<PathBuf, PlaceError> {
    let user = rustix::process::getuid();
    let path = match std::env::var_os("XDG_RUNTIME_DIR").filter(|dir| Path::new(dir).is_dir()) {
        Some(dir) => PathBuf::from(dir).join("chronotap"),
        None => PathBuf::from(format!("/tmp/chronotap-{}", user.as_raw())),
    };
    private_folder(&path)?;
    Ok(path)
}

/// Makes a folder for this user alone, or sees that one that is there is that.
fn private_folder(path: &Path) -> Result<(), PlaceError> {
    let refused = |source: io::Error| PlaceError::System { path: path.to_owned(), source };
    match std::fs::DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(refused(error)),
    }
    let is_link = std::fs::symlink_metadata(path).map_err(refused)?.file_type().is_symlink();
    let found = stat(path).map_err(|errno| refused(errno.into()))?;
    let others = Mode::from_raw_mode(found.st_mode) & Mode::from_raw_mode(0o077);
    let mine = found.st_uid == rustix::process::getuid().as_raw();
    match mine && others.is_empty() && !is_link {
        true => Ok(()),
        false => Err(PlaceError::NotYours { path: path.to_owned() }),
    }
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

    #[test]
    fn a_folder_that_others_may_enter_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sockets");
        private_folder(&path).unwrap();
        private_folder(&path).unwrap(); // the second time it is there
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(private_folder(&path), Err(PlaceError::NotYours { .. })));
    }

    #[test]
    fn a_link_to_a_folder_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        private_folder(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(matches!(private_folder(&link), Err(PlaceError::NotYours { .. })));
    }

    #[test]
    fn only_sockets_of_sessions_have_a_number() {
        assert_eq!(number_of("session-42.socket"), Some(42));
        assert_eq!(number_of("session-../x.socket"), None);
        assert_eq!(number_of("other"), None);
    }
}

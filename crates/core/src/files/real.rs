//! [`real`]: where a file or folder is, all links followed.
//!
//! Background: not every disk of Windows can say it. Drivers of disks in memory answer ERROR_INVALID_FUNCTION
//! (rust-lang/rust issue 79449), and wine has room for 260 characters and answers ERROR_MORE_DATA of a longer path.
//! Solution: there the folder above is asked, and then the one above that. What stands behind may be no link, since
//! nobody says where it leads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where this is. Of two names for one place it gives the same.
///
/// # Errors
/// What the system refuses; a link on a disk that cannot say where it leads.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    real_by(path, &|path| fs::canonicalize(path), is_unanswered)
}

/// ERROR_INVALID_FUNCTION and ERROR_MORE_DATA of Windows (winerror.h).
fn is_unanswered(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(1 | 234))
}

fn real_by(
    path: &Path,
    ask: &impl Fn(&Path) -> io::Result<PathBuf>,
    is_unanswered: fn(&io::Error) -> bool,
) -> io::Result<PathBuf> {
    match ask(path) {
        Err(error) if is_unanswered(&error) => {}
        answer => return answer,
    }
    let whole = std::path::absolute(path)?;
    let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else { return Ok(whole) };
    if fs::symlink_metadata(&whole)?.is_symlink() {
        return Err(io::Error::other("it is a link, and this disk cannot say where it leads"));
    }
    Ok(real_by(folder, ask, is_unanswered)?.join(name))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// As a disk says it that has no answer where a path has more than so many parts.
    fn told(path: &Path, parts: usize) -> io::Result<PathBuf> {
        let ask = |path: &Path| match path.components().count() > parts {
            true => Err(io::ErrorKind::Unsupported.into()),
            false => fs::canonicalize(path),
        };
        real_by(path, &ask, |error| error.kind() == io::ErrorKind::Unsupported)
    }

    #[test]
    fn where_a_disk_has_no_answer_the_folders_above_have_it() {
        let dir = tempfile::tempdir().unwrap();
        let own = fs::canonicalize(dir.path()).unwrap();
        let deep = own.join("a/b/c");
        fs::create_dir_all(&deep).unwrap();
        std::os::unix::fs::symlink(own.join("a"), own.join("link")).unwrap();
        let here = own.components().count();
        for answered in [0, 1, here, here + 1, here + 2, here + 3] {
            assert_eq!(told(&deep, answered).unwrap(), deep, "{answered}");
        }
        assert_eq!(told(&own.join("link/b/c"), here + 1).unwrap(), deep);
    }

    #[test]
    fn a_link_that_nobody_follows_and_what_is_not_there_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let own = fs::canonicalize(dir.path()).unwrap();
        fs::create_dir(own.join("a")).unwrap();
        std::os::unix::fs::symlink(own.join("a"), own.join("link")).unwrap();
        let here = own.components().count();
        let refused = |name: &str| told(&own.join(name), here).unwrap_err();
        assert!(refused("link").to_string().starts_with("it is a link"));
        assert_eq!(refused("nothing").kind(), io::ErrorKind::NotFound);
    }
}

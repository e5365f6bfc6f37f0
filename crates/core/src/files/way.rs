//! [`Way`]: the way to a folder, as it was when somebody began to write there.
//!
//! Background: whoever may write beside a folder can move it away in the middle of a session and
//! put a link in its place; what is written then goes wherever the link leads.
//! Solution: it is remembered where the folder and all above it really are. Before anything is
//! written the way is looked at again. A link that was there from the beginning may stay.

use crate::files::Disk;
use std::fmt;
use std::path::{Path, PathBuf};

/// The folders on a way, from the top, and where each really was.
#[derive(Clone, Debug, Default)]
pub struct Way(Vec<(PathBuf, PathBuf)>);

/// Something else has taken the place of a folder. Put the folder back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherFolder {
    pub path: PathBuf,
}

impl fmt::Display for OtherFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        write!(
            f,
            "{path}: something else has taken the place of this folder, such as a link, and nothing is written there"
        )
    }
}

impl std::error::Error for OtherFolder {}

impl Way {
    /// The way to a folder as it is now.
    pub fn to<D: Disk>(disk: &D, folder: &Path) -> Way {
        let named = |above: &&Path| !above.as_os_str().is_empty();
        let real = |above: &Path| Some((above.to_owned(), disk.real(above).ok()?));
        let mut all: Vec<_> = folder.ancestors().filter(named).filter_map(real).collect();
        all.reverse();
        Way(all)
    }

    /// Looks whether it is still the same. Folders that are gone are none that could lead elsewhere.
    ///
    /// # Errors
    /// [`OtherFolder`]: the first that is not.
    pub fn look<D: Disk>(&self, disk: &D) -> Result<(), OtherFolder> {
        let other = |(path, real): &&(PathBuf, PathBuf)| {
            disk.is_there(path) && disk.real(path).ok().as_ref() != Some(real)
        };
        match self.0.iter().find(other) {
            Some((path, _)) => Err(OtherFolder { path: path.clone() }),
            None => Ok(()),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::files::System;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_that_takes_the_place_of_a_folder_is_seen_and_one_from_the_beginning_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let (root, moved) = (dir.path().join("d"), dir.path().join("moved"));
        fs::create_dir_all(root.join("a/b")).unwrap();
        let linked = dir.path().join("linked");
        symlink(&root, &linked).unwrap();
        for top in [&root, &linked] {
            let way = Way::to(&System, &top.join("a/b"));
            assert_eq!(way.look(&System), Ok(()));
            for folder in ["a", "a/b"] {
                fs::rename(root.join(folder), &moved).unwrap();
                assert_eq!(way.look(&System), Ok(()), "it is gone, and nothing stands there");
                for end in [moved.as_path(), &dir.path().join("nowhere"), dir.path()] {
                    symlink(end, root.join(folder)).unwrap();
                    let path = top.join(folder);
                    assert_eq!(way.look(&System), Err(OtherFolder { path }));
                    fs::remove_file(root.join(folder)).unwrap();
                }
                fs::rename(&moved, root.join(folder)).unwrap();
            }
            assert_eq!(way.look(&System), Ok(()));
        }
    }
}

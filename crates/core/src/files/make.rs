//! [`create_new`] and [`create_folder`]: what the program makes belongs to the laboratory.
//! Owner and group may read it and nobody else, whatever the umask would allow beyond.

use super::device::is_device;
use std::ffi::OsStr;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a file to be written and read. A name that is taken is refused, also where it is a
/// link that leads nowhere; no link is followed.
///
/// # Errors
/// Where the name is taken ([`io::ErrorKind::AlreadyExists`]), or the system refuses.
pub fn create_new(path: &Path) -> io::Result<File> {
    refuse_special(path, cfg!(windows))?;
    for_the_laboratory(File::options().read(true).write(true)).open(path)
}

/// The same, but everything written goes to the end of the file.
///
/// # Errors
/// As [`create_new`].
pub fn create_to_append(path: &Path) -> io::Result<File> {
    refuse_special(path, cfg!(windows))?;
    for_the_laboratory(File::options().read(true).append(true)).open(path)
}

/// Makes a folder and those above it, where they are missing. The names of those that it makes
/// are on the disk when it returns: what is kept in a folder is lost with the folder's name.
///
/// # Errors
/// Where something else has the name, or the system refuses.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.is_dir()).collect();
    create_folder_unsynced(path)?;
    for above in missing.iter().rev().filter_map(|folder| folder.parent()) {
        // Some file systems cannot sync a folder; then the name is kept as they keep names.
        let _ = crate::files::sync_folder(above);
    }
    Ok(())
}

/// The same, but the system writes the names when it likes.
///
/// # Errors
/// As [`create_folder`].
pub fn create_folder_unsynced(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o750);
    builder.create(path)
}

/// Makes the names in a folder durable; "" is the current one.
///
/// # Errors
/// Where the system refuses.
#[cfg(unix)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(here_if_empty(folder))?.sync_all()
}

/// Elsewhere a folder cannot be synced: NTFS writes names into its own journal, in their order, when it likes.
///
/// # Errors
/// Where there is none.
#[cfg(not(unix))]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    std::fs::metadata(here_if_empty(folder)).map(drop)
}

fn here_if_empty(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// What Windows takes for something else than a file: what stands behind a colon would go into the file before it,
/// where no program shows it, and the name of a device leads to that.
pub(super) fn refuse_special(path: &Path, on_windows: bool) -> io::Result<()> {
    let Some(name) = path.file_name().filter(|_| on_windows).map(OsStr::to_string_lossy) else {
        return Ok(());
    };
    let refused = |why: String| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    if name.contains(':') {
        return refused("on Windows no name of a file has a colon".to_owned());
    }
    if is_device(&name) {
        return refused(format!("on Windows {name} is the name of a device"));
    }
    Ok(())
}

fn for_the_laboratory(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o640);
    options.create_new(true)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// What others than owner and group may do.
    fn others(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o027
    }

    #[test]
    fn files_and_folders_are_for_owner_and_group_alone() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a/b");
        create_folder_unsynced(&folder).unwrap();
        create_folder(&folder).unwrap();
        create_folder(&folder.join("c")).unwrap();
        assert_eq!(others(&folder.join("c")), 0);
        assert_eq!((others(&dir.path().join("a")), others(&folder)), (0, 0));
        for (name, make) in [("x", create_new as fn(&Path) -> _), ("y", create_to_append)] {
            make(&folder.join(name)).unwrap();
            assert_eq!(others(&folder.join(name)), 0);
        }
    }

    #[test]
    fn a_colon_in_the_name_of_a_file_is_refused_on_windows_alone() {
        let refused = |path: &str, on_windows| refuse_special(Path::new(path), on_windows).is_err();
        assert!(refused("data/tempo:fast_run-01_events.tsv", true));
        assert!(!refused("data/tempo:fast_run-01_events.tsv", false));
        assert!(!refused("C:/data/tempo_run-01_events.tsv", true), "that of a drive");
    }

    #[test]
    fn the_name_of_a_device_is_refused_on_windows_alone() {
        let refused = |path: &str, on_windows| refuse_special(Path::new(path), on_windows).is_err();
        for device in ["aux", "data/NUL.tsv", "Com1", "LPT².txt", "con .json"] {
            assert!(refused(device, true) && !refused(device, false), "{device}");
        }
        for file in ["auxiliary", "com10", "aux/trial.tsv", "the aux.tsv", "com"] {
            assert!(!refused(file, true), "{file}");
        }
    }

    #[test]
    fn no_file_is_made_at_the_end_of_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let (link, end) = (dir.path().join("link"), dir.path().join("end"));
        symlink(&end, &link).unwrap();
        let refused = create_new(&link).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert!(!end.exists());
    }
}

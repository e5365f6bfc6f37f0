//! [`open`]: a file to be read, and only a file. A pipe would make the program wait for
//! whoever writes into it, a device may do something when it is opened, and a folder holds
//! no bytes: all are refused with what they are. A link to a file is as good as the file.

use super::patience::patiently_open;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens a file to read it.
///
/// # Errors
/// Where it is no file, or the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    refuse_others(fs::metadata(path)?.file_type())?;
    // Something else may have taken its place meanwhile.
    let file = patiently_open(|| without_waiting(File::options().read(true)).open(path))?;
    refuse_others(file.metadata()?.file_type())?;
    Ok(file)
}

/// Opens a file that is there to write at its end. A link is not followed, whether by name or a
/// second name of another file: who owns the folder may have put it there, and the program may run
/// with other rights.
///
/// # Errors
/// Where it is a link or no file, or the system refuses.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    let named = fs::symlink_metadata(path)?;
    if named.is_symlink() {
        return Err(linked());
    }
    refuse_others(named.file_type())?;
    let opened = || without_waiting(File::options().read(true).append(true)).open(path);
    let file = patiently_open(opened)?;
    // Something else may have taken its place meanwhile; nothing is written to it.
    let found = file.metadata()?;
    refuse_others(found.file_type())?;
    if is_the_same_and_alone(&named, &found) { Ok(file) } else { Err(linked()) }
}

fn linked() -> io::Error {
    io::Error::other(
        "it is a link, or a file that has another name too; put a copy of its own in its place",
    )
}

#[cfg(unix)]
fn is_the_same_and_alone(named: &fs::Metadata, found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (named.dev(), named.ino(), 1) == (found.dev(), found.ino(), found.nlink())
}

#[cfg(not(unix))]
fn is_the_same_and_alone(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// All bytes of a file.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
/// As [`open`], and [`crate::files::NotUtf8`] where it is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    crate::files::text_of(read(path)?)
}

/// Whether the name is taken, be it by a link that leads nowhere.
pub fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn refuse_others(kind: FileType) -> io::Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    let what = if kind.is_dir() { "a folder" } else { special(kind) };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a file")))
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "something else"
}

/// Opening a pipe waits for nobody with O_NONBLOCK (`asm-generic/fcntl.h`, which these
/// processors follow); a file is read as always.
#[cfg(all(
    target_os = "linux",
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "riscv64"
    )
))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, 0o4000)
}

/// Elsewhere only the look beforehand keeps pipes out.
#[cfg(not(all(
    target_os = "linux",
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "riscv64"
    )
)))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    #[test]
    fn whatever_is_no_file_is_refused_at_once_by_what_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let (pipe, socket) = (dir.path().join("pipe"), dir.path().join("socket"));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _listener = UnixListener::bind(&socket).unwrap();
        let all = [(pipe.as_path(), "a pipe"), (&socket, "a socket"), (dir.path(), "a folder")];
        for (path, what) in all {
            assert_eq!(open(path).unwrap_err().to_string(), format!("it is {what}, not a file"));
        }
        // What changes between the look and the opening does not make it wait either.
        let opened = without_waiting(File::options().read(true)).open(&pipe).unwrap();
        assert!(refuse_others(opened.metadata().unwrap().file_type()).is_err());
    }

    #[test]
    fn a_link_to_a_file_is_read_and_one_that_leads_nowhere_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(is_there(&link) && open(&link).is_err());
        fs::write(&file, "text").unwrap();
        assert_eq!(
            (read_to_string(&link).unwrap().as_str(), read(&link).unwrap().len()),
            ("text", 4)
        );
    }
}

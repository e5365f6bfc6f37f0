//! [`is_dropping`]: what systems and other programs leave beside files, unasked: a Mac a `._NAME` for each file
//! on a disk that is none of its own, Windows a `Thumbs.db`, NFS a `.nfs…` for a file that is removed while open.
//! Whoever reads data passes it over. A copy of a file is none, whoever made it: it holds data.

use std::ffi::OsStr;

/// What the names begin with.
const BEGIN: [&str; 14] = [
    "._", // macOS: what of a file the disk cannot keep, in the format AppleDouble
    ".DS_Store",
    ".Spotlight-",
    ".Trash", // macOS, and `.Trash-1000` of Linux
    ".fseventsd",
    ".TemporaryItems",
    ".apdisk",
    ".nfs",         // of NFS
    ".fuse_hidden", // of FUSE
    ".~lock.",      // of LibreOffice
    "~$",           // of Office
    ".syncthing.",
    "~syncthing~",
    ".dropbox",
];

/// Whole names; those of Windows differ in case at times.
const WHOLE: [&str; 12] = [
    "__macosx",
    "icon\r",
    "thumbs.db",
    "ehthumbs.db",
    "desktop.ini",
    "$recycle.bin",
    "system volume information",
    "lost+found",
    "@eadir", // of Synology
    "#recycle",
    ".stfolder",
    ".stversions",
];

/// Whether a file or folder of this name is what a system or another program left beside data.
pub fn is_dropping(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let lower = || name.to_ascii_lowercase();
    let editor = || name.ends_with('~') || name.starts_with('.') && name.ends_with(".swp");
    BEGIN.iter().any(|start| name.starts_with(start)) || WHOLE.contains(&&*lower()) || editor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_systems_leave_is_known_and_a_copy_is_none_of_it() {
        for name in [
            "._sub-01_task-two_beh.tsv",
            ".DS_Store",
            "Thumbs.db",
            "Desktop.ini",
            "~$sub-01_task-two_beh.tsv",
            ".nfs0000000004a3",
            ".fuse_hidden0000001200000001",
            ".~lock.participants.tsv#",
            "participants.tsv~",
            ".participants.tsv.swp",
            "~syncthing~participants.tsv.tmp",
            "__MACOSX",
        ] {
            assert!(is_dropping(OsStr::new(name)), "{name}");
        }
        for name in [
            "Copy of participants.tsv",
            "participants.sync-conflict-20260101-120000-ABCDEFG.tsv",
            "participants (Anna's conflicted copy 2026-01-01).tsv",
            ".bidsignore",
            "sub-01_task-two_run-01.journal",
        ] {
            assert!(!is_dropping(OsStr::new(name)), "{name}");
        }
    }
}

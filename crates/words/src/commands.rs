//! What several commands say of the files that they are told to write, each sentence once.

use chronotap_session::pack::BadName;
use std::path::Path;

/// A share was begun and not finished.
pub const NO_SHARE: &str = "interrupted: no share was written";

/// Results of a test that no JSON can hold.
pub const NO_JSON: &str = "cannot write the results as JSON";

/// What `option` names cannot be written.
pub fn cannot_write_to(option: &str, path: &Path) -> String {
    format!("{option} {}: cannot be written", path.display())
}

/// The file that `option` names exists, and none is replaced.
pub fn is_there_already(option: &str, path: &Path) -> String {
    format!("{option}: {} is there already; name another file", path.display())
}

/// A folder below the one that `option` names cannot be made.
pub fn cannot_make_folder_in(option: &str, folder: &Path) -> String {
    format!("{option} {}: cannot make the folder", folder.display())
}

/// A folder that the command chose, or that was named without an option, cannot be made.
pub fn cannot_make_folder(folder: &Path) -> String {
    format!("{}: the folder cannot be made", folder.display())
}

/// A file of somebody who withdrew meanwhile has to go, and the system keeps it.
pub fn cannot_remove(path: &Path) -> String {
    format!("{}: cannot be removed; remove it", path.display())
}

/// Where a folder is asked for, the name of a file is given.
pub fn folder_named_as_a_file(to: &Path, format: &str) -> String {
    let (to, folder) = (to.display(), to.with_extension(""));
    format!(
        "--to {to}: the folder for the files, and this is the name of a file; write --as {format} --to {}",
        folder.display()
    )
}

/// Nobody is left of whom a table could be written.
pub fn nothing_left_to_export(table: &Path) -> String {
    format!("{}: whoever is in it withdrew, so nothing is left to export", table.display())
}

/// The pack that is to be opened is not there.
pub fn no_such_pack(pack: &Path, meant: Option<&str>) -> String {
    let cure = meant
        .map_or_else(|| "check the path".to_owned(), |meant| format!("did you mean \"{meant}\"?"));
    format!("{}: there is no such file; {cure}", pack.display())
}

/// Another program has made a folder of the pack.
pub fn unpacked_already(folder: &Path) -> String {
    format!(
        "{}: it is a folder; give the file that was sent, without unpacking it: only so everything is compared",
        folder.display()
    )
}

/// A pack that was opened here, and that nobody can open on Windows.
pub fn not_on_windows(name: &str, why: BadName) -> String {
    format!(
        "\"{name}\": {why}, so that nobody can open this pack there; rename the file and pack it again"
    )
}

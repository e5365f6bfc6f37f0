//! [`probably_meant`]: the file that somebody meant by a name that no file has.

use crate::text::nearest;
use std::path::{Path, is_separator};

/// The name of a file that is there and is like this one, which is not: in the folder that the name leads to, or else
/// in `from`, where it begins.
pub fn probably_meant(from: &Path, name: &str) -> Option<String> {
    let own = name.rfind(is_separator).map_or(0, |at| at + 1); // `\` is one on Windows, and one byte as `/`
    let (way, own) = name.split_at(own);
    let there = like(own, &names_in(&from.join(way))).map(|found| format!("{way}{found}"));
    there.or_else(|| like(own, &names_in(from)).filter(|_| !way.is_empty()))
}

/// Endings are no likeness: `a.toml` is not meant by `b.toml`.
fn like(name: &str, names: &[String]) -> Option<String> {
    let split =
        |name: &'_ str| name.rsplit_once('.').map(|(stem, end)| (stem.to_owned(), end.to_owned()));
    let ending = split(name);
    let alike = names.iter().filter(|other| match (&ending, split(other)) {
        (Some((stem, end)), Some((other, its))) if *end == its => {
            nearest(stem, [&*other]).is_some()
        }
        _ => true,
    });
    nearest(name, alike.map(String::as_str)).map(str::to_owned)
}

fn names_in(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    // a link that leads nowhere is no file that could be meant
    let files = files.filter(|item| item.path().metadata().is_ok_and(|kind| !kind.is_dir()));
    let mut names: Vec<String> =
        files.filter_map(|item| item.file_name().into_string().ok()).collect();
    names.sort(); // folders have no order, and the first of two that are equally near is named
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_there_leads_to_the_one_that_is_like_it() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("trials")).unwrap();
        for file in ["sync.toml", "study.toml", "a.toml", "trials/practice.toml", "welcome.md"] {
            std::fs::write(dir.path().join(file), "").unwrap();
        }
        for (name, meant) in [
            ("snyc.toml", Some("sync.toml")),
            ("sync", Some("sync.toml")),
            ("Sync.TOML", Some("sync.toml")),
            ("sync.tolm", Some("sync.toml")),
            ("welcome.txt", Some("welcome.md")),
            ("trials/pratice.toml", Some("trials/practice.toml")),
            ("trials/sync.toml", Some("sync.toml")),
            ("nowhere/syn.toml", Some("sync.toml")),
            ("b.toml", None),
            ("quite-another.toml", None),
            ("", None),
        ] {
            assert_eq!(probably_meant(dir.path(), name).as_deref(), meant, "{name}");
        }
        assert_eq!(probably_meant(Path::new("/nowhere"), "sync.toml"), None);
    }
}

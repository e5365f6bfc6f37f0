//! [`Root`]: the directory below which /proc, /sys, /dev and /etc are read.
//!
//! On a real machine it is `/`; in tests it is a directory that looks like some
//! other machine. Every reader says `None` for what is missing, unreadable or not
//! understood: unknown is an answer, a guess is not.

use rustix::fs::{Access, access};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where a machine is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    path: PathBuf,
}

/// Nothing that is read here is longer; a file that is, is cut.
const LONGEST: u64 = 4 * 1024 * 1024;

impl Root {
    /// The machine that this program runs on.
    pub fn system() -> Root {
        Root::at("/")
    }

    /// A directory that holds `proc`, `sys`, `dev` and `etc`, or some of them.
    pub fn at(path: impl Into<PathBuf>) -> Root {
        Root { path: path.into() }
    }

    /// Whether this is the running machine, so that it can be asked by system calls.
    pub fn is_system(&self) -> bool {
        self.path == Path::new("/")
    }

    /// Where an absolute path lies below the root.
    pub fn resolve(&self, path: &str) -> PathBuf {
        self.path.join(path.trim_start_matches('/'))
    }

    /// All of a file, as it is.
    pub(crate) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        use std::io::Read;
        let file = std::fs::File::open(self.resolve(path)).ok()?;
        let mut bytes = Vec::new();
        file.take(LONGEST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// All of a file as text.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&self.bytes(path)?).into_owned())
    }

    /// The first line of a file without the space around it; `None` where it is empty.
    pub(crate) fn line(&self, path: &str) -> Option<String> {
        let text = self.text(path)?;
        let line = text.lines().next()?.trim_matches(|c: char| c == '\0' || c.is_whitespace());
        (!line.is_empty()).then(|| line.to_owned())
    }

    /// The words of the first line.
    pub(crate) fn words(&self, path: &str) -> Option<Vec<String>> {
        Some(self.line(path)?.split_whitespace().map(str::to_owned).collect())
    }

    /// The first line as a number.
    pub(crate) fn number<N: FromStr>(&self, path: &str) -> Option<N> {
        self.line(path)?.parse().ok()
    }

    /// The first line as a switch: `1`, `Y` or `y` is on; `0`, `N` or `n` off.
    pub(crate) fn switch(&self, path: &str) -> Option<bool> {
        match self.line(path)?.as_str() {
            "1" | "Y" | "y" => Some(true),
            "0" | "N" | "n" => Some(false),
            _ => None,
        }
    }

    /// The word in brackets, as in `always [madvise] never`; where there is only one
    /// word, that one.
    pub(crate) fn chosen(&self, path: &str) -> Option<String> {
        chosen(&self.line(path)?)
    }

    /// The names in a directory, numbers in them in numeric order.
    pub(crate) fn names(&self, path: &str) -> Option<Vec<String>> {
        let entries = std::fs::read_dir(self.resolve(path)).ok()?;
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort_by_cached_key(|name| in_order(name));
        Some(names)
    }

    /// Those of the names that are `prefix` and a number.
    pub(crate) fn numbered(&self, path: &str, prefix: &str) -> Option<Vec<(u32, String)>> {
        let number = |name: &String| name.strip_prefix(prefix)?.parse().ok();
        let names = self.names(path)?;
        Some(names.into_iter().filter_map(|name| Some((number(&name)?, name))).collect())
    }

    /// The first lines of the files in a directory, by name; empty ones left out.
    pub(crate) fn lines(&self, path: &str) -> Option<BTreeMap<String, String>> {
        let line = |name: String| Some((name.clone(), self.line(&format!("{path}/{name}"))?));
        Some(self.names(path)?.into_iter().filter_map(line).collect())
    }

    /// Where a symbolic link points to.
    pub(crate) fn link(&self, path: &str) -> Option<String> {
        std::fs::read_link(self.resolve(path)).ok()?.into_os_string().into_string().ok()
    }

    /// Whether there is anything by this name.
    pub(crate) fn exists(&self, path: &str) -> bool {
        std::fs::symlink_metadata(self.resolve(path)).is_ok()
    }

    /// Whether this user may read it.
    pub(crate) fn may_read(&self, path: &str) -> bool {
        access(self.resolve(path), Access::READ_OK).is_ok()
    }

    /// Whether this user may write to it.
    pub(crate) fn may_write(&self, path: &str) -> bool {
        access(self.resolve(path), Access::WRITE_OK).is_ok()
    }
}

/// The word in brackets, or the only word.
pub(crate) fn chosen(line: &str) -> Option<String> {
    let between = |open, close| Some(line.split_once(open)?.1.split_once(close)?.0.trim());
    let only = || Some(line.trim()).filter(|line| !line.contains(' '));
    between('[', ']').or_else(|| between('(', ')')).or_else(only).map(str::to_owned)
}

/// Sorts `cpu10` after `cpu9`: by the text before the first number, then by it.
fn in_order(name: &str) -> (String, u64, String) {
    let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let (text, rest) = name.split_at(digits);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (text.to_owned(), rest[..end].parse().unwrap_or(0), rest[end..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_empty_or_no_number_is_unknown() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("a"), " 12 \nrest").unwrap();
        std::fs::write(place.path().join("b"), "\n").unwrap();
        let root = Root::at(place.path());
        assert_eq!(root.number::<u32>("/a"), Some(12));
        assert_eq!((root.line("/b"), root.line("/c"), root.names("/d")), (None, None, None));
        assert_eq!(root.switch("/a"), None);
    }

    #[test]
    fn the_word_in_brackets_is_the_one_in_force() {
        assert_eq!(chosen("always [madvise] never").as_deref(), Some("madvise"));
        assert_eq!(chosen("none (voluntary) full").as_deref(), Some("voluntary"));
        assert_eq!(chosen("none").as_deref(), Some("none"));
        assert_eq!(chosen("none voluntary"), None);
    }

    #[test]
    fn numbers_in_names_are_in_their_own_order() {
        let place = tempfile::tempdir().unwrap();
        for name in ["cpu10", "cpu9", "cpufreq", "cpu0"] {
            std::fs::create_dir(place.path().join(name)).unwrap();
        }
        let found = Root::at(place.path()).numbered("/", "cpu").unwrap();
        assert_eq!(found.iter().map(|(n, _)| *n).collect::<Vec<_>>(), [0, 9, 10]);
    }
}

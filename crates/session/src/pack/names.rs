//! The names that files in a pack may have: each leads to a place below one folder, on every computer,
//! and to no other's place.

use chronotap_core::files::is_device;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadName {
    /// It is no text.
    NotText,
    /// It is empty, absolute, or has a part that is empty, `.` or `..`.
    Leads,
    /// It has a character that no reader sees, that parts folders elsewhere, or that Windows has in no name.
    Character(char),
    /// It, or a part of it, is longer than file systems take.
    Long,
    /// A part of it is what Windows calls a device, with whatever ending: CON, NUL, `aux.toml`.
    Device,
    /// A part of it ends in a dot or a blank, which Windows takes off.
    End,
    /// Another file has the same.
    Twice,
    /// Another differs in capitals alone, or is a folder on the way to it.
    Clash,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadName::NotText => f.write_str("this name is not UTF-8 text"),
            BadName::Leads => f.write_str("this name may lead out of the folder"),
            BadName::Character(c) => {
                write!(f, "this name has the character U+{:04X}", u32::from(*c))
            }
            BadName::Long => f.write_str("this name is too long"),
            BadName::Device => f.write_str("this name is that of a device on Windows"),
            BadName::End => {
                f.write_str("this name ends in a dot or a blank, which Windows takes off")
            }
            BadName::Twice => f.write_str("two files have this name"),
            BadName::Clash => f.write_str("this name and another cannot stand in one folder"),
        }
    }
}

impl BadName {
    /// Whether other systems than Windows have such a name and take it for no other.
    pub fn is_of_windows(self) -> bool {
        match self {
            BadName::Device | BadName::End => true,
            BadName::Character(c) => NOT_ON_WINDOWS.contains(&c),
            BadName::NotText | BadName::Leads | BadName::Long | BadName::Twice | BadName::Clash => {
                false
            }
        }
    }
}

/// Characters that Windows has in no name, and that harm nothing elsewhere.
const NOT_ON_WINDOWS: [char; 6] = ['<', '>', '"', '|', '?', '*'];

/// Bytes of a part of a name, which Linux has, and of a whole one, well below what it has.
const PART: usize = 255;
const WHOLE: usize = 1_024;

/// A name as text, and in order on every system: what is packed has no other.
pub(super) fn checked(name: &[u8]) -> Result<&str, BadName> {
    let name = safe(name)?;
    has_windows(name).map(|()| name)
}

/// A name as text that leads to a place below on this kind of computer. Windows may refuse it
/// ([`has_windows`]): packs of earlier versions hold such names, and elsewhere they do no harm.
pub(super) fn safe(name: &[u8]) -> Result<&str, BadName> {
    let name = std::str::from_utf8(name).map_err(|_| BadName::NotText)?;
    if let Some(c) = name.chars().find(|c| is_strange(*c)) {
        return Err(BadName::Character(c));
    }
    let part = |part: &str| matches!(part, "" | "." | "..");
    if name.split('/').any(part) {
        return Err(BadName::Leads);
    }
    if name.len() > WHOLE || name.split('/').any(|part| part.len() > PART) {
        return Err(BadName::Long);
    }
    Ok(name)
}

/// Whether Windows can have a name, as it stands.
pub(super) fn has_windows(name: &str) -> Result<(), BadName> {
    if let Some(c) = name.chars().find(|c| NOT_ON_WINDOWS.contains(c)) {
        return Err(BadName::Character(c));
    }
    if name.split('/').any(is_device) {
        return Err(BadName::Device);
    }
    if name.split('/').any(|part| part.ends_with(['.', ' '])) {
        return Err(BadName::End);
    }
    Ok(())
}

/// Control characters, those that turn the direction of writing or have no width, and those that name
/// folders or drives on other systems.
fn is_strange(c: char) -> bool {
    let unseen = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}');
    unseen || c.is_control() || matches!(c, '\\' | ':')
}

/// The first of these names, each in order by itself, that another stands in the way of.
pub(super) fn clash<'n>(names: impl Iterator<Item = &'n str>) -> Result<(), (&'n str, BadName)> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    let mut folders: BTreeMap<String, &str> = BTreeMap::new();
    let mut all = BTreeSet::new();
    for name in names {
        if !all.insert(name) {
            return Err((name, BadName::Twice));
        }
        let folded = name.to_lowercase();
        for (at, _) in name.match_indices('/') {
            let folder = &name[..at];
            let same = folders.entry(folder.to_lowercase()).or_insert(folder);
            if *same != folder {
                return Err((name, BadName::Clash));
            }
        }
        if known.insert(folded, name).is_some() {
            return Err((name, BadName::Clash));
        }
    }
    match known.iter().find(|(folded, _)| folders.contains_key(*folded)) {
        Some((_, name)) => Err((name, BadName::Clash)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_a_place_below_and_every_reader_sees_it_whole() {
        for good in ["a", "study/Übung 1.toml", "dataset/sub-01/beh/x_events.tsv", ".bidsignore"] {
            assert_eq!(checked(good.as_bytes()), Ok(good));
        }
        for leads in ["", "/etc/passwd", "a/../b", "../a", "a//b", "./a", "a/", "a/.."] {
            assert_eq!(checked(leads.as_bytes()), Err(BadName::Leads), "{leads}");
        }
        for strange in ["a\u{1b}[2J", "a\nb", "a\\b", "c:a", "a\u{202e}b", "a\u{200b}", "a\0"] {
            assert!(
                matches!(checked(strange.as_bytes()), Err(BadName::Character(_))),
                "{strange:?}"
            );
        }
        assert!(matches!(checked(b"what?.toml"), Err(BadName::Character('?'))));
        assert_eq!(checked(b"a\xff"), Err(BadName::NotText));
        assert_eq!(checked("a".repeat(256).as_bytes()), Err(BadName::Long));
        assert_eq!(checked("a/".repeat(600).trim_end_matches('/').as_bytes()), Err(BadName::Long));
    }

    #[test]
    fn no_name_is_one_that_windows_keeps_for_itself_or_changes() {
        for device in ["CON", "study/aux.toml", "nul .txt", "Com1.tar.gz", "lpt\u{b9}", "prn/a"] {
            assert_eq!(checked(device.as_bytes()), Err(BadName::Device), "{device}");
            assert_eq!(safe(device.as_bytes()), Ok(device), "harmless elsewhere");
        }
        for own in ["console.toml", "auxiliary", "com", "com10", "lpt.toml", "a.nul", "nulls.txt"] {
            assert_eq!(checked(own.as_bytes()), Ok(own));
        }
        for kept in ["study/aux.toml", "b./c", "what?.toml"] {
            assert!(checked(kept.as_bytes()).is_err_and(BadName::is_of_windows), "{kept}");
        }
        for end in ["a.", "study/a ", "b./c"] {
            assert_eq!(checked(end.as_bytes()), Err(BadName::End), "{end}");
            assert_eq!(safe(end.as_bytes()), Ok(end), "harmless elsewhere");
        }
    }

    #[test]
    fn no_two_names_are_the_same_place_on_any_computer() {
        let of = |names: &[&'static str]| clash(names.iter().copied());
        assert_eq!(of(&["a", "b/a", "b/c"]), Ok(()));
        assert_eq!(of(&["a", "a"]), Err(("a", BadName::Twice)));
        assert_eq!(of(&["a/b", "a/B"]), Err(("a/B", BadName::Clash)));
        assert_eq!(of(&["a/b", "A/c"]), Err(("A/c", BadName::Clash)));
        assert_eq!(of(&["a/b", "a"]), Err(("a", BadName::Clash)));
    }
}

//! [`Without`]: what the user lets be dropped of a file, by name. Whatever no trial file can say is
//! refused, because what is left out in silence is another experiment. Which names there are
//! stands in one table, from which help, errors and the remarks about dropped lines come.

use chronotap_core::text::nearest;
use std::collections::BTreeSet;

/// Something of a file that can be dropped.
#[derive(Debug, PartialEq, Eq)]
pub struct FtapPart {
    /// Its name, as the user gives it.
    pub name: &'static str,
    /// What is dropped, for the help.
    pub is: &'static str,
    /// How the keywords begin that belong to it.
    keywords: &'static [&'static str],
}

const fn part(name: &'static str, is: &'static str, keywords: &'static [&'static str]) -> FtapPart {
    FtapPart { name, is, keywords }
}

pub(crate) const RANDOM_DELAY: &str = "random-delay";
pub(crate) const PITCH_MODE: &str = "pitch-mode";
pub(crate) const VELOCITY_MODE: &str = "velocity-mode";
pub(crate) const SPLIT_LINES: &str = "split";
pub(crate) const UNORDERED: &str = "unordered-triggers";
pub(crate) const UNKNOWN: &str = "unknown";

/// Every name; the last has every keyword that no other has.
static PARTS: [FtapPart; 8] = [
    part("masking", "keywords that begin with MASK or JUNK, and their triggers", &["MASK", "JUNK"]),
    part("random-tables", "keywords that begin with RNG, and their triggers", &["RNG"]),
    part(RANDOM_DELAY, "FEED_DMODE and FEED2_DMODE above 1: the delay is then 0", &[]),
    part(PITCH_MODE, "FEED_PMODE and FEED2_PMODE above 1: then as played", &[]),
    part(VELOCITY_MODE, "FEED_VMODE and FEED2_VMODE above 1: then as played", &[]),
    part(SPLIT_LINES, "SPLIT_POINT and its triggers: the reading split holds", &[]),
    part(
        UNORDERED,
        "of triggers of a mode and its number, those that count something else than the first \
         of them",
        &[],
    ),
    part(UNKNOWN, "every other keyword that is not translated, and its triggers", &[""]),
];

/// The part that a keyword belongs to which is not translated.
pub(crate) fn part_of(keyword: &str) -> &'static str {
    let has = |part: &&FtapPart| part.keywords.iter().any(|begin| keyword.starts_with(begin));
    PARTS.iter().find(has).map_or(UNKNOWN, |part| part.name)
}

/// The keyword that was probably meant, where the word begins like none that is known by name only.
pub(crate) fn meant(word: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    if part_of(word) == UNKNOWN { nearest(word, known) } else { None }
}

/// The part that a mode belongs to whose meaning is not known; none where it cannot be dropped.
pub(crate) fn part_of_mode(name: &str) -> Option<&'static str> {
    let of = [("_DMODE", RANDOM_DELAY), ("_PMODE", PITCH_MODE), ("_VMODE", VELOCITY_MODE)];
    of.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, part)| part)
}

/// There is nothing of this name that can be dropped.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoPart {
    pub name: String,
    /// The valid name nearest to it.
    pub near: Option<&'static str>,
}

/// What the user lets be dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Without(BTreeSet<&'static str>);

impl Without {
    /// Reads the names of parts.
    pub fn parse<T: AsRef<str>>(given: &[T]) -> Result<Without, NoPart> {
        let part = |given: &T| {
            let name = given.as_ref().trim();
            let known = PARTS.iter().find(|part| part.name == name).map(|part| part.name);
            known.ok_or_else(|| NoPart { name: name.to_owned(), near: nearest(name, names()) })
        };
        given.iter().map(part).collect::<Result<_, _>>().map(Without)
    }

    /// Whether a part is to be dropped.
    pub fn has(&self, part: &str) -> bool {
        self.0.contains(part)
    }
}

/// The names of all parts.
pub fn names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|part| part.name)
}

/// Each name and what is dropped with it, for the help.
pub fn help() -> String {
    let line = |part: &FtapPart| format!("  {}\n      {}\n", part.name, part.is);
    PARTS.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_their_part_and_all_others_one_together() {
        for (keyword, part) in [
            ("MASK_ON", "masking"),
            ("JUNK", "masking"),
            ("RNG_TABLE", "random-tables"),
            ("BANNER_STRING", "unknown"),
            ("250", "unknown"),
        ] {
            assert_eq!(part_of(keyword), part, "{keyword}");
        }
        assert_eq!(part_of_mode("FEED2_DMODE"), Some("random-delay"));
        assert_eq!(part_of_mode("FEED_ON"), None);
    }

    #[test]
    fn a_name_that_is_none_is_refused_with_the_nearest() {
        assert!(Without::parse(&["masking", "split"]).is_ok_and(|without| without.has("split")));
        let refused = Without::parse(&["maskng"]).unwrap_err();
        let (name, near) = ("maskng".to_owned(), Some("masking"));
        assert_eq!(refused, NoPart { name, near });
    }
}

//! [`nearest`]: the valid name that was probably meant by one that is not valid.
//!
//! Names are compared by the edits of Damerau and Levenshtein: a letter too many, one
//! missing, one wrong, or two that changed places. Capitals make no difference.

/// Longer texts are noise; comparing one of megabytes would take minutes.
const LONGEST: usize = 100;

/// The name that was probably meant; none where no name is near enough.
///
/// A name is near with one edit and one more for every four of its letters, if these are
/// fewer than its letters; or where at least three letters are its beginning.
pub fn nearest<'n, N: AsRef<str> + ?Sized + 'n>(
    written: &str,
    names: impl IntoIterator<Item = &'n N>,
) -> Option<&'n str> {
    if written.len() > LONGEST {
        return None;
    }
    let near = |likeness: &Likeness<'n>| {
        let letters = likeness.name.chars().count();
        likeness.edits <= 1 + letters / 4 && likeness.edits < letters
    };
    ranked(written, names).filter(near).min_by(Likeness::order).map(|likeness| likeness.name)
}

/// The name most like what was written, however little that is; none only where there are
/// no names. For messages that show all names as well.
pub fn most_like<'n, N: AsRef<str> + ?Sized + 'n>(
    written: &str,
    names: impl IntoIterator<Item = &'n N>,
) -> Option<&'n str> {
    let written: String = written.chars().take(LONGEST).collect();
    ranked(&written, names).min_by(Likeness::order).map(|likeness| likeness.name)
}

struct Likeness<'n> {
    name: &'n str,
    edits: usize,
    /// Edits for each letter of the longer of the two.
    share: f64,
}

impl Likeness<'_> {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.share.total_cmp(&other.share)
    }
}

fn ranked<'n, N: AsRef<str> + ?Sized + 'n>(
    written: &str,
    names: impl IntoIterator<Item = &'n N>,
) -> impl Iterator<Item = Likeness<'n>> {
    let written = written.to_lowercase();
    names.into_iter().map(move |name| {
        let name = name.as_ref();
        let lower = name.to_lowercase();
        let begins = written.len() >= 3 && lower.starts_with(&written);
        let edits = if begins { 0 } else { strsim::damerau_levenshtein(&written, &lower) };
        let longer = lower.chars().count().max(written.chars().count()).max(1);
        Likeness { name, edits, share: edits as f64 / longer as f64 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["interval", "tempo", "onsets"];

    #[test]
    fn the_nearest_name_is_offered_only_where_it_is_near() {
        assert_eq!(nearest("intervall", NAMES), Some("interval"));
        assert_eq!(nearest("Tempo", NAMES), Some("tempo"));
        assert_eq!(nearest("ons", NAMES), Some("onsets"));
        assert_eq!(nearest("tp", NAMES), None);
        assert_eq!(nearest("colour", NAMES), None);
        assert_eq!(nearest("", NAMES), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), NAMES), None);
    }

    #[test]
    fn the_most_like_is_offered_wherever_there_is_a_name() {
        assert_eq!(most_like("tp", NAMES), Some("tempo"));
        assert!(most_like(&"x".repeat(1_000_000), NAMES).is_some());
        assert_eq!(most_like("tone", [] as [&str; 0]), None);
    }

    #[test]
    fn a_longer_name_with_as_many_edits_is_more_like() {
        assert_eq!(nearest("wirs", ["wire", "wires"]), Some("wires"));
        assert_eq!(most_like("Bxo", ["Pad", "Big Box"]), Some("Big Box"));
    }
}

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
    best(written, names, near)
}

/// The name most like what was written, however little that is; none only where there are
/// no names. For messages that show all names as well.
pub fn most_like<'n, N: AsRef<str> + ?Sized + 'n>(
    written: &str,
    names: impl IntoIterator<Item = &'n N>,
) -> Option<&'n str> {
    let written: String = written.chars().take(LONGEST).collect();
    best(&written, names, |_| true)
}

struct Likeness<'n> {
    name: &'n str,
    edits: usize,
    /// Edits for each letter of the longer of the two.
    share: f64,
}

/// The first of the names most like what was written among those that will `do`; a name with more
/// edits never does where one with fewer does not.
///
/// Counting edits takes memory and time with the square of the letters, so it is left out where
/// the letters themselves say that there are too many.
fn best<'n, N: AsRef<str> + ?Sized + 'n>(
    written: &str,
    names: impl IntoIterator<Item = &'n N>,
    will_do: impl Fn(&Likeness<'n>) -> bool,
) -> Option<&'n str> {
    let written = written.to_lowercase();
    let mut best: Option<Likeness<'n>> = None;
    for name in names {
        let better = |one: &Likeness<'n>| {
            will_do(one) && best.as_ref().is_none_or(|best| one.share < best.share)
        };
        if better(&Likeness::of(&written, name.as_ref(), least_edits)) {
            let counted = Likeness::of(&written, name.as_ref(), strsim::damerau_levenshtein);
            best = if better(&counted) { Some(counted) } else { best };
        }
    }
    best.map(|likeness| likeness.name)
}

impl<'n> Likeness<'n> {
    fn of(written: &str, name: &'n str, count: impl Fn(&str, &str) -> usize) -> Likeness<'n> {
        let lower = name.to_lowercase();
        let begins = written.len() >= 3 && lower.starts_with(written);
        let edits = if begins { 0 } else { count(written, &lower) };
        let longer = lower.chars().count().max(written.chars().count()).max(1);
        Likeness { name, edits, share: edits as f64 / longer as f64 }
    }
}

/// Fewer edits there cannot be: each adds at most one letter that the other text has and takes
/// away at most one that it has not. Letters that share a place in the count only make it less.
fn least_edits(one: &str, other: &str) -> usize {
    let mut surplus = [0_i32; 64];
    one.chars().for_each(|letter| surplus[letter as usize % 64] += 1);
    other.chars().for_each(|letter| surplus[letter as usize % 64] -= 1);
    let (more, fewer) = surplus.iter().fold((0, 0), |(more, fewer), n| {
        (more + n.max(&0).unsigned_abs(), fewer + n.min(&0).unsigned_abs())
    });
    more.max(fewer) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn prop_what_is_left_out_would_not_have_been_chosen(
            written in "[abcé]{0,8}",
            names in prop::collection::vec("[abcé]{0,8}", 0..6),
        ) {
            let share = |name: &&String| {
                let begins = written.len() >= 3 && name.starts_with(&written);
                let edits = if begins { 0 } else { strsim::damerau_levenshtein(&written, name) };
                edits as f64 / name.chars().count().max(written.chars().count()).max(1) as f64
            };
            let first = names.iter().min_by(|a, b| share(a).total_cmp(&share(b)));
            prop_assert_eq!(most_like(&written, &names), first.map(String::as_str));
            for name in &names {
                prop_assert!(least_edits(&written, name) <= strsim::damerau_levenshtein(&written, name));
            }
        }
    }
}

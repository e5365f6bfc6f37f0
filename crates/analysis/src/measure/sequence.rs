//! [`performed`]: what somebody played against the sequence of keys that was to be played: wrong,
//! missing and added notes (Palmer & van de Sande 1993; Finney 1997).
//!
//! Played notes and sequence are laid beside each other so that as few as possible are wrong,
//! missing or added, each counted as one (Levenshtein 1966). The sequence begins anew after its
//! last note, for as long as somebody plays, so that what was not reached is not missing.
//!
//! Assumes that playing begins with the first note. Limits: who is off by more than [`REACH`] notes is
//! laid beside the wrong ones, and everything then counts as an error; timing is not looked at.

use chronotap_core::midi::U7;

/// A performance beside the sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Performed {
    /// Notes of the sequence that were reached, those of every round.
    pub notes: usize,
    /// Another key in the place of a note.
    pub wrong: usize,
    /// Notes that were left out.
    pub missing: usize,
    /// Notes between those of the sequence.
    pub added: usize,
}

/// So many notes more may be missing than added, or added than missing.
pub const REACH: usize = 48;

impl Performed {
    /// Wrong, missing and added notes.
    pub fn errors(&self) -> usize {
        self.wrong + self.missing + self.added
    }

    /// Places in which something was to be played, or was played.
    pub fn places(&self) -> usize {
        self.notes + self.added
    }
}

/// What was played, note after note, against the sequence; `None` where either is empty.
pub fn performed(played: &[U7], sequence: &[U7]) -> Option<Performed> {
    if played.is_empty() || sequence.is_empty() {
        return None;
    }
    // The best way to each number of notes reached, from `row - REACH` to `row + REACH`.
    let mut ways: Vec<Option<Performed>> = vec![None; 2 * REACH + 1];
    for (reached, way) in ways.iter_mut().skip(REACH).enumerate() {
        *way = Some(Performed { notes: reached, missing: reached, ..Performed::default() });
    }
    for (row, note) in played.iter().enumerate() {
        ways = next(&ways, row + 1, *note, sequence);
    }
    let off = |(place, _): &(usize, Performed)| place.abs_diff(REACH);
    let all = ways.into_iter().enumerate().filter_map(|(place, way)| Some((place, way?)));
    all.min_by_key(|way| (way.1.errors(), off(way))).map(|(_, way)| way)
}

/// The best ways after one more note was played.
fn next(
    before: &[Option<Performed>],
    row: usize,
    note: U7,
    sequence: &[U7],
) -> Vec<Option<Performed>> {
    let mut ways: Vec<Option<Performed>> = vec![None; before.len()];
    for place in 0..ways.len() {
        let Some(reached) = (row + place).checked_sub(REACH) else { continue };
        let wrong = |one: usize| usize::from(sequence[(one - 1) % sequence.len()] != note);
        // Diagonals are numbered, so that the same place is one row and one note further.
        let played = before[place].filter(|_| reached > 0).map(|way| Performed {
            notes: reached,
            wrong: way.wrong + wrong(reached),
            ..way
        });
        let left_out = place.checked_sub(1).and_then(|less| ways[less]);
        let left_out =
            left_out.map(|way| Performed { notes: reached, missing: way.missing + 1, ..way });
        let more = before.get(place + 1).copied().flatten();
        let more = more.map(|way| Performed { added: way.added + 1, ..way });
        let all = [played, left_out, more].into_iter().flatten();
        ways[place] = all.min_by_key(Performed::errors);
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn notes(text: &str) -> Vec<U7> {
        text.bytes().map(|letter| U7::clamped(letter.into())).collect()
    }

    fn found(played: &str, sequence: &str) -> (usize, usize, usize, usize) {
        let of = performed(&notes(played), &notes(sequence)).unwrap();
        (of.notes, of.wrong, of.missing, of.added)
    }

    #[test]
    fn each_kind_of_error_is_told() {
        assert_eq!(found("abcdefabcdef", "abcdef"), (12, 0, 0, 0));
        assert_eq!(found("abxdefabcdef", "abcdef"), (12, 1, 0, 0), "another key");
        assert_eq!(found("abdefabcdef", "abcdef"), (12, 0, 1, 0), "one left out");
        assert_eq!(found("abcxdefabcdef", "abcdef"), (12, 0, 0, 1), "one added");
        assert_eq!(found("abc", "abcdef"), (3, 0, 0, 0), "what was not reached is not missing");
        assert_eq!(performed(&[], &notes("abc")), None);
        assert_eq!(performed(&notes("abc"), &[]), None);
    }

    /// The plain table of all ways, with a free end.
    fn plainly(played: &[U7], sequence: &[U7]) -> usize {
        let most = played.len() + REACH;
        let mut row: Vec<usize> = (0..=most).collect();
        for (k, note) in played.iter().enumerate() {
            let mut new = vec![k + 1];
            for j in 1..=most {
                let wrong = usize::from(sequence[(j - 1) % sequence.len()] != *note);
                new.push((row[j - 1] + wrong).min(row[j] + 1).min(new[j - 1] + 1));
            }
            row = new;
        }
        row.into_iter().min().unwrap()
    }

    proptest! {
        #[test]
        fn prop_no_other_way_has_fewer_errors(played in "[a-e]{1,40}", sequence in "[a-e]{1,9}") {
            let (played, sequence) = (notes(&played), notes(&sequence));
            let of = performed(&played, &sequence).unwrap();
            prop_assert_eq!(of.errors(), plainly(&played, &sequence));
            prop_assert_eq!(of.notes + of.added, played.len() + of.missing);
        }
    }
}

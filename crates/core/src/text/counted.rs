//! A number of things in words.

use core::fmt::Display;

/// `1 session`, `2 sessions`. The word is given as for one; its plural ends in s, or in `ies`
/// where the word ends in y after a consonant (`1 study`, `2 studies`).
pub fn counted(number: impl Display, word: &str) -> String {
    let number = number.to_string();
    if number == "1" { format!("{number} {word}") } else { format!("{number} {}", several(word)) }
}

fn several(word: &str) -> String {
    let vowel_before = |stem: &str| stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    match word.strip_suffix('y') {
        Some(stem) if !vowel_before(stem) => format!("{stem}ies"),
        _ => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_told_as_one_and_all_else_as_several() {
        let said =
            |number| [counted(number, "session"), counted(number, "study"), counted(number, "day")];
        assert_eq!(said(0), ["0 sessions", "0 studies", "0 days"]);
        assert_eq!(said(1), ["1 session", "1 study", "1 day"]);
        assert_eq!(said(21), ["21 sessions", "21 studies", "21 days"]);
    }
}

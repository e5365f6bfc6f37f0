//! Characters that cannot be seen, or that look like others: a no-break space, a zero-width space, the Cyrillic
//! "м", a dash for a minus. Editors, web pages and keyboards of other scripts put them into files, and what is wrong
//! cannot be found by looking. [`odd`] finds the first, [`plain`] writes a text without them.

/// A character that is not what it looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odd {
    /// The byte at which it stands.
    pub at: usize,
    /// What it is, to be read behind "there is".
    pub said: String,
    /// What to do about it.
    pub cure: String,
}

/// What stands in the place of a character that is drawn like nothing: a space, or nothing.
const UNSEEN: [(char, &str, &str); 31] = [
    ('\u{a0}', "a no-break space", " "),
    ('\u{2002}', "an en space", " "),
    ('\u{2003}', "an em space", " "),
    ('\u{2004}', "a space of a third of an em", " "),
    ('\u{2005}', "a space of a quarter of an em", " "),
    ('\u{2006}', "a space of a sixth of an em", " "),
    ('\u{2007}', "a figure space", " "),
    ('\u{2008}', "a punctuation space", " "),
    ('\u{2009}', "a thin space", " "),
    ('\u{200a}', "a hair space", " "),
    ('\u{205f}', "a mathematical space", " "),
    ('\u{202f}', "a narrow no-break space", " "),
    ('\u{3000}', "an ideographic space", " "),
    ('\u{ad}', "a soft hyphen", ""),
    ('\u{200b}', "a zero-width space", ""),
    ('\u{200c}', "a zero-width non-joiner", ""),
    ('\u{200d}', "a zero-width joiner", ""),
    ('\u{200e}', "a left-to-right mark", ""),
    ('\u{200f}', "a right-to-left mark", ""),
    ('\u{202a}', "a mark of the direction of text", ""),
    ('\u{202b}', "a mark of the direction of text", ""),
    ('\u{202c}', "a mark of the direction of text", ""),
    ('\u{202d}', "a mark of the direction of text", ""),
    ('\u{202e}', "a mark of the direction of text", ""),
    ('\u{2066}', "a mark of the direction of text", ""),
    ('\u{2067}', "a mark of the direction of text", ""),
    ('\u{2069}', "a mark of the direction of text", ""),
    ('\u{2028}', "a line separator", " "),
    ('\u{2029}', "a paragraph separator", " "),
    ('\u{2060}', "a word joiner", ""),
    ('\u{feff}', "a byte order mark", ""),
];

/// Letters of other scripts, each followed by the one that it looks like.
const CYRILLIC: &str = "аaеeоoрpсcуyхxіiјjѕsмmкkһhԁdАAВBЕEЅSІIЈJКKМMНHОOРPСCТTХXУY";
const GREEK: &str = "οoνvιiκkαaΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX";
/// Signs, each followed by the one that it looks like.
const SIGNS: &str = "‐-‑-‒-–-—-−-÷/∕/⁄/“\"”\"„\"‟\"‘'’'‚'«\"»\"";

/// The first character of a text that is not what it looks like.
pub fn odd(text: &str) -> Option<Odd> {
    text.char_indices().find_map(|(at, letter)| {
        let code = format!("U+{:04X}", u32::from(letter));
        let (said, cure) = match unseen(letter) {
            Some((name, "")) => (
                format!("{name} ({code}), which cannot be seen"),
                "delete it, or type the line anew".to_owned(),
            ),
            Some((name, _)) => (
                format!("{name} ({code}), which looks like a space"),
                "type a plain space in its place".to_owned(),
            ),
            None => {
                let (script, like) = alike(letter)?;
                (
                    format!("\"{letter}\" ({code}), {script}, which looks like {like}"),
                    format!("type {like} in its place"),
                )
            }
        };
        Some(Odd { at, said, cure })
    })
}

/// The same text with what its characters look like.
pub fn plain(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        match (unseen(letter), alike(letter)) {
            (Some((_, instead)), _) => plain.push_str(instead),
            (None, Some((_, like))) => plain.push(like),
            (None, None) => plain.push(letter),
        }
    }
    plain
}

fn unseen(letter: char) -> Option<(&'static str, &'static str)> {
    UNSEEN.iter().find(|(it, ..)| *it == letter).map(|(_, name, instead)| (*name, *instead))
}

fn alike(letter: char) -> Option<(&'static str, char)> {
    // U+FF01 to U+FF5E are the printable characters of ASCII, wider.
    if let ('\u{ff01}'..='\u{ff5e}', code) = (letter, u32::from(letter)) {
        return Some(("a full-width character", char::from_u32(code - 0xfee0)?));
    }
    let tables =
        [("a Cyrillic letter", CYRILLIC), ("a Greek letter", GREEK), ("another sign", SIGNS)];
    tables.into_iter().find_map(|(script, pairs)| {
        let mut letters = pairs.chars();
        while let (Some(other), Some(like)) = (letters.next(), letters.next()) {
            if other == letter {
                return Some((script, like));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_another_character_is_named_and_replaced() {
        assert_eq!(plain("d\u{435}lay = \u{ff15}\u{a0}\u{43c}s\u{200b}"), "delay = 5 ms");
        let said = |text: &str| odd(text).unwrap().said;
        assert_eq!(said("a\u{a0}"), "a no-break space (U+00A0), which looks like a space");
        assert_eq!(said("\u{200b}"), "a zero-width space (U+200B), which cannot be seen");
        assert_eq!(
            said("20 \u{43c}s"),
            "\"\u{43c}\" (U+043C), a Cyrillic letter, which looks like m"
        );
        assert_eq!(odd("20 ms, \u{b5}s, ä, é, ß, 中, \u{266d}"), None, "what is meant is not odd");
    }

    #[test]
    fn nothing_that_looks_like_another_stands_twice_in_the_tables() {
        let firsts: Vec<char> = [CYRILLIC, GREEK, SIGNS]
            .iter()
            .flat_map(|pairs| pairs.chars().step_by(2))
            .chain(UNSEEN.iter().map(|(letter, ..)| *letter))
            .collect();
        for (at, letter) in firsts.iter().enumerate() {
            assert!(!letter.is_ascii() && !firsts[..at].contains(letter), "{letter}");
        }
    }
}

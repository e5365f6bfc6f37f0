//! Notes by number or name (`"C4"` = 60, `"Bb3"`, `"F#5"`) and ranges of them
//! (`"C2..B3"`).

use super::quantity::{QuantityFault, brief, strange};
use chronotap_core::midi::U7;

const NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
const CURE: &str = "write a number from 0 to 127 or a name from \"C-1\" to \"G9\", such as \"C4\" \
                    (middle C, 60), \"F#3\" or \"Bb3\"";

/// A note by its name, or by its number in a string.
pub fn note(text: &str) -> Result<U7, QuantityFault> {
    let number = text.trim().parse::<i64>().ok().or_else(|| named(text.trim()));
    number.and_then(|n| u8::try_from(n).ok()).and_then(U7::new).ok_or_else(|| {
        let message = format!("\"{}\" is not a note", brief(text));
        german(text, &message)
            .or_else(|| frequency(text))
            .or_else(|| strange(text, &message))
            .unwrap_or_else(|| QuantityFault::new(message, CURE))
    })
}

/// The B that is called H in German, Scandinavian and Slavic countries.
fn german(text: &str, message: &str) -> Option<QuantityFault> {
    let rest = text.trim().strip_prefix(['H', 'h'])?;
    let note = format!("B{rest}");
    named(&note)?;
    Some(QuantityFault::new(message, format!("H is called B here: write \"{note}\"")))
}

/// `440 Hz` as the note that is nearest to it.
fn frequency(text: &str) -> Option<QuantityFault> {
    let note = of_frequency(text)?;
    let message = format!("\"{}\" is a frequency, and tones are notes", brief(text));
    Some(QuantityFault::new(message, format!("write \"{note}\"")))
}

/// The note that is nearest to a frequency.
pub fn of_frequency(text: &str) -> Option<String> {
    /// That of the lowest note, and from one note to the next.
    const LOWEST_HZ: f64 = 8.175_798_915_643_707;
    const SEMITONE: f64 = 1.059_463_094_359_295_3;
    let text = text.trim();
    let end = text.len().checked_sub(2).filter(|end| text.is_char_boundary(*end))?;
    let (number, unit) = text.split_at(end);
    let hz: f64 = number.trim().parse().ok().filter(|_| unit.eq_ignore_ascii_case("hz"))?;
    let mut bound = LOWEST_HZ * (1.0 + SEMITONE) / 2.0;
    let mut note = 0;
    while hz > bound && note < 127 {
        bound *= SEMITONE;
        note += 1;
    }
    let is_note = hz > LOWEST_HZ / SEMITONE && hz < bound * SEMITONE;
    U7::new(note).filter(|_| is_note).map(say)
}

/// A note by its number.
pub fn numbered(number: i128) -> Result<U7, QuantityFault> {
    u8::try_from(number)
        .ok()
        .and_then(U7::new)
        .ok_or_else(|| QuantityFault::new(format!("{number} is not a note"), CURE))
}

/// Lowest and highest note of `"C2..B3"`; one note alone is a range of one.
pub fn range(text: &str) -> Result<(U7, U7), QuantityFault> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let (low, high) = (note(low).map_err(|fault| dashed(text).unwrap_or(fault))?, note(high)?);
    if low > high {
        let (a, b) = (say(low), say(high));
        return Err(QuantityFault::new(
            format!("the range \"{}\" is empty: {a} lies above {b}", brief(text)),
            format!("write \"{b}..{a}\""),
        ));
    }
    Ok((low, high))
}

/// The fault of a range that is written with a dash.
fn dashed(text: &str) -> Option<QuantityFault> {
    let (low, high) = text.split_once(['-', '\u{2013}', '\u{2014}'])?;
    let (low, high) = (low.trim(), high.trim());
    (note(low).is_ok() && note(high).is_ok()).then(|| {
        let message = format!("\"{}\" is not a range of notes", brief(text));
        QuantityFault::new(message, format!("write \"{low}..{high}\""))
    })
}

/// A note's name, with sharps: `C4` for 60.
pub fn say(note: U7) -> String {
    format!("{}{}", NAMES[note.index() % 12], i32::from(note.get()) / 12 - 1)
}

fn named(text: &str) -> Option<i64> {
    let mut letters = text.chars();
    let letter = letters.next()?.to_ascii_uppercase();
    let class = NAMES.iter().position(|name| name.len() == 1 && name.starts_with(letter))?;
    let rest = letters.as_str();
    let (alteration, octave) = match rest.chars().next()? {
        '#' | '\u{266f}' => (1, rest.trim_start_matches(['#', '\u{266f}'])),
        'b' | '\u{266d}' => (-1, rest.trim_start_matches(['b', '\u{266d}'])),
        _ => (0, rest),
    };
    // One sign only: double sharps are not offered.
    if rest.chars().count() - octave.chars().count() > 1 {
        return None;
    }
    let octave: i64 = octave.parse().ok().filter(|n| (-1..=9).contains(n))?;
    Some((octave + 1) * 12 + class as i64 + alteration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middle_c_is_sixty_and_flats_equal_sharps() {
        for (text, number) in [
            ("C4", 60),
            ("C-1", 0),
            ("G9", 127),
            ("A0", 21),
            ("Bb3", 58),
            ("A#3", 58),
            ("Cb4", 59),
            ("72", 72),
        ] {
            assert_eq!(note(text).unwrap().get(), number, "{text}");
        }
        for text in ["H4", "C", "G#9", "Cb-1", "128", "-1", "C##4", "C10", ""] {
            assert!(note(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_note_is_said_as_it_is_read() {
        for number in 0..=127 {
            let it = U7::new(number).unwrap();
            assert_eq!(note(&say(it)), Ok(it));
        }
    }

    #[test]
    fn a_reversed_range_is_refused_with_the_right_one() {
        assert_eq!(range("C2..B3").map(|(a, b)| (a.get(), b.get())), Ok((36, 59)));
        assert_eq!(range("C2\u{2013}B3").unwrap_err().cure, "write \"C2..B3\"");
        assert!(note("\u{415}4").unwrap_err().message.ends_with("which looks like E"));
        assert_eq!(range("B3..C2").unwrap_err().cure, "write \"C2..B3\"");
    }
}

//! [`Plain`]: the answer in the words of the study. Its author writes a sentence for each side on which the effect can
//! lie, and the data choose one and fill in the number.

/// What is said where the effect lies above what it is held against, where it lies below, and where the data leave
/// it open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plain {
    pub above: Option<String>,
    pub below: Option<String>,
    pub open: Option<String>,
}

/// How the number is written in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is.
    Value,
    /// Without its sign.
    Size,
    /// Without its sign, in hundredths.
    Percent,
    /// The same of a difference of two shares.
    Points,
}

/// What stands for the number in a sentence.
pub(super) const FORMS: [(&str, Form); 4] = [
    ("{value}", Form::Value),
    ("{size}", Form::Size),
    ("{percent}", Form::Percent),
    ("{points}", Form::Points),
];

/// What stands for the level and for the one that is taken off.
pub(super) const LEVELS: [&str; 2] = ["{level}", "{less}"];

impl Plain {
    /// What stands for the number, and for the two levels that are compared.
    pub fn places() -> impl Iterator<Item = &'static str> {
        FORMS.into_iter().map(|(place, _)| place).chain(LEVELS)
    }

    /// What stands in braces and is none of [`Plain::places`]; of braces that nothing closes, the word behind them.
    pub fn unknown(sentence: &str) -> Option<&str> {
        let braces = sentence.match_indices('{').map(|(at, _)| &sentence[at..]);
        let word = |rest: &str| rest.find(char::is_whitespace).unwrap_or(rest.len());
        let place = |rest: &'_ str| match rest.find('}') {
            Some(end) if !rest[1..end].contains('{') => end + 1,
            _ => word(rest),
        };
        let mut named = braces.map(|rest| &rest[..place(rest)]);
        named.find(|named| !Plain::places().any(|place| place == *named))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_braces_is_known_or_named() {
        assert_eq!(Plain::unknown("{value} and {percent}"), None);
        assert_eq!(Plain::unknown("{value} of {sizes}"), Some("{sizes}"));
        assert_eq!(Plain::unknown("an open {value is late"), Some("{value"));
        assert_eq!(Plain::unknown("{value of {level}"), Some("{value"));
    }
}

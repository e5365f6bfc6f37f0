//! [`Text`]: what a participant is shown. It may name factors in braces, as in
//! "Tap at {tempo}.".

/// A text, from a file or from the experiment file itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The file that it stands in; `None` where it is given by `text`.
    pub file: Option<String>,
    /// The text, with names in braces.
    pub text: String,
}

impl Text {
    /// The text with the values of the names in braces. What is no known name stays.
    pub fn filled(&self, values: &[(String, String)]) -> String {
        let mut filled = self.text.clone();
        for (name, value) in values {
            filled = filled.replace(&format!("{{{name}}}"), value);
        }
        filled
    }

    /// The names in braces: letters, digits and _, beginning with a letter.
    pub fn names(&self) -> Vec<&str> {
        let opened = self.text.split('{').skip(1);
        let closed = opened.filter_map(|rest| rest.split_once('}').map(|(name, _)| name));
        closed.filter(|name| is_name(name)).collect()
    }
}

/// Whether a text could be the name of a factor.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.len() <= 40
}

//! [`Text`]: what a participant is shown. It may name factors in braces, as in
//! "Tap at {tempo}.", and results that a step keeps, as in "You were {main.early} from the tone.".

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

    /// The results in braces: a step and the name of what it keeps.
    pub fn results(&self) -> impl Iterator<Item = (&str, &str)> {
        results_in(&self.text)
    }
}

/// The results that a text names in braces.
fn results_in(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let opened = text.split('{').skip(1);
    let closed = opened.filter_map(|rest| rest.split_once('}').map(|(name, _)| name));
    let parts = closed.filter_map(|name| name.split_once('.'));
    parts.filter(|(step, name)| [step, name].iter().all(|part| is_part(part)))
}

/// The text with what `of` says of each result in it.
pub fn with_results(text: &str, of: impl Fn(&str, &str) -> String) -> String {
    let named: Vec<(String, String)> =
        results_in(text).map(|(step, name)| (step.to_owned(), name.to_owned())).collect();
    named.iter().fold(text.to_owned(), |text, (step, name)| {
        text.replace(&format!("{{{step}.{name}}}"), &of(step, name))
    })
}

/// Whether a text could be the name of a step or a result.
fn is_part(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
}

/// Whether a text could be the name of a factor.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.len() <= 40
}

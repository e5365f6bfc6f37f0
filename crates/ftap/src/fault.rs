//! [`Fault`]: what is wrong with a line of a configuration file; and the reading of a whole
//! number, which every kind of line has.

/// What is wrong with a line, and its cure.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub message: String,
    pub cure: String,
    /// The valid word that was probably meant.
    pub near: Option<String>,
}

impl Fault {
    pub fn new(message: impl Into<String>, cure: impl Into<String>) -> Fault {
        Fault { message: message.into(), cure: cure.into(), near: None }
    }
}

/// A whole number, said to be of `what` where it is none.
pub(crate) fn whole(what: &str, word: &str) -> Result<i64, Fault> {
    let short: String = word.chars().take(40).flat_map(char::escape_default).collect();
    let message = || format!("{what} takes a whole number, not \"{short}\"");
    word.parse().map_err(|_| Fault::new(message(), "write digits alone"))
}

//! [`Broken`]: where a text is not TOML, and what to write there.

/// A place at which a text is not TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The byte.
    pub at: usize,
    /// What is wrong there.
    pub message: String,
    /// What to write instead.
    pub cure: String,
}

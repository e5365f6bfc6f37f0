//! [`Length`]: how long a test goes on.

use serde::{Deserialize, Serialize};

/// How long a test goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Seconds: does it work, and about how well.
    Quick,
    /// A minute or two for each test.
    #[default]
    Normal,
    /// As long as in the study that it comes from, or until rare events show.
    Full,
}

impl Length {
    /// The one of three values that belongs to this length.
    pub fn pick<T>(self, quick: T, normal: T, full: T) -> T {
        match self {
            Length::Quick => quick,
            Length::Normal => normal,
            Length::Full => full,
        }
    }
}

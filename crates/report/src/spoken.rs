//! [`Spoken`]: a verdict as whoever prints or keeps it puts it into words. Which command or
//! option would lift a reservation, only they know.

use chronotap_timing::Fitness;

/// A verdict in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    pub purpose: String,
    /// How fit.
    pub fitness: Fitness,
    /// What was found, in one sentence.
    pub because: String,
    /// What stands against it or is not known, a sentence each.
    pub reservations: Vec<String>,
}

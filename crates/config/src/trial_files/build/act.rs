//! [`Act`]: what a rule does.

use chronotap_engine::trial::Do;

/// One action of a rule.
pub(super) struct Act {
    /// Where it stands in the file.
    pub at: usize,
    /// What the engine does.
    pub what: Do,
    /// The same in words.
    pub said: String,
}

//! [`NoEstimate`]: why data give no number. A model that is asked for more than its data
//! hold answers with the reason and never with a number that looks like any other.

use thiserror::Error;

/// Why there is no estimate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoEstimate {
    /// There is less of something than the estimate needs. Record longer, or pool trials.
    #[error("{found} {what} are too few: at least {needed} are needed")]
    TooFew {
        /// What is counted, in the plural.
        what: &'static str,
        /// The fewest that give an estimate.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// Every value is the same, so that there is nothing to explain.
    #[error("all {0} are the same, and what varies is what the estimate needs")]
    NothingVaries(&'static str),
    /// Lists that belong together element by element have different lengths: give one value
    /// of each for every tap.
    #[error("{what} are {found}, but there must be {needed}, one for each of the others")]
    Unequal {
        /// What has the wrong count, in the plural.
        what: &'static str,
        /// How many there must be.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// The data do not tell two parameters apart. Vary what they depend on (a steady
    /// metronome says nothing of period correction), or estimate fewer.
    #[error("these data cannot tell apart {0}")]
    Indistinct(&'static str),
    /// The data contradict the model that is to be fitted, so that its parameters mean
    /// nothing here. Look at the data: drift, pauses and missed taps do that.
    #[error("these data lie outside {0}")]
    Outside(&'static str),
}

impl NoEstimate {
    /// An error unless there are at least `needed`.
    pub(crate) fn unless(
        what: &'static str,
        found: usize,
        needed: usize,
    ) -> Result<(), NoEstimate> {
        if found >= needed { Ok(()) } else { Err(NoEstimate::TooFew { what, needed, found }) }
    }

    /// An error unless two lists that belong together are equally long.
    pub(crate) fn unless_equal(
        what: &'static str,
        found: usize,
        needed: usize,
    ) -> Result<(), NoEstimate> {
        if found == needed { Ok(()) } else { Err(NoEstimate::Unequal { what, needed, found }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_says_what_is_missing() {
        let few = NoEstimate::unless("taps", 3, 10).unwrap_err();
        assert_eq!(few.to_string(), "3 taps are too few: at least 10 are needed");
        assert_eq!(NoEstimate::unless("taps", 10, 10), Ok(()));
        assert!(NoEstimate::unless_equal("taps", 3, 4).is_err());
    }
}

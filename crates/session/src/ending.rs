//! [`Ending`]: how a session ended.

use chronotap_design::Ends;

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is left to do.
    Completed,
    /// An answer ended it, and perhaps all of the participation.
    Answered(Ends),
    /// Somebody stopped it; the same command goes on with it.
    Stopped,
}

impl Ending {
    /// Whether the same command has nothing left to do.
    pub fn is_over(self) -> bool {
        match self {
            Ending::Completed | Ending::Answered(_) => true,
            Ending::Stopped => false,
        }
    }

    /// What an answer ended.
    pub fn answered(self) -> Option<Ends> {
        match self {
            Ending::Answered(ends) => Some(ends),
            Ending::Completed | Ending::Stopped => None,
        }
    }
}

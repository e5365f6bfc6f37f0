//! What the command line gives of a session and the study does not have. At a page it comes from a form.

use super::of;
use chronotap_design::AssignError;
use std::error::Error;
use std::fmt;

/// What is refused.
#[derive(Debug)]
pub enum Given {
    /// No label.
    Participant { given: String, problem: AssignError },
    /// The study has fewer sessions.
    Session {
        session: u32,
        /// How many there are.
        sessions: u32,
    },
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Participant { given, problem } => {
                write!(f, "--participant {given}: {}", of(problem))
            }
            Given::Session { session, sessions: 1 } => {
                write!(f, "--session {session}: the study has one session; leave the option out")
            }
            Given::Session { session, sessions } => {
                write!(
                    f,
                    "--session {session}: the study has {sessions} sessions; name one of them"
                )
            }
        }
    }
}

impl Error for Given {}

//! [`Streamed`]: what is known of a trial or session before its LSL streams are opened, and stands in their description
//! from then on. A run tells it to `chronotap lsl` as JSON, on the command line.

use chronotap_engine::trial::Codes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The most codes that a description explains; those of a design with more are in its data.
const MOST_CODES: usize = 1_000;

/// Of what the streams are. What is not known is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Streamed {
    /// The title of the study or trial.
    pub title: String,
    /// The task of a study.
    pub task: String,
    /// The file of a single trial.
    pub trial: String,
    /// The label of who taps in a session.
    pub participant: String,
    /// The session's label.
    pub session: String,
    /// Codes with what they stand for, each pair once.
    pub codes: BTreeSet<(u16, String)>,
}

impl Streamed {
    /// With the codes of these trials.
    #[must_use]
    pub fn with_codes<'a>(self, of: impl Iterator<Item = &'a Codes>) -> Streamed {
        let all = of.flat_map(|codes| &codes.list);
        let codes: BTreeSet<_> = all.map(|code| (code.value, code.name.clone())).collect();
        Streamed { codes: codes.into_iter().take(MOST_CODES).collect(), ..self }
    }

    /// Whether a trial has codes.
    pub fn has_codes(&self) -> bool {
        !self.codes.is_empty()
    }
}

//! [`Who`]: who comes to a session, as the command line or a page says it.

use crate::line::SessionPorts;
use std::collections::BTreeMap;

/// Who comes, and what the experimenter says of it.
#[derive(Clone, Debug, Default)]
pub struct Who {
    pub label: String,
    /// The session, from 1.
    pub session: u32,
    /// Levels between participants that the experimenter names.
    pub cell: BTreeMap<String, String>,
    /// Who taps, where that is no person.
    pub simulated: Option<String>,
    /// The experimenter.
    pub by: String,
    /// Whether a study whose files have changed goes on.
    pub changed_is_fine: bool,
    /// Of a trial run of the study: the name of the step to begin with.
    pub from: Option<String>,
    /// On which ports, where somebody taps.
    pub ports: SessionPorts,
}

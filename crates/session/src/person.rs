//! [`Person`]: what is known of a participant.

use crate::attrition::Attrition;
use std::collections::BTreeMap;

/// What is known of a participant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    pub label: String,
    /// The level of each between-participant factor.
    pub cell: BTreeMap<String, String>,
    /// The place in squares, from 0.
    pub k: u32,
    /// Whether the participant withdrew.
    pub withdrawn: bool,
    /// How they left the study otherwise.
    pub attrition: Option<Attrition>,
    /// Whether group and place come with answers that are not given yet: `cell` has what is known
    /// before, and `k` is none.
    pub waits: bool,
}

impl Person {
    /// Whether they are a member of their group, with a place that nobody else gets.
    pub fn has_a_place(&self) -> bool {
        !self.waits && !self.attrition.is_some_and(Attrition::frees_the_place)
    }
}

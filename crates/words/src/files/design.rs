//! What is said of plans and of who is assigned what.

use crate::{Says, Sentences, Surface, of, row, with};
use chronotap_design::{AssignError, PlanError, TrialError};

pub(super) const ROWS: &[Sentences] =
    &[row::<AssignError>(), row::<PlanError>(), row::<TrialError>()];

impl Says for AssignError {
    fn says(&self, surface: Surface) -> String {
        match self {
            AssignError::Label(_) => self.to_string(),
            AssignError::Factor { .. } | AssignError::Level { .. } => {
                format!("{}{self}", surface.in_terminal("--between ", ""))
            }
        }
    }
}

impl Says for PlanError {
    fn says(&self, surface: Surface) -> String {
        match self {
            PlanError::Session { .. } if surface == Surface::Page => self.to_string(),
            PlanError::Session { sessions, .. } => {
                let write = surface.in_python("give", "write --session");
                let all = match sessions {
                    1 => ", or leave it out".to_owned(),
                    sessions => format!(" to {sessions}"),
                };
                with(self, format!("{write} 1{all}"))
            }
            PlanError::Order { .. } => with(self, "loosen the constraints"),
        }
    }
}

impl Says for TrialError {
    fn says(&self, surface: Surface) -> String {
        match self {
            TrialError::Missing { .. } | TrialError::Outside { .. } | TrialError::Key { .. } => {
                self.to_string()
            }
            TrialError::Trial(error) => of(error, surface),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let text = |text: &str| text.to_owned();
    let known = || vec![text("hand"), text("tempo")];
    let all = [
        AssignError::Label(text("a b")),
        AssignError::Factor { given: text("hnad=left"), known: known(), near: Some(text("hand")) },
        AssignError::Factor { given: text("x=left"), known: known(), near: None },
        AssignError::Factor { given: text("x=left"), known: Vec::new(), near: None },
        AssignError::Level { given: text("hand=top"), levels: vec![text("left"), text("right")] },
    ];
    let plans = [
        PlanError::Session { session: 3, sessions: 1 },
        PlanError::Session { session: 3, sessions: 2 },
        PlanError::Order { step: text("main"), block: 2, why: "no order satisfies them" },
    ];
    let mut found: Vec<Box<dyn std::error::Error>> = Vec::new();
    all.into_iter().for_each(|error| found.push(Box::new(error)));
    plans.into_iter().for_each(|error| found.push(Box::new(error)));
    found
}

//! What is said of studies that are rehearsed in memory. Nothing of them is kept, so that no dataset, no
//! journal and no frontend refuses anything: what such an error would be states its condition.

use super::Says;
use chronotap_session::{SessionError, StudyError};

impl Says for SessionError {
    fn says(&self) -> String {
        match self {
            SessionError::Study(error) => error.says(),
            SessionError::Laboratory(error) => error.says(),
            SessionError::Record(error) | SessionError::NotSaved(error) => error.says(),
            SessionError::Read(error) => error.says(),
            SessionError::Recorded(error) => error.says(),
            SessionError::Between(error) => error.says(),
            SessionError::Dataset(_)
            | SessionError::Journal(_)
            | SessionError::Elsewhere { .. }
            | SessionError::Frontend(_)
            | SessionError::Running { .. }
            | SessionError::Withdrawn { .. }
            | SessionError::OtherCell { .. }
            | SessionError::NoFirstSession { .. }
            | SessionError::Changed { .. }
            | SessionError::OtherPlan { .. }
            | SessionError::OtherSteps { .. }
            | SessionError::OtherFactors { .. }
            | SessionError::NoStep { .. }
            | SessionError::FromUnderWay { .. }
            | SessionError::Gone { .. }
            | SessionError::NotBegun => self.to_string(),
        }
    }
}

impl Says for StudyError {
    fn says(&self) -> String {
        match self {
            StudyError::Plan(error) => error.says(),
            StudyError::Trial(error) => error.says(),
            StudyError::Problems(_) | StudyError::Cell { .. } => self.to_string(),
        }
    }
}

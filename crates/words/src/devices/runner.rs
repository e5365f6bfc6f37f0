//! What is said of the thread that runs trials.

use crate::{Row, Says, row, with};
use chronotap_rig::runner::real_time::RealTimeError;

pub(super) const ROWS: &[Row] = &[row::<RealTimeError>()];

impl Says for RealTimeError {
    fn says(&self) -> String {
        match self {
            RealTimeError::Setup(_) => {
                with(self, "end other programs, or raise the limits that `ulimit -a` shows")
            }
            RealTimeError::Died => {
                with(self, "`chronotap recover` makes data files of its journal")
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let refused = std::io::Error::from_raw_os_error(11);
    vec![Box::new(RealTimeError::Setup(refused)), Box::new(RealTimeError::Died)]
}

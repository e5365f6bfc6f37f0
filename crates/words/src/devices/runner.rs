//! What is said of the thread that runs trials.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_rig::runner::real_time::RealTimeError;

pub(super) const ROWS: &[Sentences] = &[row::<RealTimeError>()];

impl Says for RealTimeError {
    fn says(&self, surface: Surface) -> String {
        match self {
            RealTimeError::Setup(_) => {
                with(self, "end other programs, or raise the limits that `ulimit -a` shows")
            }
            RealTimeError::Died => with(
                self,
                surface.on_page(
                    "what was recorded is in its journal, of which files can be made",
                    "`chronotap recover` makes data files of its journal",
                ),
            ),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let refused = std::io::Error::from_raw_os_error(11);
    vec![Box::new(RealTimeError::Setup(refused)), Box::new(RealTimeError::Died)]
}

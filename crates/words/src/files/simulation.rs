//! What is said of trials in virtual time.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_simulate::TooManyPorts;

pub(super) const ROWS: &[Sentences] = &[row::<TooManyPorts>()];

impl Says for TooManyPorts {
    fn says(&self, _: Surface) -> String {
        with(self, "bind fewer devices")
    }
}

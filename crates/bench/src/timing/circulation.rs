//! Messages that circulate through a pair of ports: Finney's loop test and the round
//! trip of single messages.
//!
//! Each is a trial like any other, run by the same engine and the same runners on the
//! ports in question; what it sent and what came back is then compared. So the figures
//! are those of the program that will run the experiment, not of a second program
//! written to measure. [`CirculationTest`] says which trial, [`Traffic`] what became of each
//! message, [`CirculationReport`] what that means.

mod measure;
mod rate_limit;
mod render;
mod report;
mod runs;
mod spread;
mod test;
mod traffic;

pub(crate) use measure::taps;
pub use measure::{LoopRun, MeasureError, MeasuredLoop, in_real_time, in_virtual_time};
pub use rate_limit::{RateEvidence, RateLimit, rate_limit};
pub use report::{CirculationReport, LOOP_VERSION, ServerPeriod};
pub use runs::{CirculationRun, Runs};
pub use spread::TimeSpread;
pub use test::{CirculationTest, TestError};
pub use traffic::{MessageCounts, Traffic};

#![forbid(unsafe_code)]
//! What this machine is, what it lacks for good timing, and what cures that.
//!
//! [`Facts`] are read from /proc and /sys and kept with every measurement; a
//! [`MachineDescription`] of a few lines is at the beginning of every data file.
//! [`examine`] judges the facts: pure functions, one for each check. A [`MachineStep`] changes a
//! setting, and only when it is told to. Nothing here prints.

mod checks;
mod description;
mod facts;
mod finding;
mod quiet;
mod render;
mod root;
pub mod signature;
mod step;

pub use checks::{checks, examine, nearest};
pub use description::{MachineDescription, Passing, Throttling, describe, throttling};
pub use facts::*;
pub use finding::{Check, Finding, FindingStatus, FindingTally, Judgement, Topic};
pub use quiet::quiet_processor;
pub use render::{command_lines, report};
pub use root::Root;
pub use step::{MachineStep, StepChange, StepError, undo, undo_beforehand};

/// Whether no process of this computer has this number any more. Where /proc cannot be seen, none is known to
/// have ended.
pub fn has_ended(process: u32) -> bool {
    let all = std::path::Path::new("/proc");
    all.join("self").exists() && !all.join(process.to_string()).exists()
}

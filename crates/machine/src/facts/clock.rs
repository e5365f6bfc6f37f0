//! [`ClockFacts`]: the counter behind the clocks, and how finely timers can be set.

use serde::{Deserialize, Serialize};

/// The kernel's clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClockFacts {
    /// The counter in use: tsc, arch_sys_counter, hpet, ...
    pub source: Option<String>,
    /// Those it could use, best first.
    pub available: Option<Vec<String>>,
    /// The smallest step of timers; 1 with high-resolution timers.
    pub timer_resolution_ns: Option<i64>,
    /// What one reading costs: the median of nine rounds of 200. Only on the running
    /// machine.
    pub read_ns: Option<i64>,
}

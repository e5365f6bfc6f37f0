//! [`SchedulingBounds`]: what bounds real-time threads, whatever their priority.

use serde::{Deserialize, Serialize};

/// What bounds real-time threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SchedulingBounds {
    /// Microseconds that real-time threads of a processor may run in a period; -1 is
    /// without limit.
    pub rt_runtime_us: Option<i64>,
    /// Microseconds of that period.
    pub rt_period_us: Option<i64>,
    /// From Linux 6.12 on: what ordinary threads are given when they starve. Only root
    /// can see it.
    pub fair_servers: Option<Vec<FairServer>>,
    /// The control group of this program, where it shares real-time time out.
    pub group: Option<String>,
    /// Microseconds of real-time time that this group has (control groups version 1).
    pub group_rt_runtime_us: Option<i64>,
    /// How much later than asked ordinary threads of this program may be woken.
    pub timer_slack_ns: Option<u64>,
}

/// The time that ordinary threads of one processor are given when they starve.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FairServer {
    /// The processor.
    pub cpu: u32,
    /// Nanoseconds they run at most, in each period.
    pub runtime_ns: Option<u64>,
    /// Nanoseconds of the period.
    pub period_ns: Option<u64>,
}

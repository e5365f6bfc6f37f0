//! [`MachineLoad`]: what else runs on this machine.

use serde::{Deserialize, Serialize};

/// What else runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MachineLoad {
    /// Programs ready to run, on average over 1, 5 and 15 minutes.
    pub average: Option<[f64; 3]>,
    /// The share of the last 10 s in which something waited, in per cent.
    pub pressure: Pressure,
    /// The five that use most processor time, above 1 %; only on the running machine.
    pub busiest: Option<Vec<Busy>>,
    /// Processes that could be seen.
    pub processes: Option<usize>,
}

/// The share of the last 10 s in which something waited, in per cent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pressure {
    /// For a processor.
    pub cpu_percent: Option<f64>,
    /// For a disk.
    pub io_percent: Option<f64>,
    /// For memory.
    pub memory_percent: Option<f64>,
}

/// A program and its share of one processor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Busy {
    /// Its process.
    pub pid: u32,
    pub name: String,
    /// Its share, 100 being one processor.
    pub percent: f64,
}

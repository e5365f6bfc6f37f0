//! The table that the test `clock` repeats, as it was published.
//!
//! Finney, S. A. (2001). Real-time data collection in Linux: A case study. Behavior
//! Research Methods, Instruments, & Computers, 33, 167-173, Table 1: times between
//! calls to gettimeofday under different priority and load conditions; 10 runs of
//! 1,000,000 calls each. Pentium II at 350 MHz, Linux 2.2.12.

use serde::Serialize;

/// A row of the table, in nanoseconds, under the names that our series have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TableRow {
    /// As in the paper.
    pub configuration: &'static str,
    /// The condition `scheduling`.
    pub scheduling: &'static str,
    /// The condition `load`; the three loops of 2001 shared one processor with the test.
    pub load: &'static str,
    /// Mean difference.
    pub mean_ns: f64,
    /// Maximum difference.
    pub max_ns: i64,
    /// Standard deviation.
    pub sd_ns: f64,
}

const ORDINARY: &str = "ordinary";
const NICE: &str = "nice -20, memory locked";
const FIFO: &str = "SCHED_FIFO 80, memory locked";

/// Table 1.
pub const fn finney_2001() -> [TableRow; 6] {
    [
        row("User, no load", ORDINARY, "none", [1_290, 246_000, 1_170]),
        row("User, load", ORDINARY, "contending", [5_230, 840_019_000, 1_601_000]),
        row("Setpriority, no load", NICE, "none", [1_230, 322_000, 480]),
        row("Setpriority, load", NICE, "contending", [3_110, 630_031_000, 1_079_000]),
        row("SCHED_FIFO, no load", FIFO, "none", [1_250, 72_000, 460]),
        row("SCHED_FIFO, load", FIFO, "contending", [1_250, 69_000, 460]),
    ]
}

const fn row(
    configuration: &'static str,
    scheduling: &'static str,
    load: &'static str,
    [mean, max, sd]: [i64; 3],
) -> TableRow {
    TableRow {
        configuration,
        scheduling,
        load,
        mean_ns: mean as f64,
        max_ns: max,
        sd_ns: sd as f64,
    }
}

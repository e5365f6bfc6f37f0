//! [`Scheduled`]: how the threads of a timing test are scheduled. The comments are the help texts.

use chronotap_bench::timing::Scheduling;
use clap::Args;

/// Real-time priority, or none.
#[derive(Args, Clone, Copy, Debug)]
pub struct Scheduled {
    /// SCHED_FIFO priority to ask for, 1 to 98
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(i32).range(1..=98))]
    pub priority: i32,
    /// Run with ordinary scheduling: ask for no real-time rights
    #[arg(long, conflicts_with = "priority")]
    pub ordinary: bool,
}

impl Scheduled {
    /// The scheduling to ask for.
    pub fn asked(self) -> Scheduling {
        if self.ordinary { Scheduling::Ordinary } else { Scheduling::Fifo(self.priority) }
    }
}

//! Scheduling class, memory lock, affinity, wake-up latency: what was asked and
//! what was granted; the three ways out of a thread that runs away: the
//! watchdog, the kernel's own limit, and Ctrl-C; and the terminal that a program outlives.
//!
//! A real-time thread begins like this: [`Watchdog::watch_this_thread`], then
//! [`ask`], and at its end [`Watchdog::finish`]. Nothing here prints.

mod deadline;
mod denormals;
mod interrupt;
mod last_words;
mod latency;
mod memory;
mod request;
mod scheduling;
mod terminal;
mod usage;
mod wake;
mod watchdog;

pub use chronotap_machine::grant::{Grant, Item};
pub use deadline::DeadlineTime;
pub use denormals::{Flushed, flush_denormals};
pub use interrupt::Interrupt;
pub use last_words::LONGEST_LAST_WORDS;
pub use memory::{STACK_BYTES, prefault_stack};
pub use request::{Request, Rights, ask};
pub use scheduling::{
    Policy, RT_TIME_LIMIT_US, adopt, become_fifo, bind, cpu_list, demote, keep_off, policy_of,
    set_fifo_of, usable_processors,
};
pub use terminal::Terminal;
pub use usage::Usage;
pub use wake::Wake;
pub use watchdog::{AWAKE_LIMIT, Demotion, Heartbeat, SILENT_LIMIT, Watchdog, WatchdogReport};

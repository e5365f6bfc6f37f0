//! The runner in real time: a SCHED_FIFO thread on real ports. The engine's other two
//! runners, virtual time and replay, are in `chronotap-simulate`; all three call the
//! engine through the same [`Round`](chronotap_trial::Round).

pub mod real_time;
mod replug;

/// Ends a test that allocates where it has promised not to.
#[cfg(test)]
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;

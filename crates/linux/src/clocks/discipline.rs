//! [`discipline`]: whether something keeps CLOCK_REALTIME right, as the kernel was told of it. Data of several computers
//! can be laid side by side by their wall clocks only where that holds.

use serde::{Deserialize, Serialize};

/// What the kernel knows of its wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discipline {
    /// Whether a program keeps it right and has lately said so.
    pub synchronized: bool,
    /// The greatest error, in microseconds; it grows until that program reports again.
    pub max_error_us: i64,
    /// The error that is estimated, in microseconds.
    pub estimated_error_us: i64,
}

/// Asks the kernel; nothing is changed. `None` where it does not say.
pub fn discipline() -> Option<Discipline> {
    // SAFETY: all zeros is a value of this plain struct; with the modes 0 the call changes no clock.
    let mut state: libc::timex = unsafe { std::mem::zeroed() };
    // SAFETY: the call only writes to `state`, which lives until it returns.
    let done = unsafe { libc::adjtimex(&raw mut state) } >= 0;
    done.then_some(Discipline {
        synchronized: state.status & libc::STA_UNSYNC == 0,
        max_error_us: state.maxerror,
        estimated_error_us: state.esterror,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_asked_and_its_errors_are_no_negative_numbers() {
        let Some(said) = discipline() else { return }; // a sandbox may forbid the question
        assert!(said.max_error_us >= 0 && said.estimated_error_us >= 0, "{said:?}");
    }
}

//! [`HeldSignals`]: signals kept from a thread while it waits for one of its own, so
//! that they neither end the program nor cut a wait short.
//!
//! A blocked signal is inherited by threads that are made later. So a test that uses
//! the process's own alarm holds it ([`HeldSignals::alarm`]) before it makes threads;
//! the ones that stood already are looked up in /proc ([`all_hold_the_alarm`]).

use std::marker::PhantomData;

/// Never held: they tell of faults of the thread itself, or are the kernel's way to
/// end a real-time thread that runs away.
const NEVER: [libc::c_int; 6] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGXCPU];

/// Signals held from the thread that made this; dropping it lets those through again
/// that it held. It cannot leave the thread.
#[must_use = "the signals are held as long as this lives"]
pub struct HeldSignals {
    before: libc::sigset_t,
    _stays: PhantomData<*const ()>,
}

impl HeldSignals {
    /// All but those that tell of the thread's own faults.
    pub fn all() -> HeldSignals {
        let mut set = empty();
        // SAFETY: writes to the local set only; the numbers are signals' numbers.
        unsafe {
            libc::sigfillset(&raw mut set);
            for signal in NEVER {
                libc::sigdelset(&raw mut set, signal);
            }
        }
        hold(&set)
    }

    /// SIGALRM alone, for the thread that makes those that measure: Ctrl-C stays.
    pub fn alarm() -> HeldSignals {
        hold(&only(libc::SIGALRM))
    }
}

impl Drop for HeldSignals {
    fn drop(&mut self) {
        // SAFETY: the mask was the thread's own; the call only reads it.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, no_set()) };
    }
}

fn hold(set: &libc::sigset_t) -> HeldSignals {
    let mut before = empty();
    // SAFETY: reads `set` and writes `before`, which both outlive the call.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, set, &raw mut before) };
    HeldSignals { before, _stays: PhantomData }
}

fn no_set() -> *mut libc::sigset_t {
    std::ptr::null_mut()
}

fn empty() -> libc::sigset_t {
    // SAFETY: all zeros is a valid set, and sigemptyset writes to nothing else.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        set
    }
}

/// The set of one signal.
pub(super) fn only(signal: libc::c_int) -> libc::sigset_t {
    let mut set = empty();
    // SAFETY: writes to the local set only.
    unsafe { libc::sigaddset(&raw mut set, signal) };
    set
}

/// Takes what is pending of these signals, which must be held, so that none arrives
/// when they are let through.
pub(super) fn drain(set: &libc::sigset_t) {
    let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the set and the timeout outlive the call; no information is asked for.
    while unsafe { libc::sigtimedwait(set, std::ptr::null_mut(), &raw const at_once) } > 0 {}
}

/// Whether every thread of this process holds SIGALRM, as /proc tells it. One that
/// does not would be given the process's alarm, and by default it ends the program.
pub(super) fn all_hold_the_alarm() -> bool {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return false };
    tasks.flatten().all(|task| {
        // A thread that has ended meanwhile takes no signal.
        let status = std::fs::read_to_string(task.path().join("status"));
        status.map_or(true, |status| holds(&status, libc::SIGALRM))
    })
}

/// Whether a thread's `status` shows this signal as blocked.
fn holds(status: &str, signal: libc::c_int) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigBlk:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held_here(signal: libc::c_int) -> bool {
        holds(&std::fs::read_to_string("/proc/thread-self/status").unwrap(), signal)
    }

    #[test]
    fn signals_are_held_and_let_through_again() {
        assert!(!held_here(libc::SIGALRM));
        let held = HeldSignals::alarm();
        assert!(held_here(libc::SIGALRM) && !held_here(libc::SIGINT));
        let more = HeldSignals::all();
        assert!(held_here(libc::SIGINT) && !held_here(libc::SIGSEGV));
        assert!(!held_here(libc::SIGXCPU), "the kernel's end of a thread that runs away");
        drop(more);
        assert!(held_here(libc::SIGALRM) && !held_here(libc::SIGINT));
        drop(held);
        assert!(!held_here(libc::SIGALRM));
    }

    #[test]
    fn a_thread_that_takes_the_alarm_is_seen() {
        // The test program's own first thread holds nothing.
        assert!(!all_hold_the_alarm());
    }
}

//! Signals are the whole process's, so this test has one of its own.
#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

use chronotap_linux::realtime::{Interrupt, Terminal};
use rustix::process::{Signal, getpid, kill_process};

/// Another thread may be the one that handles it, so what it does is waited for.
fn raise(signal: Signal, seen: impl Fn() -> bool) {
    kill_process(getpid(), signal).unwrap();
    while !seen() {
        std::thread::yield_now();
    }
}

#[test]
fn a_hangup_is_remembered_and_asks_for_no_end_and_ctrl_c_still_does() {
    let interrupt = Interrupt::install().unwrap();
    let terminal = Terminal::outlive().unwrap();
    (0..4).for_each(|_| raise(Signal::HUP, || terminal.is_gone()));
    assert!(!interrupt.requested());
    raise(Signal::INT, || interrupt.requested());
    assert_eq!(interrupt.signal(), Some(Signal::INT.as_raw()));
}

//! The loop test in real time, over a pseudo-terminal whose far end sends
//! everything back. Counts are asserted, times are not.

use crate::common::looped;
use chronotap_linux::ports::RawPort;
use chronotap_testkit_linux::terminal::terminal;
use std::path::PathBuf;

/// A terminal whose other end sends everything back, until it is closed.
fn looped_terminal() -> (PathBuf, std::thread::JoinHandle<()>) {
    let (master, path) = terminal();
    // Held open, so that the far end does not end before the test begins.
    let slave = std::fs::File::open(&path).expect("the other end");
    let far_end = std::thread::spawn(move || {
        let mut held = Some(slave);
        let mut bytes = [0; 256];
        while let Ok(len @ 1..) = rustix::io::read(&master, &mut bytes) {
            held = None; // the test has opened it by now
            let _ = rustix::io::write(&master, &bytes[..len]);
        }
        drop(held);
    });
    (path, far_end)
}

#[test]
fn every_message_comes_back_over_a_terminal() {
    let (path, far_end) = looped_terminal();
    let port = RawPort::open(&path, Some(0), true).expect("the terminal is there");
    let report = looped(port, 500);
    far_end.join().expect("the far end ends with the terminal");
    assert!(report.complete && report.fit, "{report}");
    assert_eq!(report.messages.faults(), 0, "{report}");
    // 250 presses. A terminal is faster than the 1 ms until the first release, so
    // several presses circulate, and the releases of the last may still be under way.
    assert!((250..=501).contains(&report.messages.received), "{report}");
    let messages = &report.messages;
    assert_eq!(messages.matched, messages.received, "{report}");
    assert_eq!(messages.sent, messages.received + messages.under_way, "{report}");
}

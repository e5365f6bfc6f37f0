//! The loop test in real time, over a pseudo-terminal whose far end sends
//! everything back. Counts are asserted, times are not.

use chronotap_laboratory::Session;
use chronotap_ports::RawPort;
use chronotap_realtime::{Interrupt, Request};
use chronotap_rehearsal::Rig;
use chronotap_runner::real_time::Settings;
use chronotap_testkit::terminal::terminal;
use chronotap_timing::{Report, Test, in_real_time};
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
    let mut rig = Rig::new(1, 1);
    let port = RawPort::open(&path, Some(0), true).expect("the terminal is there");
    rig.add(Box::new(port), &[0], &[0]).expect("one port is within the limit");
    let settings = Settings { request: Request::nothing(), spin: false };
    let interrupt = Interrupt::without_signals().expect("a descriptor");
    let test = Test::Loop { inputs: 500 };
    let ports = (&["input"][..], &["output"][..]);
    let mut session = Session::on_ports(rig, ports, &settings, interrupt).expect("a thread");
    let measured = in_real_time(test, &mut session, |_, _| {}).expect("it runs");
    drop(session);
    far_end.join().expect("the far end ends with the terminal");
    let report = Report::of(&measured, "terminal", "terminal");
    assert!(report.complete && report.fit, "{report}");
    assert_eq!(report.messages.faults(), 0, "{report}");
    // 250 presses. A terminal is faster than the 1 ms until the first release, so
    // several presses circulate, and the releases of the last may still be under way.
    assert!((250..=501).contains(&report.messages.received), "{report}");
    let messages = &report.messages;
    assert_eq!(messages.matched, messages.received, "{report}");
    assert_eq!(messages.sent, messages.received + messages.under_way, "{report}");
}

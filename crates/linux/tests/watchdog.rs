//! A real-time thread that runs away is made an ordinary one. Needs the right to
//! SCHED_FIFO; without it the test is passed over.

#![allow(clippy::unwrap_used, reason = "a test")]

use chronotap_core::time::{Clock, Nanos};
use chronotap_linux::clocks::MonotonicClock;
use chronotap_linux::realtime::{Heartbeat, Request, Watchdog, WatchdogReport, ask, policy_of};
use chronotap_testkit::pass_over;
use std::sync::Arc;

const PRIORITY: i32 = 5;

/// Ends the spinning where no demotion comes: late enough for a machine that stalls.
const PATIENCE: Nanos = Nanos::from_secs(60);

/// Spins as SCHED_FIFO until demoted; gives what the watchdog said, or why the system
/// refused the scheduling.
fn run_away(beating: bool) -> Result<WatchdogReport, String> {
    std::thread::spawn(move || {
        let heart = Heartbeat::new();
        let watchdog = Watchdog::watch_this_thread(Arc::clone(&heart), Some(PRIORITY)).unwrap();
        let rights = ask(&Request { fifo_priority: Some(PRIORITY), ..Request::nothing() });
        if !rights.grant().is_realtime() {
            return Err(rights.grant().sentences().collect());
        }
        let clock = MonotonicClock::start();
        while !heart.was_demoted() && clock.now() < PATIENCE {
            if beating {
                heart.beat();
            }
            std::hint::spin_loop();
        }
        assert!(!policy_of(0).unwrap().is_realtime(), "still real-time");
        Ok(watchdog.finish())
    })
    .join()
    .unwrap()
}

#[test]
fn a_spinning_thread_without_a_heartbeat_is_demoted() {
    let report = match run_away(false) {
        Ok(report) => report,
        Err(refused) => return pass_over(refused),
    };
    let demotion = report.demotion.expect("a demotion");
    assert_eq!(demotion.failed, None);
    assert!(demotion.awake_ns >= 2_000_000_000 && demotion.reason.contains("2 s"));
    assert!(report.scheduling.contains("SCHED_FIFO 6"), "{}", report.scheduling);
}

#[test]
fn a_heartbeat_does_not_excuse_a_thread_that_never_sleeps() {
    let report = match run_away(true) {
        Ok(report) => report,
        Err(refused) => return pass_over(refused),
    };
    assert!(report.demotion.expect("a demotion").reason.contains("4 s"));
}

#[test]
fn a_thread_that_sleeps_keeps_its_priority() {
    std::thread::spawn(|| {
        let heart = Heartbeat::new();
        let watchdog = Watchdog::watch_this_thread(Arc::clone(&heart), Some(PRIORITY)).unwrap();
        let rights = ask(&Request { fifo_priority: Some(PRIORITY), ..Request::nothing() });
        let clock = MonotonicClock::start();
        clock.sleep_until(Nanos::from_millis(600));
        assert_eq!(policy_of(0).unwrap().is_realtime(), rights.grant().is_realtime());
        let report = watchdog.finish();
        assert!(report.looks >= 1 && report.demotion.is_none());
    })
    .join()
    .unwrap();
}

#[test]
fn a_panic_gives_the_rights_back_and_ends_only_its_thread() {
    let died = std::thread::spawn(|| {
        let watchdog = Watchdog::watch_this_thread(Heartbeat::new(), Some(PRIORITY)).unwrap();
        let _rights = ask(&Request { fifo_priority: Some(PRIORITY), ..Request::nothing() });
        let _watched = watchdog; // ended by the unwinding too
        std::panic::resume_unwind(Box::new(())); // as a panic, without its message
    })
    .join();
    assert!(died.is_err());
    assert!(!policy_of(0).unwrap().is_realtime());
}

#[test]
fn threads_of_a_real_time_thread_are_ordinary() {
    std::thread::spawn(|| {
        let rights = ask(&Request { fifo_priority: Some(PRIORITY), ..Request::nothing() });
        let child = std::thread::spawn(|| policy_of(0).unwrap());
        assert!(!child.join().unwrap().is_realtime());
        drop(rights);
    })
    .join()
    .unwrap();
}

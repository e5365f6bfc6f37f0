//! Locked memory, in a process of its own because the lock is the process's.

#![allow(clippy::unwrap_used, reason = "a test")]

use chronotap_linux::realtime::{Request, Usage, ask};
use chronotap_testkit::pass_over;

/// Memory in RAM by order of the program, in KiB.
fn locked_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmLck:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn locked_memory_is_touched_without_a_fault_and_unlocked_with_the_rights() {
    let rights = ask(&Request { lock_memory: true, ..Request::nothing() });
    let lock = rights.grant().items[0].clone();
    if !lock.granted {
        assert!(lock.why_not.is_some() && lock.cure.is_some() && locked_kib() == 0);
        return pass_over(lock.sentence());
    }
    assert!(locked_kib() > 0);
    let before = Usage::of_this_thread();
    chronotap_linux::realtime::prefault_stack();
    let during = Usage::of_this_thread() - before;
    assert_eq!((during.minor_faults, during.major_faults), (0, 0));
    // Everything a trial does once it runs: further threads and buffers still work.
    std::thread::spawn(|| vec![1u8; 32 << 20].len()).join().unwrap();
    drop(rights);
    assert_eq!(locked_kib(), 0);
}

#[test]
fn a_grant_is_written_down_and_read_again() {
    let grant = ask(&Request { cpu: Some(100_000), ..Request::nothing() }).grant().clone();
    let text = serde_json::to_string(&grant).unwrap();
    assert!(text.contains("\"granted\":false") && text.contains("\"cure\""), "{text}");
    assert_eq!(serde_json::from_str::<chronotap_linux::realtime::Grant>(&text).unwrap(), grant);
}

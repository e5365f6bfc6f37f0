//! Codes on a serial line, with a pseudo-terminal as the far end: what comes there, how the line is
//! left, and what becomes of a device that is gone.

#![allow(
    clippy::disallowed_methods,
    reason = "the far end is another process, whose answer is waited for"
)]

use assert_no_alloc::assert_no_alloc;
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::{Port, PortError};
use chronotap_linux::ports::{LineError, OpenPortError, Spec};
use rustix::fd::OwnedFd;
use rustix::fs::OFlags;
use std::time::{Duration, Instant};

fn action(kind: ActionKind, number: u32) -> Action {
    let (deadline, instant) = (Nanos::ZERO, Nanos::ZERO);
    let perturbation = Perturbation::NONE;
    Action {
        id: 1,
        kind,
        number,
        cause: 0,
        deadline,
        instant,
        port: 0,
        message: None,
        perturbation,
    }
}

fn code(number: u32) -> Action {
    action(ActionKind::Code(0), number)
}

fn rest() -> Action {
    action(ActionKind::CodeOff, 0)
}

/// The far end of a new line, and the path of the near one.
fn line() -> (OwnedFd, String) {
    let (far, path) = chronotap_testkit_linux::terminal::terminal();
    (far, path.display().to_string())
}

fn open(name: &str) -> Result<Box<dyn Port>, OpenPortError> {
    name.parse::<Spec>().unwrap().open(&[], &[(0, "eeg")])
}

/// The bytes that have come to the far end, at least so many.
fn heard(far: &OwnedFd, least: usize) -> Vec<u8> {
    let flags = rustix::fs::fcntl_getfl(far).unwrap();
    rustix::fs::fcntl_setfl(far, flags | OFlags::NONBLOCK).unwrap();
    let (mut all, begun) = (Vec::new(), Instant::now());
    while all.len() < least && begun.elapsed() < Duration::from_secs(5) {
        let mut bytes = [0; 64];
        match rustix::io::read(far, &mut bytes) {
            Ok(len) => all.extend_from_slice(&bytes[..len]),
            Err(_) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
    all
}

fn refusal(name: &str) -> LineError {
    match open(name).map(drop) {
        Err(OpenPortError::Device(error)) => *error.downcast().unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_code_is_a_byte_as_it_is_and_the_line_rests_before_and_after() {
    let (far, path) = line();
    let mut port = open(&format!("serial:{path}")).unwrap();
    assert_eq!(heard(&far, 1), [0]);
    // Among them those that a terminal would take for a line's end, Ctrl-C and XOFF.
    for value in [1, 3, 10, 13, 19, 127, 255] {
        port.write(&code(value), Nanos::ZERO).unwrap();
        port.write(&rest(), Nanos::ZERO).unwrap();
    }
    assert_eq!(heard(&far, 14), [1, 0, 3, 0, 10, 0, 13, 0, 19, 0, 127, 0, 255, 0]);
    assert_eq!((port.counts().sent, port.counts().lost), (14, 0));
}

#[test]
fn a_name_says_what_stands_at_rest_and_whether_bits_are_inverted() {
    let (far, path) = line();
    let mut port = open(&format!("serial:{path}?rest=255")).unwrap();
    port.write(&code(7), Nanos::ZERO).unwrap();
    port.write(&rest(), Nanos::ZERO).unwrap();
    assert_eq!(heard(&far, 3), [255, 7, 255]);
    drop(port);
    let mut port = open(&format!("serial:{path}?inverted")).unwrap();
    port.write(&code(1), Nanos::ZERO).unwrap();
    port.write(&rest(), Nanos::ZERO).unwrap();
    assert_eq!(heard(&far, 3), [255, 254, 255]);
    drop(port);
    let mut port = open(&format!("serial:{path}?rest=none")).unwrap();
    port.write(&code(9), Nanos::ZERO).unwrap();
    port.write(&rest(), Nanos::ZERO).unwrap();
    drop(port);
    assert_eq!(heard(&far, 1), [9]);
}

#[test]
fn a_port_that_is_closed_or_finishes_with_a_code_on_the_line_puts_it_at_rest() {
    let (far, path) = line();
    let mut port = open(&format!("serial:{path}")).unwrap();
    port.write(&code(7), Nanos::ZERO).unwrap();
    port.finish();
    port.write(&code(8), Nanos::ZERO).unwrap();
    drop(port);
    assert_eq!(heard(&far, 5), [0, 7, 0, 8, 0]);
}

#[test]
fn a_line_is_this_programs_alone_while_it_is_open_and_free_afterwards() {
    let (_far, path) = line();
    let port = open(&format!("serial:{path}")).unwrap();
    if !rustix::process::geteuid().is_root() {
        assert!(matches!(refusal(&format!("serial:{path}")), LineError::Busy { .. }));
    }
    drop(port);
    assert!(open(&format!("serial:{path}")).is_ok());
}

#[test]
fn what_is_not_there_or_no_line_is_refused_and_told() {
    assert!(matches!(refusal("serial:/dev/no-such-line"), LineError::Missing { .. }));
    assert!(matches!(refusal("serial:/dev/null"), LineError::AnotherKind { .. }));
    assert!(matches!(refusal("parallel:/dev/null"), LineError::AnotherKind { .. }));
    let input = "serial:/dev/x".parse::<Spec>().unwrap().open(&[(0, "pad")], &[]).err().unwrap();
    assert!(matches!(input, OpenPortError::OutputOnly { .. }));
}

#[test]
fn a_line_whose_far_end_is_gone_says_so_and_counts_what_it_lost() {
    let (far, path) = line();
    let mut port = open(&format!("serial:{path}")).unwrap();
    drop(far);
    let begun = Instant::now(); // the keeper, and those of other tests, let go of the far end soon
    while port.write(&code(7), Nanos::ZERO).is_ok() && begun.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(port.write(&code(7), Nanos::ZERO), Err(PortError::Closed));
    assert_eq!(port.counts().lost, 2);
}

#[test]
fn a_device_that_takes_nothing_loses_codes_blocks_nobody_and_comes_to_rest_later() {
    let (far, path) = line();
    let mut port = open(&format!("serial:{path}")).unwrap();
    let full = (0..100_000).find(|_| port.write(&code(7), Nanos::ZERO) == Err(PortError::Full));
    assert!(full.is_some());
    assert!(port.write(&rest(), Nanos::ZERO).is_ok(), "it is kept");
    assert_eq!(port.write(&code(8), Nanos::ZERO), Err(PortError::Full));
    heard(&far, full.unwrap());
    port.write(&code(9), Nanos::ZERO).unwrap();
    let last = heard(&far, 2);
    assert_eq!(last[last.len() - 2..], [0, 9]);
}

#[test]
fn a_line_never_allocates_when_it_is_written() {
    let (_far, path) = line();
    let mut port = open(&format!("serial:{path}")).unwrap();
    assert_no_alloc(|| {
        for _ in 0..200 {
            port.write(&code(7), Nanos::ZERO).unwrap();
            port.write(&rest(), Nanos::ZERO).unwrap();
        }
    });
}

/// The program that the next test kills: this test itself, as a process of its own.
#[test]
fn a_line_is_put_at_rest_where_the_program_is_killed_with_a_code_on_it() {
    if let Ok(path) = std::env::var("LINE_TO_LEAVE") {
        let mut port = open(&format!("serial:{path}")).unwrap();
        port.write(&code(7), Nanos::ZERO).unwrap();
        std::thread::sleep(Duration::from_secs(60));
    }
    let (far, path) = line();
    let this = "lines::a_line_is_put_at_rest_where_the_program_is_killed_with_a_code_on_it";
    let mut killed = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", this, "--nocapture"])
        .env("LINE_TO_LEAVE", &path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    assert_eq!(heard(&far, 2), [0, 7]);
    killed.kill().unwrap();
    assert_eq!(heard(&far, 1), [0]);
    let said = String::from_utf8(killed.wait_with_output().unwrap().stderr).unwrap();
    assert!(said.contains(&format!("serial:{path} was put at rest")), "{said}");
}

/// The name by which `killall` knows a process, and the arguments that `pkill -f` looks into.
fn known_by(process: u32) -> (String, String) {
    let read = |file: &str| std::fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
    let text = |file: &str| String::from_utf8_lossy(&read(file)).replace('\0', " ");
    (text("comm").trim().to_owned(), text("cmdline"))
}

/// The processes that this one began.
fn children(process: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let all = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = |of: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{of}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse::<u32>().ok()
    };
    all.filter(|of| parent(*of) == Some(process)).collect()
}

/// As `killall -9 NAME` and `pkill -9 -f NAME` do, to the program and what it began.
#[test]
fn a_line_is_put_at_rest_also_where_all_processes_of_the_program_s_name_are_killed() {
    if let Ok(path) = std::env::var("LINE_TO_LEAVE") {
        let mut port = open(&format!("serial:{path}")).unwrap();
        port.write(&code(7), Nanos::ZERO).unwrap();
        std::thread::sleep(Duration::from_secs(60));
    }
    let (far, path) = line();
    let this =
        "lines::a_line_is_put_at_rest_also_where_all_processes_of_the_program_s_name_are_killed";
    let mut killed = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", this, "--nocapture"])
        .env("LINE_TO_LEAVE", &path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(heard(&far, 2), [0, 7]);
    let (name, arguments) = known_by(killed.id());
    let keepers = children(killed.id());
    assert_eq!(keepers.len(), 1, "{keepers:?}");
    for keeper in keepers {
        let (other, others) = known_by(keeper);
        let first = arguments.split(' ').next().unwrap();
        if other == name || others.contains(first) {
            let keeper = rustix::process::Pid::from_raw(keeper as i32).unwrap();
            rustix::process::kill_process(keeper, rustix::process::Signal::KILL).unwrap();
        }
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(heard(&far, 1), [0]);
}

//! Nobody is let in: a trial and a study open no socket of a network; the console listens on
//! loopback alone; no file of the program runs with another user's rights.
//!
//! What a process has open stands in /proc/PID/fd, and whether a socket is one of a network in
//! /proc/PID/net (proc(5)).

use chronotap_testkit_cli::program::{ANY_LATENESS, Running, Workspace, start, wait_until};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const TRIAL: &str = "[pacing.metronome]\ninterval = \"50 ms\"\n[feedback.tone]\n";

/// The tables of sockets that reach other machines. Those of Unix and netlink do not.
const NETWORKS: [&str; 10] =
    ["tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6", "icmp", "packet"];

/// The local addresses, as the kernel writes them, of the network sockets that a program and all
/// that it started have open.
fn sockets_of(program: u32) -> Vec<String> {
    sockets_of_these(&family(program))
}

/// The same of some processes.
fn sockets_of_these(processes: &[u32]) -> Vec<String> {
    let program = processes[0];
    let open: BTreeSet<String> = processes.iter().copied().flat_map(open_sockets).collect();
    let tables = NETWORKS
        .iter()
        .filter_map(|table| fs::read_to_string(format!("/proc/{program}/net/{table}")).ok());
    let lines: Vec<String> =
        tables.flat_map(|table| table.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let theirs = |line: &&String| line.split_whitespace().any(|cell| open.contains(cell));
    lines.iter().filter(theirs).map(|line| line.split_whitespace().nth(1).unwrap().into()).collect()
}

/// A program, and what it and its children started.
fn family(program: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{program}/task/{program}/children"));
    let children = children.unwrap_or_default();
    let below = children.split_whitespace().flat_map(|child| family(child.parse().unwrap()));
    [program].into_iter().chain(below.collect::<Vec<_>>()).collect()
}

/// The numbers of the sockets that a process has open.
fn open_sockets(process: u32) -> Vec<String> {
    let Ok(open) = fs::read_dir(format!("/proc/{process}/fd")) else { return Vec::new() };
    let links = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let number = |link: std::path::PathBuf| {
        let socket = link.to_str()?.strip_prefix("socket:[")?;
        Some(socket.strip_suffix(']')?.to_owned())
    };
    links.filter_map(number).collect()
}

/// Asserts at some moments of a run that it has no socket of a network.
fn assert_alone(mut running: Running) {
    let mut looked = 0;
    while !running.has_ended() && looked < 40 {
        let sockets = sockets_of(running.id());
        assert!(sockets.is_empty(), "{sockets:?}");
        looked += 1;
        chronotap_testkit_cli::program::pause(50);
    }
    assert!(looked > 5, "it ran long enough to be looked at");
}

#[test]
fn a_trial_and_who_follows_it_open_no_socket_of_a_network() {
    let place = Workspace::of(PROGRAM);
    place.file("trial.toml", format!("{TRIAL}[[when]]\ntime = \"3 s\"\nend = true\n"));
    let args = ["run", "trial.toml", "--simulate", "steady", "--follow", "-", "--data", "data"];
    assert_alone(start(place.chronotap(args.into_iter().chain([ANY_LATENESS]))));
}

/// Who asked for LSL has a network in the process that publishes, and nowhere else.
#[cfg(feature = "lsl")]
#[test]
fn a_trial_whose_events_are_published_opens_no_socket_of_a_network_itself() {
    let place = Workspace::of(PROGRAM);
    place.file("trial.toml", format!("{TRIAL}[[when]]\ntime = \"3 s\"\nend = true\n"));
    let bridge = start(place.chronotap(["lsl", "--follow", "socket"]));
    wait_until("it listens", || place.path("socket").exists());
    assert!(!sockets_of(bridge.id()).is_empty(), "there it is seen");
    let args = ["run", "trial.toml", "--simulate", "steady", "--follow", "socket"];
    assert_alone(start(place.chronotap(args.into_iter().chain([ANY_LATENESS]))));
    bridge.says("a trial begins");
}

/// The same where the run starts that process itself.
#[cfg(feature = "lsl")]
#[test]
fn a_run_that_publishes_opens_no_socket_of_a_network_in_its_own_process() {
    let place = Workspace::of(PROGRAM);
    place.file("trial.toml", format!("{TRIAL}[[when]]\ntime = \"3 s\"\nend = true\n"));
    let args = ["run", "trial.toml", "--simulate", "steady", "--lsl", ANY_LATENESS];
    let mut run = start(place.chronotap(args));
    run.says("LSL publishing");
    assert!(!sockets_of(run.id()).is_empty(), "below it they are seen");
    let mut looked = 0;
    while !run.has_ended() {
        assert_eq!(sockets_of_these(&[run.id()]), Vec::<String>::new());
        looked += 1;
        chronotap_testkit_cli::program::pause(50);
    }
    assert!(looked > 5, "it ran long enough to be looked at");
}

#[test]
fn the_console_listens_on_loopback_alone() {
    let place = Workspace::of(PROGRAM);
    let console = start(place.chronotap(["console", "."]));
    wait_until("it listens", || !sockets_of(console.id()).is_empty());
    for address in sockets_of(console.id()) {
        // 127.x.y.z, least significant byte first, as /proc/net/tcp has it
        assert!(address.split(':').next().unwrap().ends_with("7F"), "{address}");
    }
}

#[test]
fn the_program_has_no_other_users_rights() {
    let mode = fs::metadata(PROGRAM).unwrap().permissions().mode();
    assert_eq!(mode & 0o6000, 0, "{mode:o}");
}

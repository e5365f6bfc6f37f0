//! `simulate --repeat`: any number of trials in the memory of a few, and their lines as they
//! are made.

use chronotap_testkit_cli::program::{Workspace, pause};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const TRIAL: &str = "\
[pacing.metronome]
interval = \"500 ms\"
[[when]]
beat = 9
end = true
";

fn started(options: &str) -> (Workspace, Child) {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    let mut command = place.chronotap("simulate t.toml --seed 1 --no-data".split(' '));
    command.args(options.split(' ')).stdin(Stdio::null()).stdout(Stdio::piped());
    // The allocator of glibc takes one more arena wherever threads meet in it, whatever they keep (mallopt(3)).
    command.env("MALLOC_ARENA_MAX", "1");
    let child = command.spawn().unwrap();
    (place, child)
}

/// The most memory that a process has had so far, in kB; nothing once it has ended.
fn peak_kb(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The peak of so many trials, of which nothing is read before the end.
fn peak_of(trials: u32) -> u64 {
    let (_place, mut child) = started(&format!("--repeat {trials}"));
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(peak_kb(&child).unwrap_or(0));
        pause(1);
    }
    peak
}

/// What the allocator, and threads that wait for each other, make of the same trials.
const SPREAD_KB: u64 = 4_096;

#[test]
fn thousands_of_trials_take_no_more_memory_than_hundreds() {
    let (few, many) = (peak_of(500), peak_of(15_000)); // 15,000 summaries kept would be 50 MB
    assert!(many < few + SPREAD_KB, "{few} kB, then {many} kB");
}

#[test]
fn lines_of_json_come_while_trials_are_made_and_whoever_reads_slowly_costs_no_memory() {
    // So many take hours: lines can only be here because none waits for the last trial.
    let (_place, mut child) = started("--repeat 1000000 --json");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut peak_after = |trials: usize, seed: u64| {
        let line = lines.nth(trials - 1).unwrap();
        let trial: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(trial["seed"], seed, "in the order of the seeds");
        pause(50); // the pipe is full, and the program waits
        peak_kb(&child).unwrap()
    };
    peak_after(1, 1);
    let few = peak_after(499, 500);
    let many = peak_after(7_500, 8_000);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(many < few + SPREAD_KB, "{few} kB, then {many} kB");
}

//! The loads as the timing tests use them, through the program itself: that each does
//! what it says, and that none outlives the one that started it.

use chronotap_bench::studies::Load;
use chronotap_bench::studies::loads::{LoadLimits, RunningLoad};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

fn limits(dir: &Path) -> LoadLimits {
    let program = env!("CARGO_BIN_EXE_chronotap").into();
    let seconds = LOAD_MS as u32 / 1_000;
    LoadLimits { program, seconds, dir: dir.into(), size_mb: Some(5), ..LoadLimits::default() }
}

/// When a load ends by itself: never within a test, however slow the machine.
const LOAD_MS: i64 = 3_600_000;

fn pause(ms: i64) {
    sleep_until(MonotonicClock::raw() + Nanos::from_millis(ms));
}

/// Whether a process is gone long before it would end by itself; a dead one that nobody
/// has waited for counts as gone.
fn ends(process: u32) -> bool {
    (0..LOAD_MS / 4 / 10).any(|_| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        pause(10);
        stat.is_empty() || stat.contains(") Z ")
    })
}

#[test]
fn every_load_that_can_run_here_counts_work_of_its_own_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let limits = limits(dir.path());
    for load in Load::ALL.into_iter().skip(1).filter(|load| load.available(&limits).is_ok()) {
        let mut running = RunningLoad::start(load, &limits).unwrap();
        pause(1_000);
        assert!(running.is_running(), "{load}");
        let process = running.process_id().unwrap();
        let work = running.end().unwrap_or_else(|error| panic!("{error}"));
        assert!(work.elapsed_s > 0.0 && work.done.values().sum::<f64>() > 0.0, "{load}: {work:?}");
        assert!(ends(process), "{load} goes on");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "{load} left a file");
    }
}

#[test]
fn dropping_a_load_ends_it() {
    let dir = tempfile::tempdir().unwrap();
    let running = RunningLoad::start(Load::Contending, &limits(dir.path())).unwrap();
    let process = running.process_id().unwrap();
    drop(running);
    assert!(ends(process));
}

#[test]
fn a_load_ends_when_its_starter_is_killed() {
    let mut starter = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "loads::starts_a_load_and_says_which", "--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(starter.stdout.take().unwrap()).lines().map_while(Result::ok);
    let named = |line: String| line.split_once("process ").and_then(|(_, id)| id.parse().ok());
    let process: u32 = lines.into_iter().find_map(named).unwrap();
    assert!(Path::new(&format!("/proc/{process}")).exists());
    starter.kill().unwrap(); // SIGKILL: it can tidy nothing up
    starter.wait().unwrap();
    assert!(ends(process));
}

/// Not a test: the program that the test above kills.
#[test]
#[ignore = "run by a_load_ends_when_its_starter_is_killed"]
fn starts_a_load_and_says_which() {
    let running = RunningLoad::start(Load::Arithmetic, &limits(Path::new("/var/tmp"))).unwrap();
    println!("\nprocess {}", running.process_id().unwrap());
    pause(LOAD_MS);
}

#[test]
fn a_load_that_fails_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let limits = LoadLimits { cpu: Some(100_000), ..limits(dir.path()) };
    let error = RunningLoad::start(Load::Arithmetic, &limits).unwrap_err().to_string();
    assert!(error.contains("there is no processor 100000"), "{error}");
}

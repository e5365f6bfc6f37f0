//! [`pass_over`]: a test that cannot be made on this machine says so. Rust's test programs
//! know only passed, failed and ignored before the start, so the word goes by a file of its
//! own, from which `scripts/test.sh` counts the test as skipped instead of passed.

use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;

/// The environment variable by which `make test` leaves long tests to `make test-all`. Without it they run.
const BRIEF: &str = "CHRONOTAP_BRIEF";

/// The environment variable that names the file. Without it the reason is only printed.
const FILE: &str = "CHRONOTAP_PASSED_OVER";

/// Whether the calling test, which takes processors for long, is left to `make test-all` this time. It then is passed
/// over, and returns.
///
/// # Panics
///
/// As [`pass_over`].
#[track_caller]
#[must_use]
pub fn left_to_all() -> bool {
    let left = std::env::var_os(BRIEF).is_some();
    if left {
        pass_over("it is long: `make test-all` runs it");
    }
    left
}

/// Says why the calling test is passed over; the test then returns. Call it on the test's own
/// thread, whose name is that of the test.
///
/// # Panics
///
/// Where the file that `CHRONOTAP_PASSED_OVER` names cannot be written: the count would be
/// wrong.
#[track_caller]
pub fn pass_over(reason: impl std::fmt::Display) {
    let reason = reason.to_string().replace(['\n', '\t'], " ");
    let thread = std::thread::current();
    let test = format!("{}: {}", Location::caller().file(), thread.name().unwrap_or("a test"));
    let _ = writeln!(std::io::stderr(), "passed over: {reason}");
    if let Some(path) = std::env::var_os(FILE) {
        // One write of one line, at the end: test programs may run side by side.
        let line = format!("{test}\t{reason}\n");
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.unwrap_or_else(|error| panic!("{FILE}={}: {error}", path.display()));
    }
}

//! [`told`]: a mistake of the program itself, in plain words. Whatever happens in a command, it ends
//! with a status, says what to send, and unwinds, so that no half-written file is left.

use crate::screen::{arguments, complain, remark};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether a defect was told: in any thread, also one that the command went on without.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Runs a command. `None` where the program contradicted itself, which was said then.
pub fn without_defect<T>(command: impl FnOnce() -> T) -> Option<T> {
    set_hook(Box::new(tell));
    let done = catch_unwind(AssertUnwindSafe(command)).ok();
    done.filter(|_| !TOLD.load(Relaxed))
}

/// One defect is told. What unwinds because of it in other threads is no other one.
fn tell(panic: &PanicHookInfo<'_>) {
    if TOLD.swap(true, Relaxed) {
        return;
    }
    let place = panic.location().map_or_else(String::new, |at| format!(" ({at})"));
    complain(&format!(
        "this is a defect of chronotap and no mistake of yours: {}{place}\n\
         please report it; send these lines, the files that were given, and what `chronotap --version` says\n\
         what was recorded is kept, and no unfinished file is left; the command was: chronotap {}",
        words(panic),
        arguments().join(" ")
    ));
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        remark(trace.to_string());
    }
}

fn words<'p>(panic: &'p PanicHookInfo<'_>) -> &'p str {
    let owned = || panic.payload().downcast_ref::<String>().map(String::as_str);
    let fixed = panic.payload().downcast_ref::<&'static str>().copied();
    fixed.or_else(owned).unwrap_or("without a word")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Runs in a process of its own: what is told of a panic holds for all of a process.
    #[test]
    #[ignore = "the next test starts it"]
    fn a_command_that_panics_in_the_middle_of_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.tsv");
        let done = without_defect(|| {
            chronotap_core::files::replace(&path, |_| panic!("two columns of one name"))
        });
        assert!(done.is_none());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "a file is left");
        let elsewhere = || std::thread::spawn(|| panic!("in a thread")).join().is_err();
        assert!(
            without_defect(elsewhere).is_none(),
            "the command went on, and its work is not whole"
        );
    }

    #[test]
    fn a_panic_is_told_as_a_defect_with_what_to_send_and_leaves_no_half_file() {
        let child = "defect::tests::a_command_that_panics_in_the_middle_of_a_file";
        let mut command = Command::new(std::env::current_exe().unwrap());
        let said = command.args(["--exact", child, "--ignored", "--nocapture"]).output().unwrap();
        let err = String::from_utf8(said.stderr).unwrap();
        assert!(said.status.success(), "{err}");
        for part in ["a defect of chronotap", "two columns of one name", "defect.rs:", "--version"]
        {
            assert!(err.contains(part), "{part}: {err}");
        }
        assert_eq!(err.matches("a defect of chronotap").count(), 1, "{err}");
    }
}

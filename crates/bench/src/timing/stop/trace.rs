//! [`Trace`]: what the kernel records of itself (ftrace), where somebody let it record and this
//! user may stop it. It is stopped and no more, so that its buffer still holds what happened before.

use std::fs::{File, OpenOptions, read_to_string};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where it is, on today's kernels and on older ones.
const PLACES: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];

/// A trace that is being recorded.
pub(super) struct Trace {
    place: PathBuf,
    on: File,
    marker: Option<File>,
}

impl Trace {
    /// The one of this machine, if it records anything.
    pub fn running() -> Option<Trace> {
        PLACES.iter().find_map(|place| Trace::at(Path::new(place)))
    }

    fn at(place: &Path) -> Option<Trace> {
        let records = !is(place, "current_tracer", "nop") || !is(place, "set_event", "");
        if !is(place, "tracing_on", "1") || !records {
            return None;
        }
        let open = |name: &str| OpenOptions::new().write(true).open(place.join(name)).ok();
        Some(Trace { place: place.into(), on: open("tracing_on")?, marker: open("trace_marker") })
    }

    /// Stops it, with a mark. Where the system refuses, it goes on, which [`Trace::sentence`] says.
    pub fn stop(&self) {
        if let Some(mut marker) = self.marker.as_ref() {
            let _ = marker.write_all(b"chronotap: beyond the limit\n");
        }
        let _ = (&self.on).write_all(b"0\n");
    }

    /// Whether it was stopped, as the kernel has it now, and where it is.
    pub fn sentence(&self) -> String {
        let place = self.place.display();
        if !is(&self.place, "tracing_on", "0") {
            return format!("the kernel's trace in {place}/trace could not be stopped and goes on");
        }
        format!(
            "the kernel's trace was stopped there and is in {place}/trace (to let it go on: \
             echo 1 | sudo tee {place}/tracing_on)"
        )
    }
}

/// Whether a file of the trace holds this word.
fn is(place: &Path, name: &str, value: &str) -> bool {
    read_to_string(place.join(name)).is_ok_and(|text| text.trim() == value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(tracer: &str, on: &str) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        let files = [("current_tracer", tracer), ("set_event", ""), ("tracing_on", on)];
        for (name, text) in files.into_iter().chain([("trace_marker", "")]) {
            std::fs::write(place.path().join(name), text).unwrap();
        }
        place
    }

    #[test]
    fn a_trace_that_records_is_marked_and_stopped() {
        let place = machine("function\n", "1\n");
        let trace = Trace::at(place.path()).unwrap();
        assert!(trace.sentence().ends_with("could not be stopped and goes on"));
        trace.stop();
        assert!(trace.sentence().starts_with("the kernel's trace was stopped there"));
        let text = |name: &str| read_to_string(place.path().join(name)).unwrap();
        assert_eq!(text("tracing_on"), "0\n");
        assert_eq!(text("trace_marker"), "chronotap: beyond the limit\n");
    }

    #[test]
    fn a_trace_that_is_off_or_records_nothing_is_left_alone() {
        assert!(Trace::at(machine("nop\n", "1\n").path()).is_none());
        assert!(Trace::at(machine("function\n", "0\n").path()).is_none());
        assert!(Trace::at(Path::new("/nowhere")).is_none());
    }
}

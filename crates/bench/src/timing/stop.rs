//! [`Stop`]: a test that ends at the first sample beyond a limit, as cyclictest's `-b` and
//! osnoise's `-s` do, so that what disturbed it is still there to be looked at.
//!
//! What ran meanwhile is told as far as the kernel tells it to anybody ([`Tasks`]); where it
//! records a trace, that is stopped at the sample ([`Trace`]), for whoever may read it.
//!
//! Real-time contract of [`Stop::passed`]: a measuring thread; no allocation, lock, log or panic;
//! two writes to the kernel at the one sample that ends the test, and no system call at any other.

mod tasks;
mod trace;

use chronotap_core::time::Nanos;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
pub(super) use tasks::Tasks;
use trace::Trace;

/// How the sentence of a stop begins, by which files of results tell it.
const STOPPED: &str = "stopped: ";
/// No thread as yet.
const NOBODY: usize = usize::MAX;

/// The limit, and who passed it first.
pub(super) struct Stop {
    above: Nanos,
    passed: AtomicBool,
    thread: AtomicUsize,
    at: AtomicI64,
    sample: AtomicI64,
    trace: Option<Trace>,
}

/// The sample that ended a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped {
    /// The thread that saw it, from 0.
    pub thread: usize,
    /// What was asked for: the deadline of a wake-up, the beginning of a gap.
    pub at: Nanos,
    pub sample: Nanos,
}

impl Stop {
    pub fn above(limit: Nanos) -> Stop {
        Stop {
            above: limit,
            passed: AtomicBool::new(false),
            thread: AtomicUsize::new(NOBODY),
            at: AtomicI64::new(0),
            sample: AtomicI64::new(0),
            trace: Trace::running(),
        }
    }

    /// Whether the test is to end: because of this sample, or of another thread's.
    pub fn passed(&self, thread: usize, at: Nanos, sample: Nanos) -> bool {
        if sample <= self.above {
            return self.passed.load(Ordering::Relaxed);
        }
        if !self.passed.swap(true, Ordering::Relaxed) {
            if let Some(trace) = &self.trace {
                trace.stop();
            }
            self.at.store(at.0, Ordering::Relaxed);
            self.sample.store(sample.0, Ordering::Relaxed);
            // What was stored before it is there for whoever sees the thread.
            self.thread.store(thread, Ordering::Release);
        }
        true
    }

    /// The first sample beyond the limit.
    pub fn first(&self) -> Option<Stopped> {
        let thread = Some(self.thread.load(Ordering::Acquire)).filter(|one| *one != NOBODY)?;
        let [at, sample] = [&self.at, &self.sample].map(|one| Nanos(one.load(Ordering::Relaxed)));
        Some(Stopped { thread, at, sample })
    }

    /// In a sentence: `what` says who saw which sample, `meanwhile` what was counted there.
    pub fn sentence(&self, what: &str, after: Nanos, meanwhile: &[String]) -> String {
        let (above, after) = (self.above.as_micros_f64(), after.as_secs_f64());
        let seen = match meanwhile {
            [] => "the kernel tells nothing of what ran there meanwhile".to_owned(),
            all => format!("there, meanwhile: {}", all.join("; ")),
        };
        let trace = match &self.trace {
            Some(trace) => trace.sentence(),
            None => "no trace of the kernel was running that this user may stop".to_owned(),
        };
        format!(
            "{STOPPED}{what}, more than {above} us, {after:.3} s after the beginning; {seen}; {trace}"
        )
    }
}

/// Whether a note of a test tells of a sample beyond its limit, which ended it.
pub fn tells_of_a_stop(note: &str) -> bool {
    note.starts_with(STOPPED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(n: i64) -> Nanos {
        Nanos::from_micros(n)
    }

    #[test]
    fn the_first_sample_beyond_the_limit_ends_every_thread_and_is_kept() {
        let stop = Stop { trace: None, ..Stop::above(us(100)) };
        assert!(!stop.passed(0, us(1), us(100)) && stop.first().is_none());
        assert!(stop.passed(1, us(7), us(101)));
        assert!(stop.passed(0, us(8), us(5)), "another thread ends, too");
        assert!(stop.passed(0, us(9), us(900)), "and changes nothing");
        assert_eq!(stop.first(), Some(Stopped { thread: 1, at: us(7), sample: us(101) }));
    }

    #[test]
    fn what_is_not_known_is_said() {
        let stop = Stop { trace: None, ..Stop::above(us(100)) };
        let said = stop.sentence("core 1 woke up 101 us late", us(1_500_000), &[]);
        assert!(tells_of_a_stop(&said));
        assert_eq!(
            said,
            "stopped: core 1 woke up 101 us late, more than 100 us, 1.500 s after the beginning; \
             the kernel tells nothing of what ran there meanwhile; no trace of the kernel was running \
             that this user may stop"
        );
    }
}

//! [`measure`]: threads that measure, each with the scheduling and the processor that
//! a test asks for, all started together, watched, and checked afterwards.
//!
//! The memory is locked once, by the caller's thread, when all threads stand; a
//! [`Watchdog`] looks after each that runs with real-time priority. What was granted
//! and what the kernel counted come back with each thread's result: nothing is
//! replaced in silence.

use crate::timing::FIFO;
use crate::timing::TestRun;
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::MonotonicClock;
use chronotap_linux::realtime::{
    DeadlineTime, Grant, Heartbeat, Policy, Request, Usage, Watchdog, WatchdogReport, ask,
    policy_of,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, Barrier};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Stacks are locked too, so they are small.
const STACK_BYTES: usize = 512 * 1024;
/// How often the caller's thread tells how far the test is.
const LOOK: Nanos = Nanos::from_millis(100);

/// How a measuring thread is scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scheduling {
    /// As any program: SCHED_OTHER, nice 0, memory not locked.
    Ordinary,
    /// SCHED_OTHER with this nice value, memory locked.
    Nice(i32),
    /// SCHED_FIFO with this priority, 1 to 98, memory locked.
    Fifo(i32),
    /// SCHED_DEADLINE with so much time in each period, on any processor, memory locked.
    Deadline(DeadlineTime),
}

/// Where and how a thread measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub scheduling: Scheduling,
    /// The only processor it may use, from 0; any where `None`.
    pub core: Option<usize>,
    /// Whether to keep all processors from idling deeply meanwhile.
    pub quick_wakeups: bool,
    /// Its timer slack in nanoseconds, from 1; the kernel's (50,000) where `None`.
    pub timer_slack_ns: Option<u64>,
}

/// What a thread measured, and under what circumstances.
#[derive(Clone, Debug)]
pub struct Timed<T> {
    /// What it gave.
    pub value: T,
    /// Rights asked for and granted; the memory lock and the wake-ups stand with the
    /// first thread.
    pub grant: Grant,
    /// The scheduling in force when it ended, as the kernel tells it.
    pub policy: Option<Policy>,
    /// What the kernel counted for it while it measured.
    pub usage: Usage,
    /// What the watchdog saw, where there was one.
    pub watchdog: Option<WatchdogReport>,
}

impl<T> Timed<T> {
    /// The same circumstances with another result.
    pub fn with<U>(self, value: U) -> Timed<U> {
        let Timed { grant, policy, usage, watchdog, .. } = self;
        Timed { value, grant, policy, usage, watchdog }
    }
}

/// A thread could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start a measuring thread: {0}")]
pub struct ThreadError(#[from] pub std::io::Error);

/// Runs `work` on one thread for each placement, all released together, and calls
/// `tell` on the caller's thread about ten times a second until all have ended. `work`
/// is given the index of its placement; it must look at the interruption of the course
/// itself, and may beat the heart.
///
/// # Errors
/// [`ThreadError`].
pub fn measure<T: Send>(
    placements: &[Placement],
    course: &mut TestRun<'_>,
    mut tell: impl FnMut(&mut TestRun<'_>),
    work: impl Fn(usize, &Heartbeat) -> T + Sync,
) -> Result<Vec<Timed<T>>, ThreadError> {
    let ready = Barrier::new(placements.len() + 1);
    let start = Barrier::new(placements.len() + 1);
    std::thread::scope(|scope| {
        let gates = Gates { ready: &ready, start: &start };
        let threads = spawn_all(scope, placements, gates, &work)?;
        ready.wait();
        let shared = ask(&shared_request(placements));
        start.wait();
        while threads.iter().any(|thread| !thread.is_finished()) {
            tell(course);
            chronotap_linux::clocks::sleep_until(MonotonicClock::raw() + LOOK);
        }
        let mut timed = threads.into_iter().map(join).collect::<Vec<_>>();
        if let Some(first) = timed.first_mut() {
            first.grant.items.extend(shared.grant().items.iter().cloned());
        }
        Ok(timed)
    })
}

/// What the threads pass before they measure.
#[derive(Clone, Copy)]
struct Gates<'a> {
    ready: &'a Barrier,
    start: &'a Barrier,
}

/// A watchdog for each real-time thread is made by the thread itself.
fn spawn_all<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    placements: &[Placement],
    gates: Gates<'scope>,
    work: &'scope (impl Fn(usize, &Heartbeat) -> T + Sync),
) -> Result<Vec<ScopedJoinHandle<'scope, Timed<T>>>, ThreadError> {
    let mut threads = Vec::new();
    for (index, placement) in placements.iter().copied().enumerate() {
        let builder = Builder::new().name("measure".into()).stack_size(STACK_BYTES);
        let body = move || one(placement, gates, |heart: &Heartbeat| work(index, heart));
        match builder.spawn_scoped(scope, body) {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                let_pass(placements.len() - index, gates);
                return Err(error.into());
            }
        }
    }
    Ok(threads)
}

/// Opens the gates for the threads that stand, since others will never come: each
/// missing one, and the caller, is waited for by a thread of its own.
fn let_pass(missing: usize, gates: Gates<'_>) {
    std::thread::scope(|scope| {
        for _ in 0..=missing {
            scope.spawn(|| {
                gates.ready.wait();
                gates.start.wait();
            });
        }
    });
}

fn one<T>(placement: Placement, gates: Gates<'_>, work: impl FnOnce(&Heartbeat) -> T) -> Timed<T> {
    let heart = Heartbeat::new();
    let watchdog = watchdog(placement.scheduling, &heart);
    let rights = ask(&placement.request());
    // The first reading faults in the kernel's clock page, which no memory lock holds.
    MonotonicClock::raw();
    gates.ready.wait();
    gates.start.wait();
    let before = Usage::of_this_thread();
    let value = work(&heart);
    let usage = Usage::of_this_thread() - before;
    let policy = policy_of(0).ok();
    let grant = rights.grant().clone();
    drop(rights);
    Timed { value, grant, policy, usage, watchdog: watchdog.map(Watchdog::finish) }
}

fn watchdog(scheduling: Scheduling, heart: &Arc<Heartbeat>) -> Option<Watchdog> {
    let Scheduling::Fifo(priority) = scheduling else { return None };
    Watchdog::watch_this_thread(Arc::clone(heart), Some(priority)).ok()
}

/// A panic of the work is the test's own fault and goes on to its caller.
fn join<T>(thread: ScopedJoinHandle<'_, Timed<T>>) -> Timed<T> {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What belongs to the process or the machine, asked once for all threads.
fn shared_request(placements: &[Placement]) -> Request {
    let locked = |placement: &Placement| placement.scheduling != Scheduling::Ordinary;
    Request {
        lock_memory: placements.iter().any(locked),
        dma_latency: placements.iter().any(|placement| placement.quick_wakeups),
        ..Request::nothing()
    }
}

impl Placement {
    /// With this scheduling, on any processor, wake-ups and slack as the system has them.
    pub const fn any(scheduling: Scheduling) -> Placement {
        Placement { scheduling, core: None, quick_wakeups: false, timer_slack_ns: None }
    }

    /// The same on one processor.
    #[must_use]
    pub const fn on(self, core: usize) -> Placement {
        Placement { core: Some(core), ..self }
    }

    /// What is asked of the system for such a thread.
    pub(crate) fn request(&self) -> Request {
        let mut request =
            Request { cpu: self.core, timer_slack_ns: self.timer_slack_ns, ..Request::nothing() };
        match self.scheduling {
            Scheduling::Ordinary => {}
            Scheduling::Nice(nice) => request.nice = Some(nice),
            Scheduling::Fifo(priority) => request.fifo_priority = Some(priority),
            Scheduling::Deadline(time) => request.deadline = Some(time),
        }
        request
    }
}

impl Scheduling {
    /// As the condition `scheduling` of a series begins; whether memory is locked comes behind it.
    pub(crate) fn class(self) -> String {
        match self {
            Scheduling::Ordinary => "ordinary".to_owned(),
            Scheduling::Nice(nice) => format!("nice {nice}"),
            Scheduling::Fifo(priority) => format!("{FIFO} {priority}"),
            Scheduling::Deadline(time) => time.to_string(),
        }
    }
}

impl fmt::Display for Scheduling {
    /// As in the condition `scheduling` of a series.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = if *self == Scheduling::Ordinary { "" } else { ", memory locked" };
        write!(f, "{}{memory}", self.class())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::Length;
    use chronotap_linux::realtime::Interrupt;

    fn with_course<R>(run: impl FnOnce(&mut TestRun<'_>) -> R) -> R {
        let mut tell = |_: &crate::timing::TestProgress| {};
        let interrupt = Interrupt::without_signals().unwrap();
        run(&mut TestRun::new(Length::Quick, interrupt, &mut tell))
    }

    #[test]
    fn every_thread_gives_its_own_result_with_what_was_granted() {
        let placements =
            [Placement::any(Scheduling::Fifo(10)), Placement::any(Scheduling::Ordinary)];
        let timed = with_course(|course| measure(&placements, course, |_| {}, |index, _| index));
        let timed = timed.unwrap();
        assert_eq!(timed.iter().map(|one| one.value).collect::<Vec<_>>(), [0, 1]);
        let realtime = timed[0].policy.is_some_and(|policy| policy.is_realtime());
        assert_eq!(timed[0].grant.is_realtime(), realtime);
        assert!(timed[0].watchdog.is_some() && timed[1].watchdog.is_none());
        assert!(timed[0].grant.items.len() >= 2, "the lock stands with the first thread");
    }

    #[test]
    fn what_was_asked_is_named_as_in_the_results() {
        assert_eq!(Scheduling::Fifo(80).to_string(), "SCHED_FIFO 80, memory locked");
        assert_eq!(Scheduling::Nice(-20).to_string(), "nice -20, memory locked");
    }
}

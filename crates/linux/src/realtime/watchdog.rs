//! [`Watchdog`]: the way out when a real-time thread runs away.
//!
//! Background: a SCHED_FIFO thread that never sleeps starves every ordinary
//! thread on its processor, the user's shell included.
//! Solution: a thread of one priority higher looks four times a second at three
//! numbers of the watched thread: its heartbeat, how often it has rested, and the
//! processor time it used. Who computes for [`SILENT_LIMIT`] without rest or beat,
//! or for [`AWAKE_LIMIT`] without rest, becomes an ordinary thread.
//! Why it works: the higher priority lets the watchdog run whatever the watched
//! thread does, and processor time does not pass while that one sleeps, so that a
//! quiet trial is never mistaken for a hung one.
//! What it costs: every look takes the processor from the trial, so a look is two
//! clocks. Who computed for less than half the time since the last look has rested;
//! only of a thread that computed more is it read from /proc whether it slept, which
//! takes the kernel ten times as long.

use crate::clocks::{MonotonicClock, ProcessorClock};
use crate::realtime::scheduling;
use chronotap_core::time::Nanos;
use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::thread::gettid;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Processor time without sleep or heartbeat after which a thread is demoted.
pub const SILENT_LIMIT: Nanos = Nanos::from_secs(2);
/// Processor time without sleep after which a thread is demoted, heartbeat or not.
pub const AWAKE_LIMIT: Nanos = Nanos::from_secs(4);
/// How often the watchdog looks.
const LOOK: Nanos = Nanos::from_millis(250);
const STACK_BYTES: usize = 256 * 1024;

/// The sign of life that the watched thread gives, once per turn of its loop. Nothing else
/// is read with the count or the flag, so that neither needs an order (`Relaxed`).
#[derive(Debug, Default)]
pub struct Heartbeat {
    beats: AtomicU64,
    demoted: AtomicBool,
}

impl Heartbeat {
    /// A heart that has not beaten.
    pub fn new() -> Arc<Heartbeat> {
        Arc::default()
    }

    /// One beat. Wait-free: one relaxed addition.
    pub fn beat(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the watchdog has taken the thread's priority away.
    pub fn was_demoted(&self) -> bool {
        self.demoted.load(Ordering::Relaxed)
    }
}

/// What the watchdog saw and did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchdogReport {
    /// How the watchdog itself was scheduled.
    pub scheduling: String,
    /// How often it looked.
    pub looks: u64,
    /// The one demotion, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demotion: Option<Demotion>,
}

impl WatchdogReport {
    /// What was seen since an earlier report.
    #[must_use]
    pub fn since(self, earlier: &WatchdogReport) -> WatchdogReport {
        let demotion = self.demotion.filter(|_| earlier.demotion.is_none());
        WatchdogReport { looks: self.looks.saturating_sub(earlier.looks), demotion, ..self }
    }
}

/// A thread that lost its priority.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demotion {
    /// When, on CLOCK_MONOTONIC, in nanoseconds.
    pub at_monotonic_ns: i64,
    /// Processor time since it last slept, in nanoseconds.
    pub awake_ns: i64,
    /// Why, in a sentence.
    pub reason: String,
    /// Whether the system carried the demotion out; otherwise what it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// A watchdog at work; ends with [`Watchdog::finish`], or when dropped.
#[derive(Debug)]
pub struct Watchdog {
    thread: Option<JoinHandle<()>>,
    end: Arc<OwnedFd>,
    report: Arc<Mutex<WatchdogReport>>,
    scheduling: String,
}

impl Watchdog {
    /// Watches the calling thread. `priority` is the watched thread's; the watchdog
    /// takes one higher, or stays ordinary where it may not (its report says so).
    /// Returns when the watchdog has its priority; call it before asking for rights,
    /// so that its start is not starved.
    ///
    /// # Errors
    /// Where the system is out of threads or descriptors, or has no /proc.
    pub fn watch_this_thread(heart: Arc<Heartbeat>, priority: Option<i32>) -> io::Result<Watchdog> {
        let end = Arc::new(eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?);
        let watched = Watched::this_thread(heart)?;
        let stop = Arc::clone(&end);
        let report = Arc::new(Mutex::new(WatchdogReport::default()));
        let told = Arc::clone(&report);
        let (ready, started) = sync_channel(1);
        let thread =
            Builder::new().name("watchdog".into()).stack_size(STACK_BYTES).spawn(move || {
                let scheduling = raise(priority);
                let _ = ready.send(scheduling.clone()); // the receiver below waits for it
                watch(watched, scheduling, &stop, &told);
            })?;
        let scheduling = started.recv().unwrap_or_default();
        Ok(Watchdog { thread: Some(thread), end, report, scheduling })
    }

    /// How the watchdog itself is scheduled, or why it stayed ordinary.
    pub fn scheduling(&self) -> &str {
        &self.scheduling
    }

    /// What has happened so far.
    pub fn report(&self) -> WatchdogReport {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends the watch and tells what happened.
    pub fn finish(mut self) -> WatchdogReport {
        self.end_thread();
        self.report()
    }

    fn end_thread(&mut self) {
        // An eventfd takes one count; it cannot be full.
        let _ = rustix::io::write(&*self.end, &1u64.to_ne_bytes());
        let _ = self.thread.take().map(JoinHandle::join); // what it told stays
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.end_thread();
    }
}

fn watch(mut watched: Watched, scheduling: String, end: &OwnedFd, told: &Mutex<WatchdogReport>) {
    let report = || told.lock().unwrap_or_else(PoisonError::into_inner);
    report().scheduling = scheduling;
    let mut watching = Vigil::begin(watched.look());
    while !ended(end) {
        report().looks += 1;
        let Some(reason) = watching.judge(watched.look()) else { continue };
        if report().demotion.is_none() {
            let demotion = watched.demote(reason, watching.awake());
            report().demotion = Some(demotion);
        }
    }
}

/// Takes one priority more than the watched thread; says what came of it.
fn raise(priority: Option<i32>) -> String {
    let Some(priority) = priority else { return "ordinary, as asked".into() };
    match scheduling::become_fifo((priority + 1).min(99)) {
        Ok(policy) => policy.to_string(),
        Err(errno) => format!("ordinary (sched_setscheduler: {errno})"),
    }
}

/// Sleeps until the next look; tells whether the watch is over.
fn ended(end: &OwnedFd) -> bool {
    let timeout = crate::clocks::timespec(LOOK);
    matches!(poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&timeout)), Ok(1))
}

/// The numbers that tell life from running away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Signs {
    beats: u64,
    rests: u64,
    cpu: Nanos,
}

/// Processor time at the last rest and at the last sign of life.
struct Vigil {
    last: Signs,
    cpu_at_rest: Nanos,
    cpu_at_sign: Nanos,
}

impl Vigil {
    fn begin(signs: Signs) -> Vigil {
        Vigil { last: signs, cpu_at_rest: signs.cpu, cpu_at_sign: signs.cpu }
    }

    /// Gives the reason where the thread has run away.
    fn judge(&mut self, signs: Signs) -> Option<&'static str> {
        if signs.rests != self.last.rests {
            (self.cpu_at_rest, self.cpu_at_sign) = (signs.cpu, signs.cpu);
        }
        if signs.beats != self.last.beats {
            self.cpu_at_sign = signs.cpu;
        }
        self.last = signs;
        if signs.cpu - self.cpu_at_sign >= SILENT_LIMIT {
            return Some("computed for 2 s without sleeping or giving a sign of life");
        }
        (self.awake() >= AWAKE_LIMIT).then_some("computed for 4 s without sleeping")
    }

    fn awake(&self) -> Nanos {
        self.last.cpu - self.cpu_at_rest
    }
}

/// The watched thread. The file stays open, so that a look needs neither memory nor
/// a path.
struct Watched {
    tid: i32,
    heart: Arc<Heartbeat>,
    clock: ProcessorClock,
    status: File,
    last: (Nanos, Nanos), // when it was looked at, and its processor time then
    rests: u64,
    sleeps: u64, // as the kernel counts them, when they were last read
}

impl Watched {
    /// The calling thread.
    fn this_thread(heart: Arc<Heartbeat>) -> io::Result<Watched> {
        let tid = gettid().as_raw_nonzero().get();
        let status = File::open(format!("/proc/self/task/{tid}/status"))?;
        let clock = ProcessorClock::of_this_thread()?;
        let last = (MonotonicClock::raw(), clock.now().unwrap_or_default());
        Ok(Watched { tid, heart, clock, status, last, rests: 0, sleeps: 0 })
    }

    /// A thread that is gone computes no more, which is taken for rest.
    fn look(&mut self) -> Signs {
        let (at, cpu) = (MonotonicClock::raw(), self.clock.now().unwrap_or(self.last.1));
        let rested = (cpu - self.last.1) * 2 < at - self.last.0;
        self.last = (at, cpu);
        if rested {
            self.rests += 1;
        } else {
            self.sleeps = read(&self.status, sleeps).unwrap_or(0);
        }
        let beats = self.heart.beats.load(Ordering::Relaxed);
        Signs { beats, rests: self.rests + self.sleeps, cpu }
    }

    fn demote(&self, reason: &str, awake: Nanos) -> Demotion {
        let failed =
            scheduling::demote(self.tid).err().map(|errno| format!("sched_setscheduler: {errno}"));
        self.heart.demoted.store(failed.is_none(), Ordering::Relaxed);
        Demotion {
            at_monotonic_ns: MonotonicClock::raw().0,
            awake_ns: awake.0,
            reason: format!("the real-time thread {reason}; it goes on as an ordinary thread"),
            failed,
        }
    }
}

fn read(file: &File, find: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let mut buffer = [0u8; 4096];
    let len = file.read_at(&mut buffer, 0).ok()?;
    find(std::str::from_utf8(&buffer[..len]).ok()?)
}

/// How often the thread gave the processor up by itself.
fn sleeps(status: &str) -> Option<u64> {
    let label = "\nvoluntary_ctxt_switches:";
    status[status.find(label)? + label.len()..].split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(beats: u64, rests: u64, cpu_ms: i64) -> Signs {
        Signs { beats, rests, cpu: Nanos::from_millis(cpu_ms) }
    }

    #[test]
    fn a_thread_that_sleeps_is_never_demoted_however_long_it_is_silent() {
        let mut vigil = Vigil::begin(signs(0, 0, 0));
        for n in 0..1_000 {
            assert_eq!(vigil.judge(signs(0, 0, 10)), None, "asleep all the time, look {n}");
        }
        for n in 1..1_000 {
            assert_eq!(vigil.judge(signs(0, n, 10 + 200 * n as i64)), None, "busy, but sleeps");
        }
    }

    #[test]
    fn a_silent_thread_is_demoted_after_2_s_of_computing_a_beating_one_after_4() {
        let mut vigil = Vigil::begin(signs(0, 5, 0));
        assert_eq!(vigil.judge(signs(0, 5, 1_999)), None);
        assert!(vigil.judge(signs(0, 5, 2_000)).is_some());
        let mut vigil = Vigil::begin(signs(0, 5, 0));
        for n in 1..16 {
            assert_eq!(vigil.judge(signs(n, 5, 250 * n as i64)), None);
        }
        assert!(vigil.judge(signs(16, 5, 4_000)).is_some());
    }

    #[test]
    fn a_thread_that_sleeps_or_hardly_computes_has_rested_one_that_spins_has_not() {
        let heart = Heartbeat::new();
        heart.beat();
        let mut watched = Watched::this_thread(heart).unwrap();
        crate::clocks::sleep_until(MonotonicClock::raw() + Nanos::from_millis(20));
        let (rested, before) = (watched.look(), watched.clock.now().unwrap());
        assert_eq!((rested.beats, rested.rests), (1, 1));
        let while_it_computes = || watched.clock.now().unwrap() < before + Nanos::from_millis(1);
        while while_it_computes() {}
        let ahead = MonotonicClock::raw() + Nanos::from_secs(60);
        watched.last = (ahead, before); // as if no time had passed
        let busy = watched.look();
        assert!(busy.rests > rested.rests && busy.cpu > rested.cpu, "the sleep shows, late");
        watched.last = (ahead, before);
        assert_eq!(watched.look().rests, busy.rests, "and once");
    }
}

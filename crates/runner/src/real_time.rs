//! Real time: one thread, SCHED_FIFO where that is granted, that sleeps in the
//! kernel until input arrives or a deadline nears.
//!
//! Order of things: the trial's thread asks for its rights and measures its
//! wake-ups; only then is the recorder started (from the caller's thread, so that
//! writing stays ordinary work), because the head of the data file says what was
//! granted; then the clock starts. A watchdog takes the priority away from a
//! thread that runs away.

mod exchange;
mod live;
mod rehearsal;
mod wait;

pub use live::Live;

use crate::replug::{Replug, replug};
use chronotap_clocks::{Guard, MonotonicClock};
use chronotap_engine::Engine;
use chronotap_engine::action::Ending;
use chronotap_realtime::{
    Grant, Heartbeat, Interrupt, Request, Usage, Watchdog, WatchdogReport, ask,
};
use chronotap_recorder::Sender;
use chronotap_rehearsal::{Rig, Round};
use chronotap_signal::PortCounts;
use chronotap_time::{Clock, Nanos};
use exchange::exchange;
use std::sync::mpsc;
use std::time::Duration;
use wait::Waiter;

/// Stack of the trial's thread; locked and touched before the trial.
const STACK_BYTES: usize = 1024 * 1024;
/// The longest sleep: often enough to notice a refusing disk, rare enough to cost nothing.
const LONGEST_SLEEP: Nanos = Nanos::from_millis(250);
/// How long the disk may refuse before the trial is ended.
const PATIENCE: Nanos = Nanos::from_secs(2);

/// How the real-time thread is to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What it asks of the system.
    pub request: Request,
    /// Whether it may spin for the last stretch before a deadline.
    pub spin: bool,
}

/// What is known when the thread is ready to begin.
#[derive(Clone, Debug)]
pub struct Ready {
    /// What was asked and granted.
    pub grant: Grant,
    /// How long before a deadline the sleep will end, as measured just now.
    pub guard: Nanos,
}

/// What a trial in real time leaves besides its entries.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// When the trial started, on CLOCK_MONOTONIC.
    pub origin: Nanos,
    /// When the trial ended, since its start.
    pub ended: Nanos,
    /// Services of the engine.
    pub services: u64,
    /// The longest time between two services.
    pub longest_between_services: Nanos,
    /// Tones and inputs that found no room in the engine.
    pub lost: u64,
    /// What the ports counted.
    pub ports: Vec<PortCounts>,
    /// Page faults and context switches of the thread during the trial.
    pub usage: Usage,
    /// Processor time of the thread during the trial.
    pub cpu: Nanos,
    /// Time spent spinning.
    pub spun: Nanos,
    /// How often a spin was refused because the budget was spent.
    pub spins_refused: u64,
    /// What the watchdog saw.
    pub watchdog: WatchdogReport,
}

/// Why a trial could not be run.
#[derive(Debug, thiserror::Error)]
pub enum RealTimeError<E> {
    /// The system is out of threads, descriptors or memory. Ending other programs cures it.
    #[error(
        "the real-time thread could not be set up: {0}; end other programs, or raise the limits that `ulimit -a` shows"
    )]
    Setup(#[from] std::io::Error),
    /// The recorder could not be started.
    #[error(transparent)]
    Record(E),
    /// The real-time thread died; a fault of this program. The journal keeps what was recorded.
    #[error("the real-time thread died; `chronotap recover` makes data files of its journal")]
    Died,
}

/// Runs a trial to its end. `record` starts the recorder once the rights are known;
/// `progress` is called about ten times a second from the calling thread.
///
/// # Errors
/// [`RealTimeError`]; nothing was sounded unless it is [`RealTimeError::Died`].
pub fn run<E>(
    engine: Engine,
    mut rig: Rig,
    settings: &Settings,
    interrupt: Interrupt,
    record: impl FnOnce(&Ready) -> Result<Sender, E>,
    mut progress: impl FnMut(&Live),
) -> Result<Outcome, RealTimeError<E>> {
    let live = Live::new(rig.latencies());
    let (replug, supervisor) = replug(&mut rig).unzip();
    let (tell_ready, ready) = mpsc::sync_channel(1);
    let (begin, wait_to_begin) = mpsc::sync_channel::<Sender>(1);
    std::thread::scope(|scope| {
        let begin = begin; // dropped on every way out, so that the thread never waits in vain
        let body = || {
            Thread { settings, interrupt, live: &live }.run(
                engine,
                (rig, replug),
                tell_ready,
                wait_to_begin,
            )
        };
        let builder = std::thread::Builder::new().name("trial".into()).stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, body)?;
        // It ends when the trial's thread has dropped its end of the queues.
        let supervisor = supervisor.map(|s| scope.spawn(move || s.run()));
        if let Ok(ready) = ready.recv() {
            let sender = record(&ready).map_err(RealTimeError::Record)?;
            let _ = begin.send(sender); // fails only where the thread has died
        }
        while !thread.is_finished() {
            std::thread::park_timeout(Duration::from_millis(100));
            progress(&live);
        }
        supervisor.iter().for_each(|supervisor| supervisor.thread().unpark());
        Ok(thread.join().map_err(|_| RealTimeError::Died)??)
    })
}

/// The real-time thread.
struct Thread<'a> {
    settings: &'a Settings,
    interrupt: Interrupt,
    live: &'a Live,
}

impl Thread<'_> {
    fn run(
        &self,
        engine: Engine,
        (rig, mut replug): (Rig, Option<Replug>),
        tell_ready: mpsc::SyncSender<Ready>,
        wait_to_begin: mpsc::Receiver<Sender>,
    ) -> std::io::Result<Outcome> {
        let heart = Heartbeat::new();
        let priority = self.settings.request.fifo_priority;
        let watchdog = Watchdog::watch_this_thread(heart.clone(), priority)?;
        let rights = ask(&self.settings.request);
        let guard = Guard::calibrate();
        let mut waiter = Waiter::new(&rig, self.interrupt, guard, self.settings.spin)?;
        let _ = tell_ready.send(Ready { grant: rights.grant().clone(), guard: guard.span() });
        let Ok(mut sender) = wait_to_begin.recv() else { return Ok(Outcome::default()) };
        let usage = Usage::of_this_thread();
        let cpu = chronotap_clocks::thread_cpu_time();
        let mut round = Round { engine, rig, clock: MonotonicClock::start() };
        round.rig.start(round.clock.origin());
        let mut outcome = self.serve(&mut round, &mut waiter, &mut replug, &mut sender, &heart);
        outcome.origin = round.clock.origin();
        round.rig.finish();
        self.hear(&mut round, &mut sender);
        outcome.usage = Usage::of_this_thread() - usage;
        outcome.cpu = chronotap_clocks::thread_cpu_time() - cpu;
        outcome.lost = round.engine.lost();
        outcome.ports = round.rig.counts();
        outcome.spun = waiter.spins.spun();
        outcome.spins_refused = waiter.spins.refused();
        drop(rights);
        outcome.watchdog = watchdog.finish();
        Ok(outcome)
    }

    /// The loop of the trial.
    ///
    /// Real-time contract: no allocation, lock, log or panic; the system calls are
    /// `ppoll` and the ports' reads and writes.
    fn serve(
        &self,
        round: &mut Round<MonotonicClock>,
        waiter: &mut Waiter,
        replug: &mut Option<Replug>,
        sender: &mut Sender,
        heart: &Heartbeat,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let (mut ready, mut before, mut trouble_since) = (0, Nanos::ZERO, None);
        loop {
            let now = round.clock.now();
            self.hear(round, sender);
            let mut log = |entry| {
                self.live.note(&entry);
                sender.push(entry);
            };
            if let Some(why) = self.must_stop(now, trouble_since) {
                round.stop(now, why, &mut log);
            } else {
                round.service(ready, now, &mut log);
            }
            outcome.services += 1;
            outcome.longest_between_services = outcome.longest_between_services.max(now - before);
            before = now;
            heart.beat();
            self.live.set_now(now);
            if round.engine.has_ended() {
                outcome.ended = now;
                return outcome;
            }
            trouble_since = sender.trouble().then_some(trouble_since.unwrap_or(now));
            if let Some(replug) = replug {
                exchange(replug, round, waiter);
            }
            if ready != 0 {
                waiter.forget_closed(&round.rig);
            }
            let deadline = round.next().unwrap_or(Nanos::MAX).min(now + LONGEST_SLEEP);
            ready = waiter.wait(round, deadline);
        }
    }

    /// Records what the ports learned. Real-time contract: as the loop that calls it.
    fn hear(&self, round: &mut Round<MonotonicClock>, sender: &mut Sender) {
        round.hear(&mut |entry| {
            self.live.correct(&entry);
            sender.push(entry);
        });
    }

    fn must_stop(&self, now: Nanos, trouble_since: Option<Nanos>) -> Option<Ending> {
        if self.interrupt.requested() {
            return Some(Ending::Interrupted);
        }
        let refused = trouble_since.is_some_and(|since| now - since > PATIENCE);
        refused.then_some(Ending::Recorder)
    }
}

//! Real time: one thread, SCHED_FIFO where that is granted, that sleeps in the
//! kernel until input arrives or a deadline nears.
//!
//! Order of things: the [`TrialThread`] asks for its rights and measures its wake-ups
//! once; then it runs one trial after another on the same ports. The recorder of a trial is
//! started from the caller's thread, so that writing stays ordinary work, after the rights
//! are known, because the head of the data file says what was granted; then the clock
//! starts. A watchdog takes the priority away from a thread that runs away.

mod exchange;
mod orders;
mod service;
mod thread;
mod wait;
mod warmup;

pub use orders::PortsNow;
pub use thread::TrialThread;

use crate::recorder::Sender;
use chronotap_core::time::Nanos;
use chronotap_engine::Engine;
use chronotap_engine::signal::{Port, PortCounts};
use chronotap_linux::realtime::{Grant, Interrupt, Request, Usage, WatchdogReport};
use chronotap_trial::{Arrangement, Ports, TrialEnd};

/// How the real-time thread is to run.
#[derive(Clone, Debug)]
pub struct RealTimeSettings {
    /// What it asks of the system.
    pub request: Request,
    /// Whether it may spin for the last stretch before a deadline.
    pub spin: bool,
    /// The engine is served at least this often, as FTAP served its own; none: when something is
    /// due or comes in.
    pub serve_every: Option<Nanos>,
}

/// What is known when the thread is ready to begin.
#[derive(Clone, Debug)]
pub struct Ready {
    /// What was asked and granted.
    pub grant: Grant,
    /// How long before a deadline the sleep will end, as measured just now.
    pub guard: Nanos,
}

/// A trial, for the thread that is to run it.
pub struct Assignment {
    pub engine: Engine,
    /// Where its entries go.
    pub sender: Sender,
    /// Which of the rig's inputs and outputs are which of the trial's.
    pub arrangement: Arrangement,
    /// Ports to be put in the place of those of the last trial, with their numbers: virtual
    /// wires, which are made anew for each trial.
    pub wires: Vec<(usize, Box<dyn Port>)>,
    /// Who ends this trial before its time, and no other, asks by this.
    pub end: TrialEnd,
    /// Whether keys that are tapped on are kept from every other program meanwhile, where a port
    /// was opened for that.
    pub keeps_keys: bool,
}

/// What a trial in real time leaves besides its entries.
#[derive(Clone, Debug, Default)]
pub struct TrialOutcome {
    /// When the trial started, on CLOCK_MONOTONIC.
    pub origin: Nanos,
    /// When the trial ended, since its start.
    pub ended: Nanos,
    /// Services of the engine.
    pub services: u64,
    /// The longest time between two services.
    pub longest_between_services: Nanos,
    /// How many times between two services were longer than 1 ms, where it was to be served at
    /// least as often.
    pub over_1_ms: Option<u64>,
    /// Tones and inputs that found no room in the engine.
    pub lost: u64,
    /// Tones that were not sent because they were overdue after a stop of the program.
    pub overdue: u64,
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
pub enum RealTimeError {
    /// The system is out of threads, descriptors or memory.
    #[error("the real-time thread could not be set up: {0}")]
    Setup(#[from] std::io::Error),
    /// The real-time thread died; a fault of this program. The journal keeps what was recorded.
    #[error("the real-time thread died")]
    Died,
}

/// Runs one trial to its end, on ports that are used for no other. `sender` is asked for
/// once the rights are known; `progress` is called about ten times a second from the
/// calling thread, with the time since the trial's start.
///
/// # Errors
/// [`RealTimeError`]; nothing was sounded unless it is [`RealTimeError::Died`].
pub fn run(
    engine: Engine,
    ports: Ports,
    settings: &RealTimeSettings,
    interrupt: Interrupt,
    sender: impl FnOnce(&Ready) -> Sender,
    progress: impl FnMut(Nanos),
) -> Result<TrialOutcome, RealTimeError> {
    let (arrangement, wires) = (ports.arrangement().clone(), Vec::new());
    let (mut thread, ()) = TrialThread::start(ports, settings, interrupt, || ())?;
    let sender = sender(thread.ready());
    let end = TrialEnd::default(); // an interruption ends it
    thread.run(Assignment { engine, sender, arrangement, wires, end, keeps_keys: true }, progress)
}

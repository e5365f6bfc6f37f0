//! Running a test: in real time on real ports, or in virtual time on a wire.

use super::{Test, TestError, Traffic};
use chronotap_engine::Engine;
use chronotap_engine::action::{Ending, Kind};
use chronotap_realtime::{Grant, Interrupt};
use chronotap_record::{Entry, settled};
use chronotap_recorder::entries;
use chronotap_rehearsal::{Rig, virtual_time};
use chronotap_runner::real_time::{self, Live, RealTimeError, Settings};
use chronotap_signal::{AudioPeriod, PortCounts};
use chronotap_time::Nanos;
use std::sync::Arc;

/// Room for what comes in while the caller's thread is away.
const ENTRIES: usize = 1 << 16;

/// A test, and what it left.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Which.
    pub test: Test,
    /// Its messages.
    pub traffic: Traffic,
    /// How it ran.
    pub run: LoopRun,
}

/// How a test ran: with what rights and audio period, and how it ended.
#[derive(Clone, Debug, Default)]
pub struct LoopRun {
    /// How the trial ended; `None` where the entries do not say.
    pub ending: Option<Ending>,
    /// What the ports counted.
    pub ports: Vec<PortCounts>,
    /// Entries that found no room, so that the counts cannot be trusted.
    pub dropped: u64,
    /// Rights asked for and granted; `None` in virtual time.
    pub grant: Option<Grant>,
    /// The period of the audio server behind the output, or else the input.
    pub period: Option<AudioPeriod>,
    /// The constant latency of the output.
    pub latency: Nanos,
}

/// Why a test could not be run.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// Ask for another count.
    #[error(transparent)]
    Test(#[from] TestError),
    /// See [`RealTimeError`].
    #[error(transparent)]
    RealTime(#[from] RealTimeError<std::convert::Infallible>),
}

/// Runs a test in real time. `progress` is called about ten times a second.
///
/// # Errors
/// [`MeasureError`].
pub fn in_real_time(
    test: Test,
    rig: Rig,
    settings: &Settings,
    interrupt: Interrupt,
    mut progress: impl FnMut(&Live),
) -> Result<Measured, MeasureError> {
    let engine = Engine::new(Arc::new(test.trial()?), SEED);
    let (sender, mut received) = entries(ENTRIES);
    let (mut taken, mut grant) = (Vec::new(), None);
    let periods = rig.outputs().into_iter().chain(rig.inputs()).map(|about| about.period);
    let period = periods.flatten().next();
    let latency = rig.latencies().into_iter().sum();
    let outcome = real_time::run(
        engine,
        rig,
        settings,
        interrupt,
        |ready| {
            grant = Some(ready.grant.clone());
            Ok(sender)
        },
        |live| {
            taken.extend(received.take());
            progress(live);
        },
    )?;
    taken.extend(received.take());
    let around = LoopRun {
        ports: outcome.ports,
        dropped: received.dropped() + outcome.lost,
        grant,
        period,
        latency,
        ..LoopRun::default()
    };
    Ok(measured(test, &settled(&taken), around))
}

/// Runs a test in virtual time.
///
/// # Errors
/// [`MeasureError::Test`].
pub fn in_virtual_time(test: Test, rig: Rig) -> Result<Measured, MeasureError> {
    let engine = Engine::new(Arc::new(test.trial()?), SEED);
    let mut taken = Vec::new();
    let outcome =
        virtual_time::run(engine, rig, Nanos::from_secs(100_000), &mut |entry| taken.push(entry));
    let around = LoopRun { ports: outcome.ports, dropped: outcome.lost, ..LoopRun::default() };
    Ok(measured(test, &taken, around))
}

/// The waits of the single messages are drawn from it; any will do.
const SEED: u64 = 1;

fn measured(test: Test, entries: &[Entry], around: LoopRun) -> Measured {
    let ending = entries.iter().rev().find_map(|entry| match entry.action.kind {
        Kind::End(ending) => Some(ending),
        _ => None,
    });
    let run = LoopRun { ending, ..around };
    Measured { test, traffic: Traffic::of(entries, run.latency), run }
}

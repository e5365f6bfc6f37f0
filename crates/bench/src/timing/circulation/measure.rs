//! Running a test: in real time on real ports, or in virtual time on a wire.

use super::{CirculationTest, TestError, Traffic};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_engine::Engine;
use chronotap_engine::action::{ActionKind, TrialEnding};
use chronotap_engine::signal::{AudioPeriod, PortCounts};
use chronotap_linux::realtime::Grant;
use chronotap_rig::laboratory::{FinishedTrial, Live, Rig, RigError, TrialRun};
use chronotap_rig::recorder::{USUAL_ROOM, sink};
use chronotap_simulate::{Tapper, virtual_time};
use chronotap_trial::Ports;
use std::sync::Arc;
use std::time::Duration;

/// A test, and what it left.
#[derive(Clone, Debug)]
pub struct MeasuredLoop {
    pub test: CirculationTest,
    /// Its messages.
    pub traffic: Traffic,
    /// How it ran.
    pub run: LoopRun,
}

/// How a test ran: with what rights and audio period, and how it ended.
#[derive(Clone, Debug, Default)]
pub struct LoopRun {
    /// How the trial ended; `None` where the entries do not say.
    pub ending: Option<TrialEnding>,
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
    /// See [`RigError`].
    #[error(transparent)]
    Session(#[from] RigError),
}

/// Runs a test in real time, on a session with one input and one output, in this order the
/// first of each. `progress` is called about ten times a second, with the time since the
/// start and the messages that have come round.
///
/// # Errors
/// [`MeasureError`].
pub fn in_real_time(
    test: CirculationTest,
    rig: &mut Rig,
    mut progress: impl FnMut(Nanos, u32),
) -> Result<MeasuredLoop, MeasureError> {
    let file = TrialFile::made("Loop test", test.trial()?, Nanos::MAX);
    let period = rig.outputs().chain(rig.inputs()).find_map(|about| about.period);
    let latency = rig.outputs().map(|about| about.latency).sum();
    let (seen, watch) = sink(USUAL_ROOM);
    let run = TrialRun { seed: SEED, sinks: &[seen], ..TrialRun::unkept(&file, &Tapper::Nobody) };
    let mut live = Live::default();
    let finished = rig.run(&run, |now| {
        std::iter::from_fn(|| watch.next(Duration::ZERO)).for_each(|notice| live.take(&notice));
        progress(now, live.taps.iter().map(|(_, taps)| taps).sum());
    })?;
    let FinishedTrial { entries, dropped, ports, lost, .. } = finished;
    let grant = rig.ready().map(|ready| ready.grant.clone());
    let dropped = dropped + lost;
    let around = LoopRun { ports, dropped, grant, period, latency, ..LoopRun::default() };
    Ok(measured(test, &entries, around))
}

/// Runs a test in virtual time.
///
/// # Errors
/// [`MeasureError::Test`].
pub fn in_virtual_time(test: CirculationTest, rig: Ports) -> Result<MeasuredLoop, MeasureError> {
    let engine = Engine::new(Arc::new(test.trial()?), SEED);
    let mut taken = Vec::new();
    let outcome =
        virtual_time::run(engine, rig, Nanos::from_secs(100_000), &mut |entry| taken.push(entry));
    let around = LoopRun { ports: outcome.ports, dropped: outcome.lost, ..LoopRun::default() };
    Ok(measured(test, &taken, around))
}

/// The taps so far of the first input, which numbers them.
pub(crate) fn taps(entries: &[Entry]) -> u32 {
    let tap = |entry: &Entry| {
        matches!(entry.action.kind, ActionKind::Tap(0)).then_some(entry.action.number)
    };
    entries.iter().rev().find_map(tap).unwrap_or(0)
}

/// The waits of the single messages are drawn from it; any will do.
const SEED: u64 = 1;

fn measured(test: CirculationTest, entries: &[Entry], around: LoopRun) -> MeasuredLoop {
    let ending = entries.iter().rev().find_map(|entry| match entry.action.kind {
        ActionKind::End(ending) => Some(ending),
        _ => None,
    });
    let run = LoopRun { ending, ..around };
    MeasuredLoop { test, traffic: Traffic::of(entries, run.latency), run }
}

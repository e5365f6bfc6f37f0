//! A trial in real time: recorder, thread, summary.

use super::senses::Senses;
use super::{FinishedTrial, KeepData, Rig, Time, TrialRun, machine};
use crate::laboratory::endpoint::{Endpoint, recording_waits};
use crate::laboratory::{RigError, Side, foot};
use crate::recorder::{
    BesidesEntries, QueueRoom, Receiver, RecordedCard, Recorder, Sender, Utc, feel_again,
};
use crate::runner::real_time::{
    Assignment, PortsNow, Ready, RealTimeSettings, TrialOutcome, TrialThread,
};
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    Circumstances, Entry, Header, HeardAgain, Kept, LiveTaps, hear_again, settled, summarize_each,
};
use chronotap_engine::signal::{Description, Stage};
use chronotap_linux::realtime::Interrupt;
use chronotap_simulate::wires_of_trial;
use chronotap_trial::{Arrangement, Ports, TrialEnd};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::path::PathBuf;
use std::thread::park_timeout;
use std::time::Duration;

/// How often, and at most how many times, a device that is gone is looked for before a
/// trial is refused: it may be on its way back.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
const LOOKS: u32 = 10;

/// What a session in real time holds open.
pub(super) struct Real {
    thread: TrialThread,
    cards: Vec<RecordedCard>, // while no trial records them
    senses: Senses,
    stages: Vec<Box<dyn Stage>>,
    staged: bool,            // whether recordings of the last trial are still there
    room: Option<QueueRoom>, // of the first trial
}

impl Real {
    /// Starts the thread, and finds out meanwhile what this computer is.
    pub(super) fn start(
        rig: Ports,
        (cards, stages, senses): (Vec<RecordedCard>, Vec<Box<dyn Stage>>, Senses),
        settings: &RealTimeSettings,
        interrupt: Interrupt,
    ) -> Result<(Real, Value), RigError> {
        let meanwhile = || (QueueRoom::default(), machine());
        let (thread, (room, machine)) = TrialThread::start(rig, settings, interrupt, meanwhile)?;
        let (staged, room) = (false, Some(room));
        Ok((Real { thread, cards, senses, stages, staged, room }, machine))
    }

    /// Hands the recordings of a trial to the sound cards.
    fn stage(&mut self, file: &TrialFile) -> Result<(), RigError> {
        let recorded = file.recorded();
        if recorded.is_empty() && !self.staged {
            return Ok(());
        }
        self.staged = !recorded.is_empty();
        self.stages
            .iter_mut()
            .try_for_each(|stage| stage.set(&recorded))
            .map_err(RigError::Recording)
    }

    pub(super) fn ready(&self) -> &Ready {
        self.thread.ready()
    }
}

/// Who takes the entries of a trial.
enum Taker {
    Recorder(Box<Recorder>),
    Memory(Box<Receiver>, Kept),
}

impl Rig {
    pub(super) fn run_in_real_time(
        &mut self,
        run: &TrialRun<'_>,
        end: &TrialEnd,
        mut progress: impl FnMut(Nanos),
    ) -> Result<FinishedTrial, RigError> {
        let arrangement = self.arrange(run.file)?;
        self.ask_again(&arrangement)?;
        self.look_at_machine();
        let wires = wires_of_trial(&self.wires, (run.file, run.seed, run.tapper), &arrangement)?;
        let header = self.header_with_rights(run)?;
        let latencies = self.latencies(&arrangement);
        let inputs = arrangement.inputs();
        let Time::Real(real) = &mut self.time else { return Err(not_real()) };
        real.stage(run.file)?;
        let engine = run.file.engine_on(run.seed, &latencies);
        if let Some(refused) = recording_waits(run.file, engine.trial()) {
            return Err(refused);
        }
        let (sender, mut taker) = real.begin(run, &header, &self.spare)?;
        // Where nothing is kept, taps are only listened to: between two trials keys are everybody's.
        let (end, keeps_keys) = (end.clone(), run.keep != KeepData::Nothing);
        let assignment = Assignment { engine, sender, arrangement, wires, end, keeps_keys };
        let outcome = real.thread.run(assignment, |now| {
            taker.take();
            progress(now);
        })?;
        let overruns = overruns(&inputs, &self.port_inputs, &outcome);
        let wall_clock_set = self.day.was_set_by().unwrap_or(Nanos::ZERO);
        let sensing_missed = outcome.ports.iter().map(|port| port.sensing_missed).sum();
        let seen = Circumstances {
            latencies,
            overruns,
            wall_clock_set,
            sensing_missed,
            ..Circumstances::default()
        };
        real.end(run, &header, outcome, seen, taker)
    }

    fn header_with_rights(&self, run: &TrialRun<'_>) -> Result<Header, RigError> {
        let Some(Ready { grant, guard }) = self.ready() else { return Err(not_real()) };
        let warnings = &self.warnings;
        let rights = json!({ "granted": grant, "guard_ns": guard.0, "warnings": warnings });
        Ok(Header { rights, ..self.header(run)? })
    }

    /// What the ports are by now: a server may run with another period than in the last trial. A
    /// device that is gone is waited for a moment, then named.
    fn ask_again(&mut self, arrangement: &Arrangement) -> Result<(), RigError> {
        for look in 0..LOOKS {
            let Time::Real(real) = &mut self.time else { return Ok(()) };
            let PortsNow { gone_inputs, gone_outputs, inputs, outputs } = real.thread.look()?;
            learn(&mut self.inputs, inputs);
            learn(&mut self.outputs, outputs);
            let mut gone = gone_inputs.into_iter();
            let input = gone.find(|i| arrangement.trial_input(*i).is_some());
            let mut gone = gone_outputs.into_iter();
            let output = gone.find(|o| arrangement.trial_output(*o).is_some());
            let (side, bound) = match (input, output) {
                (Some(input), _) => (Side::Input, &self.inputs[usize::from(input)]),
                (None, Some(output)) => (Side::Output, &self.outputs[usize::from(output)]),
                (None, None) => return Ok(()),
            };
            if look + 1 == LOOKS {
                let (name, port) = (bound.name.clone(), bound.port.clone());
                return Err(RigError::Gone { side, name, port });
            }
            park_timeout(LOOK_AGAIN);
        }
        Ok(())
    }
}

/// Each input or output takes what its port says.
fn learn(places: &mut [Endpoint], said: Vec<Description>) {
    places.iter_mut().zip(said).for_each(|(place, about)| place.about = about);
}

/// What the port of each of these inputs of the rig lost to a full buffer.
fn overruns(inputs: &[u16], port_inputs: &[Vec<u16>], outcome: &TrialOutcome) -> Vec<u64> {
    let of = |input: &u16| {
        let ports = outcome.ports.iter().zip(port_inputs);
        ports.filter(|(_, served)| served.contains(input)).map(|(port, _)| port.overruns).sum()
    };
    inputs.iter().map(of).collect()
}

/// Only a session in real time has a thread.
fn not_real() -> RigError {
    RigError::RealTime(crate::runner::real_time::RealTimeError::Died)
}

impl Real {
    fn begin(
        &mut self,
        run: &TrialRun<'_>,
        header: &Header,
        spare: &[PathBuf],
    ) -> Result<(Sender, Taker), RigError> {
        match run.keep {
            KeepData::Files(dir, name) => {
                self.senses.keep(dir, name)?;
                let cards = std::mem::take(&mut self.cards);
                let (sinks, spare) = (run.sinks.to_vec(), spare.to_vec());
                let room = self.room.take();
                let utc = Some(chronotap_linux::clocks::utc as Utc);
                let mut around = BesidesEntries { cards, sinks, spare, room, utc };
                let started = Recorder::start_with(dir, name, header, &mut around);
                self.cards = around.cards; // none are left where it began
                self.room = around.room;
                let (sender, recorder) = started.inspect_err(|_| self.senses.discard())?;
                Ok((sender, Taker::Recorder(Box::new(recorder))))
            }
            KeepData::Nothing => {
                let (sender, received) = self.room.take().unwrap_or_default().unrecorded();
                let utc = Some(chronotap_linux::clocks::utc as Utc);
                let observed = received.told_to(run.sinks.to_vec(), header.clone(), utc);
                Ok((sender, Taker::Memory(Box::new(observed), Kept::new())))
            }
        }
    }

    /// Sums up, saves, and tells the sinks.
    fn end(
        &mut self,
        run: &TrialRun<'_>,
        header: &Header,
        outcome: TrialOutcome,
        around: Circumstances,
        mut taker: Taker,
    ) -> Result<FinishedTrial, RigError> {
        taker.take();
        let (sounds, forces) = self.senses.kept();
        let (entries, dropped, loads) = taker.stop()?;
        let (heard, unread) = heard_again(run, header, entries);
        let around = Circumstances { heard, ..around };
        let seen = Circumstances { dropped, loads, ..seen_of(run, &outcome, around) };
        let summary = summary_of(header, run, entries, &seen);
        let footer = foot::footer(&summary, &foot::Ran::of(&outcome, &seen));
        let (mut saved, mut problem, mut moved) = (Ok(None), None, None);
        if let Taker::Recorder(recorder) = &mut taker {
            recorder.heard_again(seen.heard.clone());
            saved = recorder.finish(footer).map(Some);
            if let Ok(Some(saved)) = &mut saved {
                saved.forces = forces.iter().filter_map(|force| force.path.clone()).collect();
            }
            let unheard = sounds.iter().find_map(|sound| sound.refused.clone());
            let unfelt = forces.iter().find_map(|force| force.refused.clone());
            problem = recorder.problem().or(unheard).or(unfelt).or(unread);
            moved = recorder.moved().cloned();
            self.cards = recorder.take_cards();
        }
        let entries = taker.into_entries();
        run.tell_end(&summary, &saved);
        let began_utc = Some(chronotap_linux::clocks::utc(outcome.origin));
        let (seed, circumstances) = (run.seed, seen);
        Ok(FinishedTrial {
            seed,
            summary,
            saved,
            problem,
            moved,
            dropped,
            entries,
            circumstances,
            ports: outcome.ports,
            lost: outcome.lost,
            began_utc,
        })
    }
}

/// What the runner knows besides the entries.
fn seen_of(run: &TrialRun<'_>, outcome: &TrialOutcome, around: Circumstances) -> Circumstances {
    Circumstances {
        limit: run.limit(),
        lost: outcome.lost + outcome.ports.iter().map(|port| port.lost).sum::<u64>(),
        overdue: outcome.overdue,
        missing: outcome.ports.iter().map(|port| port.missing).sum(),
        answers: chronotap_data::record::answers(run.file),
        watchdog: outcome.watchdog.demotion.is_some(),
        services: foot::services(outcome),
        system: Some(foot::system(outcome)),
        ..around
    }
}

/// What sound and force say of taps that inputs kept, and why one of them cannot be read.
fn heard_again(
    run: &TrialRun<'_>,
    header: &Header,
    entries: &Kept,
) -> (HeardAgain, Option<String>) {
    let KeepData::Files(dir, name) = run.keep else { return (HeardAgain::default(), None) };
    if !header.keeps_sound() && !header.keeps_force() {
        return (HeardAgain::default(), None);
    }
    let live = LiveTaps::of(entries.iter());
    let (mut known, unread) = match hear_again(header, (dir, name), &live) {
        Ok(heard) => (heard, None),
        Err(unread) => (HeardAgain::default(), Some(unread.to_string())),
    };
    let unfelt = feel_again(header, (dir, name), &live, &mut known).err();
    (known, unread.or(unfelt.map(|unfelt| unfelt.to_string())))
}

/// The summary; entries are copied only where there are corrections to be put in their places.
fn summary_of(
    header: &Header,
    run: &TrialRun<'_>,
    entries: &Kept,
    seen: &Circumstances,
) -> Summary {
    let (title, trial) = (&header.title, &run.file.trial);
    if !entries.iter().any(Entry::is_correction) {
        return summarize_each(title, trial, entries.iter(), seen);
    }
    let all: Vec<Entry> = entries.iter().copied().collect();
    summarize_each(title, trial, settled(&all).iter(), seen)
}

impl Taker {
    /// Takes what has come, where no writer thread does.
    fn take(&mut self) {
        if let Taker::Memory(received, taken) = self {
            received.take().for_each(|entry| taken.push(entry));
        }
    }

    /// Every entry, how many found no room, and what the sound cards did.
    fn stop(
        &mut self,
    ) -> Result<(&Kept, u64, Vec<chronotap_data::record::CallbackLoad>), RigError> {
        match self {
            Taker::Recorder(recorder) => {
                recorder.stop()?;
                let (dropped, loads) = (recorder.dropped(), recorder.loads());
                Ok((recorder.stop()?, dropped, loads))
            }
            Taker::Memory(received, taken) => Ok((taken, received.dropped(), Vec::new())),
        }
    }

    /// The entries, each correction in its place; a long trial's are not copied for it.
    fn into_entries(self) -> Vec<Entry> {
        let entries = match self {
            Taker::Recorder(mut recorder) => recorder.take_entries(),
            Taker::Memory(_, taken) => taken,
        };
        let entries = entries.into_vec();
        match settled(&entries) {
            Cow::Borrowed(_) => entries,
            Cow::Owned(settled) => settled,
        }
    }
}

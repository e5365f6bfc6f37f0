//! Replay: a recorded trial's inputs go through the engine again, each at the
//! instant at which the engine took it. The actions must be the recorded ones.

use chronotap_core::time::Nanos;
use chronotap_data::record::{Entry, Recording, What};
use chronotap_engine::action::{Action, OutsideChange, TrialEnding};
use chronotap_engine::{Engine, Event};

/// Everything the engine decides when it is given the recorded inputs; `achieved`
/// is the instant of the decision.
pub fn run(mut engine: Engine, recording: &Recording) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut log = |action: &Action| {
        let achieved = Some(action.instant);
        let (what, action) = (What::Happened, *action);
        entries.push(Entry { what, action, achieved, stamp: None, frame: None });
    };
    for (_, instant, told) in engine_inputs(recording) {
        engine.advance(instant - Nanos(1), &mut log);
        match told {
            EngineInput::Event(event) => engine.input(event),
            EngineInput::Reopened(input, at) => engine.input_reopened(input, at),
            EngineInput::Xrun(at) => engine.xrun(at),
            EngineInput::Changed(change, at) => engine.changed(change, at),
        }
    }
    match &recording.end() {
        Some(end) if matches!(end.ending, TrialEnding::Rule | TrialEnding::InputClosed) => {
            engine.advance(end.engine, &mut log);
        }
        Some(end) => engine.stop(end.engine, end.ending, &mut log),
        None => engine.advance(last_instant(recording), &mut log),
    }
    while engine.is_over()
        && let Some(due) = engine.next_deadline()
    {
        engine.advance(due, &mut log);
    }
    entries
}

/// What the engine was told.
enum EngineInput {
    Event(Event),
    Reopened(u16, Nanos),
    Xrun(Nanos),
    Changed(OutsideChange, Nanos),
}

/// What the engine was told, in the order in which it took it: number and instant of
/// the event that came of it.
fn engine_inputs(recording: &Recording) -> Vec<(u64, Nanos, EngineInput)> {
    let arrivals = recording.arrivals().into_iter().map(|a| {
        let event = Event { input: a.input, stamp: a.at, message: Some(a.message) };
        (a.event_id, a.engine, EngineInput::Event(event))
    });
    let closures = recording.closures().into_iter().map(|c| {
        let event = Event { input: c.input, stamp: c.at, message: None };
        let told = if c.reopened {
            EngineInput::Reopened(c.input, c.at)
        } else {
            EngineInput::Event(event)
        };
        (c.event_id, c.engine, told)
    });
    let xruns =
        recording.xruns().into_iter().map(|x| (x.event_id, x.engine, EngineInput::Xrun(x.at)));
    let changes = recording.changes().into_iter().map(|c| {
        let told = EngineInput::Changed(c.change, c.at);
        (c.event_id, c.engine, told)
    });
    let mut all: Vec<_> = arrivals.chain(closures).chain(xruns).chain(changes).collect();
    all.sort_by_key(|(id, ..)| *id);
    all
}

/// How far a recording without an end reaches: its last event may be the end of a
/// tone, which has no row of its own.
fn last_instant(recording: &Recording) -> Nanos {
    let instants = recording.rows.iter().map(|row| row.engine);
    let releases = recording.rows.iter().filter_map(|row| row.release_deadline);
    instants.chain(releases).max().unwrap_or(Nanos::ZERO)
}

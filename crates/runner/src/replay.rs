//! Replay: a recorded trial's inputs go through the engine again, each at the
//! instant at which the engine took it. The actions must be the recorded ones.

use chronotap_engine::action::{Action, Ending};
use chronotap_engine::{Engine, Event};
use chronotap_record::{Entry, Recording};
use chronotap_time::Nanos;

/// Everything the engine decides when it is given the recorded inputs; `achieved`
/// is the instant of the decision.
pub fn run(mut engine: Engine, recording: &Recording) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut log = |action: &Action| {
        let achieved = Some(action.instant);
        entries.push(Entry { action: *action, achieved, stamp: None });
    };
    for (instant, event, reopened) in inputs(recording) {
        engine.advance(instant - Nanos(1), &mut log);
        if reopened {
            engine.input_reopened(event.input, event.stamp);
        } else {
            engine.input(event);
        }
    }
    match recording.end() {
        Some(end) if matches!(end.ending, Ending::Trigger | Ending::InputClosed) => {
            engine.advance(end.engine, &mut log);
        }
        Some(end) => engine.stop(end.engine, end.ending, &mut log),
        None => engine.advance(last_instant(recording), &mut log),
    }
    entries
}

/// The recorded inputs in the order in which the engine took them, with the instant
/// of each; closed ones may be marked as there again.
fn inputs(recording: &Recording) -> Vec<(Nanos, Event, bool)> {
    let arrivals = recording.arrivals().into_iter().map(|a| {
        let event = Event { input: a.input, stamp: a.at, message: Some(a.message) };
        (a.event_id, a.engine, event, false)
    });
    let closures = recording.closures().into_iter().map(|c| {
        let event = Event { input: c.input, stamp: c.at, message: None };
        (c.event_id, c.engine, event, c.reopened)
    });
    let mut inputs: Vec<_> = arrivals.chain(closures).collect();
    inputs.sort_by_key(|(id, ..)| *id);
    inputs.into_iter().map(|(_, instant, event, reopened)| (instant, event, reopened)).collect()
}

/// How far a recording without an end reaches: its last event may be the end of a
/// tone, which has no row of its own.
fn last_instant(recording: &Recording) -> Nanos {
    let instants = recording.rows.iter().map(|row| row.engine);
    let releases = recording.rows.iter().filter_map(|row| row.release_deadline);
    instants.chain(releases).max().unwrap_or(Nanos::ZERO)
}

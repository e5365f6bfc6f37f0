//! A program that was stopped for a while: what it missed is not played in a burst.

use chronotap_core::midi::Message;
use chronotap_core::time::{Nanos, VirtualClock};
use chronotap_data::record::Entry;
use chronotap_engine::Engine;
use chronotap_engine::trial::Trial;
use chronotap_simulate::{MemoryPort, Tape};
use chronotap_testkit_engine::parts::{ms, pacing};
use chronotap_trial::{Ports, Round};
use std::sync::Arc;

const PATIENCE: Nanos = Nanos::from_millis(250);

/// Beats every 100 ms from 1 s on, each tone 30 ms long.
fn round() -> (Round<VirtualClock>, Tape) {
    let pacing = vec![pacing("m", ms(100).into())];
    let trial = Trial { outputs: vec!["output".into()], pacing, ..Trial::default() };
    let port = MemoryPort::new();
    let tape = port.tape();
    let mut rig = Ports::new(0, 1);
    rig.add(Box::new(port), &[], &[0]).expect("one port");
    rig.drop_overdue(PATIENCE);
    (
        Round { engine: Engine::new(Arc::new(trial), 1), ports: rig, clock: VirtualClock::new() },
        tape,
    )
}

fn serve(round: &mut Round<VirtualClock>, now: Nanos) -> Vec<Entry> {
    let mut entries = Vec::new();
    round.clock.advance_to(now);
    round.service(0, now, &mut |entry| entries.push(entry));
    entries
}

fn begins(message: Option<Message>) -> bool {
    matches!(message, Some(Message::NoteOn { .. }))
}

#[test]
fn overdue_tones_are_recorded_as_lost_and_counted_and_every_end_is_sent() {
    let (mut round, tape) = round();
    serve(&mut round, ms(1_010)); // the first beat sounds
    let entries = serve(&mut round, ms(10_000)); // and the program stood still for 9 s

    let written = tape.written();
    let burst = written.iter().filter(|(now, action)| *now == ms(10_000) && begins(action.message));
    assert!(burst.clone().all(|(now, action)| *now - action.deadline <= PATIENCE));
    assert_eq!(burst.count(), 3, "those of 9.8, 9.9 and 10 s");
    let ends = written.iter().filter(|(_, action)| !begins(action.message)).count();
    assert_eq!(ends, 90, "the first beat's and those of 89 others");

    let lost = entries.iter().filter(|entry| begins(entry.action.message));
    let lost = lost.filter(|entry| entry.achieved.is_none());
    assert!(lost.clone().all(|entry| ms(10_000) - entry.action.deadline > PATIENCE));
    assert_eq!((lost.count(), round.ports.overdue()), (87, 87));
}

#[test]
fn a_tone_that_is_late_by_less_is_sent() {
    let (mut round, tape) = round();
    serve(&mut round, ms(1_250));
    assert_eq!(tape.written().iter().filter(|(_, action)| begins(action.message)).count(), 3);
    assert_eq!(round.ports.overdue(), 0);
}

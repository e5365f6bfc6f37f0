//! Laws of the engine, for any taps.

use chronotap_core::midi::{Channel, Message, SysexPart, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind, TrialEnding};
use chronotap_engine::{Engine, Event};
use chronotap_testkit_engine::parts::{busy, feedback, key, note, run, trial};
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// Key presses and releases at any times, in order; keys may bounce, repeat and hang.
fn taps() -> impl Strategy<Value = Vec<Event>> {
    let one = (0i64..13_000_000, 58u8..66, any::<bool>());
    proptest::collection::vec(one, 0..60).prop_map(|mut raw| {
        raw.sort_by_key(|tap| tap.0);
        raw.dedup_by_key(|tap| tap.0);
        raw.into_iter().map(|(us, n, down)| key(us, n, down)).collect()
    })
}

fn wakes() -> impl Strategy<Value = Vec<Nanos>> {
    proptest::collection::vec((0i64..13_000_000_000).prop_map(Nanos), 0..50)
}

const END: Nanos = Nanos::from_secs(20);

/// Every tone that was begun and not ended, by output, channel and note.
fn hanging(actions: &[Action]) -> Vec<u64> {
    let mut sounding = HashMap::new();
    for action in actions.iter().filter(|a| a.is_output()) {
        match action.message {
            Some(Message::NoteOn { channel, note, .. }) => {
                let earlier = sounding.insert((action.port, channel, note), action.id);
                assert_eq!(earlier, None, "a tone begins where one still sounds");
            }
            Some(Message::NoteOff { channel, note, .. }) => {
                let ended = sounding.remove(&(action.port, channel, note));
                assert_eq!(ended, Some(action.id), "a tone-off ends its own tone");
            }
            _ => {}
        }
    }
    sounding.into_values().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prop_how_time_is_sliced_does_not_matter(taps in taps(), wakes in wakes()) {
        prop_assert_eq!(run(busy(), &taps, &[], END), run(busy(), &taps, &wakes, END));
    }

    #[test]
    fn prop_no_note_is_left_hanging(taps in taps()) {
        prop_assert_eq!(hanging(&run(busy(), &taps, &[], END)), Vec::<u64>::new());
    }

    #[test]
    fn prop_no_note_is_left_hanging_when_interrupted(taps in taps(), at in 0i64..12_000_000_000) {
        let mut engine = Engine::new(Arc::new(busy()), 7);
        let mut actions = Vec::new();
        for event in taps.iter().filter(|e| e.stamp.0 <= at) {
            engine.input(*event);
            engine.advance(event.stamp, &mut |a| actions.push(*a));
        }
        engine.stop(Nanos(at), TrialEnding::Interrupted, &mut |a| actions.push(*a));
        engine.advance(END, &mut |a| actions.push(*a)); // the code of the end has its width
        prop_assert!(engine.has_ended() && engine.next_deadline().is_none());
        prop_assert_eq!(hanging(&actions), Vec::<u64>::new());
    }

    #[test]
    fn prop_no_action_comes_before_its_deadline(taps in taps()) {
        for action in run(busy(), &taps, &[], END) {
            let early = action.instant < action.deadline && !matches!(action.kind, ActionKind::Cancelled(_) | ActionKind::Muted(_));
            prop_assert!(!early, "{:?}", action);
        }
    }

    #[test]
    fn prop_late_inputs_replay_to_the_same_actions(taps in taps(), period in 1i64..700) {
        // A slow machine: inputs are handed over only at multiples of the period.
        let mut engine = Engine::new(Arc::new(busy()), 7);
        let (mut live, mut waiting) = (Vec::new(), taps.iter().peekable());
        for now in (0..).map(|k| Nanos::from_millis(k * period)).take_while(|now| *now <= END) {
            while let Some(event) = waiting.next_if(|event| event.stamp <= now) {
                engine.input(*event);
            }
            engine.advance(now, &mut |a| live.push(*a));
        }
        let mut replay = Engine::new(Arc::new(busy()), 7);
        let mut replayed = Vec::new();
        let arrivals = |a: &&Action| matches!(a.kind, ActionKind::Tap(_) | ActionKind::Release(_));
        for arrival in live.iter().filter(arrivals) {
            replay.advance(arrival.instant - Nanos(1), &mut |a| replayed.push(*a));
            let stamp = arrival.deadline;
            replay.input(Event { input: arrival.port, stamp, message: arrival.message });
        }
        replay.advance(END, &mut |a| replayed.push(*a));
        prop_assert_eq!(live, replayed);
    }
}

#[test]
fn a_key_is_let_go_as_fast_as_it_was_and_as_midi_has_it_where_that_is_not_told() {
    let released = |velocity: u8| {
        let (channel, velocity) = (Channel::ONE, U7::from_byte(velocity));
        let up = Message::NoteOff { channel, note: note(60), velocity };
        let up = Event { input: 0, stamp: Nanos::from_millis(200), message: Some(up) };
        let channels = vec![feedback("as_played")];
        let actions = run(trial(vec![], channels, vec![]), &[key(100_000, 60, true), up], &[], END);
        let off = actions.iter().find(|action| action.kind == ActionKind::ToneOff);
        match off.and_then(|off| off.message) {
            Some(Message::NoteOff { velocity, .. }) => velocity.get(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!([released(17), released(0)], [17, 64]);
}

#[test]
fn a_flood_of_system_exclusive_leaves_room_for_taps_and_is_counted() {
    let mut trial = busy();
    trial.inputs[0].records_sysex = true;
    let mut engine = Engine::new(Arc::new(trial), 1);
    let stamp = Nanos::from_millis(100);
    let part = Some(Message::Sysex(SysexPart::new(&[1; 16]).unwrap()));
    (0..600).for_each(|_| engine.input(Event { input: 0, stamp, message: part }));
    assert_eq!(engine.lost(), 600 - 512);
    (0..512).for_each(|n| engine.input(key(100_000, 40 + (n % 60) as u8, true)));
    assert_eq!(engine.lost(), 600 - 512);
    let mut kinds = Vec::new();
    engine.advance(stamp, &mut |action| kinds.push(action.kind));
    let count = |of: ActionKind| kinds.iter().filter(|kind| **kind == of).count();
    assert_eq!((count(ActionKind::Sysex(0)), count(ActionKind::Tap(0))), (512, 512));
}

#[test]
fn a_tone_ends_with_the_velocity_of_the_keys_release_where_that_has_one() {
    let released_by = |message: Message| {
        let release = Event { input: 0, stamp: Nanos::from_millis(1_300), message: Some(message) };
        let taps = [key(1_000_000, 60, true), release];
        let actions = run(trial(vec![], vec![feedback("f")], vec![]), &taps, &[], END);
        actions.iter().find(|action| action.kind == ActionKind::ToneOff).and_then(|off| off.message)
    };
    let ends = |velocity: u8| {
        Some(Message::NoteOff { channel: Channel::ONE, note: note(60), velocity: note(velocity) })
    };
    let (channel, velocity) = (Channel::ONE, note(33));
    assert_eq!(released_by(Message::NoteOff { channel, note: note(60), velocity }), ends(33));
    // The other form of a release has none, and 64 is what stands for none.
    assert_eq!(released_by(Message::NoteOnZero { channel, note: note(60) }), ends(64));
}

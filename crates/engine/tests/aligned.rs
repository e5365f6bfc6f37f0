//! Outputs that are aligned: the fast ones wait for the slowest, and nothing else is changed by that.

use chronotap_core::midi::Message;
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::action::{Action, ActionKind, Silence, TrialEnding};
use chronotap_engine::trial::{
    CopiedTones, Delay, Do, Duration, Occasions, Perturb, RuleCondition, Trial, Varying,
};
use chronotap_engine::{Engine, Event};
use chronotap_testkit_engine::parts::{busy, codes, feedback, key, ms, pacing, run, trial, when};
use proptest::prelude::*;
use std::sync::Arc;

const END: Nanos = Nanos::from_secs(20);
const NONE: Nanos = Nanos::ZERO;

/// A metronome of 500 ms from 1 s on at the outputs 0, 1 and 2, a tone for each tap at 1 alone; the
/// end at 2.2 s.
fn everywhere() -> Trial {
    let rules = vec![when(RuleCondition::Time(ms(2_200)), vec![Do::End])];
    let streams = vec![pacing("metronome", Exact::whole(ms(500)))];
    let mut trial = trial(streams, vec![feedback("tone")], rules);
    trial.outputs.extend(["drum".into(), "buzzer".into()]);
    trial.copies = [1, 2].map(|output| CopiedTones { of: ActionKind::Pacing(0), output }).into();
    trial.feedback[0].output = 1;
    trial
}

fn aligned(mut trial: Trial, ports: &[Nanos]) -> Trial {
    trial.align_outputs = true;
    trial.on(ports)
}

/// What is sent to an output: when in microseconds, the note, and whether it begins.
fn sent(actions: &[Action], output: u16) -> Vec<(i64, u8, bool)> {
    let sent = |a: &Action| match a.message.filter(|_| a.is_output() && a.port == output)? {
        Message::NoteOn { note, .. } => Some((a.deadline.0 / 1_000, note.get(), true)),
        Message::NoteOff { note, .. } => Some((a.deadline.0 / 1_000, note.get(), false)),
        _ => None,
    };
    actions.iter().filter_map(sent).collect()
}

#[test]
fn each_output_waits_by_what_the_slowest_takes_longer() {
    // 5 ms, 0 and 2 ms + 1.5 ms by the word of the file: waits of 0, 5 and 1.5 ms.
    let mut trial = everywhere();
    trial.latencies = vec![None, None, Some(Nanos::from_micros(1_500))];
    let trial = aligned(trial, &[ms(5), NONE, ms(2)]);
    assert_eq!(trial.waits, [NONE, ms(5), Nanos::from_micros(1_500)]);
    let actions = run(trial, &[], &[], END);
    let begins = |output| -> Vec<i64> {
        sent(&actions, output).iter().filter(|of| of.2).map(|of| of.0).collect()
    };
    assert_eq!(begins(0), [1_000_000, 1_500_000, 2_000_000]);
    assert_eq!(begins(1), [1_005_000, 1_505_000, 2_005_000]);
    assert_eq!(begins(2), [1_001_500, 1_501_500, 2_001_500]);
    let ends = |output| sent(&actions, output)[1].0;
    assert_eq!([ends(0), ends(1), ends(2)], [1_030_000, 1_035_000, 1_031_500]);
}

#[test]
fn a_held_tone_is_as_long_as_its_key_and_what_waits_at_the_end_is_still_sent() {
    let taps = [key(1_100_000, 60, true), key(1_300_000, 60, false), key(2_199_000, 62, true)];
    let actions = run(aligned(everywhere(), &[ms(5), NONE, ms(5)]), &taps, &[], END);
    let at_drum: Vec<_> = sent(&actions, 1).into_iter().filter(|of| of.1 < 70).collect();
    let first = [(1_105_000, 60, true), (1_305_000, 60, false)];
    assert_eq!(at_drum[..2], first);
    // The end at 2,200 ms releases what began at 2,199 ms.
    assert_eq!(at_drum[2..], [(2_204_000, 62, true), (2_205_000, 62, false)]);
    let end = actions.iter().find(|a| matches!(a.kind, ActionKind::End(_))).unwrap();
    assert_eq!(end.deadline, ms(2_200));
}

#[test]
fn what_does_not_sound_is_where_it_would_have_sounded() {
    let mut trial = everywhere();
    trial.pacing[0].audible = false;
    trial.pacing[0].output = 1;
    trial.copies.clear();
    trial.feedback[0].perturb = vec![Perturb {
        at: Occasions::Listed(vec![1]),
        apart: 0,
        mute: true,
        pitch: None,
        velocity: None,
        delay: None,
        duration: None,
    }];
    trial.feedback[0].delay = Delay::Constant(Varying::constant(200e6));
    let taps = [key(1_100_000, 60, true), key(2_100_000, 62, true)];
    let actions = run(aligned(trial, &[ms(5), NONE, NONE]), &taps, &[], END);
    let at = |is: &dyn Fn(ActionKind) -> bool| -> Vec<Nanos> {
        actions.iter().filter(|a| is(a.kind)).map(|a| a.deadline).collect()
    };
    let silent = at(&|kind| matches!(kind, ActionKind::SilentBeat(0, Silence::Inaudible)));
    assert_eq!(silent, [ms(1_005), ms(1_505), ms(2_005)]);
    assert_eq!(at(&|kind| kind == ActionKind::Muted(0)), [ms(1_305)]);
    assert_eq!(at(&|kind| kind == ActionKind::Cancelled(0)), [ms(2_305)]);
}

#[test]
fn codes_go_out_when_the_tones_of_the_slowest_output_sound() {
    let mut coded = everywhere();
    coded.outputs.push("eeg".into());
    let mut of = codes([chronotap_engine::trial::Coded::Pacing(0)]);
    of.output = 3;
    coded.codes = Some(of);
    let actions = run(aligned(coded, &[ms(5), ms(8), NONE, ms(1)]), &[], &[], END);
    let sent = actions.iter().filter(|a| matches!(a.kind, ActionKind::Code(_))).map(|a| a.deadline);
    assert_eq!(sent.collect::<Vec<_>>(), [ms(1_007), ms(1_507), ms(2_007)]);
}

#[test]
fn a_tone_that_is_asked_for_too_late_waits_no_longer_than_it_must_and_nothing_overtakes_it() {
    let mut trial = everywhere();
    trial.inputs[0].debounce = NONE;
    trial.feedback[0].duration = Duration::Fixed(ms(300));
    let mut engine = Engine::new(Arc::new(aligned(trial, &[ms(5), NONE, NONE])), 7);
    let mut actions = Vec::new();
    engine.input(key(100_000, 60, true));
    engine.advance(ms(102), &mut |a| actions.push(*a));
    engine.input(key(101_000, 62, true)); // 1 ms late: 4 ms are left of its wait
    engine.advance(Nanos(ms(103).0 - 1), &mut |a| actions.push(*a));
    // 2 ms late. The tone in its way is released at 103 ms, which its output gets at 108 ms; the tone
    // would be due there at 106 ms, and comes after that.
    engine.input(key(101_000, 60, true));
    engine.advance(ms(2_500), &mut |a| actions.push(*a));
    let at: Vec<_> = sent(&actions, 1).into_iter().filter(|of| of.1 < 70).collect();
    let begun =
        [(105_000, 60, true), (106_000, 62, true), (108_000, 60, false), (108_000, 60, true)];
    assert_eq!(at[..4], begun);
    assert_eq!(at[4..], [(406_000, 62, false), (406_000, 60, false)]);
}

#[test]
fn an_interrupted_trial_sends_what_waits_and_leaves_nothing_sounding() {
    let mut engine = Engine::new(Arc::new(aligned(everywhere(), &[ms(5), NONE, NONE])), 7);
    let mut actions = Vec::new();
    engine.advance(ms(1_001), &mut |a| actions.push(*a));
    engine.stop(ms(1_002), TrialEnding::Interrupted, &mut |a| actions.push(*a));
    assert!(engine.is_over() && !engine.has_ended());
    assert_eq!(engine.next_deadline(), Some(ms(1_005)));
    engine.advance(ms(1_005), &mut |a| actions.push(*a));
    assert_eq!(engine.next_deadline(), Some(ms(1_007)));
    engine.advance(ms(1_007), &mut |a| actions.push(*a));
    assert!(engine.has_ended() && engine.next_deadline().is_none());
    assert_eq!(sent(&actions, 1), [(1_005_000, 76, true), (1_007_000, 76, false)]);
}

#[test]
fn more_than_can_wait_goes_out_early_in_its_order_and_is_counted() {
    let mut trial = aligned(everywhere(), &[Nanos::from_secs(1), NONE, NONE]);
    trial.inputs[0].debounce = NONE;
    trial.feedback[0].duration = Duration::Fixed(Nanos(1_000));
    let mut engine = Engine::new(Arc::new(trial), 7);
    let mut actions = Vec::new();
    for tap in 0..3_000_i64 {
        engine.input(key(tap * 100, 60, true));
        engine.advance(Nanos::from_micros(tap * 100), &mut |a| actions.push(*a));
    }
    engine.advance(END, &mut |a| actions.push(*a));
    assert!(engine.lost() > 0);
    let at = sent(&actions, 1);
    let of_taps: Vec<_> = at.iter().filter(|of| of.1 == 60).collect();
    assert_eq!(of_taps.len(), 6_000);
    assert!(of_taps.chunks(2).all(|tone| tone[0].2 && !tone[1].2));
}

/// Taps and releases at any times, in order.
fn taps() -> impl Strategy<Value = Vec<Event>> {
    let one = (0i64..13_000_000, 55u8..65, any::<bool>());
    prop::collection::vec(one, 0..100).prop_map(|mut raw| {
        raw.sort_unstable();
        raw.into_iter().map(|(us, note, down)| key(us, note, down)).collect()
    })
}

/// A trial with everything, at two outputs for tones and one for codes, each with a copy of the rest.
fn busy_twice() -> Trial {
    let mut trial = busy();
    let output = trial.outputs.len() as u16;
    trial.outputs.push("further".into());
    let all = (0..2)
        .map(ActionKind::Pacing)
        .chain((0..trial.feedback.len() as u16).map(ActionKind::Feedback));
    trial.copies =
        all.chain([ActionKind::Masking(0)]).map(|of| CopiedTones { of, output }).collect();
    trial
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prop_without_the_wish_latencies_change_nothing(taps in taps(), of in 0i64..10_000_000) {
        let mut stated = busy_twice();
        stated.latencies = vec![Some(Nanos(of)), None, Some(ms(3))];
        let stated = stated.on(&[ms(1), ms(2), Nanos(of)]);
        prop_assert_eq!(run(busy_twice(), &taps, &[], END), run(stated, &taps, &[], END));
    }

    #[test]
    fn prop_each_output_has_the_same_as_before_later_by_its_wait_and_all_else_is_unchanged(
        taps in taps(), first in 0i64..10_000_000, second in 0i64..10_000_000,
    ) {
        // The codes' output is the slowest, so that no code moves.
        let ports = [Nanos(first), ms(10), Nanos(second)];
        let (before, after) = (
            run(busy_twice(), &taps, &[], END),
            run(aligned(busy_twice(), &ports), &taps, &[], END),
        );
        let is_message = |a: &&Action| a.is_output() && a.message.is_some();
        // What does not sound is where it would have sounded.
        let rest = |all: &[Action], wait: &dyn Fn(u16) -> Nanos| -> Vec<Action> {
            let waits = |a: &Action| match a.kind {
                ActionKind::SilentBeat(..) => wait(0),
                ActionKind::Muted(_) | ActionKind::Cancelled(_) => wait(a.port),
                _ => NONE,
            };
            let later = |a: &Action| Action { deadline: a.deadline + waits(a), ..*a };
            all.iter().filter(|a| !is_message(a)).map(later).collect()
        };
        let wait = |output: u16| ms(10) - ports[usize::from(output)];
        prop_assert_eq!(rest(&before, &wait), rest(&after, &|_| NONE));
        for output in [0, 2] {
            let there = |all: &[Action], by: Nanos| -> Vec<Action> {
                let there = all.iter().filter(is_message).filter(|a| a.port == output);
                there.map(|a| Action { deadline: a.deadline + by, instant: a.instant + by, ..*a }).collect()
            };
            let wait = ms(10) - ports[usize::from(output)];
            prop_assert_eq!(there(&before, wait), there(&after, NONE));
        }
    }

    #[test]
    fn prop_how_time_is_sliced_does_not_matter_to_what_waits(
        taps in taps(), wakes in prop::collection::vec((0i64..13_000_000_000).prop_map(Nanos), 0..50),
    ) {
        let trial = || aligned(busy_twice(), &[ms(4), NONE, Nanos(1_234_567)]);
        prop_assert_eq!(run(trial(), &taps, &[], END), run(trial(), &taps, &wakes, END));
    }
}

//! A stream, a channel or a masking stream with several outputs: each tone sounds at all of them,
//! and nothing else is changed by that.

use chronotap_core::midi::Message;
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::trial::{CopiedTones, Do, Duration, RuleCondition, Trial};
use chronotap_testkit_engine::parts::{busy, feedback, key, ms, pacing, run, trial, when};
use proptest::prelude::*;

const END: Nanos = Nanos::from_secs(20);

/// A metronome of 500 ms from 1 s on, heard at the outputs 0, 1 and 2; a tone for each tap, heard at 0
/// and 2; the end at 2.2 s.
fn everywhere() -> Trial {
    let rules = vec![when(RuleCondition::Time(ms(2_200)), vec![Do::End])];
    let streams = vec![pacing("metronome", Exact::whole(ms(500)))];
    let mut trial = trial(streams, vec![feedback("tone")], rules);
    trial.outputs.extend(["drum".into(), "buzzer".into()]);
    let of = |of, output| CopiedTones { of, output };
    let (beats, taps) = (ActionKind::Pacing(0), ActionKind::Feedback(0));
    trial.copies = vec![of(beats, 1), of(beats, 2), of(taps, 2)];
    trial
}

/// What is sent to an output: when in milliseconds, the note, and whether it begins.
fn sent(actions: &[Action], output: u16) -> Vec<(i64, u8, bool)> {
    let sent = |a: &Action| match a.message.filter(|_| a.is_output() && a.port == output)? {
        Message::NoteOn { note, .. } => Some((a.deadline.0 / 1_000_000, note.get(), true)),
        Message::NoteOff { note, .. } => Some((a.deadline.0 / 1_000_000, note.get(), false)),
        _ => None,
    };
    actions.iter().filter_map(sent).collect()
}

#[test]
fn every_tone_begins_and_ends_at_each_output_at_the_same_moments() {
    let held = [key(1_100_000, 60, true), key(1_300_000, 60, false)];
    let actions = run(everywhere(), &held, &[], END);
    let beats = sent(&actions, 1);
    assert_eq!(beats.iter().map(|of| of.0).step_by(2).collect::<Vec<_>>(), [1000, 1500, 2000]);
    let taps = [(1100, 60, true), (1300, 60, false)];
    let mut both: Vec<_> = beats.iter().copied().chain(taps).collect();
    both.sort_unstable();
    assert_eq!(sent(&actions, 0), both);
    assert_eq!(sent(&actions, 2), both);
}

#[test]
fn a_copy_names_its_output_and_the_tone_that_it_is_a_copy_of() {
    let actions = run(everywhere(), &[], &[], END);
    let copies: Vec<_> = actions.iter().filter(|a| matches!(a.kind, ActionKind::Copy(_))).collect();
    assert_eq!(copies.len(), 6);
    for copy in copies {
        assert_eq!(copy.kind, ActionKind::Copy(copy.port));
        let first = actions.iter().find(|a| a.id == copy.cause && a.message.is_some()).unwrap();
        assert_eq!((first.kind, first.number), (ActionKind::Pacing(0), copy.number));
        assert_eq!((first.deadline, first.instant), (copy.deadline, copy.instant));
        assert_eq!(first.message, copy.message);
    }
}

#[test]
fn the_end_of_the_trial_leaves_no_copy_sounding() {
    let actions = run(everywhere(), &[key(2_100_000, 60, true)], &[], END);
    assert_eq!(sent(&actions, 2).last(), Some(&(2200, 60, false)));
    assert_eq!(actions.iter().filter(|a| a.kind == ActionKind::ToneOff).count(), 3 + 6 + 2);
}

#[test]
fn a_tone_of_another_stream_on_the_same_key_of_a_further_output_ends_the_copy_alone() {
    let mut both = everywhere();
    both.feedback[0].duration = Duration::Fixed(ms(300));
    both.feedback[0].output = 1;
    both.copies.truncate(1);
    let note = sent(&run(everywhere(), &[], &[], END), 1)[0].1;
    // The metronome's tone of 1,000 ms lasts to 1,030 ms or longer; the tap comes at 1,010 ms.
    let actions = run(both, &[key(1_010_000, note, true), key(1_020_000, note, false)], &[], END);
    let at_drum = sent(&actions, 1);
    assert_eq!(at_drum[..3], [(1000, note, true), (1010, note, false), (1010, note, true)]);
    assert_eq!(at_drum[3], (1310, note, false));
    assert!(sent(&actions, 0)[1].0 > 1_010, "the tone at the first output goes on");
}

/// The same without what names events: further outputs have events of their own in between.
fn unnumbered(actions: &[Action]) -> Vec<Action> {
    let ids: Vec<u64> =
        actions.iter().filter(|a| matches!(a.kind, ActionKind::Copy(_))).map(|a| a.id).collect();
    let of_copies = |a: &&Action| !ids.contains(&a.id);
    actions.iter().filter(of_copies).map(|a| Action { id: 0, cause: 0, ..*a }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prop_further_outputs_change_nothing_else_and_every_tone_there_ends(
        raw in prop::collection::vec((0i64..13_000_000, 55u8..65, any::<bool>()), 0..200),
    ) {
        let mut raw = raw;
        raw.sort_unstable();
        let taps: Vec<_> = raw.into_iter().map(|(us, note, down)| key(us, note, down)).collect();
        let mut copied = busy();
        let output = copied.outputs.len() as u16;
        copied.outputs.push("further".into());
        let all = (0..2).map(ActionKind::Pacing).chain((0..copied.feedback.len() as u16).map(ActionKind::Feedback));
        copied.copies = all.chain([ActionKind::Masking(0)]).map(|of| CopiedTones { of, output }).collect();
        let (alone, with) = (run(busy(), &taps, &[], END), run(copied, &taps, &[], END));
        let controls = |a: &Action| matches!(a.kind, ActionKind::ControlOut(_)) && a.port == output;
        let with_first: Vec<_> = with.iter().copied().filter(|a| !controls(a)).collect();
        prop_assert_eq!(unnumbered(&alone), unnumbered(&with_first));
        let begun = sent(&with, output).iter().filter(|of| of.2).count();
        prop_assert_eq!(2 * begun, sent(&with, output).len());
        let first = |a: &&Action| matches!(a.kind, ActionKind::Pacing(_) | ActionKind::Feedback(_) | ActionKind::Masking(_));
        prop_assert_eq!(begun, with.iter().filter(first).count());
    }
}

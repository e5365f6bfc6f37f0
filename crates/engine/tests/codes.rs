//! Codes for another recorder: each at the deadline of its event, for its width, one at a time.

use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::Engine;
use chronotap_engine::action::{Action, ActionKind, TrialEnding};
use chronotap_engine::trial::{Coded, Do, RuleCondition, Trial};
use chronotap_testkit_engine::parts::{busy, codes, feedback, key, ms, pacing, run, trial, when};
use proptest::prelude::*;
use std::sync::Arc;

const END: Nanos = Nanos::from_secs(20);

/// A metronome of 500 ms from 1 s on, a rule at its beat 3, and the end at 2.2 s.
fn paced(of: impl IntoIterator<Item = Coded>) -> Trial {
    let beat = RuleCondition::Beat { stream: 0, number: 3 };
    let rules =
        vec![when(beat, vec![Do::Mark(0)]), when(RuleCondition::Time(ms(2_200)), vec![Do::End])];
    let streams = vec![pacing("metronome", Exact::whole(ms(500)))];
    let mut trial = trial(streams, vec![feedback("tone")], rules);
    trial.outputs.push("recorder".into());
    trial.markers = vec!["third".into()];
    trial.codes = Some(codes(of));
    trial
}

/// What is written to the line, and when in milliseconds.
fn line(actions: &[Action]) -> Vec<(i64, u16)> {
    let on_line = |action: &Action| Some((action.deadline.0 / 1_000_000, action.code()?));
    actions.iter().filter_map(on_line).collect()
}

#[test]
fn each_code_goes_out_at_the_deadline_of_its_event_and_the_line_rests_after_its_width() {
    let trial = paced([Coded::Start, Coded::Pacing(0), Coded::Tap(0), Coded::End]);
    let actions = run(trial, &[key(1_100_000, 60, true)], &[], END);
    let all = [(0, 1), (5, 0), (1000, 2), (1005, 0), (1100, 3), (1105, 0), (1500, 2), (1505, 0)];
    assert_eq!(line(&actions)[..8], all);
    assert_eq!(line(&actions)[8..], [(2000, 2), (2005, 0), (2200, 4), (2205, 0)]);
    assert!(actions.iter().filter(|a| a.code().is_some()).all(|a| a.is_output() && a.port == 1));
}

#[test]
fn a_code_is_brought_about_by_its_event() {
    let actions = run(paced([Coded::Pacing(0)]), &[], &[], END);
    let code = actions.iter().find(|a| matches!(a.kind, ActionKind::Code(_))).unwrap();
    let beat = actions.iter().find(|a| a.id == code.cause).unwrap();
    assert_eq!((beat.kind, beat.number, beat.deadline), (ActionKind::Pacing(0), 1, code.deadline));
}

#[test]
fn a_delay_moves_the_codes_and_nothing_else() {
    let mut trial = paced([Coded::Pacing(0), Coded::End]);
    trial.codes.as_mut().unwrap().delay = ms(12);
    let actions = run(trial, &[], &[], END);
    let at = line(&actions);
    assert_eq!(at[..2], [(1012, 1), (1017, 0)]);
    assert_eq!(at[at.len() - 2..], [(2212, 2), (2217, 0)]);
    let end = actions.iter().find(|a| matches!(a.kind, ActionKind::End(_))).unwrap();
    assert_eq!(end.deadline, ms(2_200));
}

#[test]
fn the_next_code_takes_the_line_and_the_one_before_is_said_to_be_cut_short() {
    // The rule acts at the instant of beat 3, before it sounds.
    let actions = run(paced([Coded::Rule(0), Coded::Pacing(0)]), &[], &[], END);
    let at = ms(2_000);
    let there =
        |a: &&Action| a.instant == at && (a.code().is_some() || a.kind == ActionKind::Overwritten);
    let found: Vec<ActionKind> = actions.iter().filter(there).map(|a| a.kind).collect();
    assert_eq!(found, [ActionKind::Code(0), ActionKind::Overwritten, ActionKind::Code(1)]);
    let cut = actions.iter().find(|a| a.kind == ActionKind::Overwritten).unwrap();
    assert!(!cut.is_output());
}

#[test]
fn events_at_one_instant_may_have_one_code_together() {
    let of = [Coded::Rule(0), Coded::Pacing(0), Coded::Together(vec![0, 1])];
    let actions = run(paced(of), &[], &[], END);
    assert_eq!(line(&actions)[4..6], [(2000, 3), (2005, 0)]);
    assert!(actions.iter().all(|a| a.kind != ActionKind::Overwritten));
}

#[test]
fn a_code_together_is_sent_only_where_it_names_all_events_of_the_instant() {
    // The second rule and beat 3 have one together; the first rule of that instant makes them three.
    let of = [Coded::Rule(0), Coded::Rule(2), Coded::Pacing(0), Coded::Together(vec![1, 2])];
    let mut trial = paced(of);
    trial.rules.push(when(RuleCondition::Time(ms(2_000)), vec![Do::Mark(0)]));
    let sent: Vec<_> =
        line(&run(trial, &[], &[], END)).into_iter().filter(|(_, code)| *code > 0).collect();
    assert_eq!(sent, [(1000, 3), (1500, 3), (2000, 1), (2000, 2), (2000, 3)]);
}

#[test]
fn a_code_recurs_until_the_end_and_gives_way_to_an_event_at_its_instant() {
    // At 1.1, 1.55, 2 and 2.45 s; beat 3 is at 2 s, the end at 2.2 s.
    let every = Coded::Every { first: ms(1_100), interval: ms(450) };
    let actions = run(paced([Coded::Pacing(0), every, Coded::End]), &[], &[], END);
    let sent: Vec<_> = line(&actions).into_iter().filter(|(_, code)| *code > 0).collect();
    let expected = [(1000, 1), (1100, 2), (1500, 1), (1550, 2), (2000, 2), (2000, 1), (2200, 3)];
    assert_eq!(sent, expected);
    assert_eq!(line(&actions).last(), Some(&(2205, 0)));
}

#[test]
fn a_code_that_recurs_is_delayed_like_the_others_and_sent_for_each_time_before_the_end() {
    let every = Coded::Every { first: ms(0), interval: ms(1_100) };
    let mut trial = paced([Coded::End, every]);
    trial.codes.as_mut().unwrap().delay = ms(12);
    let sent = line(&run(trial, &[], &[], END));
    let expected = [(12, 2), (17, 0), (1112, 2), (1117, 0), (2212, 2), (2212, 1), (2217, 0)];
    assert_eq!(sent, expected);
}

#[test]
fn an_interrupted_trial_tells_its_end_and_leaves_the_line_at_rest() {
    let mut engine = Engine::new(Arc::new(paced([Coded::Pacing(0), Coded::End])), 7);
    let mut actions = Vec::new();
    engine.advance(ms(1_001), &mut |a| actions.push(*a));
    engine.stop(ms(1_002), TrialEnding::Interrupted, &mut |a| actions.push(*a));
    assert!(engine.is_over() && !engine.has_ended());
    assert_eq!(engine.next_deadline(), Some(ms(1_007)));
    engine.advance(ms(1_007), &mut |a| actions.push(*a));
    assert!(engine.has_ended() && engine.next_deadline().is_none());
    assert_eq!(line(&actions), [(1000, 1), (1002, 2), (1007, 0)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prop_one_code_stands_at_a_time_and_none_for_longer_than_its_width(
        raw in prop::collection::vec((0i64..13_000_000, any::<bool>()), 0..200),
    ) {
        let mut raw = raw;
        raw.sort_unstable();
        let taps: Vec<_> = raw.into_iter().map(|(us, down)| key(us, 60, down)).collect();
        let mut standing: Option<&Action> = None;
        let actions = run(busy(), &taps, &[], END);
        for action in &actions {
            match action.kind {
                ActionKind::Code(_) => prop_assert!(standing.replace(action).is_none()),
                ActionKind::CodeOff | ActionKind::Overwritten => {
                    let begun = standing.take().unwrap();
                    prop_assert_eq!(begun.id, action.id);
                    let stood = action.instant - begun.instant;
                    prop_assert!(stood <= ms(5));
                    prop_assert!(stood == ms(5) || action.kind == ActionKind::Overwritten);
                }
                _ => {}
            }
        }
        prop_assert!(standing.is_none());
    }
}

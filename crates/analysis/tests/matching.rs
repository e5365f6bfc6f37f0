//! Laws of matching, whatever the beats and taps; and that the account of each tap and
//! beat is what the summary counts.

use chronotap_analysis::account::{Account, BeatAnswer, Fate};
use chronotap_analysis::matching::{Grid, Matching, MatchingRule, WINDOW};
use chronotap_analysis::observed::{Beat, Observed, ObservedInput, ObservedStream, Tap};
use chronotap_analysis::summary::Summary;
use chronotap_core::time::Nanos;
use proptest::prelude::*;

const MS: i64 = 1_000_000;

/// A stream with steps left out and with restarts: numbers and times ascend, but for the
/// restarts, where the numbers begin again.
fn streams() -> impl Strategy<Value = ObservedStream<'static>> {
    let step = (1i64..1_500, 1u32..6, prop::bool::weighted(0.1));
    prop::collection::vec(step, 0..40).prop_map(|steps| {
        let (mut at, mut number) = (Nanos::ZERO, 0);
        let beats = steps.into_iter().map(|(ms, further, restarts)| {
            at += Nanos(ms * MS);
            number = if restarts { 1 } else { number + further };
            Beat { id: 0, number, deadline: at, at }
        });
        ObservedStream { name: "beats", beats: beats.collect(), ..ObservedStream::default() }
    })
}

fn taps() -> impl Strategy<Value = Vec<Nanos>> {
    prop::collection::vec(0i64..40_000, 0..60).prop_map(|mut ms| {
        ms.sort_unstable();
        ms.into_iter().map(|ms| Nanos(ms * MS)).collect()
    })
}

fn matched(stream: &ObservedStream<'_>, taps: &[Nanos]) -> Matching {
    Grid::new(stream, WINDOW).matched_by(MatchingRule::FirstOnset, taps)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tap_answers_one_beat_a_beat_has_one_tap_and_both_keep_their_order(
        stream in streams(), taps in taps(),
    ) {
        let pairs = matched(&stream, &taps).pairs;
        for pair in pairs.windows(2) {
            prop_assert!(pair[0].beat < pair[1].beat && pair[0].tap < pair[1].tap);
        }
    }

    #[test]
    fn every_pair_lies_within_its_window_and_every_tap_left_over_is_later(
        stream in streams(), taps in taps(),
    ) {
        let matching = matched(&stream, &taps);
        let grid = Grid::new(&stream, WINDOW);
        for pair in &matching.pairs {
            let (early, late) = grid.windows()[pair.beat];
            prop_assert!((early..=late).contains(&taps[pair.tap]));
            prop_assert_eq!(taps[pair.tap] - stream.beats[pair.beat].at, pair.asynchrony);
            let first = taps.iter().position(|tap| *tap >= early);
            prop_assert_eq!(first, Some(pair.tap));
        }
        for beat in matching.missed.iter().chain(&matching.listened) {
            let (early, late) = grid.windows()[*beat];
            prop_assert!(!taps.iter().any(|tap| (early..=late).contains(tap)));
        }
        for beat in &matching.listened {
            prop_assert!(grid.windows()[*beat].1 < taps[0]);
        }
    }

    #[test]
    fn by_the_earlier_rule_every_tap_left_over_is_farther(stream in streams(), taps in taps()) {
        let grid = Grid::new(&stream, WINDOW);
        let matching = grid.matched_by(MatchingRule::ClosestFirst, &taps);
        for pair in &matching.pairs {
            let (early, late) = grid.windows()[pair.beat];
            prop_assert!((early..=late).contains(&taps[pair.tap]));
            prop_assert_eq!(taps[pair.tap] - stream.beats[pair.beat].at, pair.asynchrony);
            let left = matching.extra.iter().chain(&matching.unpaced);
            for tap in left.filter(|tap| (early..=late).contains(&taps[**tap])) {
                let distance = (taps[*tap] - stream.beats[pair.beat].at).abs();
                prop_assert!(distance >= pair.asynchrony.abs());
            }
        }
        for beat in &matching.missed {
            let (early, late) = grid.windows()[*beat];
            prop_assert!(!taps.iter().any(|tap| (early..=late).contains(tap)));
        }
    }

    #[test]
    fn a_trial_that_begins_later_is_matched_alike(
        stream in streams(), taps in taps(), later in -100_000i64..100_000,
    ) {
        let later = Nanos(later * MS);
        let moved = |beat: &Beat| Beat { deadline: beat.deadline + later, at: beat.at + later, ..*beat };
        let beats = stream.beats.iter().map(moved).collect();
        let moved_taps: Vec<Nanos> = taps.iter().map(|tap| *tap + later).collect();
        let moved = ObservedStream { beats, ..stream.clone() };
        prop_assert_eq!(matched(&moved, &moved_taps), matched(&stream, &taps));
    }

    #[test]
    fn windows_do_not_overlap(stream in streams()) {
        for pair in Grid::new(&stream, WINDOW).windows().windows(2) {
            prop_assert!(pair[0].1 < pair[1].0);
        }
    }

    #[test]
    fn the_account_of_taps_and_beats_is_what_the_summary_counts(
        stream in streams(), onsets in taps(), debounced in prop::collection::vec(any::<bool>(), 60),
    ) {
        let mut input = ObservedInput { name: "pad", ..ObservedInput::default() };
        input.taps = onsets.iter().zip(&debounced)
            .map(|(onset, debounced)| Tap { onset: *onset, debounced: *debounced, ..Tap::default() })
            .collect();
        let beats = stream.beats.len();
        let length = Nanos(60_000 * MS);
        let observed = Observed { length, pacing: vec![stream], taps: vec![input], ..Observed::default() };
        let account = Account::of(&observed);
        let summary = Summary::of(&observed);
        let s = &summary.synchronization[0];
        let fates: Vec<Fate> = (0..onsets.len()).map(|tap| account.tap(0, tap)).collect();
        let count = |which: &dyn Fn(&Fate) -> bool| fates.iter().filter(|fate| which(fate)).count();
        prop_assert_eq!(count(&|f| matches!(f, Fate::Matched { .. })), s.matched);
        prop_assert_eq!(count(&|f| matches!(f, Fate::Debounced)), summary.taps[0].debounced);
        prop_assert_eq!(
            count(&|f| matches!(f, Fate::Doubled | Fate::Extra | Fate::Unpaced)),
            s.extra + s.unpaced
        );
        let answers: Vec<BeatAnswer> = (0..beats).map(|beat| account.beat(0, beat, 0)).collect();
        let missed = answers.iter().filter(|answer| **answer == BeatAnswer::Missed).count();
        let listened = answers.iter().filter(|answer| **answer == BeatAnswer::Listened).count();
        prop_assert_eq!((missed, listened), (s.missed, s.listened));
        prop_assert_eq!(answers.len() - missed - listened, s.matched);
        for (beat, answer) in answers.iter().enumerate() {
            if let BeatAnswer::Tap(tap) = answer {
                let is_its_own = matches!(fates[*tap], Fate::Matched { beat: of, .. } if of == beat);
                prop_assert!(is_its_own);
            }
        }
        let in_stretches = |of: &dyn Fn(&chronotap_analysis::summary::TapsIn) -> usize| {
            summary.taps[0].stretches.iter().map(of).sum::<usize>()
        };
        prop_assert_eq!(in_stretches(&|within| within.taps), summary.taps[0].taps);
    }
}

//! Lists of onsets that repeat, and their reproduction: `repeat` and `response`.

use chronotap_analysis::reproduction::{Reproduction, RhythmInterval};
use chronotap_data::record::TrialType::Pacing;
use chronotap_testkit_simulate::times::{ms, nearest};
use chronotap_testkit_simulate::trial::trial;

#[test]
fn a_list_of_onsets_begins_again_exactly_so_often_as_it_says() {
    let played = trial(
        r#"
        [pacing.m]
        onsets = ["0 s", "200 ms", "500 ms"]
        repeat = { every = "1600 ms / 3", times = 100 }
        start = "0 s"
        [[when]]
        time = "100 s"
        end = true"#,
    )
    .play();
    let begins = |k: i128| nearest(k * 1_600_000_000, 3);
    let expected: Vec<i64> =
        (0..100).flat_map(|k| [0, 200, 500].map(|at| begins(k) + ms(at))).collect();
    assert_eq!(played.onsets(Pacing, "m"), expected);
}

#[test]
fn what_follows_a_repeated_list_comes_where_it_would_begin_again() {
    let played = trial(
        r#"
        [pacing.m]
        onsets = ["100 ms", "300 ms"]
        repeat = { every = "2 s", times = 2 }
        [pacing.after]
        start = { after = "m" }
        interval = "400 ms"
        beats = 1
        [[when]]
        time = "9 s"
        end = true"#,
    )
    .play();
    assert_eq!(played.onsets(Pacing, "m"), [1100, 1300, 3100, 3300].map(ms));
    assert_eq!(played.onsets(Pacing, "after"), [ms(5100)]);
}

#[test]
fn a_phase_shift_moves_all_later_repetitions_and_beats_cut_them_short() {
    let played = trial(
        r#"
        [pacing.m]
        onsets = ["0 s", "300 ms"]
        repeat = { every = "1 s" }
        beats = 5
        [[pacing.m.change]]
        at = 4
        phase_shift = "50 ms"
        [[when]]
        time = "9 s"
        end = true"#,
    )
    .play();
    assert_eq!(played.onsets(Pacing, "m"), [1000, 1300, 2000, 2350, 3050].map(ms));
}

/// Two rounds of two intervals; the taps of each are `early` ms too soon one after the other.
const ROUNDS: &str = r#"
    [pacing.m]
    onsets = ["0 s", "600 ms", "1.1 s"]
    repeat = { every = "5 s", times = 2 }
    response = { after = "200 ms", within = "3 s" }
    [[when]]
    time = "11 s"
    end = true"#;

#[test]
fn the_summary_compares_each_interval_with_the_one_that_was_heard() {
    // Heard at 1, 1.6, 2.1 and 6, 6.6, 7.1 s; the tap at 2.2 s is too soon to count.
    let taps = "2.2 .01 60 90\n2.8 .01 60 90\n3.39 .01 60 90\n3.9 .01 60 90\n\
                8.0 .01 60 90\n8.61 .01 60 90\n9.12 .01 60 90\n9.5 .01 60 90";
    let played = trial(ROUNDS).taps(taps).play();
    let summary = played.summary();
    assert!(summary.synchronization.is_empty(), "there is nothing to be synchronous with");
    let [found] = &summary.reproduction[..] else { panic!("one reproduction") };
    assert_eq!((found.rounds, found.complete, found.missing, found.extra), (2, 1, 0, 1));
    let told = |found: &Reproduction| {
        let told = |i: &RhythmInterval| (i.n, i.heard_ms, i.error_ms, i.absolute_error_ms);
        found.intervals.iter().map(told).collect::<Vec<_>>()
    };
    // The last tap is one too many, so that nobody knows which of that round reproduces what.
    assert_eq!(told(found), [(1, 600.0, -10.0, 10.0), (1, 500.0, 10.0, 10.0)]);
    let without = taps.trim_end_matches("\n9.5 .01 60 90");
    let both = trial(ROUNDS).taps(without).play();
    let both = both.summary();
    assert_eq!(told(&both.reproduction[0]), [(2, 600.0, 0.0, 10.0), (2, 500.0, 10.0, 10.0)]);
    assert_eq!(summary.stretches.len(), 1, "what is listened to paces nothing");
    let text = summary.to_string();
    assert!(text.contains("\"input\" reproduces \"m\""), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn each_tap_says_whether_it_is_part_of_the_response() {
    let taps = "2.2 .01 60 90\n2.8 .01 60 90\n5.15 .01 60 90";
    let played = trial(ROUNDS).taps(taps).play();
    let fates = played.rows.iter().filter_map(|row| row.fate.as_ref());
    assert_eq!(
        fates.map(|fate| fate.word()).collect::<Vec<_>>(),
        ["unpaced", "response", "unpaced"]
    );
}

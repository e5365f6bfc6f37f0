//! Simulated participants at the inputs of one trial: which tones a hand takes as its own.

use chronotap_data::record::TrialType;
use chronotap_testkit_simulate::trial::trial;

const MS: i64 = 1_000_000;

/// How far from the beat each tap of the left hand is (ms), where the right one taps 100 ms
/// behind the beat; both without noise, late by half of the feedback delay that they hear.
fn left_hand(feedback: &str) -> Vec<i64> {
    let text = format!(
        "[input.left]\n[input.right]\n[pacing.p]\ninterval = \"500 ms\"\nbeats = 20\n{feedback}\n\
         [[when]]\ntime = \"11 s\"\nend = true"
    );
    let hands = "steady, paced_feedback = 0.5, input = left; \
                 steady, paced_feedback = 0.5, input = right, mean = 100 ms";
    let played = trial(&text).participants(hands).play();
    let paced = |tap: &i64| *tap < 9_750 * MS;
    let taps = played.onsets(TrialType::Tap, "left").into_iter().filter(paced);
    let from_beat = |tap: i64| (tap + 250 * MS) % (500 * MS) - 250 * MS;
    taps.map(|tap| (from_beat(tap) as f64 / MS as f64).round() as i64).collect()
}

#[test]
fn a_hand_does_not_take_the_feedback_of_another_as_its_own() {
    let each = "[feedback.left]\nfrom = { input = \"left\" }\n\
                [feedback.right]\nfrom = { input = \"right\" }\ndelay = \"60 ms\"";
    for feedback in ["", "[feedback.both]", each] {
        let asynchronies = left_hand(feedback);
        assert_eq!(asynchronies, vec![0; asynchronies.len()], "{feedback}");
        assert!(asynchronies.len() > 12, "{feedback}: {asynchronies:?}");
    }
}

#[test]
fn a_hand_takes_the_feedback_of_its_own_taps_from_a_channel_that_answers_all() {
    let asynchronies = left_hand("[feedback.both]\ndelay = \"60 ms\"");
    assert_eq!(asynchronies.last(), Some(&30), "half of 60 ms");
}

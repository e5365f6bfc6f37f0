//! What taps are measured against: streams that sound, and streams that the trial file says taps
//! belong to although they never sound. And that a trial of an earlier version is still judged
//! by the rule that it was recorded by.

use chronotap_analysis::matching::MatchingRule;
use chronotap_analysis::statistics::of_asynchronies::{MEAN_ASYNCHRONY, SD_ASYNCHRONY};
use chronotap_analysis::summary::Synchronization;
use chronotap_data::record::{Flag, TrialType::Silent, TrialType::Tap, read_events};
use chronotap_simulate::{SummaryProof, prove};
use chronotap_testkit_simulate::trial::trial;
use std::path::Path;

const ANTI_PHASE: &str = include_str!("../../design/paradigms/anti-phase/steady.toml");
const BEAT_FINDING: &str = include_str!("../../design/paradigms/beat-finding/rhythm.toml");
const MUSIC: &str = include_str!("../../design/paradigms/music/music.toml");

/// The anti-phase trial as the study sets it: the pad answers this stream and no other.
fn anti_phase(stream: &str) -> String {
    let mut here = String::new();
    let line = |line: &str| {
        if line.starts_with("[pacing.") {
            here = line.to_owned();
        }
        let who = if here == format!("[pacing.{stream}]") { "pad" } else { "none" };
        if line.starts_with("answered_by") {
            format!("answered_by = \"{who}\"")
        } else {
            line.into()
        }
    };
    ANTI_PHASE.lines().map(line).collect::<Vec<String>>().join("\n")
}

/// The beats of a stream that never sounds, and what comes of somebody who taps `late_ms` after
/// each of them.
fn perfect(text: &str, stream: &str, late_ms: f64) -> (usize, Synchronization) {
    let alone = trial(text).play();
    let silent = alone.named(Silent, stream).filter(|row| row.flag == Some(Flag::Inaudible));
    let at: Vec<f64> = silent.map(|row| row.onset.as_secs_f64() + late_ms / 1e3).collect();
    let presses: Vec<String> = at.iter().map(|at| format!("{at:.9} 0.02 60 80")).collect();
    let played = trial(text).taps(&presses.join("\n")).play();
    let mut pairs = played.summary().synchronization.iter();
    (at.len(), pairs.find(|pair| pair.pacing == stream).unwrap().clone())
}

#[test]
fn a_perfect_tapper_to_beats_that_never_sound_answers_each_of_them() {
    let (between, other) = (anti_phase("between"), anti_phase("every_other"));
    let trials = [
        (&*between, "between", 40),
        (&*other, "every_other", 20),
        (BEAT_FINDING, "beat", 32),
        (MUSIC, "pulse", 64),
    ];
    for (text, stream, beats) in trials {
        for late in [0.0, -40.0] {
            let (sent, found) = perfect(text, stream, late);
            assert_eq!((sent, found.beats, found.matched), (beats, beats, beats), "{stream}");
            assert_eq!((found.missed, found.extra), (0, 0), "{stream}");
            let asynchrony = found.asynchrony.unwrap();
            assert!(
                (asynchrony.of(&MEAN_ASYNCHRONY).unwrap() - late).abs() < 1e-6,
                "{stream}: {asynchrony:?}"
            );
            assert!(asynchrony.of(&SD_ASYNCHRONY).unwrap() < 1e-6, "{stream}: {asynchrony:?}");
        }
    }
}

#[test]
fn a_stream_that_falls_silent_is_no_reference_and_nor_is_a_silent_one_that_nobody_answers() {
    let text = r#"
        [input.pad]
        [pacing.metronome]
        interval = "500 ms"
        answered_by = "pad"
        [pacing.grid]
        interval = "250 ms"
        audible = false
        [[when]]
        beat.metronome = 11
        set.pacing.metronome.audible = false
        [[when]]
        time = "12 s"
        end = true"#;
    let taps: Vec<String> =
        (0..20).map(|k| format!("{} 0.02 60 80", 1.0 + 0.5 * f64::from(k))).collect();
    let played = trial(text).taps(&taps.join("\n")).play();
    let [metronome, grid] = &played.summary().synchronization[..] else { panic!("two streams") };
    assert_eq!((metronome.beats, metronome.matched, metronome.unpaced), (10, 10, 10));
    assert_eq!((grid.beats, grid.matched), (0, 0));
}

#[test]
fn a_share_of_a_half_as_window_leaves_out_no_tap() {
    let with = |window: &str| {
        let text = format!(
            "[pacing.slow]\ninterval = \"2 s\"\nbeats = 12\n{window}\n[[when]]\ntime = \"25 s\"\nend = true"
        );
        let tap = |k: i32| {
            format!("{} 0.02 60 80", 1.0 + 2.0 * f64::from(k) + f64::from(k % 3 - 1) * 0.9)
        };
        let taps: Vec<String> = (1..12).map(tap).collect();
        trial(&text).taps(&taps.join("\n")).play().summary().synchronization[0].clone()
    };
    assert_eq!((with("").matched, with("").extra), (4, 6));
    let wide = with("window = 0.5");
    assert_eq!((wide.matched, wide.extra, wide.window), (11, 0, Some(0.5)));
}

/// Files that the version before wrote, whose rule was the closest pair first: two bounces are
/// closer to their beats than the taps before them, three beats are over before the first tap,
/// and a stream that is silent has an `answered_by`.
#[test]
fn a_trial_of_an_earlier_version_is_proved_by_the_rule_that_it_was_recorded_by() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/tests/golden");
    let mut recording = read_events(&golden.join("earlier_events.tsv")).unwrap();
    assert_eq!(recording.header.matching, MatchingRule::ClosestFirst);
    let proof = prove(&recording).unwrap();
    assert!(proof.holds(), "{:?}", proof.faults());
    assert_eq!(proof.summary, SummaryProof::Agrees);
    let again = recording.summary().unwrap();
    assert_eq!((again.synchronization[0].matched, again.synchronization[0].missed), (9, 3));
    assert_eq!(again.synchronization[1].beats, 0);

    recording.header.matching = MatchingRule::FirstOnset;
    let now = recording.summary().unwrap();
    let [metronome, between] = &now.synchronization[..] else { panic!("two streams") };
    assert_eq!((metronome.missed, metronome.listened, metronome.matched), (0, 3, 9));
    assert!(
        (metronome.asynchrony.as_ref().unwrap().of(&MEAN_ASYNCHRONY).unwrap() + 50.0).abs() < 1e-9
    );
    assert_eq!(between.beats, 11);
    let proof = prove(&recording).unwrap();
    assert!(proof.contradiction.is_some(), "the other rule gives other fates");
}

/// A metronome that is silent at first, sounds from beat 6 to 10, and is silent again.
const ON_AND_OFF: &str = "[pacing.m]\ninterval = \"500 ms\"\nstart = \"500 ms\"\naudible = false\n\
    answered_by = \"input\"\n[[when]]\nbeat = 6\nset.pacing.m.audible = true\n\
    [[when]]\nbeat = 11\nset.pacing.m.audible = false\n[[when]]\nbeat = 16\nend = true";

#[test]
fn a_stream_that_rules_turn_on_and_off_is_measured_only_where_it_sounds() {
    let taps: String =
        (1..16).map(|beat| format!("{}.{} .1 60 90\n", beat / 2, beat % 2 * 5)).collect();
    let played = trial(ON_AND_OFF).taps(&taps).play();
    let [pair] = &played.summary().synchronization[..] else { panic!("one pair") };
    assert_eq!((pair.beats, pair.matched), (5, 5));
    let alone = ON_AND_OFF.replace("beat = 6", "beat = 99");
    let alone = alone.replace("audible = true", "beats = 99").replace("beat = 11", "beat = 98");
    let played = trial(&alone).taps(&taps).play();
    assert_eq!(played.summary().synchronization[0].matched, 15, "one that never sounds");
}

#[test]
fn nobody_reproduces_what_was_not_heard() {
    let text = |audible: bool| {
        format!(
            "[pacing.m]\nonsets = [\"0 ms\", \"300 ms\", \"900 ms\"]\nanswered_by = \"input\"\n\
             audible = {audible}\nresponse = {{ after = \"200 ms\" }}\n[[when]]\ntime = \"6 s\"\nend = true"
        )
    };
    let fates = |audible: bool| -> Vec<String> {
        let played = trial(&text(audible)).taps("3 .1 60 90\n3.3 .1 60 90\n3.9 .1 60 90").play();
        played.named(Tap, "input").map(|tap| tap.fate.as_ref().unwrap().word().to_owned()).collect()
    };
    assert_eq!(fates(true), ["response"; 3]);
    assert_eq!(fates(false), ["unpaced"; 3]);
}

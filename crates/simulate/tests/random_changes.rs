//! Changes of pacing and feedback that come at random: beats left out, sizes and signs from
//! a list, and distances that keep them from colliding.

use chronotap_core::time::Nanos;
use chronotap_data::record::TrialType::{Feedback, Pacing, Silent, Tap};
use chronotap_engine::perturbation::{Perturbation, PerturbedPart};
use chronotap_testkit_simulate::times::ms;
use chronotap_testkit_simulate::trial::trial;
use std::collections::BTreeMap;

/// Onsets in milliseconds by beat, of a stream `m` with a beat each 500 ms from 1 s on.
fn beats(lines: &str, seed: u64, end: i64) -> BTreeMap<i64, i64> {
    let text = format!(
        "[pacing.m]\ninterval = \"500 ms\"\n{lines}\n[[when]]\ntime = \"{end} s\"\nend = true"
    );
    let played = trial(&text).seed(seed).play();
    let rows = played.named(Pacing, "m");
    rows.map(|row| (i64::from(row.number.unwrap()), row.onset.0 / ms(1))).collect()
}

/// By how much each beat is off its place, and the beats that are missing.
fn off(beats: &BTreeMap<i64, i64>, last: i64) -> (Vec<(i64, i64)>, Vec<i64>) {
    let moved = beats.iter().map(|(beat, at)| (*beat, at - 500 - 500 * beat));
    let missing = (1..=last).filter(|beat| !beats.contains_key(beat)).collect();
    (moved.filter(|(_, by)| *by != 0).collect(), missing)
}

#[test]
fn a_muted_beat_is_counted_and_does_not_sound() {
    let found = beats("[[pacing.m.change]]\nevery = 4\nafter = 2\nmute = true", 1, 8);
    assert_eq!(off(&found, 14), (vec![], vec![6, 10, 14]));
    let all = beats("[[pacing.m.change]]\nchance = 1.0\nafter = 12\nmute = true", 1, 8);
    assert_eq!(off(&all, 14), (vec![], vec![13, 14]));
}

#[test]
fn beats_are_left_out_at_random_by_the_probability_asked_for() {
    let found = beats("[[pacing.m.change]]\nchance = 0.2\nmute = true", 3, 1001);
    let (moved, missing) = off(&found, 2_000);
    // Four standard deviations of a count of 400 are 72.
    assert!(moved.is_empty() && (328..472).contains(&missing.len()), "{}", missing.len());
}

#[test]
fn onset_shifts_of_either_sign_come_equally_often_where_they_are_shuffled() {
    let lines = "[[pacing.m.change]]\nevery = { from = 3, to = 5 }\n\
                 onset_shift = { shuffled = [\"-50 ms\", \"50 ms\"] }";
    let (moved, missing) = off(&beats(lines, 2, 200), 300);
    assert!(missing.is_empty() && moved.len() > 70, "{moved:?}");
    for pair in moved.chunks_exact(2) {
        assert_eq!(pair[0].1 + pair[1].1, 0, "one of each sign: {pair:?}");
        assert_eq!(pair[0].1.abs(), 50);
        assert!((3..=5).contains(&(pair[1].0 - pair[0].0)), "{pair:?}");
    }
    assert!(moved.iter().step_by(2).any(|(_, by)| *by > 0));
    assert!(moved.iter().step_by(2).any(|(_, by)| *by < 0));
}

#[test]
fn phase_shifts_and_interval_steps_add_up_as_they_are_drawn() {
    let found = beats(
        "[[pacing.m.change]]\nat = [3, 5, 7]\nphase_shift = { shuffled = [\"10 ms\", \"20 ms\", \"40 ms\"] }",
        4,
        6,
    );
    let (moved, _) = off(&found, 10);
    let steps: Vec<i64> = std::iter::once(0).chain(moved.iter().map(|(_, by)| *by)).collect();
    let mut drawn: Vec<i64> =
        steps.windows(2).map(|pair| pair[1] - pair[0]).filter(|d| *d != 0).collect();
    drawn.sort_unstable();
    assert_eq!(drawn, [10, 20, 40]);
    let found = beats(
        "[[pacing.m.change]]\nat = [2, 3]\ninterval_step = { shuffled = [\"-100 ms\", \"30 ms\"] }",
        1,
        4,
    );
    let at: Vec<i64> = found.values().copied().collect();
    let steps: Vec<i64> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(
        steps.starts_with(&[500, 400, 430, 430]) || steps.starts_with(&[500, 530, 430, 430]),
        "{steps:?}"
    );
}

#[test]
fn a_size_drawn_once_holds_for_the_trial() {
    let lines = "[[pacing.m.change]]\nevery = 3\nonset_shift = { once = [\"-20 ms\", \"20 ms\"] }";
    let sizes = |seed| {
        let (moved, _) = off(&beats(lines, seed, 20), 30);
        assert!(moved.len() > 10 && moved.iter().all(|(_, by)| *by == moved[0].1), "{moved:?}");
        moved[0].1
    };
    let all: std::collections::BTreeSet<i64> = (1..15).map(sizes).collect();
    assert_eq!(all.into_iter().collect::<Vec<_>>(), [-20, 20]);
}

#[test]
fn a_change_that_is_to_lie_apart_is_put_off_until_it_does() {
    let lines = "[[pacing.m.change]]\nevery = 4\nonset_shift = \"50 ms\"\n\
                 [[pacing.m.change]]\nevery = 6\napart = 2\nmute = true";
    let (moved, missing) = off(&beats(lines, 1, 14), 26);
    assert_eq!(moved.iter().map(|(beat, _)| *beat).collect::<Vec<_>>(), [4, 8, 12, 16, 20, 24]);
    // 12 is taken and 13 too near; from 14 on six further, 20, is taken and 21 too near.
    assert_eq!(missing, [6, 14, 22]);
}

#[test]
fn changes_that_lie_apart_never_collide() {
    let lines = "[[pacing.m.change]]\nat = [100, 333, 707]\nonset_shift = \"70 ms\"\n\
                 [[pacing.m.change]]\nevery = { from = 4, to = 12 }\napart = 5\n\
                 onset_shift = { random = [\"-50 ms\", \"-25 ms\", \"25 ms\", \"50 ms\"] }\n\
                 [[pacing.m.change]]\nchance = 0.3\napart = 5\nmute = true";
    for seed in 1..6 {
        let (moved, missing) = off(&beats(lines, seed, 501), 1_000);
        let mut all: Vec<i64> =
            moved.iter().map(|(beat, _)| *beat).chain(missing.iter().copied()).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[1] - pair[0] >= 5), "{all:?}");
        assert!(missing.len() > 30 && moved.len() > 30, "{} {}", missing.len(), moved.len());
        assert!([100, 333, 707].iter().all(|beat| moved.contains(&(*beat, 70))), "{moved:?}");
    }
}

#[test]
fn perturbations_of_feedback_lie_apart_in_the_same_way() {
    let text = "[feedback.f]\nduration = \"10 ms\"\n[[feedback.f.perturb]]\nevery = 4\ndelay = \"50 ms\"\n\
                [[feedback.f.perturb]]\nevery = 6\napart = 2\nmute = true\n[[when]]\ntap = 28\nend = true";
    let taps: String = (1..=28).map(|second| format!("{second} 0.1 60 80\n")).collect();
    let played = trial(text).taps(&taps).play();
    let found: BTreeMap<i64, i64> = played
        .named(Feedback, "f")
        .map(|row| (i64::from(row.number.unwrap()), row.onset.0 / ms(1)))
        .collect();
    let late: Vec<i64> =
        found.iter().filter(|(tap, at)| **at != *tap * 1_000).map(|(tap, _)| *tap).collect();
    assert_eq!(late, [4, 8, 12, 16, 20, 24]);
    let muted: Vec<i64> = (1..28).filter(|tap| !found.contains_key(tap)).collect();
    assert_eq!(muted, [6, 14, 22]);
}

#[test]
fn every_changed_beat_says_what_was_changed_and_by_how_much() {
    let lines = "[[pacing.m.change]]\nat = 3\nphase_shift = \"50 ms\"\n\
                 [[pacing.m.change]]\nat = 5\nonset_shift = \"-30 ms\"\n\
                 [[pacing.m.change]]\nat = 6\ninterval = \"550 ms\"\n\
                 [[pacing.m.change]]\nat = 7\nmute = true";
    let text =
        format!("[pacing.m]\ninterval = \"500 ms\"\n{lines}\n[[when]]\nbeat = 9\nend = true");
    let played = trial(&text).play();
    let rows = played.rows.iter().filter(|row| matches!(row.trial_type, Pacing | Silent));
    let told: Vec<_> = rows.map(|row| (row.number.unwrap(), row.perturbation)).collect();
    let only = |part| Perturbation::NONE.with(part);
    let expected = [
        (1, Perturbation::NONE),
        (2, Perturbation::NONE),
        (3, only(PerturbedPart::PhaseShift(Nanos(ms(50))))),
        (4, Perturbation::NONE),
        (5, only(PerturbedPart::OnsetShift(Nanos(ms(-30))))),
        (6, only(PerturbedPart::Interval(Nanos(ms(50))))),
        (7, only(PerturbedPart::Mute)),
        (8, Perturbation::NONE),
    ];
    assert_eq!(told, expected);
}

#[test]
fn rests_and_beats_that_are_not_heard_have_rows_at_the_time_they_would_have_come() {
    let text = "[pacing.m]\ninterval = \"500 ms\"\npattern = \"xx.\"\n\
                [[when]]\nbeat = 5\nset.pacing.m.audible = false\n[[when]]\nbeat = 8\nend = true";
    let played = trial(text).taps("1.02 .1 60 90\n 2.5 .1 60 90\n 3.6 .1 60 90").play();
    played.expect_of(
        "pacing|silent",
        "1 pacing m 1 76/100@1 for 0.03
         1.5 pacing m 2 76/100@1 for 0.03
         2 silent m 3 rest
         2.5 pacing m 4 76/100@1 for 0.03
         3 silent m 5 inaudible
         3.5 silent m 6 rest
         4 silent m 7 inaudible",
    );
    let fates: Vec<_> = played.named(Tap, "input").map(|tap| tap.fate.as_ref().unwrap()).collect();
    assert_eq!(fates[0].matched(), Some(("m", 1, Nanos(ms(20)))));
    assert_eq!(fates[1].matched(), Some(("m", 4, Nanos::ZERO)));
    assert_eq!(fates[2].word(), "unpaced");
}

#[test]
fn of_two_changes_that_keep_apart_the_greater_distance_holds() {
    let lines = "[[pacing.m.change]]\nevery = 20\napart = 6\nonset_shift = \"70 ms\"\n\
                 [[pacing.m.change]]\nevery = 9\napart = 2\nmute = true";
    let (moved, missing) = off(&beats(lines, 1, 40), 70);
    // Omissions at 9 and 18, so the shift comes at 24 and not at 20; the third omission is put off from
    // 27 to 30, six beats after it; and so on.
    assert_eq!(moved, [24, 45, 66].map(|beat| (beat, 70)));
    assert_eq!(missing, [9, 18, 30, 39, 51, 60]);
    let lines = "[[pacing.m.change]]\nchance = 0.1\napart = 7\nonset_shift = \"70 ms\"\n\
                 [[pacing.m.change]]\nchance = 0.3\napart = 2\nmute = true";
    for seed in 1..6 {
        let (moved, missing) = off(&beats(lines, seed, 501), 1_000);
        assert!(moved.len() > 10 && missing.len() > 10, "{} {}", moved.len(), missing.len());
        for (beat, _) in moved {
            assert!(missing.iter().all(|other| (other - beat).abs() >= 7), "{beat} {missing:?}");
        }
    }
}

#[test]
fn of_two_perturbations_of_feedback_that_keep_apart_the_greater_distance_holds() {
    let text = "[feedback.f]\nduration = \"10 ms\"\n\
                [[feedback.f.perturb]]\nevery = 20\napart = 6\ndelay = \"50 ms\"\n\
                [[feedback.f.perturb]]\nevery = 9\napart = 2\nmute = true\n\
                [[when]]\ntap = 71\nend = true";
    let taps: String = (1..=71).map(|second| format!("{second} 0.1 60 80\n")).collect();
    let played = trial(text).taps(&taps).play();
    let found: BTreeMap<i64, i64> = played
        .named(Feedback, "f")
        .map(|row| (i64::from(row.number.unwrap()), row.onset.0 / ms(1)))
        .collect();
    let late = found.iter().filter(|(tap, at)| **at != *tap * 1_000).map(|(tap, _)| *tap);
    assert_eq!(late.collect::<Vec<_>>(), [24, 45, 66]);
    let muted: Vec<i64> = (1..71).filter(|tap| !found.contains_key(tap)).collect();
    assert_eq!(muted, [9, 18, 30, 39, 51, 60]);
}

#[test]
fn a_shuffle_goes_on_with_what_was_drawn_for_a_beat_that_a_restart_swallows() {
    // Beats 1, 2 and 3 are placed in each run; the third is swallowed by the next start.
    let text = "[pacing.m]\ninterval = \"500 ms\"\nstart = \"1 s\"\n\
                [[pacing.m.change]]\nevery = 1\n\
                onset_shift = { shuffled = [\"1 ms\", \"2 ms\", \"4 ms\", \"8 ms\"] }\n";
    let starts: String = (1..8)
        .map(|run| format!("[[when]]\ntime = \"{}.9 s\"\nstart = \"m\"\n", run + 1))
        .collect();
    let text = format!("{text}{starts}[[when]]\ntime = \"9.9 s\"\nend = true");
    for seed in 1..=20 {
        let played = trial(&text).seed(seed).play();
        let sizes: Vec<i64> = played
            .named(Pacing, "m")
            .filter_map(|row| {
                row.perturbation.parts().find_map(|part| match part {
                    PerturbedPart::OnsetShift(by) => Some(by.0 / ms(1)),
                    _ => None,
                })
            })
            .collect();
        assert!(sizes.len() >= 16, "{sizes:?}");
        for round in sizes.chunks_exact(4) {
            let mut round = round.to_vec();
            round.sort_unstable();
            assert_eq!(round, [1, 2, 4, 8], "seed {seed}: {sizes:?}");
        }
    }
}

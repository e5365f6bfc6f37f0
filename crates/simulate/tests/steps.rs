//! Changes of interval that meet: what is heard and what is recorded is one, and adds up.

use chronotap_core::time::Nanos;
use chronotap_data::record::TrialType::Pacing;
use chronotap_engine::perturbation::PerturbedPart;
use chronotap_testkit_simulate::times::ms;
use chronotap_testkit_simulate::trial::trial;

/// Intervals in milliseconds of a stream with these changes, and what its rows say of each.
fn steps(lines: &str) -> (Vec<i64>, Vec<Option<i64>>) {
    let text =
        format!("[pacing.m]\ninterval = \"500 ms\"\n{lines}\n[[when]]\ntime = \"6 s\"\nend = true");
    let played = trial(&text).play();
    let onsets = played.onsets(Pacing, "m");
    let told = played.named(Pacing, "m").map(|row| {
        row.perturbation.parts().find_map(|part| match part {
            PerturbedPart::Interval(by) => Some(by.0 / ms(1)),
            _ => None,
        })
    });
    (onsets.windows(2).map(|pair| (pair[1] - pair[0]) / ms(1)).collect(), told.collect())
}

#[test]
fn two_interval_steps_at_one_beat_add_up_in_what_is_heard_and_what_is_recorded() {
    let (heard, told) = steps(
        "[[pacing.m.change]]\nat = 3\ninterval_step = \"-10 ms\"\n\
         [[pacing.m.change]]\nat = 3\ninterval_step = \"30 ms\"",
    );
    assert_eq!(heard[..4], [500, 500, 520, 520]);
    assert_eq!(told[..4], [None, None, Some(20), None]);
}

#[test]
fn regular_steps_that_meet_add_up_where_they_meet() {
    let (heard, told) = steps(
        "[[pacing.m.change]]\nevery = 2\ninterval_step = \"10 ms\"\n\
         [[pacing.m.change]]\nevery = 3\ninterval_step = \"-20 ms\"",
    );
    // Beats 2, 4, 6 add 10 ms, beats 3 and 6 take 20 ms away.
    assert_eq!(heard[..7], [500, 510, 490, 500, 500, 490, 490]);
    assert_eq!(told[..7], [None, Some(10), Some(-20), Some(10), None, Some(-10), None]);
}

#[test]
fn steps_that_are_spread_over_beats_each_make_their_whole_way() {
    let (heard, _) = steps(
        "[[pacing.m.change]]\nat = 2\ninterval_step = \"40 ms\"\nover = 4\n\
         [[pacing.m.change]]\nat = 3\ninterval_step = \"-20 ms\"\nover = 2",
    );
    // 10 20 30 40 of the first, and from beat 3 on -10 -20 of the second.
    assert_eq!(heard[..7], [500, 510, 510, 510, 520, 520, 520]);
}

#[test]
fn a_step_that_comes_again_before_it_has_got_there_adds_up_with_itself() {
    let (heard, _) = steps("[[pacing.m.change]]\nat = [2, 3]\ninterval_step = \"20 ms\"\nover = 2");
    assert_eq!(heard[..5], [500, 510, 530, 540, 540]);
}

#[test]
fn a_new_interval_and_a_step_of_one_beat_add_up_whichever_comes_first_in_the_file() {
    let step = "[[pacing.m.change]]\nat = 3\ninterval_step = \"20 ms\"\n";
    let new = "[[pacing.m.change]]\nat = 3\ninterval = \"550 ms\"\n";
    for lines in [format!("{step}{new}"), format!("{new}{step}")] {
        let (heard, told) = steps(&lines);
        assert_eq!((&heard[..4], told[2]), (&[500, 500, 570, 570][..], Some(70)));
    }
}

#[test]
fn a_change_of_size_0_that_the_file_gives_is_listed() {
    let text = "[pacing.m]\ninterval = \"500 ms\"\n[[pacing.m.change]]\nat = 2\n\
                phase_shift = \"0 ms\"\n[[when]]\nbeat = 3\nend = true";
    let played = trial(text).play();
    let parts: Vec<Vec<PerturbedPart>> =
        played.named(Pacing, "m").map(|row| row.perturbation.parts().collect()).collect();
    assert_eq!(parts, [vec![], vec![PerturbedPart::PhaseShift(Nanos::ZERO)]]);
}

#[test]
fn a_change_that_is_to_lie_apart_sees_those_that_are_still_to_come() {
    let text = "[pacing.m]\ninterval = \"500 ms\"\n\
                [[pacing.m.change]]\nevery = 3\napart = 2\nmute = true\n\
                [[pacing.m.change]]\nevery = 4\nonset_shift = \"50 ms\"\n\
                [[when]]\nbeat = 14\nend = true";
    let played = trial(text).play();
    let heard: Vec<u32> = played.named(Pacing, "m").map(|row| row.number.unwrap()).collect();
    // The other comes at 4, 8 and 12. 3 is too near to 4 and 5 is not free either, so 6; then 9 is
    // too near to 8, so 10; then 13 is too near to 12.
    assert_eq!(heard, [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13]);
}

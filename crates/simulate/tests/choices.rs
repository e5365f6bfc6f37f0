//! What is drawn from lists: at every tap anew, without replacement, or once a trial.

use chronotap_data::record::TrialType::Feedback;
use chronotap_testkit_simulate::times::ms;
use chronotap_testkit_simulate::trial::{TrialRows, trial};
use std::collections::BTreeSet;

/// Sixty taps, one a second.
fn taps() -> String {
    (1..=60).map(|second| format!("{second} 0.1 60 80\n")).collect()
}

fn played(lines: &str, seed: u64) -> TrialRows {
    let text = format!("[feedback.f]\n{lines}\n[[when]]\ntime = \"100 s\"\nend = true");
    trial(&text).seed(seed).taps(&taps()).play()
}

/// The delay of each tap's tone, in milliseconds.
fn delays(played: &TrialRows) -> Vec<i64> {
    let tap = |row: &chronotap_data::record::Row| i64::from(row.number.unwrap()) * ms(1_000);
    played.named(Feedback, "f").map(|row| (row.onset.0 - tap(row)) / ms(1)).collect()
}

fn notes(played: &TrialRows) -> Vec<u8> {
    played.named(Feedback, "f").map(|row| row.note.unwrap().get()).collect()
}

fn in_order<T: Ord + Copy>(values: &[T]) -> Vec<T> {
    let mut values = values.to_vec();
    values.sort_unstable();
    values
}

#[test]
fn a_delay_drawn_once_holds_for_the_trial_and_differs_between_trials() {
    let of = |seed| {
        let found = delays(&played("delay = { once = [\"0 ms\", \"80 ms\", \"160 ms\"] }", seed));
        assert_eq!(found.len(), 60);
        assert!(found.iter().all(|delay| *delay == found[0]), "{found:?}");
        found[0]
    };
    let all: BTreeSet<i64> = (1..40).map(of).collect();
    assert_eq!(all.into_iter().collect::<Vec<_>>(), [0, 80, 160]);
}

#[test]
fn a_rule_that_sets_a_list_draws_once_more_and_that_then_holds() {
    let lines = "delay = { once = [\"0 ms\", \"10 ms\", \"20 ms\", \"30 ms\"] }\n\
                 [[when]]\ntap = 31\nset.feedback.f.delay = { once = [\"100 ms\", \"110 ms\"] }";
    for seed in 1..10 {
        let found = delays(&played(lines, seed));
        assert!(found[..30].iter().all(|delay| *delay == found[0] && *delay <= 30), "{found:?}");
        assert!(found[30..].iter().all(|delay| *delay == found[30] && *delay >= 100), "{found:?}");
    }
}

#[test]
fn shuffled_delays_and_pitches_each_come_once_before_any_comes_again() {
    let lines = "delay = { shuffled = [\"0 ms\", \"50 ms\", \"50 ms\", \"200 ms\"] }\n\
                 pitch = { shuffled = [60, 62, 64, 65, 67] }";
    let found = played(lines, 5);
    for round in delays(&found).chunks(4) {
        assert_eq!(in_order(round), [0, 50, 50, 200]);
    }
    let notes = notes(&found);
    for round in notes.chunks(5) {
        assert_eq!(in_order(round), [60, 62, 64, 65, 67]);
    }
    let orders: BTreeSet<&[u8]> = notes.chunks(5).collect();
    assert!(orders.len() > 8, "the orders differ: {notes:?}");
}

#[test]
fn delays_drawn_with_replacement_repeat_within_a_round() {
    let found = delays(&played("delay = { random = [\"0 ms\", \"50 ms\", \"100 ms\"] }", 2));
    assert!([0, 50, 100].iter().all(|d| found.iter().filter(|f| *f == d).count() > 8), "{found:?}");
    assert!(found.windows(2).any(|pair| pair[0] == pair[1]), "{found:?}");
}

#[test]
fn a_shuffled_channel_goes_on_in_place_while_it_is_silent() {
    let text = |sounding: &str| {
        format!(
            "pitch = {{ shuffled = \"C4..C5\" }}\nsounding = {sounding}\n\
             [[when]]\ntap = 20\nset.feedback.f.sounding = true"
        )
    };
    let all = notes(&played(&text("true"), 3));
    assert_eq!(notes(&played(&text("false"), 3)), all[19..]);
}

#[test]
fn a_perturbation_draws_from_its_own_list_and_leaves_the_channels_alone() {
    let lines = "pitch = { shuffled = [60, 62, 64] }\n";
    let perturbed = "[[feedback.f.perturb]]\nevery = 3\npitch = { shuffled = [70, 80] }";
    let (alone, with) =
        (notes(&played(lines, 4)), notes(&played(&format!("{lines}{perturbed}"), 4)));
    let others = |notes: &[u8]| -> Vec<u8> {
        (1..).zip(notes).filter(|(tap, _)| tap % 3 != 0).map(|(_, note)| *note).collect()
    };
    assert_eq!(others(&alone), others(&with));
    let drawn: Vec<u8> =
        (1..).zip(&with).filter(|(tap, _)| tap % 3 == 0).map(|(_, n)| *n).collect();
    assert!(drawn.chunks(2).all(|pair| in_order(pair) == [70, 80]), "{drawn:?}");
}

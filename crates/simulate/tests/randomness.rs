//! What is drawn: rule 10 of the trial file, the bounds of every distribution, and
//! streams of random tones.

use chronotap_data::record::TrialType::{Feedback, Masking, Pacing};
use chronotap_testkit_simulate::times::{assert_onsets, ms, nearest};
use chronotap_testkit_simulate::trial::{TrialRows, trial};

const DRAWS: &str = r#"
    [pacing.m]
    interval = "500 ms"
    jitter = { normal = "20 ms" }
    [feedback.f]
    delay = { uniform = ["0 ms", "250 ms"] }
    pitch = { random = ["C4", "E4", "G4"] }
    velocity = { random = [40, 70] }
    duration = "10 ms"
    [masking.n]
    rate = "20 per s"
    [[when]]
    time = "60 s"
    end = true
    "#;

/// A tap every 300 ms on rising keys.
fn steady() -> String {
    let tap = |k: i64| format!("{}.{:03} .1 {} 90\n", k * 300 / 1000, k * 300 % 1000, 40 + k % 40);
    (1..190).map(tap).collect()
}

fn draws(more: &str, seed: u64) -> TrialRows {
    trial(&format!("{DRAWS}{more}")).taps(&steady()).seed(seed).play()
}

fn kinds(played: &TrialRows) -> Vec<Vec<String>> {
    ["pacing m", "feedback f", "masking n"].map(|kind| played.of(kind)).to_vec()
}

#[test]
fn the_same_seed_and_taps_give_the_same_rows_and_another_seed_others() {
    let (one, again, two) = (draws("", 1), draws("", 1), draws("", 2));
    assert_eq!(one.rows, again.rows);
    let differ = |(a, b): (&Vec<String>, &Vec<String>)| assert_ne!(a, b);
    kinds(&one).iter().zip(&kinds(&two)).for_each(differ);
}

#[test]
fn adding_a_stream_a_channel_or_a_perturbation_changes_no_other_draw() {
    let alone = draws("", 1);
    let more = r#"
        [pacing.other]
        interval = "333 ms"
        jitter = { normal = "20 ms", moves = "interval" }
        tone = { note = 1 }
        [[pacing.other.change]]
        chance = 0.5
        onset_shift = "10 ms"
        [feedback.other]
        channel = 2
        delay = { normal = { mean = "100 ms", sd = "10 ms" } }
        [[feedback.other.perturb]]
        chance = 0.3
        mute = true
        [masking.other]
        spacing = "random"
        channel = 3
        "#;
    assert_eq!(kinds(&alone), kinds(&draws(more, 1)));
}

#[test]
fn a_perturbation_leaves_the_draws_of_the_other_taps_alone() {
    let lines = "[[feedback.f.perturb]]\nat = 5\ndelay = { uniform = [\"1 s\", \"2 s\"] }\n\
                 pitch = { random = [1, 2, 3] }\n[[feedback.f.perturb]]\nat = 9\nmute = true\n";
    let (alone, with) = (draws("", 1), draws(lines, 1));
    let others = |played: &TrialRows| {
        let rows =
            played.named(Feedback, "f").filter(|row| ![Some(5), Some(9)].contains(&row.number));
        rows.map(|row| (row.number, row.deadline, row.note, row.velocity)).collect::<Vec<_>>()
    };
    let sorted = |mut rows: Vec<_>| {
        rows.sort();
        rows
    };
    assert_eq!(sorted(others(&alone)), sorted(others(&with)));
}

#[test]
fn drawn_delays_pitches_and_velocities_stay_in_their_bounds_and_reach_them() {
    let played = draws("", 3);
    let tap = |row: &chronotap_data::record::Row| i64::from(row.number.unwrap()) * ms(300);
    let rows: Vec<_> = played.named(Feedback, "f").collect();
    let delays: Vec<i64> = rows.iter().map(|row| row.onset.0 - tap(row)).collect();
    assert!(delays.iter().all(|d| (0..=ms(250)).contains(d)), "{delays:?}");
    assert!(delays.iter().any(|d| *d < ms(15)) && delays.iter().any(|d| *d > ms(235)));
    let notes: Vec<u8> = rows.iter().map(|row| row.note.unwrap().get()).collect();
    assert!(notes.iter().all(|n| [60, 64, 67].contains(n)));
    assert!([60, 64, 67].iter().all(|n| notes.iter().filter(|m| *m == n).count() > 40));
    let loud: Vec<u8> = rows.iter().map(|row| row.velocity.unwrap().get()).collect();
    assert!(loud.iter().all(|v| (40..=70).contains(v)));
    assert!(loud.contains(&40) && loud.contains(&70));
}

#[test]
fn normal_delays_keep_within_and_never_go_below_zero() {
    let text = r#"
        [feedback.a]
        delay = { normal = { mean = "20 ms", sd = "15 ms" } }
        [feedback.b]
        delay = { normal = { mean = "200 ms", sd = "20 ms", within = ["190 ms", "260 ms"] } }
        channel = 2
        [[when]]
        time = "60 s"
        end = true"#;
    let played = trial(text).taps(&steady()).play();
    let delays = |name| {
        let rows = played.named(Feedback, name);
        rows.map(|row| row.onset.0 - i64::from(row.number.unwrap()) * ms(300)).collect::<Vec<_>>()
    };
    assert!(delays("a").iter().all(|d| (0..=ms(65)).contains(d)));
    assert!(delays("b").iter().all(|d| (ms(190)..=ms(260)).contains(d)));
}

#[test]
fn chances_of_one_and_none_are_certain() {
    let text = |chance: &str| {
        format!(
            "[feedback.f]\n[[feedback.f.perturb]]\nchance = {chance}\nafter = 100\nmute = true\n\
             [[when]]\ntime = \"60 s\"\nend = true"
        )
    };
    let sounded = |chance: &str| trial(&text(chance)).taps(&steady()).play().of("feedback").len();
    assert_eq!((sounded("1.0"), sounded("0.0")), (100, 189));
    let half = sounded("0.5");
    assert!((125..165).contains(&half), "{half}");
}

#[test]
fn masking_tones_come_on_an_exact_grid_within_their_notes_and_velocities() {
    let text = r#"
        [masking.n]
        rate = "30 per s"
        start = "500 ms"
        notes = "C3..D3"
        velocity = { random = [40, 42] }
        duration = "20 ms"
        [[when]]
        time = "100 s"
        end = true"#;
    let played = trial(text).play();
    let found = played.onsets(Masking, "n");
    let exact: Vec<i64> =
        (0..found.len() as i128).map(|k| ms(500) + nearest(k * 1_000_000_000, 30)).collect();
    assert_onsets(&found, &exact);
    assert_eq!(found.len(), 2_985); // the one due at the end itself is not played
    let notes: Vec<u8> = played.named(Masking, "n").map(|row| row.note.unwrap().get()).collect();
    assert!((48..=50).all(|n| notes.contains(&n)) && notes.iter().all(|n| (48..=50).contains(n)));
    let loud = played.named(Masking, "n").map(|row| row.velocity.unwrap().get());
    assert!(loud.into_iter().all(|v| (40..=42).contains(&v)));
}

#[test]
fn masking_at_random_moments_keeps_its_mean_rate() {
    let text = "[masking.n]\nrate = \"10 per s\"\nspacing = \"random\"\n\
                [[when]]\ntime = \"1000 s\"\nend = true";
    let found = trial(text).play().onsets(Masking, "n").len();
    assert!((9_600..10_400).contains(&found), "{found}"); // four standard deviations of a count
}

#[test]
fn masking_that_is_switched_on_goes_on_in_place() {
    let text = |sounding: &str| {
        format!(
            "[masking.n]\nrate = \"10 per s\"\nsounding = {sounding}\n\
             [[when]]\ntime = \"5.05 s\"\nset.masking.n.sounding = true\n\
             [[when]]\ntime = \"9 s\"\nend = true"
        )
    };
    let all = trial(&text("true")).play().of("masking");
    let late = trial(&text("false")).play().of("masking");
    assert_eq!(all.len(), 90);
    assert_eq!(late, all[51..]); // tones 52, at 5.1 s, to 90
}

#[test]
fn a_silent_channel_draws_on() {
    let text = |sounding: &str| {
        format!(
            "[feedback.f]\npitch = {{ random = \"C1..C7\" }}\nsounding = {sounding}\n\
             [[when]]\ntap = 50\nset.feedback.f.sounding = true\n\
             [[when]]\ntime = \"60 s\"\nend = true"
        )
    };
    let all = trial(&text("true")).taps(&steady()).play().of("feedback");
    let late = trial(&text("false")).taps(&steady()).play().of("feedback");
    assert_eq!(late, all[49..]);
}

#[test]
fn a_silent_stream_jitters_on() {
    let text = |audible: &str| {
        format!(
            "[pacing.m]\ninterval = \"500 ms\"\njitter = {{ normal = \"20 ms\" }}\n\
             audible = {audible}\n[[when]]\nbeat = 10\nset.pacing.m.audible = true\n\
             [[when]]\ntime = \"20 s\"\nend = true"
        )
    };
    let all = trial(&text("true")).play().onsets(Pacing, "m");
    assert_eq!(trial(&text("false")).play().onsets(Pacing, "m"), all[9..]);
}

#[test]
fn even_masking_comes_exactly_as_often_as_it_says() {
    let text = "[masking.n]\nrate = \"140 per min\"\n[[when]]\ntime = \"600 s\"\nend = true";
    let found = trial(text).play().onsets(chronotap_data::record::TrialType::Masking, "n");
    let exact: Vec<i64> = (0..1_400)
        .map(|k| chronotap_testkit_simulate::times::nearest(k * 60_000_000_000, 140))
        .collect();
    assert_eq!(found, exact);
}

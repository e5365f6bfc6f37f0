//! What an analysis has where a trial has more than one input to one even stream: two people, two hands,
//! altered feedback, a sequence of keys, another level of the metre. Scripted performers do what is known
//! beforehand, and the tables must say that.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

fn chronotap(args: &[&str], dir: &Path) {
    let ran = Command::new(env!("CARGO_BIN_EXE_chronotap")).args(args).current_dir(dir).output();
    let ran = ran.unwrap();
    assert!(ran.status.code().is_some_and(|code| code < 2), "{args:?}: {ran:?}");
}

/// Rows of the table of trials, for whole trials: by input and what it is against.
type Rows = HashMap<(String, String), HashMap<String, String>>;

/// A tap of a script: its onset in seconds, its key, and its input.
type Tap<'a> = (f64, u32, &'a str);

fn analyzed(trial: &str, taps: &[Tap<'_>]) -> Rows {
    let dir = tempfile::tempdir().unwrap();
    let mut script = String::from("onset\tduration\tnote\tvelocity\tchannel\tinput\n");
    for (onset, note, input) in taps {
        script += &format!("{onset:.6}\t0.05\t{note}\t80\t1\t{input}\n");
    }
    std::fs::write(dir.path().join("trial.toml"), trial).unwrap();
    std::fs::write(dir.path().join("taps.tsv"), script).unwrap();
    // Without the limits of a wire, so that what is asked for is what comes.
    let how = ["--performer", "taps.tsv", "--in", "wire:unthrottled", "--out", "wire:unthrottled"];
    let several = trial.contains("[input.left]");
    let ports: Vec<&str> = match several {
        false => how.to_vec(),
        true => {
            let inputs = ["--in", "left=wire:unthrottled", "--in", "right=wire:unthrottled"];
            [&how[..2], &inputs, &["--out", "wire:unthrottled"]].concat()
        }
    };
    chronotap(&[&["simulate", "trial.toml", "--seed", "1"], &ports[..]].concat(), dir.path());
    chronotap(&["analyze", "data/trial_run-01_events.tsv", "--to", "tables"], dir.path());
    let table = std::fs::read_to_string(dir.path().join("tables/desc-trials_beh.tsv")).unwrap();
    let mut lines = table.lines().map(|line| line.split('\t').map(str::to_owned));
    let head: Vec<String> = lines.next().unwrap().collect();
    let row = |cells: Vec<String>| -> HashMap<String, String> {
        head.iter().cloned().zip(cells).collect()
    };
    let rows = lines.map(|cells| row(cells.collect())).filter(|row| row["stretch"] == "all");
    rows.map(|row| ((row["input"].clone(), row["against"].clone()), row)).collect()
}

/// When the first beat of a stream is, in seconds.
const FIRST: f64 = 1.0;

fn number(rows: &Rows, place: (&str, &str), column: &str) -> f64 {
    let row = &rows[&(place.0.to_owned(), place.1.to_owned())];
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {place:?}: {}", row[column]))
}

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-3, "{found}, not {wanted}");
}

const TWO: &str = "[input.left]\n[input.right]\n[[when]]\ntime = \"40 s\"\nend = true\n";

/// The right hand comes 20 ms later, and takes up each lengthening of the left one tap later.
#[test]
fn two_who_tap_without_a_metronome_have_asynchronies_and_a_leader() {
    let changes = [0.0, 9.0, -7.0, 12.0, -4.0, 3.0, -11.0, 8.0, -9.0, 5.0, 14.0, -13.0, 2.0];
    let interval = |k: usize| 500.0 + changes[k * 5 % changes.len()];
    let (mut left, mut taps) = (1_000.0, Vec::new());
    for k in 0..40 {
        taps.push((left / 1e3, 60, "left"));
        // The right hand's onsets are the left's of one tap before, and one even interval.
        let before = if k == 0 { left - 500.0 } else { left - interval(k - 1) };
        taps.push(((before + 520.0) / 1e3, 60, "right"));
        left += interval(k);
    }
    let rows = analyzed(TWO, &taps);
    let (right, other) = (("right", "taps of left"), ("left", "taps of right"));
    assert_eq!(number(&rows, right, "matched"), 40.0);
    let mean = |of: &dyn Fn(f64, f64) -> f64| {
        let pairs = taps.chunks(2).map(|pair| of(pair[0].0, pair[1].0)).sum::<f64>();
        pairs / 40.0 * 1e3
    };
    near(number(&rows, right, "mean_asynchrony_ms"), mean(&|left, right| right - left));
    near(number(&rows, other, "mean_asynchrony_ms"), mean(&|left, right| left - right));
    assert!(number(&rows, right, "following_correlation") > 0.9);
    assert!(number(&rows, right, "leading_correlation") < 0.5);
    assert!(number(&rows, other, "leading_correlation") > 0.9);
    // Alone as before: intervals are those of the hand itself.
    assert_eq!(number(&rows, ("right", "n/a"), "intervals"), 39.0);
}

const POLYRHYTHM: &str = "[input.left]\n[input.right]\n\
    [pacing.left]\ninterval = \"600 ms\"\nanswered_by = \"left\"\n\
    [pacing.right]\ninterval = \"900 ms\"\nanswered_by = \"right\"\n\
    [[when]]\ntime = \"37 s\"\nend = true\n";

/// Beats of both fall together every 1.8 s: there the left is 10 ms late and the right 30 ms.
fn polyrhythm(left: &'static str, right: &'static str) -> Rows {
    let every = |interval: f64, late: f64, input: &'static str| {
        (0..(36.0 / interval) as usize)
            .map(move |k| (FIRST + interval * k as f64 + late, 60, input))
            .collect::<Vec<Tap<'_>>>()
    };
    let mut taps = [every(0.6, 0.010, left), every(0.9, 0.030, right)].concat();
    taps.sort_by(|a, b| a.0.total_cmp(&b.0));
    analyzed(POLYRHYTHM, &taps)
}

#[test]
fn two_hands_in_a_polyrhythm_are_compared_where_their_beats_fall_together() {
    let rows = polyrhythm("left", "right");
    let both = ("right", "taps of left");
    assert_eq!(number(&rows, both, "asynchronies"), 20.0);
    near(number(&rows, both, "mean_asynchrony_ms"), 20.0);
    let row = &rows[&("right".to_owned(), "taps of left".to_owned())];
    assert_eq!(row["following_correlation"], "n/a", "both follow the pacing");
    assert_eq!(row["alpha"], "n/a");
    assert_eq!(rows[&("right".to_owned(), "right".to_owned())]["marks"], "n/a");
}

#[test]
fn hands_on_the_wrong_pads_are_marked() {
    let rows = polyrhythm("right", "left");
    for input in ["left", "right"] {
        let marks = &rows[&(input.to_owned(), input.to_owned())]["marks"];
        assert!(marks.contains("swapped inputs"), "{marks}");
    }
}

#[test]
fn wrong_missing_and_added_notes_are_counted_against_the_sequence() {
    let trial = "[input.keys]\nsequence = [\"C4\", \"E4\", \"G4\", \"F4\"]\n[[when]]\ntime = \"10 s\"\nend = true\n";
    // C E G F, C D G F (one wrong), C E F (one left out), C E E G F (one added).
    let keys = [60, 64, 67, 65, 60, 62, 67, 65, 60, 64, 65, 60, 64, 64, 67, 65];
    let taps: Vec<Tap<'_>> =
        keys.iter().enumerate().map(|(k, key)| (1.0 + 0.4 * k as f64, *key, "keys")).collect();
    let rows = analyzed(trial, &taps);
    let of = |column: &str| number(&rows, ("keys", "n/a"), column);
    assert_eq!(["wrong_notes", "missing_notes", "added_notes"].map(of), [1.0, 1.0, 1.0]);
    assert_eq!(of("sequence_notes"), 16.0);
    near(of("error_rate"), 3.0 / 17.0);
}

/// The tones of every tenth tap come 50 ms late; the interval behind such a tap is longer by 12 ms.
#[test]
fn the_interval_behind_an_altered_tone_is_held_against_the_others() {
    let trial = "[feedback.tone]\n[[feedback.tone.perturb]]\nevery = 10\ndelay = \"50 ms\"\n\
                 [[when]]\ntime = \"60 s\"\nend = true\n";
    let mut at = 1.0;
    let mut taps: Vec<Tap<'_>> = Vec::new();
    for tap in 1..=100 {
        taps.push((at, 60, "input"));
        at += if tap % 10 == 0 { 0.512 } else { 0.500 };
    }
    let rows = analyzed(trial, &taps);
    let of = |column: &str| number(&rows, ("input", "n/a"), column);
    assert_eq!(of("altered_tones"), 9.0, "the last one has no interval behind it");
    near(of("altered_tone_response_ms"), 12.0);
}

/// Each shift of 40 ms is made up for by a quarter with the next tap.
#[test]
fn the_correction_response_is_the_share_that_the_next_tap_takes_up() {
    let trial = "[pacing.beats]\ninterval = \"500 ms\"\n[[pacing.beats.change]]\nevery = 10\n\
                 phase_shift = \"40 ms\"\n[[when]]\nbeat = 60\nend = true\n";
    // Beats from 10 on, every tenth: that tap is 40 ms early, the next one 30 ms, all others in time.
    let mut beat = FIRST;
    let mut taps: Vec<Tap<'_>> = Vec::new();
    for number in 1..60 {
        if number > 1 {
            beat += if number % 10 == 0 { 0.540 } else { 0.500 };
        }
        let early = match number % 10 {
            0 => 0.040,
            1 if number > 1 => 0.030,
            _ => 0.0,
        };
        taps.push((beat - early + 0.001, 60, "input"));
    }
    let rows = analyzed(trial, &taps);
    let of = |column: &str| number(&rows, ("input", "beats"), column);
    assert_eq!(of("correction_responses"), 5.0);
    near(of("correction_response"), 0.25);
}

#[test]
fn taps_on_the_second_of_two_beats_have_their_level_and_parity() {
    let trial = "[pacing.beats]\ninterval = \"400 ms\"\n[[when]]\nbeat = 61\nend = true\n";
    let taps: Vec<Tap<'_>> =
        (0..30).map(|k| (FIRST + 0.395 + 0.8 * f64::from(k), 60, "input")).collect();
    let rows = analyzed(trial, &taps);
    let of = |column: &str| number(&rows, ("input", "beats"), column);
    assert_eq!((of("metrical_level"), of("metrical_parity")), (0.5, 2.0));
    let marks = &rows[&("input".to_owned(), "beats".to_owned())]["marks"];
    assert_eq!(marks, "missed beats; another metrical level");
}

//! An oracle: the manual of the trial files, interpreted a second time by a program that knows
//! nothing of the engine. Trials and taps are drawn at random; every row of the table must be what
//! the manual says, to the nanosecond. The trial is also replayed ([`trial`] sees to that).
//!
//! What chance decides is read from the program's rows and only has to be what the file allows;
//! how often and in which turn is tested in `randomness.rs` and `random_changes.rs`. Not drawn, and
//! so not compared: `every` with a range, a `chance` between 0 and 1, jitter of the interval,
//! irregular masking, exponential ramps, ramps of anything but an interval and a feedback delay, an
//! interval that a rule sets where changes step it, recordings, controllers and system exclusive
//! messages. Of the fate of a tap only `response` is compared; matching has tests of its own.
//!
//! `CHRONOTAP_ORACLE=FIRST..LAST` tries other seeds than those of every day, and
//! `CHRONOTAP_ORACLE=N..` shows the trial of seed N with what either side makes of it.

mod channel;
mod draw;
mod exact;
mod interpreter;
mod line;
mod model;
mod stream;
mod text;
mod witness;

use chronotap_data::record::Row;
use chronotap_testkit::left_to_all;
use chronotap_testkit_simulate::trial::trial;
use interpreter::Interpreter;
use line::{Line, lines};
use model::Model;
use std::panic::{AssertUnwindSafe, catch_unwind};
use witness::Witness;

/// The trials of every day.
const SEEDS: std::ops::Range<u64> = 0..1_000;

#[test]
fn a_thousand_random_trials_are_what_the_manual_says_row_by_row() {
    if left_to_all() {
        return;
    }
    let (seeds, show) = asked();
    let wrong: Vec<(u64, String)> =
        seeds.filter_map(|seed| differs(seed, show).map(|what| (seed, what))).collect();
    let told: Vec<String> =
        wrong.iter().map(|(seed, what)| format!("seed {seed}: {what}")).collect();
    assert!(wrong.is_empty(), "{} trials differ:\n{}", wrong.len(), told.join("\n"));
}

fn asked() -> (std::ops::Range<u64>, bool) {
    let Ok(text) = std::env::var("CHRONOTAP_ORACLE") else { return (SEEDS, false) };
    let (first, last) = text.split_once("..").expect("FIRST..LAST");
    let first: u64 = first.parse().expect("a number");
    let last = last.parse().ok();
    (first..last.unwrap_or(first + 1), last.is_none())
}

/// What differs in the trial of a seed.
fn differs(seed: u64, show: bool) -> Option<String> {
    let model = draw::model(seed);
    if show {
        println!("{}\n{}", model.text(), model.script());
    }
    let tried = catch_unwind(AssertUnwindSafe(|| compared(&model, seed, show)));
    tried.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Some(text.unwrap_or_else(|| "it panics".into()))
    })
}

fn compared(model: &Model, seed: u64, show: bool) -> Option<String> {
    let played = trial(&model.text()).seed(seed).taps(&model.script()).play();
    let responses = model.pacing.len() == 1;
    let found = lines(&played.rows, responses);
    let expected = Interpreter::new(model, &Witness::new(model, &found)).run();
    if show {
        side_by_side(&found, &expected);
    }
    first_difference(&sorted(&found), &sorted(&expected))
        .or_else(|| out_of_order(model, &played.rows))
        .or_else(|| first_difference(&rules(&found), &rules(&expected)))
}

/// Rules in the order in which they acted.
fn rules(lines: &[Line]) -> Vec<String> {
    let mut all: Vec<&Line> = lines.iter().filter(|line| line.kind == "trigger").collect();
    all.sort_by_key(|line| (line.at, line.order));
    all.into_iter().map(Line::text).collect()
}

fn sorted(lines: &[Line]) -> Vec<String> {
    let mut all: Vec<(i64, String)> = lines.iter().map(|line| (line.at, line.text())).collect();
    all.sort();
    all.into_iter().map(|(_, text)| text).collect()
}

fn first_difference(found: &[String], expected: &[String]) -> Option<String> {
    let none = String::from("nothing");
    let many = found.len().max(expected.len());
    let at = |list: &[String], i: usize| list.get(i).unwrap_or(&none).clone();
    let place = (0..many).find(|i| found.get(*i) != expected.get(*i))?;
    Some(format!("\n  program {}\n  manual  {}", at(found, place), at(expected, place)))
}

/// Whether something that sounds at one instant comes before what the manual puts first.
fn out_of_order(model: &Model, rows: &[Row]) -> Option<String> {
    let place = |row: &Row| -> Option<(usize, usize)> {
        let name = row.name.as_deref()?;
        let streams = model.pacing.iter().position(|p| p.name == name).map(|i| (0, i));
        let channels = model.feedback.iter().position(|p| p.name == name).map(|i| (1, i));
        let masking = model.masking.iter().position(|p| p.name == name).map(|i| (2, i));
        let sounds = matches!(row.trial_type.word(), "pacing" | "feedback" | "masking");
        streams.or(channels).or(masking).filter(|_| sounds)
    };
    let mut sounding: Vec<(i64, u64, (usize, usize))> =
        rows.iter().filter_map(|r| place(r).map(|p| (r.onset.0, r.event_id, p))).collect();
    sounding.sort_by_key(|(at, id, _)| (*at, *id));
    let wrong = sounding.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].2 > pair[1].2)?;
    Some(format!("the order at {} ns: {:?}", wrong[0].0, wrong))
}

fn side_by_side(found: &[Line], expected: &[Line]) {
    let (found, expected) = (sorted(found), sorted(expected));
    for line in &found {
        println!("{} {line}", if expected.contains(line) { " " } else { "P" });
    }
    for line in expected.iter().filter(|line| !found.contains(line)) {
        println!("M {line}");
    }
}

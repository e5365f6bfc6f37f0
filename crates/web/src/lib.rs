#![cfg_attr(not(target_family = "wasm"), forbid(unsafe_code))]
//! The engine in a page: trial and experiment files checked, drawn, rehearsed and heard in a
//! browser.
//!
//! Each function takes one question as JSON (`asked.rs`) and gives one answer as JSON; only sound
//! is samples. Nothing is kept between two calls, so whoever calls may end it at any time and
//! begin anew. There is no clock, disk or network here: the page says what of the time must be
//! known. The answers are those of the program: `check` says what `chronotap check` says, and a
//! trial that is decided here is decided again by `chronotap replay`.

mod asked;
mod checked;
mod heard;
mod people;
mod planned;
mod recorded;
mod refused;
mod rehearsal;
mod studies;
mod who;

use asked::Asked;
use chronotap_config::trial_files::performers::assumptions;
use chronotap_design::PARADIGMS;
use refused::Refused;
use serde::Serialize;
#[cfg(target_family = "wasm")]
use wasm_bindgen::prelude::wasm_bindgen;

/// The mistakes of a file, each with its place and its cure, or what it comes to.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn check(asked: &str) -> String {
    answered(asked, |asked| Ok(checked::check(asked)))
}

/// The picture of a trial (SVG), with somebody who taps in it.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn timeline(asked: &str) -> String {
    answered(asked, rehearsal::timeline)
}

/// People who tap in a trial: their taps, what came of them in numbers and figures.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn simulate(asked: &str) -> String {
    answered(asked, people::simulate)
}

/// The files of a trial, as the program records it.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn record(asked: &str) -> String {
    answered(asked, recorded::record)
}

/// Who does what in a study, and how long that takes.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn plan(asked: &str) -> String {
    answered(asked, planned::plan)
}

/// What a study comes to that so many people do, as a report tells it. How many have done it, `chronotapDone` of
/// the page's worker is told.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn outcome(asked: &str) -> String {
    answered(asked, |asked| studies::outcome(asked, &told_done))
}

/// How often a study finds what it looks for, with each number of people. How much of it is done, `chronotapDone`
/// is told.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn power(asked: &str) -> String {
    answered(asked, |asked| studies::power(asked, &told_done))
}

/// Who can tap: kinds of people, by their names.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn populations() -> String {
    said(&people::populations())
}

/// Everything that decides when somebody of this description taps, stated or not:
/// `tapper, alpha = 0.5, beta = 0.05, ...`.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn person(described: &str) -> String {
    said(&assumptions(described))
}

/// The files of a ready-made study, by its name: each with its text, the experiment file first;
/// none where there is no such study.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn study(name: &str) -> String {
    let found = PARADIGMS.iter().find(|study| study.name == name);
    said(&found.map_or(&[][..], |study| study.files))
}

/// How a trial sounds, left and right by turns, from -1 to 1; nothing where it cannot be
/// rehearsed.
#[must_use]
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
pub fn sound(asked: &str) -> Vec<f32> {
    Asked::read(asked).and_then(|asked| heard::sound(&asked)).unwrap_or_default()
}

#[cfg(target_family = "wasm")]
#[wasm_bindgen]
extern "C" {
    /// Of the page's worker: takes how much of how much is done.
    #[wasm_bindgen(js_name = chronotapDone)]
    fn told_done(done: u32, of: u32);
}

/// Elsewhere nobody waits for it.
#[cfg(not(target_family = "wasm"))]
fn told_done(_: u32, _: u32) {}

/// The answer to a question, or why there is none.
fn answered<T: Serialize>(
    asked: &str,
    answer: impl FnOnce(&Asked) -> Result<T, Refused>,
) -> String {
    match Asked::read(asked).and_then(|asked| answer(&asked)) {
        Ok(answer) => said(&answer),
        Err(refused) => said(&refused.told()),
    }
}

fn said(answer: &impl Serialize) -> String {
    // Maps with keys that are not strings, the one thing that fails, stand in no answer.
    serde_json::to_string(answer).unwrap_or_default()
}

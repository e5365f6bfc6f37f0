//! `chronotap verify`: whether a dataset is what it says.

use crate::Verdict;
use crate::args::Verify;
use crate::screen::{say, say_data, wrapped};
use anyhow::Result;
use chronotap_session::Dataset;
use chronotap_session::verify::verify as check;
use serde_json::json;

/// Runs the command.
pub fn verify(args: &Verify) -> Result<Verdict> {
    let found = check(&Dataset::open(&args.dataset)?)?;
    if args.json {
        say_data(json!(found));
        return Ok(Verdict::of(found.problems.is_empty()));
    }
    for problem in &found.problems {
        say(wrapped(problem, ""));
    }
    let (sessions, trials, files) = (found.sessions, found.trials, found.files);
    say(format!("{sessions} sessions, {trials} trials replayed, {files} checksums compared"));
    match found.problems.len() {
        0 => say("everything is as it was written"),
        n => say(format!("{n} things are wrong")),
    }
    Ok(Verdict::of(found.problems.is_empty()))
}

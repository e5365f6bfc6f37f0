//! `chronotap verify`: whether a dataset is what it says.

use crate::CommandVerdict;
use crate::args::Verify;
use crate::says::{Says, Terminal};
use crate::screen::{Progress, say, say_data, wrapped};
use anyhow::Result;
use chronotap_core::text::counted;
use chronotap_session::Dataset;
use chronotap_session::verify::{Verified, verify_telling};
use serde_json::json;

pub fn verify(args: &Verify) -> Result<CommandVerdict> {
    let found = checked(args)?;
    let problems: Vec<String> =
        found.problems.iter().map(|problem| problem.says(Terminal)).collect();
    if args.json {
        let mut told = json!(found);
        told["problems"] = json!(problems);
        say_data(told);
        return Ok(CommandVerdict::of(problems.is_empty()));
    }
    for problem in &problems {
        say(wrapped(problem, ""));
    }
    if found.imported > 0 {
        let [trials, files] =
            [(found.imported, "trial"), (found.files, "checksum")].map(|(n, of)| counted(n, of));
        say(format!("{trials} of another program read, {files} compared; nothing to replay"));
        return Ok(wrong(problems.len()));
    }
    let (sessions, trials, files) = (found.sessions, found.trials, found.files);
    let [sessions, trials, files] = [(sessions, "session"), (trials, "trial"), (files, "checksum")]
        .map(|(n, of)| counted(n, of));
    say(format!("{sessions}, {trials} replayed, {files} compared"));
    Ok(wrong(problems.len()))
}

/// How many things are wrong.
fn wrong(problems: usize) -> CommandVerdict {
    match problems {
        0 => say("everything is as it was written"),
        1 => say("1 thing is wrong"),
        n => say(format!("{n} things are wrong")),
    }
    CommandVerdict::of(problems == 0)
}

/// What was found, and meanwhile how far it is.
fn checked(args: &Verify) -> Result<Verified> {
    let mut line = Progress::new(u32::MAX);
    let found = verify_telling(&Dataset::open(&args.dataset)?, &mut |done, of| {
        line.show(&format!("{done} of {}", counted(of, "participant")));
    });
    line.end();
    Ok(found?)
}

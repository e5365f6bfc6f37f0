//! `chronotap check`: a trial explained, or its mistakes.

use crate::Verdict;
use crate::args::Check;
use crate::screen::{complain, say, say_raw};
use anyhow::{Result, bail};
use chronotap_experiment::{Problem, TrialFile, explain, reference};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Runs the command.
pub fn check(args: &Check) -> Result<Verdict> {
    if args.reference {
        say_raw(&reference());
        return Ok(Verdict::Passed);
    }
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from("-"));
    let readable = chronotap_files::open(&path).is_ok();
    match TrialFile::read(&path) {
        Ok(file) => {
            let explanation = explain(&file);
            if args.json {
                say(serde_json::to_string_pretty(&explanation)?);
            } else {
                say_raw(&explanation.render());
            }
            Ok(Verdict::Passed)
        }
        Err(problems) => {
            if args.json {
                say(json!({ "problems": problems.all().iter().map(as_json).collect::<Value>() }));
            }
            if !readable {
                bail!("{problems}"); // nothing was checked
            }
            complain(&problems.to_string());
            Ok(Verdict::Failed)
        }
    }
}

fn as_json(problem: &Problem) -> Value {
    let Problem { file, line, column, message, cure, nearest } = problem;
    json!({
        "file": file, "line": line, "column": column,
        "message": message, "cure": cure, "nearest": nearest,
    })
}

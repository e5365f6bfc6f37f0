//! `chronotap check`: a trial explained, or its mistakes.

use crate::args::Check;
use crate::screen::{complain, say, say_raw};
use crate::{Verdict, trial_file};
use anyhow::Result;
use chronotap_experiment::{Problem, explain_with, reference};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Runs the command.
pub fn check(args: &Check) -> Result<Verdict> {
    if args.reference {
        say_raw(&reference());
        return Ok(Verdict::Passed);
    }
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from("-"));
    match trial_file::read(&path, &args.ftap)? {
        Ok(file) => {
            let explanation = explain_with(&file, args.seed.or(file.seed));
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

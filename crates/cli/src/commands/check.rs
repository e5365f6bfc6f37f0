//! `chronotap check`: a trial or a whole study explained, or its mistakes.

use crate::args::Check;
use crate::screen::{complain, say, say_raw};
use crate::{Verdict, trial_file};
use anyhow::Result;
use chronotap_design::{Experiment, Folder, outlook};
use chronotap_experiment::{Problems, TrialFile, explain_with, reference};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn check(args: &Check) -> Result<Verdict> {
    if args.reference {
        say_raw(&reference());
        return Ok(Verdict::Passed);
    }
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from("-"));
    let bytes = TrialFile::bytes(&path)?;
    if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| Experiment::is_one(text)) {
        return study(&path, text, args.json);
    }
    match trial_file::parse(&path, &bytes, &args.ftap)?.1 {
        Ok(file) => {
            let explanation = explain_with(&file, args.seed.or(file.seed));
            if args.json {
                say(serde_json::to_string_pretty(&explanation)?);
            } else {
                say_raw(&explanation.render());
            }
            Ok(Verdict::Passed)
        }
        Err(problems) => refused(&problems, args.json),
    }
}

/// An experiment told beforehand, or its mistakes.
fn study(path: &Path, text: &str, json: bool) -> Result<Verdict> {
    let beside = Folder(path.parent().unwrap_or(Path::new("")).to_owned());
    let experiment = match Experiment::parse(text, &path.display().to_string(), &beside) {
        Ok(experiment) => experiment,
        Err(problems) => return refused(&problems, json),
    };
    let outlook = outlook(&experiment);
    if json {
        say(serde_json::to_string_pretty(&outlook)?);
    } else {
        say_raw(&outlook.render());
    }
    Ok(Verdict::Passed)
}

fn refused(problems: &Problems, json: bool) -> Result<Verdict> {
    if json {
        say(json!({ "problems": problems.all() }));
    }
    complain(&problems.to_string());
    Ok(Verdict::Failed)
}

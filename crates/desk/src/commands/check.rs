//! `chronotap check`: a trial or a whole study explained, or its mistakes.

mod picture;

use crate::args::CheckArgs;
use crate::screen::{complain, say, say_data, say_page};
use crate::{CommandVerdict, trial_file};
use anyhow::Result;
use chronotap_config::sounds::{Song, SoundsError};
use chronotap_config::trial_files::{Problem, Problems, TrialFile, explain_with, reference};
use chronotap_design::{Experiment, Folder, overview};
use chronotap_session::unshown;
use serde_json::{Value, json};
use std::path::Path;

pub fn check(args: &CheckArgs) -> Result<CommandVerdict> {
    if args.reference {
        say_page(&reference());
        return Ok(CommandVerdict::Passed);
    }
    picture::refuse(args)?;
    if let [file] = &args.files[..] {
        return one(file, args);
    }
    let mut all = true;
    for (place, file) in args.files.iter().enumerate() {
        let looked = look(file, args)?;
        all &= looked.problems.is_none();
        if args.json {
            say_data(json!({ "file": file.display().to_string(), "check": looked.value }));
            continue;
        }
        let apart = if place == 0 { "" } else { "\n" };
        say(format!("{apart}=== {} ===", file.display()));
        tell(&looked, false)?;
    }
    Ok(CommandVerdict::of(all))
}

fn one(file: &Path, args: &CheckArgs) -> Result<CommandVerdict> {
    let looked = look(file, args)?;
    let verdict = tell(&looked, args.json)?;
    let Some(path) = args.picture.as_ref().filter(|_| looked.problems.is_none()) else {
        return Ok(verdict);
    };
    picture::draw(file, path, args)?;
    if !args.json {
        say(format!("Picture: {}", path.display()));
    }
    Ok(verdict)
}

/// What is to be said of a file.
struct Looked {
    value: Value,
    text: String,
    problems: Option<Problems>,
}

fn look(path: &Path, args: &CheckArgs) -> Result<Looked> {
    let bytes = TrialFile::bytes(path)?;
    if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| Experiment::is_one(text)) {
        return study(path, text);
    }
    match trial_file::parse(path, &bytes, &args.ftap)?.1 {
        Ok(file) => {
            if let Some(problems) = unplayable(&[&file]) {
                return Ok(refused(problems));
            }
            let explanation = explain_with(&file, args.seed.or(file.seed));
            let (value, text) = (serde_json::to_value(&explanation)?, explanation.render());
            Ok(Looked { value, text, problems: None })
        }
        Err(problems) => Ok(refused(problems)),
    }
}

/// An experiment told beforehand, or its mistakes.
fn study(path: &Path, text: &str) -> Result<Looked> {
    let beside = Folder(path.parent().unwrap_or(Path::new("")).to_owned());
    match Experiment::parse(text, &path.display().to_string(), &beside) {
        Ok(experiment) => {
            let trials = experiment.one_with_each_recording().unwrap_or_default();
            let unplayable = unplayable(&trials.iter().collect::<Vec<_>>());
            if let Some(problems) = unplayable.or_else(|| unshown(&experiment, &beside)) {
                return Ok(refused(problems));
            }
            let overview = overview(&experiment);
            let (value, text) = (serde_json::to_value(&overview)?, overview.render());
            Ok(Looked { value, text, problems: None })
        }
        Err(problems) => Ok(refused(problems)),
    }
}

/// What a run would refuse of the recordings that these trials play: each is read once.
fn unplayable(trials: &[&TrialFile]) -> Option<Problems> {
    let mut recorded: Vec<_> = trials.iter().flat_map(|trial| trial.recorded()).collect();
    recorded.sort_by_key(|recording| (recording.path, recording.sha256));
    recorded.dedup_by_key(|recording| (recording.path, recording.sha256));
    let wrong = recorded.iter().filter_map(|it| Some(problem(it.path, &Song::check(it).err()?)));
    let problems: Vec<Problem> = wrong.collect();
    (!problems.is_empty()).then(|| Problems::new(problems))
}

/// The words of a run, which name the file first and the cure last.
fn problem(path: &Path, wrong: &SoundsError) -> Problem {
    let (file, said) = (path.display().to_string(), wrong.to_string());
    let said = said.strip_prefix(&format!("{file}: ")).unwrap_or(&said);
    let (message, cure) = said.split_once("; ").unwrap_or((said, ""));
    let cure = (!cure.is_empty()).then(|| cure.to_owned());
    Problem { file, line: 0, column: 0, message: message.to_owned(), cure, nearest: None }
}

fn refused(problems: Problems) -> Looked {
    let value = json!({ "problems": problems.all() });
    Looked { value, text: String::new(), problems: Some(problems) }
}

fn tell(looked: &Looked, json: bool) -> Result<CommandVerdict> {
    match (json, &looked.problems) {
        (true, None) => say_data(serde_json::to_string_pretty(&looked.value)?),
        (true, Some(_)) => say_data(&looked.value),
        (false, _) => say_page(&looked.text),
    }
    if let Some(problems) = &looked.problems {
        complain(&problems.to_string());
    }
    Ok(CommandVerdict::of(looked.problems.is_none()))
}

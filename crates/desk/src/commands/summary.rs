//! `chronotap summary`: the summary of recorded trials, worked out from their files. For one
//! the text that stands on the screen after a trial; for several a table.

mod table;

use crate::CommandVerdict;
use crate::args::SummaryArgs;
use crate::commands::take_over_ctrl_c;
use crate::over_trials::{greatest_lateness, greatest_lateness_lines, means, tallies, tally_lines};
use crate::says::in_full;
use crate::screen::{Progress, complain, remark, say, say_data, say_page, say_raw, say_summary};
use anyhow::{Context, Result, bail};
use chronotap_analysis::estimates::Estimates;
use chronotap_analysis::observed::Observed;
use chronotap_analysis::summary::Summary;
use chronotap_data::record::{RecordedError, Recording, read_events};
use serde_json::json;
use std::path::{Path, PathBuf};

/// A recorded trial in numbers.
struct Trial {
    file: PathBuf,
    seed: u64,
    summary: Summary,
    /// Where they are shown.
    estimates: Option<Estimates>,
}

/// From so many files on it is shown how far the work is.
const LONG: usize = 20;

pub fn summary(args: &SummaryArgs) -> Result<CommandVerdict> {
    let files = files(&args.files)?;
    let interrupt = take_over_ctrl_c()?;
    let (mut trials, mut refused, mut progress) = (Vec::new(), 0, Progress::new(1000));
    let mut done = 0;
    for file in &files {
        if interrupt.requested() {
            break;
        }
        if files.len() >= LONG {
            progress.show(&format!("{done} of {} files", files.len()));
        }
        match read(file, args, files.len() == 1) {
            Ok(trial) => trials.push(trial),
            Err(error) => {
                progress.end();
                complain(&in_full(&error));
                refused += 1;
            }
        }
        done += 1;
    }
    progress.end();
    tell(args, &trials, files.len());
    if refused > 0 {
        let others = if trials.is_empty() { "" } else { "; the others are summed up" };
        bail!("{refused} of {} files could not be read{others}", files.len());
    }
    if done < files.len() {
        remark(format!("ended by Ctrl-C after {done} of {} files", files.len()));
    }
    Ok(CommandVerdict::of(done == files.len()))
}

/// The files named, and the events files in the directories named, or below them where there are
/// none in them, as in a dataset.
pub(super) fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let (mut found, folders) = inside(path)?;
        let mut below = if found.is_empty() { folders } else { Vec::new() };
        while let Some(folder) = below.pop() {
            let (files, folders) = inside(&folder)?;
            found.extend(files);
            below.extend(folders);
        }
        if found.is_empty() {
            bail!("{}: no events files (…_events.tsv) in this directory", path.display());
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// The events files in a directory, and the directories in it. Hidden ones and `sourcedata` are no
/// part of a dataset, and a link is not followed: it may lead back.
fn inside(directory: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let failed = || format!("{}: cannot list the directory", directory.display());
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for item in std::fs::read_dir(directory).with_context(failed)? {
        let item = item.with_context(failed)?;
        let name = item.file_name().to_string_lossy().into_owned();
        let is_folder = item.file_type().with_context(failed)?.is_dir();
        if name.ends_with("_events.tsv") && !is_folder {
            files.push(item.path());
        } else if is_folder && name != "sourcedata" && !name.starts_with('.') {
            folders.push(item.path());
        }
    }
    Ok((files, folders))
}

/// The table has the estimates over the whole trial, too; the others those of each stretch.
fn read(file: &Path, args: &SummaryArgs, alone: bool) -> Result<Trial> {
    let recording = read_events(file)?;
    let summary = recording.summary().with_context(|| file.display().to_string())?;
    let of = if args.tsv { Estimates::with_whole } else { Estimates::of };
    let estimated = args.json || args.tsv || alone;
    let estimates = estimated.then(|| estimates(&recording, of)).transpose()?;
    Ok(Trial { file: file.to_owned(), seed: recording.header.seed, summary, estimates })
}

fn estimates(recording: &Recording, of: fn(&Observed<'_>) -> Estimates) -> Result<Estimates> {
    let trial = recording.trial_file()?;
    let observed = recording.observed(&trial).map_err(RecordedError::Row)?;
    Ok(of(&observed))
}

/// `files` is how many were named, also where it ended before it had read them all.
fn tell(args: &SummaryArgs, trials: &[Trial], files: usize) {
    let alone = files == 1;
    if args.json {
        trials.iter().for_each(|trial| {
            say_data(json!({ "file": trial.file, "seed": trial.seed, "summary": trial.summary,
                "estimates": trial.estimates.as_ref().map(Estimates::rows) }));
        });
        if !alone {
            let greatest = greatest_lateness(trials.iter().map(|trial| &trial.summary));
            let all: Vec<&Summary> = trials.iter().map(|trial| &trial.summary).collect();
            let trials = trials.len();
            say_data(json!({ "trials": trials, "files": files, "greatest_lateness": greatest,
                "in_whole_ms": tallies(&all) }));
        }
    } else if args.tsv {
        say_raw(&table::tsv(trials, args.stretches));
    } else if let ([trial], true) = (trials, alone) {
        say_summary(&trial.summary, args.notation);
        say_page(&spaced(trial.estimates.as_ref()));
    } else if !trials.is_empty() {
        say_page(&table::readable(trials));
        say(together(trials));
    }
}

/// With an empty line before it, where there is anything.
fn spaced(estimates: Option<&Estimates>) -> String {
    let text = estimates.map(Estimates::to_string).unwrap_or_default();
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// What the trials amount to, those of each trial file together, and the distribution of
/// their greatest lateness.
fn together(trials: &[Trial]) -> String {
    let mut groups: Vec<Vec<&Summary>> = Vec::new();
    for Trial { summary, .. } in trials {
        match groups.iter_mut().find(|group| alike(group[0], summary)) {
            Some(group) => group.push(summary),
            None => groups.push(vec![summary]),
        }
    }
    let mut parts: Vec<String> = groups.iter().map(|group| means(group)).collect();
    let buckets = greatest_lateness(trials.iter().map(|trial| &trial.summary));
    if !buckets.is_empty() {
        parts.push(greatest_lateness_lines(&buckets));
    }
    let all: Vec<&Summary> = trials.iter().map(|trial| &trial.summary).collect();
    parts.extend(Some(tally_lines(&all)).filter(|lines| !lines.is_empty()));
    format!("\n{}", parts.join("\n\n"))
}

/// Whether two summaries have the same title, inputs and streams.
fn alike(one: &Summary, other: &Summary) -> bool {
    let inputs = |of: &Summary| of.taps.iter().map(|taps| taps.input.clone()).collect::<Vec<_>>();
    let pairs = |of: &Summary| {
        let pair = of.synchronization.iter().map(|pair| (pair.input.clone(), pair.pacing.clone()));
        pair.collect::<Vec<_>>()
    };
    one.title == other.title && inputs(one) == inputs(other) && pairs(one) == pairs(other)
}

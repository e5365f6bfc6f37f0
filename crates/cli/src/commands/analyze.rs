//! `chronotap analyze`: tidy tables of a dataset, or of single trials.

use crate::Verdict;
use crate::args::Analyze;
use crate::screen::{complain, say, say_raw};
use anyhow::{Result, bail};
use chronotap_analysis::cleaning::Rule;
use chronotap_record::PROGRAM;
use chronotap_tables::{How, Sources, TablesError, analyze as analyzed, render, write};
use chronotap_time::Nanos;
use std::path::PathBuf;

/// Runs the command.
pub fn analyze(args: &Analyze) -> Result<Verdict> {
    let how = How { rules: rules(args)?, with_unusable: args.with_unusable };
    let sources = Sources::find(&args.paths)?;
    let folder = folder(args, &sources)?;
    let analysis = analyzed(&sources, &how);
    let command: Vec<String> = std::env::args().skip(1).collect();
    let written = write(&folder, &sources, &how, &analysis, (PROGRAM, &command))?;
    say_raw(&render(&sources, &analysis));
    say("");
    for (table, rows) in &written.tables {
        say(format!("{} ({rows} rows)", table.display()));
    }
    say(written.record.display());
    analysis.unread.iter().for_each(|unread| complain(&unread.why));
    Ok(Verdict::of(analysis.unread.is_empty() && analysis.counts.changed == 0))
}

fn folder(args: &Analyze, sources: &Sources) -> Result<PathBuf, TablesError> {
    let own = sources.dataset.as_ref().map(|dataset| dataset.join("derivatives/chronotap"));
    args.to.clone().or(own).ok_or(TablesError::NoPlace)
}

/// The rules in the order in which they act.
fn rules(args: &Analyze) -> Result<Vec<Rule>> {
    let positive = |value: Option<f64>, flag: &str| match value {
        Some(value) if !(value.is_finite() && value > 0.0) => {
            bail!("--{flag} {value}: it must be above 0; leave the option out to leave nothing out")
        }
        value => Ok(value),
    };
    let debounce = positive(args.debounce_ms, "debounce-ms")?;
    let intervals = positive(args.interval_outliers, "interval-outliers")?;
    let asynchronies = positive(args.asynchrony_outliers, "asynchrony-outliers")?;
    let all = [
        debounce.map(|ms| Rule::Debounce(Nanos::round_from_f64(ms * 1e6))),
        args.first_taps.map(Rule::FirstTaps),
        args.slips.then_some(Rule::Slips),
        intervals.map(Rule::IntervalOutliers),
        asynchronies.map(Rule::AsynchronyOutliers),
    ];
    Ok(all.into_iter().flatten().collect())
}

//! `chronotap analyze`: tidy tables of a dataset, or of single trials.

use crate::CommandVerdict;
use crate::args::Analyze;
use crate::commands::{
    refuse_files_to_run, refuse_linked, take_over_ctrl_c, tell_aside, unless_withdrawn,
};
use crate::rules::how;
use crate::says::{Says, Terminal};
use crate::screen::{Progress, arguments, complain, remark, say, say_page, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_core::files::{is_there, real};
use chronotap_core::text::counted;
use chronotap_data::exchange::{ExchangeError, analyze as analyzed};
use chronotap_data::record::PROGRAM;
use chronotap_data::shares::Shard;
use chronotap_data::tables::{
    AnalysisOptions, Outcome, Sources, TablesError, factor_columns, render, write_share,
};
use chronotap_words::commands as words;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

pub fn analyze(args: &Analyze) -> Result<CommandVerdict> {
    let asked = args.contrast.iter().map(|words| words.parse::<Outcome>());
    let asked = asked.collect::<Result<_, _>>()?;
    let how = AnalysisOptions { asked, ..how(&args.rules)? };
    refuse_files_to_run(&args.paths)?;
    let sources = Sources::find(&args.paths)?;
    if let (Some(shard), Some(file)) = (args.shard, &args.output) {
        return share(&sources, &how, shard, file);
    }
    let folder = folder(args, &sources)?;
    if let (Some(dataset), None) = (&sources.dataset, &args.to) {
        refuse_linked(dataset, &folder)?;
    }
    let sources = match args.shares.is_empty() {
        true => sources,
        false => sources.measured_in(&args.shares, &how)?,
    };
    let asked = without_shares(&args.shares, arguments());
    let (interrupt, count) = (take_over_ctrl_c()?, sources.trials.len());
    let stop = || interrupt.requested();
    let told = |told: Told<'_>| analyzed(&folder, &sources, &how, (PROGRAM, &asked), &stop, told);
    let done = showing(count, told);
    if done.is_err() {
        // Who withdraws takes files away, also unfinished ones: that is the cause, whatever failed by it.
        unless_withdrawn(sources.withdrew_meanwhile()?, &[])?;
    }
    let (analysis, written, beside) = done?;
    let tables = written.tables.iter().map(|(table, _)| table.clone());
    let made = tables.chain(beside.iter().cloned()).chain([written.record.clone()]);
    unless_withdrawn(sources.withdrew_meanwhile()?, &made.collect::<Vec<_>>())?;
    for (factor, column) in renamed(&sources.factors) {
        remark(format!(
            "the factor {factor} stands in the tables as {column}: they have a column {factor} of their own"
        ));
    }
    if beside.is_empty() {
        remark(format!(
            "the tables are not written as Parquet, too: {}",
            ExchangeError::NoParquet.says(Terminal)
        ));
    }
    say_page(&render(&sources, &analysis));
    for found in written.outcomes.iter().flat_map(|one| std::iter::once(one).chain(&one.also)) {
        say("");
        found.plain().iter().for_each(say);
        say(found);
    }
    say("");
    for (table, rows) in &written.tables {
        say(format!("{} ({})", table.display(), counted(rows, "row")));
    }
    beside.iter().for_each(|path| say(path.display()));
    say(written.record.display());
    analysis.unread.iter().for_each(|unread| complain(&unread.why.says(Terminal)));
    let whole = tell_aside(&sources.aside);
    Ok(CommandVerdict::of(analysis.unread.is_empty() && analysis.counts.changed == 0 && whole))
}

/// Who is told how many trials are done.
type Told<'a> = &'a (dyn Fn(usize) + Sync);

/// Shows how many of the trials are done while they are worked on.
fn showing<T>(count: usize, work: impl FnOnce(Told<'_>) -> T) -> T {
    let line = Mutex::new(Progress::new(u32::MAX));
    let count = counted(count, "trial");
    let done = work(&|done| {
        if let (true, Ok(mut line)) = (done % SHOWN_EVERY == 0, line.lock()) {
            line.show(&format!("{done} of {count}"));
        }
    });
    line.into_inner().iter_mut().for_each(Progress::end);
    done
}

/// Measures a share of the trials and keeps what was found in a file.
fn share(
    sources: &Sources,
    how: &AnalysisOptions,
    shard: Shard,
    file: &Path,
) -> Result<CommandVerdict> {
    if is_there(file) {
        bail!(words::is_there_already("--output", file));
    }
    if let Some(dataset) = sources.dataset.as_ref().filter(|dataset| lies_in(file, dataset)) {
        bail!(
            "--output: {} lies in the dataset {}, where nobody who withdraws is looked for in it; \
             name a file elsewhere",
            file.display(),
            dataset.display()
        );
    }
    let interrupt = take_over_ctrl_c()?;
    let stop = || interrupt.requested();
    let own = shard.stretch(sources.trials.len()).len();
    let written = showing(own, |told| write_share(file, sources, how, shard, &stop, told));
    if interrupt.requested() {
        bail!(words::NO_SHARE);
    }
    let own = written.with_context(|| words::cannot_write_to("--output", file))?;
    let whole = tell_aside(&sources.aside);
    unless_withdrawn(sources.withdrew_meanwhile()?, &[file.to_owned()])?;
    let (own, all) = (counted(own, "trial"), sources.trials.len());
    let share = format!("share {} of {}: {own} of {all}", shard.part + 1, shard.of);
    say(wrapped(&format!("{share}; written: {}", file.display()), ""));
    Ok(CommandVerdict::of(whole))
}

/// Whether a file that is to be made would lie in this folder.
fn lies_in(file: &Path, folder: &Path) -> bool {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let whole = |path: &Path| real(path).unwrap_or_else(|_| path.to_owned());
    whole(parent.unwrap_or(Path::new("."))).starts_with(whole(folder))
}

/// The words of the command without the shares: the record is that of one computer.
fn without_shares(shares: &[PathBuf], words: Vec<String>) -> Vec<String> {
    let is_share = |word: &String| shares.iter().any(|share| share.as_os_str() == word.as_str());
    let mut asked = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        match word.strip_prefix("--shares") {
            Some(more) if more.is_empty() || more.starts_with('=') => {
                while words.next_if(is_share).is_some() {}
            }
            _ => asked.push(word),
        }
    }
    asked
}

/// Trials between two lines of progress: a screen is slower than an analysis.
const SHOWN_EVERY: usize = 50;

/// The factors whose columns have other names, and these.
fn renamed(factors: &[String]) -> Vec<(&String, String)> {
    let columns = factors.iter().zip(factor_columns(factors));
    columns.filter(|(factor, column)| *factor != column).collect()
}

fn folder(args: &Analyze, sources: &Sources) -> Result<PathBuf, TablesError> {
    let own = sources.dataset.as_ref().map(|dataset| dataset.join("derivatives/chronotap"));
    args.to.clone().or(own).ok_or(TablesError::NoPlace)
}

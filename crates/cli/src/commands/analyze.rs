//! `chronotap analyze`: tidy tables of a dataset, or of single trials.

use crate::Verdict;
use crate::args::Analyze;
use crate::commands::take_over_ctrl_c;
use crate::rules::how;
use crate::says::Says;
use crate::screen::{Progress, arguments, complain, remark, say, say_page};
use anyhow::Result;
use chronotap_core::text::counted;
use chronotap_data::exchange::analyze as analyzed;
use chronotap_data::record::PROGRAM;
use chronotap_data::tables::{How, Outcome, Sources, TablesError, factor_columns, render};
use std::path::PathBuf;
use std::sync::Mutex;

pub fn analyze(args: &Analyze) -> Result<Verdict> {
    let asked = args.contrast.iter().map(|words| words.parse::<Outcome>());
    let asked = asked.collect::<Result<_, _>>()?;
    let how = How { asked, ..how(&args.rules)? };
    let sources = Sources::find(&args.paths)?;
    let folder = folder(args, &sources)?;
    let made = (PROGRAM, &arguments()[..]);
    let interrupt = take_over_ctrl_c()?;
    let stop = || interrupt.requested();
    let line = Mutex::new(Progress::new(u32::MAX));
    let count = counted(sources.trials.len(), "trial");
    let done = analyzed(&folder, &sources, &how, made, &stop, &|done| {
        if let (true, Ok(mut line)) = (done % SHOWN_EVERY == 0, line.lock()) {
            line.show(&format!("{done} of {count}"));
        }
    });
    line.into_inner().iter_mut().for_each(Progress::end);
    let (analysis, written, beside) = done?;
    for (factor, column) in renamed(&sources.factors) {
        remark(format!(
            "the factor {factor} stands in the tables as {column}: they have a column {factor} of their own"
        ));
    }
    if beside.is_empty() {
        remark("the tables are not written as Parquet: this program was built without it");
    }
    say_page(&render(&sources, &analysis));
    for found in written.outcomes.iter().flat_map(|one| std::iter::once(one).chain(&one.also)) {
        say("");
        say(found);
    }
    say("");
    for (table, rows) in &written.tables {
        say(format!("{} ({})", table.display(), counted(rows, "row")));
    }
    beside.iter().for_each(|path| say(path.display()));
    say(written.record.display());
    analysis.unread.iter().for_each(|unread| complain(&unread.why.says()));
    Ok(Verdict::of(analysis.unread.is_empty() && analysis.counts.changed == 0))
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

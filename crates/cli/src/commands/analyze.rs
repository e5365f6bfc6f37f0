//! `chronotap analyze`: tidy tables of a dataset, or of single trials.

use crate::Verdict;
use crate::args::Analyze;
use crate::commands::export::write_parquet;
use crate::rules::how;
use crate::screen::{complain, remark, say, say_raw};
use anyhow::Result;
use chronotap_exchange::Frame;
use chronotap_record::PROGRAM;
use chronotap_tables::{Sources, TablesError, Written, analyze as analyzed, render, write};
use std::path::PathBuf;

/// Runs the command.
pub fn analyze(args: &Analyze) -> Result<Verdict> {
    let how = how(&args.rules)?;
    let sources = Sources::find(&args.paths)?;
    let folder = folder(args, &sources)?;
    let analysis = analyzed(&sources, &how);
    let command: Vec<String> = std::env::args().skip(1).collect();
    let written = write(&folder, &sources, &how, &analysis, (PROGRAM, &command))?;
    let beside = parquet_beside(&written)?;
    say_raw(&render(&sources, &analysis));
    say("");
    for (table, rows) in &written.tables {
        say(format!("{} ({rows} rows)", table.display()));
    }
    beside.iter().for_each(|path| say(path.display()));
    say(written.record.display());
    analysis.unread.iter().for_each(|unread| complain(&unread.why));
    Ok(Verdict::of(analysis.unread.is_empty() && analysis.counts.changed == 0))
}

/// The tables once more, as Parquet.
fn parquet_beside(written: &Written) -> Result<Vec<PathBuf>> {
    let mut beside = Vec::new();
    if !cfg!(feature = "parquet") {
        remark("the tables are not written as Parquet: this program was built without it");
        return Ok(beside);
    }
    for (table, _) in &written.tables {
        let path = table.with_extension("parquet");
        write_parquet(&Frame::read(table)?, &path)?;
        beside.push(path);
    }
    Ok(beside)
}

fn folder(args: &Analyze, sources: &Sources) -> Result<PathBuf, TablesError> {
    let own = sources.dataset.as_ref().map(|dataset| dataset.join("derivatives/chronotap"));
    args.to.clone().or(own).ok_or(TablesError::NoPlace)
}

//! `chronotap timing compare` and `report`: results that were measured earlier.

use super::files::{read, write_new};
use crate::Verdict;
use crate::args::{Compare, Report};
use crate::screen::say;
use anyhow::{Result, bail};
use chronotap_report::{comparison_page, comparison_text, page, verdict_text};
use chronotap_timing::{Fitness, Results, judge};
use std::path::PathBuf;

/// Puts results side by side.
pub fn compare(args: &Compare) -> Result<Verdict> {
    let all = read_all(&args.files)?;
    let found = chronotap_timing::compare(&all);
    if found.rows.is_empty() {
        bail!("these files hold no measurements; their pages say why");
    }
    if let Some(path) = &args.html {
        write_new(path, &comparison_page(&all, &found))?;
    }
    if args.json {
        say(serde_json::to_string(&found)?);
    } else {
        say(comparison_text(&found));
    }
    Ok(Verdict::Passed)
}

/// Writes a page again.
pub fn report(args: &Report) -> Result<Verdict> {
    let all = read_all(&args.files)?;
    let verdicts: Vec<_> = all.iter().map(|results| judge(results, args.purpose)).collect();
    write_new(&args.html, &page(&all, &verdicts))?;
    for (results, verdict) in all.iter().zip(&verdicts) {
        say(format!("{}\n{}", results.label, verdict_text(verdict)));
    }
    Ok(Verdict::of(verdicts.iter().all(|verdict| verdict.fitness != Fitness::Unfit)))
}

fn read_all(paths: &[PathBuf]) -> Result<Vec<Results>> {
    paths.iter().map(|path| read(path)).collect()
}

//! `chronotap timing compare` and `report`: results that were measured earlier, here,
//! on another machine, or by another program.

use super::ending::status;
use super::files::{read, write_new};
use crate::CommandVerdict;
use crate::args::{Compare, PrintedAs, Report};
use crate::says::verdict;
use crate::screen::{say, say_data, say_raw};
use anyhow::{Result, bail};
use chronotap_bench::studies::PUBLISHED;
use chronotap_bench::timing::{Results, judge};
use chronotap_report::{
    comparison_csv, comparison_page, comparison_text, methods, page, statistics_csv, verdict_text,
};

/// Puts results side by side.
pub fn compare(args: &Compare) -> Result<CommandVerdict> {
    let all = read_all(&args.files)?;
    let found = chronotap_bench::timing::compare(&all, PUBLISHED);
    if found.rows.is_empty() {
        bail!("these files hold no measurements; their pages say why");
    }
    if let Some(path) = &args.output {
        write_new(path, &comparison_page(&all, &found))?;
    }
    if let Some(figure) = args.figure {
        let Some(text) = figure.text(&all, PUBLISHED) else {
            bail!("--as: these files hold no results of `chronotap timing {}`", figure.test());
        };
        say(text);
        return Ok(CommandVerdict::Passed);
    }
    match args.form {
        PrintedAs { json: true, .. } => say_data(serde_json::to_string(&found)?),
        PrintedAs { csv: true, .. } => say_raw(&comparison_csv(&found)),
        PrintedAs { methods: true, .. } => say_raw(&methods(&all)),
        PrintedAs { html: true, .. } => say_raw(&comparison_page(&all, &found)),
        _ => say(comparison_text(&found, "in the page (--html) and in --csv")),
    }
    Ok(CommandVerdict::Passed)
}

/// Writes a page again.
pub fn report(args: &Report) -> Result<CommandVerdict> {
    let all = read_all(&args.files)?;
    let judged = |results| {
        let purposes = args.purposes.purposes.iter();
        purposes.map(|purpose| verdict(&judge(results, *purpose))).collect::<Vec<_>>()
    };
    let verdicts: Vec<Vec<_>> = all.iter().map(judged).collect();
    if let Some(path) = &args.output {
        write_new(path, &page(&all, &verdicts))?;
    }
    match args.form {
        PrintedAs { json: true, .. } => say_data(serde_json::to_string(&all)?),
        PrintedAs { csv: true, .. } => {
            all.iter().for_each(|results| say_raw(&statistics_csv(results)))
        }
        PrintedAs { html: true, .. } => say_raw(&page(&all, &verdicts)),
        PrintedAs { methods: true, .. } => say_raw(&methods(&all)),
        _ => all.iter().zip(&verdicts).for_each(|(results, verdicts)| {
            say(&results.label);
            verdicts.iter().for_each(|verdict| say(verdict_text(verdict)));
        }),
    }
    Ok(CommandVerdict::of(
        verdicts.iter().all(|verdicts| status(verdicts) == CommandVerdict::Passed),
    ))
}

fn read_all(named: &[String]) -> Result<Vec<Results>> {
    let mut all: Vec<Results> = Vec::new();
    for (n, name) in named.iter().enumerate() {
        let results = read(name)?;
        // One run under one label twice would count as two runs.
        if let Some(earlier) = all.iter().position(|earlier| *earlier == results) {
            let (earlier, label) = (&named[earlier], &results.label);
            bail!(
                "{name} (argument {}): {earlier} holds the same run of {label:?}; leave one out",
                n + 1
            );
        }
        all.push(results);
    }
    Ok(all)
}

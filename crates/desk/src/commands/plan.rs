//! `chronotap plan`: the trials of one participant of a study, or the study's mistakes.

use crate::CommandVerdict;
use crate::args::PlanArgs;
use crate::screen::{complain, say_data, say_page, say_raw};
use anyhow::Result;
use chronotap_config::trial_files::TrialFile;
use chronotap_design::{Experiment, Factor, Folder, Plan as Planned, reference};
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub fn plan(args: &PlanArgs) -> Result<CommandVerdict> {
    if args.reference {
        say_page(&reference());
        return Ok(CommandVerdict::Passed);
    }
    let path = args.study.clone().unwrap_or_else(|| PathBuf::from("-"));
    let (bytes, name) = (TrialFile::bytes(&path)?, path.display().to_string());
    let beside = Folder(path.parent().unwrap_or(Path::new("")).to_owned());
    let read =
        TrialFile::text(&bytes, &name).and_then(|text| Experiment::parse(text, &name, &beside));
    let experiment = match read {
        Ok(experiment) => experiment,
        Err(problems) => {
            complain(&problems.to_string());
            return Ok(CommandVerdict::Failed);
        }
    };
    let label = args.participant.as_deref().unwrap_or_default();
    let participant = experiment.participant(label, &args.between)?;
    let plan = experiment.plan(&participant, args.session)?;
    if args.json {
        say_data(serde_json::to_string_pretty(&plan)?);
    } else if args.tsv {
        say_raw(&plan.tsv());
    } else {
        say_page(&page(&experiment, &plan));
    }
    Ok(CommandVerdict::Passed)
}

/// The plan for a person: who, then the table in columns.
fn page(experiment: &Experiment, plan: &Planned) -> String {
    let mut page = format!("{}\n  participant   {}\n", experiment.title, plan.participant);
    let levels = plan.between.iter().chain(&plan.session_level);
    let decided = |name: &str| experiment.factor(name).and_then(Factor::decided_by);
    let said = |(name, level): &(String, String)| {
        let decided = decided(name).map_or(String::new(), |by| format!(" ({by}; here assumed)"));
        format!("{name} = {level}{decided}")
    };
    let levels: Vec<String> = levels.map(said).collect();
    let orders: Vec<String> = plan
        .steps
        .iter()
        .flat_map(|step| step.blocks.iter().map(move |block| (step, block)))
        .filter(|(step, _)| !step.open && step.trials.len() > 1)
        .map(|(step, block)| format!("{} {}: {}", step.name, block.block, block.method.said()))
        .collect();
    for (name, value) in [
        ("session", plan.session.to_string()),
        ("levels", levels.join(", ")),
        ("k", if experiment.has_squares() { plan.k.to_string() } else { String::new() }),
        ("conditions", plan.conditions.clone().unwrap_or_default()),
        ("orders", orders.join("; ")),
        ("hash", plan.hash()),
    ] {
        if !value.is_empty() {
            // Writing into a String cannot fail.
            let _ = writeln!(page, "  {name:<14}{value}");
        }
    }
    page.push('\n');
    page.push_str(&columns(&plan.tsv()));
    page
}

/// A table of tab-separated values with its columns one below the other.
fn columns(tsv: &str) -> String {
    let rows: Vec<Vec<&str>> = tsv.lines().map(|line| line.split('\t').collect()).collect();
    let cells = rows.first().map_or(0, Vec::len);
    let width = |cell: usize| rows.iter().map(|row| row[cell].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..cells).map(width).collect();
    let mut page = String::new();
    for row in &rows {
        let padded = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        let line = padded.collect::<Vec<_>>().join("  ");
        let _ = writeln!(page, "{}", line.trim_end());
    }
    page
}

//! Whether the tables of an analysis have the levels of the plans under their factors' names. An analysis
//! takes levels from the tables of trials, and its checksums say only that it is as it was written: with
//! what was wrong in those tables then, it is wrong for good. The plans are what it is held against here,
//! line by line, for such a table may be larger than the memory.

use crate::held::OtherLevels;
use chronotap_data::record::text::{MISSING, parse_text};
use chronotap_design::{Plan, PlannedStep, PlannedTrial};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

/// The plans of a dataset's sessions, by participant (`sub-07`) and session; none where there is one.
#[derive(Debug, Default)]
pub(super) struct Plans(HashMap<(String, Option<String>), Arc<Plan>>);

/// Where in a table what stands that a row is found by.
struct Columns {
    participant: usize,
    session: usize,
    step: usize,
    trial: Option<usize>, // none in a table of conditions
    factors: Vec<(usize, String)>,
}

impl Plans {
    pub(super) fn add(&mut self, participant: String, session: Option<u32>, plan: &Arc<Plan>) {
        let session = session.map(|session| session.to_string());
        self.0.insert((participant, session), Arc::clone(plan));
    }

    /// What a table has otherwise; `None` where nothing, and where it is no table by step and factors.
    ///
    /// # Errors
    /// What the system refuses.
    pub(super) fn other_levels(&self, table: &Path) -> io::Result<Option<OtherLevels>> {
        let mut lines = BufReader::new(File::open(table)?).lines();
        let Some(columns) = lines.next().transpose()?.as_deref().and_then(Columns::of) else {
            return Ok(None);
        };
        let mut found = OtherLevels { factors: Vec::new(), rows: 0 };
        for line in lines {
            let row: Vec<Option<String>> = line?.split('\t').map(cell).collect();
            let others = self.others(&row, &columns).unwrap_or_default();
            found.rows += usize::from(!others.is_empty());
            for factor in others {
                if !found.factors.contains(factor) {
                    found.factors.push(factor.clone());
                }
            }
        }
        Ok((found.rows > 0).then_some(found))
    }

    /// The factors of which a row has another level than the plan; `None` where no plan is known.
    fn others<'c>(&self, row: &[Option<String>], columns: &'c Columns) -> Option<Vec<&'c String>> {
        let session = row.get(columns.session)?.clone();
        let plan = self.0.get(&(row.get(columns.participant)?.clone()?, session))?;
        let name = row.get(columns.step)?.as_deref()?;
        let step = plan.steps.iter().find(|step| step.name == name)?;
        let differs = |trial: &PlannedTrial| -> Vec<&'c String> {
            let of_plan = |factor: &String| plan.factors.contains(factor);
            let all = columns.factors.iter().filter(|(_, factor)| of_plan(factor));
            let others = all.filter(|(at, factor)| cell_at(row, *at) != plan.level(trial, factor));
            others.map(|(_, factor)| factor).collect()
        };
        match columns.trial {
            Some(at) => trial(step, cell_at(row, at)?).map(differs),
            // A condition is that of some trial of its step, in all its factors.
            None => step.trials.iter().map(differs).min_by_key(Vec::len),
        }
    }
}

impl Columns {
    /// Factors stand behind what says which trial or step it is, and before what was found.
    fn of(heading: &str) -> Option<Columns> {
        let names: Vec<&str> = heading.split('\t').collect();
        let at = |wanted: &str| names.iter().position(|name| *name == wanted);
        let step = at("step")?;
        let first = at("counts").unwrap_or(step) + 1;
        let end = at("events_file").into_iter().chain(at("input")).min()?;
        let factors = (first..end).map(|place| (place, names[place].to_owned()));
        Some(Columns {
            participant: at("participant_id")?,
            session: at("session")?,
            step,
            trial: at("trial"),
            factors: factors.collect(),
        })
    }
}

/// The planned trial of a number. In a step of unknown length the first stands for all.
fn trial<'p>(step: &'p PlannedStep, number: &str) -> Option<&'p PlannedTrial> {
    let is_it = |trial: &&PlannedTrial| step.open || trial.trial.to_string() == number;
    step.trials.iter().find(is_it)
}

fn cell(text: &str) -> Option<String> {
    if text == MISSING { None } else { parse_text(text) }
}

fn cell_at(row: &[Option<String>], at: usize) -> Option<&str> {
    row.get(at)?.as_deref()
}

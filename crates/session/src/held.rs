//! Whether a table of trials says what the plan says, factor by factor, by name. The tables are made
//! from the plan, too; this is the second look, which shares nothing with how they are made but the
//! plan itself.

use crate::dataset::{Dataset, DatasetError};
use crate::table::{TsvRow, TsvTable};
use crate::visit::Visit;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_design::{Plan, PlannedTrial};

/// Columns of a table of trials that hold other levels than the plan has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherLevels {
    /// The factors whose columns they are, in the order of the plan.
    pub factors: Vec<String>,
    /// In so many rows.
    pub rows: usize,
}

/// What a table of trials has otherwise than the plan; `None` where it has every level under its
/// factor's name.
pub fn other_levels(table: &TsvTable, plan: &Plan) -> Option<OtherLevels> {
    differing(table, plan, |is, due| is != due)
}

/// Refuses a session whose table of trials has other levels than its plan: whoever goes on with it would
/// write it again, without a word of what had been computed from it. A cell without a level is no other
/// one: it may be of a time at which the group was not known yet.
///
/// # Errors
/// [`DatasetError::Levels`].
pub fn refuse_other_levels<D: AnyDisk>(
    dataset: &Dataset<D>,
    place: &Visit,
    plan: &Plan,
) -> Result<(), DatasetError> {
    let path = place.table();
    let bytes = dataset.bytes(&path).unwrap_or_default();
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)]; // the last line may be cut short
    let Some(table) = TsvTable::parse(whole) else { return Ok(()) };
    match differing(&table, plan, |is, due| is.is_some() && is != due) {
        Some(OtherLevels { factors, rows }) => Err(DatasetError::Levels { path, factors, rows }),
        None => Ok(()),
    }
}

/// Columns in which a cell and the level of the plan are told to differ.
fn differing(
    table: &TsvTable,
    plan: &Plan,
    differ: impl Fn(Option<&str>, Option<&str>) -> bool,
) -> Option<OtherLevels> {
    let mut found = OtherLevels { factors: Vec::new(), rows: 0 };
    for row in &table.rows {
        let Some(trial) = planned(table, row, plan) else { continue };
        let differs = |(factor, level): &(&str, Option<&str>)| {
            table.column(factor).is_some() && differ(table.cell(row, factor), *level)
        };
        let others: Vec<&str> = plan.levels(trial).filter(differs).map(|(name, _)| name).collect();
        found.rows += usize::from(!others.is_empty());
        for factor in others {
            if !found.factors.iter().any(|known| known == factor) {
                found.factors.push(factor.to_owned());
            }
        }
    }
    found.factors.sort_by_key(|name| plan.factors.iter().position(|factor| factor == name));
    (found.rows > 0).then_some(found)
}

/// The planned trial of a row. In a step of unknown length the first stands for all.
fn planned<'p>(table: &TsvTable, row: &TsvRow, plan: &'p Plan) -> Option<&'p PlannedTrial> {
    let (name, number) = (table.cell(row, "step")?, table.cell(row, "trial")?);
    let step = plan.steps.iter().find(|step| step.name == name)?;
    let is_it = |trial: &&PlannedTrial| step.open || trial.trial.to_string() == number;
    step.trials.iter().find(is_it)
}

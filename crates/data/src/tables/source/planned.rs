//! Whether a table of trials has the levels of factors under the names of other factors. An earlier
//! version wrote such tables, and all that is computed from one is wrong without a sign of it. The plan
//! beside the journal has every level under its name.

use super::Table;
use crate::tables::TablesError;
use crate::tables::names::SOURCE;
use chronotap_core::files::real;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Refuses tables of trials of datasets that have the levels of their plans under other names; other
/// tables are passed over.
///
/// # Errors
/// [`TablesError::Exchanged`], and where a table or its plan cannot be read.
pub fn refuse_exchanged<P: AsRef<Path>>(tables: &[P]) -> Result<(), TablesError> {
    let of_trials = tables.iter().map(AsRef::as_ref).filter(|table| plan_of(table).is_some());
    of_trials.map(Table::read).try_for_each(|table| refuse(&table?))
}

/// The same of one table. What else differs from a plan somebody changed, and a dataset without plans
/// has nothing to hold its tables against.
pub(super) fn refuse(table: &Table) -> Result<(), TablesError> {
    let path = plan_of(&table.path).filter(|path| chronotap_core::files::is_there(path));
    let Some(path) = path else { return Ok(()) };
    match exchanged(table, &Table::read_plan(&path)?)? {
        factors if factors.is_empty() => Ok(()),
        factors => Err(TablesError::Exchanged { path: table.path.clone(), factors }),
    }
}

/// The plan of a table of trials: `sourcedata/sub-07/sub-07_task-t_plan.tsv` is that of
/// `sub-07/beh/sub-07_task-t_beh.tsv`.
fn plan_of(table: &Path) -> Option<PathBuf> {
    let whole = real(table).unwrap_or_else(|_| table.to_owned());
    let name = whole.file_name()?.to_str()?.strip_suffix("_beh.tsv")?.to_owned();
    let session = whole.parent().filter(|folder| folder.ends_with("beh"))?.parent()?;
    let begins = |path: &Path, with: &str| Some(path.file_name()?.to_str()?.starts_with(with));
    let person = if begins(session, "ses-")? { session.parent()? } else { session };
    let dataset = person.parent().filter(|_| begins(person, "sub-") == Some(true))?;
    let within = session.strip_prefix(dataset).ok()?;
    Some(dataset.join(SOURCE).join(within).join(format!("{name}_plan.tsv")))
}

/// The factors whose columns have levels of others, where all that differs is only exchanged.
fn exchanged(table: &Table, plan: &Table) -> Result<Vec<String>, TablesError> {
    let [counts, seed, step, trial] =
        ["counts", "seed", "step", "trial"].map(|of| table.column(of));
    let (Ok(step), Ok(trial)) = (step, trial) else { return Ok(Vec::new()) };
    let planned = Planned::of(plan)?;
    // The factors that both have, each with its column there and in the plan.
    let both = (counts? + 1..seed?).filter_map(|column| {
        let planned = plan.column(&table.columns[column]).ok()?;
        Some((column, planned))
    });
    let both: Vec<(usize, usize)> = both.collect();
    let mut factors = Vec::new();
    for row in &table.rows {
        let Some(due) = planned.row(row[step].as_deref(), row[trial].as_deref()) else { continue };
        let others: Vec<usize> =
            both.iter().filter(|(is, of)| row[*is] != due[*of]).map(|(is, _)| *is).collect();
        if others.is_empty() {
            continue;
        }
        let are = sorted(both.iter().map(|(is, _)| &row[*is]));
        if are != sorted(both.iter().map(|(_, of)| &due[*of])) {
            return Ok(Vec::new());
        }
        factors.extend(others);
    }
    factors.sort_unstable();
    factors.dedup();
    Ok(factors.into_iter().map(|column| table.columns[column].clone()).collect())
}

fn sorted<'c>(cells: impl Iterator<Item = &'c Option<String>>) -> Vec<&'c Option<String>> {
    let mut cells: Vec<&Option<String>> = cells.collect();
    cells.sort();
    cells
}

/// The rows of a plan by step and trial. A step of unknown length has one, which stands for all.
struct Planned<'a> {
    rows: HashMap<(&'a str, &'a str), &'a [Option<String>]>,
    only: HashMap<&'a str, Option<&'a [Option<String>]>>,
}

impl<'a> Planned<'a> {
    fn of(plan: &'a Table) -> Result<Planned<'a>, TablesError> {
        let (step, trial) = (plan.column("step")?, plan.column("trial")?);
        let mut planned = Planned { rows: HashMap::new(), only: HashMap::new() };
        for row in &plan.rows {
            let (Some(step), Some(trial)) = (&row[step], &row[trial]) else { continue };
            planned.rows.insert((step, trial), row);
            planned.only.entry(step).and_modify(|one| *one = None).or_insert(Some(row));
        }
        Ok(planned)
    }

    fn row(&self, step: Option<&str>, trial: Option<&str>) -> Option<&'a [Option<String>]> {
        let (step, trial) = (step?, trial?);
        self.rows.get(&(step, trial)).copied().or_else(|| self.only.get(step).copied().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(lines: &[&str]) -> Table {
        let cells = |line: &&str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let cell = |cell: String| Some(cell).filter(|cell| cell != "n/a");
        let rows = lines[1..].iter().map(cells);
        let rows = rows.map(|row| row.into_iter().map(cell).collect()).collect();
        Table { path: PathBuf::from("t"), columns: cells(&lines[0]), rows }
    }

    const PLAN: [&str; 4] = [
        "trial step block repetition drug delay seed",
        "1 main 1 1 caffeine 200 9",
        "2 main 1 1 caffeine 0 9",
        "1 rest 1 1 caffeine n/a 9",
    ];

    fn found(lines: &[&str]) -> Vec<String> {
        exchanged(&table(lines), &table(&PLAN)).unwrap()
    }

    #[test]
    fn levels_under_the_names_of_others_are_found_by_the_plan_and_nothing_else_is() {
        let right = "trial step counts drug delay seed";
        assert!(
            found(&[right, "1 main true caffeine 200 9", "2 main true caffeine 0 9"]).is_empty()
        );
        let other = "trial step counts delay drug seed";
        assert_eq!(found(&[other, "1 main true caffeine 200 9"]), ["delay", "drug"]);
        assert_eq!(found(&[other, "7 rest true caffeine n/a 9"]), ["delay", "drug"]);
        assert!(found(&[other, "1 main true 200 caffeine 9"]).is_empty());
        // A level that nobody planned was changed by somebody, and is no matter of columns.
        assert!(found(&[right, "1 main true caffeine 300 9"]).is_empty());
        assert!(found(&[right, "1 other true 200 caffeine 9"]).is_empty());
    }

    #[test]
    fn levels_with_a_backslash_or_quotation_marks_are_those_of_the_plan() {
        let dir = tempfile::tempdir().unwrap();
        let [beh, source] = ["sub-1/beh", "sourcedata/sub-1"].map(|name| dir.path().join(name));
        std::fs::create_dir_all(&beh).unwrap();
        std::fs::create_dir_all(&source).unwrap();
        let plan =
            "trial\tstep\tblock\trepetition\tdrug\tword\tseed\n1\tmain\t1\t1\tno\ta\\n\"b\"\t9\n";
        std::fs::write(source.join("sub-1_task-t_plan.tsv"), plan).unwrap();
        let path = beh.join("sub-1_task-t_beh.tsv");
        let write = |factors: &str| {
            let rows = format!(
                "trial\tstep\tcounts\t{factors}\tseed\n1\tmain\ttrue\tno\ta\\\\n\\\"b\\\"\t9\n"
            );
            std::fs::write(&path, rows).unwrap();
        };
        write("drug\tword");
        refuse_exchanged(&[&path]).unwrap();
        write("word\tdrug");
        let refused = refuse_exchanged(&[&path]).unwrap_err();
        assert!(matches!(refused, TablesError::Exchanged { .. }), "{refused}");
    }

    #[test]
    fn the_plan_of_a_table_lies_beside_the_journal() {
        let of = |path: &str| plan_of(Path::new(path));
        let due = "d/sourcedata/sub-07/ses-1/sub-07_ses-1_task-t_plan.tsv";
        assert_eq!(of("d/sub-07/ses-1/beh/sub-07_ses-1_task-t_beh.tsv"), Some(due.into()));
        let due = "sourcedata/sub-07/sub-07_task-t_plan.tsv";
        assert_eq!(of("sub-07/beh/sub-07_task-t_beh.tsv"), Some(due.into()));
        assert_eq!(of("d/derivatives/chronotap/desc-trials_beh.tsv"), None);
        assert_eq!(of("d/sub-07/beh/sub-07_task-t_run-01_events.tsv"), None);
    }
}

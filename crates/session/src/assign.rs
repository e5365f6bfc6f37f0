//! [`assign`]: to which cell between participants a new participant comes, and to which
//! place in the squares: a pure function of the study, of who took part so far, and of the
//! label.

use crate::dataset::Person;
use crate::who::Who;
use chronotap_design::{AssignError, Experiment, lowest_free};
use std::collections::BTreeMap;

/// The new participant. The cell is the one that the experimenter names, as far as they do;
/// else the one with the fewest participants who did not withdraw. The place is the lowest that
/// nobody in the cell was given, whatever became of their data.
///
/// # Errors
/// Where the study has no such factor or level.
pub fn assign(
    experiment: &Experiment,
    people: &[Person],
    who: &Who,
) -> Result<Person, AssignError> {
    let named: Vec<(String, String)> = who.cell.clone().into_iter().collect();
    let among = experiment.cells_with(&named)?;
    let cells: Vec<Cell> = (0..experiment.cells()).map(|n| cell(experiment, n)).collect();
    let of = |cell: &Cell| people.iter().filter(|p| !p.withdrawn && p.cell == *cell).count();
    let counts: Vec<u32> = cells.iter().map(|cell| of(cell) as u32).collect();
    let chosen = experiment.choose_cell(&who.label, &counts, &among);
    let cell = cells.get(chosen).cloned().unwrap_or_default();
    let there = people.iter().filter(|person| person.cell == cell);
    let held: Vec<u32> = there.map(|person| person.k).collect();
    let k = lowest_free(&held);
    Ok(Person { label: who.label.clone(), cell, k, withdrawn: false })
}

/// A level of each factor.
type Cell = BTreeMap<String, String>;

fn cell(experiment: &Experiment, number: usize) -> Cell {
    experiment.cell(number).into_iter().collect()
}

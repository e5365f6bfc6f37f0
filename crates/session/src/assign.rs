//! [`assign`]: to which cell between participants a new participant comes, and to which
//! place in the squares: a pure function of the study, of who took part so far, and of the
//! label.

use crate::dataset::Person;
use crate::who::Who;
use chronotap_design::{AssignError, Experiment};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The new participant. The cell is the one that the experimenter names, as far as they do;
/// else the one with the fewest participants who did not withdraw. The place is the lowest that
/// nobody in the cell was given, whatever became of their data. Who declined or dropped out is no member
/// of a cell, and has no place.
///
/// # Errors
/// Where the study has no such factor or level.
pub fn assign(
    experiment: &Experiment,
    people: &[Person],
    who: &Who,
) -> Result<Person, AssignError> {
    let mut places = Places::new(experiment);
    people.iter().for_each(|person| places.take(person));
    places.assign(who)
}

/// Which places are taken. One more participant costs the same however many there are.
pub struct Places<'a> {
    experiment: &'a Experiment,
    cells: Vec<Cell>,
    counts: Vec<u32>, // of each cell, those who did not withdraw
    held: HashMap<Cell, Held>,
}

impl Places<'_> {
    /// None is.
    pub fn new(experiment: &Experiment) -> Places<'_> {
        let cells: Vec<Cell> = (0..experiment.cells()).map(|n| cell(experiment, n)).collect();
        Places { experiment, counts: vec![0; cells.len()], cells, held: HashMap::new() }
    }

    /// That of somebody who is there already.
    pub fn take(&mut self, person: &Person) {
        if !person.has_a_place() {
            return;
        }
        let here = self.cells.iter().position(|cell| *cell == person.cell);
        if let Some(count) = here.and_then(|place| self.counts.get_mut(place)) {
            *count += u32::from(!person.withdrawn);
        }
        self.held.entry(person.cell.clone()).or_default().take(person.k);
    }

    /// That of somebody new, who then has it.
    ///
    /// # Errors
    /// Where the study has no such factor or level.
    pub fn assign(&mut self, who: &Who) -> Result<Person, AssignError> {
        let named: Vec<(String, String)> = who.cell.clone().into_iter().collect();
        let among = self.experiment.cells_with(&named)?;
        let chosen = self.experiment.choose_cell(&who.label, &self.counts, &among);
        let cell = self.cells.get(chosen).cloned().unwrap_or_default();
        let k = self.held.get(&cell).map_or(0, |held| held.lowest_free);
        let person = Person { label: who.label.clone(), cell, k, ..Person::default() };
        self.take(&person);
        Ok(person)
    }
}

/// The lowest place in a cell that none of these people was given.
pub(crate) fn place_for(people: &[Person], cell: &Cell) -> u32 {
    let mut held = Held::default();
    let there = people.iter().filter(|person| person.has_a_place() && person.cell == *cell);
    there.for_each(|person| held.take(person.k));
    held.lowest_free
}

/// Numbers that are taken.
#[derive(Default)]
struct Held {
    lowest_free: u32,
    beyond: BTreeSet<u32>,
}

impl Held {
    fn take(&mut self, number: u32) {
        if number >= self.lowest_free {
            self.beyond.insert(number);
        }
        while self.beyond.remove(&self.lowest_free) {
            self.lowest_free += 1;
        }
    }
}

/// A level of each factor.
pub(crate) type Cell = BTreeMap<String, String>;

fn cell(experiment: &Experiment, number: usize) -> Cell {
    experiment.cell(number).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_number_that_nobody_has_is_free() {
        let free = |numbers: &[u32]| {
            let mut held = Held::default();
            numbers.iter().for_each(|number| held.take(*number));
            held.lowest_free
        };
        assert_eq!([free(&[]), free(&[0, 1, 2]), free(&[1, 2])], [0, 3, 0]);
        assert_eq!([free(&[2, 0, 1, 5]), free(&[0, 0, 1])], [3, 2]);
    }
}

//! [`by_person`]: one row a person, as programs for repeated measures want it (jamovi, JASP, SPSS): what is known
//! of the person, then the outcome at each level in a column of its own.

use crate::exchange::{Frame, FrameColumn, Values};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Who is in a row.
const WHO: &str = "participant_id";
/// The number of a person at a level, in the table of the outcome; the levels stand before it.
const OUTCOME: &str = "outcome";
/// It says how many trials a number is the mean of, and is no measure of a person.
const TRIALS: &str = "trials";

/// The people of a study, and each number of the table of the outcome in a column for each level; with a
/// description of these. `None` where the table is no such one.
pub fn by_person(people: &Frame, outcome: &Frame) -> Option<(Frame, Map<String, Value>)> {
    let at = outcome.columns.iter().position(|column| column.name == OUTCOME)?;
    let (levels, measures) = (&outcome.columns[1..at], &outcome.columns[at..]);
    let whose = |frame: &Frame, row| text(&frame.column(WHO)?.values, row);
    let named = |row: usize| {
        let of =
            |column: &FrameColumn| Some(format!("{} {}", column.name, text(&column.values, row)?));
        levels.iter().filter_map(of).collect::<Vec<String>>().join(", ")
    };
    let names: Vec<String> = (0..outcome.rows).map(named).collect();
    let mut cells: Vec<&str> = Vec::new();
    let mut rows: HashMap<(String, &str), usize> = HashMap::new();
    for (row, name) in names.iter().enumerate() {
        if !cells.contains(&&**name) {
            cells.push(name);
        }
        rows.extend(whose(outcome, row).map(|who| ((who, &**name), row)));
    }
    let mut all = people.clone();
    let mut about = Map::new();
    for cell in cells {
        for measure in measures.iter().filter(|column| column.name != TRIALS) {
            let value = |person: usize| {
                let row = rows.get(&(whose(people, person)?, cell))?;
                number(&measure.values, *row)
            };
            let (name, values) = (format!("{}, {cell}", measure.name), (0..people.rows).map(value));
            let what = format!("{} at {cell}: the mean over the person's trials.", measure.name);
            all.columns.push(FrameColumn::named(&name, Values::Number(values.collect())));
            about.insert(name, json!({ "Description": what }));
        }
    }
    Some((all, about))
}

/// A cell as it is written.
fn text(values: &Values, row: usize) -> Option<String> {
    match values {
        Values::Text(words) => words.get(row).map(str::to_owned),
        Values::Integer(cells) => cells[row].map(|cell| cell.to_string()),
        Values::Number(cells) => cells[row].map(|cell| cell.to_string()),
        Values::Truth(cells) => cells[row].map(|cell| cell.to_string()),
        Values::Moment(_) => None,
    }
}

fn number(values: &Values, row: usize) -> Option<f64> {
    match values {
        Values::Integer(cells) => cells[row].map(|cell| cell as f64),
        Values::Number(cells) => cells[row],
        Values::Text(_) | Values::Truth(_) | Values::Moment(_) => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;
    use std::path::Path;

    fn frame(text: &str) -> Frame {
        Frame::parse(Path::new("x.tsv"), text).unwrap()
    }

    /// Whoever has no value at a level, or none at all, has a row with empty cells.
    #[test]
    fn each_person_has_one_row_with_a_column_for_each_level() {
        let people = frame("participant_id\tage\nsub-01\t30\nsub-02\t40\nsub-03\t50\n");
        let outcome = frame(
            "participant_id\tdelay\toutcome\ttrials\tsd_asynchrony_ms\nsub-02\t0 ms\t-20.5\t4\t11\nsub-01\t0 ms\t-10\t4\t12\nsub-02\t70 ms\t-40\t4\t13\n",
        );
        let (all, about) = by_person(&people, &outcome).unwrap();
        let names: Vec<&str> = all.columns.iter().map(|column| &*column.name).collect();
        let wanted = [
            "participant_id",
            "age",
            "outcome, delay 0 ms",
            "sd_asynchrony_ms, delay 0 ms",
            "outcome, delay 70 ms",
            "sd_asynchrony_ms, delay 70 ms",
        ];
        assert_eq!((names, all.rows), (wanted.to_vec(), 3));
        let of = |name: &str| &all.column(name).unwrap().values;
        let numbers = |cells: [Option<f64>; 3]| Values::Number(cells.to_vec());
        assert_eq!(*of(wanted[2]), numbers([Some(-10.0), Some(-20.5), None]));
        assert_eq!(*of(wanted[4]), numbers([None, Some(-40.0), None]));
        assert_eq!(*of(wanted[5]), numbers([None, Some(13.0), None]));
        assert!(about[wanted[2]]["Description"].as_str().unwrap().contains("at delay 0 ms"));
        assert!(by_person(&people, &people).is_none());
    }
}

//! [`People`]: the table of participants of each dataset that is gathered, a row for each person.
//! What was asked differs between datasets; every file has the columns of all, and a column has the
//! kind that all its cells have.

use crate::exchange::frame::of_column;
use crate::exchange::{Frame, FrameColumn, ValueKind};
use crate::record::text::MISSING;
use crate::tables::participant_id;

/// A dataset's table of participants.
#[derive(Clone, Debug)]
struct Table {
    dataset: String,
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Those of all datasets.
#[derive(Clone, Debug, Default)]
pub(super) struct People {
    tables: Vec<Table>,
}

/// The first column; labels are text, whatever they look like.
const ID: &str = "participant_id";

impl People {
    /// Adds the table of a dataset, without those who are not to be there.
    pub fn add(&mut self, dataset: &str, text: &str, out: impl Fn(&str) -> bool) {
        let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect());
        let names: Vec<String> = lines.next().unwrap_or_default();
        let there = |row: &mut Vec<String>| {
            let id = row.first_mut()?;
            *id = participant_id(id);
            (!out(id)).then_some(())
        };
        let rows = lines.filter_map(|mut row| there(&mut row).map(|()| row)).collect();
        self.tables.push(Table { dataset: dataset.to_owned(), names, rows });
    }

    /// The tables, each with the name of its dataset. Levels of factors are text, as in the trials, so
    /// that both tables can be joined.
    pub fn frames(&self, factors: &[String]) -> impl Iterator<Item = (&str, Frame)> {
        let names = self.names();
        let kinds: Vec<_> = names
            .iter()
            .map(|name| {
                let cells: Vec<&str> = self.tables.iter().flat_map(|one| one.cells(name)).collect();
                let is_factor = factors.iter().any(|factor| factor == name);
                if is_factor { ValueKind::Text } else { of_column(name, &[ID], &cells) }
            })
            .collect();
        self.tables.iter().map(move |one| {
            let column = |(name, kind): (&&str, &ValueKind)| {
                FrameColumn::read(name, *kind, &one.cells(name))
            };
            let columns = names.iter().zip(&kinds).map(column).collect();
            (&*one.dataset, Frame { columns, rows: one.rows.len() })
        })
    }

    /// All columns, in the order in which they first come.
    fn names(&self) -> Vec<&str> {
        let mut names = vec![ID];
        for name in self.tables.iter().flat_map(|one| &one.names) {
            if !names.contains(&&**name) {
                names.push(name);
            }
        }
        names
    }
}

impl Table {
    /// The cells of a column; all missing where the table has none of this name.
    fn cells(&self, name: &str) -> Vec<&str> {
        let place = self.names.iter().position(|known| known == name);
        let cells = self.rows.iter().map(|row| Some(row.get(place?)?.as_str()));
        cells.map(|cell| cell.unwrap_or(MISSING)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Values;

    fn people() -> People {
        let mut people = People::default();
        let first =
            "participant_id\thand\tlist\tk\tage\nsub-01\tNone\t1\t0\t31\nsub-1\tn/a\t2\t1\t22\n";
        people.add("one", first, |_| false);
        let other = "participant_id\tage\tnote\nsub-2\t20.5\tn\\/a\n";
        people.add("other", other, |_| false);
        people
    }

    #[test]
    fn every_dataset_has_all_columns_and_each_the_kind_of_all_its_cells() {
        let people = people();
        let (text, number) = (ValueKind::Text, ValueKind::Number);
        let wanted = [
            (ID, text),
            ("hand", text),
            ("list", text),
            ("k", ValueKind::Integer),
            ("age", number),
            ("note", text),
        ];
        for (dataset, frame) in people.frames(&["list".to_owned()]) {
            let found: Vec<_> = frame.columns.iter().map(|c| (&*c.name, c.values.kind())).collect();
            assert_eq!(found, wanted, "{dataset}");
        }
    }

    #[test]
    fn cells_are_as_they_were_meant() {
        let people = people();
        let all: Vec<Frame> = people.frames(&[]).map(|(_, frame)| frame).collect();
        let Values::Text(hands) = &all[0].columns[1].values else { panic!("hands are text") };
        assert_eq!([hands.get(0), hands.get(1)], [Some("None"), None]);
        let Values::Text(notes) = &all[1].columns[5].values else { panic!("notes are text") };
        assert_eq!(notes.get(0), Some("n/a"));
        assert_eq!(all[0].columns[4].values, Values::Number(vec![Some(31.0), Some(22.0)]));
    }
}

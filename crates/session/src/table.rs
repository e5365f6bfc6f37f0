//! [`TsvTable`]: a table of a dataset, cells separated by tabs, in memory. Which tables there
//! are and what they hold is not known here.

use chronotap_data::record::text::{MISSING, parse_text, put_text};

/// Columns and rows of text. A cell that holds nothing is `None`, and `n/a` in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TsvTable {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each as long as there are columns.
    pub rows: Vec<TsvRow>,
}

/// The cells of a row.
pub type TsvRow = Vec<Option<String>>;

impl TsvTable {
    /// A table without rows.
    pub fn new(columns: Vec<String>) -> TsvTable {
        TsvTable { columns, rows: Vec::new() }
    }

    /// As it stands in a file.
    pub fn bytes(&self) -> Vec<u8> {
        let heading: TsvRow = self.columns.iter().cloned().map(Some).collect();
        let lines = std::iter::once(&heading).chain(&self.rows);
        lines.flat_map(line).collect()
    }

    /// From a file; `None` where it is no table.
    pub fn parse(text: &str) -> Option<TsvTable> {
        let mut lines = text.lines();
        let columns: Vec<String> =
            lines.next()?.split('\t').map(parse_text).collect::<Option<_>>()?;
        let rows = lines.map(|line| row(line, columns.len())).collect::<Option<_>>()?;
        Some(TsvTable { columns, rows })
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Without the columns that hold nothing, but for these.
    pub fn without_empty(&self, but: &[String]) -> TsvTable {
        let holds = |at: &usize| {
            but.contains(&self.columns[*at]) || self.rows.iter().any(|row| row[*at].is_some())
        };
        let kept: Vec<usize> = (0..self.columns.len()).filter(holds).collect();
        let of = |row: &TsvRow| kept.iter().map(|at| row[*at].clone()).collect();
        TsvTable {
            columns: kept.iter().map(|at| self.columns[*at].clone()).collect(),
            rows: self.rows.iter().map(of).collect(),
        }
    }

    /// A cell of a row, where both are there.
    pub fn cell<'a>(&self, row: &'a TsvRow, name: &str) -> Option<&'a str> {
        row.get(self.column(name)?)?.as_deref()
    }
}

/// A row as a line of a file.
pub fn line(row: &TsvRow) -> Vec<u8> {
    let mut out = Vec::new();
    for (place, cell) in row.iter().enumerate() {
        if place > 0 {
            out.push(b'\t');
        }
        match cell {
            Some(text) => put_text(&mut out, text),
            None => out.extend_from_slice(MISSING.as_bytes()),
        }
    }
    out.push(b'\n');
    out
}

fn row(line: &str, columns: usize) -> Option<TsvRow> {
    let cell = |cell: &str| match cell {
        MISSING => Some(None),
        text => parse_text(text).map(Some),
    };
    let row: TsvRow = line.split('\t').map(cell).collect::<Option<_>>()?;
    (row.len() == columns).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_back_as_it_was_written() {
        let mut table = TsvTable::new(vec!["a".into(), "b\\n".into()]);
        table.rows.push(vec![Some("tab\there".into()), None]);
        table.rows.push(vec![Some(String::new()), Some("n/a".into())]);
        let text = String::from_utf8(table.bytes()).unwrap();
        assert_eq!(TsvTable::parse(&text), Some(table));
        assert_eq!(TsvTable::parse("a\tb\n1\n"), None);
    }
}

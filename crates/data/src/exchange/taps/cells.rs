//! [`Cells`]: a table as another program writes it: cells between tabs, commas or semicolons, with or
//! without quotation marks, the names of the columns in the first line.

use super::SourceFile;
use super::error::TapsError;
use chronotap_core::text::most_like;

/// What stands for a missing number, whatever its capitals. Of a name or a level these are words like others.
const MISSING: [&str; 9] = ["", "n/a", "n.a.", "na", "nan", "none", "null", "missing", "."];

/// A table.
pub(super) struct Cells<'a> {
    pub file: &'a SourceFile,
    /// The line with the names, from 1.
    pub line: usize,
    pub names: Vec<String>,
    pub rows: Vec<Row>,
}

/// A row.
pub(super) struct Row {
    /// The line in which it begins, from 1.
    pub line: usize,
    pub cells: Vec<String>,
}

impl Row {
    /// The number that a cell holds, or the list; `None` where its value is missing.
    pub fn cell(&self, place: usize) -> Option<&str> {
        let cell = self.cells.get(place)?.trim();
        (!MISSING.iter().any(|word| word.eq_ignore_ascii_case(cell))).then_some(cell)
    }

    /// The name or the level that a cell holds; `None` where it is empty or `n/a`, as in BIDS. A level may be called
    /// `none` and a participant `NA`.
    pub fn label(&self, place: usize) -> Option<&str> {
        let cell = self.cells.get(place)?.trim();
        (!cell.is_empty() && cell != "n/a").then_some(cell)
    }
}

impl<'a> Cells<'a> {
    /// The table of this text, which is that of the file.
    pub fn of(file: &'a SourceFile, text: &str) -> Result<Cells<'a>, TapsError> {
        let name = || file.name.clone();
        let separator = separator(text.lines().find(|line| !line.trim().is_empty()).unwrap_or(""));
        let mut rows =
            rows(text, separator).map_err(|line| TapsError::Quote { name: name(), line })?;
        rows.retain(|row| row.cells.iter().any(|cell| !cell.trim().is_empty()));
        if rows.is_empty() {
            return Err(TapsError::Nothing { name: name() });
        }
        let first = rows.remove(0);
        let names: Vec<String> = first.cells.iter().map(|cell| cell.trim().to_owned()).collect();
        let needed = names.len();
        match rows.iter().find(|row| row.cells.len() != needed) {
            Some(Row { line, cells }) => {
                let (line, found) = (*line, cells.len());
                Err(TapsError::Cells { name: name(), line, found, needed })
            }
            None => Ok(Cells { file, line: first.line, names, rows }),
        }
    }

    /// An error where a number stands in the first line: it is a row, and the table has no names.
    pub fn refuse_numbers<'n>(
        &self,
        mut names: impl Iterator<Item = &'n String>,
    ) -> Result<(), TapsError> {
        let number = |cell: &&String| {
            let plain = cell.replace(',', ".");
            let listed = cell.trim_start_matches(['[', '-', '+', '.']);
            plain.parse::<f64>().is_ok_and(f64::is_finite)
                || cell.starts_with('[') && listed.starts_with(|c: char| c.is_ascii_digit())
        };
        match names.find(number) {
            None => Ok(()),
            Some(cell) => {
                let (name, cell) = (self.file.name.clone(), cell.clone());
                Err(TapsError::NoNames { name, line: self.line, cell })
            }
        }
    }

    /// The place of a column.
    pub fn column(&self, wanted: &str) -> Result<usize, TapsError> {
        let known = self.names.iter().any(|name| name == wanted);
        self.refuse_numbers(self.names.iter().filter(|name| !known || *name == wanted))?;
        let (name, line, column) = (self.file.name.clone(), self.line, wanted.to_owned());
        let mut places = self.names.iter().enumerate().filter(|(_, name)| *name == wanted);
        match (places.next(), places.next()) {
            (Some((place, _)), None) => Ok(place),
            (Some(_), Some(_)) => Err(TapsError::TwoColumns { name, line, column }),
            (None, _) => {
                let near = most_like(wanted, &self.names).map(str::to_owned);
                let columns = self.names.clone();
                Err(TapsError::NoColumn { name, line, column, columns, near })
            }
        }
    }
}

/// Tabs before semicolons before commas: a decimal comma may stand in cells between semicolons.
fn separator(head: &str) -> char {
    ['\t', ';', ','].into_iter().find(|one| head.contains(*one)).unwrap_or('\t')
}

/// The rows, or the line of a quotation mark that does not end. Two marks between marks are one.
fn rows(text: &str, separator: char) -> Result<Vec<Row>, usize> {
    let (mut rows, mut line, mut quoted) = (Vec::new(), 1, None);
    let mut row = Row { line, cells: vec![String::new()] };
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let blank = row.cells.last().is_none_or(|cell| cell.trim().is_empty());
        match letter {
            '"' if quoted.is_some() && letters.peek() == Some(&'"') => {
                letters.next();
                push(&mut row, '"');
            }
            '"' if quoted.is_some() => quoted = None,
            '"' if blank => quoted = Some(line),
            '\n' | '\r' if quoted.is_none() => {
                if letter == '\r' && letters.peek() == Some(&'\n') {
                    letters.next();
                }
                line += 1;
                rows.push(std::mem::replace(&mut row, Row { line, cells: vec![String::new()] }));
            }
            _ if letter == separator && quoted.is_none() => row.cells.push(String::new()),
            _ => {
                line += usize::from(letter == '\n');
                push(&mut row, letter);
            }
        }
    }
    rows.push(row);
    quoted.map_or(Ok(rows), Err)
}

fn push(row: &mut Row, letter: char) {
    row.cells.last_mut().into_iter().for_each(|cell| cell.push(letter));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Vec<(usize, Vec<String>)>, String> {
        let file = SourceFile { name: "t.csv".into(), bytes: Vec::new() };
        let cells = Cells::of(&file, text).map_err(|error| error.to_string())?;
        Ok(cells.rows.into_iter().map(|row| (row.line, row.cells)).collect())
    }

    #[test]
    fn marks_line_ends_and_empty_lines_of_every_program_are_read() {
        let all = [(2, vec!["1".into(), "a,\"b\"\nc".into()]), (5, vec!["2".into(), "d".into()])];
        assert_eq!(table("x,y\r\n1,\"a,\"\"b\"\"\nc\"\r\n\r\n2,d\r\n").unwrap(), all);
        assert_eq!(table("x;y\n1,5;2").unwrap(), [(2, vec!["1,5".into(), "2".into()])]);
        assert_eq!(table("x\ty\r1\t2\r").unwrap(), [(2, vec!["1".into(), "2".into()])]);
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_line() {
        assert_eq!(
            table("x,y\n1,2\n3\n").unwrap_err(),
            "t.csv:3: 1 cells, but the first line has 2"
        );
        let open = "t.csv:2: the quotation mark that begins here does not end";
        assert_eq!(table("x,y\n\"1,2\n3,4\n").unwrap_err(), open);
        assert_eq!(table("\n\n").unwrap_err(), "t.csv: there is no tap in it");
    }
}

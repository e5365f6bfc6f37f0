//! [`Differences`]: where what was packed is not what follows from the data, number by number.

use super::PackError;
use crate::verify::DatasetProblem;
use chronotap_core::files;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Something that is not as it was packed.
#[derive(Debug, thiserror::Error)]
pub enum PackDifference {
    /// A file was changed after it was packed.
    #[error("{}: not the file that was packed", path.display())]
    File { path: PathBuf },
    /// A cell of a table.
    #[error("{}: row {row}, {column}: packed {packed}, computed {again}", path.display())]
    Cell {
        path: PathBuf,
        /// From 1; the heading is none.
        row: usize,
        /// Its heading.
        column: String,
        /// What the pack has.
        packed: String,
        /// What follows from the data.
        again: String,
    },
    /// A line of a file that is no table, or a heading.
    #[error("{}:{line}: packed {packed}, computed {again}", path.display())]
    Line {
        path: PathBuf,
        /// From 1.
        line: usize,
        packed: String,
        again: String,
    },
    /// A table has more or fewer rows.
    #[error("{}: packed with {packed} rows, computed {again}", path.display())]
    Rows { path: PathBuf, packed: usize, again: usize },
    /// The manifest says something that does not follow.
    #[error("manifest.json: {what}: packed {packed}, computed {again}")]
    Claim {
        /// The key.
        what: &'static str,
        packed: String,
        again: String,
    },
    /// The file is none that a pack holds, and is not unpacked.
    #[error("{}: no pack holds such a file, and it is not unpacked", path.display())]
    Besides { path: PathBuf },
    /// Only the pack has the file.
    #[error("{}: packed, and does not follow from the data", path.display())]
    Only { path: PathBuf },
    /// Only the data give the file.
    #[error("{}: follows from the data, and is not packed", path.display())]
    Lacks { path: PathBuf },
    /// The dataset is not what it says.
    #[error(transparent)]
    Problem(#[from] DatasetProblem),
}

/// What differs; of very many, only the first are kept.
#[derive(Debug, Default)]
pub struct Differences {
    pub kept: Vec<PackDifference>,
    /// How many there are.
    pub all: usize,
    /// Numbers and words that were compared.
    pub cells: usize,
    /// Tables that were compared.
    pub tables: usize,
}

const KEPT: usize = 1_000;
/// Of a cell so many letters are told.
const LETTERS: usize = 80;

impl Differences {
    pub fn add(&mut self, difference: impl Into<PackDifference>) {
        self.all += 1;
        if self.kept.len() < KEPT {
            self.kept.push(difference.into());
        }
    }

    /// Whether everything is the same.
    pub fn is_none(&self) -> bool {
        self.all == 0
    }

    /// Nothing where everything is the same, else the first that is not.
    ///
    /// # Errors
    /// [`PackError::Differs`].
    pub fn none_or_first(self) -> Result<(), PackError> {
        let all = self.all;
        match self.kept.into_iter().next() {
            Some(first) => Err(PackError::Differs { first: Box::new(first), all }),
            None => Ok(()),
        }
    }

    /// Compares a file of a pack with the same file as it was made again.
    ///
    /// # Errors
    /// What the system refuses.
    pub(super) fn compare(&mut self, path: &Path, packed: &Path, again: &Path) -> io::Result<()> {
        match [packed, again].map(files::is_there) {
            [true, false] => self.add(PackDifference::Only { path: path.to_owned() }),
            [false, true] => self.add(PackDifference::Lacks { path: path.to_owned() }),
            [false, false] => {}
            [true, true] => {
                let [packed, again] = [packed, again].map(lines);
                self.of_lines(path, &mut packed?, &mut again?)?;
            }
        }
        Ok(())
    }

    /// The same of a table whose rows may stand in another order: they are found by their first cells.
    pub(super) fn compare_by_name(
        &mut self,
        path: &Path,
        packed: &Path,
        again: &Path,
    ) -> io::Result<()> {
        let [packed, again] = [packed, again].map(files::read_to_string);
        let (packed, again) = (packed?, again?);
        let name = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
        let mut rows: BTreeMap<String, &str> =
            again.lines().map(|line| (name(line), line)).collect();
        let mut ordered: Vec<&str> =
            packed.lines().filter_map(|line| rows.remove(&name(line))).collect();
        ordered.extend(rows.into_values());
        let mut packed = packed.lines().map(|line| Ok(line.to_owned()));
        self.of_lines(path, &mut packed, &mut ordered.into_iter().map(|line| Ok(line.to_owned())))
    }

    fn of_lines(
        &mut self,
        path: &Path,
        packed: &mut dyn Iterator<Item = io::Result<String>>,
        again: &mut dyn Iterator<Item = io::Result<String>>,
    ) -> io::Result<()> {
        let is_table = path.extension().is_some_and(|end| end == "tsv");
        let (mut heading, mut counts) = (Vec::new(), [0; 2]);
        self.tables += usize::from(is_table);
        loop {
            let (one, other) = (packed.next().transpose()?, again.next().transpose()?);
            counts[0] += usize::from(one.is_some());
            counts[1] += usize::from(other.is_some());
            let (one, other) = match (one, other) {
                (Some(one), Some(other)) => (one, other),
                (None, None) => break,
                _ => continue,
            };
            let line = counts[0];
            if is_table && line > 1 && one != other {
                self.of_row(path, line - 1, &heading, (&one, &other));
            } else if one != other {
                let [packed, again] = [&one, &other].map(|line| told(line.trim_end_matches(',')));
                self.add(PackDifference::Line { path: path.to_owned(), line, packed, again });
            }
            if line == 1 {
                heading = one.split('\t').map(str::to_owned).collect();
            }
            self.cells += if is_table { heading.len() } else { 0 };
        }
        if counts[0] != counts[1] {
            let [packed, again] = counts.map(|lines| lines.saturating_sub(usize::from(is_table)));
            self.add(PackDifference::Rows { path: path.to_owned(), packed, again });
        }
        Ok(())
    }

    fn of_row(&mut self, path: &Path, row: usize, heading: &[String], cells: (&str, &str)) {
        let [packed, again] = [cells.0, cells.1].map(|line| line.split('\t').collect::<Vec<_>>());
        for place in 0..packed.len().max(again.len()) {
            let [packed, again] =
                [&packed, &again].map(|cells| told(cells.get(place).unwrap_or(&"")));
            if packed != again {
                let column = heading.get(place).cloned();
                let column = column.unwrap_or_else(|| format!("column {}", place + 1));
                let path = path.to_owned();
                self.add(PackDifference::Cell { path, row, column: told(&column), packed, again });
            }
        }
    }
}

/// The lines of a file; what is no text shows as such.
fn lines(path: &Path) -> io::Result<impl Iterator<Item = io::Result<String>> + use<>> {
    let lines = BufReader::new(files::open(path)?).split(b'\n');
    Ok(lines.map(|line| Ok(String::from_utf8_lossy(&line?).into_owned())))
}

/// A cell or line for a message.
fn told(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, packed: &str, again: &str, by_name: bool) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|folder| dir.path().join(folder));
        std::fs::write(&one, packed).unwrap();
        std::fs::write(&other, again).unwrap();
        let mut found = Differences::default();
        match by_name {
            true => found.compare_by_name(Path::new(name), &one, &other).unwrap(),
            false => found.compare(Path::new(name), &one, &other).unwrap(),
        }
        assert_eq!(found.all, found.kept.len());
        found.kept.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_number_is_named_by_table_row_and_column_with_both_values() {
        let packed = "id\tms\nsub-01\t-31.25\nsub-02\t4\n";
        assert_eq!(of("t.tsv", packed, packed, false), [""; 0]);
        let again = "id\tms\nsub-01\t-31.25\nsub-02\t5\n";
        assert_eq!(of("t.tsv", packed, again, false), ["t.tsv: row 2, ms: packed 4, computed 5"]);
    }

    #[test]
    fn rows_headings_and_lines_that_differ_are_named_too() {
        assert_eq!(
            of("t.tsv", "id\n1\n2\n", "id\n1\n", false),
            ["t.tsv: packed with 2 rows, computed 1"]
        );
        assert_eq!(of("t.tsv", "id\n1\n", "ie\n1\n", false), ["t.tsv:1: packed id, computed ie"]);
        assert_eq!(of("a.json", "{\n1}", "{\n2}", false), ["a.json:2: packed 1}, computed 2}"]);
    }

    #[test]
    fn rows_of_people_are_found_by_their_names() {
        let packed = "id\tk\nsub-02\t0\nsub-01\t1\n";
        assert_eq!(of("p.tsv", packed, "id\tk\nsub-01\t1\nsub-02\t0\n", true), [""; 0]);
        assert_eq!(
            of("p.tsv", packed, "id\tk\nsub-01\t7\nsub-02\t0\n", true),
            ["p.tsv: row 2, k: packed 1, computed 7"]
        );
    }
}

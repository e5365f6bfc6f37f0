//! [`Cells`]: a line of a table cut at its tabs, and each cell read as what its column asks for.
//! Most cells of most lines are short or empty, and a study has millions of them: a line is cut in
//! one go, eight bytes at a time, and a cell is copied only into an error.

use crate::record::ReadError;
use crate::record::columns::COLUMNS;
use crate::record::digits::digits;
use crate::record::text::MISSING;
use chronotap_core::time::Nanos;
use std::path::Path;

/// The place of a column that is not there.
pub(crate) const ABSENT: usize = usize::MAX;

/// The cells of one line, by the index of their column in [`COLUMNS`].
pub(crate) struct Cells<'a, 'b> {
    path: &'b Path,
    line: usize, // from 1
    text: &'a str,
    ends: Vec<usize>,
    places: &'b [usize; COLUMNS.len()],
}

impl<'a, 'b> Cells<'a, 'b> {
    /// Before the first line of cells: at the names of the columns.
    pub(crate) fn of(path: &'b Path, places: &'b [usize; COLUMNS.len()]) -> Cells<'a, 'b> {
        Cells { path, line: 1, text: "", ends: Vec::with_capacity(COLUMNS.len()), places }
    }

    /// A line and its number, from 1.
    pub(crate) fn take(&mut self, number: usize, line: &'a str) {
        (self.line, self.text) = (number, line);
        self.ends.clear();
        put_tabs(&mut self.ends, line.as_bytes());
        self.ends.push(line.len());
    }

    fn cell(&self, column: usize) -> Option<&'a str> {
        let place = self.places[column];
        let end = *self.ends.get(place)?;
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        self.text.get(begin..end)
    }

    /// What the cell holds; `None` where it holds nothing, or there is no such column.
    pub(crate) fn may<T>(
        &self,
        column: usize,
        expected: &'static str,
        parse: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, ReadError> {
        match self.cell(column) {
            Some(cell) if is_missing(cell) => Ok(None),
            _ if self.places[column] == ABSENT => Ok(None),
            _ => self.must(column, expected, parse).map(Some),
        }
    }

    /// Whether a column that another one implies says what it must.
    pub(crate) fn agrees(
        &self,
        column: usize,
        expected: &'static str,
        due: Option<String>,
    ) -> Result<(), ReadError> {
        let due = due.as_deref().unwrap_or(MISSING);
        match self.places[column] {
            ABSENT => Ok(()),
            _ => self.must(column, expected, |cell| (cell == due).then_some(())),
        }
    }

    /// What the cell holds.
    pub(crate) fn must<T>(
        &self,
        column: usize,
        expected: &'static str,
        parse: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, ReadError> {
        match self.cell(column).and_then(parse) {
            Some(value) => Ok(value),
            None => Err(self.wrong(column, expected)),
        }
    }

    #[cold]
    fn wrong(&self, column: usize, expected: &'static str) -> ReadError {
        let found = self.cell(column).unwrap_or("nothing: the line ends before it").to_owned();
        let (path, column) = (self.path.to_owned(), COLUMNS[column]);
        ReadError::Cell { path, line: self.line, column, found, expected }
    }
}

/// Whether a cell holds nothing.
fn is_missing(cell: &str) -> bool {
    matches!(cell.as_bytes(), b"n/a")
}

/// An integer without a plus sign.
pub(crate) fn integer<T: std::str::FromStr + TryFrom<u64>>(cell: &str) -> Option<T> {
    match digits(cell.as_bytes()) {
        Some(value) => T::try_from(value).ok(),
        None if cell.starts_with('+') => None,
        None => cell.parse().ok(),
    }
}

pub(crate) fn ns(cell: &str) -> Option<Nanos> {
    let below_zero = cell.strip_prefix('-').and_then(|cell| digits(cell.as_bytes()));
    match below_zero.and_then(|value| i64::try_from(value).ok()) {
        Some(value) => Some(Nanos(-value)),
        None => integer(cell).map(Nanos),
    }
}

/// The places of the tabs. Looking at eight bytes at once is what makes it fast.
fn put_tabs(places: &mut Vec<usize>, line: &[u8]) {
    let (words, rest) = line.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let mut tabs = tabs(u64::from_le_bytes(*word));
        while tabs != 0 {
            places.push(at * 8 + (tabs.trailing_zeros() / 8) as usize);
            tabs &= tabs - 1;
        }
    }
    let from = words.len() * 8;
    let tabs = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\t');
    places.extend(tabs.map(|(at, _)| from + at));
}

/// The highest bit of each byte that is a tab, and nothing else. A byte without its highest bit
/// reaches that bit when 127 is added, unless it is 0; no byte runs over into the next.
fn tabs(word: u64) -> u64 {
    const TABS: u64 = 0x0909_0909_0909_0909;
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let zero_where_tab = word ^ TABS;
    !(((zero_where_tab & LOW) + LOW) | zero_where_tab | LOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_a_line_is_cut_where_its_tabs_are(line in "[a\t\u{8a}\u{109}]{0,40}") {
            let (mut found, places) = (Vec::new(), [0; COLUMNS.len()]);
            let mut cells = Cells::of(Path::new("x"), &places);
            cells.take(2, &line);
            let mut from = 0;
            for end in &cells.ends {
                found.push(&line[from..*end]);
                from = end + 1;
            }
            prop_assert_eq!(found, line.split('\t').collect::<Vec<_>>());
        }

        #[test]
        fn prop_numbers_are_read_as_the_language_reads_them(cell in "[-+]{0,2}[0-9]{0,21}[a ]{0,1}") {
            let plain = |cell: &str| !cell.starts_with('+');
            prop_assert_eq!(integer::<u64>(&cell), cell.parse().ok().filter(|_| plain(&cell)));
            prop_assert_eq!(integer::<i8>(&cell), cell.parse().ok().filter(|_| plain(&cell)));
            prop_assert_eq!(ns(&cell), cell.parse().ok().filter(|_| plain(&cell)).map(Nanos));
        }
    }

    #[test]
    fn the_least_and_the_greatest_number_are_read() {
        for value in [i64::MIN, -1, 0, 1, 99_999_999, 100_000_000, i64::MAX] {
            assert_eq!(ns(&value.to_string()), Some(Nanos(value)));
        }
        assert_eq!((ns("-0"), integer::<u64>("-0")), (Some(Nanos(0)), None));
    }
}

//! [`Frame`]: a table in columns, each of one kind. Text is kept once for all cells that are
//! alike, since most columns of text repeat a few words.
//!
//! The kind of a column is that of its definition, where a table of an analysis has it, or of the
//! unit in its name (`…_ns` is a whole number), and else that of its cells: whole numbers, numbers,
//! true and false, or text. A number that would not come back as it is written, such as `007`, is
//! text. The kind of a factor is that of the levels which the study states ([`Stated`]), and no cell
//! changes it.

mod kind;
mod stated;

use crate::exchange::ExchangeError;
use crate::record::moment;
use crate::record::text::{MISSING, parse_text, put_text};
pub use kind::ValueKind;
pub(crate) use kind::{as_whole, of_column};
pub use stated::Stated;
use std::collections::HashMap;
use std::path::Path;

/// A table in columns, all equally long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The columns, in order.
    pub columns: Vec<FrameColumn>,
    /// How many rows there are.
    pub rows: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FrameColumn {
    pub name: String,
    /// Its cells.
    pub values: Values,
}

/// The cells of a column; `None` is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Text: the place of each cell in a list of different texts.
    Text(TextCells),
    /// Whole numbers.
    Integer(Vec<Option<i64>>),
    Number(Vec<Option<f64>>),
    /// True or false.
    Truth(Vec<Option<bool>>),
    /// Moments in UTC, in microseconds since 1970.
    Moment(Vec<Option<i64>>),
}

/// Cells of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextCells {
    /// The different texts, in the order in which they first came.
    pub words: Vec<String>,
    /// The place of each cell's text.
    pub cells: Vec<Option<u32>>,
    places: HashMap<String, u32>,
}

impl TextCells {
    /// No cells yet; these words come first, also where no cell has them.
    fn of(words: &[String]) -> TextCells {
        let mut all = TextCells::default();
        words.iter().for_each(|word| all.push(Some(word)));
        all.cells.clear();
        all
    }

    /// Adds a cell.
    pub fn push(&mut self, text: Option<&str>) {
        // Most cells say what the cell before them says.
        if let (Some(text), Some(Some(last))) = (text, self.cells.last())
            && self.words[*last as usize] == text
        {
            self.cells.push(Some(*last));
            return;
        }
        let cell = text.map(|text| match self.places.get(text) {
            Some(place) => *place,
            None => {
                let place = self.words.len() as u32;
                self.words.push(text.to_owned());
                self.places.insert(text.to_owned(), place);
                place
            }
        });
        self.cells.push(cell);
    }

    /// Adds other cells.
    pub fn append(&mut self, other: &TextCells) {
        let before = self.cells.len();
        let places: Vec<Option<u32>> = other
            .words
            .iter()
            .map(|word| {
                self.push(Some(word));
                self.cells.pop().flatten()
            })
            .collect();
        debug_assert_eq!(self.cells.len(), before);
        let place = |cell: &Option<u32>| cell.and_then(|cell| places[cell as usize]);
        self.cells.extend(other.cells.iter().map(place));
    }

    /// The cells at these places.
    fn picked(&self, places: &[usize]) -> TextCells {
        let mut words = TextCells::default();
        places.iter().for_each(|place| words.push(self.get(*place)));
        words
    }

    /// The cells from `from` on, each so many times, with the words that stand in them.
    fn repeated(&self, from: usize, times: &[u32]) -> TextCells {
        let mut words = TextCells::default();
        for (row, times) in (from..).zip(times) {
            words.push(self.get(row));
            let cell = words.cells.pop().flatten();
            words.cells.extend(std::iter::repeat_n(cell, *times as usize));
        }
        words
    }

    /// A cell's text.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.cells[row].map(|place| &*self.words[place as usize])
    }
}

impl FrameColumn {
    /// A column of this name.
    pub fn named(name: &str, values: Values) -> FrameColumn {
        FrameColumn { name: name.to_owned(), values }
    }

    /// The same, of cells as tables have them.
    pub(crate) fn read(name: &str, kind: ValueKind, cells: &[&str]) -> FrameColumn {
        let name = parse_text(name).unwrap_or_else(|| name.to_owned());
        FrameColumn { name, values: values(kind, cells, &[]) }
    }
}

impl Values {
    /// Adds the cells of a column of the same kind.
    fn append(&mut self, other: Values) {
        match (self, other) {
            (Values::Text(cells), Values::Text(more)) => cells.append(&more),
            (Values::Integer(cells), Values::Integer(more)) => cells.extend(more),
            (Values::Number(cells), Values::Number(more)) => cells.extend(more),
            (Values::Truth(cells), Values::Truth(more)) => cells.extend(more),
            (Values::Moment(cells), Values::Moment(more)) => cells.extend(more),
            _ => unreachable!("the parts of a table have the same columns"),
        }
    }

    /// What they are.
    pub fn kind(&self) -> ValueKind {
        match self {
            Values::Text(_) => ValueKind::Text,
            Values::Integer(_) => ValueKind::Integer,
            Values::Number(_) => ValueKind::Number,
            Values::Truth(_) => ValueKind::Truth,
            Values::Moment(_) => ValueKind::Moment,
        }
    }

    /// The cells at these places.
    pub(crate) fn picked(&self, places: &[usize]) -> Values {
        match self {
            Values::Text(words) => Values::Text(words.picked(places)),
            Values::Integer(cells) => Values::Integer(picked(cells, places)),
            Values::Number(cells) => Values::Number(picked(cells, places)),
            Values::Truth(cells) => Values::Truth(picked(cells, places)),
            Values::Moment(cells) => Values::Moment(picked(cells, places)),
        }
    }

    /// Each cell so many times.
    fn repeated(&self, from: usize, times: &[u32]) -> Values {
        match self {
            Values::Text(words) => Values::Text(words.repeated(from, times)),
            Values::Integer(cells) => Values::Integer(repeated(&cells[from..], times)),
            Values::Number(cells) => Values::Number(repeated(&cells[from..], times)),
            Values::Truth(cells) => Values::Truth(repeated(&cells[from..], times)),
            Values::Moment(cells) => Values::Moment(repeated(&cells[from..], times)),
        }
    }
}

fn picked<T: Copy>(cells: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|place| cells[*place]).collect()
}

fn repeated<T: Copy>(cells: &[T], times: &[u32]) -> Vec<T> {
    let each = cells.iter().zip(times);
    each.flat_map(|(cell, times)| std::iter::repeat_n(*cell, *times as usize)).collect()
}

impl Frame {
    /// Adds the rows of a table with the same columns.
    pub fn append(&mut self, other: Frame) {
        if self.columns.is_empty() {
            *self = other;
            return;
        }
        self.rows += other.rows;
        for (column, more) in self.columns.iter_mut().zip(other.columns) {
            column.values.append(more.values);
        }
    }

    /// The rows from `from` on, each so many times.
    pub fn repeated(&self, from: usize, times: &[u32]) -> Frame {
        let column = |column: &FrameColumn| FrameColumn {
            name: column.name.clone(),
            values: column.values.repeated(from, times),
        };
        let rows = times.iter().map(|times| *times as usize).sum();
        Frame { columns: self.columns.iter().map(column).collect(), rows }
    }

    /// Reads a tab-separated table. Factors have the kind of the levels that the description beside it
    /// states.
    ///
    /// # Errors
    /// [`ExchangeError::Read`] and [`ExchangeError::Cells`].
    pub fn read(path: &Path) -> Result<Frame, ExchangeError> {
        Frame::read_with(path, &[])
    }

    /// The same; the columns of these names are text, whatever stands in them.
    ///
    /// # Errors
    /// As [`Frame::read`].
    pub fn read_with(path: &Path, labels: &[String]) -> Result<Frame, ExchangeError> {
        let text =
            chronotap_core::files::read_to_string(path).map_err(ExchangeError::read(path))?;
        let mut stated = Stated::default();
        stated.take_beside(path);
        Frame::parsed(path, &text, labels, &stated)
    }

    /// The table of a text; `path` is for messages.
    ///
    /// # Errors
    /// [`ExchangeError::Cells`].
    pub fn parse(path: &Path, text: &str) -> Result<Frame, ExchangeError> {
        Frame::parse_with(path, text, &[])
    }

    /// The same; the columns of these names are text, whatever stands in them.
    ///
    /// # Errors
    /// As [`Frame::parse`].
    pub fn parse_with(path: &Path, text: &str, labels: &[String]) -> Result<Frame, ExchangeError> {
        Frame::parsed(path, text, labels, &Stated::default())
    }

    /// The same of a table of a study that states these levels.
    ///
    /// # Errors
    /// As [`Frame::parse`].
    pub fn parse_stated(path: &Path, text: &str, stated: &Stated) -> Result<Frame, ExchangeError> {
        Frame::parsed(path, text, &[], stated)
    }

    fn parsed(
        path: &Path,
        text: &str,
        labels: &[String],
        stated: &Stated,
    ) -> Result<Frame, ExchangeError> {
        let mut cells = Cells::default();
        cells.take(path, text, &|_| true)?;
        Ok(cells.frame(labels, stated))
    }

    /// A table of cells that are text, or missing, and mean what they would mean in a file, of a study that
    /// states these levels; and which of its columns are factors.
    pub fn of_cells(
        columns: &[(String, Vec<Option<String>>)],
        stated: &Stated,
    ) -> (Frame, Vec<String>) {
        let written = |cell: &Option<String>| match cell {
            Some(text) => written(text),
            None => MISSING.to_owned(),
        };
        let names: Vec<String> =
            columns.iter().map(|(name, _)| written(&Some(name.clone()))).collect();
        let cells: Vec<Vec<String>> =
            columns.iter().map(|(_, cells)| cells.iter().map(written).collect()).collect();
        let columns =
            cells.iter().map(|cells| cells.iter().map(String::as_str).collect()).collect();
        let rows = cells.first().map_or(0, Vec::len);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let factors = stated::factors(&names);
        Cells { names, columns, rows, factors }.typed(stated)
    }

    /// Tables under each other, each with its path for messages: the columns of all that `wanted`
    /// names, in the order in which they first come, and which of them are factors. Where a table has no
    /// such column, its cells are missing.
    ///
    /// # Errors
    /// As [`Frame::parse`].
    pub fn parse_all(
        tables: &[(&Path, &str)],
        wanted: &dyn Fn(&str) -> bool,
        stated: &Stated,
    ) -> Result<(Frame, Vec<String>), ExchangeError> {
        let mut cells = Cells::default();
        tables.iter().try_for_each(|(path, text)| cells.take(path, text, wanted))?;
        Ok(cells.typed(stated))
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&FrameColumn> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// The cells of tables, as they stand there.
#[derive(Default)]
struct Cells<'a> {
    names: Vec<&'a str>,
    columns: Vec<Vec<&'a str>>,
    rows: usize,
    /// Which of them are factors.
    factors: Vec<&'a str>,
}

impl<'a> Cells<'a> {
    fn take(
        &mut self,
        path: &Path,
        text: &'a str,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<(), ExchangeError> {
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        let needed = names.len();
        for factor in stated::factors(&names) {
            if !self.factors.contains(&factor) {
                self.factors.push(factor);
            }
        }
        let mut used = Vec::new(); // the same name may stand twice in a table
        let mut place = |name: &&'a str| wanted(name).then(|| self.place(name, &mut used));
        let places: Vec<Option<usize>> = names.iter().map(&mut place).collect();
        for (line, text) in (2..).zip(lines) {
            let found = text.split('\t').count();
            if found != needed {
                return Err(ExchangeError::Cells { path: path.to_owned(), line, found, needed });
            }
            for ((cell, place), name) in text.split('\t').zip(&places).zip(&names) {
                if cell.contains('\\') && parse_text(cell).is_none() {
                    let (path, cell) = (path.to_owned(), cell.to_owned());
                    let column = (*name).to_owned();
                    return Err(ExchangeError::Backslash { path, line, column, cell });
                }
                if let Some(place) = place {
                    self.columns[*place].push(cell);
                }
            }
            self.rows += 1;
        }
        self.columns.iter_mut().for_each(|column| column.resize(self.rows, MISSING));
        Ok(())
    }

    /// The place of a column of a table; a new one comes behind the others.
    fn place(&mut self, name: &'a str, used: &mut Vec<usize>) -> usize {
        let known = (0..self.names.len()).find(|at| self.names[*at] == name && !used.contains(at));
        let place = known.unwrap_or_else(|| {
            self.names.push(name);
            self.columns.push(vec![MISSING; self.rows]);
            self.names.len() - 1
        });
        used.push(place);
        place
    }

    /// The table, and which of its columns are factors.
    fn typed(&self, stated: &Stated) -> (Frame, Vec<String>) {
        let factors = self.factors.iter().filter(|name| self.names.contains(name));
        (self.frame(&[], stated), factors.map(|name| plain(name)).collect())
    }

    fn frame(&self, labels: &[String], stated: &Stated) -> Frame {
        let column = |(written, cells): (&&str, &Vec<&str>)| {
            let name = plain(written);
            let is_factor = self.factors.contains(written);
            let has_levels = !stated.levels(&name).is_empty();
            let kind = match *written {
                _ if labels.contains(&name) => ValueKind::Text,
                written if is_factor || (has_levels && !kind::is_said(written, &self.names)) => {
                    stated.kind(&name, cells)
                }
                written => kind::of_column(written, &self.names, cells),
            };
            let levels = if is_factor { stated.levels(&name) } else { &[] };
            FrameColumn { values: values(kind, cells, levels), name }
        };
        let columns = self.names.iter().zip(&self.columns).map(column).collect();
        Frame { columns, rows: self.rows }
    }
}

/// A name as it is meant.
fn plain(written: &str) -> String {
    parse_text(written).unwrap_or_else(|| written.to_owned())
}

fn written(text: &str) -> String {
    let mut bytes = Vec::new();
    put_text(&mut bytes, text);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Cells of a kind; words that are known beforehand stand first in a column of text.
fn values(kind: ValueKind, cells: &[&str], known: &[String]) -> Values {
    match kind {
        ValueKind::Text => {
            let mut words = TextCells::of(known);
            for cell in cells {
                words.push(there(cell).and_then(parse_text).as_deref());
            }
            Values::Text(words)
        }
        ValueKind::Integer => {
            Values::Integer(cells.iter().map(|c| there(c)?.parse().ok()).collect())
        }
        ValueKind::Number => Values::Number(cells.iter().map(|c| there(c)?.parse().ok()).collect()),
        ValueKind::Truth => Values::Truth(cells.iter().map(|c| there(c)?.parse().ok()).collect()),
        ValueKind::Moment => {
            Values::Moment(cells.iter().map(|c| moment::parse(there(c)?)).collect())
        }
    }
}

fn there<'a>(cell: &&'a str) -> Option<&'a str> {
    (*cell != MISSING).then_some(*cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_kind_of_their_cells_and_names() {
        let text = "participant\tonset_ns\tmean\tused\tdelay\tcode\n\
                    01\t5\t1.5\ttrue\t0 ms\t007\n02\tn/a\t2\tn/a\t0 ms\t8\n";
        let frame = Frame::parse(Path::new("x.tsv"), text).unwrap();
        assert_eq!(frame.rows, 2);
        let values = |name: &str| &frame.column(name).unwrap().values;
        assert!(matches!(values("participant"), Values::Text(words) if words.get(0) == Some("01")));
        assert_eq!(*values("onset_ns"), Values::Integer(vec![Some(5), None]));
        assert_eq!(*values("mean"), Values::Number(vec![Some(1.5), Some(2.0)]));
        assert_eq!(*values("used"), Values::Truth(vec![Some(true), None]));
        assert!(matches!(values("delay"), Values::Text(words) if words.words == ["0 ms"]));
        assert!(matches!(values("code"), Values::Text(_)));
    }

    #[test]
    fn the_kinds_of_a_table_of_conditions_do_not_depend_on_its_cells() {
        let head = "participant\tlevel\tstretch\ttrials\ttaps\ttaps_sd\ttaps_n\talpha\talpha_sd\t\
                    alpha_n\tresponse_rounds\tresponse_rounds_sd\tresponse_rounds_n\tpooled_alpha\tno_alpha\n";
        let rows = [
            "01\t1\tall\t2\t40\t0\t2\t1\t0\t2\tn/a\tn/a\t0\tn/a\ttoo few\n",
            "01\t0.5\tall\t2\t40.5\t0.7\t2\t0.3\t0.1\t2\t3\tn/a\t1\t0.25\tn/a\n",
            "01\ttrue\tall\t2\tn/a\tn/a\t0\tn/a\tn/a\t0\t2.5\t1\t2\t1\tn/a\n",
            "01\tn/a\tn/a\t2\t40\tn/a\t1\tn/a\tn/a\t0\t2\t1\t2\tn/a\tn/a\n",
            "",
        ];
        let kinds = rows.map(|row| {
            let text = format!("{head}{row}");
            let frame = Frame::parse_with(Path::new("x.tsv"), &text, &["level".into()]).unwrap();
            frame.columns.iter().map(|column| column.values.kind()).collect::<Vec<_>>()
        });
        assert!(kinds.iter().all(|found| *found == kinds[0]), "{kinds:?}");
        let (taps, taps_n) = (kinds[0][4], kinds[0][6]);
        assert_eq!((taps, taps_n), (ValueKind::Number, ValueKind::Integer));
    }

    const TRIALS: &str = "trial\tstep\tcounts\tdose\tdelay\tn\tseed\tevents_file\n";

    fn stated() -> Stated {
        let mut stated = Stated::default();
        stated.add("dose", ["1b", "1"]);
        stated.add("delay", ["200 ms", "0 ms"]);
        stated.add("n", ["2", "1"]);
        stated
    }

    #[test]
    fn the_kind_of_a_factor_is_that_of_its_levels_whatever_was_read() {
        let rows = ["1\tmain\ttrue\t1\t0 ms\t1\t9\tx\n", "1\tmain\ttrue\t1b\tn/a\t2\t9\tx\n", ""];
        for row in rows {
            let text = format!("{TRIALS}{row}");
            let frame = Frame::parse_stated(Path::new("x.tsv"), &text, &stated()).unwrap();
            let kinds =
                ["dose", "delay", "n"].map(|name| frame.column(name).unwrap().values.kind());
            assert_eq!(kinds, [ValueKind::Text, ValueKind::Text, ValueKind::Integer], "{row}");
        }
        let text = format!("{TRIALS}{}", rows[0]);
        let frame = Frame::parse(Path::new("x.tsv"), &text).unwrap();
        let kind = frame.column("n").unwrap().values.kind();
        assert_eq!(kind, ValueKind::Text, "nothing is stated");
        let text = format!("{TRIALS}1\tmain\ttrue\t1\t0 ms\tmany\t9\tx\n");
        let frame = Frame::parse_stated(Path::new("x.tsv"), &text, &stated()).unwrap();
        let kind = frame.column("n").unwrap().values.kind();
        assert_eq!(kind, ValueKind::Text, "no cell is lost");
    }

    #[test]
    fn words_of_a_factor_stand_in_the_order_of_the_study() {
        let text = format!("{TRIALS}1\tmain\ttrue\t1\t0 ms\t1\t9\tx\n");
        let path = Path::new("x.tsv");
        let (frame, factors) = Frame::parse_all(&[(path, &text)], &|_| true, &stated()).unwrap();
        assert_eq!(factors, ["dose", "delay", "n"]);
        let Values::Text(words) = &frame.column("delay").unwrap().values else { panic!("text") };
        assert_eq!(
            (&*words.words, words.get(0)),
            (&["200 ms".into(), "0 ms".into()][..], Some("0 ms"))
        );
    }

    #[test]
    fn a_table_of_a_dataset_has_the_levels_of_the_description_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sub-1_task-t_beh.tsv");
        std::fs::write(&path, format!("{TRIALS}1\tmain\ttrue\t1\t0 ms\t1\t9\tx\n")).unwrap();
        let about =
            r#"{ "dose": { "Levels": { "1": "1", "1b": "1b" } }, "n": { "Levels": { "1": "" } } }"#;
        std::fs::write(path.with_extension("json"), about).unwrap();
        let frame = Frame::read(&path).unwrap();
        let kinds = ["dose", "n"].map(|name| frame.column(name).unwrap().values.kind());
        assert_eq!(kinds, [ValueKind::Text, ValueKind::Integer]);
    }

    #[test]
    fn rows_are_repeated_and_tables_put_together() {
        let text = "who\tn\nann\t1\nbob\t2\nann\tn/a\n";
        let frame = Frame::parse(Path::new("x.tsv"), text).unwrap();
        let mut all = frame.repeated(1, &[2, 1]);
        all.append(frame.repeated(0, &[1, 0]));
        let words = |frame: &Frame| match &frame.columns[0].values {
            Values::Text(words) => {
                (0..frame.rows).map(|row| words.get(row).unwrap().to_owned()).collect::<Vec<_>>()
            }
            _ => panic!("names are text"),
        };
        assert_eq!(words(&all), ["bob", "bob", "ann", "ann"]);
        let n = Values::Integer(vec![Some(2), Some(2), None, Some(1)]);
        assert_eq!((all.rows, &all.columns[1].values), (4, &n));
    }

    #[test]
    fn a_cell_that_nobody_can_read_is_named_and_not_taken_for_a_missing_one() {
        let refused =
            Frame::parse(Path::new("x.tsv"), "a\tb\n1\tok\n1\tC:\\temp\\x\n").unwrap_err();
        let ExchangeError::Backslash { line: 3, column, cell, .. } = refused else {
            panic!("{refused}")
        };
        assert_eq!((&*column, &*cell), ("b", "C:\\temp\\x"));
    }

    #[test]
    fn tables_lie_under_each_other_by_the_names_of_their_columns() {
        let (one, other) = ("who\tn\tx\nann\t1\t007\n", "x\tn\tmore\n8\t2\ttrue\n");
        let path = Path::new("x.tsv");
        let wanted = |name: &str| name != "who";
        let none = Stated::default();
        let (all, _) = Frame::parse_all(&[(path, one), (path, other)], &wanted, &none).unwrap();
        let names: Vec<&str> = all.columns.iter().map(|column| &*column.name).collect();
        assert_eq!((names, all.rows), (vec!["n", "x", "more"], 2));
        assert_eq!(all.columns[0].values, Values::Integer(vec![Some(1), Some(2)]));
        assert_eq!(all.columns[1].values.kind(), ValueKind::Text, "007 would not come back");
        assert_eq!(all.columns[2].values, Values::Truth(vec![None, Some(true)]));
    }

    #[test]
    fn a_table_that_is_no_text_is_named_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.tsv");
        std::fs::write(&path, b"level\n5 \xb5s\n").unwrap();
        let refused = Frame::read(&path).unwrap_err();
        let ExchangeError::NotUtf8 { found, .. } = refused else { panic!("{refused}") };
        assert_eq!((found.line, found.offset, found.byte), (2, 8, 0xb5));
    }

    #[test]
    fn a_line_with_a_cell_too_many_is_named() {
        let refused = Frame::parse(Path::new("x.tsv"), "a\tb\n1\t2\n1\t2\t3\n").unwrap_err();
        let ExchangeError::Cells { line: 3, found: 3, needed: 2, .. } = refused else {
            panic!("{refused}")
        };
    }
}

//! [`Columns`]: a table whose columns are made one after the other, when they are written. That of
//! trials has a hundred, and with all of them in memory at one time a large study would need more
//! room for it than for all else.

use crate::exchange::frame::{TextCells, ValueKind, as_whole};
use crate::exchange::{Frame, FrameColumn, Values};
use crate::tables::{TrialRow, measures};
use chronotap_analysis::statistics::Statistic;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// A table that is not there yet.
pub(crate) struct Columns<'a> {
    /// The columns, in order.
    pub columns: Vec<Made<'a>>,
    /// How many rows there are.
    pub rows: usize,
}

/// A column that is made when it is asked for.
pub(crate) struct Made<'a> {
    pub name: String,
    pub kind: ValueKind,
    make: Box<dyn Fn(Range<usize>) -> Values + 'a>,
}

impl Made<'_> {
    /// Its cells in these rows.
    pub fn cells(&self, rows: Range<usize>) -> Values {
        (self.make)(rows)
    }
}

impl Columns<'_> {
    /// Some rows of it.
    pub fn frame_of(&self, rows: Range<usize>) -> Frame {
        let made = |column: &Made<'_>| FrameColumn::named(&column.name, column.cells(rows.clone()));
        Frame { columns: self.columns.iter().map(made).collect(), rows: rows.len() }
    }
}

/// The columns that say which trial a row is of; `which` has a row for each trial, `places` the
/// place in it for each row.
pub(crate) fn which_columns<'a>(which: &'a Frame, places: &'a [usize]) -> Vec<Made<'a>> {
    let made = |column: &'a FrameColumn| Made {
        name: column.name.clone(),
        kind: column.values.kind(),
        make: Box::new(|rows| column.values.picked(&places[rows])),
    };
    which.columns.iter().map(made).collect()
}

/// A column of text with a cell for each row of the table of trials.
pub(crate) fn text_column<'a>(
    name: &str,
    all: &'a [&'a TrialRow],
    cell: impl Fn(&'a TrialRow) -> Option<&'a str> + 'a,
) -> Made<'a> {
    owned_text_column(name, all, move |row, words| words.push(cell(row)))
}

/// The same, where the text has to be made.
pub(crate) fn owned_text_column<'a>(
    name: &str,
    all: &'a [&'a TrialRow],
    push: impl Fn(&'a TrialRow, &mut TextCells) + 'a,
) -> Made<'a> {
    let make = move |rows: Range<usize>| {
        let mut words = TextCells::default();
        all[rows].iter().for_each(|row| push(row, &mut words));
        Values::Text(words)
    };
    Made { name: name.to_owned(), kind: ValueKind::Text, make: Box::new(make) }
}

/// A column of true and false.
pub(crate) fn truth_column<'a>(
    name: &str,
    all: &'a [&'a TrialRow],
    cell: impl Fn(&'a TrialRow) -> Option<bool> + 'a,
) -> Made<'a> {
    let kind = ValueKind::Truth;
    let make =
        move |rows: Range<usize>| Values::Truth(all[rows].iter().map(|row| cell(row)).collect());
    Made { name: name.to_owned(), kind, make: Box::new(make) }
}

/// The columns of input, stream and stretch.
pub(crate) fn part_columns<'a>(all: &'a [&'a TrialRow]) -> [Made<'a>; 3] {
    [
        text_column("input", all, |row| Some(&row.input)),
        text_column("against", all, |row| row.against.as_deref()),
        text_column("stretch", all, |row| Some(row.stretch.as_deref().unwrap_or("all"))),
    ]
}

/// The columns of measures, each with the two of its interval behind it.
pub(crate) fn measure_columns<'a>(all: &'a [&'a TrialRow]) -> Vec<Made<'a>> {
    const CELLS: [Cell; 3] = [
        |row, place| row.value(place),
        |row, place| row.bounds(place).map(|[low, _]| low),
        |row, place| row.bounds(place).map(|[_, high]| high),
    ];
    let of = |(place, measure): (usize, &&'static Statistic)| {
        let kinds = [measure.kind, ValueKind::Number, ValueKind::Number];
        let columns = measure.columns().zip(kinds).zip(CELLS);
        columns.map(move |((name, kind), cell)| Numbered { name, kind, place, cell })
    };
    let columns: Vec<Numbered> = measures().iter().enumerate().flat_map(of).collect();
    columns.chunks(AT_ONCE).flat_map(|some| number_columns(some, all)).collect()
}

/// A column of the numbers of one statistic.
struct Numbered {
    name: String,
    kind: ValueKind,
    place: usize,
    cell: Cell,
}

type Cell = fn(&TrialRow, usize) -> Option<f64>;
/// The cells of a column of numbers.
type Cells = Vec<Option<f64>>;

/// So many columns of numbers are made at a time. The numbers of a row lie together, and those of
/// all rows do not fit into a processor's caches: a column by itself would wait for each of them.
const AT_ONCE: usize = 16;

fn number_columns<'a>(some: &[Numbered], all: &'a [&'a TrialRow]) -> Vec<Made<'a>> {
    let cells = some.iter().map(|one| (one.place, one.cell)).collect();
    let block = Rc::new(Block { all, cells, made: RefCell::default() });
    let made = |(column, one): (usize, &Numbered)| {
        let (kind, block) = (one.kind, Rc::clone(&block));
        let make = move |rows| of_kind(kind, block.take(column, rows));
        Made { name: one.name.clone(), kind, make: Box::new(make) }
    };
    some.iter().enumerate().map(made).collect()
}

/// Neighbouring columns of numbers.
struct Block<'a> {
    all: &'a [&'a TrialRow],
    cells: Vec<(usize, Cell)>,
    /// Those of the rows that were asked for last, but for columns that were taken.
    made: RefCell<(Range<usize>, Vec<Cells>)>,
}

impl Block<'_> {
    fn take(&self, column: usize, rows: Range<usize>) -> Cells {
        let mut made = self.made.borrow_mut();
        let there = made.0 == rows && made.1.get(column).is_some_and(|c| c.len() == rows.len());
        if !there {
            *made = (rows.clone(), self.make(rows));
        }
        std::mem::take(&mut made.1[column])
    }

    fn make(&self, rows: Range<usize>) -> Vec<Cells> {
        let room = |_: &(usize, Cell)| Vec::with_capacity(rows.len());
        let mut columns: Vec<Cells> = self.cells.iter().map(room).collect();
        for row in &self.all[rows] {
            for (column, (place, cell)) in columns.iter_mut().zip(&self.cells) {
                column.push(cell(row, *place));
            }
        }
        columns
    }
}

fn of_kind(kind: ValueKind, cells: Cells) -> Values {
    let finite = |cell: Option<f64>| cell.filter(|number| number.is_finite());
    match kind {
        ValueKind::Integer => {
            Values::Integer(cells.into_iter().map(|c| as_whole(finite(c)?)).collect())
        }
        _ => Values::Number(cells.into_iter().map(finite).collect()),
    }
}

//! [`TapColumns`]: taps as they are read, straight into columns, without a text between.

use crate::frame::Words;
use crate::{Column, Frame, Values};
use chronotap_tables::{Source, TapRow, TapSink};

/// The columns of taps.
#[derive(Debug, Default)]
pub(crate) struct TapColumns {
    which: Which,
    input: Words,
    tap: Vec<Option<i64>>,
    event_id: Vec<Option<i64>>,
    onset_ns: Vec<Option<i64>>,
    stretch: Words,
    interval_ns: Vec<Option<i64>>,
    fate: Words,
    against: Words,
    beat: Vec<Option<i64>>,
    asynchrony_ns: Vec<Option<i64>>,
    left_out: [Words; 3],
}

/// Which trial a row is of: the same columns in every dataset, whatever its factors.
#[derive(Debug, Default)]
pub(crate) struct Which {
    cells: [Words; 9],
    counts: Vec<Option<bool>>,
    condition: Words,
    now: Option<(Source, String)>,
}

/// The names of the columns of text, in order.
const WHICH: [&str; 9] = [
    "participant",
    "session",
    "task",
    "trial",
    "step",
    "block",
    "repetition",
    "attempt",
    "events_file",
];

impl Which {
    /// The rows that follow are of this trial; `factors` are the dataset's.
    pub(crate) fn begin(&mut self, source: &Source, factors: &[String]) {
        self.now = Some((source.clone(), condition(source, factors)));
    }

    /// Adds the cells of a row.
    pub(crate) fn push(&mut self) {
        let (source, condition) = self.now.as_ref().expect("a trial began");
        let head = [&source.participant, &source.session, &source.task];
        let all = head.into_iter().chain(&source.place).map(Option::as_deref);
        let all = all.chain([Some(source.shown.as_str())]);
        self.cells.iter_mut().zip(all).for_each(|(words, cell)| words.push(cell));
        self.counts.push(Some(source.counts));
        self.condition.push(Some(condition).filter(|words| !words.is_empty()).map(String::as_str));
    }

    /// As columns.
    pub(crate) fn columns(self) -> Vec<Column> {
        let cells = WHICH.iter().zip(self.cells);
        let mut columns: Vec<Column> =
            cells.map(|(name, words)| column(name, Values::Text(words))).collect();
        columns.push(column("counts", Values::Truth(self.counts)));
        columns.push(column("condition", Values::Text(self.condition)));
        columns
    }
}

/// The levels of the factors in one text: `tempo=400 ms; delay=0 ms`.
fn condition(source: &Source, factors: &[String]) -> String {
    let levels = factors.iter().zip(&source.levels);
    let said = levels.filter_map(|(factor, level)| Some(format!("{factor}={}", level.as_ref()?)));
    said.collect::<Vec<_>>().join("; ")
}

fn column(name: &str, values: Values) -> Column {
    Column { name: name.to_owned(), values }
}

impl TapSink for TapColumns {
    fn begin(&mut self, source: &Source, factors: &[String]) {
        self.which.begin(source, factors);
    }

    fn put(&mut self, row: &TapRow<'_>) {
        self.which.push();
        self.input.push(Some(row.input));
        self.tap.push(Some(row.tap));
        self.event_id.push(row.event_id);
        self.onset_ns.push(Some(row.onset.0));
        self.stretch.push(Some(row.stretch));
        self.interval_ns.push(row.interval.map(|interval| interval.0));
        self.fate.push(Some(row.fate));
        self.against.push(row.answered.map(|(stream, ..)| stream));
        self.beat.push(row.answered.map(|(_, beat, _)| beat));
        self.asynchrony_ns.push(row.answered.map(|(.., asynchrony)| asynchrony.0));
        for (words, rule) in self.left_out.iter_mut().zip(&row.left_out) {
            words.push(rule.map(|rule| rule.to_string()).as_deref());
        }
    }
}

impl TapColumns {
    /// As a table.
    pub(crate) fn frame(self) -> Frame {
        let rows = self.tap.len();
        let mut columns = self.which.columns();
        let [tap, interval, asynchrony] = self.left_out;
        columns.extend([
            column("input", Values::Text(self.input)),
            column("tap", Values::Integer(self.tap)),
            column("event_id", Values::Integer(self.event_id)),
            column("onset_ns", Values::Integer(self.onset_ns)),
            column("stretch", Values::Text(self.stretch)),
            column("interval_ns", Values::Integer(self.interval_ns)),
            column("fate", Values::Text(self.fate)),
            column("against", Values::Text(self.against)),
            column("beat", Values::Integer(self.beat)),
            column("asynchrony_ns", Values::Integer(self.asynchrony_ns)),
            column("tap_left_out", Values::Text(tap)),
            column("interval_left_out", Values::Text(interval)),
            column("asynchrony_left_out", Values::Text(asynchrony)),
        ]);
        Frame { columns, rows }
    }
}

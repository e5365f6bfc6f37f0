//! The text that cyclictest prints: `--histogram`, `--histofall`, `--histfile`, with
//! or without its live lines before it.
//!
//! The histogram is a row for each microsecond: the value, then a count for each
//! thread, and under --histofall their sum. Its `Total` leaves out what its average
//! contains, the samples beyond the table. What it prints below the table is held against the rows. With --nsecs the rows are nanoseconds, and
//! nothing in the text says so; take --json then, which does. Which core a thread ran on is not printed either; under -S and -a it is the
//! thread's number.

use super::table::{Column, MOST_COLUMNS, Printed};
use super::{Lacks, Line, PeerError, missing, results};
use crate::{Results, TestFound};

/// The mean is printed as a whole number, cut down.
const CUT: Printed = Printed { counted: None, least: None, mean: Some((1.0, 0.0)) };

/// What was read so far.
#[derive(Default)]
struct Text {
    columns: Vec<Column>,
    live: Option<(u64, u64)>, // priority, interval in us
}

pub(super) fn read(file: &str, text: &str) -> Result<Results, PeerError> {
    let threads = threads(file, text)?;
    let mut read = Text {
        columns: vec![Column { unit_ns: 1_000, printed: CUT, ..Column::default() }; threads],
        ..Text::default()
    };
    for line in Line::all(file, text) {
        read.line(line, threads)?;
    }
    read.results(file)
}

/// A row may have one number more than there are threads, so these are counted first.
fn threads(file: &str, text: &str) -> Result<usize, PeerError> {
    let line = Line::all(file, text)
        .find_map(|line| line.text.strip_prefix("# Min Latencies:").map(|rest| (line, rest)));
    let (line, rest) = line.ok_or_else(|| missing(file, Lacks::Histogram))?;
    match line.numbers(rest)?.len() {
        0 => Err(line.refuse("a latency for each thread", rest)),
        threads if threads > MOST_COLUMNS => Err(line.refuse("at most 1024 threads", rest)),
        threads => Ok(threads),
    }
}

impl Text {
    fn line(&mut self, line: Line<'_>, threads: usize) -> Result<(), PeerError> {
        if let Some(comment) = line.text.strip_prefix("# ") {
            return self.comment(line, comment);
        }
        if line.text.starts_with(|first: char| first.is_ascii_digit()) {
            return self.row(line, threads);
        }
        if line.text.starts_with("T: 0") {
            self.live = live(line.text).or(self.live);
        }
        Ok(()) // live lines, empty ones, the load
    }

    fn row(&mut self, line: Line<'_>, threads: usize) -> Result<(), PeerError> {
        let numbers = line.numbers(line.text)?;
        let counts = numbers.len() - 1;
        if counts != threads && counts != threads + 1 {
            return Err(line.refuse(&format!("a value and {threads} counts"), line.text));
        }
        for (column, count) in self.columns.iter_mut().zip(&numbers[1..]) {
            column.count(numbers[0], *count);
        }
        Ok(())
    }

    fn comment(&mut self, line: Line<'_>, comment: &str) -> Result<(), PeerError> {
        let Some((name, rest)) = comment.split_once(':') else { return Ok(()) };
        let set: fn(&mut Column, u64) = match name {
            "Total" => |column, value| column.printed.counted = Some(value),
            "Min Latencies" => |column, value| column.printed.least = Some(value),
            "Avg Latencies" => |column, value| column.mean = Some(value as f64),
            "Max Latencies" => |column, value| column.max = Some(value),
            "Histogram Overflows" => |column, value| column.beyond = value,
            _ => return Ok(()), // the cycles of overflows
        };
        for (column, value) in self.columns.iter_mut().zip(line.numbers(rest)?) {
            set(column, value);
        }
        Ok(())
    }

    fn results(self, file: &str) -> Result<Results, PeerError> {
        let mut found = TestFound::default();
        for (thread, column) in self.columns.iter().enumerate() {
            let thread = thread.to_string();
            let mut conditions = vec![("thread", thread.as_str())];
            let live = self.live.map(|(priority, us)| (scheduling(priority), us.to_string()));
            if let Some((scheduling, us)) = &live {
                conditions.extend([("scheduling", scheduling.as_str()), ("interval_us", us)]);
            }
            let name = format!("thread {thread}");
            column.add(&name, &conditions, &mut found).map_err(|wrong| {
                let impossible = |expected| Lacks::SenseOf { thread: thread.clone(), expected };
                missing(file, wrong.lacks(&name, impossible))
            })?;
        }
        found.notes.push(
            "taken as whole microseconds, cut down, as cyclictest prints without --nsecs".into(),
        );
        Ok(results(file, "cyclictest", "", found))
    }
}

/// Priority and interval of `T: 0 ( 7591) P:80 I:1000 C: …`.
fn live(text: &str) -> Option<(u64, u64)> {
    let after = |mark: &str| text.split(mark).nth(1)?.split_whitespace().next()?.parse().ok();
    Some((after(" P:")?, after(" I:")?))
}

/// As in the condition of our own series; cyclictest's -m is not told.
pub(super) fn scheduling(priority: u64) -> String {
    if priority == 0 { "ordinary".into() } else { format!("SCHED_FIFO {priority}") }
}

//! The text of `rtla timerlat hist`: for each core how late the timer's interrupt was,
//! how late the kernel's thread that it woke, and with --user-threads how late that of
//! user space.
//!
//! A comment names the unit; a header the columns (`IRQ-000 Thr-000 Usr-000`); a row
//! begins with the lower edge of its bucket; `over:` counts what lies beyond; then
//! count, least, mean (cut down) and greatest, `-` where there were none, and after
//! `ALL:` the same for all cores together, which is left out here. By default rows of
//! zeros alone are left out, so a bucket's width (-b) cannot be seen; but then least and greatest are
//! none of the rows, and the file is refused.
//! Format: Documentation/tools/rtla/rtla-timerlat-hist.rst of the Linux kernel.

use super::table::{Column, MOST_COLUMNS, Printed};
use super::{Lacks, Line, PeerError, missing, results};
use crate::{Results, TestFound};

/// The columns, and what each one is.
#[derive(Default)]
struct Text {
    unit_ns: u64,
    names: Vec<(&'static str, u32)>, // who saw it, core
    columns: Vec<Column>,
}

pub(super) fn read(file: &str, text: &str) -> Result<Results, PeerError> {
    let mut read = Text { unit_ns: 1_000, ..Text::default() };
    for line in Line::all(file, text) {
        let trimmed = line.text.trim();
        if trimmed.starts_with("ALL:") {
            break;
        }
        read.line(line, trimmed)?;
    }
    read.results(file)
}

impl Text {
    fn line(&mut self, line: Line<'_>, text: &str) -> Result<(), PeerError> {
        if let Some(comment) = text.strip_prefix('#') {
            self.comment(line, comment.trim())
        } else if let Some(header) = text.strip_prefix("Index") {
            self.header(line, header)
        } else if self.columns.is_empty() || text.is_empty() {
            Ok(()) // what rtla says before the table
        } else if text.starts_with(|first: char| first.is_ascii_digit()) {
            self.row(line, text)
        } else if let Some((name, rest)) = text.split_once(':') {
            self.summary(line, name, rest)
        } else {
            Ok(()) // what rtla says after it
        }
    }

    fn comment(&mut self, line: Line<'_>, comment: &str) -> Result<(), PeerError> {
        let Some(unit) = comment.strip_prefix("Time unit is ") else { return Ok(()) };
        self.unit_ns = match unit {
            "nanoseconds (ns)" => 1,
            "microseconds (us)" => 1_000,
            other => return Err(line.refuse("nanoseconds (ns) or microseconds (us)", other)),
        };
        Ok(())
    }

    fn header(&mut self, line: Line<'_>, header: &str) -> Result<(), PeerError> {
        let column = |word: &str| {
            let (kind, core) = word.split_once('-')?;
            let seen_by = match kind {
                "IRQ" => "timer interrupt",
                "Thr" => "kernel thread",
                "Usr" => "user thread",
                _ => return None,
            };
            Some((seen_by, core.parse().ok()?))
        };
        self.names = header
            .split_whitespace()
            .map(|word| column(word).ok_or_else(|| line.refuse("a column such as Thr-000", word)))
            .collect::<Result<_, _>>()?;
        if self.names.len() > MOST_COLUMNS {
            return Err(line.refuse("at most 1024 columns", header));
        }
        // The mean is a whole number, cut down.
        let printed = Printed { mean: Some((1.0, 0.0)), ..Printed::default() };
        let column = Column { unit_ns: self.unit_ns, printed, ..Column::default() };
        self.columns = vec![column; self.names.len()];
        Ok(())
    }

    fn row(&mut self, line: Line<'_>, text: &str) -> Result<(), PeerError> {
        let numbers = line.numbers(text)?;
        if numbers.len() != self.columns.len() + 1 {
            let wanted = format!("a value and {} counts", self.columns.len());
            return Err(line.refuse(&wanted, text));
        }
        for (column, &count) in self.columns.iter_mut().zip(&numbers[1..]) {
            column.count(numbers[0], count);
        }
        Ok(())
    }

    fn summary(&mut self, line: Line<'_>, name: &str, rest: &str) -> Result<(), PeerError> {
        let set: fn(&mut Column, u64) = match name {
            "over" => |column, value| column.beyond = value,
            "max" => |column, value| column.max = Some(value),
            "avg" => |column, value| column.mean = Some(value as f64),
            "min" => |column, value| column.printed.least = Some(value),
            "count" => |column, value| column.printed.counted = Some(value),
            _ => return Ok(()),
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        if words.len() != self.columns.len() {
            return Err(line.refuse(&format!("{} values", self.columns.len()), rest));
        }
        for (column, word) in self.columns.iter_mut().zip(words) {
            if word != "-" {
                set(column, line.numbers(word)?[0]);
            }
        }
        Ok(())
    }

    fn results(self, file: &str) -> Result<Results, PeerError> {
        if self.columns.is_empty() {
            return Err(missing(file, Lacks::Header));
        }
        let mut found = TestFound::default();
        for ((seen_by, core), column) in self.names.iter().zip(&self.columns) {
            let counted = column.printed.counted.map(|all| all.saturating_sub(column.beyond));
            let printed = Printed { counted, ..column.printed };
            let column = Column { printed, ..column.clone() };
            let core = core.to_string();
            let conditions = [("core", core.as_str()), ("seen_by", seen_by)];
            let name = format!("core {core}, {seen_by}");
            column.add(&name, &conditions, &mut found).map_err(|wrong| {
                let (core, seen_by) = (core.clone(), seen_by.to_string());
                let impossible = |expected| Lacks::SenseOfColumn { core, seen_by, expected };
                missing(file, wrong.lacks(&name, impossible))
            })?;
        }
        found.notes.push("rtla prints whole units, cut down".into());
        Ok(results(file, "rtla timerlat hist", "", found))
    }
}

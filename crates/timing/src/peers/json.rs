//! JSON: our own results, and what `cyclictest --json` writes.
//!
//! cyclictest 2.4 ends some of its keys with a colon (`"cmdline:"`), and later
//! versions need not, so both are taken. A histogram is there only with --histogram.

use super::cyclictest::scheduling;
use super::table::{Column, MOST_COLUMNS, Printed};
use super::{Lacks, PeerError, missing, results};
use crate::{Results, ResultsError, TestFound};
use chronotap_machine::facts::{Facts, Kernel, Preemption};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A mean has two decimals.
const PRINTED: f64 = 0.0051;

/// The file, as far as it is used.
#[derive(Deserialize)]
struct File {
    #[serde(rename = "cmdline:", alias = "cmdline", default)]
    command: String,
    #[serde(rename = "rt_test_version:", alias = "rt_test_version", default)]
    version: String,
    #[serde(default)]
    start_time: String,
    sysinfo: Option<System>,
    #[serde(default)]
    resolution_in_ns: u64,
    thread: BTreeMap<u32, Thread>,
}

/// What `uname` told.
#[derive(Deserialize)]
struct System {
    release: Option<String>,
    version: Option<String>,
    machine: Option<String>,
    realtime: Option<u8>,
}

impl System {
    fn facts(self) -> Facts {
        let realtime = self.realtime.map(|realtime| realtime != 0);
        let kernel = Kernel {
            release: self.release,
            version: self.version,
            architecture: self.machine,
            preemption: Preemption { realtime, ..Preemption::default() },
            ..Kernel::default()
        };
        Facts { kernel, ..Facts::default() }
    }
}

#[derive(Deserialize)]
struct Thread {
    histogram: Option<BTreeMap<u64, u64>>,
    cycles: u64,
    min: Option<u64>,
    max: u64,
    avg: f64,
    cpu: Option<i64>,
}

pub(super) fn read(file: &str, text: &str) -> Result<Results, PeerError> {
    let unreadable = |error| PeerError::Results { file: file.to_owned(), error };
    refuse_a_second(file, text)?;
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| unreadable(ResultsError::Unreadable(error)))?;
    if value.get("thread").is_none() {
        return Results::parse(text).map_err(unreadable);
    }
    // Again from the text, so that an error names its line.
    let read: File =
        serde_json::from_str(text).map_err(|error| unreadable(ResultsError::Unreadable(error)))?;
    if read.thread.len() > MOST_COLUMNS {
        return Err(missing(file, Lacks::Sense));
    }
    let mut found = TestFound::default();
    for (number, thread) in &read.thread {
        thread.add(file, *number, &read, &mut found)?;
    }
    let program = format!("cyclictest {}", read.version);
    let began = read.start_time.clone();
    let machine = read.sysinfo.map(System::facts);
    Ok(Results { machine, ..results(file, program.trim(), &began, found) })
}

/// An error where another object follows, as where a second run was added with `>>`.
fn refuse_a_second(file: &str, text: &str) -> Result<(), PeerError> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let first = values.next();
    let end = values.byte_offset();
    let rest = text.get(end..).unwrap_or_default();
    if !matches!(first, Some(Ok(_))) || !rest.trim_start().starts_with('{') {
        return Ok(());
    }
    let begins = end + rest.len() - rest.trim_start().len();
    let line = 1 + text[..begins].matches('\n').count();
    Err(missing(file, Lacks::OneRun { line }))
}

impl Thread {
    fn add(
        &self,
        file: &str,
        number: u32,
        of: &File,
        found: &mut TestFound,
    ) -> Result<(), PeerError> {
        let histogram = self.histogram.as_ref();
        let histogram = histogram.ok_or_else(|| missing(file, Lacks::HistogramOf(number)))?;
        let column = self.column(histogram, of);
        let number = number.to_string();
        let conditions = self.conditions(&number, of);
        let pairs: Vec<(&str, &str)> =
            conditions.iter().map(|(name, v)| (*name, v.as_str())).collect();
        let name = format!("thread {number}");
        let impossible = |expected| Lacks::SenseOf { thread: number.clone(), expected };
        let added = column.add(&name, &pairs, found);
        added.map_err(|wrong| missing(file, wrong.lacks(&name, impossible)))
    }

    /// The samples that are in the cycles and not in the histogram lie beyond it.
    fn column(&self, histogram: &BTreeMap<u64, u64>, of: &File) -> Column {
        let counted = histogram.values().fold(0u64, |sum, count| sum.saturating_add(*count));
        let rows: Vec<(u64, u64)> =
            histogram.iter().map(|(value, count)| (*value, *count)).collect();
        let last = rows.last().map_or(0, |(value, _)| value.saturating_add(1));
        let table = option(&of.command, &["-h", "-H"], &["--histogram", "--histofall"]);
        Column {
            unit_ns: if of.resolution_in_ns == 1 { 1 } else { 1_000 },
            rows,
            beyond: self.cycles.saturating_sub(counted),
            end: table.unwrap_or(last),
            max: Some(self.max),
            mean: Some(self.avg),
            printed: Printed {
                counted: Some(counted.min(self.cycles)),
                least: self.min,
                mean: Some((PRINTED, PRINTED)),
            },
            ..Column::default()
        }
    }

    fn conditions(&self, number: &str, of: &File) -> Vec<(&'static str, String)> {
        let mut conditions = vec![("thread", number.to_owned())];
        let core = self.cpu.filter(|cpu| *cpu >= 0);
        conditions.extend(core.map(|core| ("core", core.to_string())));
        let priority = option(&of.command, &["-p"], &["--priority", "--prio"]);
        conditions.extend(priority.map(|priority| ("scheduling", scheduling(priority))));
        let interval = option(&of.command, &["-i"], &["--interval"]);
        conditions.extend(interval.map(|us| ("interval_us", us.to_string())));
        conditions
    }
}

/// The number given with an option, as `-p 80`, `-p80`, `--priority=80` or
/// `--priority 80`.
fn option(command: &str, short: &[&str], long: &[&str]) -> Option<u64> {
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        if short.contains(&word) || long.contains(&name) {
            let value = if value.is_empty() { words.next()? } else { value };
            return value.parse().ok();
        }
        let joined = short.iter().find_map(|short| word.strip_prefix(short)?.parse().ok());
        if joined.is_some() {
            return joined;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_in_every_way_they_are_written() {
        let of = |command| option(command, &["-p"], &["--priority"]);
        for command in ["cyclictest -S -p 80", "c -p80 -m", "c --priority=80", "c --priority 80 -q"]
        {
            assert_eq!(of(command), Some(80), "{command}");
        }
        assert_eq!((of("cyclictest -S"), of("c -p"), of("c --policy=80")), (None, None, None));
    }
}

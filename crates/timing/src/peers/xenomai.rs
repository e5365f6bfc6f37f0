//! The text that Xenomai's `latency` prints: how late its task woke up, in microseconds.
//!
//! `RTT` names the priority, and `RTS` at the end the least, the mean and the greatest of all, the
//! periods overrun, the switches out of the real-time mode, and how long it took. With -h there are rows for three histograms before it: of all samples (`HSD|
//! avg|`), and of each second's least and greatest, which are left out here. A row's number is that
//! of its bucket, a microsecond unless -B says otherwise, which the text does not tell: a mean that
//! does not fit to the rows is refused, and so are a number (`HSS`) and a greatest that are not theirs. The last bucket has whatever lies beyond. Samples before
//! their time stand in the bucket of their absolute value. Without -h there is a mean and a
//! greatest, and no more. Format: testsuite/latency/latency.c of Xenomai 3.

use super::cyclictest::scheduling;
use super::table::{Column, Wrong};
use super::{Lacks, Line, PeerError, missing, results};
use crate::{Results, TestFound};

const UNIT_NS: u64 = 1_000;
/// Further than this from the middle of its rows no mean lies, in buckets.
const FITS: f64 = 1.0;

/// What was read so far.
#[derive(Default)]
struct Text {
    period_us: Option<u64>,
    priority: Option<u64>,
    mode: String,
    rows: Vec<(u64, u64)>,
    /// How many samples are in the rows, as `HSS` says.
    counted: Option<u64>,
    total: Option<Total>,
}

/// The line `RTS`.
struct Total {
    least_us: f64,
    mean_us: f64,
    greatest_us: f64,
    overruns: u64,
    switches: u64,
    seconds: u64,
}

pub(super) fn read(file: &str, text: &str) -> Result<Results, PeerError> {
    let mut read = Text::default();
    for line in Line::all(file, text) {
        read.line(line)?;
    }
    read.results(file)
}

impl Text {
    fn line(&mut self, line: Line<'_>) -> Result<(), PeerError> {
        let text = line.text.trim();
        let mut cells = text.split('|').map(str::trim);
        match cells.next() {
            Some("RTT") => self.conditions(cells.next().unwrap_or_default()),
            Some("HSD") if cells.next() == Some("avg") => self.row(line, cells)?,
            Some("HSS") if cells.next() == Some("avg") => {
                self.counted = cells.next().and_then(first_number);
            }
            Some("RTS") => self.total = Some(Total::of(line, cells)?),
            _ => self.heading(text),
        }
        Ok(())
    }

    /// `== Sampling period: 200 us` and `== Test mode: periodic user-mode task`.
    fn heading(&mut self, text: &str) {
        let after = |start: &str| text.strip_prefix(start).map(str::trim);
        if let Some(period) = after("== Sampling period:") {
            self.period_us = first_number(period);
        } else if let Some(mode) = after("== Test mode:") {
            self.mode = mode.to_owned();
        }
    }

    /// `00:00:01  (periodic user-mode task, 200 us period, priority 99)`.
    fn conditions(&mut self, cell: &str) {
        let mut words = cell.trim_end_matches(')').split("priority ").skip(1);
        self.priority = words.next().and_then(first_number).or(self.priority);
    }

    /// `  2 -  3 |   9941`.
    fn row<'a>(
        &mut self,
        line: Line<'a>,
        mut cells: impl Iterator<Item = &'a str>,
    ) -> Result<(), PeerError> {
        let row = cells.next().and_then(|range| first_number(range.split('-').next()?));
        let count = cells.next().and_then(first_number);
        let row = row.zip(count).ok_or_else(|| line.refuse("a bucket and a count", line.text))?;
        self.rows.push(row);
        Ok(())
    }

    fn results(self, file: &str) -> Result<Results, PeerError> {
        let total = self.total.as_ref().ok_or_else(|| missing(file, Lacks::End))?;
        // Buckets of another width agree with nothing that is printed; that is the cause, then, and told first.
        let column = self.column(total).ok_or_else(|| missing(file, Lacks::Buckets))?;
        self.compare(total)
            .map_err(|wrong| missing(file, wrong.lacks("latency", |_| Lacks::End)))?;
        let mut found = TestFound::default();
        let named = self.named();
        let pairs: Vec<(&str, &str)> = named.iter().map(|(name, v)| (*name, v.as_str())).collect();
        column.add("latency", &pairs, &mut found).map_err(|wrong| {
            let impossible = |expected| Lacks::SenseOf { thread: "0".into(), expected };
            missing(file, wrong.lacks("latency", impossible))
        })?;
        let overruns = total.overruns as f64;
        for series in &mut found.series {
            series.figures.insert("missed_periods".into(), overruns);
        }
        found.notes.extend(self.notes(total));
        Ok(results(file, "Xenomai latency", "", found))
    }

    /// As in the conditions of our own series; a test within the kernel says who saw it.
    fn named(&self) -> Vec<(&'static str, String)> {
        let mut named = vec![("thread", "0".to_owned())];
        named.extend(self.priority.map(|priority| ("scheduling", scheduling(priority))));
        named.extend(self.period_us.map(|us| ("interval_us", us.to_string())));
        let seen_by = match self.mode.as_str() {
            "in-kernel periodic task" => Some("kernel thread"),
            "in-kernel timer handler" => Some("timer interrupt"),
            _ => None,
        };
        named.extend(seen_by.map(|who| ("seen_by", who.to_owned())));
        named
    }

    /// The whole table, `None` where its buckets are no microseconds. The last row has what lies
    /// beyond, where the greatest sample is not in it.
    fn column(&self, total: &Total) -> Option<Column> {
        let greatest = ns(total.greatest_us.max(0.0));
        let mut rows = self.rows.clone();
        let last = rows.last().copied();
        let beyond = match last {
            Some((value, _)) if greatest >= edge(value.saturating_add(1)) => rows.pop(),
            Some(_) => None,
            None => Some((0, self.samples(total))),
        };
        let after = last.map(|(value, _)| (value.saturating_add(1), 0));
        let end = beyond.or(after).map_or(0, |(value, _)| edge(value));
        let rows = rows.into_iter().map(|(value, n)| (edge(value), n)).collect();
        let beyond = beyond.map_or(0, |(_, count)| count);
        let mean = Some(total.mean_us * UNIT_NS as f64);
        self.fits(total).then_some(Column {
            unit_ns: 1,
            rows,
            beyond,
            end,
            max: Some(greatest),
            mean,
            finer_least: last.map(|_| (total.least_us * UNIT_NS as f64).round() as i64),
            ..Column::default()
        })
    }

    /// Holds number and greatest as printed against the rows.
    fn compare(&self, total: &Total) -> Result<(), Wrong> {
        let rows = self.rows.iter().fold(0_u64, |n, (_, count)| n.saturating_add(*count));
        if let Some(printed) = self.counted.filter(|printed| *printed != rows) {
            let what = "the number of samples";
            let (printed, rows) = (printed.to_string(), rows.to_string());
            return Err(Wrong::Disagrees { what, printed, rows });
        }
        let used = self.rows.iter().filter(|(_, count)| *count > 0);
        let last = used.map(|(row, _)| *row).max();
        // Those before their time stand in the row of their amount.
        let greatest = total.greatest_us.max(-total.least_us);
        match last.filter(|row| *row as f64 > greatest) {
            Some(row) => Err(Wrong::Disagrees {
                what: "the greatest",
                printed: format!("{greatest:.3}"),
                rows: row.to_string(),
            }),
            None => Ok(()),
        }
    }

    /// Whether the rows can be microseconds. Samples that came early are folded over, so that
    /// their mean tells nothing.
    fn fits(&self, total: &Total) -> bool {
        let n = self.rows.iter().fold(0, |n: u64, (_, count)| n.saturating_add(*count));
        if n == 0 || total.least_us < 0.0 {
            return true;
        }
        let sum: f64 = self.rows.iter().map(|(row, n)| (*row as f64 + 0.5) * *n as f64).sum();
        let apart = total.mean_us - sum / n as f64;
        let open = self.rows.last().filter(|(row, _)| total.greatest_us >= *row as f64 + 1.0);
        let beyond = open.map_or(0.0, |(_, count)| total.greatest_us * *count as f64 / n as f64);
        (-FITS..=FITS + beyond).contains(&apart)
    }

    /// How many there were, where no histogram counts them: the periods of the whole time.
    fn samples(&self, total: &Total) -> u64 {
        self.period_us.map_or(0, |us| total.seconds.saturating_mul(1_000_000 / us.max(1)))
    }

    fn notes(&self, total: &Total) -> Vec<String> {
        let mut notes = Vec::new();
        if self.rows.is_empty() {
            notes.push(
                "latency was run without -h: there are only a mean and a greatest, and as many \
                 samples as its time has periods"
                    .into(),
            );
        } else {
            notes.push(
                "least, mean and greatest are the printed ones; quantiles are whole microseconds, cut down".into(),
            );
        }
        if total.least_us < 0.0 {
            notes.push(format!(
                "some samples came before their time, by up to {:.3} us: the table has their \
                 absolute values, the printed mean has not",
                -total.least_us
            ));
        }
        if total.switches > 0 {
            notes.push(format!(
                "the task left the real-time mode {} times; some of the greatest may be of that",
                total.switches
            ));
        }
        notes
    }
}

impl Total {
    fn of<'a>(line: Line<'a>, cells: impl Iterator<Item = &'a str>) -> Result<Total, PeerError> {
        let cells: Vec<&str> = cells.collect();
        let number = |place: usize| cells.get(place)?.parse::<f64>().ok().filter(|x| x.is_finite());
        let read = || {
            let [least_us, mean_us, greatest_us] = [number(0)?, number(1)?, number(2)?];
            // Xenomai 2 has no column of mode switches: there stands the duration.
            let switches = cells.get(4)?.parse().unwrap_or(0);
            let (overruns, seconds) = (cells.get(3)?.parse().ok()?, duration(cells.last()?)?);
            Some(Total { least_us, mean_us, greatest_us, overruns, switches, seconds })
        };
        read().ok_or_else(|| line.refuse("least, mean, greatest and overruns", line.text))
    }
}

/// Seconds of `05:33:20/05:33:20`: how long it ran, and how long it was to run.
fn duration(text: &str) -> Option<u64> {
    let ran = text.split('/').next()?.split(':');
    ran.map(|part| part.trim().parse::<u64>().ok())
        .try_fold(0, |sum: u64, part| sum.checked_mul(60)?.checked_add(part?))
}

/// The lower edge of a bucket in nanoseconds; of one that cannot be, a time that cannot be.
const fn edge(value: u64) -> u64 {
    value.saturating_mul(UNIT_NS)
}

fn ns(us: f64) -> u64 {
    (us * UNIT_NS as f64).round() as u64
}

fn first_number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

//! What a journal still says behind damage in its middle.
//!
//! Every line ends in a checksum of itself and of the checksum before it. Behind a damaged
//! line a line is whole where it agrees with the checksum that stands at the end of the line
//! before it, or of the last line that was whole. So reading goes on at the second line behind
//! the damage, often at the first.
//!
//! Not everything that agrees is taken: the remains of another journal agree with themselves.
//! Reading ends at another journal's first line, and a line is left out that gives a known
//! event's number to another event. What remains is flagged, so that nobody takes it for as
//! sure as the rest.

use super::lines::{Lines, is_torn};
use super::{Chain, FORMAT, Journal, Line};
use crate::{Entry, Footer, Rows, settled};
use chronotap_engine::action::{Action, Kind};
use chronotap_time::Nanos;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, BufRead};

/// What was read behind the first damage; nothing where only a torn last line is unusable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behind {
    /// The damaged places, in order.
    pub gaps: Vec<Gap>,
    /// Every event behind the first of them that could be read.
    pub entries: Vec<Entry>,
    /// Present where the trial ended properly.
    pub footer: Option<Footer>,
    /// Events that found the queue full, as far as the lines behind the damage say.
    pub dropped: u64,
    /// Bytes of all gaps and of a torn last line.
    pub unusable_bytes: u64,
}

/// Whole lines that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// Line of the journal, from 1, as far as its line breaks are left.
    pub line: usize,
    /// How many bytes.
    pub bytes: u64,
    /// When the engine decided the last event before it; `None` where there is none.
    pub after: Option<Nanos>,
    /// When it decided the first event behind it; `None` where there is none.
    pub before: Option<Nanos>,
}

/// The rows of a journal; those behind a gap are flagged.
pub fn journal_rows(journal: &Journal) -> Rows<'_> {
    let (header, behind) = (&journal.header, &journal.behind.entries);
    if behind.is_empty() {
        return Rows::of_header(header, &journal.entries);
    }
    let known = journal.entries.iter().map(|entry| entry.action.id).collect();
    let entries = [&journal.entries[..], behind].concat();
    let settled = Cow::Owned(settled(&entries).into_owned());
    Rows::of_all(&header.names, settled, Some(known)).told_by(header)
}

/// Reads on from the first line that is not whole.
pub(super) fn read<R: BufRead>(
    journal: &Journal,
    last: Chain,
    line: usize,
    lines: &mut Lines<R>,
) -> io::Result<Behind> {
    let mut reading = Reading {
        behind: Behind { dropped: journal.dropped, ..Behind::default() },
        known: HashMap::new(),
        last,
        ended: journal.footer.is_some(),
        latest: None,
        in_gap: false,
    };
    let (mut printed, mut number) = (None, line);
    while let Some(one) = lines.next()? {
        if is_torn(one) {
            reading.behind.unusable_bytes += one.len() as u64;
            break;
        }
        if reading.known.is_empty() {
            journal.entries.iter().for_each(|entry| reading.know(entry));
        }
        reading.take(one, printed, number);
        (printed, number) = (Chain::printed(one), number + 1);
    }
    Ok(reading.behind)
}

struct Reading {
    behind: Behind,
    known: HashMap<(u64, bool), Action>,
    last: Chain,
    ended: bool,
    latest: Option<Nanos>,
    in_gap: bool,
}

impl Reading {
    fn take(&mut self, line: &[u8], printed: Option<Chain>, number: usize) {
        let chains = [Some(self.last), printed].into_iter().flatten();
        let whole = chains.into_iter().find_map(|mut chain| {
            let body = chain.take(line)?;
            Some((chain, Line::parse(body)?))
        });
        match whole.filter(|(_, line)| !self.ended && self.fits(line)) {
            Some((chain, line)) => {
                self.last = chain;
                self.in_gap = false;
                self.add(line);
            }
            None => self.leave_out(line, number),
        }
    }

    /// Whether it can belong to this journal.
    fn fits(&self, line: &Line) -> bool {
        let Line::Entry(entry) = line else { return true };
        self.known.get(&key(entry)).is_none_or(|known| *known == entry.action)
    }

    fn add(&mut self, line: Line) {
        match line {
            Line::Entry(entry) => {
                let at = entry.action.instant;
                let open = self.behind.gaps.iter_mut().rev().take_while(|gap| gap.before.is_none());
                open.for_each(|gap| gap.before = Some(at));
                self.know(&entry);
                self.behind.entries.push(entry);
            }
            Line::Dropped(count) => self.behind.dropped = count,
            Line::Footer(footer) => {
                self.behind.footer = Some(footer);
                self.ended = true;
            }
        }
    }

    fn know(&mut self, entry: &Entry) {
        self.known.insert(key(entry), entry.action);
        self.latest = Some(entry.action.instant);
    }

    fn leave_out(&mut self, line: &[u8], number: usize) {
        self.ended |= line.windows(FORMAT.len()).any(|bytes| bytes == FORMAT.as_bytes());
        self.behind.unusable_bytes += line.len() as u64;
        if !self.in_gap {
            let gap = Gap { line: number, after: self.latest, ..Gap::default() };
            self.behind.gaps.push(gap);
            self.in_gap = true;
        }
        if let Some(gap) = self.behind.gaps.last_mut() {
            gap.bytes += line.len() as u64;
        }
    }
}

/// The end of a tone has the number of the tone.
fn key(entry: &Entry) -> (u64, bool) {
    (entry.action.id, entry.action.kind == Kind::ToneOff)
}

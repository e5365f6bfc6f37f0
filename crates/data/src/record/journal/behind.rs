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
use super::{Chain, FORMAT, Found, Journal, Known, Line};
use crate::record::{Entry, Footer};
use chronotap_core::time::Nanos;
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

/// Damaged places that are told of one by one.
const MOST_GAPS: usize = 1_000;

/// Whole lines that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// Line of the journal, from 1, as far as its line breaks are left.
    pub line: usize,
    /// How many places it stands for: one, but for the last of a thousand, which has all that
    /// follow.
    pub places: u64,
    /// How many bytes.
    pub bytes: u64,
    /// When the engine decided the last event before it; `None` where there is none.
    pub after: Option<Nanos>,
    /// When it decided the first event behind it; `None` where there is none.
    pub before: Option<Nanos>,
}

/// Reads on from the first line that is not whole, whose number is given. `last` ends the line
/// before it, and `known` are the events before it. What is found goes to `take`.
pub(super) fn read<R: BufRead>(
    journal: &Journal,
    (last, line): (Chain, usize),
    known: Known,
    lines: &mut Lines<R>,
    take: &mut impl FnMut(u64, Found<'_>) -> io::Result<()>,
) -> io::Result<Behind> {
    let mut reading = Reading {
        behind: Behind { dropped: journal.dropped, ..Behind::default() },
        latest: known.latest(),
        known,
        last,
        ended: journal.footer.is_some(),
        in_gap: false,
        take,
    };
    let (mut printed, mut number, mut at) = (None, line, lines.bytes());
    while let Some(one) = lines.next()? {
        if is_torn(one) {
            reading.behind.unusable_bytes += one.len() as u64;
            break;
        }
        reading.take(one, printed, (number, at))?;
        (printed, number) = (Chain::printed(one), number + 1);
        at = lines.bytes();
    }
    Ok(reading.behind)
}

struct Reading<'a, T> {
    behind: Behind,
    known: Known,
    last: Chain,
    ended: bool,
    latest: Option<Nanos>,
    in_gap: bool,
    take: &'a mut T,
}

impl<T: FnMut(u64, Found<'_>) -> io::Result<()>> Reading<'_, T> {
    fn take(
        &mut self,
        line: &[u8],
        printed: Option<Chain>,
        (number, at): (usize, u64),
    ) -> io::Result<()> {
        let chains = [Some(self.last), printed].into_iter().flatten();
        let whole = chains.into_iter().find_map(|mut chain| {
            let body = chain.take(line)?;
            Some((chain, Line::parse(body)?))
        });
        match whole.filter(|_| !self.ended) {
            Some((chain, line)) if self.fits(&line)? => {
                self.last = chain;
                self.in_gap = false;
                self.add(line, at)
            }
            _ => {
                self.leave_out(line, number);
                (self.take)(at, Found::LeftOut(line))
            }
        }
    }

    /// Whether it can belong to this journal.
    fn fits(&mut self, line: &Line) -> io::Result<bool> {
        let Line::Entry(entry) = line else { return Ok(true) };
        self.known.fits(entry)
    }

    fn add(&mut self, line: Line, place: u64) -> io::Result<()> {
        match line {
            Line::Entry(entry) => {
                let at = entry.action.instant;
                let open = self.behind.gaps.iter_mut().rev().take_while(|gap| gap.before.is_none());
                open.for_each(|gap| gap.before = Some(at));
                let sure = self.known.is_sure(entry.action.id)?;
                self.known.add(&entry, false)?;
                self.latest = Some(at);
                (self.take)(place, Found::Behind { entry, sure })?;
            }
            Line::Dropped(count) => self.behind.dropped = count,
            Line::Footer(footer) => {
                self.behind.footer = Some(footer);
                self.ended = true;
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, line: &[u8], number: usize) {
        self.ended |= line.windows(FORMAT.len()).any(|bytes| bytes == FORMAT.as_bytes());
        self.behind.unusable_bytes += line.len() as u64;
        if !self.in_gap {
            self.begin_gap(number);
            self.in_gap = true;
        }
        if let Some(gap) = self.behind.gaps.last_mut() {
            gap.bytes += line.len() as u64;
        }
    }

    fn begin_gap(&mut self, line: usize) {
        let gap = Gap { line, places: 1, after: self.latest, ..Gap::default() };
        let full = self.behind.gaps.len() >= MOST_GAPS;
        match self.behind.gaps.last_mut().filter(|_| full) {
            // A file that is damaged all over is told of in one.
            Some(last) => (last.places, last.before) = (last.places + 1, None),
            None => self.behind.gaps.push(gap),
        }
    }
}

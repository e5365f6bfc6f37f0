//! [`StoredRows`]: the rows of a journal whose events stay in its file, each made when its turn
//! comes. They are those of [`Rows`](crate::Rows) for the same events.
//!
//! Kept in memory are the order of the rows, 4 bytes each, what ends each tone, 4 bytes for each
//! event, and of each tap where it is and what became of it, 56 bytes; while that is found out,
//! 24 bytes for each row, and what [`Account`](chronotap_analysis::account::Account) takes.

use super::stored::StoredEntries;
use crate::fates::Fates;
use crate::rows::{Beside, Ends, NONE, answered, onset, row_of, trial_type};
use crate::summarize::Observing;
use crate::{Circumstances, Header, Row, Table, answers};
use chronotap_engine::action::Kind;
use chronotap_experiment::TrialFile;
use chronotap_time::Nanos;
use std::io::{self, Read, Seek};

/// The rows of a journal in its file, sorted by onset, then by event id.
#[derive(Debug)]
pub struct StoredRows<'a, F> {
    header: &'a Header,
    entries: &'a mut StoredEntries<F>,
    order: Vec<u32>,       // of the entries that make rows, by their rows
    ended_by: Vec<u32>,    // of each entry, the one that ends its tone or tap
    taps: Vec<(u64, u32)>, // the entries of taps, by their events
    fates: Fates,
    framed: bool,
}

impl<'a, F: Read + Seek> StoredRows<'a, F> {
    pub(super) fn of(
        header: &'a Header,
        entries: &'a mut StoredEntries<F>,
    ) -> io::Result<StoredRows<'a, F>> {
        let fates = fates(header, entries)?;
        let mut ends = Ends::default();
        let mut keys: Vec<(Nanos, u64, u32)> = Vec::new();
        let mut taps: Vec<(u64, u32)> = Vec::new();
        let mut framed = false;
        for at in entries.places() {
            let entry = entries.get(at)?;
            ends.add(at, &entry);
            if matches!(entry.action.kind, Kind::Tap(_)) {
                taps.push((entry.action.id, at));
            }
            if trial_type(entry.action.kind).is_some() {
                keys.push((onset(&entry), entry.action.id, at));
                framed |= entry.frame.is_some();
            }
        }
        keys.sort_unstable();
        taps.sort_unstable();
        // Collecting would keep the room of the keys.
        let mut order = Vec::with_capacity(keys.len());
        order.extend(keys.iter().map(|(.., at)| at));
        drop(keys);
        Ok(StoredRows { header, entries, order, ended_by: ends.done(), taps, fates, framed })
    }

    fn row(&mut self, at: u32) -> io::Result<Option<Row>> {
        let entry = self.entries.get(at)?;
        let end = self.ended_by.get(at as usize).copied().filter(|end| *end != NONE);
        let tap = answered(&entry).and_then(|cause| self.tap(cause));
        let beside = Beside {
            end: end.map(|end| self.entries.get(end)).transpose()?,
            tap: tap.map(|tap| self.entries.get(tap)).transpose()?,
            fate: self.fates.of(entry.action.id),
            sure: self.entries.is_sure(at),
        };
        Ok(row_of(&self.header.names, &entry, beside))
    }

    /// Where the tap of this event is; the last, should there be several.
    fn tap(&self, event: u64) -> Option<u32> {
        let behind = self.taps.partition_point(|(id, _)| *id <= event);
        let (id, at) = *self.taps.get(behind.checked_sub(1)?)?;
        (id == event).then_some(at)
    }
}

impl<F: Read + Seek> Table for StoredRows<'_, F> {
    fn rows(&self) -> usize {
        self.order.len()
    }

    fn are_framed(&self) -> bool {
        self.framed
    }

    fn each(&mut self, take: &mut dyn FnMut(&Row) -> io::Result<()>) -> io::Result<()> {
        for place in 0..self.order.len() {
            if let Some(row) = self.row(self.order[place])? {
                take(&row)?;
            }
        }
        Ok(())
    }
}

/// What became of the taps; nothing where the header has no trial file that this version of the
/// program can read.
fn fates<F: Read + Seek>(header: &Header, entries: &mut StoredEntries<F>) -> io::Result<Fates> {
    let kept = &header.trial_file;
    let Ok(file) = TrialFile::parse(&kept.text, &kept.name) else { return Ok(Fates::default()) };
    let seen = Circumstances { answers: answers(&file), ..Circumstances::default() };
    let mut observing = Observing::of(&file.trial, &seen);
    for at in entries.places() {
        observing.add(&entries.get(at)?);
    }
    Ok(Fates::of_observed(&observing.done()))
}

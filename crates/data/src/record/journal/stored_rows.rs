//! [`StoredRows`]: the rows of a journal whose events stay in its file, each made when its turn
//! comes. They are those of [`Rows`](crate::record::Rows) for the same events.
//!
//! What is kept of each event (its turn, what ends its tone, where its tap is) is in a
//! [`Scratch`]. In memory are what became of the taps, as long as there are no more than
//! [`MOST_JUDGED`](crate::record::MOST_JUDGED), and while that is found out what
//! [`Account`](chronotap_analysis::account::Account) takes.

use super::Scratch;
use super::numbers::Numbers;
use super::sorting::Sorter;
use super::stored::{StoredEntries, StoredJournal};
use crate::record::fates::{Fates, judging};
use crate::record::rows::{Beside, answered, ended, may_be_ended, onset, row_of, trial_type};
use crate::record::summarize::Observing;
use crate::record::{Entry, EventRows, Header, HeardAgain, LiveTaps, Row};
use chronotap_config::trial_files::TrialFile;
use chronotap_engine::action::ActionKind;
use std::io::{self, Read, Seek};

/// The rows of a journal in its file, sorted by onset, then by event id.
#[derive(Debug)]
pub struct StoredRows<'a, F> {
    order: Sorter, // of the entries that make rows
    made_of: MadeOf<'a, F>,
    framed: bool,
    judged: bool,
}

/// What rows are made of.
#[derive(Debug)]
struct MadeOf<'a, F> {
    header: &'a Header,
    entries: &'a mut StoredEntries<F>,
    ties: Ties,
    fates: Fates,
}

impl<F: Read + Seek> StoredJournal<F> {
    /// Its rows; those behind a gap are flagged.
    ///
    /// # Errors
    /// Where the file cannot be read again, and where the scratch refuses.
    pub fn rows(&mut self) -> io::Result<StoredRows<'_, F>> {
        self.rows_beside(&HeardAgain::default())
    }

    /// The same, where what became of taps goes by what the sound says of them that was kept.
    ///
    /// # Errors
    /// As [`StoredJournal::rows`].
    pub fn rows_beside(&mut self, heard: &HeardAgain) -> io::Result<StoredRows<'_, F>> {
        StoredRows::of(&self.about.header, &mut self.entries, &self.scratch, heard)
    }

    /// Its taps.
    ///
    /// # Errors
    /// Where the file cannot be read again.
    pub fn taps(&mut self) -> io::Result<LiveTaps> {
        let mut taps = LiveTaps::default();
        self.entries.each(|_, entry| {
            taps.add(entry);
            Ok(())
        })?;
        Ok(taps)
    }
}

impl<'a, F: Read + Seek> StoredRows<'a, F> {
    fn of(
        header: &'a Header,
        entries: &'a mut StoredEntries<F>,
        scratch: &Scratch,
        heard: &HeardAgain,
    ) -> io::Result<StoredRows<'a, F>> {
        let kept = &header.trial_file;
        // Where this version of the program cannot read it, taps have no fates.
        let file = TrialFile::parse(&kept.text, &kept.name).ok();
        let seen =
            file.as_ref().map(|file| judging(header.matching, file, heard)).unwrap_or_default();
        let observing = file.as_ref().map(|file| Observing::of(&file.trial, &seen));
        let mut observing = observing.map(|observing| observing.within(scratch.room.judged));
        let (mut order, mut ties) = (Sorter::new(scratch), Ties::new(scratch));
        let mut framed = false;
        entries.each(|at, entry| {
            observing.iter_mut().for_each(|observing| observing.add(entry));
            ties.add(at, entry)?;
            if trial_type(entry.action.kind).is_none() {
                return Ok(());
            }
            framed |= entry.frame.is_some();
            order.add((onset(entry), entry.action.id, at))
        })?;
        order.finish()?;
        let observed = observing.map(Observing::whole);
        let judged = !matches!(observed, Some(None));
        let observed = observed.flatten();
        let fates = observed.map_or_else(Fates::default, |observed| Fates::of_observed(&observed));
        let made_of = MadeOf { header, entries, ties, fates };
        Ok(StoredRows { order, made_of, framed, judged })
    }

    /// Whether it is told what became of each tap: not where there are too many.
    pub fn are_judged(&self) -> bool {
        self.judged
    }
}

impl<F: Read + Seek> EventRows for StoredRows<'_, F> {
    fn rows(&self) -> usize {
        self.order.len()
    }

    fn are_framed(&self) -> bool {
        self.framed
    }

    fn each(&mut self, take: &mut dyn FnMut(&Row) -> io::Result<()>) -> io::Result<()> {
        let made_of = &mut self.made_of;
        self.order.each(|(_, _, at)| made_of.row(at)?.iter().try_for_each(&mut *take))
    }
}

impl<F: Read + Seek> MadeOf<'_, F> {
    fn row(&mut self, at: u32) -> io::Result<Option<Row>> {
        let entry = self.entries.get(at)?;
        let end = self.ties.end(at)?;
        let tap = answered(&entry).map(|cause| self.ties.tap(cause)).transpose()?.flatten();
        let beside = Beside {
            end: end.map(|end| self.entries.get(end)).transpose()?,
            tap: tap.map(|tap| self.entries.get(tap)).transpose()?,
            fate: self.fates.of(entry.action.id),
            sure: self.entries.is_sure(at)?,
        };
        Ok(row_of(&self.header.names, &entry, beside))
    }
}

/// Which entries belong together: by the place of one the place of the other, and 1.
#[derive(Debug)]
struct Ties {
    ended_by: Numbers, // of each entry, the one that ends its tone or tap
    open: Numbers,     // by its event, the tone or tap that has not ended yet
    taps: Numbers,     // by its event, the tap
}

impl Ties {
    fn new(scratch: &Scratch) -> Ties {
        let [ended_by, open, taps] = [0; 3].map(|_| Numbers::new(scratch));
        Ties { ended_by, open, taps }
    }

    /// Adds the entry at a place; the places ascend.
    fn add(&mut self, at: u32, entry: &Entry) -> io::Result<()> {
        let (id, behind) = (entry.action.id, u64::from(at) + 1);
        if let Some(ended) = ended(entry)
            && let Some(begun) = self.open.get(ended)?.checked_sub(1)
        {
            self.ended_by.set(begun, behind)?;
            self.open.set(ended, 0)?;
        }
        if matches!(entry.action.kind, ActionKind::Tap(_)) {
            self.taps.set(id, behind)?;
        }
        if may_be_ended(entry.action.kind) { self.open.set(id, behind) } else { Ok(()) }
    }

    /// What ends the tone or tap at a place.
    fn end(&mut self, at: u32) -> io::Result<Option<u32>> {
        Ok(self.ended_by.get(at.into())?.checked_sub(1).map(|end| end as u32))
    }

    /// Where the tap of this event is; the last, should there be several.
    fn tap(&mut self, event: u64) -> io::Result<Option<u32>> {
        Ok(self.taps.get(event)?.checked_sub(1).map(|tap| tap as u32))
    }
}

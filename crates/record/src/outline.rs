//! [`Outline`]: a recorded trial without its rows. An analysis takes the taps, the beats and the
//! end of each trial, and looks at no row twice; rows with text of their own would be the larger
//! part of its time and its memory. Every cell is read and refused as [`read_events`] does.
//!
//! [`read_events`]: crate::read_events()

use crate::entries::{entry, unknown};
use crate::read::{parse_sidecar, read_into, sidecar_path};
use crate::summarize::Observing;
use crate::{Checksum, Difference, Entry, Footer, Header, ReadError, Row, tsv};
use chronotap_files::System;
use chronotap_time::Nanos;
use std::borrow::Cow;
use std::path::Path;

/// A recorded trial without its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// What was known before the trial started.
    pub header: Header,
    /// What was known when it was over.
    pub footer: Footer,
    /// Whether the table is still the one that was written.
    pub checksum: Checksum,
    /// How many bytes the table has, and their CRC-32.
    pub bytes: (usize, u32),
    /// What there is to be observed, in the order of the events; or the first row that no entry
    /// gives.
    pub(crate) entries: Result<Vec<Entry>, Difference>,
    /// The last instant of all rows.
    pub(crate) last: Option<Nanos>,
}

/// Reads outlines one after another, all of them into the same memory.
#[derive(Debug, Default)]
pub struct Outlines {
    text: String,
}

impl Outlines {
    /// The outline of `<name>_events.tsv` and the `.json` beside it.
    ///
    /// # Errors
    /// As [`read_events`](crate::read_events()).
    pub fn read(&mut self, path: &Path) -> Result<Outline, ReadError> {
        let sidecar = sidecar_path(path)?;
        read_into(&mut self.text, &System, &sidecar)?;
        let held = parse_sidecar(&sidecar, &self.text)?;
        read_into(&mut self.text, &System, path)?;
        let mut taking = Taking::of(&held.header);
        tsv::each_row(path, &self.text, |line, row| taking.take(line, &row))?;
        let (entries, last) = taking.done();
        let table = self.text.as_bytes();
        let checksum = Checksum::of(held.table_sha256.as_deref(), table);
        let bytes = (table.len(), crc32fast::hash(table));
        Ok(Outline { header: held.header, footer: held.footer, checksum, bytes, entries, last })
    }
}

/// What was taken of the rows so far.
struct Taking<'a> {
    header: &'a Header,
    entries: Vec<Entry>,
    last: Option<Nanos>,
    unknown: Option<Difference>,
}

impl Taking<'_> {
    fn of(header: &Header) -> Taking<'_> {
        Taking { header, entries: Vec::new(), last: None, unknown: None }
    }

    fn take(&mut self, line: usize, row: &Row<Cow<'_, str>>) {
        self.last = self.last.max(Some(row.engine)).max(row.release_deadline);
        match entry(&self.header.names, row) {
            Some(entry) if Observing::takes(entry.action.kind) => self.entries.push(entry),
            Some(_) => {}
            None if self.unknown.as_ref().is_none_or(|first| row.event_id < first.event_id) => {
                self.unknown = Some(unknown(line, row));
            }
            None => {}
        }
    }

    fn done(mut self) -> (Result<Vec<Entry>, Difference>, Option<Nanos>) {
        self.entries.sort_by_key(|entry| entry.action.id);
        (self.unknown.map_or(Ok(self.entries), Err), self.last)
    }
}

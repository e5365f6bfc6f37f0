//! [`Outline`]: a recorded trial without its rows. An analysis takes the taps, the beats and the
//! end of each trial, and looks at no row twice; rows with text of their own would be the larger
//! part of its time and its memory. Every cell is read and refused as [`read_events`] does.
//!
//! [`read_events`]: crate::record::read_events()

use crate::record::entries::{entry, unknown};
use crate::record::essentials::{Essentials, Verdicts, parse_essentials};
use crate::record::fast_reader::FastReader;
use crate::record::read::{parse_sidecar, read_into, sidecar_path};
use crate::record::summarize::Observing;
use crate::record::tsv::Taker;
use crate::record::{
    Checksum, Entry, Footer, Header, HeardAgain, Names, ReadError, ReplayDifference, Row,
    TrialText, tsv,
};
use chronotap_analysis::matching::MatchingRule;
use chronotap_analysis::observed::OnsetSource;
use chronotap_core::files::{self, System};
use chronotap_core::time::Nanos;
use std::borrow::Cow;
use std::path::Path;

/// A recorded trial without its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The trial file kept in it.
    pub trial_file: TrialText,
    /// What its summary says of it.
    pub verdicts: Verdicts,
    /// By which rule it was recorded what became of each tap.
    pub matching: MatchingRule,
    /// Whether the table is still the one that was written.
    pub checksum: Checksum,
    /// How many bytes the table has, and their CRC-32.
    pub bytes: (usize, u32),
    /// The same of the description beside it.
    pub description: (usize, u32),
    /// What there is to be observed, in the order of the events; or the first row that no entry
    /// gives.
    pub(crate) entries: Result<Vec<Entry>, ReplayDifference>,
    /// The last instant of all rows.
    pub(crate) last: Option<Nanos>,
    /// What the kept sound says of taps.
    pub(crate) heard: HeardAgain,
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
    /// As [`read_events`](crate::record::read_events()).
    pub fn read(&mut self, path: &Path) -> Result<Outline, ReadError> {
        let sidecar = sidecar_path(path)?;
        read_into(&mut self.text, &System, &sidecar)?;
        let gist = parse_essentials(&sidecar, &self.text)?;
        self.table(path, gist, print_of(self.text.as_bytes()))
    }

    /// The same, and all that the description says.
    ///
    /// # Errors
    /// As [`read_events`](crate::record::read_events()).
    pub fn read_whole(&mut self, path: &Path) -> Result<(Outline, Header, Footer), ReadError> {
        let sidecar = sidecar_path(path)?;
        read_into(&mut self.text, &System, &sidecar)?;
        let held = parse_sidecar(&sidecar, &self.text)?;
        let (header, footer) = (held.header.clone(), held.footer.clone());
        let description = print_of(self.text.as_bytes());
        Ok((self.table(path, Essentials::from(held), description)?, header, footer))
    }

    /// The outline of a table whose description was read.
    fn table(
        &mut self,
        path: &Path,
        gist: Essentials,
        description: (usize, u32),
    ) -> Result<Outline, ReadError> {
        let Essentials { table_sha256, trial_file, names, verdicts, matching } = gist;
        read_into(&mut self.text, &System, path)?;
        let mut taking = Taking::of(&names);
        tsv::each_line(path, &self.text, &mut taking)?;
        let (entries, last, heard) = taking.done();
        let table = self.text.as_bytes();
        let checksum = Checksum::of(table_sha256.as_deref(), table);
        let bytes = print_of(table);
        Ok(Outline {
            trial_file,
            verdicts,
            matching,
            checksum,
            bytes,
            description,
            entries,
            last,
            heard,
        })
    }
}

/// Of an events file and of its description the length and the CRC-32.
pub(crate) type Prints = [(usize, u32); 2];

/// What the files of a trial are now; `None` where one cannot be read.
pub(crate) fn prints(path: &Path) -> Option<Prints> {
    let of = |path: &Path| files::read(path).ok().map(|bytes| print_of(&bytes));
    Some([of(path)?, of(&sidecar_path(path).ok()?)?])
}

fn print_of(bytes: &[u8]) -> (usize, u32) {
    (bytes.len(), crc32fast::hash(bytes))
}

/// What was taken of the rows so far.
struct Taking<'a> {
    names: &'a Names,
    entries: Vec<Entry>,
    last: Option<Nanos>,
    unknown: Option<ReplayDifference>,
    heard: HeardAgain,
}

impl Taking<'_> {
    fn of(names: &Names) -> Taking<'_> {
        let (entries, heard) = (Vec::new(), HeardAgain::default());
        Taking { names, entries, last: None, unknown: None, heard }
    }

    fn take(&mut self, entry: Entry) {
        if Observing::takes(&entry.action) {
            self.entries.push(entry);
        }
    }

    fn done(mut self) -> (Result<Vec<Entry>, ReplayDifference>, Option<Nanos>, HeardAgain) {
        self.entries.sort_by_key(|entry| entry.action.id);
        (self.unknown.map_or(Ok(self.entries), Err), self.last, self.heard)
    }
}

impl Taker for Taking<'_> {
    fn take_line(&mut self, framed: bool, line: &str) -> bool {
        let Some(said) = FastReader::of(self.names, framed).read(line) else { return false };
        self.last = self.last.max(Some(said.entry.action.instant)).max(said.release);
        self.take(said.entry);
        true
    }

    fn take_row(&mut self, line: usize, row: Row<Cow<'_, str>>) {
        self.heard.add_row(&row);
        if row.onset_source == Some(OnsetSource::Afterwards) {
            return;
        }
        self.last = self.last.max(Some(row.engine)).max(row.release_deadline);
        match entry(self.names, &row) {
            Some(entry) => self.take(entry),
            None if self.unknown.as_ref().is_none_or(|first| row.event_id < first.event_id) => {
                self.unknown = Some(unknown(line, &row));
            }
            None => {}
        }
    }
}

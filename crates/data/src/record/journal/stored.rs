//! [`StoredJournal`]: a journal whose events stay in its file, for trials of any length.
//!
//! Background: an event takes as much memory as its line takes of the file, and a trial of ten
//! hours has millions. Whoever has little memory must still get the data.
//! Solution: the file is read once to its end, as [`read_open_journal`](super::read_open_journal)
//! does. Kept is only where every [`PIECE`]-th event begins; a piece is read again when an event
//! of it is asked for, and the last [`PIECES`] pieces stay in memory. What is kept of every event
//! is in a [`Scratch`], so that memory is bounded whatever the file holds. The checksums are looked
//! at the first time only: meanwhile the journal is locked.

use super::known::key;
use super::lines::Lines;
use super::numbers::Numbers;
use super::{Found, Journal, JournalError, Scratch, entry_of, scan};
use crate::record::Entry;
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Events that are read at once, in about 60 kB.
const PIECE: usize = 512;
/// Pieces that stay in memory, in 3 MB.
const PIECES: usize = 64;

/// A journal whose events stay in its file.
#[derive(Debug)]
pub struct StoredJournal<F> {
    /// All that it says besides its events: those of this are empty.
    pub about: Journal,
    pub(super) entries: StoredEntries<F>,
    pub(super) scratch: Scratch,
}

impl<F: Read + Seek> StoredJournal<F> {
    /// Reads a journal to its end; `path` is only named in errors, and what has no room in memory
    /// goes to the scratch.
    ///
    /// # Errors
    /// As [`read_journal`](super::read_journal()), and where the scratch refuses.
    pub fn read(
        mut file: F,
        path: &Path,
        scratch: Scratch,
    ) -> Result<StoredJournal<F>, JournalError> {
        let failed = |source| JournalError::File { path: path.to_owned(), source };
        file.rewind().map_err(failed)?;
        let mut places = Places::new(&scratch);
        let about = scan(&mut file, path, &scratch, |at, found| places.add(at, &found))?;
        let mut entries = StoredEntries { file, places, pieces: VecDeque::new() };
        entries.settle(&scratch).map_err(failed)?;
        Ok(StoredJournal { about, entries, scratch })
    }
}

/// Where the events of a journal are.
#[derive(Debug)]
struct Places {
    starts: Numbers, // of the lines of every PIECE-th event
    count: u32,
    before: u32,          // events that stand before all damage
    sure_behind: Numbers, // 1 of those behind it that stand before it too
    left_out: Numbers,    // lines that read like events and are none of this journal's
    left_out_count: u64,
    corrections: bool, // whether there is any
    standing: Numbers, // of each event how it stands to corrections
}

/// Of an event that is a correction, and in its place.
const SETTLED: u64 = 1;
/// Of an event that is corrected: the place of its last correction, and so much.
const CORRECTED: u64 = 2;

impl Places {
    fn new(scratch: &Scratch) -> Places {
        Places {
            starts: Numbers::new(scratch),
            count: 0,
            before: 0,
            sure_behind: Numbers::new(scratch),
            left_out: Numbers::new(scratch),
            left_out_count: 0,
            corrections: false,
            standing: Numbers::new(scratch),
        }
    }

    fn add(&mut self, at: u64, found: &Found<'_>) -> io::Result<()> {
        let entry = match found {
            Found::LeftOut(line) => return self.leave_out(at, line),
            Found::Before(entry) => {
                self.before += 1;
                entry
            }
            Found::Behind { entry, sure } => {
                if *sure {
                    self.sure_behind.set(self.count.into(), 1)?;
                }
                entry
            }
        };
        if (self.count as usize).is_multiple_of(PIECE) {
            self.starts.set(u64::from(self.count) / PIECE as u64, at)?;
        }
        self.corrections |= entry.is_correction();
        self.count += 1;
        Ok(())
    }

    fn leave_out(&mut self, at: u64, line: &[u8]) -> io::Result<()> {
        if entry_of(line).is_some() {
            self.left_out.set(self.left_out_count, at)?;
            self.left_out_count += 1;
        }
        Ok(())
    }

    /// Whether the line at this place of the file is left out; they ascend.
    fn leaves_out(&mut self, at: u64) -> io::Result<bool> {
        let (mut from, mut to) = (0, self.left_out_count);
        while from < to {
            let middle = from.midpoint(to);
            match self.left_out.get(middle)? {
                there if there == at => return Ok(true),
                there if there < at => from = middle + 1,
                _ => to = middle,
            }
        }
        Ok(false)
    }
}

/// The events of a journal in their file, by their places; every correction is in the place of
/// what it corrects ([`settled`](crate::record::settled())).
#[derive(Debug)]
pub(super) struct StoredEntries<F> {
    file: F,
    places: Places,
    pieces: VecDeque<(usize, Vec<Entry>)>, // those that were asked for last
}

impl<F: Read + Seek> StoredEntries<F> {
    /// One event after another, without the corrections that are in their place.
    ///
    /// # Errors
    /// As [`StoredEntries::get`], and what `take` refuses.
    pub(super) fn each(
        &mut self,
        mut take: impl FnMut(u32, &Entry) -> io::Result<()>,
    ) -> io::Result<()> {
        for at in 0..self.places.count {
            if !self.places.corrections || self.places.standing.get(at.into())? != SETTLED {
                take(at, &self.get(at)?)?;
            }
        }
        Ok(())
    }

    /// Whether no damage stands before an event.
    pub(super) fn is_sure(&mut self, at: u32) -> io::Result<bool> {
        Ok(at < self.places.before || self.places.sure_behind.get(at.into())? > 0)
    }

    /// The event at a place.
    ///
    /// # Errors
    /// Where the file cannot be read again, or is not what it was; where the scratch refuses.
    pub(super) fn get(&mut self, at: u32) -> io::Result<Entry> {
        let mut entry = self.stored(at)?;
        if !self.places.corrections {
            return Ok(entry);
        }
        if let Some(correction) = self.places.standing.get(at.into())?.checked_sub(CORRECTED) {
            let last = self.stored(correction as u32)?;
            (entry.achieved, entry.frame) = (last.achieved, last.frame);
        }
        Ok(entry)
    }

    /// Finds of each correction what it corrects, as [`settled`](crate::record::settled()) does.
    fn settle(&mut self, scratch: &Scratch) -> io::Result<()> {
        if !self.places.corrections {
            return Ok(());
        }
        let mut first = [Numbers::new(scratch), Numbers::new(scratch)]; // of tones and of their ends
        for at in 0..self.places.count {
            let entry = self.stored(at)?;
            let (number, ends) = key(&entry);
            let first = &mut first[usize::from(ends)];
            let before = first.get(number)?.checked_sub(1).filter(|_| entry.is_correction());
            let before = match before.map(|before| before as u32) {
                Some(before) if self.stored(before)?.action == entry.action => Some(before),
                _ => None,
            };
            if let Some(before) = before {
                self.places.standing.set(before.into(), u64::from(at) + CORRECTED)?;
                self.places.standing.set(at.into(), SETTLED)?;
            } else {
                first.set(number, u64::from(at) + 1)?;
            }
        }
        Ok(())
    }

    /// The event at a place as its line has it.
    fn stored(&mut self, at: u32) -> io::Result<Entry> {
        let (number, within) = (at as usize / PIECE, at as usize % PIECE);
        if let Some(piece) = self.pieces.iter().rev().find(|piece| piece.0 == number) {
            return piece.1.get(within).copied().ok_or_else(changed);
        }
        let mut piece = if self.pieces.len() < PIECES {
            Vec::with_capacity(PIECE)
        } else {
            self.pieces.pop_front().map(|oldest| oldest.1).unwrap_or_default()
        };
        piece.clear();
        self.read_piece(number, &mut piece)?;
        let entry = piece.get(within).copied();
        self.pieces.push_back((number, piece));
        entry.ok_or_else(changed)
    }

    fn read_piece(&mut self, number: usize, piece: &mut Vec<Entry>) -> io::Result<()> {
        let start = self.places.starts.get(number as u64)?;
        let wanted = PIECE.min(self.places.count as usize - number * PIECE);
        self.file.seek(SeekFrom::Start(start))?;
        let mut lines = Lines::of(BufReader::with_capacity(1 << 16, &mut self.file));
        while piece.len() < wanted {
            let at = start + lines.bytes();
            let line = lines.next()?.ok_or_else(changed)?;
            if !self.places.leaves_out(at)? {
                piece.extend(entry_of(line));
            }
        }
        Ok(())
    }
}

/// Somebody wrote to the file, whatever its lock says.
fn changed() -> io::Error {
    let what = "the journal was changed while it was read; let nobody else write to it, and recover it again";
    io::Error::new(io::ErrorKind::InvalidData, what)
}

//! [`StoredJournal`]: a journal whose events stay in its file, for trials of any length.
//!
//! Background: an event takes as much memory as its line takes of the file, and a trial of ten
//! hours has millions. Whoever has little memory must still get the data.
//! Solution: the file is read once to its end, as [`read_open_journal`](super::read_open_journal)
//! does. Kept is only where every [`PIECE`]-th event begins; a piece is read again when an event
//! of it is asked for, and the last [`PIECES`] pieces stay in memory. The checksums are looked at
//! the first time only: meanwhile the journal is locked.

use super::known::key;
use super::lines::Lines;
use super::{Found, Journal, JournalError, StoredRows, entry_of, scan};
use crate::Entry;
use chronotap_engine::action::Action;
use chronotap_time::Nanos;
use std::collections::{HashMap, HashSet, VecDeque};
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
    entries: StoredEntries<F>,
}

impl<F: Read + Seek> StoredJournal<F> {
    /// Reads a journal to its end; `path` is only named in errors.
    ///
    /// # Errors
    /// As [`read_journal`](super::read_journal()).
    pub fn read(mut file: F, path: &Path) -> Result<StoredJournal<F>, JournalError> {
        let failed = |source| JournalError::File { path: path.to_owned(), source };
        file.rewind().map_err(failed)?;
        let mut places = Places::default();
        let about = scan(&mut file, path, |at, found| places.add(at, &found))?;
        let mut entries = StoredEntries { file, places, pieces: VecDeque::new() };
        entries.settle().map_err(failed)?;
        Ok(StoredJournal { about, entries })
    }

    /// Its rows; those behind a gap are flagged.
    ///
    /// # Errors
    /// Where the file cannot be read again.
    pub fn rows(&mut self) -> io::Result<StoredRows<'_, F>> {
        StoredRows::of(&self.about.header, &mut self.entries)
    }
}

/// Where the events of a journal are.
#[derive(Debug, Default)]
struct Places {
    starts: Vec<u64>, // of the lines of every PIECE-th event
    count: u32,
    before: u32,                     // events that stand before all damage
    sure_behind: HashSet<u32>,       // those behind it that stand before it too
    left_out: Vec<u64>,              // lines that read like events and are none of this journal's
    corrected: HashSet<(u64, bool)>, // the events that a correction names
    corrections: HashMap<u32, (Option<Nanos>, Option<u64>)>, // by what they correct
    settled: HashSet<u32>,           // the corrections that are in their place
}

impl Places {
    fn add(&mut self, at: u64, found: &Found<'_>) {
        let entry = match found {
            Found::LeftOut(line) => return self.left_out.extend(entry_of(line).map(|_| at)),
            Found::Before(entry) => {
                self.before += 1;
                entry
            }
            Found::Behind { entry, sure } => {
                self.sure_behind.extend(sure.then_some(self.count));
                entry
            }
        };
        if (self.count as usize).is_multiple_of(PIECE) {
            self.starts.push(at);
        }
        self.corrected.extend(entry.is_correction().then(|| key(entry)));
        self.count += 1;
    }
}

/// The events of a journal in their file, by their places; every correction is in the place of
/// what it corrects ([`settled`](crate::settled())).
#[derive(Debug)]
pub(super) struct StoredEntries<F> {
    file: F,
    places: Places,
    pieces: VecDeque<(usize, Vec<Entry>)>, // those that were asked for last
}

impl<F: Read + Seek> StoredEntries<F> {
    /// The places of the events, without those of corrections that are in their place.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> + use<F> {
        let settled = self.places.settled.clone();
        (0..self.places.count).filter(move |at| !settled.contains(at))
    }

    /// Whether no damage stands before an event.
    pub(super) fn is_sure(&self, at: u32) -> bool {
        at < self.places.before || self.places.sure_behind.contains(&at)
    }

    /// The event at a place.
    ///
    /// # Errors
    /// Where the file cannot be read again, or is not what it was.
    pub(super) fn get(&mut self, at: u32) -> io::Result<Entry> {
        let mut entry = self.stored(at)?;
        if let Some((achieved, frame)) = self.places.corrections.get(&at) {
            (entry.achieved, entry.frame) = (*achieved, *frame);
        }
        Ok(entry)
    }

    /// Finds of each correction what it corrects, as [`settled`](crate::settled()) does.
    fn settle(&mut self) -> io::Result<()> {
        let corrected = std::mem::take(&mut self.places.corrected);
        let mut first: HashMap<(u64, bool), (u32, Action)> = HashMap::new();
        for at in (0..self.places.count).take_while(|_| !corrected.is_empty()) {
            let entry = self.stored(at)?;
            let key = key(&entry);
            if !corrected.contains(&key) {
                continue;
            }
            match first.get(&key).filter(|_| entry.is_correction()) {
                Some((before, action)) if *action == entry.action => {
                    self.places.corrections.insert(*before, (entry.achieved, entry.frame));
                    self.places.settled.insert(at);
                }
                _ => {
                    first.insert(key, (at, entry.action));
                }
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
        let start = *self.places.starts.get(number).ok_or_else(changed)?;
        let wanted = PIECE.min(self.places.count as usize - number * PIECE);
        self.file.seek(SeekFrom::Start(start))?;
        let mut lines = Lines::of(BufReader::with_capacity(1 << 16, &mut self.file));
        while piece.len() < wanted {
            let at = start + lines.bytes();
            let line = lines.next()?.ok_or_else(changed)?;
            if self.places.left_out.binary_search(&at).is_err() {
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

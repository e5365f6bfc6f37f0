//! [`Log`]: the callbacks on the disk while the trial runs: one line of JSON that says
//! which cards, then records of [`BYTES`] each, whose last four are the CRC-32 of the
//! others. A torn record is recognised, and reading stops there.
//!
//! The writer thread appends what has come. Where the disk refuses, it stops taking from
//! the card's queue once [`PENDING`] wait in memory; the queue then fills, and what
//! finds no room there is counted by the card's thread. A disk that is full needs its
//! room for the journal: the later half of the log is given back, and no more is written;
//! what is missing for it is counted.

use super::{CALLBACKS_VERSION, Card, RecordedCard};
use chronotap_files::DiskFile;
use chronotap_record::Load;
use chronotap_signal::Callback;
use chronotap_signal::Callbacks;
use chronotap_time::Nanos;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, SeekFrom};

/// Length of a record.
pub(super) const BYTES: usize = 44;
/// Bytes that wait for the disk at most: a second of periods of 16 frames, and one look
/// at the queue beyond it.
const PENDING: usize = AT_ONCE * BYTES;
/// The same as a number of calls.
const AT_ONCE: usize = 3_000;
/// The name of the format, in its first line.
const FORMAT: &str = "chronotap-callbacks-log";

/// A record, with the number of its card from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// A call. Its times are raw CLOCK_MONOTONIC.
    Call(Callback),
    /// The trial's clock counts from here, raw CLOCK_MONOTONIC.
    Origin(Nanos),
    /// Callbacks that found the queue full so far, and periods missed.
    Counts { lost: u64, xruns: u64 },
    /// Nothing is missing but what was counted.
    End,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct FirstLine {
    format: String,
    version: u32,
    cards: Vec<Card>,
}

/// The log of a running trial.
pub(crate) struct Log<F> {
    file: F,
    first_line: u64, // its length
    kept: Vec<Kept>,
    pending: Vec<u8>,
    full: bool,     // the disk was, so that no more is written
    complete: bool, // the trial's last call was taken; the card may go on
}

/// A card, and what of it is in the log.
struct Kept {
    calls: Box<dyn Callbacks>,
    load: Load,
    origin: Option<Nanos>,
    undecided: VecDeque<Callback>, // taken before the origin was known, the latest of them
    last_origin: Option<Nanos>,    // of the trial before, whose calls are no part of this one
    lost_before: u64,
    taken: u64,
    unwritten: u64,
}

impl<F: DiskFile> Log<F> {
    /// Begins the log in an empty file, which can be read and appended to.
    pub(crate) fn begin(mut file: F, cards_to_record: Vec<RecordedCard>) -> io::Result<Log<F>> {
        let cards = cards_to_record.iter().map(Card::of).collect();
        let first = FirstLine { format: FORMAT.into(), version: CALLBACKS_VERSION, cards };
        let mut line = serde_json::to_vec(&first)?;
        line.push(b'\n');
        file.write_all(&line)?;
        let kept = |RecordedCard { outputs, calls }| Kept::begin(outputs, calls);
        let kept = cards_to_record.into_iter().map(kept).collect();
        let (first_line, pending) = (line.len() as u64, Vec::with_capacity(PENDING * 2));
        Ok(Log { file, first_line, kept, pending, full: false, complete: false })
    }

    /// The cards, for the next trial.
    pub(crate) fn into_cards(self) -> Vec<RecordedCard> {
        let card = |Kept { calls, load, .. }: Kept| RecordedCard { outputs: load.outputs, calls };
        self.kept.into_iter().map(card).collect()
    }

    /// Takes what has come, and appends it.
    pub(crate) fn keep(&mut self) -> io::Result<()> {
        for (number, kept) in (0..).zip(&mut self.kept) {
            kept.take(number, (!self.full).then_some(&mut self.pending));
        }
        let appended = self.append();
        if !self.full && appended.as_ref().is_err_and(is_full) {
            self.make_room()?;
        }
        appended
    }

    fn append(&mut self) -> io::Result<()> {
        while !self.pending.is_empty() {
            match self.file.write(&self.pending) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => drop(self.pending.drain(..n)),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// Gives half of the log back to the disk.
    fn make_room(&mut self) -> io::Result<()> {
        let bytes = self.file.len()?.saturating_sub(self.first_line);
        let half = bytes / 2 / BYTES as u64 * BYTES as u64;
        self.file.set_len(self.first_line + half)?;
        self.pending.clear();
        self.full = true;
        self.file.seek(SeekFrom::Start(self.first_line))?;
        let mut written = vec![0; self.kept.len()];
        for (card, record) in records(BufReader::new(&mut self.file)) {
            let call = u64::from(matches!(record, Record::Call(_)));
            written.get_mut(card).into_iter().for_each(|calls| *calls += call);
        }
        for (kept, written) in self.kept.iter_mut().zip(written) {
            kept.unwritten = kept.taken - written;
        }
        Ok(())
    }

    /// Takes and appends all that is left of the trial. Between two trials the cards go on;
    /// what they do after this is no part of it, so that the summary, which is made now, and
    /// the table have the same calls.
    pub(crate) fn keep_rest(&mut self) -> io::Result<()> {
        while !self.complete {
            let kept = self.keep();
            if kept.is_err() && !self.full {
                return kept;
            }
            self.complete = self.kept.iter().all(|kept| kept.calls.waiting() == 0);
        }
        self.append()
    }

    /// The same, and the record that says so.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.keep_rest()?;
        for (number, kept) in (0..).zip(&mut self.kept) {
            kept.tell(number, &mut self.pending);
        }
        put(&mut self.pending, 0, Record::End);
        self.append()
    }

    /// What the callbacks amount to, card by card.
    pub(crate) fn loads(&self) -> Vec<Load> {
        self.kept.iter().map(|kept| kept.load.clone()).collect()
    }
}

/// Whether it is for want of room.
fn is_full(refused: &io::Error) -> bool {
    matches!(refused.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

impl Kept {
    /// What the card did since the last trial is dropped.
    fn begin(outputs: Vec<String>, mut calls: Box<dyn Callbacks>) -> Kept {
        let load = Load { outputs, period: calls.card().period, ..Load::default() };
        let last_origin = calls.origin();
        if last_origin.is_some() {
            for _ in 0..calls.waiting() {
                calls.next();
            }
        }
        let lost_before = if last_origin.is_some() { calls.lost() } else { 0 };
        Kept {
            calls,
            load,
            origin: None,
            undecided: VecDeque::with_capacity(AT_ONCE),
            last_origin,
            lost_before,
            taken: 0,
            unwritten: 0,
        }
    }

    /// Where this trial's clock counts from, once it does.
    fn started(&self) -> Option<Nanos> {
        self.calls.origin().filter(|origin| Some(*origin) != self.last_origin)
    }

    /// Takes what there is room for; all of it where nothing is written any more.
    fn take(&mut self, card: u16, pending: Option<&mut Vec<u8>>) {
        let started = self.origin.is_none() && self.started().is_some();
        self.origin = self.started();
        if started {
            std::mem::take(&mut self.undecided).iter().for_each(|call| self.weigh(call));
        }
        let Some(pending) = pending else {
            while let Some(call) = self.calls.next() {
                self.weigh(&call);
                self.unwritten += 1;
            }
            self.count();
            return;
        };
        let room = PENDING.saturating_sub(pending.len()) / BYTES;
        for _ in 0..room {
            let Some(call) = self.calls.next() else { break };
            self.weigh(&call);
            self.taken += 1;
            put(pending, card, Record::Call(call));
        }
        if (self.count() || started) && room > 0 {
            self.tell(card, pending);
        }
    }

    /// Counts a call into the load. The trial's clock starts a moment before this thread
    /// can know it, so that the calls of that moment wait until it does.
    fn weigh(&mut self, call: &Callback) {
        if self.origin.is_some() {
            return self.load.add(call, self.origin);
        }
        if self.undecided.len() == AT_ONCE {
            self.undecided.pop_front();
        }
        self.undecided.push_back(*call);
    }

    /// Counts anew what is missing; whether it is news.
    fn count(&mut self) -> bool {
        let lost = self.calls.lost() - self.lost_before + self.unwritten;
        let xruns = self.origin.map_or(0, |_| self.calls.xruns());
        let news = (self.load.lost, self.load.xruns) != (lost, xruns);
        (self.load.lost, self.load.xruns) = (lost, xruns);
        news
    }

    /// Appends what is known of the card besides its calls.
    fn tell(&self, card: u16, pending: &mut Vec<u8>) {
        self.origin.into_iter().for_each(|at| put(pending, card, Record::Origin(at)));
        let Load { lost, xruns, .. } = self.load;
        put(pending, card, Record::Counts { lost, xruns });
    }
}

/// Appends a record: kind, card, then its numbers, least significant byte first.
fn put(out: &mut Vec<u8>, card: u16, record: Record) {
    let (kind, frames, numbers) = match record {
        Record::Call(Callback { frame, frames, due, began, ended }) => {
            (0_u16, frames, [frame, due.0 as u64, began.0 as u64, ended.0 as u64])
        }
        Record::Origin(at) => (1, 0, [0, at.0 as u64, 0, 0]),
        Record::Counts { lost, xruns } => (2, 0, [lost, xruns, 0, 0]),
        Record::End => (3, 0, [0; 4]),
    };
    let start = out.len();
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(&card.to_le_bytes());
    out.extend_from_slice(&frames.to_le_bytes());
    numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    let sum = crc32fast::hash(&out[start..]);
    out.extend_from_slice(&sum.to_le_bytes());
}

fn parse(bytes: &[u8; BYTES]) -> Option<(usize, Record)> {
    let (body, sum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
        return None;
    }
    let (head, numbers) = body.split_first_chunk::<8>()?;
    let [k0, k1, c0, c1, frames @ ..] = *head;
    let mut numbers = numbers.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
    let [first, second, third, fourth] = std::array::from_fn(|_| numbers.next().unwrap_or(0));
    let time = |number: u64| Nanos(number as i64);
    let record = match u16::from_le_bytes([k0, k1]) {
        0 => Record::Call(Callback {
            frame: first,
            frames: u32::from_le_bytes(frames),
            due: time(second),
            began: time(third),
            ended: time(fourth),
        }),
        1 => Record::Origin(time(second)),
        2 => Record::Counts { lost: first, xruns: second },
        3 => Record::End,
        _ => return None,
    };
    Some((u16::from_le_bytes([c0, c1]).into(), record))
}

/// The cards of a log; what follows are its [`records`].
///
/// # Errors
/// Where the disk refuses, or the first line is not ours.
pub(super) fn read_cards(log: &mut impl BufRead) -> io::Result<Vec<Card>> {
    let mut line = Vec::new();
    log.read_until(b'\n', &mut line)?;
    let first: FirstLine = serde_json::from_slice(&line)?;
    let known = first.format == FORMAT && first.version <= CALLBACKS_VERSION;
    known.then_some(first.cards).ok_or_else(|| io::Error::other("not a log of callbacks"))
}

/// The records of a log up to the first that is not whole, each with its card's number.
pub(super) fn records(mut log: impl Read) -> impl Iterator<Item = (usize, Record)> {
    std::iter::from_fn(move || {
        let mut bytes = [0; BYTES];
        log.read_exact(&mut bytes).ok()?;
        parse(&bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_signal::RunningCard;
    use std::io::Seek;
    use std::sync::{Arc, Mutex};

    const CALL: Record = Record::Call(Callback {
        frame: u64::MAX,
        frames: 16,
        due: Nanos(-1),
        began: Nanos(i64::MAX),
        ended: Nanos(3),
    });

    #[test]
    fn records_read_back_as_they_were_written_up_to_a_torn_one() {
        let all =
            [CALL, Record::Origin(Nanos(77)), Record::Counts { lost: 2, xruns: 9 }, Record::End];
        let mut bytes = Vec::new();
        all.iter().for_each(|record| put(&mut bytes, 3, *record));
        assert_eq!(bytes.len(), 4 * BYTES);
        assert_eq!(records(&bytes[..]).collect::<Vec<_>>(), all.map(|record| (3, record)));
        assert_eq!(records(&bytes[..4 * BYTES - 1]).count(), 3);
        bytes[BYTES + 7] ^= 1;
        assert_eq!(records(&bytes[..]).count(), 1);
        assert_eq!(records(&[0; 4 * BYTES][..]).count(), 0, "zeros are no records");
    }

    /// A card whose calls and origin the test sets.
    struct GoingOn {
        calls: Arc<Mutex<VecDeque<Callback>>>,
        origin: Arc<Mutex<Option<Nanos>>>,
    }

    impl Callbacks for GoingOn {
        fn card(&self) -> RunningCard {
            RunningCard { period: Nanos(10), ..RunningCard::default() }
        }
        fn origin(&self) -> Option<Nanos> {
            *self.origin.lock().unwrap()
        }
        fn next(&mut self) -> Option<Callback> {
            self.calls.lock().unwrap().pop_front()
        }
        fn waiting(&self) -> usize {
            self.calls.lock().unwrap().len()
        }
        fn lost(&self) -> u64 {
            0
        }
        fn xruns(&self) -> u64 {
            0
        }
    }

    #[test]
    fn what_a_card_does_after_the_trial_is_neither_in_the_load_nor_in_the_log() {
        let call = |due| Callback {
            frame: 0,
            frames: 16,
            due: Nanos(due),
            began: Nanos(due),
            ended: Nanos(due + 1),
        };
        let (origin, calls) = (Arc::new(Mutex::new(Some(Nanos(100)))), Arc::default());
        let card = GoingOn { calls: Arc::clone(&calls), origin: Arc::clone(&origin) };
        let outputs = vec!["out".to_owned()];
        let file = tempfile::tempfile().unwrap();
        let mut log =
            Log::begin(file, vec![RecordedCard { outputs, calls: Box::new(card) }]).unwrap();
        *origin.lock().unwrap() = Some(Nanos(200));
        calls.lock().unwrap().extend([200, 210].map(call));
        log.keep_rest().unwrap();
        calls.lock().unwrap().push_back(call(220));
        log.keep_rest().unwrap();
        log.end().unwrap();
        assert_eq!(log.loads()[0].callbacks, 2);
        log.file.seek(SeekFrom::Start(log.first_line)).unwrap();
        let in_log = records(BufReader::new(&log.file));
        assert_eq!(in_log.filter(|(_, record)| matches!(record, Record::Call(_))).count(), 2);
    }

    #[test]
    fn a_call_that_was_taken_before_the_origin_was_told_counts_from_the_origin_on() {
        let call = |due| Callback {
            frame: 0,
            frames: 16,
            due: Nanos(due),
            began: Nanos(due),
            ended: Nanos(due + 1),
        };
        let origin = Arc::new(Mutex::new(None));
        let calls = Arc::new(Mutex::new([90, 100, 110].map(call).into()));
        let card = GoingOn { calls, origin: Arc::clone(&origin) };
        let mut kept = Kept::begin(Vec::new(), Box::new(card));
        kept.take(0, Some(&mut Vec::new()));
        assert_eq!(kept.load.callbacks, 0);
        *origin.lock().unwrap() = Some(Nanos(100));
        kept.take(0, Some(&mut Vec::new()));
        assert_eq!(kept.load.callbacks, 2, "those due at 100 and at 110");
    }
}

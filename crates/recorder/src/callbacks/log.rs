//! [`Log`]: the callbacks on the disk while the trial runs. What it holds is in `records.rs`.
//!
//! The writer thread appends what has come. Where the disk refuses, it stops taking from
//! the card's queue once [`PENDING`] wait in memory; the queue then fills, and what
//! finds no room there is counted by the card's thread. A disk that is full needs its
//! room for the journal: the later half of the log is given back, and no more is written;
//! what is missing for it is counted.

use super::records::{BYTES, Record, first_line, put, records};
use super::{Card, RecordedCard};
use chronotap_core::files::DiskFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::CallbackLoad;
use chronotap_engine::signal::Callback;
use chronotap_engine::signal::Callbacks;
use std::collections::VecDeque;
use std::io::{self, BufReader, SeekFrom};

/// Bytes that wait for the disk at most: a second of periods of 16 frames, and one look
/// at the queue beyond it.
const PENDING: usize = AT_ONCE * BYTES;
/// The same as a number of calls.
const AT_ONCE: usize = 3_000;
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
    load: CallbackLoad,
    origin: Option<Nanos>,
    undecided: VecDeque<Callback>, // taken before the origin was known, the latest of them
    last_origin: Option<Nanos>,    // of the trial before, whose calls are no part of this one
    lost_before: u64,
    taken: u64,
    unwritten: u64,
}

/// The file of a log, which names the cards and has nothing of them yet.
pub(crate) struct BegunLog<F> {
    file: F,
    first_line: u64,
}

impl<F: DiskFile> BegunLog<F> {
    /// Names the cards in an empty file, which can be read and appended to.
    pub(crate) fn begin(mut file: F, cards: &[RecordedCard]) -> io::Result<BegunLog<F>> {
        let line = first_line(cards.iter().map(Card::of).collect())?;
        file.write_all(&line)?;
        Ok(BegunLog { file, first_line: line.len() as u64 })
    }
}

impl<F: DiskFile> Log<F> {
    /// The log of these cards, whose names stand in its file already. It takes them: nothing can
    /// fail any more that would lose them.
    pub(crate) fn of(begun: BegunLog<F>, cards: Vec<RecordedCard>) -> Log<F> {
        let BegunLog { file, first_line } = begun;
        let kept = |RecordedCard { outputs, calls }| Kept::begin(outputs, calls);
        let (kept, pending) =
            (cards.into_iter().map(kept).collect(), Vec::with_capacity(PENDING * 2));
        Log { file, first_line, kept, pending, full: false, complete: false }
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
    pub(crate) fn loads(&self) -> Vec<CallbackLoad> {
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
        let load = CallbackLoad { outputs, period: calls.card().period, ..CallbackLoad::default() };
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
        let CallbackLoad { lost, xruns, .. } = self.load;
        put(pending, card, Record::Counts { lost, xruns });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::signal::RunningCard;
    use std::io::Seek;
    use std::sync::{Arc, Mutex};

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
        let cards = vec![RecordedCard { outputs, calls: Box::new(card) }];
        let mut log = Log::of(BegunLog::begin(file, &cards).unwrap(), cards);
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

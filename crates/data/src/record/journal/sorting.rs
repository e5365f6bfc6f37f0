//! [`Sorter`]: any number of keys in ascending order, in limited memory. When the memory is full,
//! its keys are sorted and written as a run into a [`Scratch`]; at the end the runs are merged.

use super::scratch::{Scratch, Store, no_room};
use chronotap_core::time::Nanos;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// By what rows are sorted: their onset, their event; and the place of their entry.
pub(super) type Key = (Nanos, u64, u32);

const KEY_BYTES: usize = 20;
/// Runs that are merged at once; with more, those that are there become one.
const RUNS: usize = 32;
/// Keys that are read at once of each run.
const AT_ONCE: usize = 2048;

/// Keys to be sorted, then sorted.
pub(super) struct Sorter {
    scratch: Scratch,
    keys: Vec<Key>,
    runs: Vec<Run>,
    store: Option<Box<dyn Store>>,
    end: u64, // of the store
    count: usize,
}

/// A part of the store whose keys ascend, as bytes.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u64,
    to: u64,
}

impl Sorter {
    pub(super) fn new(scratch: &Scratch) -> Sorter {
        let (scratch, keys, runs) = (scratch.clone(), Vec::new(), Vec::new());
        Sorter { scratch, keys, runs, store: None, end: 0, count: 0 }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn add(&mut self, key: Key) -> io::Result<()> {
        if self.keys.len() >= self.scratch.room.keys.max(1) {
            self.put_away()?;
        }
        if self.keys.len() == self.keys.capacity() {
            // Doubling would at last take more than there is room for.
            let room = self.scratch.room.keys.max(1) - self.keys.len();
            self.keys.reserve_exact(room.min(self.keys.len().max(AT_ONCE)));
        }
        self.keys.push(key);
        self.count += 1;
        Ok(())
    }

    /// No key is added any more.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if self.runs.is_empty() {
            self.keys.sort_unstable();
            return Ok(());
        }
        self.put_away()?;
        self.keys = Vec::new();
        Ok(())
    }

    /// All keys, ascending, once they are [finished](Sorter::finish).
    pub(super) fn each(&mut self, mut take: impl FnMut(Key) -> io::Result<()>) -> io::Result<()> {
        match &mut self.store {
            None => self.keys.iter().try_for_each(|key| take(*key)),
            Some(store) => Merging::of(store, &self.runs)?.each(take),
        }
    }

    /// Sorts what is in memory, and makes a run of it.
    fn put_away(&mut self) -> io::Result<()> {
        if self.runs.len() >= RUNS {
            self.merge()?;
        }
        self.keys.sort_unstable();
        let store = match &mut self.store {
            Some(store) => store,
            none => none.insert(self.scratch.store()?),
        };
        store.seek(SeekFrom::Start(self.end)).map_err(no_room)?;
        let mut writing = Writing::to(store);
        self.keys.drain(..).try_for_each(|key| writing.put(key))?;
        let to = self.end + writing.done()?;
        self.runs.push(Run { from: self.end, to });
        self.end = to;
        Ok(())
    }

    /// Makes one run of all, in another store.
    fn merge(&mut self) -> io::Result<()> {
        let Some(store) = &mut self.store else { return Ok(()) };
        let mut merged = self.scratch.store()?;
        let mut writing = Writing::to(&mut merged);
        Merging::of(store, &self.runs)?.each(|key| writing.put(key))?;
        self.end = writing.done()?;
        self.runs = vec![Run { from: 0, to: self.end }];
        self.store = Some(merged);
        Ok(())
    }
}

/// Keys on their way to a store.
struct Writing<'a> {
    to: &'a mut Box<dyn Store>,
    bytes: Vec<u8>,
    written: u64,
}

impl<'a> Writing<'a> {
    fn to(store: &'a mut Box<dyn Store>) -> Writing<'a> {
        Writing { to: store, bytes: Vec::with_capacity(AT_ONCE * KEY_BYTES), written: 0 }
    }

    fn put(&mut self, (onset, id, at): Key) -> io::Result<()> {
        self.bytes.extend_from_slice(&onset.0.to_le_bytes());
        self.bytes.extend_from_slice(&id.to_le_bytes());
        self.bytes.extend_from_slice(&at.to_le_bytes());
        if self.bytes.len() >= AT_ONCE * KEY_BYTES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> io::Result<()> {
        self.to.write_all(&self.bytes).map_err(no_room)?;
        self.written += self.bytes.len() as u64;
        self.bytes.clear();
        Ok(())
    }

    fn done(mut self) -> io::Result<u64> {
        self.write()?;
        Ok(self.written)
    }
}

/// Runs that become one.
struct Merging<'a> {
    store: &'a mut Box<dyn Store>,
    readers: Vec<Reader>,
    next: BinaryHeap<Reverse<(Key, usize)>>, // of each run that has any left
}

impl<'a> Merging<'a> {
    fn of(store: &'a mut Box<dyn Store>, runs: &[Run]) -> io::Result<Merging<'a>> {
        let reader = |run: &Run| Reader { rest: *run, bytes: Vec::new(), at: 0 };
        let readers = runs.iter().map(reader).collect();
        let mut merging = Merging { store, readers, next: BinaryHeap::new() };
        (0..runs.len()).try_for_each(|run| merging.advance(run))?;
        Ok(merging)
    }

    fn each(mut self, mut take: impl FnMut(Key) -> io::Result<()>) -> io::Result<()> {
        while let Some(Reverse((key, run))) = self.next.pop() {
            take(key)?;
            self.advance(run)?;
        }
        Ok(())
    }

    fn advance(&mut self, run: usize) -> io::Result<()> {
        let key = self.readers[run].next(self.store).map_err(no_room)?;
        self.next.extend(key.map(|key| Reverse((key, run))));
        Ok(())
    }
}

/// A run that is being read.
struct Reader {
    rest: Run,
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn next(&mut self, store: &mut Box<dyn Store>) -> io::Result<Option<Key>> {
        if self.at == self.bytes.len() {
            let left = self.rest.to - self.rest.from;
            let wanted = left.min((AT_ONCE * KEY_BYTES) as u64);
            self.bytes.resize(wanted as usize, 0);
            store.seek(SeekFrom::Start(self.rest.from))?;
            store.read_exact(&mut self.bytes)?;
            (self.rest.from, self.at) = (self.rest.from + wanted, 0);
        }
        let Some(key) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk::<KEY_BYTES>) else {
            return Ok(None);
        };
        self.at += KEY_BYTES;
        Ok(Some(key_of(key)))
    }
}

fn key_of(bytes: &[u8; KEY_BYTES]) -> Key {
    let [onset, id] = [0, 8].map(|at| {
        let mut eight = [0; 8];
        eight.copy_from_slice(&bytes[at..at + 8]);
        eight
    });
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[16..]);
    (Nanos(i64::from_le_bytes(onset)), u64::from_le_bytes(id), u32::from_le_bytes(four))
}

impl std::fmt::Debug for Sorter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sorter").field("count", &self.count).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::journal::scratch::Room;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_keys_come_ascending_however_few_have_room(
            room in 1usize..9,
            all in prop::collection::vec((-50i64..50, 0u64..9), 0..300),
        ) {
            let scratch = Scratch::in_memory(Room { keys: room, ..Room::USUAL });
            let mut sorter = Sorter::new(&scratch);
            let numbered = all.iter().zip(0..).map(|((onset, id), at)| (Nanos(*onset), *id, at));
            let mut due: Vec<Key> = numbered.collect();
            for key in &due {
                sorter.add(*key).unwrap();
                prop_assert!(sorter.keys.capacity() <= room && sorter.runs.len() <= RUNS);
            }
            due.sort_unstable();
            sorter.finish().unwrap();
            for _ in 0..2 {
                let mut got = Vec::new();
                sorter.each(|key| { got.push(key); Ok(()) }).unwrap();
                prop_assert_eq!(&got, &due);
            }
            prop_assert_eq!(sorter.len(), due.len());
        }
    }
}

//! [`Numbers`]: a whole number for each event, by its place or by its number; 0 where none was
//! set. A few pages are in memory, the others in a [`Scratch`].

use super::scratch::{Scratch, Store, no_room};
use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Numbers in a page.
const EACH: usize = 512;
const BYTES: usize = EACH * 8;
/// The engine numbers without gaps; a flood that found no room leaves some. A damaged file may
/// say any number: what is farther off than so much for each event is kept apart.
const FAR: u64 = 1024;
/// A journal with more numbers that are far off was written by no engine.
const MOST_FAR: usize = 1 << 16;

/// A table of numbers, as long as need be.
pub(super) struct Numbers {
    scratch: Scratch,
    store: Option<Box<dyn Store>>,
    frames: Vec<Frame>,
    place: HashMap<u64, usize>, // of the pages in memory
    last: usize,                // the frame that was used last
    hand: usize,                // the frame that is looked at next when one must go
    written: u64,               // pages up to here may be in the store
    set: u64,                   // how often a number was set
    far: HashMap<u64, u64>,
}

/// A page in memory.
struct Frame {
    page: u64,
    numbers: Box<[u64; EACH]>,
    changed: bool,
    used: bool, // since the hand came by
}

impl Numbers {
    pub(super) fn new(scratch: &Scratch) -> Numbers {
        Numbers {
            scratch: scratch.clone(),
            store: None,
            frames: Vec::new(),
            place: HashMap::new(),
            last: 0,
            hand: 0,
            written: 0,
            set: 0,
            far: HashMap::new(),
        }
    }

    /// The number at a place; 0 where none was set.
    pub(super) fn get(&mut self, at: u64) -> io::Result<u64> {
        if let Some(number) = self.far.get(&at) {
            return Ok(*number);
        }
        let page = at / EACH as u64;
        if page >= self.written && !self.place.contains_key(&page) {
            return Ok(0);
        }
        let frame = self.frame(page)?;
        Ok(self.frames[frame].numbers[(at % EACH as u64) as usize])
    }

    /// Sets the number at a place.
    pub(super) fn set(&mut self, at: u64, number: u64) -> io::Result<()> {
        self.set += 1;
        if self.far.contains_key(&at) || at / FAR > self.set.saturating_add(EACH as u64) {
            return self.set_far(at, number);
        }
        let frame = self.frame(at / EACH as u64)?;
        let frame = &mut self.frames[frame];
        frame.numbers[(at % EACH as u64) as usize] = number;
        frame.changed = true;
        Ok(())
    }

    fn set_far(&mut self, at: u64, number: u64) -> io::Result<()> {
        self.far.insert(at, number);
        if self.far.len() > MOST_FAR {
            let what = "its events have numbers that no trial gives; it is damaged beyond use";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        Ok(())
    }

    /// The frame that has a page, which is read where it is not in memory.
    fn frame(&mut self, page: u64) -> io::Result<usize> {
        if self.frames.get(self.last).is_some_and(|frame| frame.page == page) {
            return Ok(self.last);
        }
        let frame = match self.place.get(&page) {
            Some(frame) => *frame,
            None => self.bring(page)?,
        };
        self.frames[frame].used = true;
        self.last = frame;
        Ok(frame)
    }

    fn bring(&mut self, page: u64) -> io::Result<usize> {
        let frame = if self.frames.len() < self.scratch.room.pages.max(1) {
            let numbers = Box::new([0; EACH]);
            self.frames.push(Frame { page, numbers, changed: false, used: false });
            self.frames.len() - 1
        } else {
            self.free()?
        };
        self.frames[frame].page = page;
        self.read(frame, page).map_err(no_room)?;
        self.place.insert(page, frame);
        Ok(frame)
    }

    /// A frame whose page was not used lately; the page is then in the store.
    fn free(&mut self) -> io::Result<usize> {
        while std::mem::take(&mut self.frames[self.hand].used) {
            self.hand = (self.hand + 1) % self.frames.len();
        }
        let frame = self.hand;
        self.hand = (self.hand + 1) % self.frames.len();
        if std::mem::take(&mut self.frames[frame].changed) {
            self.write(frame)?;
        }
        self.place.remove(&self.frames[frame].page);
        Ok(frame)
    }

    fn write(&mut self, frame: usize) -> io::Result<()> {
        let store = match &mut self.store {
            Some(store) => store,
            none => none.insert(self.scratch.store()?),
        };
        let Frame { page, numbers, .. } = &self.frames[frame];
        let mut bytes = [0; BYTES];
        for (number, bytes) in numbers.iter().zip(bytes.as_chunks_mut::<8>().0) {
            *bytes = number.to_le_bytes();
        }
        self.written = self.written.max(page + 1);
        let at = SeekFrom::Start(page * BYTES as u64);
        store.seek(at).and_then(|_| store.write_all(&bytes)).map_err(no_room)
    }

    fn read(&mut self, frame: usize, page: u64) -> io::Result<()> {
        let mut bytes = [0; BYTES];
        if let Some(store) = self.store.as_mut().filter(|_| page < self.written) {
            store.seek(SeekFrom::Start(page * BYTES as u64))?;
            read_what_is_there(store, &mut bytes)?;
        }
        let numbers = &mut self.frames[frame].numbers;
        for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        Ok(())
    }
}

/// Behind the end of a store are zeros.
fn read_what_is_there(from: &mut impl Read, mut into: &mut [u8]) -> io::Result<()> {
    while !into.is_empty() {
        match from.read(into) {
            Ok(0) => break,
            Ok(n) => into = &mut into[n..],
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

impl std::fmt::Debug for Numbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Numbers").field("set", &self.set).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::journal::scratch::Room;
    use proptest::prelude::*;

    fn numbers(pages: usize) -> Numbers {
        Numbers::new(&Scratch::in_memory(Room { pages, ..Room::USUAL }))
    }

    /// Reads one byte at a time.
    struct Slow<'b>(&'b [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut into[..1])
        }
    }

    #[test]
    fn a_store_that_gives_a_page_piece_by_piece_is_read_to_its_end() {
        let mut found = [9; 6];
        read_what_is_there(&mut Slow(&[1, 2, 3, 4]), &mut found).unwrap();
        assert_eq!(found, [1, 2, 3, 4, 9, 9]);
    }

    proptest! {
        #[test]
        fn prop_what_was_set_last_is_there_however_few_pages_are_in_memory(
            pages in 1usize..4,
            all in prop::collection::vec((0u64..9_000, any::<u64>()), 1..200),
        ) {
            let (mut numbers, mut known) = (numbers(pages), HashMap::new());
            for (at, number) in all {
                prop_assert_eq!(numbers.get(at).unwrap(), known.get(&at).copied().unwrap_or(0));
                numbers.set(at, number).unwrap();
                known.insert(at, number);
                prop_assert!(numbers.frames.len() <= pages && numbers.place.len() <= pages);
            }
            for (at, number) in known {
                prop_assert_eq!(numbers.get(at).unwrap(), number);
            }
        }
    }

    #[test]
    fn a_number_that_is_far_off_takes_no_room_and_too_many_are_refused() {
        let mut numbers = numbers(2);
        for at in [u64::MAX, 1 << 40, 7] {
            numbers.set(at, 3).unwrap();
            numbers.set(at, 0).unwrap();
            numbers.set(at, at).unwrap();
        }
        assert_eq!(numbers.get(u64::MAX).unwrap(), u64::MAX);
        assert_eq!((numbers.get(1 << 40).unwrap(), numbers.get(7).unwrap()), (1 << 40, 7));
        assert_eq!((numbers.frames.len(), numbers.get(8).unwrap()), (1, 0));
        let refused = (0..=MOST_FAR as u64).find_map(|n| numbers.set((1 << 50) + n, 1).err());
        assert!(refused.unwrap().to_string().contains("damaged beyond use"));
    }
}

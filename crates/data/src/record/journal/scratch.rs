//! [`Scratch`]: files that hold a little of each event while a journal is read, so that memory need
//! not.
//!
//! Background: an event needs only a few bytes (what ends it, where its tap is), but a journal may
//! have any number of events.
//! Solution: tables of whole numbers ([`Numbers`](super::numbers)) and sorted keys
//! ([`Sorter`](super::sorting)) hold a few pages in memory and the rest in files of their own, made
//! when they are first needed. Events that belong together are near each other in the journal, so
//! the pages seldom change.

use std::fmt;
use std::io::{self, Read, Seek, Write};
use std::rc::Rc;

/// What holds pages that are not in memory: a file without a name, or memory in tests.
pub trait Store: Read + Write + Seek {}

impl<S: Read + Write + Seek> Store for S {}

/// How much stays in memory.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Pages of each table, of 4 kB.
    pub pages: usize,
    /// Keys that are sorted at once, of 24 bytes.
    pub keys: usize,
    /// Taps and beats by which it is judged what became of a tap
    /// ([`MOST_JUDGED`](crate::record::MOST_JUDGED)), of some 200 bytes.
    pub judged: usize,
}

impl Room {
    /// Some 70 MB in all.
    pub const USUAL: Room = Room { pages: 256, keys: 500_000, judged: crate::record::MOST_JUDGED };
}

/// Makes the stores, one for each table.
#[derive(Clone)]
pub struct Scratch {
    make: Rc<dyn Fn() -> io::Result<Box<dyn Store>>>,
    pub(super) room: Room,
}

impl Scratch {
    /// Stores are made by `make`, each empty, and gone when dropped.
    pub fn new(room: Room, make: impl Fn() -> io::Result<Box<dyn Store>> + 'static) -> Scratch {
        Scratch { make: Rc::new(make), room }
    }

    /// Everything stays in memory.
    pub fn in_memory(room: Room) -> Scratch {
        Scratch::new(room, || Ok(Box::new(io::Cursor::new(Vec::new()))))
    }

    pub(super) fn store(&self) -> io::Result<Box<dyn Store>> {
        (self.make)().map_err(no_room)
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").field("room", &self.room).finish_non_exhaustive()
    }
}

/// What a store refused, in words that do not blame the journal.
pub(super) fn no_room(refused: io::Error) -> io::Error {
    let what = "a large one needs room for a temporary file beside it, half its size";
    io::Error::new(refused.kind(), format!("{what}: {refused}"))
}

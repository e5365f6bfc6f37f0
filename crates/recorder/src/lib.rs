#![forbid(unsafe_code)]
//! A running trial on the disk.
//!
//! The real-time thread hands each [`Entry`](chronotap_record::Entry) to a lock-free queue
//! ([`Sender`]); a writer thread appends it to a journal ([`Recorder`]), and the callbacks
//! of the sound cards to a log beside it. When the trial is over, journal and log become
//! the files that any statistics program reads. A journal that was left behind becomes the
//! same files by [`recover`]. How those files are written and read is in
//! `chronotap-record`.
//!
//! Anybody may watch a trial: the writer thread tells every [`Observer`] what it writes.

mod callbacks;
mod lock;
mod losses;
mod observe;
mod queue;
mod recorder;
mod recover;
mod shared;
mod spare;
mod writer;

pub use callbacks::{CALLBACKS_VERSION, RecordedCard};
pub use losses::Losses;
pub use observe::{Beginning, End, Notice, Observer, USUAL_ROOM, Watch, observe};
pub use queue::{Receiver, Room, Sender, entries};
pub use recorder::{Around, Recorder, keep_on};
pub use recover::{Recovery, recover, recover_on};
pub use spare::Moved;

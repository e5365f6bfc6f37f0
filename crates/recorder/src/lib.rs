#![forbid(unsafe_code)]
//! A running trial on the disk.
//!
//! The real-time thread hands each [`Entry`](chronotap_data::record::Entry) to a lock-free queue
//! ([`Sender`]); a writer thread appends it to a journal ([`Recorder`]), and the callbacks
//! of the sound cards to a log beside it. What inputs hear and feel is written by threads of their own.
//! When the trial is over, journal and log become the files that any statistics program reads. A
//! journal that was left behind becomes the same files by [`recover`]. How those files are written and
//! read is in `chronotap-data`.
//!
//! Anybody may watch a trial: the writer thread tells every [`Sink`] what it writes.

mod callbacks;
mod felt_again;
mod forces;
mod lock;
mod losses;
mod queue;
mod recording;
mod recover;
mod sealed;
mod shared;
mod sink;
mod sounds;
mod spare;
mod writer;

pub use callbacks::{CALLBACKS_VERSION, RecordedCard};
pub use felt_again::feel_again;
pub use forces::{ForceKeeper, KeptForce, RecordedForce};
pub use losses::Losses;
pub use queue::{QueueRoom, Receiver, Sender, entries};
pub use recording::{BesidesEntries, Recorder, keep_on};
pub use recover::{Recovery, recover, recover_on};
pub use sink::{Beginning, End, Notice, Sink, USUAL_ROOM, UnreadNotices, Utc, Watch, sink};
pub use sounds::{KeptSound, RecordedEar, SoundKeeper};
pub use spare::Moved;

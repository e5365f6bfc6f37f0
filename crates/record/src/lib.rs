//! The event log: queue, journal, events files, recovery.
//!
//! The real-time thread hands each [`Entry`] to a lock-free queue ([`Sender`]); a
//! writer thread appends it to a journal ([`Recorder`]); when the trial is over the
//! journal becomes two files that any statistics program reads ([`write_events`]).
//! Beside it goes a log of the sound card's callbacks, where there is one.
//! A journal that was left behind becomes the same two files by [`recover`].
//! [`read_events`] reads them back, for replay, for performers and for analysis.
//! The formats are described in docs/events-files.md.

mod callbacks;
mod difference;
mod entry;
mod error;
mod header;
mod journal;
mod line;
mod names;
mod place;
mod queue;
mod read;
mod recorder;
mod recover;
mod row;
mod rows;
mod settled;
mod sidecar;
mod text;
mod tsv;
mod words;
mod writer;

pub use callbacks::{CALLBACKS_VERSION, Load, Sounding};
pub use difference::{Difference, difference, difference_of_part};
pub use entry::Entry;
pub use error::{ReadError, RecordError};
pub use header::{Audio, Bound, ClockUsed, Footer, Header, Mode, Recovered, TrialFile};
pub use journal::{Journal, JournalError, read_journal};
pub use names::{Names, TriggerNames};
pub use place::{Saved, free_name, free_names, write_events};
pub use queue::{Entries, Sender, entries};
pub use read::{ArrivalRow, ClosureRow, EndRow, Recording, XrunRow, read_events};
pub use recorder::Recorder;
pub use recover::recover;
pub use row::{Flag, Row, TrialType};
pub use rows::rows;
pub use settled::settled;
pub use tsv::{COLUMNS, parse_rows, write_rows};

/// Version of the events files; raised when a column or key changes its meaning.
pub const EVENTS_VERSION: u32 = 1;
/// Version of the journal's lines.
pub const JOURNAL_VERSION: u32 = 1;

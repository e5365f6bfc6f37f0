//! The record of a trial: what is written of each event, and how it is read again.
//!
//! An [`Entry`] is an action of the engine as it really happened. Entries become the lines
//! of a [`journal`] while a trial runs, and at its end two files that any statistics
//! program reads ([`write_events`]); [`read_events`] reads them back, for replay, for
//! performers and for analysis. The formats are described in docs/events-files.md. The
//! threads that keep a running trial on the disk are in `chronotap-rig`.

mod answers;
mod cells;
mod checksum;
mod columns;
mod difference;
mod digits;
mod entries;
mod entry;
mod error;
mod essentials;
mod event;
mod fast_reader;
mod fates;
mod header;
mod heard_again;
pub mod hed;
pub mod journal;
mod kept;
mod kept_forces;
mod line;
mod load;
pub(crate) mod moment;
mod names;
mod outline;
mod perturbed;
pub mod place;
mod read;
mod recomputed;
mod recorded;
mod row;
mod rows;
mod settled;
mod sidecar;
mod sound_again;
mod summarize;
pub mod text;
mod tsv;
mod words;

pub use answers::{answers, matching_rule};
pub use checksum::Checksum;
pub use columns::COLUMNS;
pub use difference::{ReplayDifference, difference, difference_of_part};
pub use entry::{Entry, What};
pub use error::{JournalError, Left, ReadError, RecordError};
pub use essentials::Verdicts;
pub use event::event_object;
pub use fates::MOST_JUDGED;
pub use header::{
    Audio, Binding, ClockUsed, EarUsed, Footer, Header, OriginColumn, OriginFile, RecordedOrigin,
    Recovered, RunnerMode, TimeCodeUsed, TrialText,
};
pub use heard_again::{HeardAgain, LaterTap, LiveTaps};
pub use journal::{Journal, read_journal};
pub use kept::Kept;
pub use kept_forces::{FeltAgainError, force_labels};
pub use load::CallbackLoad;
pub use names::{Names, RuleNames};
pub use outline::{Outline, Outlines};
pub(crate) use outline::{Prints, prints};
pub use perturbed::{parse_perturbation, put_perturbation};
pub use place::{
    Saved, described_in, events_in_memory, free_name, free_names, write_events, write_events_heard,
};
pub use read::{
    ArrivalRow, ChangeRow, ClosureRow, EndRow, Recording, XrunRow, read_events, read_events_on,
    read_header,
};
pub(crate) use recomputed::forget_unknown;
pub use recomputed::summary_difference;
pub use recorded::RecordedError;
pub use row::{Flag, Row, TapFate, TrialType};
pub use rows::{Rows, rows, rows_of, rows_of_trial};
pub use settled::settled;
pub(crate) use sidecar::description_of;
pub use sound_again::{
    SoundAgainError, hear_again, kept_sound_of, loop_beside, sound_folder, sound_of,
};
pub use summarize::{Circumstances, ending_word, observed, summarize, summarize_each};
pub use tsv::{EventRows, parse_rows, write_rows};
pub use words::stamp as stamp_word;

/// The program and its version, as they stand in everything that it writes.
pub const PROGRAM: &str = concat!("chronotap ", env!("CARGO_PKG_VERSION"));
/// Version of the events files; raised when a column or key changes its meaning.
pub const EVENTS_VERSION: u32 = 1;
/// Version of the journal's lines.
pub const JOURNAL_VERSION: u32 = 1;

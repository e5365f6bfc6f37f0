//! The event log: queue, journal, events files, recovery.

mod entry;

pub use entry::Entry;

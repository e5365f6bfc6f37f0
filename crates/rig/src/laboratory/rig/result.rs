//! [`Finished`]: what is known of a trial that was run.

use crate::recorder::Moved;
use crate::runner::real_time;
use chronotap_analysis::summary::Summary;
use chronotap_data::record::place::Saved;
use chronotap_data::record::{Circumstances, Entry, RecordError};
use chronotap_engine::signal::PortCounts;
use chronotap_simulate::virtual_time;

/// A trial that is over.
#[derive(Debug)]
pub struct Finished {
    pub seed: u64,
    /// The trial in numbers.
    pub summary: Summary,
    /// Its files; `None` where it was to keep none; an error where the disk refused, and
    /// then the error says where the journal is.
    pub saved: Result<Option<Saved>, RecordError>,
    /// What the disk last said, where it refused for a while.
    pub problem: Option<String>,
    /// Why the files are in a spare folder, where they are.
    pub moved: Option<Moved>,
    /// Events that found the recorder's queue full and are in neither file nor entries.
    pub dropped: u64,
    /// Every event, corrected where it had to be.
    pub entries: Vec<Entry>,
    /// What was known besides the entries: with both every tap can be accounted for again.
    pub circumstances: Circumstances,
    /// What its runner counted.
    pub happened: Happened,
}

/// What a runner counted.
#[derive(Clone, Debug)]
pub enum Happened {
    /// In real time.
    RealTime(Box<real_time::Outcome>),
    /// In virtual time.
    VirtualTime(virtual_time::Ended),
}

impl Happened {
    /// What the ports counted, and how many tones and inputs found no room in the engine.
    pub fn counted(self) -> (Vec<PortCounts>, u64) {
        match self {
            Happened::RealTime(outcome) => (outcome.ports, outcome.lost),
            Happened::VirtualTime(ended) => (ended.ports, ended.lost),
        }
    }
}

impl Finished {
    /// Whether the timing passed and the data can be used.
    pub fn passed(&self) -> bool {
        self.summary.is_sound()
    }
}

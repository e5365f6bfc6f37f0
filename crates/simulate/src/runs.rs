//! [`TrialRunner`]: what runs the trials of a session: devices that are open, or wires in virtual time. A [`TrialRun`] says which
//! trial, and what is to become of it; what came of it is [`FinishedTrial`].

use crate::Tapper;
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::place::Saved;
use chronotap_data::record::{Circumstances, Entry, Header, RecordError};
use chronotap_engine::signal::PortCounts;
use chronotap_recorder::{Beginning, End, Moved, Sink};
use chronotap_trial::TrialEnd;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// What runs trials and keeps their data where they are told to.
pub trait TrialRunner {
    /// Runs a trial to its end. `progress` is called about ten times a second in real time, with the time since the
    /// trial's start; never in virtual time. `end` ends this trial, and no other, from any thread or from `progress`;
    /// one in virtual time ends by itself.
    ///
    /// # Errors
    /// [`NotRun`].
    fn run(
        &mut self,
        run: &TrialRun<'_>,
        end: &TrialEnd,
        progress: &mut dyn FnMut(Nanos),
    ) -> Result<FinishedTrial, NotRun>;

    /// Takes back what of a finished trial serves the next one.
    fn reuse(&mut self, finished: &mut FinishedTrial);
}

/// Why a trial was not run. What runs it has errors of its own, which say why and what to do.
pub type NotRun = Box<dyn Error + Send + Sync>;

/// What a session in real time asks of the system. In virtual time there is none: nobody waits, and nobody is
/// interrupted.
pub trait InRealTime {
    /// A clock that never goes back.
    fn now(&self) -> Nanos;
    /// Waits until that clock reads this time.
    fn sleep_until(&self, at: Nanos);
    /// Whether Ctrl-C or its kin asked for the end, and nobody has heard it yet.
    fn is_interrupted(&self) -> bool;
    /// Takes Ctrl-C over again.
    fn rearm(&self);
    /// By how much somebody set the clock of day since this was last asked; `None` where nobody did.
    fn day_was_set_by(&self) -> Option<Nanos>;
}

/// A trial, and what is to become of it.
#[derive(Clone, Copy)]
pub struct TrialRun<'a> {
    pub file: &'a TrialFile,
    pub seed: u64,
    /// Who taps at the far end of a virtual wire.
    pub tapper: &'a Tapper,
    /// Lateness above which the timing verdict fails; the trial file's where `None`.
    pub limit: Option<Nanos>,
    /// Where its data go.
    pub keep: KeepData<'a>,
    /// Who watches.
    pub sinks: &'a [Sink],
}

/// Where the data of a trial go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepData<'a> {
    /// Into the files of this name in this directory, which is there.
    Files(&'a Path, &'a str),
    /// Nowhere: only what [`FinishedTrial`] holds is left.
    Nothing,
}

impl<'a> TrialRun<'a> {
    /// A trial of which nothing is kept and which nobody watches, by the seed 0 and the limit of its file.
    pub fn unkept(file: &'a TrialFile, tapper: &'a Tapper) -> TrialRun<'a> {
        TrialRun { file, seed: 0, tapper, limit: None, keep: KeepData::Nothing, sinks: &[] }
    }

    /// Lateness above which the timing verdict fails.
    pub fn limit(&self) -> Nanos {
        self.limit.unwrap_or(self.file.limit)
    }

    /// Tells the sinks that a trial in virtual time begins.
    pub fn tell_beginning(&self, header: &Header) {
        if self.sinks.is_empty() {
            return;
        }
        let beginning = Arc::new(Beginning { header: header.clone(), ..Beginning::default() });
        self.sinks.iter().for_each(|sink| sink.begins(Arc::clone(&beginning)));
    }

    /// Tells the sinks that the trial is over.
    pub fn tell_end(&self, summary: &Summary, saved: &Result<Option<Saved>, RecordError>) {
        if self.sinks.is_empty() {
            return;
        }
        let saved = saved.as_ref().ok().cloned().flatten();
        let end = Arc::new(End { summary: Some(summary.clone()), saved });
        self.sinks.iter().for_each(|sink| sink.ends(Arc::clone(&end)));
    }
}

/// A trial that is over.
#[derive(Debug)]
pub struct FinishedTrial {
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
    /// What the ports counted.
    pub ports: Vec<PortCounts>,
    /// Tones and inputs that found no room in the engine.
    pub lost: u64,
    /// When it began, in UTC since 1970; `None` in virtual time.
    pub began_utc: Option<Nanos>,
}

impl FinishedTrial {
    /// Whether the timing passed and the data can be used.
    pub fn passed(&self) -> bool {
        self.summary.is_sound()
    }
}

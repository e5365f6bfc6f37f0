//! What passes between the thread that runs trials and whoever has them run.

use super::{Assignment, Outcome, Ready};
use crate::recorder::Sender;
use chronotap_engine::Engine;
use chronotap_linux::realtime::TrialEnd;

/// What the thread is asked to do.
pub(super) enum Order {
    /// Run a trial.
    Run(Box<Assignment>),
    /// Say which inputs and outputs are gone.
    Look,
}

pub(super) enum Answer {
    /// Once, and again where the rights had to be asked for anew.
    Ready(Ready),
    /// The trial is over.
    Done(Box<Done>),
    /// The inputs and outputs of the rig that are gone.
    Gone(Vec<u16>, Vec<u16>),
    /// The system refused the thread what it needs.
    Refused(std::io::Error),
}

/// A trial that is over. What it was run with comes back, so that it is not freed in real time.
pub(super) struct Done {
    pub(super) outcome: Outcome,
    pub(super) _engine: Engine,
    pub(super) _sender: Sender,
    pub(super) _end: TrialEnd,
}

//! What passes between the thread that runs trials and whoever has them run.

use super::{Assignment, Ready, TrialOutcome};
use crate::recorder::Sender;
use chronotap_engine::Engine;
use chronotap_engine::signal::Description;
use chronotap_trial::TrialEnd;

/// What the thread is asked to do.
pub(super) enum Order {
    /// Run a trial.
    Run(Box<Assignment>),
    /// Ask the ports again what they are, and say which inputs and outputs are gone.
    Look,
}

pub(super) enum Answer {
    /// Once, and again where the rights had to be asked for anew.
    Ready(Ready),
    /// The trial is over.
    Done(Box<Done>),
    /// What the inputs and outputs of the rig are by now.
    Looked(PortsNow),
    /// The system refused the thread what it needs.
    Refused(std::io::Error),
}

/// What the ports of a rig said when they were asked again, between two trials.
#[derive(Clone, Debug, Default)]
pub struct PortsNow {
    /// The inputs that are gone, by index.
    pub gone_inputs: Vec<u16>,
    /// The outputs that are gone, by index.
    pub gone_outputs: Vec<u16>,
    /// What the port of each input is.
    pub inputs: Vec<Description>,
    /// What the port of each output is.
    pub outputs: Vec<Description>,
}

/// A trial that is over. What it was run with comes back, so that it is not freed in real time.
pub(super) struct Done {
    pub(super) outcome: TrialOutcome,
    pub(super) _engine: Engine,
    pub(super) _sender: Sender,
    pub(super) _end: TrialEnd,
}

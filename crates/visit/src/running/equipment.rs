//! [`Equipment`]: what a session runs on.

use chronotap_core::time::Nanos;
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::laboratory::{Finished, Rig, RigError, Run};
use chronotap_rig::recorder::Sink;
use chronotap_simulate::Tapper;
use chronotap_trial::TrialEnd;

/// What a session runs on.
pub struct Equipment<'e> {
    /// What runs the trials: devices that are open.
    pub laboratory: &'e mut dyn Trials,
    /// What Ctrl-C and its kin set; `None` in virtual time.
    pub interrupt: Option<Interrupt>,
    /// Who taps at the far end of a virtual wire.
    pub tapper: &'e Tapper,
    /// Lateness above which the timing verdict fails; the trial file's where `None`.
    pub limit: Option<Nanos>,
    /// Who is told of the trials.
    pub sinks: &'e [Sink],
}

impl Equipment<'_> {
    /// Whether Ctrl-C or its kin asked for the end, and nobody has heard it yet.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(|interrupt| interrupt.requested())
    }

    /// Takes Ctrl-C over again.
    pub(super) fn rearm(&self) {
        if let Some(interrupt) = self.interrupt {
            interrupt.rearm();
        }
    }
}

/// What runs trials and keeps their data where they are told to: a laboratory, or what stands in
/// its place where the disk is none of the system's.
pub trait Trials {
    /// Runs a trial to its end, as [`Rig::run_until`].
    ///
    /// # Errors
    /// [`RigError`].
    fn run(
        &mut self,
        run: &Run<'_>,
        end: &TrialEnd,
        progress: &mut dyn FnMut(Nanos),
    ) -> Result<Finished, RigError>;

    /// Takes back what of a finished trial serves the next one.
    fn reuse(&mut self, finished: &mut Finished);
}

impl Trials for Rig {
    fn run(
        &mut self,
        run: &Run<'_>,
        end: &TrialEnd,
        progress: &mut dyn FnMut(Nanos),
    ) -> Result<Finished, RigError> {
        Rig::run_until(self, run, end, progress)
    }

    fn reuse(&mut self, finished: &mut Finished) {
        Rig::reuse(self, finished);
    }
}

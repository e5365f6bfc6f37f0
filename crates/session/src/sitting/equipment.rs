//! [`Equipment`]: what a session runs on.

use chronotap_laboratory::{Finished, Run, Session, SessionError, Tapper};
use chronotap_realtime::{Interrupt, TrialEnd};
use chronotap_recorder::Observer;
use chronotap_time::Nanos;

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
    /// Who watches the trials.
    pub observers: Vec<Observer>,
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
    /// Runs a trial to its end, as [`Session::run_until`].
    ///
    /// # Errors
    /// [`SessionError`].
    fn run(
        &mut self,
        run: &Run<'_>,
        end: &TrialEnd,
        progress: &mut dyn FnMut(Nanos),
    ) -> Result<Finished, SessionError>;

    /// Takes back what of a finished trial serves the next one.
    fn reuse(&mut self, finished: &mut Finished);
}

impl Trials for Session {
    fn run(
        &mut self,
        run: &Run<'_>,
        end: &TrialEnd,
        progress: &mut dyn FnMut(Nanos),
    ) -> Result<Finished, SessionError> {
        Session::run_until(self, run, end, progress)
    }

    fn reuse(&mut self, finished: &mut Finished) {
        Session::reuse(self, finished);
    }
}

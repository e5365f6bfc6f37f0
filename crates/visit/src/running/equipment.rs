//! [`Equipment`]: what a session runs on.

use chronotap_core::time::Nanos;
use chronotap_recorder::Sink;
use chronotap_simulate::{InRealTime, Tapper, TrialRunner};

/// What a session runs on.
pub struct Equipment<'e> {
    /// What runs the trials: devices that are open, or wires in virtual time.
    pub laboratory: &'e mut dyn TrialRunner,
    /// The clocks and Ctrl-C; `None` in virtual time.
    pub in_real_time: Option<&'e dyn InRealTime>,
    /// Who taps at the far end of a virtual wire.
    pub tapper: &'e Tapper,
    /// Lateness above which the timing verdict fails; the trial file's where `None`.
    pub limit: Option<Nanos>,
    /// Who is told of the trials.
    pub sinks: &'e [Sink],
}

impl Equipment<'_> {
    /// The time of a clock that never goes back; in virtual time none passes between trials.
    pub(super) fn now(&self) -> Nanos {
        self.in_real_time.map_or(Nanos::ZERO, |clock| clock.now())
    }

    /// Whether Ctrl-C or its kin asked for the end, and nobody has heard it yet.
    pub(super) fn is_interrupted(&self) -> bool {
        self.in_real_time.is_some_and(|clock| clock.is_interrupted())
    }

    /// Takes Ctrl-C over again.
    pub(super) fn rearm(&self) {
        if let Some(clock) = self.in_real_time {
            clock.rearm();
        }
    }
}

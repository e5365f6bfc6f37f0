//! [`recognise`]: artefacts that are known by the form they leave in measured times.
//!
//! Pure functions over samples: when each was taken, and what it was. A lateness is
//! stamped with the moment at which it was seen, that is when the thread ran again.
//! Each rule stands in the file of its artefact, and each asks for more than noise of
//! any one size can give, so that exponential and normal noise raise no alarm; what a
//! rule cannot tell apart is not reported.

mod comb;
mod simultaneous;
mod slack;
mod throttling;

pub use comb::comb;
pub use simultaneous::simultaneous;
pub use slack::timer_slack;
pub use throttling::throttling;

use chronotap_core::time::Nanos;
use serde::{Deserialize, Serialize};

/// When it was seen, and the value: a lateness or an interval.
pub type StampedValue = (Nanos, Nanos);

/// What leaves a form of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Artefact {
    /// The kernel stops real-time threads for the rest of each second.
    Throttling,
    /// The kernel lets ordinary threads sleep longer, to wake several at once.
    TimerSlack,
    /// Times are multiples of 1 ms.
    Comb1Ms,
    /// Times are multiples of 4 ms.
    Comb4Ms,
    /// Times are multiples of 10 ms.
    Comb10Ms,
    /// All processors were late at once.
    Simultaneous,
}

/// An artefact that was recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    pub artefact: Artefact,
    /// What in the samples says so.
    pub evidence: String,
}

impl Artefact {
    /// What it means, and what can be done.
    pub fn meaning(self) -> &'static str {
        match self {
            Artefact::Throttling => {
                "real-time throttling: real-time threads used 95 % of a second and were stopped for \
                 the rest; let them sleep more"
            }
            Artefact::TimerSlack => {
                "timer slack of an ordinary thread: ask for real-time priority, or for a slack of \
                 1 ns (PR_SET_TIMERSLACK)"
            }
            Artefact::Comb1Ms => {
                "a clock of 1 kHz passes things on: USB frames, the sequencer's timer, or a kernel \
                 tick of 1000 Hz"
            }
            Artefact::Comb4Ms => "a kernel tick of 250 Hz passes things on, or a driver that polls",
            Artefact::Comb10Ms => {
                "a kernel tick of 100 Hz passes things on, or a driver that polls"
            }
            Artefact::Simultaneous => {
                "all processors stood still at once: the host of this virtual machine, or the \
                 firmware (system-management interrupts); no setting of this kernel cures it"
            }
        }
    }
}

impl Signature {
    fn of(artefact: Artefact, evidence: String) -> Signature {
        Signature { artefact, evidence }
    }

    /// One sentence for people.
    pub fn sentence(&self) -> String {
        format!("{}: {}", self.evidence, self.artefact.meaning())
    }
}

/// All artefacts in the lateness of threads, one slice of samples for each core, in the
/// order of time. `slack` is the timer slack of the threads; zero for real-time ones.
pub fn recognise(cores: &[&[StampedValue]], slack: Nanos) -> Vec<Signature> {
    let mut found: Vec<Signature> = Vec::new();
    for samples in cores {
        let own = [throttling(samples), timer_slack(samples, None, slack), comb(samples)];
        for signature in own.into_iter().flatten() {
            if !found.iter().any(|known| known.artefact == signature.artefact) {
                found.push(signature);
            }
        }
    }
    found.extend(simultaneous(cores));
    found
}

/// The values in rising order.
fn sorted(samples: &[StampedValue]) -> Vec<Nanos> {
    let mut values: Vec<Nanos> = samples.iter().map(|(_, value)| *value).collect();
    values.sort_unstable();
    values
}

/// The least value that at least `percent` of all do not exceed.
fn percentile(sorted: &[Nanos], percent: usize) -> Nanos {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(Nanos::ZERO)
}

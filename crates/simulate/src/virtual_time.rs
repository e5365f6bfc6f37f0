//! Virtual time: the clock jumps from deadline to deadline. Nothing is late, and
//! the same seed and performer give the same trial to the nanosecond.

use chronotap_core::time::{Nanos, VirtualClock};
use chronotap_data::record::Entry;
use chronotap_engine::Engine;
use chronotap_engine::action::TrialEnding;
use chronotap_engine::signal::PortCounts;
use chronotap_trial::{Ports, Round};

/// What a virtual trial leaves besides its entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ended {
    /// When the trial ended, since its start.
    pub ended: Nanos,
    /// Services of the engine.
    pub services: u64,
    /// Tones and inputs that found no room in the engine.
    pub lost: u64,
    /// What the ports counted.
    pub ports: Vec<PortCounts>,
}

/// Runs a trial to its end, or to `until`, on ports that know when their messages
/// arrive. Every entry goes to `log`, in order.
pub fn run(engine: Engine, ports: Ports, until: Nanos, log: &mut dyn FnMut(Entry)) -> Ended {
    let mut round = Round { engine, ports, clock: VirtualClock::new() };
    let (mut services, mut now) = (0, Nanos::ZERO);
    while !round.engine.has_ended() {
        match round.next() {
            Some(next) if next < until || round.engine.is_over() => {
                now = next.max(now);
                round.clock.advance_to(now);
                round.service(0, now, log);
                services += 1;
            }
            _ => {
                now = until.max(now);
                round.clock.advance_to(now);
                round.stop(now, TrialEnding::TimeLimit, log);
            }
        }
    }
    Ended { ended: now, services, lost: round.engine.lost(), ports: round.ports.counts() }
}

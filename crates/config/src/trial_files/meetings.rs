//! [`meetings`]: codes that come while another one still stands, as far as it is known beforehand.

use crate::trial_files::foresee::unhindered;
use chronotap_core::time::Nanos;
use chronotap_engine::Engine;
use chronotap_engine::action::{Action, Kind};
use chronotap_engine::trial::Trial;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many instants of a trial are looked at.
const STEPS_MAX: u32 = 20_000;
/// So far ahead.
const HORIZON: Nanos = Nanos(3_600 * 1_000_000_000);

/// A code that cuts another one short: places in the trial's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    pub first: u16,
    pub second: u16,
    /// When the second came.
    pub at: Nanos,
    /// How long after the first.
    pub apart: Nanos,
}

/// Of each two codes that meet if nobody taps: where they first do, and where they are nearest.
pub(crate) fn meetings(trial: &Trial, seed: Option<u64>) -> Vec<Met> {
    let mut seen = Seen::default();
    let mut engine = Engine::new(Arc::new(unhindered(trial)), seed.unwrap_or(1));
    for _ in 0..STEPS_MAX {
        let Some(next) = engine.next_deadline().filter(|at| *at <= HORIZON) else { break };
        engine.advance(next, &mut |action| seen.take(action));
    }
    seen.met.into_values().collect()
}

#[derive(Default)]
struct Seen {
    last: Option<(u16, Nanos)>, // the last code and when it came
    cut: Option<(u16, Nanos)>,  // the same of what the next one cuts short
    met: BTreeMap<(u16, u16), Met>,
}

impl Seen {
    fn take(&mut self, action: &Action) {
        match action.kind {
            Kind::Overwritten => self.cut = self.last,
            Kind::Code(second) => {
                let at = action.instant;
                if let Some((first, before)) = self.cut.take() {
                    let met = Met { first, second, at, apart: at - before };
                    let kept = self.met.entry((first, second)).or_insert(met);
                    if met.apart < kept.apart {
                        *kept = met;
                    }
                }
                self.last = Some((second, at));
            }
            _ => {}
        }
    }
}

//! [`Told`]: what a port has told of changes at its server or sequencer, so that each is told once,
//! and what changed between two trials with the next one.
//!
//! Real-time contract: no allocation, lock or system call but the clock's.

use crate::cards::{KnownCounts, Lone, NoticedChanges, bit};
use crate::clocks::MonotonicClock;
use chronotap_core::time::Nanos;
use chronotap_engine::signal::PortReport;

/// What was told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    known: Option<KnownCounts>, // none before the first trial: what its own opening changed is no change
    unlinked: u64,              // told of the inputs, a bit for each
}

impl Told {
    /// A trial begins.
    pub(crate) fn start(&mut self, changes: &NoticedChanges) {
        self.known.get_or_insert(changes.known());
        self.unlinked = 0;
    }

    /// Tells what is new, by the clock of the trial that began at `origin` (raw CLOCK_MONOTONIC). What
    /// happened before it is told as of its beginning.
    pub(crate) fn tell(
        &mut self,
        (changes, lone): (&NoticedChanges, &Lone),
        inputs: impl Iterator<Item = u16>,
        origin: Nanos,
        tell: &mut dyn FnMut(PortReport),
    ) {
        let Some(known) = &mut self.known else { return };
        let since = |at: Nanos| (at - origin).max(Nanos::ZERO);
        changes.tell_since(known, |at, change| tell(PortReport::Changed(since(at), change)));
        let unlinked = lone.inputs();
        let other = std::mem::replace(&mut self.unlinked, unlinked) ^ unlinked;
        if other == 0 {
            return;
        }
        let at = since(MonotonicClock::raw());
        for (place, input) in inputs.enumerate().filter(|(place, _)| other & bit(*place) != 0) {
            let is = unlinked & bit(place) != 0;
            tell(if is { PortReport::Unlinked(input, at) } else { PortReport::Linked(input, at) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::action::OutsideChange;

    #[test]
    fn what_happened_between_two_trials_is_told_at_the_beginning_of_the_next() {
        let (changes, lone, mut told) =
            (NoticedChanges::default(), Lone::default(), Told::default());
        changes.note(OutsideChange::Connected, Nanos(1));
        told.start(&changes);
        let mut reports = Vec::new();
        let mut tell = |told: &mut Told, origin| {
            reports.clear();
            told.tell((&changes, &lone), [2, 3].into_iter(), origin, &mut |one| reports.push(one));
            reports.clone()
        };
        assert_eq!(tell(&mut told, Nanos(2)), [], "its own opening is no change");
        changes.note(OutsideChange::Disconnected, Nanos(10));
        lone.show(0b10, 0);
        told.start(&changes);
        let now = MonotonicClock::raw() + Nanos::from_secs(1);
        let taken = PortReport::Changed(Nanos::ZERO, OutsideChange::Disconnected);
        assert_eq!(tell(&mut told, now), [taken, PortReport::Unlinked(3, Nanos::ZERO)]);
        assert_eq!(tell(&mut told, now), []);
        lone.show(0, 0);
        assert_eq!(tell(&mut told, now), [PortReport::Linked(3, Nanos::ZERO)]);
    }
}

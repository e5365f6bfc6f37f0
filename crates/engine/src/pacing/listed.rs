//! The beats of a [`Stream`] that has a list of onsets in place of an interval: where each comes,
//! once or repeated with a period.

use super::Stream;
use crate::trial::Trial;
use chronotap_core::time::Exact;

impl Stream {
    pub(super) fn plan_listed(&mut self, count: u32, trial: &Trial) -> Option<Exact> {
        let listed = if self.pacing.repeat.is_some() { u32::MAX } else { count };
        let limit = self.pacing.beats.map_or(listed, |beats| beats.min(listed));
        match self.listed_onset(self.beat, trial).filter(|_| self.beat < limit) {
            Some(onset) => {
                self.grid = self.origin + onset;
                self.place(self.after_present(), trial);
                None
            }
            None => {
                self.end.come(self.grid + self.value_of(self.tempo).half());
                let next = self.pacing.repeat.and_then(|_| self.listed_onset(self.beat, trial));
                Some(next.map_or(self.grid, |next| self.origin + next))
            }
        }
    }

    pub(super) fn listed_onset(&self, index: u32, trial: &Trial) -> Option<Exact> {
        let onsets = self.pacing.onsets?.of(&trial.times);
        let Some(repeat) = self.pacing.repeat else {
            return onsets.get(index as usize).map(|&onset| Exact::whole(onset));
        };
        let count = u32::try_from(onsets.len()).unwrap_or(u32::MAX).max(1);
        let begins = repeat.every.scaled(i64::from(index / count), 1);
        onsets.get((index % count) as usize).map(|&onset| begins + Exact::whole(onset))
    }
}

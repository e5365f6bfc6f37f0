//! [`border`]: the largest number of instances that runs without an xrun, as a pure
//! function of an oracle that tries a number.
//!
//! Background: what a number of instances does differs from run to run near the border,
//! and a machine may stall at any time whatever it computes.
//! Solution: doubling from one to the first number that fails, bisection between, and
//! then three clean runs of the number found, as long as the user asked for. A number
//! fails when two runs of it had xruns, so that one stall does not end the search. From
//! one that fails its confirmation the search steps down by one, two, four, to a number
//! that is confirmed, and halves the gap again.
//! Why it works: for an oracle that always answers alike the border is exact; for one
//! that does not, the number given was confirmed and the next one refuted, after
//! logarithmically many runs. Since it begins with one and doubles, no run has more than
//! twice the load that the machine bears.

use std::collections::BTreeMap;

/// Clean runs of the number that is given as the border.
pub const CONFIRMATIONS: u32 = 3;
/// So many runs with xruns refute a number.
pub const REFUTATIONS: u32 = 2;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Every period was in time.
    Clean,
    /// At least one was not.
    Xruns,
    /// It was ended before its time.
    Interrupted,
}

/// What a run is for; the runs of a search may be shorter than those that confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchPhase {
    /// Looking for the border.
    Search,
    /// Confirming it.
    Confirm,
}

/// The border, as far as it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// The largest number without an xrun.
    pub instances: u32,
    /// Whether it had its three clean runs; otherwise the search was interrupted.
    pub confirmed: bool,
    /// Whether more were not tried, because the caller's limit was reached.
    pub at_limit: bool,
    /// Runs of this very number that had xruns, 0 or 1: a stray one.
    pub stray: u32,
    /// All runs that were made.
    pub runs: u32,
}

/// Searches for the largest number from 0 to `limit` that runs clean. `None` where not
/// even 0 does, or where the search was interrupted before anything did.
pub fn border(limit: u32, runs: impl FnMut(u32, SearchPhase) -> RunEnd) -> Option<Border> {
    Search { runs, counts: BTreeMap::new(), made: 0 }.find(limit)
}

struct Search<F> {
    runs: F,
    counts: BTreeMap<u32, RunCounts>,
    made: u32,
}

/// How the runs of one number ended.
#[derive(Clone, Copy, Debug, Default)]
struct RunCounts {
    searched: u32,
    confirmed: u32,
    failed: u32,
}

/// The search was interrupted.
struct Interrupted;

impl<F: FnMut(u32, SearchPhase) -> RunEnd> Search<F> {
    fn find(mut self, limit: u32) -> Option<Border> {
        let found = self.narrow(limit);
        let best = match found {
            Ok(found) => found,
            Err(Interrupted) => self.best_below(limit.saturating_add(1)),
        };
        best.map(|instances| self.judged(instances, limit))
    }

    fn narrow(&mut self, limit: u32) -> Result<Option<u32>, Interrupted> {
        if !self.passes(0, SearchPhase::Search)? {
            return Ok(None);
        }
        let (low, high) = self.double(limit)?;
        let found = self.bisect(low, high, SearchPhase::Search)?;
        match self.passes(found, SearchPhase::Confirm)? {
            true => Ok(Some(found)),
            false => self.retreat(found),
        }
    }

    /// The largest number that passes, of one that does and one that does not.
    fn bisect(
        &mut self,
        mut low: u32,
        mut high: u32,
        phase: SearchPhase,
    ) -> Result<u32, Interrupted> {
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match self.passes(middle, phase)? {
                true => low = middle,
                false => high = middle,
            }
        }
        Ok(low)
    }

    /// Where the border is noisy: downward by doubled steps to a number that is
    /// confirmed, and up again by halves.
    fn retreat(&mut self, failed: u32) -> Result<Option<u32>, Interrupted> {
        let (mut high, mut step) = (failed, 1u32);
        while high > 0 {
            let low = high.saturating_sub(step);
            if self.passes(low, SearchPhase::Confirm)? {
                return self.bisect(low, high, SearchPhase::Confirm).map(Some);
            }
            (high, step) = (low, step.saturating_mul(2));
        }
        Ok(None)
    }

    /// The last power of two that ran clean, and what is known or taken to fail.
    fn double(&mut self, limit: u32) -> Result<(u32, u32), Interrupted> {
        let mut low = 0;
        while low < limit {
            let next = (low * 2).clamp(1, limit);
            if !self.passes(next, SearchPhase::Search)? {
                return Ok((low, next));
            }
            low = next;
        }
        Ok((limit, limit + 1))
    }

    /// Tries a number until its runs tell.
    fn passes(&mut self, instances: u32, phase: SearchPhase) -> Result<bool, Interrupted> {
        loop {
            let counts = self.counts.entry(instances).or_default();
            if counts.failed >= REFUTATIONS {
                return Ok(false);
            }
            if counts.is_enough(phase) {
                return Ok(true);
            }
            self.made += 1;
            match (self.runs)(instances, phase) {
                RunEnd::Interrupted => return Err(Interrupted),
                RunEnd::Xruns => counts.failed += 1,
                RunEnd::Clean if phase == SearchPhase::Search => counts.searched += 1,
                RunEnd::Clean => counts.confirmed += 1,
            }
        }
    }

    fn best_below(&self, high: u32) -> Option<u32> {
        let mut below = self.counts.range(..high).rev();
        below.find(|(_, counts)| counts.passes()).map(|(instances, _)| *instances)
    }

    fn judged(&self, instances: u32, limit: u32) -> Border {
        let counts = self.counts.get(&instances).copied().unwrap_or_default();
        Border {
            instances,
            confirmed: counts.confirmed >= CONFIRMATIONS,
            at_limit: instances == limit,
            stray: counts.failed,
            runs: self.made,
        }
    }
}

impl RunCounts {
    fn is_enough(&self, phase: SearchPhase) -> bool {
        match phase {
            SearchPhase::Search => self.searched + self.confirmed > 0,
            SearchPhase::Confirm => self.confirmed >= CONFIRMATIONS,
        }
    }

    fn passes(&self) -> bool {
        self.failed < REFUTATIONS && self.is_enough(SearchPhase::Search)
    }
}

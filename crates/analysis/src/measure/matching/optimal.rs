//! Optimal matching: of all ways to give each beat at most one tap within its window, and
//! each tap at most one beat, the one with the most pairs, and of these the one with the
//! least sum of |asynchrony|. For dense patterns and music, where each tap to the
//! closest beat ([`Grid::matched_by`]) can leave a beat without one.
//!
//! This is the assignment problem of sets of points on a line. Its best solution can always be
//! had without crossings, where windows begin and end in the order of the beats; so it is
//! the best chain of pairs in ascending order, which a tree of best scores by tap finds in
//! p log n steps for p pairs within windows. Ties go to the chain found first.
//!
//! Limit: the order of a performance is taken as that of the score. Swapped notes and wrong
//! pitches need an alignment that looks at pitch.

use super::{Grid, Matching, Pair};
use chronotap_core::time::Nanos;

impl Grid {
    /// Matches taps, in ascending order, to the beats, as well as is possible for all of
    /// them together.
    pub fn matched_optimally(&self, taps: &[Nanos]) -> Matching {
        let close = self.close_pairs(taps);
        self.accounted(taps, &close, assign(close.clone()))
    }
}

/// The most pairs, and of these the least sum of |asynchrony|; in the order of the beats.
/// `candidates` are all pairs within windows that begin and end in the order of the beats.
pub fn assign(mut candidates: Vec<Pair>) -> Vec<Pair> {
    candidates.sort_unstable_by_key(|pair| (pair.beat, pair.tap));
    let taps = candidates.iter().map(|pair| pair.tap + 1).max().unwrap_or(0);
    let mut best = BestBefore::new(taps);
    let mut chains: Vec<Chain> = Vec::with_capacity(candidates.len());
    for of_beat in candidates.chunk_by(|a, b| a.beat == b.beat) {
        let first = chains.len();
        for pair in of_beat {
            let before = best.before(pair.tap);
            let score = Score { pairs: before.0.pairs + 1, cost: before.0.cost - cost(pair) };
            chains.push(Chain { score, before: before.1 });
        }
        for (place, pair) in (first..).zip(of_beat) {
            best.offer(pair.tap, chains[place].score, place);
        }
    }
    let mut found = Vec::new();
    let mut place = best.before(taps).1;
    while let Some(at) = place {
        found.push(candidates[at]);
        place = chains[at].before;
    }
    found.reverse();
    found
}

fn cost(pair: &Pair) -> i64 {
    pair.asynchrony.abs().0
}

/// More pairs are better; with as many the greater `cost`, which counts down from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    pairs: u32,
    cost: i64,
}

/// The best chain that ends with a pair.
struct Chain {
    score: Score,
    /// The place of the pair before it.
    before: Option<usize>,
}

/// The best chain among the taps before a tap (Fenwick 1994).
struct BestBefore {
    tree: Vec<(Score, Option<usize>)>,
}

impl BestBefore {
    fn new(taps: usize) -> BestBefore {
        BestBefore { tree: vec![(Score::default(), None); taps + 1] }
    }

    fn before(&self, tap: usize) -> (Score, Option<usize>) {
        let mut best = (Score::default(), None);
        let mut node = tap;
        while node > 0 {
            if self.tree[node].0 > best.0 {
                best = self.tree[node];
            }
            node &= node - 1;
        }
        best
    }

    fn offer(&mut self, tap: usize, score: Score, place: usize) {
        let mut node = tap + 1;
        while node < self.tree.len() {
            if score > self.tree[node].0 {
                self.tree[node] = (score, Some(place));
            }
            node += node & node.wrapping_neg();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::MatchingRule;
    use crate::observed::ObservedStream;

    fn ms(times: &[i64]) -> Vec<Nanos> {
        times.iter().copied().map(Nanos::from_millis).collect()
    }

    #[test]
    fn a_tap_goes_to_the_beat_that_has_no_other() {
        let beats = ms(&[0, 200, 400]);
        let grid = Grid::new(&ObservedStream::steady("rhythm", beats), 1.0);
        let taps = ms(&[199, 201, 390]);
        assert_eq!(grid.matched_by(MatchingRule::FirstOnset, &taps).pairs.len(), 2);
        let best = grid.matched_optimally(&taps);
        assert_eq!(best.pairs.len(), 3);
        assert_eq!(best.asynchronies(), ms(&[199, 1, -10]));
    }

    #[test]
    fn where_beats_are_far_apart_both_ways_agree() {
        let beats = (0..10).map(|k| Nanos::from_millis(600 * k));
        let grid = Grid::new(&ObservedStream::steady("beats", beats), super::super::WINDOW);
        let taps = ms(&[-20, 570, 1190, 1195, 1795, 2990, 3610, 4150, 4810, 5400, 5720]);
        let by_the_closest = grid.matched_by(MatchingRule::ClosestFirst, &taps);
        assert_eq!(grid.matched_optimally(&taps), by_the_closest);
    }

    #[test]
    fn nothing_is_matched_to_nothing() {
        assert_eq!(assign(Vec::new()), []);
        assert_eq!(Grid::default().matched_optimally(&[]), Matching::default());
    }
}

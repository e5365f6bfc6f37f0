//! The walk: trials of one repetition change places, again and again.
//!
//! Background: an order drawn by shuffling alone hardly ever satisfies tight constraints.
//! Solution: a Metropolis walk over all orders, valid or not, by swaps of two trials; a
//! swap that adds v violations is made with probability `lambda` to the power of v.
//! Why it works: swaps are symmetric and lead from any order to any other, so the walk
//! converges to the distribution in which an order with v violations has weight
//! lambda^v, and there all valid orders are equally likely. It is looked at only at steps
//! fixed beforehand, so that when it is taken does not depend on where it is.

use super::Task;
use chronotap_engine::random::Random;

/// Steps before each look, for each trial times the logarithm of their number.
const STEPS: usize = 25;
/// So often it is looked at before nothing counts as found.
const LOOKS: usize = 40;

/// A descent that has not met a valid order by then hardly ever will.
const DESCENT_MAX: usize = 2_000_000;

/// A walk over the orders of a task.
struct Walk<'t> {
    task: &'t Task,
    order: Vec<usize>,
    /// The first and the last place of each repetition that has something to exchange.
    groups: Vec<(u32, u32)>,
    reach: usize,
    lambda: f64,
}

/// An order, as likely as every other in the limit of many steps; `None` where none is found.
pub(super) fn walk(task: &Task, random: &mut Random) -> Option<Vec<usize>> {
    let mut walk = Walk::new(task, random)?;
    let trials = task.len();
    let steps = STEPS * trials.max(4) * (usize::BITS - trials.leading_zeros()) as usize;
    for _ in 0..LOOKS {
        for _ in 0..steps {
            walk.step(random);
        }
        if task.is_valid(&walk.order) {
            return Some(walk.order);
        }
    }
    None
}

/// Any valid order, quickly: the walk until it first meets one.
pub(super) fn descend(task: &Task, random: &mut Random) -> Option<Vec<usize>> {
    let mut walk = Walk::new(task, random)?;
    let mut violations: usize = walk.all_violations();
    walk.lambda = walk.lambda.min(1.0 / 256.0);
    for _ in 0..(2_000 + 200 * task.len()).min(DESCENT_MAX) {
        if violations == 0 {
            return Some(walk.order);
        }
        let change = walk.step(random);
        violations = violations.saturating_add_signed(change);
    }
    None
}

impl<'t> Walk<'t> {
    fn new(task: &'t Task, random: &mut Random) -> Option<Walk<'t>> {
        let mut groups = Vec::new();
        let mut begins = 0;
        for group in &task.groups {
            if group.len() > 1 {
                groups.push((begins, begins + group.len() as u32 - 1));
            }
            begins += group.len() as u32;
        }
        let order = task.shuffled(random);
        let reach = task.rules.iter().map(super::Restriction::reach).max().unwrap_or(0);
        let mut walk = Walk { task, order, groups, reach, lambda: 1.0 };
        // About half a violation is left on average where violations are rare.
        walk.lambda = 0.5 / walk.all_violations().clamp(4, 2_000) as f64;
        (!walk.groups.is_empty()).then_some(walk)
    }

    fn all_violations(&self) -> usize {
        (0..self.order.len()).map(|place| self.task.violations_at(&self.order, place)).sum()
    }

    /// One step; by how much the violations changed.
    fn step(&mut self, random: &mut Random) -> isize {
        let group = self.groups[random.between(0, self.groups.len() as u32 - 1) as usize];
        let (a, b) = (random.between(group.0, group.1), random.between(group.0, group.1));
        let (a, b) = (a.min(b) as usize, a.max(b) as usize);
        if self.order[a] == self.order[b] {
            return 0;
        }
        let before = self.around(a, b);
        self.order.swap(a, b);
        let after = self.around(a, b);
        let worse = after.saturating_sub(before);
        if worse > 0 && random.uniform() >= self.odds(worse) {
            self.order.swap(a, b);
            return 0;
        }
        after as isize - before as isize
    }

    /// `lambda` to the power of `worse`, by multiplication: the same bits on every machine.
    fn odds(&self, worse: usize) -> f64 {
        (0..worse.min(64)).fold(1.0, |odds, _| odds * self.lambda)
    }

    /// The violations that two places have part in.
    fn around(&self, a: usize, b: usize) -> usize {
        let last = self.order.len() - 1;
        let first = a..=(a + self.reach).min(last);
        let second = b.max(first.end() + 1)..=(b + self.reach).min(last);
        first.chain(second).map(|place| self.task.violations_at(&self.order, place)).sum()
    }
}

//! Orders of trials that satisfy constraints, each as likely as every other.
//!
//! Background. Shuffling until the constraints are satisfied is fair but may never end;
//! repairing a shuffle ends but makes some orders likelier. Solution: three methods, the
//! first that serves. Counting finds how many orders go on from each point and chooses by
//! these numbers: exactly uniform, for as many states as the memory holds. Rejection
//! shuffles a bounded number of times: exactly uniform. The walk swaps trials and
//! converges to the uniform distribution. The plan says which it was.

mod counting;
mod reasons;
mod walk;

use crate::plan::Method;
use chronotap_engine::random::Random;
pub(crate) use reasons::reason;

/// So many trials are shuffled at most, over all attempts, before the walk is taken.
const SHUFFLED_MAX: usize = 200_000;

/// What is to be put in order: the trials of a block.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The items of each repetition, by condition; only within one they change places.
    pub groups: Vec<Vec<usize>>,
    /// What the order must satisfy.
    pub rules: Vec<Restriction>,
}

/// A constraint on one factor.
#[derive(Clone, Debug)]
pub(crate) struct Restriction {
    /// The level of each condition.
    pub levels: Vec<usize>,
    pub kind: Kind,
}

/// What a constraint asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// At most so many equal levels in a row.
    Run(usize),
    /// Places of equal levels differ by at least so much.
    Apart(usize),
    /// The first is none of these levels.
    NotFirst(Vec<usize>),
}

/// Why there is no order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is none: these rules cannot hold together, by counting.
    Impossible(Vec<usize>),
    /// None was found, and no proof that there is none.
    NotFound,
}

impl Task {
    /// How many trials there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// How many violations of the rules end at this place.
    fn violations_at(&self, order: &[usize], place: usize) -> usize {
        self.rules.iter().map(|rule| rule.violations_at(order, place)).sum()
    }

    fn is_valid(&self, order: &[usize]) -> bool {
        (0..order.len()).all(|place| self.violations_at(order, place) == 0)
    }

    /// Whether the order of the file satisfies the rules.
    pub fn is_satisfied_in_file_order(&self) -> bool {
        self.is_valid(&self.groups.concat())
    }

    /// The trials, each repetition shuffled.
    fn shuffled(&self, random: &mut Random) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.len());
        for group in &self.groups {
            let begins = order.len();
            order.extend_from_slice(group);
            shuffle(&mut order[begins..], random);
        }
        order
    }
}

impl Restriction {
    fn violations_at(&self, order: &[usize], place: usize) -> usize {
        let level = |place: usize| self.levels[order[place]];
        match &self.kind {
            Kind::Run(n) => {
                let long = place >= *n && (place - n..place).all(|p| level(p) == level(place));
                usize::from(long)
            }
            Kind::Apart(n) => {
                let near = place.saturating_sub(n - 1)..place;
                near.filter(|p| level(*p) == level(place)).count()
            }
            Kind::NotFirst(levels) => usize::from(place == 0 && levels.contains(&level(0))),
        }
    }

    /// How many places before one its violations reach.
    fn reach(&self) -> usize {
        match &self.kind {
            Kind::Run(n) => *n,
            Kind::Apart(n) => n - 1,
            Kind::NotFirst(_) => 0,
        }
    }
}

/// Puts the trials in an order that satisfies the rules, and says by which method.
pub(crate) fn draw(task: &Task, random: &mut Random) -> Result<(Vec<usize>, Method), Refusal> {
    if task.rules.is_empty() {
        return Ok((task.shuffled(random), Method::Shuffle));
    }
    if let Some(counted) = counting::count(task) {
        let order = counted.draw(task, random);
        return order.map(|order| (order, Method::Counting)).ok_or_else(|| impossible(task));
    }
    let attempts = (SHUFFLED_MAX / task.len().max(1)).clamp(10, 2_000);
    for _ in 0..attempts {
        let order = task.shuffled(random);
        if task.is_valid(&order) {
            return Ok((order, Method::Rejection));
        }
    }
    match walk::walk(task, random) {
        Some(order) => Ok((order, Method::Walk)),
        None => Err(refusal(task)),
    }
}

/// Whether there is an order at all; quicker than to draw one.
pub(crate) fn possible(task: &Task, random: &mut Random) -> Result<(), Refusal> {
    for _ in 0..20 {
        if task.is_valid(&task.shuffled(random)) {
            return Ok(());
        }
    }
    if walk::descend(task, random).is_some() {
        return Ok(());
    }
    match counting::count(task) {
        Some(counted) if counted.is_possible() => Ok(()),
        Some(_) => Err(impossible(task)),
        None => Err(refusal(task)),
    }
}

/// Which rules cannot hold: one alone, where one alone cannot, else all together.
fn impossible(task: &Task) -> Refusal {
    match refusal(task) {
        Refusal::NotFound => Refusal::Impossible((0..task.rules.len()).collect()),
        proved => proved,
    }
}

/// A rule that cannot hold even alone, if there is one.
fn refusal(task: &Task) -> Refusal {
    for (index, rule) in task.rules.iter().enumerate() {
        let alone = Task { groups: task.groups.clone(), rules: vec![rule.clone()] };
        let never = counting::count(&alone).is_some_and(|counted| !counted.is_possible());
        if never || reasons::crowded(&alone, rule).is_some() {
            return Refusal::Impossible(vec![index]);
        }
    }
    Refusal::NotFound
}

/// Fisher and Yates's shuffle.
pub(crate) fn shuffle(items: &mut [usize], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.between(0, last as u32) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Every order of a task that satisfies its rules.
    fn all_valid(task: &Task) -> Vec<Vec<usize>> {
        fn extend(
            task: &Task,
            order: &mut Vec<usize>,
            left: &mut [Vec<usize>],
            all: &mut Vec<Vec<usize>>,
        ) {
            let Some(group) = left.iter().position(|group| !group.is_empty()) else {
                all.push(order.clone());
                return;
            };
            let mut choices = left[group].clone();
            choices.sort_unstable();
            choices.dedup();
            for item in choices {
                let place = left[group].iter().position(|other| *other == item).unwrap();
                left[group].remove(place);
                order.push(item);
                if task.violations_at(order, order.len() - 1) == 0 {
                    extend(task, order, left, all);
                }
                order.pop();
                left[group].push(item);
            }
        }
        let mut all = Vec::new();
        extend(task, &mut Vec::new(), &mut task.groups.clone(), &mut all);
        all
    }

    /// Chi-square of draws over all valid orders, and its degrees of freedom.
    fn chi_square(
        task: &Task,
        draws: usize,
        one: impl Fn(&mut Random) -> Vec<usize>,
    ) -> (f64, f64) {
        let valid = all_valid(task);
        let mut counts: HashMap<Vec<usize>, usize> = HashMap::new();
        for index in 0..draws {
            let order = one(&mut Random::named(index as u64, "chi"));
            assert!(task.is_valid(&order));
            *counts.entry(order).or_default() += 1;
        }
        let expected = draws as f64 / valid.len() as f64;
        let square = |order: &Vec<usize>| {
            let seen = counts.get(order).copied().unwrap_or(0) as f64;
            (seen - expected).powi(2) / expected
        };
        assert!(counts.keys().all(|order| valid.contains(order)));
        (valid.iter().map(square).sum(), valid.len() as f64 - 1.0)
    }

    /// Chi-square lies within five of its standard deviations: a fair draw fails this once
    /// in a million seeds, and these seeds are fixed.
    fn assert_uniform(task: &Task, draws: usize, one: impl Fn(&mut Random) -> Vec<usize>) {
        let (chi, df) = chi_square(task, draws, one);
        assert!((chi - df).abs() < 5.0 * (2.0 * df).sqrt(), "chi-square {chi} on {df}");
    }

    fn no_repeat(groups: Vec<Vec<usize>>, levels: Vec<usize>) -> Task {
        Task { groups, rules: vec![Restriction { levels, kind: Kind::Apart(2) }] }
    }

    fn small_tasks() -> Vec<Task> {
        let run = |n, levels: &[usize]| Restriction { levels: levels.to_vec(), kind: Kind::Run(n) };
        vec![
            no_repeat(vec![vec![0, 0, 1, 1, 2, 2]], vec![0, 1, 2]),
            no_repeat(vec![vec![0, 1, 2], vec![0, 1, 2]], vec![0, 1, 2]),
            no_repeat(vec![vec![0, 1, 2, 3]], vec![0, 0, 1, 2]),
            Task { groups: vec![vec![0, 0, 0, 1, 1, 1]], rules: vec![run(2, &[0, 1])] },
            Task {
                groups: vec![vec![0, 1, 2, 3, 0, 3]],
                rules: vec![
                    run(1, &[0, 0, 1, 1]),
                    Restriction { levels: vec![0, 1, 0, 1], kind: Kind::NotFirst(vec![1]) },
                ],
            },
            Task {
                groups: vec![vec![0, 1, 2], vec![0, 1, 2]],
                rules: vec![
                    Restriction { levels: vec![0, 1, 2], kind: Kind::Apart(3) },
                    Restriction { levels: vec![0, 1, 2], kind: Kind::NotFirst(vec![0]) },
                ],
            },
        ]
    }

    #[test]
    fn counting_draws_every_valid_order_equally_often() {
        for task in small_tasks() {
            let counted = counting::count(&task).unwrap();
            assert_uniform(&task, 20_000, |random| counted.draw(&task, random).unwrap());
        }
    }

    #[test]
    fn counting_finds_as_many_orders_as_there_are() {
        for task in small_tasks() {
            // Trials of one class are counted once, whatever their conditions.
            let classes = counting::classes_of(&task);
            let projected: std::collections::HashSet<Vec<usize>> = all_valid(&task)
                .into_iter()
                .map(|order| order.iter().map(|item| classes[*item]).collect())
                .collect();
            let counted = counting::count(&task).unwrap();
            assert_eq!(counted.orders(), projected.len() as f64);
        }
    }

    #[test]
    fn the_walk_draws_every_valid_order_equally_often() {
        for task in small_tasks() {
            assert_uniform(&task, 4_000, |random| walk::walk(&task, random).unwrap());
        }
    }

    #[test]
    fn sixty_trials_without_a_repeat_are_counted_and_two_hundred_are_walked() {
        let each = |n: usize| (0..4).flat_map(|item| vec![item; n]).collect::<Vec<_>>();
        let mut random = Random::named(1, "long");
        for (n, method) in [(15, Method::Counting), (300, Method::Walk)] {
            let task = no_repeat(vec![each(n)], vec![0, 1, 2, 3]);
            let (order, by) = draw(&task, &mut random).unwrap();
            assert!(task.is_valid(&order) && order.len() == 4 * n);
            assert_eq!(by, method, "{n}");
        }
    }

    #[test]
    fn what_cannot_be_satisfied_is_proved_and_named() {
        let task = no_repeat(vec![vec![0, 0, 0, 1]], vec![0, 1]);
        assert_eq!(draw(&task, &mut Random::named(1, "x")), Err(Refusal::Impossible(vec![0])));
        let rule = |kind| Restriction { levels: vec![0, 1], kind };
        let together = Task {
            groups: vec![vec![0, 0, 1]],
            rules: vec![rule(Kind::Apart(2)), rule(Kind::NotFirst(vec![0]))],
        };
        let refused = Err(Refusal::Impossible(vec![0, 1]));
        assert_eq!(draw(&together, &mut Random::named(1, "x")), refused);
    }
}

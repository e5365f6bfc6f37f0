//! Counting: how many orders go on from each state, layer by layer from the last trial to
//! the first; then each trial is chosen in proportion to the orders that go on from it.
//!
//! Conditions that agree in all constrained factors are one class: which of them stands
//! where is a shuffle afterwards. Where one factor is constrained, levels with equal
//! numbers of trials can be exchanged, so that states that differ only by that are one.

use super::{Kind, Task, shuffle};
use chronotap_engine::random::Random;
use std::collections::HashMap;

/// Beyond so many states another method is quicker.
const STATES_MAX: usize = 30_000;

/// A number of orders: `mantissa` times 2 to the power of 512 times `scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Count {
    mantissa: f64,
    scale: i32,
}

const LARGE: f64 = 1.340_780_792_994_259_7e154; // 2 to the power of 512

impl Count {
    const ZERO: Count = Count { mantissa: 0.0, scale: 0 };
    const ONE: Count = Count { mantissa: 1.0, scale: 0 };

    fn plus(self, other: Count) -> Count {
        let (large, small) = if self.scale >= other.scale { (self, other) } else { (other, self) };
        if small.mantissa == 0.0 {
            return large;
        }
        if large.mantissa == 0.0 {
            return small;
        }
        let sum = match large.scale - small.scale {
            0 => large.mantissa + small.mantissa,
            1 => large.mantissa + small.mantissa / LARGE,
            _ => large.mantissa,
        };
        if sum < LARGE {
            Count { mantissa: sum, scale: large.scale }
        } else {
            Count { mantissa: sum / LARGE, scale: large.scale + 1 }
        }
    }

    /// Its size where `unit` is one.
    fn relative(self, unit: i32) -> f64 {
        match unit - self.scale {
            0 => self.mantissa,
            1 => self.mantissa / LARGE,
            _ => 0.0,
        }
    }
}

/// What is left of each class, and what the rules remember of the trials before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State(Vec<u16>);

/// The classes of a task and the form of its states.
struct Form {
    /// The class of each condition.
    class: Vec<usize>,
    /// The trials of each class in one repetition.
    totals: Vec<u16>,
    /// The level of each class for each rule.
    levels: Vec<Vec<usize>>,
    kinds: Vec<Kind>,
    /// For each rule that remembers: how many levels it has.
    widths: Vec<usize>,
    /// Whether classes are levels of one factor, which may be exchanged.
    exchangeable: bool,
    /// The trials of one repetition.
    group: usize,
}

/// The numbers of orders from each state.
pub(super) struct Counted {
    form: Form,
    /// For each place, the states that can be reached, with the orders that go on from there.
    layers: Vec<HashMap<State, Count>>,
}

/// Counts the orders of a task; `None` where there are too many states.
pub(super) fn count(task: &Task) -> Option<Counted> {
    let form = Form::of(task)?;
    let length = task.len();
    let mut layers: Vec<HashMap<State, Count>> = Vec::with_capacity(length + 1);
    layers.push(HashMap::from([(form.canonical(form.start()), Count::ZERO)]));
    let mut states = 1;
    for place in 0..length {
        let mut next = HashMap::new();
        for state in layers[place].keys() {
            for class in 0..form.totals.len() {
                if let Some(after) = form.after(state, class, place) {
                    next.insert(form.canonical(after), Count::ZERO);
                }
            }
        }
        states += next.len();
        if states > STATES_MAX {
            return None;
        }
        layers.push(next);
    }
    let mut counted = Counted { form, layers };
    counted.fill(length);
    Some(counted)
}

/// The class of each condition.
#[cfg(test)]
pub(super) fn classes_of(task: &Task) -> Vec<usize> {
    Form::of(task).map(|form| form.class).unwrap_or_default()
}

impl Counted {
    fn fill(&mut self, length: usize) {
        for count in self.layers[length].values_mut() {
            *count = Count::ONE;
        }
        for place in (0..length).rev() {
            let (before, after) = self.layers.split_at_mut(place + 1);
            for (state, count) in &mut before[place] {
                let ways = (0..self.form.totals.len()).map(|class| {
                    let next = self.form.after(state, class, place)?;
                    after[0].get(&self.form.canonical(next)).copied()
                });
                *count = ways.flatten().fold(Count::ZERO, Count::plus);
            }
        }
    }

    fn whole(&self) -> Count {
        self.layers[0].values().next().copied().unwrap_or(Count::ZERO)
    }

    /// Whether there is an order at all.
    pub fn is_possible(&self) -> bool {
        self.whole().mantissa > 0.0
    }

    /// How many orders of classes there are.
    #[cfg(test)]
    pub fn orders(&self) -> f64 {
        self.whole().relative(0)
    }

    /// One of the orders, each as likely as every other; `None` where there is none.
    pub fn draw(&self, task: &Task, random: &mut Random) -> Option<Vec<usize>> {
        let mut state = self.form.start();
        let mut classes = Vec::with_capacity(task.len());
        for place in 0..task.len() {
            let (class, next) = self.choose(&state, place, random)?;
            classes.push(class);
            state = next;
        }
        Some(self.form.filled(task, &classes, random))
    }

    fn choose(&self, state: &State, place: usize, random: &mut Random) -> Option<(usize, State)> {
        let mut ways = Vec::new();
        for class in 0..self.form.totals.len() {
            let Some(next) = self.form.after(state, class, place) else { continue };
            let canonical = self.form.canonical(next.clone());
            let count = self.layers[place + 1].get(&canonical).copied().unwrap_or(Count::ZERO);
            ways.push((count, class, next));
        }
        let unit = ways.iter().filter(|way| way.0.mantissa > 0.0).map(|way| way.0.scale).max()?;
        let sum: f64 = ways.iter().map(|way| way.0.relative(unit)).sum();
        let mut drawn = random.uniform() * sum;
        let possible = |way: &&(Count, usize, State)| way.0.relative(unit) > 0.0;
        let last = ways.iter().rposition(|way| possible(&way))?;
        for (index, (count, class, next)) in ways.iter().enumerate() {
            drawn -= count.relative(unit);
            if (drawn < 0.0 && count.relative(unit) > 0.0) || index == last {
                return Some((*class, next.clone()));
            }
        }
        None
    }
}

impl Form {
    fn of(task: &Task) -> Option<Form> {
        let group = task.groups.first()?;
        let conditions = task.rules.first()?.levels.len();
        let mut seen: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut levels = vec![Vec::new(); task.rules.len()];
        let mut class = vec![0; conditions];
        let mut totals: Vec<u16> = Vec::new();
        for (item, class) in class.iter_mut().enumerate() {
            let of: Vec<usize> = task.rules.iter().map(|rule| rule.levels[item]).collect();
            let fresh = seen.len();
            let index = *seen.entry(of.clone()).or_insert(fresh);
            if index == fresh {
                totals.push(0);
                levels.iter_mut().zip(&of).for_each(|(list, level)| list.push(*level));
            }
            *class = index;
        }
        for item in group {
            totals[class[*item]] = totals[class[*item]].checked_add(1)?;
        }
        let widths = levels.iter().map(|list| list.iter().max().map_or(0, |max| max + 1)).collect();
        let exchangeable = levels.windows(2).all(|pair| pair[0] == pair[1]);
        let kinds = task.rules.iter().map(|rule| rule.kind.clone()).collect();
        let group = group.len();
        Some(Form { class, totals, levels, kinds, widths, exchangeable, group })
    }

    /// What each rule remembers of each level or class. Run: how many times in a row it was
    /// the last. Apart: for how many more places it may not come.
    fn start(&self) -> State {
        let memory: usize = self.widths.iter().sum();
        let mut state = self.totals.clone();
        state.resize(self.totals.len() + memory, 0);
        State(state)
    }

    /// The state after a trial of this class at this place; `None` where it may not come.
    fn after(&self, state: &State, class: usize, place: usize) -> Option<State> {
        let classes = self.totals.len();
        if state.0[class] == 0 {
            return None;
        }
        let mut next = state.clone();
        next.0[class] -= 1;
        let mut begins = classes;
        for (rule, kind) in self.kinds.iter().enumerate() {
            let memory = &mut next.0[begins..begins + self.widths[rule]];
            remember(memory, kind, self.levels[rule][class], place)?;
            begins += self.widths[rule];
        }
        if (place + 1).is_multiple_of(self.group) {
            next.0[..classes].copy_from_slice(&self.totals);
        }
        Some(next)
    }

    /// The one form of states that differ only by an exchange of levels.
    fn canonical(&self, state: State) -> State {
        if !self.exchangeable {
            return state;
        }
        let classes = self.totals.len();
        let mut columns: Vec<Vec<u16>> = (0..classes)
            .map(|class| {
                let mut column = vec![self.totals[class], state.0[class]];
                let mut begins = classes;
                for rule in 0..self.kinds.len() {
                    column.push(state.0[begins + self.levels[rule][class]]);
                    begins += self.widths[rule];
                }
                column
            })
            .collect();
        // Only classes of equal totals are exchanged: their columns are sorted among themselves.
        let mut order: Vec<usize> = (0..classes).collect();
        order.sort_by(|a, b| (self.totals[*a], *a).cmp(&(self.totals[*b], *b)));
        columns.sort_unstable();
        let mut sorted = state;
        for (class, column) in order.into_iter().zip(columns) {
            sorted.0[class] = column[1];
            let mut begins = classes;
            for rule in 0..self.kinds.len() {
                sorted.0[begins + self.levels[rule][class]] = column[2 + rule];
                begins += self.widths[rule];
            }
        }
        sorted
    }

    /// An order of conditions whose classes stand so, each as likely as every other.
    fn filled(&self, task: &Task, classes: &[usize], random: &mut Random) -> Vec<usize> {
        let mut order = Vec::with_capacity(classes.len());
        for (group, classes) in task.groups.iter().zip(classes.chunks(self.group)) {
            let mut pools = vec![Vec::new(); self.totals.len()];
            for item in group {
                pools[self.class[*item]].push(*item);
            }
            pools.iter_mut().for_each(|pool| shuffle(pool, random));
            order.extend(classes.iter().filter_map(|class| pools[*class].pop()));
        }
        order
    }
}

/// Lets a rule remember a level; `None` where the rule forbids it.
fn remember(memory: &mut [u16], kind: &Kind, level: usize, place: usize) -> Option<()> {
    match kind {
        Kind::Run(n) => {
            let run = memory[level] + 1;
            memory.fill(0);
            memory[level] = run;
            (usize::from(run) <= *n).then_some(())
        }
        Kind::Apart(n) => {
            if memory[level] > 0 {
                return None;
            }
            memory.iter_mut().for_each(|left| *left = left.saturating_sub(1));
            memory[level] = u16::try_from(n - 1).ok()?;
            Some(())
        }
        Kind::NotFirst(levels) => (place > 0 || !levels.contains(&level)).then_some(()),
    }
}

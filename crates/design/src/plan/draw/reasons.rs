//! Why constraints cannot be satisfied, in words.

use super::{Kind, Restriction, Task};

/// Why a rule cannot hold even alone, by the number of trials with one level: the level,
/// and the reason.
pub(super) fn crowded(task: &Task, rule: &Restriction) -> Option<(usize, String)> {
    let mut counts = vec![0usize; rule.levels.iter().max().map_or(0, |max| max + 1)];
    for item in task.groups.iter().flatten() {
        counts[rule.levels[*item]] += 1;
    }
    let trials = task.len();
    let (level, count) = counts.iter().copied().enumerate().max_by_key(|(_, count)| *count)?;
    let others = trials - count;
    match &rule.kind {
        Kind::Run(n) if count > n * (others + 1) => {
            let most = n * (others + 1);
            Some((level, format!("the {others} others can part no more than {most} of them")))
        }
        Kind::Apart(n) if (count - 1) * n + 1 > trials => {
            Some((level, format!("so far apart they need {} places", (count - 1) * n + 1)))
        }
        Kind::NotFirst(levels) => {
            let all = counts.iter().enumerate().all(|(of, n)| *n == 0 || levels.contains(&of));
            all.then(|| (level, "no trial has another level".to_owned()))
        }
        _ => None,
    }
}

/// Why these rules of a task cannot hold; `said` names the levels of a rule.
pub(crate) fn reason(
    task: &Task,
    rules: &[usize],
    said: impl Fn(usize, usize) -> String,
) -> String {
    let trials = task.len();
    if let [one] = rules
        && let Some((level, why)) = crowded(task, &task.rules[*one])
    {
        let rule = &task.rules[*one];
        let all = task.groups.iter().flatten();
        let count = all.filter(|item| rule.levels[**item] == level).count();
        return format!(
            "{count} of the {trials} trials of a block have {}; {why}",
            said(*one, level)
        );
    }
    format!("no order of the {trials} trials of a block satisfies it: all were counted")
}

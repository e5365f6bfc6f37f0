//! [`Tasks`]: every thread of the machine, with the processor on which it last ran and how long it
//! ran in all, as /proc tells anybody. A look reads two files of each thread, some milliseconds of
//! the ordinary thread that looks; a thread that ended between two looks is not seen.

use chronotap_core::time::Nanos;
use std::collections::BTreeMap;
use std::fs::{read_dir, read_to_string};

/// How many are named.
const NAMED: usize = 5;

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Task {
    name: String,
    core: usize,
    ran: Nanos,
}

/// Threads by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::timing) struct Tasks(BTreeMap<u32, Task>);

impl Tasks {
    /// As they are now.
    pub fn look() -> Tasks {
        let mut all = BTreeMap::new();
        for process in numbered("/proc") {
            for thread in numbered(&format!("/proc/{process}/task")) {
                let of = |what: &str| {
                    read_to_string(format!("/proc/{process}/task/{thread}/{what}")).ok()
                };
                let task = of("stat").zip(of("schedstat"));
                let task = task.and_then(|(stat, schedstat)| Task::parse(&stat, &schedstat));
                all.extend(task.map(|task| (thread, task)));
            }
        }
        Tasks(all)
    }

    /// What ran on a core since `before`, longest first: `kworker/1:2 (4711) ran for 1.250 ms`.
    pub fn ran_since(&self, before: &Tasks, core: usize) -> Vec<String> {
        let since = |number: &u32, task: &Task| {
            task.ran - before.0.get(number).map_or(Nanos::ZERO, |earlier| earlier.ran)
        };
        let there = self.0.iter().filter(|(_, task)| task.core == core);
        let mut ran: Vec<(Nanos, u32, &str)> =
            there.map(|(n, task)| (since(n, task), *n, task.name.as_str())).collect();
        ran.retain(|(time, ..)| *time > Nanos::ZERO);
        ran.sort_by_key(|&(time, number, _)| (-time, number));
        let said = |(time, number, name): (Nanos, u32, &str)| {
            format!("{name} ({number}) ran for {:.3} ms", time.as_millis_f64())
        };
        ran.into_iter().take(NAMED).map(said).collect()
    }
}

impl Task {
    /// Of `stat`, `NUMBER (NAME) STATE …`, the processor is the 39th field. `schedstat` begins
    /// with the nanoseconds that it ran.
    fn parse(stat: &str, schedstat: &str) -> Option<Task> {
        // The name may hold spaces and brackets.
        let (begin, rest) = stat.rsplit_once(')')?;
        let (_, name) = begin.split_once('(')?;
        let core = rest.split_whitespace().nth(36)?.parse().ok()?;
        let ran = schedstat.split_whitespace().next()?.parse().ok()?;
        Some(Task { name: name.to_owned(), core, ran: Nanos(ran) })
    }
}

fn numbered(folder: &str) -> impl Iterator<Item = u32> {
    let entries = read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "4711 (a (b) c) S 2 0 0 0 -1 69238880 0 0 0 0 0 1 0 0 20 0 1 0 41 0 0 \
                        18446744073709551615 0 0 0 0 0 0 0 2147483647 0 0 0 0 17 3 0 0 0 0 0 0";

    #[test]
    fn a_threads_name_processor_and_time_are_read_from_its_files() {
        let task = Task::parse(STAT, "2513471 93 7\n").unwrap();
        assert_eq!(task, Task { name: "a (b) c".into(), core: 3, ran: Nanos(2_513_471) });
        assert_eq!(Task::parse("1 (x) S", "1 2 3"), None);
        assert_eq!(Task::parse(STAT, "x"), None);
    }

    #[test]
    fn what_ran_longest_on_a_core_stands_first_and_what_ran_elsewhere_not_at_all() {
        let task = |name: &str, core, ran| Task { name: name.into(), core, ran: Nanos(ran) };
        let tasks = |ran: [i64; 3]| {
            let all = [task("one", 0, ran[0]), task("two", 0, ran[1]), task("three", 1, ran[2])];
            Tasks((1..).zip(all).collect())
        };
        let ran = tasks([1_500_000, 4_000_000, 9_000_000]).ran_since(&tasks([1_000_000; 3]), 0);
        assert_eq!(ran, ["two (2) ran for 3.000 ms", "one (1) ran for 0.500 ms"]);
    }

    #[test]
    fn this_machine_can_be_looked_at() {
        let here = std::process::id();
        assert!(Tasks::look().0.contains_key(&here));
    }
}

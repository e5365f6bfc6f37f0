//! Processes and threads as /proc tells them: name, priority, processor time.
//! Names only; arguments may hold what is nobody's business.

use crate::machine::Root;

/// What /proc/PID/stat says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub pid: u32,
    pub name: String,
    /// User and system time, in clock ticks (USER_HZ, 100 a second on Linux).
    pub ticks: u64,
    /// 1 to 99 for real-time threads, else 0.
    pub priority: u32,
    /// SCHED_OTHER 0, SCHED_FIFO 1, SCHED_RR 2, ...
    pub policy: u32,
}

/// All processes, as far as they can be seen.
pub(super) fn processes(root: &Root) -> Option<Vec<Process>> {
    let pids = root.numbered("/proc", "")?;
    let stat = |name: &str| parse(&root.line(&format!("/proc/{name}/stat"))?);
    Some(pids.iter().filter_map(|(_, name)| stat(name)).collect())
}

/// The names of all processes that can be seen.
pub(in crate::machine) fn process_names(root: &Root) -> Vec<String> {
    processes(root).unwrap_or_default().into_iter().map(|process| process.name).collect()
}

/// The name stands in parentheses and may hold some; the last one closes it. After it
/// fields count from 3 (the state), as in proc(5).
fn parse(line: &str) -> Option<Process> {
    let (pid, rest) = line.split_once(" (")?;
    let (name, rest) = rest.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let field = |n: usize| fields.get(n - 3)?.parse::<u64>().ok();
    Some(Process {
        pid: pid.parse().ok()?,
        name: name.to_owned(),
        ticks: field(14)? + field(15)?,
        priority: field(40)? as u32,
        policy: field(41)? as u32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_and_spaces_is_one_name() {
        let rest =
            "S 2 0 0 0 -1 0 0 0 0 0 30 12 0 0 -51 0 1 0 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3 50 1";
        let found = parse(&format!("87 (irq/31-snd (x)) {rest}")).unwrap();
        assert_eq!((found.pid, found.name.as_str(), found.ticks), (87, "irq/31-snd (x)", 42));
        assert_eq!((found.priority, found.policy), (50, 1));
        assert_eq!(parse("1 (short) S 2"), None);
    }
}

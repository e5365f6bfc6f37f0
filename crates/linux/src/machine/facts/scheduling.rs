//! [`SchedulingBounds`]: what bounds real-time threads, whatever their priority.

use crate::machine::Root;
use chronotap_machine::facts::{FairServer, SchedulingBounds};

pub(super) fn read(root: &Root) -> SchedulingBounds {
    let group = group(root);
    SchedulingBounds {
        rt_runtime_us: root.number("/proc/sys/kernel/sched_rt_runtime_us"),
        rt_period_us: root.number("/proc/sys/kernel/sched_rt_period_us"),
        fair_servers: fair_servers(root),
        group_rt_runtime_us: group.as_deref().and_then(|group| group_runtime(root, group)),
        group,
        timer_slack_ns: root.number("/proc/self/timerslack_ns"),
    }
}

/// The group in the hierarchy of version 1 that has the cpu controller; lines are
/// `ID:CONTROLLERS:PATH`.
fn group(root: &Root) -> Option<String> {
    let groups = root.text("/proc/self/cgroup")?;
    groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let has_cpu = parts.next()?.split(',').any(|controller| controller == "cpu");
        parts.next().filter(|_| has_cpu).map(str::to_owned)
    })
}

fn group_runtime(root: &Root, group: &str) -> Option<i64> {
    let at = |place: &str| root.number(&format!("{place}{group}/cpu.rt_runtime_us"));
    at("/sys/fs/cgroup/cpu,cpuacct").or_else(|| at("/sys/fs/cgroup/cpu"))
}

fn fair_servers(root: &Root) -> Option<Vec<FairServer>> {
    const PLACE: &str = "/sys/kernel/debug/sched/fair_server";
    let servers = root.numbered(PLACE, "cpu")?.into_iter();
    let server = |(cpu, name): (u32, String)| FairServer {
        cpu,
        runtime_ns: root.number(&format!("{PLACE}/{name}/runtime")),
        period_ns: root.number(&format!("{PLACE}/{name}/period")),
    };
    Some(servers.map(server).collect())
}

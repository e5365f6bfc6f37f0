//! [`Processors`]: frequency, idle states, isolation, shared cores.

use crate::machine::Root;
use chronotap_machine::facts::{FrequencyPolicy, IdleState, Processors, Smt, parameter};
use std::collections::BTreeMap;

const PLACE: &str = "/sys/devices/system/cpu";

pub(super) fn read(root: &Root, command_line: Option<&str>) -> Processors {
    let line = |name: &str| root.line(&format!("{PLACE}/{name}"));
    let boot = |name| command_line.and_then(|line| parameter(line, name)).map(str::to_owned);
    let cpus = root.numbered(PLACE, "cpu").filter(|cpus| !cpus.is_empty());
    Processors {
        model: model(root),
        online: line("online"),
        possible: line("possible"),
        allowed: status_line(root, "Cpus_allowed_list:"),
        frequency: frequency(root),
        idle_states: cpus.as_deref().map(|cpus| idle_states(root, cpus)),
        idle_driver: line("cpuidle/current_driver"),
        wakeup_limits_us: cpus.as_deref().map(|cpus| wakeup_limits(root, cpus)),
        turbo: turbo(root),
        smt: Smt {
            active: root.switch(&format!("{PLACE}/smt/active")),
            control: line("smt/control"),
        },
        isolated: present(root, "isolated"),
        nohz_full: present(root, "nohz_full"),
        rcu_nocbs: boot("rcu_nocbs"),
        irq_affinity: boot("irqaffinity"),
    }
}

fn model(root: &Root) -> Option<String> {
    let cpuinfo = root.text("/proc/cpuinfo").unwrap_or_default();
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()));
    // On ARM the board says more than the core does.
    root.line("/proc/device-tree/model").or(name)
}

/// A line of /proc/self/status.
pub(super) fn status_line(root: &Root, label: &str) -> Option<String> {
    let status = root.text("/proc/self/status")?;
    let rest = status.lines().find_map(|line| line.strip_prefix(label))?;
    Some(rest.trim().to_owned())
}

/// A list that may be empty: the file is there and says so. The kernel writes
/// `(null)` for an empty one in some versions.
fn present(root: &Root, name: &str) -> Option<String> {
    let text = root.text(&format!("{PLACE}/{name}"))?;
    Some(text.trim().trim_matches(['(', ')']).replace("null", ""))
}

fn frequency(root: &Root) -> Option<Vec<FrequencyPolicy>> {
    let place = format!("{PLACE}/cpufreq");
    root.names(PLACE)?; // processors can be seen at all
    let policies = root.numbered(&place, "policy").unwrap_or_default();
    let policy = |(_, name): (u32, String)| {
        let line = |file: &str| root.line(&format!("{place}/{name}/{file}"));
        FrequencyPolicy {
            cpus: line("affected_cpus").map(|cpus| cpus.replace(' ', ",")),
            driver: line("scaling_driver"),
            governor: line("scaling_governor"),
            available_governors: root.words(&format!("{place}/{name}/scaling_available_governors")),
            energy_preference: line("energy_performance_preference"),
            name,
        }
    };
    Some(policies.into_iter().map(policy).collect())
}

fn idle_states(root: &Root, cpus: &[(u32, String)]) -> Vec<IdleState> {
    let mut found: Vec<IdleState> = Vec::new();
    for (_, cpu) in cpus {
        let place = format!("{PLACE}/{cpu}/cpuidle");
        for (_, state) in root.numbered(&place, "state").unwrap_or_default() {
            let name = root.line(&format!("{place}/{state}/name")).unwrap_or(state.clone());
            let latency_us = root.number(&format!("{place}/{state}/latency"));
            let disabled = root.switch(&format!("{place}/{state}/disable")) == Some(true);
            let same =
                |known: &&mut IdleState| known.name == name && known.latency_us == latency_us;
            match found.iter_mut().find(same) {
                Some(known) => {
                    known.cpus += 1;
                    known.disabled += u32::from(disabled);
                }
                None => found.push(IdleState {
                    name,
                    latency_us,
                    cpus: 1,
                    disabled: u32::from(disabled),
                }),
            }
        }
    }
    found
}

fn wakeup_limits(root: &Root, cpus: &[(u32, String)]) -> BTreeMap<u32, String> {
    let limit = |cpu: &str| root.line(&format!("{PLACE}/{cpu}/power/pm_qos_resume_latency_us"));
    cpus.iter().filter_map(|(number, name)| Some((*number, limit(name)?))).collect()
}

/// The switch of intel_pstate is the other way round.
fn turbo(root: &Root) -> Option<bool> {
    let off = root.switch(&format!("{PLACE}/intel_pstate/no_turbo"));
    root.switch(&format!("{PLACE}/cpufreq/boost")).or(off.map(|off| !off))
}

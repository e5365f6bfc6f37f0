//! [`Processors`]: frequency, idle states, isolation, shared cores.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Processors {
    /// Model of the processor or of the board.
    pub model: Option<String>,
    /// Those in use, as 0-3; likewise all lists below.
    pub online: Option<String>,
    /// Those there could be.
    pub possible: Option<String>,
    /// Those that this program may use.
    pub allowed: Option<String>,
    /// How frequency is governed; empty where the system does not govern it.
    pub frequency: Option<Vec<FrequencyPolicy>>,
    /// Idle states, of all processors.
    pub idle_states: Option<Vec<IdleState>>,
    /// The driver of idle states.
    pub idle_driver: Option<String>,
    /// The longest wake-up that a processor is allowed, as the kernel writes it: "0"
    /// is any, "n/a" none at all, else microseconds.
    pub wakeup_limits_us: Option<BTreeMap<u32, String>>,
    /// Whether frequencies above the nominal one are used.
    pub turbo: Option<bool>,
    /// Whether two processors share a core.
    pub smt: Smt,
    /// Those taken out of scheduling (`isolcpus=` and cpusets).
    pub isolated: Option<String>,
    /// Those whose tick stops.
    pub nohz_full: Option<String>,
    /// `rcu_nocbs=` of the command line.
    pub rcu_nocbs: Option<String>,
    /// `irqaffinity=` of the command line.
    pub irq_affinity: Option<String>,
}

/// How the frequency of some processors is governed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FrequencyPolicy {
    /// policy0, ...
    pub name: String,
    /// Its processors.
    pub cpus: Option<String>,
    /// intel_pstate, amd-pstate-epp, cpufreq-dt, ...
    pub driver: Option<String>,
    /// performance, powersave, schedutil, ondemand, ...
    pub governor: Option<String>,
    /// Those it could have.
    pub available_governors: Option<Vec<String>>,
    /// What the hardware prefers: performance, balance_performance, power, ...
    pub energy_preference: Option<String>,
}

/// An idle state, and how long it takes to leave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct IdleState {
    /// POLL, C1, C6, WFI, ...
    pub name: String,
    /// How long it takes to leave, in microseconds.
    pub latency_us: Option<u64>,
    /// How many processors have it.
    pub cpus: u32,
    /// On how many of them it is switched off.
    pub disabled: u32,
}

/// Whether two processors share a core.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Smt {
    /// Whether they do now.
    pub active: Option<bool>,
    /// on, off, forceoff, notsupported, notimplemented.
    pub control: Option<String>,
}

impl Processors {
    /// How many processors are in use.
    pub fn count(&self) -> Option<usize> {
        cpu_list(self.online.as_deref()?).map(|cpus| cpus.len())
    }
}

/// The processors of a list such as `0-2,5`; `None` where it is none.
pub fn cpu_list(text: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if last < first || last > 65_535 {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_understood() {
        assert_eq!(cpu_list("0-2,5"), Some(vec![0, 1, 2, 5]));
        assert_eq!(cpu_list(""), Some(vec![]));
        assert_eq!((cpu_list("3-1"), cpu_list("a"), cpu_list("0-99999999")), (None, None, None));
    }
}

//! [`Host`]: what this machine runs inside of, which may stop all of it.

use serde::{Deserialize, Serialize};

/// What this machine runs inside of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Host {
    /// Whether a hypervisor runs below; unknown where the processor does not say.
    pub hypervisor: Option<bool>,
    /// Maker and product as the firmware states them.
    pub product: Option<String>,
    /// The kind of container: docker, podman, lxc, wsl, ...
    pub container: Option<String>,
    /// The distribution, as /etc/os-release names it: debian, ubuntu, fedora, ...
    pub system: Option<String>,
    /// Whether the kernel can count system-management interrupts (`perf`, msr/smi/).
    pub smi_event: Option<bool>,
    /// Clock ticks that the host took for others since the start, of all processors.
    pub steal_ticks: Option<u64>,
    /// Clock ticks of all kinds since the start, of all processors.
    pub all_ticks: Option<u64>,
}

impl Host {
    /// The share of time that the host took, in per cent.
    pub fn steal_percent(&self) -> Option<f64> {
        let all = self.all_ticks.filter(|all| *all > 0)?;
        Some(self.steal_ticks? as f64 * 100.0 / all as f64)
    }
}

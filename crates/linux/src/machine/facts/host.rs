//! [`Host`]: what this machine runs inside of, which may stop all of it.

use crate::machine::Root;
use chronotap_machine::facts::Host;

const EVENTS: &str = "/sys/bus/event_source/devices";

pub(super) fn read(root: &Root, release: Option<&str>) -> Host {
    let (steal_ticks, all_ticks) = root.text("/proc/stat").map_or((None, None), |s| ticks(&s));
    Host {
        hypervisor: hypervisor(root),
        product: product(root),
        container: container(root, release),
        system: system(root),
        smi_event: root.names(EVENTS).map(|_| root.exists(&format!("{EVENTS}/msr/events/smi"))),
        steal_ticks,
        all_ticks,
    }
}

/// On x86 the processor tells; on ARM a device tree may name the hypervisor, and
/// firmware tables a virtual product.
fn hypervisor(root: &Root) -> Option<bool> {
    let cpuinfo = root.text("/proc/cpuinfo").unwrap_or_default();
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"));
    if let Some(flags) = flags {
        return Some(flags.split_whitespace().any(|flag| flag == "hypervisor"));
    }
    if root.exists("/proc/device-tree/hypervisor") || root.line("/sys/hypervisor/type").is_some() {
        return Some(true);
    }
    let product = product(root).unwrap_or_default();
    if VIRTUAL.iter().any(|name| product.contains(name)) {
        return Some(true);
    }
    // A board with a device tree and no word of a hypervisor is a real one.
    root.line("/proc/device-tree/model").map(|_| false)
}

const VIRTUAL: [&str; 7] =
    ["QEMU", "KVM", "VMware", "VirtualBox", "Virtual Machine", "Bochs", "Parallels"];

fn product(root: &Root) -> Option<String> {
    let vendor = root.line("/sys/class/dmi/id/sys_vendor");
    let product = root.line("/sys/class/dmi/id/product_name");
    let both: Vec<String> = vendor.into_iter().chain(product).collect();
    (!both.is_empty()).then(|| both.join(" "))
}

/// Lines are NAME=VALUE, with or without quotation marks.
fn system(root: &Root) -> Option<String> {
    let text = root.text("/etc/os-release")?;
    let id = text.lines().find_map(|line| line.strip_prefix("ID="))?;
    Some(id.trim_matches('"').to_owned())
}

fn container(root: &Root, release: Option<&str>) -> Option<String> {
    if release.is_some_and(|release| release.to_lowercase().contains("microsoft")) {
        return Some("wsl".into());
    }
    if let Some(kind) = root.line("/run/systemd/container") {
        return Some(kind);
    }
    let marks = [("/.dockerenv", "docker"), ("/run/.containerenv", "podman")];
    if let Some((_, kind)) = marks.iter().find(|(path, _)| root.exists(path)) {
        return Some((*kind).into());
    }
    let group = root.text("/proc/1/cgroup").unwrap_or_default();
    let kinds = ["docker", "kubepods", "lxc", "libpod", "machine.slice"];
    kinds.iter().find(|kind| group.contains(**kind)).map(|kind| (*kind).into())
}

/// The first line counts user, nice, system, idle, iowait, irq, softirq, steal, and
/// guest times, which user and nice hold already.
fn ticks(stat: &str) -> (Option<u64>, Option<u64>) {
    let numbers: Vec<u64> = stat
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("cpu "))
        .map(|line| line.split_whitespace().take(8).filter_map(|n| n.parse().ok()).collect())
        .unwrap_or_default();
    (numbers.get(7).copied(), (!numbers.is_empty()).then(|| numbers.iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time_is_the_eighth_number() {
        assert_eq!(ticks("cpu  10 0 10 70 0 0 0 10 5 0\ncpu0 1"), (Some(10), Some(100)));
        assert_eq!(ticks("intr 5"), (None, None));
        let host = Host { steal_ticks: Some(10), all_ticks: Some(100), ..Host::default() };
        assert_eq!(host.steal_percent(), Some(10.0));
    }
}

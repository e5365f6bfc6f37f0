//! [`Memory`]: memory, swap, and the disks that data are written to.

use crate::machine::Root;
use serde::{Deserialize, Serialize};

/// Memory, swap and disks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// All of it.
    pub total_kib: Option<u64>,
    /// What programs could still have.
    pub available_kib: Option<u64>,
    /// Swap areas in use; zram is one too.
    pub swaps: Option<Vec<Swap>>,
    /// vm.swappiness: 0 to 200, how readily programs' pages are swapped out.
    pub swappiness: Option<u32>,
    /// Disks, without loop and memory disks.
    pub disks: Option<Vec<Disk>>,
}

/// A swap area.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Swap {
    /// Its device or file.
    pub path: String,
    /// partition or file.
    pub kind: Option<String>,
    /// How much it holds.
    pub size_kib: Option<u64>,
    /// How much of it is used.
    pub used_kib: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Disk {
    /// Its name, as sda.
    pub name: String,
    /// The scheduler of its queue.
    pub scheduler: Option<String>,
    /// Whether it turns.
    pub rotational: Option<bool>,
    /// "write back" or "write through".
    pub write_cache: Option<String>,
}

impl Memory {
    pub(super) fn read(root: &Root) -> Memory {
        let meminfo = root.text("/proc/meminfo").unwrap_or_default();
        let kib = |label: &str| {
            let rest = meminfo.lines().find_map(|line| line.strip_prefix(label))?;
            rest.split_whitespace().next()?.parse().ok()
        };
        Memory {
            total_kib: kib("MemTotal:"),
            available_kib: kib("MemAvailable:"),
            swaps: root.text("/proc/swaps").map(|text| swaps(&text)),
            swappiness: root.number("/proc/sys/vm/swappiness"),
            disks: disks(root),
        }
    }
}

/// Below a heading: path, kind, size, used, priority.
fn swaps(text: &str) -> Vec<Swap> {
    let swap = |line: &str| {
        let mut words = line.split_whitespace();
        Some(Swap {
            path: words.next()?.to_owned(),
            kind: words.next().map(str::to_owned),
            size_kib: words.next().and_then(|n| n.parse().ok()),
            used_kib: words.next().and_then(|n| n.parse().ok()),
        })
    };
    text.lines().skip(1).filter_map(swap).collect()
}

fn disks(root: &Root) -> Option<Vec<Disk>> {
    const PLACE: &str = "/sys/block";
    let real = |name: &String| !["loop", "ram", "zram", "dm-"].iter().any(|p| name.starts_with(p));
    let disk = |name: String| Disk {
        scheduler: root.chosen(&format!("{PLACE}/{name}/queue/scheduler")),
        rotational: root.switch(&format!("{PLACE}/{name}/queue/rotational")),
        write_cache: root.line(&format!("{PLACE}/{name}/queue/write_cache")),
        name,
    };
    Some(root.names(PLACE)?.into_iter().filter(real).map(disk).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swap_areas_are_read_below_the_heading() {
        let found = swaps("Filename Type Size Used Priority\n/dev/zram0 partition 4096 12 100\n");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].size_kib, found[0].used_kib), (Some(4096), Some(12)));
        assert!(swaps("Filename Type Size Used Priority\n").is_empty());
    }
}

//! [`Memory`]: memory, swap, and the disks that data are written to.

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
    pub disks: Option<Vec<DiskSpace>>,
    /// File systems on disks and beyond this machine; those that the kernel makes up are left out.
    pub file_systems: Option<Vec<FileSystem>>,
}

/// A file system that is mounted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileSystem {
    /// Where.
    pub place: String,
    /// Its kind, such as ext4 or nfs4.
    pub kind: String,
    /// Whether a write to it may wait for a network or for another program.
    pub waits: bool,
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
pub struct DiskSpace {
    /// Its name, as sda.
    pub name: String,
    /// The scheduler of its queue.
    pub scheduler: Option<String>,
    /// Whether it turns.
    pub rotational: Option<bool>,
    /// "write back" or "write through".
    pub write_cache: Option<String>,
}

//! [`Memory`]: memory, swap, and the disks that data are written to.

use crate::machine::Root;
use chronotap_machine::facts::{DiskSpace, FileSystem, Memory, Swap};

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
        file_systems: root.text("/proc/mounts").map(|text| file_systems(&text)),
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

/// Kinds that wait for a network, for another program (FUSE, through which ntfs-3g writes too), or for
/// the host of a virtual machine.
const WAITING: [&str; 18] = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "lustre", "gfs2", "ocfs2", "beegfs",
    "gpfs", "fuse", "fuseblk", "9p", "virtiofs", "vboxsf", "prl_fs",
];

/// Where desktops mount what is no place for data.
const NOT_FOR_DATA: [&str; 5] = ["/run", "/proc", "/sys", "/dev", "/snap"];

/// Lines `DEVICE PLACE KIND OPTIONS …`; a kind of FUSE is followed by whose it is.
fn file_systems(text: &str) -> Vec<FileSystem> {
    let one = |line: &str| {
        let mut words = line.split_whitespace();
        let (device, place, kind) = (words.next()?, words.next()?, words.next()?);
        let waits = WAITING.contains(&kind.split('.').next().unwrap_or(kind));
        let within = |folder: &&str| place.strip_prefix(*folder).is_some_and(below);
        let real = (device.starts_with("/dev/") || waits) && !NOT_FOR_DATA.iter().any(within);
        real.then(|| FileSystem { place: place.replace("\\040", " "), kind: kind.into(), waits })
    };
    let mut found: Vec<FileSystem> = text.lines().filter_map(one).collect();
    found.dedup();
    found
}

/// Whether what follows a folder's name is nothing or something in it.
fn below(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

fn disks(root: &Root) -> Option<Vec<DiskSpace>> {
    const PLACE: &str = "/sys/block";
    let real = |name: &String| !["loop", "ram", "zram", "dm-"].iter().any(|p| name.starts_with(p));
    let disk = |name: String| DiskSpace {
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
    fn file_systems_that_wait_for_others_are_told_from_disks() {
        let text = "/dev/sda2 / ext4 rw,relatime 0 0\nproc /proc proc rw 0 0\n\
                    server:/home /home nfs4 rw 0 0\nportal /run/user/1/doc fuse.portal rw 0 0\n\
                    me@there: /mnt/my\\040data fuse.sshfs rw 0 0\n/dev/loop3 /snap/core/1 squashfs ro\n";
        let found = file_systems(text);
        let said = found.iter().map(|one| (one.place.as_str(), one.kind.as_str(), one.waits));
        let expected =
            [("/", "ext4", false), ("/home", "nfs4", true), ("/mnt/my data", "fuse.sshfs", true)];
        assert_eq!(said.collect::<Vec<_>>(), expected);
        assert!(file_systems("\nx y\n").is_empty());
    }

    #[test]
    fn swap_areas_are_read_below_the_heading() {
        let found = swaps("Filename Type Size Used Priority\n/dev/zram0 partition 4096 12 100\n");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].size_kib, found[0].used_kib), (Some(4096), Some(12)));
        assert!(swaps("Filename Type Size Used Priority\n").is_empty());
    }
}

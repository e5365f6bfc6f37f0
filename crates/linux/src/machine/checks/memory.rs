//! Swap and disks.

use super::Topic::Memory as MEMORY;
use crate::machine::Facts;
use crate::machine::finding::{Check, Judgement};
use crate::machine::step::MachineStep;

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "swap",
        topic: MEMORY,
        read: "/proc/swaps",
        good: "none, or memory can be locked",
        source: "man 8 swapon",
        judge: swap,
    },
    Check {
        name: "swappiness",
        topic: MEMORY,
        read: "vm.swappiness",
        good: "10 or less, or no swap",
        source: "https://docs.kernel.org/admin-guide/sysctl/vm.html",
        judge: swappiness,
    },
    Check {
        name: "disks",
        topic: MEMORY,
        read: "/sys/block/*/queue/{scheduler,rotational,write_cache}",
        good: "reported only",
        source: "https://docs.kernel.org/admin-guide/abi-stable.html",
        judge: disks,
    },
    Check {
        name: "file-systems",
        topic: MEMORY,
        read: "/proc/mounts",
        good: "data are kept on a disk of this machine",
        source: "man 5 nfs, man 8 mount.fuse",
        judge: file_systems,
    },
];

fn swap(facts: &Facts) -> Judgement {
    let Some(swaps) = &facts.memory.swaps else {
        return Judgement::unread(facts, "/proc/swaps");
    };
    if swaps.is_empty() {
        return Judgement::ok("none");
    }
    let mib: u64 = swaps.iter().filter_map(|swap| swap.used_kib).sum::<u64>() / 1_024;
    let paths: Vec<&str> = swaps.iter().map(|swap| swap.path.as_str()).collect();
    Judgement::note(
        format!("{} ({mib} MiB in use)", paths.join(", ")),
        "memory that is not locked may have to be fetched in mid-trial; that of a trial is locked \
         where the right is given, that of sound servers is not",
    )
    .cure("sudo swapoff -a", "sudo swapon -a")
    .advice("only where memory suffices without it")
}

fn swappiness(facts: &Facts) -> Judgement {
    let none = facts.memory.swaps.as_ref().is_some_and(Vec::is_empty);
    match facts.memory.swappiness {
        None => Judgement::unread(facts, "the setting"),
        Some(value) if none => Judgement::ok(format!("{value}, and there is no swap")),
        Some(value) if value <= 10 => Judgement::ok(value.to_string()),
        Some(value) => {
            Judgement::note(value.to_string(), "programs' memory is swapped out early").steps(vec![
                MachineStep::write("/proc/sys/vm/swappiness", Some(&value.to_string()), "10"),
            ])
        }
    }
}

fn disks(facts: &Facts) -> Judgement {
    let Some(disks) = &facts.memory.disks else {
        return Judgement::unread(facts, "/sys/block");
    };
    let words = disks.iter().map(|disk| {
        // virtual disks say they turn, too
        let turns = disk.rotational == Some(true) && !facts.is_guest();
        let turns = if turns { ", turning" } else { "" };
        format!("{} ({}{turns})", disk.name, disk.scheduler.as_deref().unwrap_or("?"))
    });
    let words: Vec<String> = words.collect();
    Judgement::ok(if words.is_empty() { "none".into() } else { words.join(", ") })
}

fn file_systems(facts: &Facts) -> Judgement {
    let Some(all) = &facts.memory.file_systems else {
        return Judgement::unread(facts, "/proc/mounts");
    };
    let named = |waits: bool| {
        let these = all.iter().filter(|one| one.waits == waits);
        these.map(|one| format!("{} ({})", one.place, one.kind)).collect::<Vec<_>>().join(", ")
    };
    match all.iter().any(|one| one.waits) {
        false if all.is_empty() => Judgement::ok("none on a disk"),
        false => Judgement::ok(named(false)),
        true => Judgement::note(
            format!("beyond this machine, or another program's: {}", named(true)),
            "what is written there waits for the network or for another program, and with it the end \
             of each trial",
        )
        .advice("keep a study's folder on a disk of this machine, and copy it afterwards"),
    }
}

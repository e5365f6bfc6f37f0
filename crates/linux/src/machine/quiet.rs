//! [`quiet_processor`]: the processor on which a real-time thread is disturbed least.

use crate::machine::Root;
use std::cmp::Reverse;

/// Of the processors that a program may use, the one that serves the fewest interrupts of devices
/// (/proc/interrupts, since the machine was started), and of equal ones the last. Weak cores, as
/// hybrid processors have them, are passed over: those with less than four fifths of the greatest
/// frequency or capacity. `None` where there are not two, or where nothing is known.
pub fn quiet_processor(root: &Root, usable: &[usize]) -> Option<usize> {
    if usable.len() < 2 {
        return None;
    }
    let counts = interrupts(&root.text("/proc/interrupts")?)?;
    let strongest = usable.iter().map(|&cpu| strength(root, cpu)).max()?;
    let strong = usable.iter().filter(|&&cpu| strength(root, cpu) * 5 >= strongest * 4);
    let known = strong.filter_map(|&cpu| Some((cpu, of(&counts, cpu)?)));
    known.min_by_key(|&(cpu, count)| (count, Reverse(cpu))).map(|(cpu, _)| cpu)
}

fn of(counts: &[(usize, u64)], cpu: usize) -> Option<u64> {
    counts.iter().find(|(one, _)| *one == cpu).map(|(_, count)| *count)
}

/// Interrupts of devices by processor: lines that begin with a number, not with the name of what
/// the kernel itself sends (proc(5)).
fn interrupts(text: &str) -> Option<Vec<(usize, u64)>> {
    let mut lines = text.lines();
    let heads = lines.next()?.split_whitespace();
    let cpus =
        heads.map(|head| head.strip_prefix("CPU")?.parse().ok()).collect::<Option<Vec<_>>>()?;
    let mut counts: Vec<(usize, u64)> = cpus.into_iter().map(|cpu: usize| (cpu, 0)).collect();
    for line in lines {
        let Some((name, cells)) = line.split_once(':') else { continue };
        if name.trim().parse::<u32>().is_err() {
            continue;
        }
        for (count, cell) in counts.iter_mut().zip(cells.split_whitespace()) {
            count.1 += cell.parse::<u64>().unwrap_or(0);
        }
    }
    Some(counts)
}

/// Capacity of a core where the system has unequal ones (ARM), else its greatest frequency, else 0
/// as for all others. (Documentation/ABI/testing/sysfs-devices-system-cpu)
fn strength(root: &Root, cpu: usize) -> u64 {
    let place = format!("/sys/devices/system/cpu/cpu{cpu}");
    let capacity = root.number(&format!("{place}/cpu_capacity"));
    capacity.or_else(|| root.number(&format!("{place}/cpufreq/cpuinfo_max_freq"))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const FOUR: &str = "           CPU0       CPU1       CPU2       CPU3\n\
        \x20 1:          9          0          0          0   IO-APIC    1-edge  i8042\n\
        \x2028:          0       4000          3          3   PCI-MSI    0-edge  disk\n\
        LOC:          1          1      99999          1   Local timer interrupts\n\
        ERR:          0\n";

    fn machine(interrupts: &str, frequencies: &[u64]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("proc")).unwrap();
        fs::write(root.path().join("proc/interrupts"), interrupts).unwrap();
        for (cpu, frequency) in frequencies.iter().enumerate() {
            let folder = root.path().join(format!("sys/devices/system/cpu/cpu{cpu}/cpufreq"));
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("cpuinfo_max_freq"), format!("{frequency}\n")).unwrap();
        }
        root
    }

    fn of_machine(interrupts: &str, frequencies: &[u64], usable: &[usize]) -> Option<usize> {
        quiet_processor(&Root::at(machine(interrupts, frequencies).path()), usable)
    }

    #[test]
    fn it_serves_the_fewest_devices_and_the_last_of_equals_is_taken() {
        assert_eq!(of_machine(FOUR, &[], &[0, 1, 2, 3]), Some(3));
        assert_eq!(of_machine(FOUR, &[], &[0, 1, 2]), Some(2));
        assert_eq!(of_machine(FOUR, &[], &[0, 1]), Some(0));
    }

    #[test]
    fn weak_cores_are_passed_over() {
        let hybrid = [5_200_000, 5_000_000, 3_900_000, 3_900_000];
        assert_eq!(of_machine(FOUR, &hybrid, &[0, 1, 2, 3]), Some(0));
    }

    #[test]
    fn nothing_is_said_where_there_is_one_or_nothing_is_known() {
        assert_eq!(of_machine(FOUR, &[], &[2]), None);
        assert_eq!(of_machine("", &[], &[0, 1]), None);
        assert_eq!(of_machine("rubbish\n", &[], &[0, 1]), None);
        assert_eq!(of_machine(FOUR, &[], &[7, 8]), None);
    }
}

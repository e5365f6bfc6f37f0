//! [`Noise`]: kernel settings behind small, rare disturbances.

use crate::machine::Root;
use chronotap_machine::facts::Noise;

pub(super) fn read(root: &Root) -> Noise {
    let sysctl = |name: &str| root.number(&format!("/proc/sys/{name}"));
    Noise {
        nmi_watchdog: sysctl("kernel/nmi_watchdog"),
        watchdog: sysctl("kernel/watchdog"),
        numa_balancing: sysctl("kernel/numa_balancing"),
        timer_migration: sysctl("kernel/timer_migration"),
        stat_interval_s: sysctl("vm/stat_interval"),
        compaction_proactiveness: sysctl("vm/compaction_proactiveness"),
        huge_pages: root.chosen("/sys/kernel/mm/transparent_hugepage/enabled"),
        huge_pages_defrag: root.chosen("/sys/kernel/mm/transparent_hugepage/defrag"),
        page_merging: root.number("/sys/kernel/mm/ksm/run"),
    }
}

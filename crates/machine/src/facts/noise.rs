//! [`Noise`]: kernel settings behind small, rare disturbances.

use serde::{Deserialize, Serialize};

/// Kernel settings behind rare disturbances.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Noise {
    /// kernel.nmi_watchdog: non-maskable interrupts look for hung processors.
    pub nmi_watchdog: Option<u32>,
    /// kernel.watchdog: a timer and a thread per processor do.
    pub watchdog: Option<u32>,
    /// kernel.numa_balancing: pages are unmapped to see who uses them.
    pub numa_balancing: Option<u32>,
    /// kernel.timer_migration: timers of idle processors run on others.
    pub timer_migration: Option<u32>,
    /// vm.stat_interval: seconds between counts of memory on every processor.
    pub stat_interval_s: Option<u32>,
    /// vm.compaction_proactiveness: 0 to 100, memory is moved to make large pages.
    pub compaction_proactiveness: Option<u32>,
    /// Transparent huge pages: always, madvise, never.
    pub huge_pages: Option<String>,
    /// When a huge page is made ready: always, defer, defer+madvise, madvise, never.
    pub huge_pages_defrag: Option<String>,
    /// Merging of equal pages (KSM): 1 runs, 0 and 2 do not.
    pub page_merging: Option<u32>,
}

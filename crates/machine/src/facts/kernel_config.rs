//! [`KernelConfig`]: the few build options that matter, from /proc/config.gz or
//! /boot. Many systems show neither to an ordinary user, and then all is unknown.

use serde::{Deserialize, Serialize};

/// Options the kernel was built with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KernelConfig {
    /// The file it was found in.
    pub found_in: Option<String>,
    /// CONFIG_HZ: ticks a second.
    pub hz: Option<u32>,
    /// CONFIG_HIGH_RES_TIMERS.
    pub high_resolution_timers: Option<bool>,
    /// CONFIG_RT_GROUP_SCHED: control groups share real-time time out.
    pub rt_group_scheduling: Option<bool>,
    /// CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED: only if asked for at boot.
    pub rt_group_default_disabled: Option<bool>,
    /// CONFIG_PREEMPT_DYNAMIC: the mode can be chosen at boot.
    pub preempt_dynamic: Option<bool>,
    /// The mode it was built with: none, voluntary, full, lazy, rt.
    pub preemption: Option<String>,
    /// CONFIG_NO_HZ_FULL: the tick can be stopped on busy processors.
    pub no_hz_full: Option<bool>,
    /// CONFIG_NO_HZ_IDLE, CONFIG_NO_HZ_FULL or an older name: the tick can be stopped on idle
    /// processors.
    pub no_hz: Option<bool>,
    /// CONFIG_IRQ_FORCED_THREADING: `threadirqs` is understood.
    pub irq_threading: Option<bool>,
    /// CONFIG_SND_HRTIMER: the sequencer may use the high-resolution timer.
    pub sound_hrtimer: Option<bool>,
}

//! [`UserRights`]: what this user may ask of the system, by the files that say so and by
//! asking.

use crate::grant::Item;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What this user may ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UserRights {
    /// Whether the program runs as root (of a container, perhaps).
    pub root: Option<bool>,
    /// The effective capabilities, in hexadecimal.
    pub capabilities: Option<String>,
    /// Limits of this process.
    pub limits: ProcessLimits,
    /// Groups that this process is in.
    pub groups: Option<Vec<String>>,
    /// Groups that usually have real-time rights, and whether /etc/group counts this
    /// user among their members; a later login brings them into force.
    pub sound_groups: Option<BTreeMap<String, bool>>,
    /// Files that grant real-time priority; those that end in `.disabled` are not in
    /// force.
    pub limit_files: Option<Vec<LimitFile>>,
    /// Whether rtkit, which grants priorities up to 20, is installed.
    pub rtkit: Option<bool>,
    /// What came of asking for SCHED_FIFO 80 in a thread of its own; only on the running
    /// machine.
    pub fifo: Option<Item>,
}

/// Limits of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProcessLimits {
    /// Greatest real-time priority.
    pub rtprio: Option<Limit>,
    /// Bytes of memory that may be locked.
    pub memlock_bytes: Option<Limit>,
    /// 20 minus the lowest nice value.
    pub nice: Option<Limit>,
    /// Microseconds a real-time thread may compute without sleeping.
    pub rttime_us: Option<Limit>,
}

/// A file in /etc/security/limits.d that grants real-time priority.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LimitFile {
    pub path: String,
    /// To whom, as @audio for a group.
    pub grants_to: Vec<String>,
}

/// A limit in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// None.
    Unlimited,
    /// This much.
    At(u64),
}

impl Limit {
    /// Whether it allows `wanted`.
    pub fn allows(self, wanted: u64) -> bool {
        match self {
            Limit::Unlimited => true,
            Limit::At(limit) => limit >= wanted,
        }
    }
}

impl UserRights {
    /// CAP_IPC_LOCK, to lock memory without limit.
    pub const IPC_LOCK: u32 = 14;
    /// CAP_SYS_NICE, to use real-time priorities without limit.
    pub const SYS_NICE: u32 = 23;

    /// Whether a capability, numbered as in capability.h, is in force.
    pub fn has_capability(&self, bit: u32) -> Option<bool> {
        let mask = u64::from_str_radix(self.capabilities.as_deref()?, 16).ok()?;
        Some(mask >> bit & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_are_bits() {
        let rights =
            |mask: &str| UserRights { capabilities: Some(mask.into()), ..UserRights::default() };
        assert_eq!(rights("0000000000800000").has_capability(UserRights::SYS_NICE), Some(true));
        assert_eq!(rights("0000000000800000").has_capability(UserRights::IPC_LOCK), Some(false));
        assert_eq!(UserRights::default().has_capability(UserRights::SYS_NICE), None);
    }
}

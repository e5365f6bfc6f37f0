//! [`Kernel`]: which kernel runs, how it preempts, how it was started.

use super::KernelConfig;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kernel {
    /// As from `uname -r`.
    pub release: Option<String>,
    /// As from `uname -v`.
    pub version: Option<String>,
    /// As from `uname -m`.
    pub architecture: Option<String>,
    /// What the kernel was started with.
    pub command_line: Option<String>,
    /// Who starts it, and so how its command line is changed: grub, grubby, raspberry.
    pub boot_loader: Option<String>,
    /// How a running thread may be interrupted inside the kernel.
    pub preemption: Preemption,
    /// Options it was built with, where its configuration can be read.
    pub config: KernelConfig,
    /// Lockdown: none, integrity or confidentiality.
    pub lockdown: Option<String>,
    /// Latency tracers and others it offers; only the privileged can see them.
    pub tracers: Option<Vec<String>>,
    /// Each known weakness of the processor and what is done about it.
    pub mitigations: Option<BTreeMap<String, String>>,
}

/// How a running thread may be interrupted inside the kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preemption {
    /// What the version says: PREEMPT_RT, PREEMPT, PREEMPT_DYNAMIC; empty for none.
    pub compiled: Option<String>,
    /// The mode in force: none, voluntary, full, lazy.
    pub active: Option<String>,
    /// Where the mode in force was read.
    pub active_from: Option<String>,
    /// Whether all of the kernel is preemptible (PREEMPT_RT).
    pub realtime: Option<bool>,
}

impl Kernel {
    /// The value of `name=value` on the command line; the last one counts, as for
    /// the kernel. A bare `name` has the empty value.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        parameter(self.command_line.as_deref()?, name)
    }

    /// Version and patch level, as (6, 12).
    pub fn number(&self) -> Option<(u32, u32)> {
        let mut parts = self.release.as_deref()?.split(|c: char| !c.is_ascii_digit());
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }
}

/// The value of a parameter of a kernel command line; what follows `--` is for init.
pub fn parameter<'a>(command_line: &'a str, name: &str) -> Option<&'a str> {
    let words = command_line.split_whitespace().take_while(|word| *word != "--");
    let values = words.filter_map(|word| match word.split_once('=') {
        Some((found, value)) => (found == name).then_some(value),
        None => (word == name).then_some(""),
    });
    values.last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_parameter_counts_and_init_has_its_own() {
        let line = "quiet preempt=none preempt=full threadirqs -- preempt=lazy";
        assert_eq!(parameter(line, "preempt"), Some("full"));
        assert_eq!(parameter(line, "threadirqs"), Some(""));
        assert_eq!(parameter(line, "pre"), None);
    }

    #[test]
    fn versions_of_all_kinds_are_numbers() {
        let kernel = |release: &str| Kernel { release: Some(release.into()), ..Kernel::default() };
        assert_eq!(kernel("6.12.47+rpt-rpi-2712").number(), Some((6, 12)));
        assert_eq!(kernel("5.15-generic").number(), Some((5, 15)));
        assert_eq!(kernel("next").number(), None);
    }
}

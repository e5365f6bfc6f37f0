//! [`Kernel`]: which kernel runs, how it preempts, how it was started.

use super::KernelConfig;
use crate::machine::Root;
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
    pub(super) fn read(root: &Root) -> Kernel {
        let release = root.line("/proc/sys/kernel/osrelease");
        let version = root.line("/proc/sys/kernel/version");
        let command_line = root.line("/proc/cmdline");
        let config = KernelConfig::read(root, release.as_deref());
        Kernel {
            preemption: Preemption::read(
                root,
                version.as_deref(),
                command_line.as_deref(),
                &config,
            ),
            architecture: architecture(root),
            lockdown: root.chosen("/sys/kernel/security/lockdown"),
            boot_loader: boot_loader(root).map(str::to_owned),
            tracers: root
                .words("/sys/kernel/tracing/available_tracers")
                .or_else(|| root.words("/sys/kernel/debug/tracing/available_tracers")),
            mitigations: root.lines("/sys/devices/system/cpu/vulnerabilities"),
            release,
            version,
            command_line,
            config,
        }
    }

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
pub(super) fn parameter<'a>(command_line: &'a str, name: &str) -> Option<&'a str> {
    let words = command_line.split_whitespace().take_while(|word| *word != "--");
    let values = words.filter_map(|word| match word.split_once('=') {
        Some((found, value)) => (found == name).then_some(value),
        None => (word == name).then_some(""),
    });
    values.last()
}

impl Preemption {
    fn read(
        root: &Root,
        version: Option<&str>,
        command_line: Option<&str>,
        config: &KernelConfig,
    ) -> Preemption {
        let compiled = version.map(compiled);
        let realtime = compiled.as_deref().map(|model| model == "PREEMPT_RT");
        let (active, active_from) = active(root, command_line, config, compiled.as_deref());
        Preemption {
            realtime: root.switch("/sys/kernel/realtime").or(realtime),
            compiled,
            active,
            active_from,
        }
    }
}

fn compiled(version: &str) -> String {
    let model = version.split(' ').find(|word| word.starts_with("PREEMPT"));
    model.unwrap_or_default().to_owned()
}

/// The mode in force and where that was found. A dynamic kernel tells it in debugfs,
/// to root only; else it is the command line's, else that of the configuration.
fn active(
    root: &Root,
    command_line: Option<&str>,
    config: &KernelConfig,
    compiled: Option<&str>,
) -> (Option<String>, Option<String>) {
    const DEBUG: &str = "/sys/kernel/debug/sched/preempt";
    let found = |mode: &str, from: &str| (Some(mode.to_owned()), Some(from.to_owned()));
    if let Some(mode) = root.chosen(DEBUG) {
        return found(&mode, DEBUG);
    }
    match compiled {
        Some("PREEMPT_RT" | "PREEMPT") => return found("full", "uname -v"),
        Some("PREEMPT_LAZY") => return found("lazy", "uname -v"),
        _ => {}
    }
    let dynamic = compiled == Some("PREEMPT_DYNAMIC");
    if let Some(mode) = command_line.and_then(|line| parameter(line, "preempt"))
        && dynamic
        && !mode.is_empty()
    {
        return found(mode, "/proc/cmdline");
    }
    match (config.preemption.as_deref(), config.found_in.as_deref()) {
        (Some(mode), Some(from)) => found(mode, from),
        _ => (None, None),
    }
}

fn architecture(root: &Root) -> Option<String> {
    let running =
        root.is_system().then(|| rustix::system::uname().machine().to_string_lossy().into_owned());
    running.or_else(|| root.line("/proc/sys/kernel/arch"))
}

/// By the tool or file that is there; systems of the Debian family take files in
/// /etc/default/grub.d.
fn boot_loader(root: &Root) -> Option<&'static str> {
    const MARKS: [(&str, &str); 4] = [
        ("/boot/firmware/cmdline.txt", "raspberry"),
        ("/usr/sbin/grubby", "grubby"),
        ("/usr/bin/grubby", "grubby"),
        ("/usr/sbin/update-grub", "grub"),
    ];
    MARKS.iter().find(|(path, _)| root.exists(path)).map(|(_, loader)| *loader)
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
        assert_eq!(compiled("#1 SMP PREEMPT_RT Debian 6.12"), "PREEMPT_RT");
        assert_eq!(compiled("#1 SMP Debian"), "");
    }
}

//! [`Kernel`]: which kernel runs, how it preempts, how it was started.

use super::kernel_config;
use crate::machine::Root;
use chronotap_machine::facts::{Kernel, KernelConfig, Preemption, parameter};

pub(super) fn read(root: &Root) -> Kernel {
    let release = root.line("/proc/sys/kernel/osrelease");
    let version = root.line("/proc/sys/kernel/version");
    let command_line = root.line("/proc/cmdline");
    let config = kernel_config::read(root, release.as_deref());
    Kernel {
        preemption: preemption(root, version.as_deref(), command_line.as_deref(), &config),
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

fn preemption(
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
    fn the_preemption_is_a_word_of_the_version() {
        assert_eq!(compiled("#1 SMP PREEMPT_RT Debian 6.12"), "PREEMPT_RT");
        assert_eq!(compiled("#1 SMP Debian"), "");
    }
}

//! How a parameter is added to the kernel's command line on this machine, and taken
//! away again. Every such change needs a restart.

use crate::machine::Facts;
use crate::machine::finding::Judgement;

/// Adds the cure, its undoing and the need to restart to a judgement; where the boot
/// loader is not known, advice in words.
pub(super) fn with_parameter(judgement: Judgement, facts: &Facts, parameter: &str) -> Judgement {
    let judgement = judgement.reboot();
    match facts.kernel.boot_loader.as_deref() {
        // A file of its own, so that undoing is removing it.
        Some("grub") => {
            let name = parameter.split('=').next().unwrap_or(parameter);
            let file = format!("/etc/default/grub.d/chronotap-{name}.cfg");
            let line = format!("GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX {parameter}\"");
            judgement.cure(
                format!("echo '{line}' | sudo tee {file} && sudo update-grub"),
                format!("sudo rm {file} && sudo update-grub"),
            )
        }
        Some("grubby") => judgement.cure(
            format!("sudo grubby --update-kernel=ALL --args={parameter}"),
            format!("sudo grubby --update-kernel=ALL --remove-args={parameter}"),
        ),
        // One line, and it must stay one.
        Some("raspberry") => judgement.cure(
            format!("sudo sed -i '1s/$/ {parameter}/' /boot/firmware/cmdline.txt"),
            format!("sudo sed -i '1s/ {parameter}//' /boot/firmware/cmdline.txt"),
        ),
        _ => judgement.advice(format!("add {parameter} to the kernel's command line")),
    }
}

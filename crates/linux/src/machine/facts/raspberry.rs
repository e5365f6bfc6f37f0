//! [`Raspberry`]: which Raspberry Pi this is, and what its firmware was told of frequencies.

use crate::machine::Root;
use chronotap_machine::facts::Raspberry;

/// What config.txt may say of how fast the processor is; all else there is left out.
const SETTINGS: [&str; 9] = [
    "arm_freq",
    "core_freq",
    "force_turbo",
    "gpu_freq",
    "over_voltage",
    "over_voltage_delta",
    "over_voltage_sdram",
    "sdram_freq",
    "temp_limit",
];

/// The second is where it was before Debian 12.
const PLACES: [&str; 2] = ["/boot/firmware/config.txt", "/boot/config.txt"];

pub(super) fn read(root: &Root) -> Option<Raspberry> {
    let model = root.line("/proc/device-tree/model")?;
    let settings = PLACES.iter().find_map(|place| root.text(place)).map(|text| settings(&text));
    model.starts_with("Raspberry Pi").then_some(Raspberry { model, settings })
}

/// A line is `NAME=VALUE`, a remark, or a filter in brackets, which holds until the next.
fn settings(text: &str) -> Vec<String> {
    let mut filter = "";
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        match line.split_once('=') {
            Some((name, _)) if SETTINGS.contains(&name.trim()) => {
                found.push(format!("{filter} {line}").trim_start().to_owned());
            }
            None if line.starts_with('[') => filter = if line == "[all]" { "" } else { line },
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_frequencies_are_read_with_the_filter_above_them() {
        let text = "# arm_freq=3000\ndtparam=audio=on\nforce_turbo=1\n[pi4]\narm_freq=2000\n\
                    dtoverlay=vc4-kms-v3d\n[all]\nover_voltage=2\n";
        assert_eq!(settings(text), ["force_turbo=1", "[pi4] arm_freq=2000", "over_voltage=2"]);
    }
}

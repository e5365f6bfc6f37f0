//! [`PowerSupply`]: mains or battery, the firmware's profile, and heat.

use crate::machine::Root;
use chronotap_machine::facts::{PowerSupply, Supply};

pub(super) fn read(root: &Root) -> PowerSupply {
    let (core, package) = throttles(root);
    PowerSupply {
        supplies: supplies(root),
        platform_profile: root.line("/sys/firmware/acpi/platform_profile"),
        core_throttles: core,
        package_throttles: package,
        raspberry_throttled: raspberry(root),
    }
}

fn supplies(root: &Root) -> Option<Vec<Supply>> {
    const PLACE: &str = "/sys/class/power_supply";
    let supply = |name: String| {
        let line = |file: &str| root.line(&format!("{PLACE}/{name}/{file}"));
        Supply {
            kind: line("type"),
            online: root.switch(&format!("{PLACE}/{name}/online")),
            status: line("status"),
            scope: line("scope"),
            name: name.clone(),
        }
    };
    Some(root.names(PLACE)?.into_iter().map(supply).collect())
}

/// Each processor counts for itself; all of a package show the package's count, so
/// the greatest is taken there.
fn throttles(root: &Root) -> (Option<u64>, Option<u64>) {
    const PLACE: &str = "/sys/devices/system/cpu";
    let cpus = root.numbered(PLACE, "cpu").unwrap_or_default();
    let counts = |file: &str| -> Vec<u64> {
        let count = |name: &str| root.number(&format!("{PLACE}/{name}/thermal_throttle/{file}"));
        cpus.iter().filter_map(|(_, name)| count(name)).collect()
    };
    let core = counts("core_throttle_count");
    (
        (!core.is_empty()).then(|| core.iter().sum()),
        counts("package_throttle_count").into_iter().max(),
    )
}

fn raspberry(root: &Root) -> Option<u32> {
    let line = root.line("/sys/devices/platform/soc/soc:firmware/get_throttled")?;
    u32::from_str_radix(line.trim_start_matches("0x"), 16).ok()
}

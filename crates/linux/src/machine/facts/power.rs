//! [`Power`]: mains or battery, the firmware's profile, and heat.

use crate::machine::Root;
use serde::{Deserialize, Serialize};

/// Mains or battery, and heat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Power {
    /// Batteries and mains adapters; empty where there are none.
    pub supplies: Option<Vec<Supply>>,
    /// The firmware's profile: low-power, balanced, performance.
    pub platform_profile: Option<String>,
    /// How often processors were slowed for heat since the start, all together.
    pub core_throttles: Option<u64>,
    /// The same for whole packages.
    pub package_throttles: Option<u64>,
    /// The flags of a Raspberry Pi for low voltage and heat, as in
    /// `vcgencmd get_throttled`: bits 0 to 3 now, 16 to 19 since the start.
    pub raspberry_throttled: Option<u32>,
}

/// A battery or mains adapter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Supply {
    pub name: String,
    /// Mains, Battery, USB, ...
    pub kind: Option<String>,
    /// Whether it supplies; batteries say it with `status`.
    pub online: Option<bool>,
    /// Charging, Discharging, Full, ...
    pub status: Option<String>,
    /// System, or Device for that of a mouse or headset.
    pub scope: Option<String>,
}

impl Power {
    pub(super) fn read(root: &Root) -> Power {
        let (core, package) = throttles(root);
        Power {
            supplies: supplies(root),
            platform_profile: root.line("/sys/firmware/acpi/platform_profile"),
            core_throttles: core,
            package_throttles: package,
            raspberry_throttled: raspberry(root),
        }
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

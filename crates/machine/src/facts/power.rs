//! [`PowerSupply`]: mains or battery, the firmware's profile, and heat.

use serde::{Deserialize, Serialize};

/// Mains or battery, and heat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PowerSupply {
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

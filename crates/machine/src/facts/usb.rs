//! [`UsbDevice`]: what is plugged in, how fast it is, and whether it may fall asleep.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UsbDevice {
    /// Its place: bus and ports, as 1-2.4.
    pub name: String,
    /// What it calls itself.
    pub product: Option<String>,
    /// 1.5 low, 12 full, 480 high, 5000 and more super speed, in Mbit/s.
    pub speed_mbps: Option<String>,
    /// "on" stays awake, "auto" may be suspended.
    pub power_control: Option<String>,
    /// Whether it has a sound or MIDI interface.
    pub sound: bool,
    /// Whether it has a MIDI interface.
    pub midi: bool,
    /// How many hubs lie between it and its controller.
    pub hubs: u32,
    /// Which controller it hangs on.
    pub bus: Option<u32>,
    /// What that calls itself: xHCI Host Controller.
    pub controller: Option<String>,
}

//! [`Devices`]: the device files that timing and sound need, and who may use them.

use serde::{Deserialize, Serialize};

/// Device files that matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Devices {
    /// Those that are there. `None` where there is no /dev to look at.
    pub files: Option<Vec<DeviceFile>>,
    /// The greatest interrupt rate of the real-time clock for ordinary users, in Hz.
    pub rtc_max_user_hz: Option<u32>,
    /// The same for the HPET.
    pub hpet_max_user_hz: Option<u32>,
}

/// A device file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceFile {
    pub path: String,
    /// Whether this user may read it.
    pub readable: bool,
    /// Whether this user may write to it.
    pub writable: bool,
}

impl Devices {
    /// A device file; `Some(None)` where it is known not to be there.
    pub fn file(&self, path: &str) -> Option<Option<&DeviceFile>> {
        Some(self.files.as_ref()?.iter().find(|file| file.path == path))
    }
}

//! [`Devices`]: the device files that timing and sound need, and who may use them.

use crate::machine::Root;
use serde::{Deserialize, Serialize};

/// Device files that matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Devices {
    /// Those that are there. `None` where there is no /dev to look at.
    pub files: Option<Vec<Device>>,
    /// The greatest interrupt rate of the real-time clock for ordinary users, in Hz.
    pub rtc_max_user_hz: Option<u32>,
    /// The same for the HPET.
    pub hpet_max_user_hz: Option<u32>,
}

/// A device file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Device {
    pub path: String,
    /// Whether this user may read it.
    pub readable: bool,
    /// Whether this user may write to it.
    pub writable: bool,
}

impl Devices {
    pub(super) fn read(root: &Root) -> Devices {
        let rtc = root.number("/sys/class/rtc/rtc0/max_user_freq");
        Devices {
            files: files(root),
            rtc_max_user_hz: rtc.or_else(|| root.number("/proc/sys/dev/rtc/max-user-freq")),
            hpet_max_user_hz: root.number("/proc/sys/dev/hpet/max-user-freq"),
        }
    }

    /// A device file; `Some(None)` where it is known not to be there.
    pub fn file(&self, path: &str) -> Option<Option<&Device>> {
        Some(self.files.as_ref()?.iter().find(|file| file.path == path))
    }
}

fn files(root: &Root) -> Option<Vec<Device>> {
    let mut paths: Vec<String> =
        ["cpu_dma_latency", "rtc0", "hpet"].iter().map(|name| format!("/dev/{name}")).collect();
    root.names("/dev")?;
    let sound = root.names("/dev/snd").unwrap_or_default().into_iter();
    paths.extend(sound.map(|name| format!("/dev/snd/{name}")));
    paths.retain(|path| root.exists(path) && !root.resolve(path).is_dir());
    let device = |path: String| Device {
        readable: root.may_read(&path),
        writable: root.may_write(&path),
        path,
    };
    Some(paths.into_iter().map(device).collect())
}

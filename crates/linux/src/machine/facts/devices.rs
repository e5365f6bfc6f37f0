//! [`Devices`]: the device files that timing and sound need, and who may use them.

use crate::machine::Root;
use chronotap_machine::facts::{DeviceFile, Devices};

pub(super) fn read(root: &Root) -> Devices {
    let rtc = root.number("/sys/class/rtc/rtc0/max_user_freq");
    Devices {
        files: files(root),
        rtc_max_user_hz: rtc.or_else(|| root.number("/proc/sys/dev/rtc/max-user-freq")),
        hpet_max_user_hz: root.number("/proc/sys/dev/hpet/max-user-freq"),
    }
}

fn files(root: &Root) -> Option<Vec<DeviceFile>> {
    let mut paths: Vec<String> =
        ["cpu_dma_latency", "rtc0", "hpet"].iter().map(|name| format!("/dev/{name}")).collect();
    root.names("/dev")?;
    let sound = root.names("/dev/snd").unwrap_or_default().into_iter();
    paths.extend(sound.map(|name| format!("/dev/snd/{name}")));
    paths.retain(|path| root.exists(path) && !root.resolve(path).is_dir());
    let device = |path: String| DeviceFile {
        readable: root.may_read(&path),
        writable: root.may_write(&path),
        path,
    };
    Some(paths.into_iter().map(device).collect())
}

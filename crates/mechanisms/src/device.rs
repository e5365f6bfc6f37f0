//! What opening a timer's device may meet, said with its cure: the real-time clock and
//! the event timer refuse for the same reasons.

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::path::Path;

/// A timer's device cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceError {
    sentence: String,
}

impl DeviceError {
    pub(crate) fn new(sentence: String) -> DeviceError {
        DeviceError { sentence }
    }
}

impl std::error::Error for DeviceError {}

impl std::fmt::Display for DeviceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// What is asked of a device.
pub(crate) struct Wanted<'a> {
    pub path: &'a Path,
    pub rate_hz: u32,
    /// The file with the greatest rate that is free to all.
    pub limit: &'a str,
    /// The greatest that may be written into it.
    pub greatest_limit: u32,
}

pub(crate) fn open(wanted: &Wanted<'_>) -> Result<OwnedFd, DeviceError> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    rustix::fs::open(wanted.path, flags, Mode::empty())
        .map_err(|errno| wanted.refused("open", errno))
}

impl Wanted<'_> {
    pub(crate) fn refused(&self, call: &str, errno: Errno) -> DeviceError {
        let (path, rate, limit) = (self.path.display(), self.rate_hz, self.limit);
        let cure = match (call, errno) {
            (_, Errno::NOENT | Errno::NODEV | Errno::NXIO) => {
                "this machine or its kernel has none to give".to_owned()
            }
            ("open", Errno::ACCESS | Errno::PERM) => {
                format!("only root may: sudo chmod a+r {path}, or a udev rule")
            }
            ("open", Errno::BUSY) => format!("another program has it: sudo fuser {path}"),
            (_, Errno::ACCESS | Errno::PERM) if rate > self.greatest_limit => {
                format!("{rate} Hz is for root alone; {limit} goes up to {}", self.greatest_limit)
            }
            (_, Errno::ACCESS | Errno::PERM) => {
                format!("{rate} Hz is above what is free to all: echo {rate} | sudo tee {limit}")
            }
            (_, Errno::IO) => "this timer has no interrupt of its own to give; others do, see \
                 `chronotap timing periodic`"
                .to_owned(),
            (_, Errno::NOTTY | Errno::INVAL) => {
                format!("the device gives no interrupts at {rate} Hz")
            }
            _ => "see dmesg".to_owned(),
        };
        DeviceError { sentence: format!("{path}: {call}: {errno}; {cure}") }
    }

    pub(crate) fn silent(&self) -> DeviceError {
        let (path, rate) = (self.path.display(), self.rate_hz);
        let sentence = format!("{path}: no interrupt came within a second at {rate} Hz; see dmesg");
        DeviceError { sentence }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_device_the_call_and_the_cure() {
        let path = Path::new("/dev/rtc0");
        let wanted = Wanted { path, rate_hz: 1024, limit: "/sys/limit", greatest_limit: 4095 };
        let of = |call, errno| wanted.refused(call, errno).to_string();
        let rate = of("RTC_IRQP_SET", Errno::ACCESS);
        assert!(rate.ends_with("echo 1024 | sudo tee /sys/limit"), "{rate}");
        assert!(of("open", Errno::ACCESS).contains("sudo chmod a+r /dev/rtc0"));
        let above = Wanted { rate_hz: 8192, ..wanted }.refused("RTC_IRQP_SET", Errno::ACCESS);
        assert!(
            above.to_string().ends_with("8192 Hz is for root alone; /sys/limit goes up to 4095")
        );
        assert!(of("open", Errno::BUSY).contains("fuser"));
    }
}

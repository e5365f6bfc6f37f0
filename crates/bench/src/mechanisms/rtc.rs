//! [`Rtc`]: periodic interrupts of the real-time clock, /dev/rtc, as programs of the
//! years around 2000 took their timing from it.
//!
//! Since Linux 2.6.38 the kernel makes these interrupts with a high-resolution timer
//! (drivers/rtc/interface.c) and no longer by the clock's own hardware: what is seen
//! through the device is a timer wake-up by way of a character device. Setting and
//! reading the date and alarms are not here.

use crate::mechanisms::device::{DeviceError, DeviceRequest, open};
use rustix::io::{Errno, read};
use rustix::ioctl::{IntegerSetter, NoArg, Opcode, ioctl, opcode};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

// linux/rtc.h; the rate is passed as the argument itself, not by pointer
const PERIODIC_ON: Opcode = opcode::none(b'p', 0x05);
const PERIODIC_OFF: Opcode = opcode::none(b'p', 0x06);
const SET_RATE: Opcode = opcode::write::<std::ffi::c_ulong>(b'p', 0x0c);
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const _: () = assert!(PERIODIC_ON == 0x7005 && PERIODIC_OFF == 0x7006 && SET_RATE == 0x4008_700c);

/// A running real-time clock. Dropping it stops its interrupts.
#[derive(Debug)]
pub struct Rtc {
    file: OwnedFd,
}

impl Rtc {
    /// What Linux lets root allow others (drivers/rtc/sysfs.c).
    const GREATEST_LIMIT_HZ: u32 = 4_095;

    /// The device on this machine, where there is one.
    pub fn path() -> Option<PathBuf> {
        ["/dev/rtc0", "/dev/rtc"].iter().map(PathBuf::from).find(|path| path.exists())
    }

    /// Starts interrupts at this rate, 1 to 8192 Hz; any but powers of two needs Linux
    /// 2.6.38. Waits for the first one, at most a second.
    ///
    /// # Errors
    /// [`DeviceError`].
    pub fn start(path: &Path, rate_hz: u32) -> Result<Rtc, DeviceError> {
        let wanted = DeviceRequest {
            path,
            rate_hz,
            limit: "/sys/class/rtc/rtc0/max_user_freq",
            greatest_limit: Rtc::GREATEST_LIMIT_HZ,
        };
        let rtc = Rtc { file: open(&wanted)? };
        // SAFETY: RTC_IRQP_SET takes an unsigned long by value and writes to no memory.
        unsafe { ioctl(&rtc.file, IntegerSetter::<SET_RATE>::new_usize(rate_hz as usize)) }
            .map_err(|errno| wanted.refused("RTC_IRQP_SET", errno))?;
        // SAFETY: RTC_PIE_ON has no argument.
        unsafe { ioctl(&rtc.file, NoArg::<PERIODIC_ON>::new()) }
            .map_err(|errno| wanted.refused("RTC_PIE_ON", errno))?;
        wanted.await_first(&rtc.file)?;
        Ok(rtc)
    }

    /// Waits for the next interrupt, and gives how many there were since the last
    /// wait: 1 where none was lost. A signal ends it with `EINTR`.
    ///
    /// Real-time contract: one system call, `read`; no allocation or lock.
    ///
    /// # Errors
    /// What the system says.
    pub fn wait(&self) -> Result<u64, Errno> {
        let mut word = [0; size_of::<std::ffi::c_ulong>()];
        read(&self.file, &mut word)?;
        Ok(interrupts(std::ffi::c_ulong::from_ne_bytes(word)))
    }
}

impl Drop for Rtc {
    fn drop(&mut self) {
        // SAFETY: RTC_PIE_OFF has no argument. Closing stops the interrupts as well.
        let _ = unsafe { ioctl(&self.file, NoArg::<PERIODIC_OFF>::new()) };
    }
}

/// What `read` gives: flags in the low byte, the count above.
fn interrupts(word: std::ffi::c_ulong) -> u64 {
    word >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_of_interrupts_stands_above_the_flags() {
        assert_eq!(interrupts(0x0000_03c0), 3); // RTC_IRQF | RTC_PF, three interrupts
    }

    #[test]
    fn what_is_no_clock_is_refused_by_name() {
        let error = Rtc::start(Path::new("/dev/null"), 64).unwrap_err().to_string();
        assert!(error.contains("/dev/null") && error.contains("RTC_IRQP_SET"), "{error}");
        let error = Rtc::start(Path::new("/dev/no-such-clock"), 64).unwrap_err().to_string();
        assert!(error.contains("/dev/no-such-clock"), "{error}");
    }
}

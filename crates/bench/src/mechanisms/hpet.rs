//! [`Hpet`]: periodic interrupts of the high precision event timer, /dev/hpet, the
//! one source of interrupts here that no timer of the kernel stands behind. Few
//! machines give a comparator of it away; where none is free, opening says so.

use crate::mechanisms::device::{DeviceError, DeviceRequest, open};
use rustix::io::{Errno, read};
use rustix::ioctl::{IntegerSetter, NoArg, Opcode, ioctl, opcode};
use std::os::fd::OwnedFd;
use std::path::Path;

// linux/hpet.h; the rate is passed as the argument itself, not by pointer
const INTERRUPTS_ON: Opcode = opcode::none(b'h', 0x01);
const INTERRUPTS_OFF: Opcode = opcode::none(b'h', 0x02);
const PERIODIC: Opcode = opcode::none(b'h', 0x04);
const SET_RATE: Opcode = opcode::write::<std::ffi::c_ulong>(b'h', 0x06);
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const _: () = {
    assert!(INTERRUPTS_ON == 0x6801 && INTERRUPTS_OFF == 0x6802);
    assert!(PERIODIC == 0x6804 && SET_RATE == 0x4008_6806);
};

/// A running event timer. Dropping it stops its interrupts.
#[derive(Debug)]
pub struct Hpet {
    file: OwnedFd,
}

impl Hpet {
    pub const PATH: &'static str = "/dev/hpet";

    /// Starts interrupts at this rate. Waits for the first one, at most a second.
    ///
    /// # Errors
    /// [`DeviceError`].
    pub fn start(rate_hz: u32) -> Result<Hpet, DeviceError> {
        Hpet::start_at(Path::new(Hpet::PATH), rate_hz)
    }

    fn start_at(path: &Path, rate_hz: u32) -> Result<Hpet, DeviceError> {
        let wanted = DeviceRequest {
            path,
            rate_hz,
            limit: "/proc/sys/dev/hpet/max-user-freq",
            greatest_limit: i32::MAX as u32,
        };
        let hpet = Hpet { file: open(&wanted)? };
        // SAFETY: HPET_IRQFREQ takes an unsigned long by value and writes to no memory.
        unsafe { ioctl(&hpet.file, IntegerSetter::<SET_RATE>::new_usize(rate_hz as usize)) }
            .map_err(|errno| wanted.refused("HPET_IRQFREQ", errno))?;
        // SAFETY: HPET_EPI has no argument. Where the comparator cannot repeat by itself
        // (ENXIO), the driver sets it again at each interrupt.
        let _ = unsafe { ioctl(&hpet.file, NoArg::<PERIODIC>::new()) };
        // SAFETY: HPET_IE_ON has no argument.
        unsafe { ioctl(&hpet.file, NoArg::<INTERRUPTS_ON>::new()) }
            .map_err(|errno| wanted.refused("HPET_IE_ON", errno))?;
        wanted.await_first(&hpet.file)?;
        Ok(hpet)
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
        Ok(std::ffi::c_ulong::from_ne_bytes(word))
    }
}

impl Drop for Hpet {
    fn drop(&mut self) {
        // SAFETY: HPET_IE_OFF has no argument. Closing stops the interrupts as well.
        let _ = unsafe { ioctl(&self.file, NoArg::<INTERRUPTS_OFF>::new()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_event_timer_is_refused_by_name() {
        let error = Hpet::start_at(Path::new("/dev/null"), 64).unwrap_err().to_string();
        assert!(error.contains("/dev/null") && error.contains("HPET_IRQFREQ"), "{error}");
    }
}

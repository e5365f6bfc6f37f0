//! How long sound takes from the moment its period is due to the converter. The driver itself
//! says so while silence is played.
//!
//! Background: A period is due when it is the only one of the buffer that is free; then all
//! others sound before it. Some drivers take frames out of the buffer long before they
//! sound: over USB into packets, some 12 ms ahead. They report this as `delay`, but only while
//! they run, and the constant by which every sound is late must be known before a trial begins.
//! Solution: silence is played for a short time. Its first half, in which the packets fill, is
//! not looked at. Where the device stops or its buffer runs empty meanwhile, the delays seen until
//! then count; the error is not lost, because it comes again when the device is used.

use super::abi::{self, RUNNING};
use super::device::Device;
use super::transfer;
use crate::clocks::MonotonicClock;
use chronotap_core::time::Nanos;
use rustix::event::PollFlags;
use rustix::io::Result;

/// The silence: so long, and so many periods at least.
const SPAN: Nanos = Nanos::from_millis(150);
const PERIODS: usize = 8;
/// A device that wakes nobody for this long has stopped.
const PATIENCE: Nanos = Nanos::from_millis(500);

/// The greatest delay in frames that the driver told when a period was free.
pub(super) fn delay_frames(device: &Device) -> u32 {
    let mut seen = Vec::new();
    let _ = listen(device, &mut seen); // an error comes again when the device is used
    let _ = abi::stop(device.fd());
    greatest_of_later_half(&seen)
}

fn listen(device: &Device, seen: &mut Vec<i64>) -> Result<()> {
    let (fd, silence) = (device.fd(), vec![0; device.period_bytes()]);
    abi::prepare(fd)?;
    for _ in 0..device.periods {
        transfer::write_all(fd, &silence)?;
    }
    abi::start(fd)?;
    let end = MonotonicClock::raw() + SPAN;
    while seen.len() < PERIODS || MonotonicClock::raw() < end {
        transfer::wait(fd, PollFlags::OUT, PATIENCE)?;
        let status = abi::status(fd)?;
        if status.state != RUNNING {
            break;
        }
        seen.push(status.delay as i64);
        transfer::write_all(fd, &silence)?;
    }
    Ok(())
}

fn greatest_of_later_half(seen: &[i64]) -> u32 {
    let later = seen.get(seen.len() / 2..).unwrap_or_default();
    later.iter().filter_map(|delay| u32::try_from(*delay).ok()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_driver_says_before_it_runs_evenly_does_not_count() {
        assert_eq!(greatest_of_later_half(&[9_000, 768, 512, 530, 520]), 530);
        assert_eq!(greatest_of_later_half(&[-3]), 0, "a driver that is ahead of itself");
        assert_eq!(greatest_of_later_half(&[]), 0);
    }
}

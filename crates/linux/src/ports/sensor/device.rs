//! [`ForceLine`]: the serial line of a sensor, as [`Pulses`], and [`Known`], what is known of it.
//!
//! Real-time contract: the waiting thread, which is not the trial's, makes two system calls to what
//! has come and the one that wakes the trial; it allocates nothing.

use super::error::SensorError;
use super::name::SensorName;
use crate::clocks::{MonotonicClock, timespec};
use crate::ports::line::{Edge, Pulses, set_up};
use crate::ports::open::Terminal;
use chronotap_core::sensor::{Felt, ForceStretch, SensorFault, SensorGreeting, SensorLine};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{LowLatency, SensorFacts, Stamp};
use rtrb::{Consumer, Producer, RingBuffer};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::termios::{QueueSelector, ioctl_tiocexcl, ioctl_tiocnxcl, tcflush};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU64};

/// Bits a second, as the firmware has them; a pseudo-terminal and USB do not mind.
const BAUD: u32 = 500_000;

/// For how long a greeting is waited for. An Arduino's boot loader takes up to 2 s, the rest a
/// quarter, and greetings come every second.
const GREETING: Nanos = Nanos::from_secs(4);

/// How much of the device's time is heard before its clock is believed: within half a millisecond
/// at 100 ppm and batches of 16 ms (core/tests/sensor_clock.rs).
const HEARD: Nanos = Nanos::from_secs(1);

/// A device that was silent for so long is gone: it sends a frame every 9 ms, and is back 2.3 s after
/// it began anew.
const SILENCE: Nanos = Nanos::from_secs(3);

/// Stretches of force that wait for whoever keeps them: of four seconds.
const WAITING: usize = 512;

/// An open line, whose device has greeted.
pub(super) struct ForceLine {
    line: SensorLine,
    known: Arc<Known>,
    forces: Producer<ForceStretch>,
    bytes: [u8; 1_024],
    _terminal: Terminal, // its settings come back before it is closed
    device: OwnedFd,
}

/// What is known of a sensor. The waiting thread says it and others read it.
///
/// Each number is told on its own, and no other depends on it, so that no order is needed.
pub(super) struct Known {
    greeting: SensorGreeting,
    low_latency: LowLatency,
    drift_ppm: AtomicU64, // the bits of a number with a fraction
    within_ns: AtomicU64,
    lost: AtomicU64,
    unkept: AtomicU64, // values of force that found no room
    origin: AtomicI64, // of the trial, raw CLOCK_MONOTONIC; 0 before the first
}

impl Known {
    /// For the data of a trial.
    pub(super) fn told(&self) -> SensorFacts {
        let SensorGreeting { board, rate_hz, full_scale, rest, on, off, .. } = self.greeting;
        let drift_ppm = f64::from_bits(self.drift_ppm.load(Relaxed));
        SensorFacts {
            board: board.name().to_owned(),
            rate_hz: rate_hz.into(),
            full_scale,
            rest,
            on,
            off,
            low_latency: self.low_latency,
            clock_drift_ppm: (drift_ppm * 10.0).round() / 10.0,
            clock_within_ns: self.within_ns.load(Relaxed),
        }
    }

    /// Frames and taps that never came, and beginnings anew, in which taps may have been lost.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }

    /// Values of force for which there was no room.
    pub(super) fn unkept(&self) -> u64 {
        self.unkept.load(Relaxed)
    }

    /// A trial starts, and counts from here.
    pub(super) fn begin(&self, origin: Nanos) {
        self.origin.store(origin.0, Relaxed);
    }

    /// Where the last trial counts from.
    pub(super) fn origin(&self) -> Option<Nanos> {
        Some(Nanos(self.origin.load(Relaxed))).filter(|origin| *origin != Nanos::ZERO)
    }

    /// Values of force a second, and the greatest that there can be.
    pub(super) fn forces(&self) -> (u32, u32) {
        let SensorGreeting { rate_hz, force_hz, full_scale, .. } = self.greeting;
        let summed = u32::from(rate_hz) / u32::from(force_hz).max(1);
        (force_hz.into(), summed * u32::from(full_scale))
    }

    fn learn(&self, line: &SensorLine) {
        let counts = line.counts();
        self.lost.store(counts.lost + counts.taps_lost + counts.restarted, Relaxed);
        let Some(fit) = line.fit() else { return };
        self.drift_ppm.store(fit.drift_ppm().to_bits(), Relaxed);
        self.within_ns.store(fit.within.0.max(0).cast_unsigned(), Relaxed);
    }
}

impl ForceLine {
    /// Opens the device, and hears it until its clock is known.
    pub(super) fn open(
        name: &SensorName,
    ) -> Result<(ForceLine, Consumer<ForceStretch>), SensorError> {
        let (device, terminal) = opened(name, BAUD)?;
        let low_latency = low_latency(&device);
        let (mut line, mut bytes) = (SensorLine::default(), [0; 1_024]);
        let greeting = greeted(name, &device, &mut line, &mut bytes)?;
        let (drift_ppm, within_ns) = (AtomicU64::default(), AtomicU64::default());
        let lost = AtomicU64::default();
        let (unkept, origin) = (AtomicU64::default(), AtomicI64::default());
        let known = Known { greeting, low_latency, drift_ppm, within_ns, lost, unkept, origin };
        known.learn(&line);
        let (known, (forces, felt)) = (Arc::new(known), RingBuffer::new(WAITING));
        Ok((ForceLine { line, known, forces, bytes, _terminal: terminal, device }, felt))
    }

    pub(super) fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known)
    }
}

/// Opens the device without blocking, raw, and for this program alone.
pub(super) fn opened(name: &SensorName, baud: u32) -> Result<(OwnedFd, Terminal), SensorError> {
    let failed = |call| move |errno| SensorError::system(name, call, errno);
    let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let device = rustix::fs::open(&name.path, flags, Mode::empty()).map_err(failed("open"))?;
    let terminal = set_up(&device, baud).map_err(failed("set up the line"))?;
    ioctl_tiocexcl(&device).map_err(failed("claim the port"))?;
    // What came before belongs to nobody's trial.
    tcflush(&device, QueueSelector::IFlush).map_err(failed("set up the line"))?;
    Ok((device, terminal))
}

/// Hears the device until its clock is known.
fn greeted(
    name: &SensorName,
    device: &OwnedFd,
    line: &mut SensorLine,
    bytes: &mut [u8],
) -> Result<SensorGreeting, SensorError> {
    let until = MonotonicClock::raw() + GREETING;
    loop {
        if let Some(greeting) = line.greeting().filter(|_| line.heard_for() >= HEARD) {
            return Ok(greeting);
        }
        // The clock is waited for as long as frames come.
        let end = if line.greeting().is_some() { until + HEARD + HEARD } else { until };
        let left = end - MonotonicClock::raw();
        let came =
            if left > Nanos::ZERO { come(device, bytes, left) } else { Err(Errno::TIMEDOUT) };
        match came {
            Ok((came, at)) => {
                let heard = line.hear(came, at, &mut |_| {});
                heard.map_err(|fault| SensorError::refused(name, fault))?;
            }
            Err(Errno::TIMEDOUT) => {
                return Err(SensorError::Silent { port: name.to_string(), waited: GREETING });
            }
            Err(Errno::INTR) => {}
            Err(errno) => return Err(SensorError::system(name, "read", errno)),
        }
    }
}

/// The bytes that come next, and when they had come, on CLOCK_MONOTONIC.
pub(super) fn come<'b>(
    device: &OwnedFd,
    bytes: &'b mut [u8],
    patience: Nanos,
) -> Result<(&'b [u8], Nanos), Errno> {
    let mut look = [PollFd::new(device, PollFlags::IN)];
    if poll(&mut look, Some(&timespec(patience)))? == 0 {
        return Err(Errno::TIMEDOUT);
    }
    match rustix::io::read(device, &mut *bytes) {
        Ok(0) => Err(Errno::NODEV),
        // After the read: what is handed over by now had come.
        Ok(length) => Ok((&bytes[..length], MonotonicClock::raw())),
        Err(Errno::AGAIN) => Err(Errno::INTR),
        Err(errno) => Err(errno),
    }
}

impl Pulses for ForceLine {
    fn wait(&mut self, told: &mut dyn FnMut(Edge)) -> Result<bool, Errno> {
        let (bytes, at) = come(&self.device, &mut self.bytes, SILENCE)?;
        let heard = self.line.hear(bytes, at, &mut |felt| match felt {
            Felt::Onset { at, .. } => told(Edge { at, stamp: Stamp::Device, high: true }),
            Felt::Release { at, .. } => told(Edge { at, stamp: Stamp::Device, high: false }),
            Felt::Forces(stretch) => {
                let values = stretch.values.as_slice().len() as u64;
                let full = self.forces.push(stretch).is_err();
                self.known.unkept.fetch_add(if full { values } else { 0 }, Relaxed);
            }
        });
        self.known.learn(&self.line);
        // A device with another firmware than a moment ago is another device.
        heard.map_err(|_: SensorFault| Errno::NODEV)?;
        Ok(true)
    }
}

impl Drop for ForceLine {
    fn drop(&mut self) {
        let _ = ioctl_tiocnxcl(&self.device); // a device that is gone is nobody's
    }
}

/// Asks the driver to hand over each byte at once, as an FTDI's does every 16 ms else, and asks
/// whether it will.
fn low_latency(device: &impl AsFd) -> LowLatency {
    let fd = device.as_fd().as_raw_fd();
    let mut settings = SerialSettings::default();
    let read = |settings: &mut SerialSettings| {
        // SAFETY: TIOCGSERIAL writes one serial_struct, which lives for the call.
        unsafe { libc::ioctl(fd, libc::TIOCGSERIAL, std::ptr::from_mut(settings)) == 0 }
    };
    if !read(&mut settings) {
        return LowLatency::Unknown;
    }
    settings.flags |= ASYNC_LOW_LATENCY;
    // SAFETY: TIOCSSERIAL reads one serial_struct, which lives for the call.
    unsafe { libc::ioctl(fd, libc::TIOCSSERIAL, std::ptr::from_ref(&settings)) };
    let granted = read(&mut settings) && settings.flags & ASYNC_LOW_LATENCY != 0;
    if granted { LowLatency::Granted } else { LowLatency::Refused }
}

/// linux/tty_flags.h
const ASYNC_LOW_LATENCY: libc::c_int = 1 << 13;

/// `struct serial_struct` of linux/serial.h. Its pointer is never read here.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct SerialSettings {
    kind_line_port_irq: [libc::c_int; 4],
    flags: libc::c_int,
    xmit_fifo_size: libc::c_int,
    custom_divisor: libc::c_int,
    baud_base: libc::c_int,
    close_delay: libc::c_ushort,
    io_type: [libc::c_char; 2],
    hub6: libc::c_int,
    closing_waits: [libc::c_ushort; 2],
    iomem_base: usize,
    iomem_reg_shift: libc::c_ushort,
    port_high: libc::c_uint,
    iomap_base: libc::c_ulong,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_have_the_size_that_the_kernel_writes() {
        // sizeof(struct serial_struct) where pointers have 64 bits.
        #[cfg(target_pointer_width = "64")]
        assert_eq!(size_of::<SerialSettings>(), 72);
        assert!(std::mem::offset_of!(SerialSettings, flags) == 16);
    }
}

//! Devices that tick: the real-time clock and the high-precision event timer. A wait
//! is the read of the next tick; the rate is set for a span beforehand.

use super::Wait;
use crate::mechanisms::{Hpet, Rtc as RtcDevice};
use chronotap_core::time::Nanos;
use std::io;
use std::path::{Path, PathBuf};

/// Interrupts a second whose period is nearest to a span.
fn rate_hz(span: Nanos) -> u32 {
    (1e9 / span.0.max(1) as f64).round() as u32
}

/// Reads again where a signal cut the wait short.
fn next(mut tick: impl FnMut() -> Result<u64, rustix::io::Errno>) -> io::Result<()> {
    loop {
        match tick() {
            Err(rustix::io::Errno::INTR) => {}
            ticked => return ticked.map(drop).map_err(io::Error::from),
        }
    }
}

fn not_set() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "its rate has not been set")
}

pub(super) struct Rtc {
    path: PathBuf,
    running: Option<RtcDevice>,
}

impl Rtc {
    pub(super) fn open() -> Result<Rtc, String> {
        let cure = "load its driver, `modprobe rtc_cmos`; many virtual machines have none";
        let path = RtcDevice::path().ok_or_else(|| format!("no /dev/rtc here; {cure}"))?;
        Ok(Rtc { path, running: None })
    }
}

impl Wait for Rtc {
    fn wait(&mut self, _begin: Nanos, _span: Nanos) -> io::Result<()> {
        let rtc = self.running.as_ref().ok_or_else(not_set)?;
        next(|| rtc.wait())
    }

    fn set(&mut self, span: Nanos) -> io::Result<()> {
        self.running = None; // only one may have it open
        let started = RtcDevice::start(&self.path, rate_hz(span));
        self.running = Some(started.map_err(io::Error::other)?);
        Ok(())
    }
}

pub(super) struct EventTimer {
    running: Option<Hpet>,
}

impl EventTimer {
    pub(super) fn open() -> Result<EventTimer, String> {
        let cure = "a kernel with CONFIG_HPET has it on machines with such a timer";
        if !Path::new(Hpet::PATH).exists() {
            return Err(format!("no {} here; {cure}", Hpet::PATH));
        }
        Ok(EventTimer { running: None })
    }
}

impl Wait for EventTimer {
    fn wait(&mut self, _begin: Nanos, _span: Nanos) -> io::Result<()> {
        let timer = self.running.as_ref().ok_or_else(not_set)?;
        next(|| timer.wait())
    }

    fn set(&mut self, span: Nanos) -> io::Result<()> {
        self.running = None; // its comparator is free again only when closed
        self.running = Some(Hpet::start(rate_hz(span)).map_err(io::Error::other)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_power_of_two_is_found_again_from_its_period() {
        for power in 6..=13 {
            assert_eq!(rate_hz(Nanos(1_000_000_000 / (1 << power))), 1 << power);
        }
    }
}

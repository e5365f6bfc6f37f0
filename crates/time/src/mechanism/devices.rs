//! Devices that tick: the real-time clock and the high-precision event timer. A wait
//! is the read of the next tick.

use super::Wait;
use crate::Nanos;
use std::io;
use std::path::Path;

pub(super) struct Rtc;

impl Rtc {
    pub(super) fn open() -> Result<Rtc, String> {
        missing("/dev/rtc0", "load its driver with `modprobe rtc_cmos`")?;
        Err("the real-time clock is measured by `chronotap timing periodic`".into())
    }
}

impl Wait for Rtc {
    fn wait(&mut self, _begin: Nanos, _span: Nanos) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub(super) struct Hpet;

impl Hpet {
    pub(super) fn open() -> Result<Hpet, String> {
        missing("/dev/hpet", "a kernel with CONFIG_HPET has it on machines with such a timer")?;
        Err("the event timer is measured by `chronotap timing periodic`".into())
    }
}

impl Wait for Hpet {
    fn wait(&mut self, _begin: Nanos, _span: Nanos) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

fn missing(device: &str, cure: &str) -> Result<(), String> {
    if Path::new(device).exists() { Ok(()) } else { Err(format!("no {device} here; {cure}")) }
}

//! [`AlsaPlayback`]: an ALSA device that a player writes to, fragments being the periods
//! of its buffer.
//!
//! Before each write the driver is asked how far the device has played, and each write
//! returns how much it had left then. The kernel stops a device whose buffer is empty, and
//! answers the next write with EPIPE: it is made ready again and its buffer filled with
//! silence, so that the next write finds it in the state in which an undisturbed player
//! would find it.

use super::abi::{self, SwParams, XRUN};
use super::device::{Device, Layout};
use super::find::{CardDevice, Direction, called};
use super::transfer;
use crate::cards::error::{CardError, Offered};
use crate::cards::name::CardName;
use crate::cards::playback::{Fragments, Playback, WrittenFrames};
use crate::cards::request::CardRequest;
use crate::clocks::MonotonicClock;
use chronotap_core::time::Nanos;
use rustix::io::Errno;

/// An ALSA device, for this program alone, until it is dropped.
#[derive(Debug)]
pub struct AlsaPlayback {
    device: Device,
    fragments: Fragments,
    silence: Vec<u8>, // a fragment
    card: String,
}

impl AlsaPlayback {
    /// Opens a device exactly as asked.
    ///
    /// # Errors
    /// [`CardError`]: it is missing, busy (who has it), or does not offer this (what it
    /// offers); no other card than an ALSA device can be written to.
    pub fn open(name: &CardName, fragments: Fragments) -> Result<AlsaPlayback, CardError> {
        let CardName::Alsa { card, device } = name else {
            let (asked, offered) = ("blocking writes".into(), Offered::AlsaDevice);
            return Err(CardError::NotOffered { card: name.to_string(), asked, offered });
        };
        let place = CardDevice::supported(card, *device)?;
        let wanted = CardRequest {
            rate_hz: Some(fragments.rate_hz),
            period_frames: Some(fragments.frames),
            periods: Some(fragments.count),
            ..CardRequest::default()
        };
        let device = Device::open(&place, Direction::Playback, Layout::Stereo16, &wanted)?;
        let buffer = (fragments.count * fragments.frames) as usize;
        let mut software = SwParams::waking(fragments.frames as usize, buffer).starting(buffer);
        let failed = |call, errno| CardError::System { card: place.to_string(), call, errno };
        abi::set_software(device.fd(), &mut software)
            .map_err(|errno| failed("SW_PARAMS", errno))?;
        abi::prepare(device.fd()).map_err(|errno| failed("PREPARE", errno))?;
        let silence = vec![0; device.period_bytes()];
        Ok(AlsaPlayback { device, fragments, silence, card: called(&place) })
    }

    /// Which device it is: `alsa:hw:0,0 (Loopback PCM)`.
    pub fn card(&self) -> &str {
        &self.card
    }

    /// How long it would play on: what is in its buffer, less what it has played since the
    /// driver stamped its position.
    fn left(&self) -> Result<Option<Nanos>, Errno> {
        let status = abi::status(self.device.fd())?;
        if status.state == XRUN {
            return Ok(None);
        }
        let Fragments { count, frames, rate_hz } = self.fragments;
        let queued = i64::from(count * frames) - status.avail as i64;
        let left = Nanos(queued * 1_000_000_000 / i64::from(rate_hz));
        let running = status.state == abi::RUNNING;
        let since = if running { MonotonicClock::raw() - status.stamped() } else { Nanos::ZERO };
        Ok(Some((left - since.max(Nanos::ZERO)).max(Nanos::ZERO)))
    }

    /// Blocks until all of it is in the buffer.
    fn put(&self, bytes: &[u8]) -> Result<(), Errno> {
        transfer::write_all(self.device.fd(), bytes)
    }

    /// A full buffer, of which only the last fragment sounds, starts the device.
    fn start_anew(&self, fragment: &[u8]) -> Result<(), Errno> {
        abi::prepare(self.device.fd())?;
        for _ in 1..self.fragments.count {
            self.put(&self.silence)?;
        }
        self.put(fragment)
    }
}

impl Playback for AlsaPlayback {
    /// Real-time contract: as the trait's; the system calls are the look at the position,
    /// the clock and the write, and after a drop-out those that start the device.
    fn write(&mut self, fragment: &[u8]) -> Result<WrittenFrames, Errno> {
        let left = self.left()?;
        match self.put(fragment) {
            Ok(()) => Ok(WrittenFrames { left }),
            Err(Errno::PIPE | Errno::STRPIPE) => {
                self.start_anew(fragment)?;
                Ok(WrittenFrames { left: None })
            }
            Err(errno) => Err(errno),
        }
    }
}

impl Drop for AlsaPlayback {
    /// Silent at once; one that is gone needs no stopping.
    fn drop(&mut self) {
        let _ = abi::stop(self.device.fd());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Fragments = Fragments { count: 3, frames: 64, rate_hz: 44_100 };

    #[test]
    fn what_cannot_be_written_to_is_refused_with_what_can() {
        let refused = |name| AlsaPlayback::open(&name, USUAL).unwrap_err();
        let jack = refused(CardName::Jack);
        let CardError::NotOffered { offered: Offered::AlsaDevice, .. } = jack else {
            panic!("{jack}")
        };
        let missing = refused(CardName::Alsa { card: "NoSuchCard".into(), device: 0 });
        assert!(matches!(missing, CardError::Missing { .. }), "{missing}");
    }
}

//! [`Device`]: one direction of an ALSA device, opened for this program alone and set up.

use super::abi::{self, HwParams, Interval, Mask, SwParams};
use super::find::{CardDevice, Direction, holder, present_by_name};
use super::format::Format;
use crate::cards::error::{CardError, Offered};
use crate::cards::request::CardRequest;
use rustix::fs::{Mode, OFlags, fcntl_setfl};
use rustix::io::Errno;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Rates, where none was asked for.
const RATES_HZ: [u32; 2] = [48_000, 44_100];
/// Frames of a period, where none was asked for, or the next that the device has.
const PERIOD_FRAMES: u32 = 256;
/// Periods of the buffer, where none was asked for.
const PERIODS: u32 = 2;

/// How its samples are to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// In any format that is known here, in so many channels or more.
    AtLeast(u32),
    /// 16 bits, left and right and nothing else.
    Stereo16,
}

/// A device that is set up.
#[derive(Debug)]
pub(super) struct Device {
    fd: OwnedFd,
    /// Its samples.
    pub(super) format: Format,
    /// Channels of a frame: at least those that were wanted.
    pub(super) channels: usize,
    /// Frames a second.
    pub(super) rate_hz: u32,
    /// Frames of a period.
    pub(super) period_frames: u32,
    /// Periods of its buffer.
    pub(super) periods: u32,
}

impl Device {
    /// Opens it and sets it up.
    pub(super) fn open(
        place: &CardDevice,
        direction: Direction,
        layout: Layout,
        wanted: &CardRequest,
    ) -> Result<Device, CardError> {
        let path = place.path(direction);
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let refused = |errno| refusal(place, direction, "open", errno);
        let fd = rustix::fs::open(&path, flags, Mode::empty()).map_err(refused)?;
        // Opened without blocking, a busy device is refused at once; from here on calls may block.
        fcntl_setfl(&fd, OFlags::RDWR).map_err(refused)?;
        let mut offer = Offer { place, direction, fd: fd.as_fd(), params: HwParams::ANY };
        let format = offer.choose_format(layout)?;
        let channels = match layout {
            Layout::AtLeast(channels) => offer.at_least(abi::CHANNELS, channels, "channels")?,
            Layout::Stereo16 => offer.exactly(abi::CHANNELS, 2, "channels")?,
        };
        let rate_hz = offer.choose_rate(wanted.rate_hz)?;
        let period_frames = match wanted.period_frames {
            Some(frames) => offer.exactly(abi::PERIOD_SIZE, frames, "frames a period")?,
            None => offer.at_least(abi::PERIOD_SIZE, PERIOD_FRAMES, "frames a period")?,
        };
        let periods = match wanted.periods {
            Some(periods) => offer.exactly(abi::PERIODS, periods, "periods")?,
            None => offer.at_least(abi::PERIODS, PERIODS, "periods")?,
        };
        let mut params = offer.params;
        params.rmask = u32::MAX;
        let refused = |errno| refusal(place, direction, "HW_PARAMS", errno);
        abi::set_hardware(fd.as_fd(), &mut params).map_err(refused)?;
        let (period, buffer) = (period_frames as usize, (period_frames * periods) as usize);
        let mut software = SwParams::waking(period, buffer);
        let refused = |errno| refusal(place, direction, "SW_PARAMS", errno);
        abi::set_software(fd.as_fd(), &mut software).map_err(refused)?;
        let channels = channels as usize;
        Ok(Device { fd, format, channels, rate_hz, period_frames, periods })
    }

    /// Bytes of a period.
    pub(super) fn period_bytes(&self) -> usize {
        self.period_frames as usize * self.channels * self.format.bytes()
    }

    /// Its descriptor.
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// What a device offers, narrowed step by step.
struct Offer<'a> {
    place: &'a CardDevice,
    direction: Direction,
    fd: BorrowedFd<'a>,
    params: HwParams,
}

impl Offer<'_> {
    /// The first format that it has.
    fn choose_format(&mut self, layout: Layout) -> Result<Format, CardError> {
        let (formats, asked) = match layout {
            Layout::AtLeast(_) => (&Format::ALL[..], "interleaved samples of 16 or 32 bits"),
            Layout::Stereo16 => (&[Format::S16][..], "interleaved samples of 16 bits"),
        };
        self.params.masks[abi::ACCESS] = Mask::only(abi::INTERLEAVED);
        let has = |format: &Format| {
            let mut params = self.params;
            params.masks[abi::FORMAT] = Mask::only(format.number());
            abi::refine(self.fd, &mut params).ok().map(|()| (*format, params))
        };
        let found = formats.iter().find_map(has);
        let (format, params) = found.ok_or_else(|| CardError::NotOffered {
            card: self.place.to_string(),
            asked: asked.into(),
            offered: Offered::ThroughJack,
        })?;
        self.params = params;
        Ok(format)
    }

    fn choose_rate(&mut self, wanted: Option<u32>) -> Result<u32, CardError> {
        if let Some(rate) = wanted {
            return self.exactly(abi::RATE, rate, "Hz");
        }
        let found = RATES_HZ.iter().find_map(|rate| self.exactly(abi::RATE, *rate, "Hz").ok());
        found.map_or_else(|| self.at_least(abi::RATE, RATES_HZ[1], "Hz"), Ok)
    }

    fn exactly(&mut self, index: usize, value: u32, unit: &str) -> Result<u32, CardError> {
        self.narrow(index, Interval::whole(value, value))
            .ok_or_else(|| self.not_offered(index, &format!("{value} {unit}"), unit))
    }

    /// The least value that it has from `value` on.
    fn at_least(&mut self, index: usize, value: u32, unit: &str) -> Result<u32, CardError> {
        let least = self.narrow(index, Interval::whole(value, u32::MAX));
        least
            .and_then(|least| self.narrow(index, Interval::whole(least, least)))
            .ok_or_else(|| self.not_offered(index, &format!("{value} {unit} or more"), unit))
    }

    /// Narrows one number; the least that is left, where anything is.
    fn narrow(&mut self, index: usize, to: Interval) -> Option<u32> {
        let mut params = self.params;
        params.intervals[index] = to;
        params.rmask = u32::MAX;
        abi::refine(self.fd, &mut params).ok()?;
        self.params = params;
        Some(params.intervals[index].min)
    }

    fn not_offered(&self, index: usize, asked: &str, unit: &str) -> CardError {
        let mut params = self.params;
        params.rmask = u32::MAX;
        let _ = abi::refine(self.fd, &mut params); // where it fails, the last answer stands
        let Interval { min, max, .. } = params.intervals[index];
        let direction = if self.direction == Direction::Playback { "out" } else { "in" };
        CardError::NotOffered {
            card: format!("{} ({direction})", self.place),
            asked: asked.into(),
            offered: Offered::Has(format!("it has {min} to {max} {unit}")),
        }
    }
}

fn refusal(
    place: &CardDevice,
    direction: Direction,
    call: &'static str,
    errno: Errno,
) -> CardError {
    let (card, path) = (place.to_string(), place.path(direction));
    match errno {
        Errno::NOENT | Errno::NODEV | Errno::NXIO => {
            CardError::Missing { card, present: present_by_name() }
        }
        Errno::ACCESS | Errno::PERM => CardError::Denied { card, path },
        Errno::BUSY | Errno::AGAIN => CardError::Busy { card, holder: holder(place, direction) },
        errno => CardError::System { card, call, errno },
    }
}

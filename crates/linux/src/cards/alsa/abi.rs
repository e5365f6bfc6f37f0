//! The kernel's interface to PCM devices, as far as it is used: numbers and layouts of
//! the kernel's stable header `sound/asound.h`, written down here so that the program
//! needs no library. They hold for 64-bit systems. That sizes, offsets and numbers are
//! what a C compiler makes of that header there is asserted as this is compiled.

use chronotap_core::time::Nanos;
use rustix::io::Result;
use rustix::ioctl::{IntegerSetter, NoArg, Opcode, Updater, ioctl, opcode};
use std::mem::{offset_of, size_of};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

/// A set of formats or ways of access, a bit for each.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Mask {
    bits: [u32; 8],
}

impl Mask {
    const ANY: Mask = Mask { bits: [u32::MAX; 8] };

    /// Only this one.
    pub(super) fn only(value: u32) -> Mask {
        let mut bits = [0; 8];
        bits[value as usize / 32] = 1 << (value % 32);
        Mask { bits }
    }
}

/// A range of numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) min: u32,
    pub(super) max: u32,
    flags: u32, // 1, 2: without min, max; 4: whole numbers; 8: empty
}

impl Interval {
    const ANY: Interval = Interval { min: 0, max: u32::MAX, flags: 0 };

    /// Whole numbers from `min` to `max`.
    pub(super) const fn whole(min: u32, max: u32) -> Interval {
        Interval { min, max, flags: 4 }
    }
}

/// Places in [`HwParams::masks`].
pub(super) const ACCESS: usize = 0;
/// The format of a sample.
pub(super) const FORMAT: usize = 1;
/// Places in [`HwParams::intervals`].
pub(super) const CHANNELS: usize = 2;
/// Frames a second.
pub(super) const RATE: usize = 3;
/// Frames of a period.
pub(super) const PERIOD_SIZE: usize = 5;
/// Periods of the buffer.
pub(super) const PERIODS: usize = 7;

/// Interleaved samples, by read and write.
pub(super) const INTERLEAVED: u32 = 3;

/// `snd_pcm_hw_params`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct HwParams {
    flags: u32,
    /// Access, format, subformat.
    pub(super) masks: [Mask; 3],
    more_masks: [Mask; 5],
    /// Channels, rate, period and the like.
    pub(super) intervals: [Interval; 12],
    more_intervals: [Interval; 9],
    /// Which of them were changed and are to be looked at.
    pub(super) rmask: u32,
    cmask: u32,
    info: u32,
    msbits: u32,
    rate_num: u32,
    rate_den: u32,
    fifo_size: usize,
    reserved: [u8; 64],
}

impl HwParams {
    /// Everything that there could be.
    pub(super) const ANY: HwParams = HwParams {
        flags: 0,
        masks: [Mask::ANY; 3],
        more_masks: [Mask::ANY; 5],
        intervals: [Interval::ANY; 12],
        more_intervals: [Interval::ANY; 9],
        rmask: u32::MAX,
        cmask: 0,
        info: u32::MAX,
        msbits: 0,
        rate_num: 0,
        rate_den: 0,
        fifo_size: 0,
        reserved: [0; 64],
    };
}

/// `snd_pcm_sw_params`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct SwParams {
    /// 1: a stamp with each look at the position.
    tstamp_mode: i32,
    period_step: u32,
    sleep_min: u32,
    /// Frames that wake who polls.
    avail_min: usize,
    xfer_align: usize,
    /// Frames that start the device by themselves.
    start_threshold: usize,
    /// Free frames at which it stops: an xrun.
    stop_threshold: usize,
    silence_threshold: usize,
    silence_size: usize,
    boundary: usize,
    /// The version of the protocol that this program speaks.
    proto: u32,
    /// 1: CLOCK_MONOTONIC.
    tstamp_type: u32,
    reserved: [u8; 56],
}

/// So many frames never start a device by themselves.
const NEVER: usize = 1 << 30;
/// Version 2.0.12 of the protocol, the first in which one chooses the clock.
const PROTOCOL: u32 = (2 << 16) | 12;

impl SwParams {
    /// Wakes for a period, stops when the buffer is empty, and looks at the position by
    /// CLOCK_MONOTONIC.
    pub(super) const fn waking(period_frames: usize, buffer_frames: usize) -> SwParams {
        SwParams {
            tstamp_mode: 1,
            period_step: 1,
            sleep_min: 0,
            avail_min: period_frames,
            xfer_align: 1,
            start_threshold: NEVER,
            stop_threshold: buffer_frames,
            silence_threshold: 0,
            silence_size: 0,
            boundary: 0,
            proto: PROTOCOL,
            tstamp_type: 1,
            reserved: [0; 56],
        }
    }

    /// The same, and starts by itself with so many frames.
    pub(super) const fn starting(self, frames: usize) -> SwParams {
        SwParams { start_threshold: frames, ..self }
    }
}

/// Runs.
pub(super) const RUNNING: i32 = 3;
/// Its buffer ran empty, or full.
pub(super) const XRUN: i32 = 4;

/// `snd_pcm_status`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Status {
    /// [`RUNNING`], [`XRUN`] or another.
    pub(super) state: i32,
    pad: u32,
    trigger: [i64; 2],
    /// Seconds and nanoseconds at which the position was looked at.
    tstamp: [i64; 2],
    appl_ptr: usize,
    hw_ptr: usize,
    /// Frames until what is written now is at the converter; of an input, frames since
    /// what is read now was there.
    pub(super) delay: isize,
    /// Frames that may be written, or read.
    pub(super) avail: usize,
    avail_max: usize,
    overrange: usize,
    suspended_state: i32,
    audio_tstamp_data: u32,
    audio_tstamp: [i64; 2],
    driver_tstamp: [i64; 2],
    audio_tstamp_accuracy: u32,
    reserved: [u8; 20],
}

impl Status {
    /// When the position was looked at, by CLOCK_MONOTONIC.
    pub(super) fn stamped(&self) -> Nanos {
        Nanos(self.tstamp[0] * 1_000_000_000 + self.tstamp[1])
    }
}

const HW_REFINE: Opcode = opcode::read_write::<HwParams>(b'A', 0x10);
const HW_PARAMS: Opcode = opcode::read_write::<HwParams>(b'A', 0x11);
const SW_PARAMS: Opcode = opcode::read_write::<SwParams>(b'A', 0x13);
const STATUS: Opcode = opcode::read::<Status>(b'A', 0x20);
const PREPARE: Opcode = opcode::none(b'A', 0x40);
const START: Opcode = opcode::none(b'A', 0x42);
const DROP: Opcode = opcode::none(b'A', 0x43);
const LINK: Opcode = opcode::write::<i32>(b'A', 0x60);

// `sound/asound.h`, structures `snd_pcm_*`, `snd_mask` and `snd_interval`.
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<Mask>() == 32 && size_of::<Interval>() == 12);
    assert!(offset_of!(Interval, max) == 4);
    assert!(size_of::<HwParams>() == 608);
    assert!(offset_of!(HwParams, masks) == 4);
    assert!(offset_of!(HwParams, intervals) == 260);
    assert!(offset_of!(HwParams, rmask) == 512);
    assert!(offset_of!(HwParams, info) == 520);
    assert!(offset_of!(HwParams, fifo_size) == 536);
    assert!(size_of::<SwParams>() == 136);
    assert!(offset_of!(SwParams, avail_min) == 16);
    assert!(offset_of!(SwParams, start_threshold) == 32);
    assert!(offset_of!(SwParams, stop_threshold) == 40);
    assert!(offset_of!(SwParams, boundary) == 64);
    assert!(offset_of!(SwParams, proto) == 72);
    assert!(offset_of!(SwParams, tstamp_type) == 76);
    assert!(size_of::<Status>() == 152);
    assert!(offset_of!(Status, tstamp) == 24);
    assert!(offset_of!(Status, appl_ptr) == 40);
    assert!(offset_of!(Status, delay) == 56);
    assert!(offset_of!(Status, avail) == 64);
    assert!(offset_of!(Status, suspended_state) == 88);
    assert!(offset_of!(Status, audio_tstamp) == 96);
};

// The numbers of the calls, in which size and direction of the argument stand.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const _: () = {
    assert!(HW_REFINE == 0xc260_4110);
    assert!(HW_PARAMS == 0xc260_4111);
    assert!(SW_PARAMS == 0xc088_4113);
    assert!(STATUS == 0x8098_4120);
    assert!(PREPARE == 0x4140 && START == 0x4142 && DROP == 0x4143);
    assert!(LINK == 0x4004_4160);
};

/// Narrows `params` to what the device can do.
pub(super) fn refine(device: BorrowedFd<'_>, params: &mut HwParams) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_pcm_hw_params`; the borrow is as long as the
    // call, the layout is asserted above, and any integers are a value of it.
    unsafe { ioctl(device, Updater::<HW_REFINE, HwParams>::new(params)) }
}

/// Sets the device up; `params` then holds what it really uses.
pub(super) fn set_hardware(device: BorrowedFd<'_>, params: &mut HwParams) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_pcm_hw_params`; the borrow is as long as the
    // call, the layout is asserted above, and any integers are a value of it.
    unsafe { ioctl(device, Updater::<HW_PARAMS, HwParams>::new(params)) }
}

/// Sets when the device wakes whoever waits for it, and when it stops.
pub(super) fn set_software(device: BorrowedFd<'_>, params: &mut SwParams) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_pcm_sw_params`; the borrow is as long as the
    // call, the layout is asserted above, and any integers are a value of it.
    unsafe { ioctl(device, Updater::<SW_PARAMS, SwParams>::new(params)) }
}

/// Its state, and where it stands at which time.
pub(super) fn status(device: BorrowedFd<'_>) -> Result<Status> {
    let mut status = Status::default();
    // SAFETY: the call writes one `snd_pcm_status`; the borrow is as long as the
    // call, the layout is asserted above, and any integers are a value of it.
    unsafe { ioctl(device, Updater::<STATUS, Status>::new(&mut status)) }?;
    Ok(status)
}

/// Makes it ready to start.
pub(super) fn prepare(device: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: the call takes no argument and touches no memory of this program.
    unsafe { ioctl(device, NoArg::<PREPARE>::new()) }
}

pub(super) fn start(device: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: the call takes no argument and touches no memory of this program.
    unsafe { ioctl(device, NoArg::<START>::new()) }
}

/// Stops it at once.
pub(super) fn stop(device: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: the call takes no argument and touches no memory of this program.
    unsafe { ioctl(device, NoArg::<DROP>::new()) }
}

/// Lets two directions start and stop together.
pub(super) fn link(one: BorrowedFd<'_>, other: BorrowedFd<'_>) -> Result<()> {
    let other = other.as_fd().as_raw_fd() as usize;
    // SAFETY: the call takes the number of a descriptor, by value, and touches no memory;
    // `other` is borrowed, so that the number stays that of an open one.
    unsafe { ioctl(one, IntegerSetter::<LINK>::new_usize(other)) }
}

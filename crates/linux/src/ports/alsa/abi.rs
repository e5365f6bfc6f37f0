//! The kernel's interface to raw MIDI and to sound cards, as far as it is used:
//! numbers and layouts of the kernel's stable header `sound/asound.h`, written down
//! here so that the program needs no library. Layouts hold for 64-bit and 32-bit
//! systems. That sizes, offsets and numbers are what a C compiler makes of that header on
//! a 64-bit system is asserted as this is compiled.

use rustix::io::Result;
use rustix::ioctl::{Getter, Opcode, Setter, Updater, ioctl, opcode};
use std::mem::{offset_of, size_of};
use std::os::fd::AsFd;

/// Output, as in `stream` of the structures below.
pub(crate) const OUTPUT: i32 = 0;
pub(crate) const INPUT: i32 = 1;
/// The first version of the raw MIDI protocol that stamps its input: 2.0.2 (Linux 5.14).
pub(crate) const PROTOCOL_WITH_STAMPS: i32 = (2 << 16) | 2;
/// Input comes in frames with a stamp of CLOCK_MONOTONIC.
pub(crate) const MODE_MONOTONIC_FRAMES: u32 = 1 | (2 << 3);

/// `snd_rawmidi_info`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawmidiInfo {
    pub(crate) device: u32,
    pub(crate) subdevice: u32,
    pub(crate) stream: i32,
    pub(crate) card: i32,
    pub(crate) flags: u32,
    pub(crate) id: [u8; 64],
    pub(crate) name: [u8; 80],
    pub(crate) subname: [u8; 32],
    pub(crate) subdevices_count: u32,
    pub(crate) subdevices_avail: u32,
    reserved: [u8; 64],
}

impl RawmidiInfo {
    /// A question about one direction of one port of a device.
    pub(crate) const fn asking(device: u32, subdevice: u32, stream: i32) -> RawmidiInfo {
        RawmidiInfo {
            device,
            subdevice,
            stream,
            card: 0,
            flags: 0,
            id: [0; 64],
            name: [0; 80],
            subname: [0; 32],
            subdevices_count: 0,
            subdevices_avail: 0,
            reserved: [0; 64],
        }
    }
}

/// `snd_rawmidi_params`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawmidiParams {
    pub(crate) stream: i32,
    /// Bytes of the kernel's buffer, 32 to 1 MiB; whole frames where input is framed.
    pub(crate) buffer_size: usize,
    /// Bytes that wake a reader.
    pub(crate) avail_min: usize,
    /// 1: no 0xFE when an output is closed.
    pub(crate) no_active_sensing: u32,
    pub(crate) mode: u32,
    pub(crate) reserved: [u8; 12],
}

/// `snd_rawmidi_status`, in its form with 64-bit time.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct RawmidiStatus {
    pub(crate) stream: i32,
    pad: [u8; 4],
    seconds: i64,
    nanoseconds: i64,
    pub(crate) avail: usize,
    /// Bytes lost since the last time somebody asked.
    pub(crate) xruns: usize,
    reserved: [u8; 16],
}

impl RawmidiStatus {
    /// A question about one direction.
    pub(crate) fn asking(stream: i32) -> RawmidiStatus {
        RawmidiStatus { stream, ..RawmidiStatus::default() }
    }
}

const PVERSION: Opcode = opcode::read::<i32>(b'W', 0x00);
const USER_PVERSION: Opcode = opcode::write::<i32>(b'W', 0x02);
const PARAMS: Opcode = opcode::read_write::<RawmidiParams>(b'W', 0x10);
const STATUS: Opcode = opcode::read_write::<RawmidiStatus>(b'W', 0x20);
const CARD_RAWMIDI_INFO: Opcode = opcode::read_write::<RawmidiInfo>(b'U', 0x41);
const CARD_PREFER_SUBDEVICE: Opcode = opcode::write::<i32>(b'U', 0x42);

// `sound/asound.h`, structures `snd_rawmidi_*`.
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<RawmidiInfo>() == 268);
    assert!(offset_of!(RawmidiInfo, card) == 12);
    assert!(offset_of!(RawmidiInfo, name) == 84);
    assert!(offset_of!(RawmidiInfo, subname) == 164);
    assert!(offset_of!(RawmidiInfo, subdevices_count) == 196);
    assert!(size_of::<RawmidiParams>() == 48);
    assert!(offset_of!(RawmidiParams, buffer_size) == 8);
    assert!(offset_of!(RawmidiParams, avail_min) == 16);
    assert!(offset_of!(RawmidiParams, mode) == 28);
    assert!(size_of::<RawmidiStatus>() == 56);
    assert!(offset_of!(RawmidiStatus, seconds) == 8);
    assert!(offset_of!(RawmidiStatus, avail) == 24);
    assert!(offset_of!(RawmidiStatus, xruns) == 32);
};

// The numbers of the calls, in which size and direction of the argument stand.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const _: () = {
    assert!(PVERSION == 0x8004_5700);
    assert!(USER_PVERSION == 0x4004_5702);
    assert!(PARAMS == 0xc030_5710);
    assert!(STATUS == 0xc038_5720);
    assert!(CARD_RAWMIDI_INFO == 0xc10c_5541);
    assert!(CARD_PREFER_SUBDEVICE == 0x4004_5542);
};

/// The version of the protocol that the kernel speaks on a raw MIDI device.
pub(crate) fn protocol(device: impl AsFd) -> Result<i32> {
    // SAFETY: PVERSION writes one int; `Getter` gives it room for one.
    unsafe { ioctl(device, Getter::<PVERSION, i32>::new()) }
}

/// Tells the kernel which version this program understands.
pub(crate) fn tell_protocol(device: impl AsFd, version: i32) -> Result<()> {
    // SAFETY: USER_PVERSION reads one int; `Setter` holds one during the call.
    unsafe { ioctl(device, Setter::<USER_PVERSION, i32>::new(version)) }
}

/// Sets buffer and mode of one direction.
pub(crate) fn set_params(device: impl AsFd, params: &mut RawmidiParams) -> Result<()> {
    // SAFETY: PARAMS reads and writes one `snd_rawmidi_params`; the borrow is as long as
    // the call, the layout is asserted above, and any integers are a value of it.
    unsafe { ioctl(device, Updater::<PARAMS, RawmidiParams>::new(params)) }
}

/// Asks for the state of one direction.
pub(crate) fn status(device: impl AsFd, status: &mut RawmidiStatus) -> Result<()> {
    // SAFETY: STATUS reads and writes one `snd_rawmidi_status`; the borrow is as long as
    // the call, the layout is asserted above, and any integers are a value of it.
    unsafe { ioctl(device, Updater::<STATUS, RawmidiStatus>::new(status)) }
}

/// Asks a card (its control device) about a port.
pub(crate) fn rawmidi_info(card: impl AsFd, info: &mut RawmidiInfo) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_rawmidi_info`; the borrow is as long as
    // the call, the layout is asserted above, and any integers are a value of it.
    unsafe { ioctl(card, Updater::<CARD_RAWMIDI_INFO, RawmidiInfo>::new(info)) }
}

/// The port that the next open of a raw MIDI device by this thread gets, as long as
/// `card` stays open.
pub(crate) fn prefer_subdevice(card: impl AsFd, subdevice: i32) -> Result<()> {
    // SAFETY: PREFER_SUBDEVICE reads one int; `Setter` holds one during the call.
    unsafe { ioctl(card, Setter::<CARD_PREFER_SUBDEVICE, i32>::new(subdevice)) }
}

/// A name out of a fixed field: up to the first 0.
pub(crate) fn text(field: &[u8]) -> String {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_at_its_first_zero() {
        assert_eq!(text(b"UM-ONE \0rubbish"), "UM-ONE");
        assert_eq!(text(b"full"), "full");
    }
}

//! The kernel's interface to event devices, as far as it is used: numbers and
//! layouts of the kernel's stable header `linux/input.h`. The layout of an event is
//! written in machine words, which holds for 64-bit and for 32-bit systems.

use chronotap_core::time::Nanos;
use rustix::io::Result;
use rustix::ioctl::{Getter, IntegerSetter, Opcode, Setter, ioctl, opcode};
use std::os::fd::{AsFd, BorrowedFd};

/// Bytes of an `input_event`: two machine words of time, type, code, value.
pub(crate) const EVENT_BYTES: usize = 2 * WORD + 8;
const WORD: usize = size_of::<usize>();

/// Type of events that mark the end of a report or a loss.
pub(crate) const SYN: u16 = 0;
/// Type of keys and buttons.
pub(crate) const KEY: u16 = 1;
/// Code of a [`SYN`]: what came before belongs together.
pub(crate) const SYN_REPORT: u16 = 0;
/// Code of a [`SYN`]: the kernel's buffer was full and events were lost.
pub(crate) const SYN_DROPPED: u16 = 3;

/// Which keys are down: a bit for each of the 768 key codes.
pub(crate) type KeyBits = [u8; 96];

const CLOCK_MONOTONIC: i32 = 1;
const GET_KEYS: Opcode = opcode::read::<KeyBits>(b'E', 0x18); // EVIOCGKEY(96)
const GRAB: Opcode = opcode::write::<i32>(b'E', 0x90); // EVIOCGRAB
const SET_CLOCK: Opcode = opcode::write::<i32>(b'E', 0xa0); // EVIOCSCLOCKID

// `linux/input.h`: the size of `input_event`, and KEY_MAX, 0x2ff, within the bits.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(EVENT_BYTES == 24);
const _: () = assert!(size_of::<KeyBits>() * 8 == 0x2ff + 1);
// The numbers of the calls, in which size and direction of the argument stand.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const _: () = assert!(GET_KEYS == 0x8060_4518 && GRAB == 0x4004_4590 && SET_CLOCK == 0x4004_45a0);

/// One event of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InputEvent {
    /// On the device's clock, to the microsecond.
    pub(crate) at: Nanos,
    /// [`SYN`], [`KEY`] or another.
    pub(crate) kind: u16,
    /// Which key, or what of [`SYN`].
    pub(crate) code: u16,
    /// For keys: 0 up, 1 down, 2 repeated.
    pub(crate) value: i32,
}

impl InputEvent {
    /// The event in these bytes; `None` where they are too few.
    pub(crate) fn parse(bytes: &[u8]) -> Option<InputEvent> {
        let word =
            |at: usize| Some(isize::from_ne_bytes(bytes.get(at..at + WORD)?.try_into().ok()?));
        let half = |at: usize| Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
        let (seconds, micros) = (word(0)? as i64, word(WORD)? as i64);
        let value = bytes.get(2 * WORD + 4..EVENT_BYTES)?.try_into().ok()?;
        Some(InputEvent {
            at: Nanos(seconds.wrapping_mul(1_000_000_000).wrapping_add(micros.wrapping_mul(1_000))),
            kind: half(2 * WORD)?,
            code: half(2 * WORD + 2)?,
            value: i32::from_ne_bytes(value),
        })
    }
}

/// Has the device stamp its events on CLOCK_MONOTONIC (Linux 3.4 and later).
pub(crate) fn use_monotonic_clock(device: impl AsFd) -> Result<()> {
    // SAFETY: EVIOCSCLOCKID reads one int; `Setter` holds one during the call.
    unsafe { ioctl(device, Setter::<SET_CLOCK, i32>::new(CLOCK_MONOTONIC)) }
}

/// Keeps the device's events from everybody else, the screen's input included, or no longer. The
/// kernel lets a device go by itself when it is closed, however the program ends.
pub(crate) fn grab(device: BorrowedFd<'_>, keep: bool) -> Result<()> {
    // SAFETY: EVIOCGRAB takes its argument by value and touches no memory.
    unsafe { ioctl(device, IntegerSetter::<GRAB>::new_usize(usize::from(keep))) }
}

/// Which keys are down now.
pub(crate) fn keys_down(device: impl AsFd) -> Result<KeyBits> {
    // SAFETY: EVIOCGKEY(96) writes at most 96 bytes; `Getter` gives it as many. The
    // bits of all key codes of the header (KEY_MAX is 0x2ff) fill them.
    unsafe { ioctl(device, Getter::<GET_KEYS, KeyBits>::new()) }
}

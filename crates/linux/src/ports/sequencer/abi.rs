//! The kernel's interface to the ALSA sequencer, as far as it is used: numbers and
//! layouts of the kernel's stable header `sound/asequencer.h`, written down here so
//! that the program needs no library. That sizes, offsets and numbers are what a C
//! compiler makes of that header on a 64-bit system is asserted as this is compiled.
//!
//! Why every call is sound: its number says how many bytes of its argument the kernel
//! reads or writes; they are the size of the structure that is borrowed for as long as
//! the call takes, and what the kernel writes there are integers, of which any is a value.

use rustix::io::Result;
use rustix::ioctl::{Getter, Opcode, Setter, Updater, ioctl, opcode};
use std::ffi::c_void;
use std::mem::{offset_of, size_of};
use std::os::fd::AsFd;

/// A port can be read from, or written to, by whoever it is connected with.
pub(crate) const CAP_READ: u32 = 1;
/// It can be written to.
pub(crate) const CAP_WRITE: u32 = 1 << 1;
/// Others may connect it as a source.
pub(crate) const CAP_SUBS_READ: u32 = 1 << 5;
/// Others may connect it as a destination.
pub(crate) const CAP_SUBS_WRITE: u32 = 1 << 6;
/// It is no port for others.
pub(crate) const CAP_NO_EXPORT: u32 = 1 << 7;
/// A MIDI port of an application.
pub(crate) const TYPE_APPLICATION: u32 = (1 << 1) | (1 << 20);
/// What arrives is stamped with the real time of the queue `time_queue`.
pub(crate) const FLAG_REAL_TIME_STAMPS: u32 = (1 << 1) | (1 << 2);
/// Events are filtered by `event_filter`.
pub(crate) const FILTER_USE_EVENT: u32 = 1 << 31;
/// The kernel's own client, with its timer port 0 and its announcing port 1.
pub(crate) const SYSTEM: Address = Address { client: 0, port: 0 };
/// Where comings and goings are announced.
pub(crate) const ANNOUNCE: Address = Address { client: 0, port: 1 };

/// Structures of integers only, for which all bytes 0 is a value.
///
/// # Safety
/// To be implemented only by such structures.
pub(crate) unsafe trait Plain: Copy {
    /// All bytes 0.
    fn zeroed() -> Self {
        // SAFETY: who implements the trait has promised that all bytes 0 is a value.
        unsafe { std::mem::zeroed() }
    }
}

/// `snd_seq_addr`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Address {
    pub(crate) client: u8,
    pub(crate) port: u8,
}

/// `snd_seq_client_info`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ClientInfo {
    pub(crate) client: i32,
    pub(crate) kind: i32,
    pub(crate) name: [u8; 64],
    pub(crate) filter: u32,
    pub(crate) multicast_filter: [u8; 8],
    pub(crate) event_filter: [u8; 32],
    pub(crate) num_ports: i32,
    pub(crate) event_lost: i32,
    pub(crate) card: i32,
    pub(crate) pid: i32,
    pub(crate) midi_version: u32,
    pub(crate) reserved: [u8; 52],
}

/// `snd_seq_client_pool`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ClientPool {
    pub(crate) client: i32,
    pub(crate) output_pool: i32,
    pub(crate) input_pool: i32,
    pub(crate) output_room: i32,
    pub(crate) output_free: i32,
    pub(crate) input_free: i32,
    pub(crate) reserved: [u8; 64],
}

/// `snd_seq_port_info`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PortInfo {
    pub(crate) address: Address,
    pub(crate) name: [u8; 64],
    pub(crate) capability: u32,
    pub(crate) kind: u32,
    pub(crate) midi_channels: i32,
    pub(crate) midi_voices: i32,
    pub(crate) synth_voices: i32,
    pub(crate) read_use: i32,
    pub(crate) write_use: i32,
    pub(crate) kernel: *mut c_void, // of the kernel; stays null
    pub(crate) flags: u32,
    pub(crate) time_queue: u8,
    pub(crate) reserved: [u8; 59],
}

/// `snd_seq_queue_info`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct QueueInfo {
    pub(crate) queue: i32,
    pub(crate) owner: i32,
    pub(crate) locked: u8, // one bit in the header
    pub(crate) name: [u8; 64],
    pub(crate) flags: u32,
    pub(crate) reserved: [u8; 60],
}

/// `snd_seq_queue_status`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct QueueStatus {
    pub(crate) queue: i32,
    pub(crate) events: i32,
    pub(crate) tick: u32,
    pub(crate) seconds: u32,
    pub(crate) nanoseconds: u32,
    pub(crate) running: i32,
    pub(crate) flags: i32,
    pub(crate) reserved: [u8; 64],
}

/// `snd_seq_queue_timer`, whose union has one member.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct QueueTimer {
    pub(crate) queue: i32,
    pub(crate) kind: i32,
    pub(crate) timer: [i32; 5],
    pub(crate) ticks_per_second: u32, // the header says `resolution`, and means Hz
    pub(crate) reserved: [u8; 64],
}

/// `snd_seq_port_subscribe`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Subscription {
    pub(crate) sender: Address,
    pub(crate) dest: Address,
    pub(crate) voices: u32,
    pub(crate) flags: u32,
    pub(crate) queue: u8,
    pub(crate) pad: [u8; 3],
    pub(crate) reserved: [u8; 64],
}

// SAFETY: integers only.
unsafe impl Plain for ClientInfo {}
// SAFETY: integers only.
unsafe impl Plain for ClientPool {}
// SAFETY: integers only, and one raw pointer, which may be null.
unsafe impl Plain for PortInfo {}
// SAFETY: integers only.
unsafe impl Plain for QueueInfo {}
// SAFETY: integers only.
unsafe impl Plain for QueueStatus {}
// SAFETY: integers only.
unsafe impl Plain for QueueTimer {}
// SAFETY: integers only.
unsafe impl Plain for Subscription {}

const CLIENT_ID: Opcode = opcode::read::<i32>(b'S', 0x01);
const GET_CLIENT_INFO: Opcode = opcode::read_write::<ClientInfo>(b'S', 0x10);
const SET_CLIENT_INFO: Opcode = opcode::write::<ClientInfo>(b'S', 0x11);
const CREATE_PORT: Opcode = opcode::read_write::<PortInfo>(b'S', 0x20);
const SUBSCRIBE_PORT: Opcode = opcode::write::<Subscription>(b'S', 0x30);
const CREATE_QUEUE: Opcode = opcode::read_write::<QueueInfo>(b'S', 0x32);
const GET_QUEUE_STATUS: Opcode = opcode::read_write::<QueueStatus>(b'S', 0x40);
const GET_QUEUE_TIMER: Opcode = opcode::read_write::<QueueTimer>(b'S', 0x45);
const SET_QUEUE_TIMER: Opcode = opcode::write::<QueueTimer>(b'S', 0x46);
const GET_CLIENT_POOL: Opcode = opcode::read_write::<ClientPool>(b'S', 0x4b);
const SET_CLIENT_POOL: Opcode = opcode::write::<ClientPool>(b'S', 0x4c);
const QUERY_NEXT_CLIENT: Opcode = opcode::read_write::<ClientInfo>(b'S', 0x51);
const QUERY_NEXT_PORT: Opcode = opcode::read_write::<PortInfo>(b'S', 0x52);

// `sound/asequencer.h`.
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<Address>() == 2);
    assert!(size_of::<ClientInfo>() == 188);
    assert!(offset_of!(ClientInfo, name) == 8);
    assert!(offset_of!(ClientInfo, filter) == 72);
    assert!(offset_of!(ClientInfo, event_filter) == 84);
    assert!(offset_of!(ClientInfo, num_ports) == 116);
    assert!(offset_of!(ClientInfo, card) == 124);
    assert!(offset_of!(ClientInfo, pid) == 128);
    assert!(size_of::<ClientPool>() == 88);
    assert!(offset_of!(ClientPool, input_pool) == 8);
    assert!(offset_of!(ClientPool, input_free) == 20);
    assert!(size_of::<PortInfo>() == 168);
    assert!(offset_of!(PortInfo, name) == 2);
    assert!(offset_of!(PortInfo, capability) == 68);
    assert!(offset_of!(PortInfo, kind) == 72);
    assert!(offset_of!(PortInfo, kernel) == 96);
    assert!(offset_of!(PortInfo, flags) == 104);
    assert!(offset_of!(PortInfo, time_queue) == 108);
    assert!(size_of::<QueueInfo>() == 140);
    assert!(offset_of!(QueueInfo, name) == 9);
    assert!(offset_of!(QueueInfo, flags) == 76);
    assert!(size_of::<QueueStatus>() == 92);
    assert!(offset_of!(QueueStatus, seconds) == 12);
    assert!(offset_of!(QueueStatus, running) == 20);
    assert!(offset_of!(QueueStatus, flags) == 24);
    assert!(size_of::<QueueTimer>() == 96);
    assert!(offset_of!(QueueTimer, timer) == 8);
    assert!(offset_of!(QueueTimer, ticks_per_second) == 28);
    assert!(size_of::<Subscription>() == 80);
    assert!(offset_of!(Subscription, dest) == 2);
    assert!(offset_of!(Subscription, flags) == 8);
    assert!(offset_of!(Subscription, queue) == 12);
};

// The numbers of the calls, in which size and direction of the argument stand.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const _: () = {
    assert!(CLIENT_ID == 0x8004_5301);
    assert!(GET_CLIENT_INFO == 0xc0bc_5310);
    assert!(SET_CLIENT_INFO == 0x40bc_5311);
    assert!(CREATE_PORT == 0xc0a8_5320);
    assert!(SUBSCRIBE_PORT == 0x4050_5330);
    assert!(CREATE_QUEUE == 0xc08c_5332);
    assert!(GET_QUEUE_STATUS == 0xc05c_5340);
    assert!(GET_QUEUE_TIMER == 0xc060_5345);
    assert!(SET_QUEUE_TIMER == 0x4060_5346);
    assert!(GET_CLIENT_POOL == 0xc058_534b);
    assert!(SET_CLIENT_POOL == 0x4058_534c);
    assert!(QUERY_NEXT_CLIENT == 0xc0bc_5351);
    assert!(QUERY_NEXT_PORT == 0xc0a8_5352);
};

/// The number of the client that an open sequencer is.
pub(crate) fn client_id(seq: impl AsFd) -> Result<i32> {
    // SAFETY: it writes one int; see the top of the file.
    unsafe { ioctl(seq, Getter::<CLIENT_ID, i32>::new()) }
}

/// What is known of the client whose number stands in `info`.
pub(crate) fn client_info(seq: impl AsFd, info: &mut ClientInfo) -> Result<()> {
    // SAFETY: it reads and writes one `snd_seq_client_info`; see the top of the file.
    unsafe { ioctl(seq, Updater::<GET_CLIENT_INFO, ClientInfo>::new(info)) }
}

/// Sets name and filter of this client.
pub(crate) fn set_client_info(seq: impl AsFd, info: ClientInfo) -> Result<()> {
    // SAFETY: it reads one `snd_seq_client_info`; see the top of the file.
    unsafe { ioctl(seq, Setter::<SET_CLIENT_INFO, ClientInfo>::new(info)) }
}

/// How many events this client may have waiting.
pub(crate) fn client_pool(seq: impl AsFd, pool: &mut ClientPool) -> Result<()> {
    // SAFETY: it reads and writes one `snd_seq_client_pool`; see the top of the file.
    unsafe { ioctl(seq, Updater::<GET_CLIENT_POOL, ClientPool>::new(pool)) }
}

/// Sets how many events this client may have waiting.
pub(crate) fn set_client_pool(seq: impl AsFd, pool: ClientPool) -> Result<()> {
    // SAFETY: it reads one `snd_seq_client_pool`; see the top of the file.
    unsafe { ioctl(seq, Setter::<SET_CLIENT_POOL, ClientPool>::new(pool)) }
}

/// Makes a port of this client; its address then stands in `info`.
pub(crate) fn create_port(seq: impl AsFd, info: &mut PortInfo) -> Result<()> {
    // SAFETY: it reads and writes one `snd_seq_port_info`, whose pointer is null;
    // see the top of the file.
    unsafe { ioctl(seq, Updater::<CREATE_PORT, PortInfo>::new(info)) }
}

/// Connects two ports.
pub(crate) fn subscribe(seq: impl AsFd, sender: Address, dest: Address) -> Result<()> {
    let subscription = Subscription { sender, dest, ..Subscription::zeroed() };
    // SAFETY: it reads one `snd_seq_port_subscribe`; see the top of the file.
    unsafe { ioctl(seq, Setter::<SUBSCRIBE_PORT, Subscription>::new(subscription)) }
}

/// Makes a queue; its number then stands in `info`.
pub(crate) fn create_queue(seq: impl AsFd, info: &mut QueueInfo) -> Result<()> {
    // SAFETY: it reads and writes one `snd_seq_queue_info`; see the top of the file.
    unsafe { ioctl(seq, Updater::<CREATE_QUEUE, QueueInfo>::new(info)) }
}

/// The time of the queue whose number stands in `status`.
pub(crate) fn queue_status(seq: impl AsFd, status: &mut QueueStatus) -> Result<()> {
    // SAFETY: it reads and writes one `snd_seq_queue_status`; see the top of the file.
    unsafe { ioctl(seq, Updater::<GET_QUEUE_STATUS, QueueStatus>::new(status)) }
}

/// The timer that moves the queue whose number stands in `timer`.
pub(crate) fn queue_timer(seq: impl AsFd, timer: &mut QueueTimer) -> Result<()> {
    // SAFETY: it reads and writes one `snd_seq_queue_timer`; see the top of the file.
    unsafe { ioctl(seq, Updater::<GET_QUEUE_TIMER, QueueTimer>::new(timer)) }
}

/// Sets the timer that moves a queue of this client.
pub(crate) fn set_queue_timer(seq: impl AsFd, timer: QueueTimer) -> Result<()> {
    // SAFETY: it reads one `snd_seq_queue_timer`; see the top of the file.
    unsafe { ioctl(seq, Setter::<SET_QUEUE_TIMER, QueueTimer>::new(timer)) }
}

/// The client after the one in `info`; fails after the last.
pub(crate) fn next_client(seq: impl AsFd, info: &mut ClientInfo) -> Result<()> {
    // SAFETY: it reads and writes one `snd_seq_client_info`; see the top of the file.
    unsafe { ioctl(seq, Updater::<QUERY_NEXT_CLIENT, ClientInfo>::new(info)) }
}

/// The port after the one in `info`, of the same client; fails after the last.
pub(crate) fn next_port(seq: impl AsFd, info: &mut PortInfo) -> Result<()> {
    // SAFETY: it reads and writes one `snd_seq_port_info`, whose pointer is null;
    // see the top of the file.
    unsafe { ioctl(seq, Updater::<QUERY_NEXT_PORT, PortInfo>::new(info)) }
}

/// A name into a fixed field, cut where it is too long, ended with a 0.
pub(crate) fn field(name: &str) -> [u8; 64] {
    let mut field = [0; 64];
    let cut = (0..=name.len().min(63)).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    field[..cut].copy_from_slice(&name.as_bytes()[..cut]);
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_between_two_letters() {
        let name = field(&"ä".repeat(40));
        assert_eq!(std::str::from_utf8(&name[..62]), Ok("ä".repeat(31).as_str()));
        assert_eq!(name[62..], [0, 0]);
    }
}

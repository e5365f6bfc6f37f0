//! The kernel's interface to the ALSA sequencer, as far as it is used: numbers and
//! layouts of the kernel's stable header `sound/asequencer.h`, written down here so
//! that the program needs no library. The tests compare sizes and numbers with
//! what a C compiler makes of that header on x86-64.

use rustix::io::Result;
use rustix::ioctl::{Getter, Opcode, Setter, Updater, ioctl, opcode};
use std::ffi::c_void;
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
        // SAFETY: what the trait promises.
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

// SAFETY: integers only, and one raw pointer that may be null.
unsafe impl Plain for ClientInfo {}
// SAFETY: as above.
unsafe impl Plain for ClientPool {}
// SAFETY: as above.
unsafe impl Plain for PortInfo {}
// SAFETY: as above.
unsafe impl Plain for QueueInfo {}
// SAFETY: as above.
unsafe impl Plain for QueueStatus {}
// SAFETY: as above.
unsafe impl Plain for Subscription {}

const CLIENT_ID: Opcode = opcode::read::<i32>(b'S', 0x01);
const GET_CLIENT_INFO: Opcode = opcode::read_write::<ClientInfo>(b'S', 0x10);
const SET_CLIENT_INFO: Opcode = opcode::write::<ClientInfo>(b'S', 0x11);
const CREATE_PORT: Opcode = opcode::read_write::<PortInfo>(b'S', 0x20);
const SUBSCRIBE_PORT: Opcode = opcode::write::<Subscription>(b'S', 0x30);
const CREATE_QUEUE: Opcode = opcode::read_write::<QueueInfo>(b'S', 0x32);
const GET_QUEUE_STATUS: Opcode = opcode::read_write::<QueueStatus>(b'S', 0x40);
const GET_CLIENT_POOL: Opcode = opcode::read_write::<ClientPool>(b'S', 0x4b);
const SET_CLIENT_POOL: Opcode = opcode::write::<ClientPool>(b'S', 0x4c);
const QUERY_NEXT_CLIENT: Opcode = opcode::read_write::<ClientInfo>(b'S', 0x51);
const QUERY_NEXT_PORT: Opcode = opcode::read_write::<PortInfo>(b'S', 0x52);

/// The number of the client that an open sequencer is.
pub(crate) fn client_id(seq: impl AsFd) -> Result<i32> {
    // SAFETY: the call writes one int.
    unsafe { ioctl(seq, Getter::<CLIENT_ID, i32>::new()) }
}

/// What is known of the client whose number stands in `info`.
pub(crate) fn client_info(seq: impl AsFd, info: &mut ClientInfo) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_seq_client_info`.
    unsafe { ioctl(seq, Updater::<GET_CLIENT_INFO, ClientInfo>::new(info)) }
}

/// Sets name and filter of this client.
pub(crate) fn set_client_info(seq: impl AsFd, info: ClientInfo) -> Result<()> {
    // SAFETY: the call reads one `snd_seq_client_info`.
    unsafe { ioctl(seq, Setter::<SET_CLIENT_INFO, ClientInfo>::new(info)) }
}

/// How many events this client may have waiting.
pub(crate) fn client_pool(seq: impl AsFd, pool: &mut ClientPool) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_seq_client_pool`.
    unsafe { ioctl(seq, Updater::<GET_CLIENT_POOL, ClientPool>::new(pool)) }
}

/// Sets how many events this client may have waiting.
pub(crate) fn set_client_pool(seq: impl AsFd, pool: ClientPool) -> Result<()> {
    // SAFETY: the call reads one `snd_seq_client_pool`.
    unsafe { ioctl(seq, Setter::<SET_CLIENT_POOL, ClientPool>::new(pool)) }
}

/// Makes a port of this client; its address then stands in `info`.
pub(crate) fn create_port(seq: impl AsFd, info: &mut PortInfo) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_seq_port_info`; its pointer is null.
    unsafe { ioctl(seq, Updater::<CREATE_PORT, PortInfo>::new(info)) }
}

/// Connects two ports.
pub(crate) fn subscribe(seq: impl AsFd, sender: Address, dest: Address) -> Result<()> {
    let subscription = Subscription { sender, dest, ..Subscription::zeroed() };
    // SAFETY: the call reads one `snd_seq_port_subscribe`.
    unsafe { ioctl(seq, Setter::<SUBSCRIBE_PORT, Subscription>::new(subscription)) }
}

/// Makes a queue; its number then stands in `info`.
pub(crate) fn create_queue(seq: impl AsFd, info: &mut QueueInfo) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_seq_queue_info`.
    unsafe { ioctl(seq, Updater::<CREATE_QUEUE, QueueInfo>::new(info)) }
}

/// The time of the queue whose number stands in `status`.
pub(crate) fn queue_status(seq: impl AsFd, status: &mut QueueStatus) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_seq_queue_status`.
    unsafe { ioctl(seq, Updater::<GET_QUEUE_STATUS, QueueStatus>::new(status)) }
}

/// The client after the one in `info`; fails after the last.
pub(crate) fn next_client(seq: impl AsFd, info: &mut ClientInfo) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_seq_client_info`.
    unsafe { ioctl(seq, Updater::<QUERY_NEXT_CLIENT, ClientInfo>::new(info)) }
}

/// The port after the one in `info`, of the same client; fails after the last.
pub(crate) fn next_port(seq: impl AsFd, info: &mut PortInfo) -> Result<()> {
    // SAFETY: the call reads and writes one `snd_seq_port_info`; its pointer is null.
    unsafe { ioctl(seq, Updater::<QUERY_NEXT_PORT, PortInfo>::new(info)) }
}

/// A name into a fixed field, cut where it is too long, ended with a 0.
pub(crate) fn field(name: &str) -> [u8; 64] {
    let mut field = [0; 64];
    let cut = (0..=name.len().min(63)).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    field[..cut].copy_from_slice(&name.as_bytes()[..cut]);
    field
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn numbers_and_layouts_are_those_of_the_kernels_header() {
        assert_eq!(CLIENT_ID, 0x8004_5301);
        assert_eq!(GET_CLIENT_INFO, 0xc0bc_5310);
        assert_eq!(SET_CLIENT_INFO, 0x40bc_5311);
        assert_eq!(CREATE_PORT, 0xc0a8_5320);
        assert_eq!(SUBSCRIBE_PORT, 0x4050_5330);
        assert_eq!(CREATE_QUEUE, 0xc08c_5332);
        assert_eq!(GET_QUEUE_STATUS, 0xc05c_5340);
        assert_eq!(GET_CLIENT_POOL, 0xc058_534b);
        assert_eq!(SET_CLIENT_POOL, 0x4058_534c);
        assert_eq!(QUERY_NEXT_CLIENT, 0xc0bc_5351);
        assert_eq!(QUERY_NEXT_PORT, 0xc0a8_5352);
        assert_eq!(offset_of!(ClientInfo, event_filter), 0x54);
        assert_eq!(offset_of!(ClientInfo, num_ports), 0x74);
        assert_eq!(offset_of!(PortInfo, flags), 0x68);
        assert_eq!(offset_of!(QueueInfo, name), 9);
    }

    #[test]
    fn a_long_name_is_cut_between_two_letters() {
        let name = field(&"ä".repeat(40));
        assert_eq!(std::str::from_utf8(&name[..62]), Ok("ä".repeat(31).as_str()));
        assert_eq!(name[62..], [0, 0]);
    }
}

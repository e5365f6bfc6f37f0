//! [`Sequencer`]: the performer as a client of the ALSA sequencer, tied to one port of
//! another client. Its events reach the other driver within the `write` itself, while
//! a raw device of virmidi hands them to a kernel worker first; so the time between
//! the performer's write and the kernel's stamp is the driver's alone.
//!
//! The structures are those of Linux's include/uapi/sound/asequencer.h; only notes
//! are spoken.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;

const CLIENT_ID: libc::c_ulong = ior(0x01, 4);
const SET_CLIENT: libc::c_ulong = iow(0x11, 188);
const CREATE_PORT: libc::c_ulong = iowr(0x20, 168);
const NEXT_CLIENT: libc::c_ulong = iowr(0x51, 188);
const SUBSCRIBE: libc::c_ulong = iow(0x30, 80);
/// Size of `struct snd_seq_event`.
const EVENT_BYTES: usize = 28;
const NOTE_ON: u8 = 6;
const NOTE_OFF: u8 = 7;
const SENSING: u8 = 42;
/// "Now", "to all subscribers", "unknown" in the kernel's words.
const QUEUE_DIRECT: u8 = 253;
const SUBSCRIBERS: u8 = 254;

const fn ior(number: u32, size: u32) -> libc::c_ulong {
    (2 << 30 | size << 16 | (b'S' as u32) << 8 | number) as libc::c_ulong
}

const fn iow(number: u32, size: u32) -> libc::c_ulong {
    (1 << 30 | size << 16 | (b'S' as u32) << 8 | number) as libc::c_ulong
}

const fn iowr(number: u32, size: u32) -> libc::c_ulong {
    (3 << 30 | size << 16 | (b'S' as u32) << 8 | number) as libc::c_ulong
}

pub struct Sequencer {
    file: File,
    client: u8,
}

impl Sequencer {
    /// Opens a client called `performer` with one port, tied both ways to port 0 of the
    /// client `name`; to none where the name is empty.
    pub fn open(name: &str) -> Result<Sequencer, String> {
        let path = "/dev/snd/seq";
        let file = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_NONBLOCK)
            .open(path)
            .map_err(|e| format!("{path}: {e}"))?;
        let mut sequencer = Sequencer { file, client: 0 };
        let mut id = [0u8; 4];
        sequencer.call(CLIENT_ID, &mut id)?;
        sequencer.client = id[0];
        sequencer.introduce()?;
        sequencer.create_port()?;
        if !name.is_empty() {
            let other = sequencer.client_named(name)?;
            sequencer.tie((sequencer.client, 0), (other, 0))?;
            sequencer.tie((other, 0), (sequencer.client, 0))?;
        }
        Ok(sequencer)
    }

    pub fn fd(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// Sends a note to whoever is tied to the port; true where it was taken.
    pub fn send(&mut self, message: &[u8; 3]) -> bool {
        let mut event = [0u8; EVENT_BYTES];
        event[0] = if message[0] & 0xf0 == 0x90 { NOTE_ON } else { NOTE_OFF };
        event[16..19].copy_from_slice(&[message[0] & 0x0f, message[1], message[2]]);
        self.deliver(event)
    }

    /// Sends active sensing.
    pub fn sense(&mut self) {
        let mut event = [0u8; EVENT_BYTES];
        event[0] = SENSING;
        self.deliver(event);
    }

    fn deliver(&mut self, mut event: [u8; EVENT_BYTES]) -> bool {
        event[3] = QUEUE_DIRECT;
        event[12] = self.client; // source client; source port 0 stands already
        event[14] = SUBSCRIBERS;
        self.file.write(&event).is_ok_and(|sent| sent == EVENT_BYTES)
    }

    /// Hands over each note that came in; the error of the reading otherwise.
    pub fn read(&mut self, mut heard: impl FnMut([u8; 3])) -> std::io::Result<()> {
        let mut bytes = [0u8; EVENT_BYTES * 16];
        let len = self.file.read(&mut bytes)?;
        for event in bytes[..len].chunks_exact(EVENT_BYTES) {
            let status = match event[0] {
                NOTE_ON => 0x90,
                NOTE_OFF => 0x80,
                _ => continue,
            };
            heard([status | event[16], event[17], event[18]]);
        }
        Ok(())
    }

    /// `struct snd_seq_client_info`: client, type (1: a program), name[64], ...
    fn introduce(&self) -> Result<(), String> {
        let mut info = [0u8; 188];
        info[0] = self.client;
        info[4] = 1;
        info[8..17].copy_from_slice(b"performer");
        self.call(SET_CLIENT, &mut info)
    }

    /// `struct snd_seq_port_info`: address, name[64], capability, type, ...
    fn create_port(&self) -> Result<(), String> {
        let mut info = [0u8; 168];
        info[0] = self.client;
        info[2..11].copy_from_slice(b"performer");
        // Readable and writable, and by subscription: bits 0, 1, 5 and 6.
        info[68..72].copy_from_slice(&0x63u32.to_ne_bytes());
        info[72..76].copy_from_slice(&(1u32 << 1 | 1 << 20).to_ne_bytes());
        self.call(CREATE_PORT, &mut info)
    }

    /// `struct snd_seq_client_info`: client, type, name[64], ...
    fn client_named(&self, name: &str) -> Result<u8, String> {
        let mut info = [0u8; 188];
        info[..4].copy_from_slice(&(-1i32).to_ne_bytes());
        while self.call(NEXT_CLIENT, &mut info).is_ok() {
            let found = info[8..72].split(|byte| *byte == 0).next().unwrap_or_default();
            if found == name.as_bytes() {
                return Ok(info[0]);
            }
        }
        Err(format!("the sequencer has no client `{name}`; `aconnect -l` lists them"))
    }

    /// `struct snd_seq_port_subscribe`: sender, destination, ...
    fn tie(&self, from: (u8, u8), to: (u8, u8)) -> Result<(), String> {
        let mut tie = [0u8; 80];
        tie[..4].copy_from_slice(&[from.0, from.1, to.0, to.1]);
        self.call(SUBSCRIBE, &mut tie)
    }

    fn call(&self, request: libc::c_ulong, argument: &mut [u8]) -> Result<(), String> {
        // SAFETY: every caller's argument has the size that is coded in its request.
        let result = unsafe { libc::ioctl(self.fd(), request, argument.as_mut_ptr()) };
        if result < 0 {
            return Err(format!("/dev/snd/seq: {}", std::io::Error::last_os_error()));
        }
        Ok(())
    }
}

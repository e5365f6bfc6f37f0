//! [`Device`]: a raw MIDI device, a port of the sequencer or a keyboard, played with a
//! stamp beside every message; and where the answer is heard, the same device or
//! another.

use crate::clock;
use crate::keyboard::Keyboard;
use crate::sequencer::Sequencer;
use std::fmt;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;

/// What happened to a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Played,
    /// The other driver has it already.
    Delivered,
    Heard,
    /// The device did not take it.
    Lost,
    /// The device is gone.
    Closed,
}

/// One line of the record.
pub struct Event {
    direction: Direction,
    before_ns: i64,
    after_ns: i64,
    bytes: [u8; 3],
    len: usize,
}

enum Far {
    Raw(OwnedFd),
    Sequencer(Sequencer),
    /// Cannot be heard.
    Keyboard(Keyboard),
}

pub struct Device {
    played: Far,
    heard: Option<Far>,
    pub events: Vec<Event>,
    parser: Parser,
}

/// Room made beforehand, so that nothing is allocated while playing.
const EVENTS: usize = 200_000;

impl Device {
    /// Opens the device to play on, and another one to listen to, if any.
    pub fn open(played: &str, heard: Option<&str>) -> Result<Device, String> {
        Ok(Device {
            played: Far::open(played)?,
            heard: heard.map(Far::open).transpose()?,
            events: Vec::with_capacity(EVENTS),
            parser: Parser::default(),
        })
    }

    /// Waits for the first note-on; its time, or `None` at `limit_ns`.
    pub fn wait_for_note(&mut self, limit_ns: i64) -> Option<i64> {
        let mut seen = 0;
        while clock::now() < limit_ns {
            if !self.wait(limit_ns) {
                return None;
            }
            for event in &self.events[seen..] {
                if event.bytes[0] & 0xf0 == 0x90 {
                    return Some(event.before_ns);
                }
            }
            seen = self.events.len();
        }
        None
    }

    /// Listens until `until_ns`; false where the device is gone.
    pub fn listen_until(&mut self, until_ns: i64) -> bool {
        while clock::now() < until_ns {
            if !self.wait(until_ns) {
                return false;
            }
        }
        true
    }

    pub fn play(&mut self, message: &[u8; 3]) {
        let before_ns = clock::now();
        let (taken, direction) = match &mut self.played {
            Far::Sequencer(sequencer) => (sequencer.send(message), Direction::Delivered),
            Far::Keyboard(keyboard) => (keyboard.send(message), Direction::Delivered),
            Far::Raw(fd) => (write(fd, message) == 3, Direction::Played),
        };
        let direction = if taken { direction } else { Direction::Lost };
        self.note(direction, before_ns, clock::now(), *message, 3);
    }

    /// Sends active sensing, which means nothing: the first write after a long time
    /// takes longer than those after it, and is not to be a tap.
    pub fn warm_up(&mut self) {
        match &mut self.played {
            Far::Sequencer(sequencer) => sequencer.sense(),
            Far::Raw(fd) => _ = write(fd, &[0xfe]),
            Far::Keyboard(_) => {}
        }
    }

    /// Pulls the cable of a keyboard; that of a gadget is pulled by its own driver.
    pub fn pull(&mut self) {
        if let Far::Keyboard(keyboard) = &self.played {
            keyboard.pull();
        }
    }

    /// Sends every byte straight back until `until_ns`, or until the device is gone.
    pub fn echo_until(&mut self, until_ns: i64) {
        let Far::Raw(fd) = &self.played else { return };
        while clock::now() < until_ns {
            if !ready(fd.as_raw_fd(), until_ns) {
                continue;
            }
            let Ok((bytes, len)) = read(fd) else { return };
            let _ = write(fd, &bytes[..len]);
        }
    }

    /// Waits for bytes or the time, and reads what there is; false where the device is gone.
    fn wait(&mut self, until_ns: i64) -> bool {
        let fd = match self.heard.as_ref().unwrap_or(&self.played) {
            Far::Raw(fd) => fd.as_raw_fd(),
            Far::Sequencer(sequencer) => sequencer.fd(),
            Far::Keyboard(_) => -1, // which `ppoll` passes over: only the time is waited for
        };
        if !ready(fd, until_ns) {
            return true;
        }
        let at_ns = clock::now();
        let read = self.read(at_ns);
        if !read {
            self.note(Direction::Closed, at_ns, at_ns, [0; 3], 0);
        }
        read
    }

    fn read(&mut self, at_ns: i64) -> bool {
        let mut notes = [[0u8; 3]; 128];
        let mut count = 0;
        let mut heard = |message| {
            if count < notes.len() {
                notes[count] = message;
                count += 1;
            }
        };
        let result = match self.heard.as_mut().unwrap_or(&mut self.played) {
            Far::Sequencer(sequencer) => sequencer.read(heard),
            Far::Keyboard(_) => Ok(()),
            Far::Raw(fd) => read(fd).map(|(bytes, len)| {
                bytes[..len].iter().filter_map(|byte| self.parser.push(*byte)).for_each(&mut heard);
            }),
        };
        for message in &notes[..count] {
            self.note(Direction::Heard, at_ns, at_ns, *message, 3);
        }
        result.is_ok()
    }

    fn note(
        &mut self,
        direction: Direction,
        before_ns: i64,
        after_ns: i64,
        bytes: [u8; 3],
        len: usize,
    ) {
        if self.events.len() < EVENTS {
            self.events.push(Event { direction, before_ns, after_ns, bytes, len });
        }
    }
}

impl Far {
    fn open(name: &str) -> Result<Far, String> {
        Ok(match name.split_once(':') {
            Some(("seq", client)) => Far::Sequencer(Sequencer::open(client)?),
            Some(("keys", name)) => Far::Keyboard(Keyboard::plug_in(name)?),
            _ => Far::Raw(open_raw(name)?),
        })
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = match self.direction {
            Direction::Played => "played",
            Direction::Delivered => "delivered",
            Direction::Heard => "heard",
            Direction::Lost => "lost",
            Direction::Closed => "closed",
        };
        write!(f, "{direction}\t{}\t{}\t", self.before_ns, self.after_ns)?;
        let hex: Vec<String> = self.bytes[..self.len].iter().map(|b| format!("{b:02x}")).collect();
        f.write_str(if hex.is_empty() { "n/a".into() } else { hex.join(" ") }.as_str())
    }
}

/// Waits for something to read or the time; whether there is something.
fn ready(fd: RawFd, until_ns: i64) -> bool {
    let left = (until_ns - clock::now()).max(0);
    let timeout = libc::timespec { tv_sec: left / 1_000_000_000, tv_nsec: left % 1_000_000_000 };
    let mut poll = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    // SAFETY: one descriptor, a time-out that outlives the call, no signal mask.
    unsafe { libc::ppoll(&mut poll, 1, &timeout, std::ptr::null()) > 0 }
}

fn open_raw(path: &str) -> Result<OwnedFd, String> {
    let file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path)
        .map_err(|e| format!("{path}: {e}"))?;
    let fd = OwnedFd::from(file);
    let _ = read(&fd); // the first read starts the device's input
    Ok(fd)
}

fn write(fd: &OwnedFd, bytes: &[u8]) -> isize {
    // SAFETY: the buffer is as long as the call is told.
    unsafe { libc::write(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) }
}

/// What is there; an empty read where there is nothing yet.
fn read(fd: &OwnedFd) -> std::io::Result<([u8; 256], usize)> {
    let mut bytes = [0u8; 256];
    // SAFETY: the buffer is as long as the call is told.
    let len = unsafe { libc::read(fd.as_raw_fd(), bytes.as_mut_ptr().cast(), bytes.len()) };
    let error = std::io::Error::last_os_error();
    match usize::try_from(len) {
        Ok(0) => Err(std::io::ErrorKind::UnexpectedEof.into()),
        Ok(len) => Ok((bytes, len)),
        Err(_) if error.kind() == std::io::ErrorKind::WouldBlock => Ok((bytes, 0)),
        Err(_) => Err(error),
    }
}

/// Channel messages out of a byte stream, with running status; all else is passed over.
#[derive(Default)]
struct Parser {
    status: u8,
    data: [u8; 2],
    len: usize,
}

impl Parser {
    fn push(&mut self, byte: u8) -> Option<[u8; 3]> {
        match byte {
            0xf8.. => return None,
            0xf0..=0xf7 => self.status = 0,
            0x80..=0xef => (self.status, self.len) = (byte, 0),
            _ if self.status == 0 => return None,
            _ => {
                self.data[self.len] = byte;
                self.len += 1;
            }
        }
        let needed = if matches!(self.status & 0xf0, 0xc0 | 0xd0) { 1 } else { 2 };
        if self.status == 0 || self.len < needed {
            return None;
        }
        let data = self.data;
        (self.len, self.data) = (0, [0; 2]);
        Some([self.status, data[0], data[1]])
    }
}

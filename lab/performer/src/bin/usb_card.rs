//! `usb_card`: a USB sound card with a cable from its output to its input, as a program.
//! It sits at the far end of the kernel's `vhci_hcd`, which hands each transfer to whoever
//! holds the socket (the protocol of USB/IP, Documentation/usb/usbip_protocol.rst); the
//! driver above is `snd-usb-audio`, as with any card. Class 1, full speed, 48 kHz, 16 bits,
//! left and right, both ways.
//!
//! The bus has a frame every millisecond, and each isochronous packet one of them: what is
//! sent in a frame comes back exactly [`CABLE_MS`] frames later. A transfer is answered
//! when its last frame has passed. It shares no code with Chronotap.
//!
//! With `--taps` somebody taps: the cable carries the left alone, and on the right a tap follows each tone of the left
//! (`follower.rs`).

#[path = "../follower.rs"]
mod follower;

use follower::Follower;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

/// Bytes of a packet: 48 frames of sound.
const PACKET: usize = 192;
/// How long the cable is; longer than any transfer, so that what comes back was sent.
const CABLE_MS: u64 = 32;
/// Milliseconds that are kept.
const KEPT: usize = 1_024;
/// Any number but 0: the device, as the protocol names it.
const DEVICE: u32 = 0x1_0001;
const FULL_SPEED: u32 = 2;
const STALL: i32 = -libc::EPIPE;

const DESCRIPTION: [u8; 18] =
    [18, 1, 0x10, 0x01, 0, 0, 0, 64, 0x6b, 0x1d, 0x04, 0x01, 0, 1, 0, 1, 0, 1];

/// A transfer that waits for its frames.
struct Waiting {
    number: u32,
    out: bool,
    first_frame: u64,
    /// Offset and length of each packet.
    packets: Vec<(u32, u32)>,
    data: Vec<u8>,
}

struct Card {
    socket: UnixStream,
    waiting: VecDeque<Waiting>,
    /// The next free frame, of the output and of the input.
    next_frame: [u64; 2],
    cable: Vec<[u8; PACKET]>,
    /// Who taps, if somebody does.
    follower: Option<Follower>,
}

fn main() -> ExitCode {
    match attach().and_then(|socket| Card::new(socket).run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("usb_card: {error}; is vhci_hcd loaded?");
            ExitCode::from(2)
        }
    }
}

/// Plugs the card in: the kernel gets one end of a pair of sockets.
fn attach() -> std::io::Result<UnixStream> {
    let (ours, kernels) = UnixStream::pair()?;
    let plug = format!("0 {} {DEVICE} {FULL_SPEED}", kernels.as_raw_fd());
    std::fs::write("/sys/devices/platform/vhci_hcd.0/attach", plug)?;
    Ok(ours)
}

impl Card {
    fn new(socket: UnixStream) -> Card {
        Card {
            socket,
            waiting: VecDeque::new(),
            next_frame: [0; 2],
            cable: vec![[0; PACKET]; KEPT],
            follower: std::env::args().any(|word| word == "--taps").then(Follower::default),
        }
    }

    /// Until the kernel lets go of the socket.
    fn run(&mut self) -> std::io::Result<()> {
        loop {
            let due = self.waiting.iter().map(Waiting::end).min();
            if due.is_some_and(|frame| now_ns() >= frame * 1_000_000) {
                self.answer_one()?;
            } else if self.readable(due) && !self.take()? {
                return Ok(());
            }
        }
    }

    /// Waits for the socket, at most until a frame has begun.
    fn readable(&self, until_frame: Option<u64>) -> bool {
        let left = until_frame.map(|frame| (frame * 1_000_000).saturating_sub(now_ns()));
        let time = left.map(|ns| libc::timespec {
            tv_sec: (ns / 1_000_000_000) as i64,
            tv_nsec: (ns % 1_000_000_000) as i64,
        });
        let time = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let mut fd = libc::pollfd { fd: self.socket.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one pollfd, and a time that lives until the call is over, or none.
        unsafe { libc::ppoll(&mut fd, 1, time, std::ptr::null()) > 0 }
    }

    /// One request of the kernel's; false where there will be no more.
    fn take(&mut self) -> std::io::Result<bool> {
        let mut head = [0; 48];
        if self.socket.read_exact(&mut head).is_err() {
            return Ok(false);
        }
        let word =
            |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (number, out, endpoint) = (word(4), word(12) == 0, word(16));
        if word(0) == 2 {
            self.forget(number, word(20))?;
            return Ok(true);
        }
        let (length, packets) = (word(24) as usize, word(32));
        let mut data = vec![0; if out { length } else { 0 }];
        self.socket.read_exact(&mut data)?;
        if endpoint == 0 {
            self.control(number, &head[40..48])?;
        } else {
            let packets = self.packets(packets)?;
            self.schedule(number, out, packets, data);
        }
        Ok(true)
    }

    /// The list behind an isochronous request.
    fn packets(&mut self, count: u32) -> std::io::Result<Vec<(u32, u32)>> {
        let mut list = vec![0; count as usize * 16];
        self.socket.read_exact(&mut list)?;
        let word = |bytes: &[u8]| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Ok(list.chunks_exact(16).map(|one| (word(one), word(&one[4..]))).collect())
    }

    /// In the frames that follow the endpoint's last, or the next one to begin.
    fn schedule(&mut self, number: u32, out: bool, packets: Vec<(u32, u32)>, data: Vec<u8>) {
        let next = &mut self.next_frame[usize::from(!out)];
        let first_frame = (*next).max(now_ns() / 1_000_000 + 1);
        *next = first_frame + packets.len() as u64;
        self.waiting.push_back(Waiting { number, out, first_frame, packets, data });
    }

    /// The transfer whose last frame has passed, that of the output first.
    fn answer_one(&mut self) -> std::io::Result<()> {
        let order = |index: &usize| (self.waiting[*index].end(), !self.waiting[*index].out);
        let Some(index) = (0..self.waiting.len()).min_by_key(order) else { return Ok(()) };
        let Some(done) = self.waiting.remove(index) else { return Ok(()) };
        let mut back = Vec::new();
        for (frame, (offset, length)) in (done.first_frame..).zip(&done.packets) {
            if done.out {
                let sent = &done.data[*offset as usize..(*offset + *length) as usize];
                let place = &mut self.cable[frame as usize % KEPT];
                place[..sent.len().min(PACKET)].copy_from_slice(&sent[..sent.len().min(PACKET)]);
            } else {
                let place = &mut self.cable[frame.saturating_sub(CABLE_MS) as usize % KEPT];
                if let Some(follower) = &mut self.follower {
                    follower.tap_beside(place);
                }
                back.extend_from_slice(place);
                place.fill(0);
            }
        }
        let length = if done.out { done.data.len() } else { back.len() };
        let mut answer = header(3, done.number, 0, length as u32, done.packets.len() as u32);
        answer.extend(back);
        for (offset, length) in done.packets {
            let actual = if done.out { length } else { PACKET as u32 };
            [offset, length, actual, 0].iter().for_each(|word| answer.extend(word.to_be_bytes()));
        }
        self.socket.write_all(&answer)
    }

    /// A transfer that is no longer wanted.
    fn forget(&mut self, number: u32, which: u32) -> std::io::Result<()> {
        let waiting = self.waiting.iter().position(|one| one.number == which);
        let status = waiting.map_or(0, |index| {
            self.waiting.remove(index);
            -libc::ECONNRESET
        });
        self.socket.write_all(&header(4, number, status, 0, 0))
    }

    /// A request to the device itself.
    fn control(&mut self, number: u32, setup: &[u8]) -> std::io::Result<()> {
        let length = usize::from(u16::from_le_bytes([setup[6], setup[7]]));
        let answer = match (setup[0], setup[1], setup[3]) {
            (0x80, 6, 1) => Some(DESCRIPTION.to_vec()),
            (0x80, 6, 2) => Some(configuration()),
            (0x80, 6, 3) => Some(text(setup[2])),
            (0x80, 0, _) => Some(vec![0; 2]),
            (direction, ..) if direction & 0x80 == 0 => Some(Vec::new()), // whatever is set
            _ => None,
        };
        let status = if answer.is_some() { 0 } else { STALL };
        let mut data = answer.unwrap_or_default();
        data.truncate(length);
        let mut answer = header(3, number, status, data.len() as u32, 0);
        answer.extend(data);
        self.socket.write_all(&answer)
    }
}

impl Waiting {
    /// The frame after its last.
    fn end(&self) -> u64 {
        self.first_frame + self.packets.len() as u64
    }
}

/// The head of an answer.
fn header(command: u32, number: u32, status: i32, length: u32, packets: u32) -> Vec<u8> {
    let words = [command, number, 0, 0, 0, status as u32, length, 0, packets, 0, 0, 0];
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// Control, and a stream in each direction (USB Audio 1.0, section 4).
fn configuration() -> Vec<u8> {
    let control = [
        &[9, 4, 0, 0, 0, 1, 1, 0, 0][..],
        &[10, 0x24, 1, 0, 1, 52, 0, 2, 1, 2], // the streams are interfaces 1 and 2
        &[12, 0x24, 2, 1, 1, 1, 0, 2, 3, 0, 0, 0], // from the computer
        &[9, 0x24, 3, 2, 1, 3, 0, 1, 0],      // to a loudspeaker
        &[12, 0x24, 2, 3, 3, 6, 0, 2, 3, 0, 0, 0], // from a line
        &[9, 0x24, 3, 4, 1, 1, 0, 3, 0],      // to the computer
    ]
    .concat();
    let all = [control, stream(1, 1, 0x01), stream(2, 4, 0x82)].concat();
    let [low, high] = (all.len() as u16 + 9).to_le_bytes();
    [&[9, 2, low, high, 3, 1, 0, 0x80, 50][..], &all].concat()
}

/// 16 bits, left and right, 48,000 Hz, in step with the bus's frames.
fn stream(interface: u8, terminal: u8, endpoint: u8) -> Vec<u8> {
    [
        &[9, 4, interface, 0, 0, 1, 2, 0, 0][..],
        &[9, 4, interface, 1, 1, 1, 2, 0, 0],
        &[7, 0x24, 1, terminal, 1, 1, 0],
        &[11, 0x24, 2, 1, 2, 2, 16, 1, 0x80, 0xbb, 0],
        &[9, 5, endpoint, 0x0d, PACKET as u8, 0, 1, 0, 0],
        &[7, 0x25, 1, 0, 0, 0, 0],
    ]
    .concat()
}

/// Its language, or its name.
fn text(index: u8) -> Vec<u8> {
    let text = match index {
        0 => vec![0x0409],
        _ => "Lab Card".encode_utf16().collect(),
    };
    let bytes: Vec<u8> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    [&[bytes.len() as u8 + 2, 3][..], &bytes].concat()
}

fn now_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

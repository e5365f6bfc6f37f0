//! [`terminal`]: a pseudo-terminal, which to a port is like any other serial device. The test
//! holds its far end. [`Pty`] is the same, with a far end that understands MIDI.

use chronotap_core::midi::{Message, Parser};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use std::os::fd::OwnedFd;
use std::path::PathBuf;

/// A new terminal: its far end, and the path under which a port opens it. It is not changed,
/// so it begins in line mode.
pub fn terminal() -> (OwnedFd, PathBuf) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let far_end = openpt(flags).unwrap();
    grantpt(&far_end).unwrap();
    unlockpt(&far_end).unwrap();
    let path = ptsname(&far_end, Vec::new()).unwrap().into_string().unwrap();
    (far_end, path.into())
}

/// A pseudo-terminal: the program has one side as its port, the test the other.
pub struct Pty {
    master: OwnedFd,
    _slave: OwnedFd, // held, so that what was sent outlives the program
    path: PathBuf,
    parser: Parser,
    heard: Vec<Message>,
}

impl Pty {
    /// A new one, whose bytes pass unchanged.
    pub fn open() -> Pty {
        let (master, path) = terminal();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(&path, flags, Mode::empty()).unwrap();
        let mut raw = tcgetattr(&slave).unwrap();
        raw.make_raw();
        tcsetattr(&slave, OptionalActions::Now, &raw).unwrap();
        rustix::fs::fcntl_setfl(&master, OFlags::NONBLOCK).unwrap();
        Pty { master, _slave: slave, path, parser: Parser::new(), heard: Vec::new() }
    }

    /// As a port on the command line.
    pub fn port(&self) -> String {
        format!("raw:{}", self.path.display())
    }

    /// Sends bytes to the program.
    pub fn send(&self, bytes: &[u8]) {
        assert_eq!(rustix::io::write(&self.master, bytes).unwrap(), bytes.len());
    }

    /// Everything that the program has sent so far.
    pub fn heard(&mut self) -> &[Message] {
        let mut bytes = [0; 4096];
        while let Ok(len @ 1..) = rustix::io::read(&self.master, &mut bytes) {
            let messages = bytes[..len].iter().filter_map(|byte| self.parser.push(*byte));
            self.heard.extend(messages);
        }
        &self.heard
    }

    /// How many tones the program has begun.
    pub fn tones(&mut self) -> usize {
        let begins = |message: &&Message| matches!(message, Message::NoteOn { .. });
        self.heard().iter().filter(begins).count()
    }

    /// Asserts that every tone was ended.
    pub fn nothing_hangs(&mut self) {
        let mut sounding = Vec::new();
        for message in self.heard() {
            match *message {
                Message::NoteOn { channel, note, .. } => sounding.push((channel, note)),
                Message::NoteOff { channel, note, .. } | Message::NoteOnZero { channel, note } => {
                    sounding.retain(|tone| *tone != (channel, note));
                }
                _ => {}
            }
        }
        assert_eq!(sounding, [], "left hanging");
    }
}

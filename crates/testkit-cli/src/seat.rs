//! [`Seat`]: the program at a terminal, with somebody who reads and types. The terminal is a
//! pseudo-terminal without echo, so that what is heard is what the program says.

use crate::program::{Output, wait_until};
use chronotap_testkit_linux::terminal::terminal;
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

/// A program that runs at a terminal; killed where a test fails.
pub struct Seat {
    child: Child,
    far_end: Option<OwnedFd>, // until the terminal is closed
    bytes: Vec<u8>,           // what the program has said, as it came
    heard: String,            // the same as text
    read: usize,              // how far the test has read
}

impl Seat {
    /// Starts a command at a terminal of its own, whose width is not known.
    pub fn at(command: Command) -> Seat {
        Seat::at_width(command, 0)
    }

    /// The same at one of so many columns.
    pub fn at_width(mut command: Command, columns: u16) -> Seat {
        let (far_end, path) = terminal();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let near_end = rustix::fs::open(&path, flags, Mode::empty()).unwrap();
        let mut modes = tcgetattr(&near_end).unwrap();
        modes.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&near_end, OptionalActions::Now, &modes).unwrap();
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&near_end, size).unwrap();
        rustix::fs::fcntl_setfl(&far_end, OFlags::NONBLOCK).unwrap();
        let end = || Stdio::from(near_end.try_clone().unwrap());
        command.stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().unwrap();
        Seat { child, far_end: Some(far_end), bytes: Vec::new(), heard: String::new(), read: 0 }
    }

    /// Waits until the program has said this, since what was last waited for.
    pub fn says(&mut self, text: &str) {
        let mut found = None;
        wait_until(text, || {
            self.listen();
            found = self.heard[self.read..].find(text);
            let over = found.is_none() && self.has_ended();
            if over {
                self.listen();
                found = self.heard[self.read..].find(text);
                assert!(found.is_some(), "ended without saying {text:?}:\n{}", self.heard);
            }
            found.is_some()
        });
        self.read += found.unwrap() + text.len();
    }

    /// Types a line.
    pub fn types(&self, line: &str) {
        let line = format!("{line}\n");
        let far_end = self.far_end.as_ref().unwrap();
        assert_eq!(rustix::io::write(far_end, line.as_bytes()).unwrap(), line.len());
    }

    /// Closes the terminal, as when its window is closed; the program is not signalled.
    pub fn closes(&mut self) {
        self.far_end = None;
    }

    /// The number of the program's process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Presses Ctrl-C, or sends another signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Everything that the program has said.
    pub fn heard(&mut self) -> &str {
        self.listen();
        &self.heard
    }

    /// Waits for the end.
    pub fn wait(mut self) -> Output {
        wait_until("the program ends", || {
            self.listen();
            self.has_ended()
        });
        self.listen();
        let status = self.child.wait().unwrap();
        let out = self.heard.clone();
        assert!(!out.contains("panicked"), "{out}");
        Output { code: status.code(), signal: status.signal(), out, err: String::new() }
    }

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Takes in what was said. Lines end as in a file, and are not broken at the margin. A read may
    /// end within a letter of several bytes or within the end of a line: so all is made text again.
    fn listen(&mut self) {
        let Some(far_end) = &self.far_end else { return };
        let (mut bytes, known) = ([0; 4096], self.bytes.len());
        while let Ok(len @ 1..) = rustix::io::read(far_end, &mut bytes) {
            self.bytes.extend_from_slice(&bytes[..len]);
        }
        if self.bytes.len() > known {
            self.heard = String::from_utf8_lossy(&self.bytes).replace("\r\n", "\n");
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let _ = self.child.kill(); // without effect where it was waited for
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_in_pieces_is_heard_whole() {
        let line = format!("a{}", "\u{b5}".repeat(10_000)); // each letter begins at an odd byte
        let mut command = Command::new("printf");
        command.args(["%s\\n%s\\n", &line, &line]);
        assert_eq!(Seat::at(command).wait().out, format!("{line}\n{line}\n"));
    }
}

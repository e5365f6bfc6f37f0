//! [`KeysPort`]: the terminal's keyboard, a last resort for trying things. A
//! terminal tells of characters, not of keys: nothing says when a key was let go, a
//! held key repeats, and between finger and program stand the window system and the
//! terminal, tens of milliseconds that vary.
//!
//! Each character is a press, with a release 50 ms later. The terminal stays in a
//! mode in which Ctrl-C is a signal as ever. Its settings come back when the port is
//! dropped; should the program be killed first, a small shell that waits for that
//! brings them back.
//!
//! Real-time contract: the descriptor does not block; one read to a call.

mod kind;

pub(crate) use kind::KIND;
pub use kind::KeysName;

use crate::ports::outgoing::failure;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Stamp, Written};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const HOLD: Nanos = Nanos::from_millis(50);
/// Terminals repeat a held key about every 33 ms; nobody taps one key so fast.
const REPEAT: Nanos = Nanos::from_millis(60);
const VELOCITY: u8 = 64;

/// Why the terminal's keyboard could not be used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The program runs without a terminal. Start it from one, or bind a device.
    #[error("keys: there is no terminal ({0})")]
    NoTerminal(Errno),
}

/// The terminal's keyboard.
pub struct KeysPort {
    terminal: OwnedFd,
    settings: Termios,
    guardian: Option<Child>,
    input: u16,
    closed: bool,
    last: [Nanos; 128],
    counts: PortCounts,
}

impl KeysPort {
    /// Takes the program's terminal for the trial's input with this index.
    ///
    /// # Errors
    /// [`KeysError::NoTerminal`].
    pub fn open(input: u16) -> Result<KeysPort, KeysError> {
        KeysPort::open_terminal(Path::new("/dev/tty"), input)
    }

    pub(crate) fn open_terminal(path: &Path, input: u16) -> Result<KeysPort, KeysError> {
        // A description of its own: not to block must not hold for others' input.
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = open(path, flags, Mode::empty()).map_err(KeysError::NoTerminal)?;
        let settings = tcgetattr(&terminal).map_err(KeysError::NoTerminal)?;
        let guardian = guardian(path); // without one, only a killed program leaves the mode behind
        let mut by_key = settings.clone();
        by_key.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        by_key.special_codes[SpecialCodeIndex::VMIN] = 1;
        by_key.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(&terminal, OptionalActions::Now, &by_key).map_err(KeysError::NoTerminal)?;
        Ok(KeysPort {
            terminal,
            settings,
            guardian,
            input,
            closed: false,
            last: [Nanos(i64::MIN / 2); 128],
            counts: PortCounts::default(),
        })
    }

    fn read_once(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        let mut bytes = [0; 64];
        match rustix::io::read(&self.terminal, &mut bytes) {
            Ok(0) => Err(PortError::Closed),
            Ok(len) => {
                presses(&bytes[..len]).for_each(|note| self.press(note, now, arrived));
                Ok(())
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(()),
            Err(errno) => Err(failure(errno)),
        }
    }

    fn press(&mut self, byte: u8, now: Nanos, arrived: &mut dyn FnMut(Arrival)) {
        if now < Nanos::ZERO {
            self.counts.early += 1;
            return;
        }
        let last = std::mem::replace(&mut self.last[usize::from(byte & 0x7f)], now);
        if now - last < REPEAT {
            return; // the terminal repeats a held key
        }
        let (channel, note, velocity) =
            (Channel::ONE, U7::from_byte(byte & 0x7f), U7::from_byte(VELOCITY));
        let both = [
            (now, Message::NoteOn { channel, note, velocity }),
            (now + HOLD, Message::NoteOff { channel, note, velocity }),
        ];
        for (at, message) in both {
            self.counts.received += 1;
            arrived(Arrival { input: self.input, at, stamp: Stamp::UserSpace, message });
        }
    }
}

/// The keys behind the bytes of one read: an escape sequence (arrows and the like)
/// is one key, a letter beyond ASCII too.
fn presses(bytes: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let sequence = bytes.first() == Some(&0x1b) && bytes.len() > 1;
    let used = if sequence { &bytes[..1] } else { bytes };
    used.iter().copied().filter(|byte| !(0x80..0xc0).contains(byte))
}

/// A shell that brings the terminal's settings back once its input ends, which it
/// does when this program is gone, however it went.
fn guardian(path: &Path) -> Option<Child> {
    let script = "trap '' INT QUIT HUP TERM TTOU; was=$(stty -g <\"$1\") || exit; echo; \
                  read -r _; stty \"$was\" <\"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).arg(path);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    // The settings are read once it answers.
    let answered = child.stdout.take().map(|mut out| std::io::Read::read(&mut out, &mut [0]));
    if !matches!(answered, Some(Ok(1))) {
        let _ = child.wait();
        return None;
    }
    Some(child)
}

impl Port for KeysPort {
    fn start(&mut self, _origin: Nanos) {
        let _ = self.read_once(Nanos(-1), &mut |_| {});
    }

    fn readiness(&self) -> Readiness<'_> {
        if self.closed { Readiness::Never } else { Readiness::Descriptor(self.terminal.as_fd()) }
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        if self.closed {
            return Err(PortError::Closed);
        }
        let result = self.read_once(now, arrived);
        self.closed = result == Err(PortError::Closed);
        result
    }

    fn write(&mut self, _action: &Action, _now: Nanos) -> Result<Written, PortError> {
        self.counts.lost += 1;
        Err(PortError::Closed) // it was opened as an input only
    }

    fn counts(&self) -> PortCounts {
        self.counts
    }
}

impl Drop for KeysPort {
    fn drop(&mut self) {
        // A terminal that is gone needs no settings.
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.settings);
        if let Some(mut guardian) = self.guardian.take() {
            // It must not set them again later, when somebody else has the terminal.
            let _ = guardian.kill();
            let _ = guardian.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_testkit_linux::terminal::terminal;

    #[test]
    fn a_key_is_a_tap_of_50_ms_and_its_repeats_are_none() {
        let (master, path) = terminal();
        let before = tcgetattr(&master).unwrap();
        let mut port = KeysPort::open_terminal(&path, 1).unwrap();
        assert!(!tcgetattr(&master).unwrap().local_modes.contains(LocalModes::ICANON));
        assert!(tcgetattr(&master).unwrap().local_modes.contains(LocalModes::ISIG));
        port.start(Nanos::ZERO);
        let mut all = Vec::new();
        for (bytes, ms) in
            [(&b" "[..], 100), (b" ", 133), (b" ", 166), (b"\x1b[A", 200), (b" ", 300)]
        {
            rustix::io::write(&master, bytes).unwrap();
            port.read(Nanos::from_millis(ms), &mut |a| all.push(a)).unwrap();
        }
        let times: Vec<i64> = all.iter().map(|a| a.at.0 / 1_000_000).collect();
        assert_eq!(times, [100, 150, 200, 250, 300, 350]);
        assert!(all.iter().all(|a| a.input == 1 && a.stamp == Stamp::UserSpace));
        drop(port);
        assert_eq!(tcgetattr(&master).unwrap().local_modes, before.local_modes);
    }

    #[test]
    fn the_guardian_brings_the_settings_back_when_the_program_is_gone() {
        let (master, path) = terminal();
        let before = tcgetattr(&master).unwrap().local_modes;
        let mut port = KeysPort::open_terminal(&path, 0).unwrap();
        let mut guardian = port.guardian.take().unwrap();
        assert_ne!(tcgetattr(&master).unwrap().local_modes, before);
        drop(guardian.stdin.take()); // as when this process were killed
        guardian.wait().unwrap();
        assert_eq!(tcgetattr(&master).unwrap().local_modes, before);
    }
}

//! [`Keyboard`]: a keyboard or response box that the kernel believes in, made through
//! /dev/uinput. A held key repeats as every keyboard's does: that is the kernel's
//! doing. The kernel stamps a press within the `write` that reports it.
//!
//! Numbers and structures are those of Linux's include/uapi/linux/uinput.h and
//! input.h, for 64-bit systems.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;

const CREATE: libc::c_ulong = io(1, 0, 0);
const DESTROY: libc::c_ulong = io(2, 0, 0);
/// Takes a `struct uinput_setup`: four 16-bit numbers, name[80], a 32-bit number.
const SETUP: libc::c_ulong = io(3, 1, SETUP_BYTES as u32);
const ADD_TYPE: libc::c_ulong = io(100, 1, 4);
const ADD_KEY: libc::c_ulong = io(101, 1, 4);
const SETUP_BYTES: usize = 92;
/// Types of events.
const SYNC: u16 = 0;
const KEY: u16 = 1;
const REPEAT: libc::c_ulong = 0x14;
/// Code of the first button of a response box; keys are below.
const FIRST_BUTTON: u16 = 0x100;

const fn io(number: u32, direction: u32, size: u32) -> libc::c_ulong {
    (direction << 30 | size << 16 | (b'U' as u32) << 8 | number) as libc::c_ulong
}

pub struct Keyboard {
    file: File,
}

impl Keyboard {
    /// Plugs in a keyboard of that name, with keys 1 to 110 and 16 buttons.
    pub fn plug_in(name: &str) -> Result<Keyboard, String> {
        let path = "/dev/uinput";
        let file = File::options().write(true).open(path).map_err(|e| format!("{path}: {e}"))?;
        let keyboard = Keyboard { file };
        keyboard.number(ADD_TYPE, KEY.into())?;
        keyboard.number(ADD_TYPE, REPEAT)?;
        for code in (1..=110).chain(FIRST_BUTTON..FIRST_BUTTON + 16) {
            keyboard.number(ADD_KEY, code.into())?;
        }
        let mut setup = [0u8; SETUP_BYTES];
        setup[..2].copy_from_slice(&3u16.to_ne_bytes()); // on USB
        let name = &name.as_bytes()[..name.len().min(79)];
        setup[8..8 + name.len()].copy_from_slice(name);
        // SAFETY: the call reads as many bytes as SETUP says and `setup` has.
        keyboard
            .answered(unsafe { libc::ioctl(keyboard.file.as_raw_fd(), SETUP, setup.as_ptr()) })?;
        keyboard.number(CREATE, 0)?;
        Ok(keyboard)
    }

    /// Presses or releases the key that plays this note by Chronotap's own table: on
    /// channel 1 the key of that code, on channel 2 the button of that number. True
    /// where the kernel took it.
    pub fn send(&mut self, message: &[u8; 3]) -> bool {
        let first = if message[0] & 0x0f == 0 { 0 } else { FIRST_BUTTON };
        let press = message[0] & 0xf0 == 0x90;
        let mut report = [0u8; 48];
        report[16..18].copy_from_slice(&KEY.to_ne_bytes());
        report[18..20].copy_from_slice(&(first + u16::from(message[1])).to_ne_bytes());
        report[20..24].copy_from_slice(&i32::from(press).to_ne_bytes());
        report[40..42].copy_from_slice(&SYNC.to_ne_bytes());
        self.file.write(&report).is_ok_and(|sent| sent == report.len())
    }

    /// Pulls its cable.
    pub fn pull(&self) {
        let _ = self.number(DESTROY, 0);
    }

    fn number(&self, request: libc::c_ulong, argument: libc::c_ulong) -> Result<(), String> {
        // SAFETY: these calls take their argument by value.
        self.answered(unsafe { libc::ioctl(self.file.as_raw_fd(), request, argument) })
    }

    fn answered(&self, result: libc::c_int) -> Result<(), String> {
        if result < 0 {
            return Err(format!("/dev/uinput: {}", std::io::Error::last_os_error()));
        }
        Ok(())
    }
}

//! [`EvdevPort`]: a computer keyboard or response box as an input. A key is a tap,
//! stamped by the kernel when the driver reported it; the stamps have whole
//! microseconds. What the device itself takes from the finger to the report (its
//! scan, its debounce, its USB polling) no stamp shows.
//!
//! Real-time contract: the descriptor does not block; fixed buffers inside the
//! port; at most [`READS`] reads to a call, and one ioctl after a loss.

use super::abi::{self, EVENT_BYTES};
use super::decode::{Decoded, Decoder};
use super::devices::devices;
use super::hold::Hold;
use super::name::{EvdevName, EvdevNameError, Kept};
use crate::clocks::MonotonicClock;
use crate::ports::Permission;
use crate::ports::outgoing::failure;
use crate::ports::stream::READS;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Arrival, Description, KeptKeys, Port, PortCounts, PortError, Readiness, Stamp, Written,
};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

/// Why a keyboard or response box could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum EvdevError {
    /// The name means no device, or several.
    #[error(transparent)]
    Name(#[from] EvdevNameError),
    /// The user may not open it.
    #[error("evdev:{name}: permission denied for {}", path.display())]
    Denied {
        name: EvdevName,
        /// Its node.
        path: PathBuf,
        /// Who may.
        permission: Permission,
    },
    /// Another program keeps the device to itself.
    #[error("evdev:{name} is held by another program")]
    Busy {
        name: EvdevName,
        /// Its node.
        path: PathBuf,
    },
    /// The device is there and not usable, as when it was unplugged this moment.
    #[error("evdev:{name}: {call}: {errno}")]
    System {
        name: EvdevName,
        /// The call that failed.
        call: &'static str,
        /// What the system answered.
        errno: Errno,
    },
}

/// A keyboard or response box, opened.
pub struct EvdevPort {
    device: OwnedFd,
    input: u16,
    stamped: bool,                 // by the kernel, on CLOCK_MONOTONIC
    clock: Option<MonotonicClock>, // once the trial has started
    closed: bool,
    decoder: Decoder,
    hold: Option<Hold>, // where it is kept from other programs while a trial runs
    name: String,
    bytes: [u8; READ_BYTES],
    counts: PortCounts,
}

const READ_BYTES: usize = 64 * EVENT_BYTES; // as many events as the kernel keeps

impl EvdevPort {
    /// Opens the device of that name for the trial's input with this index.
    ///
    /// # Errors
    /// Says what is present or who may open it; see [`EvdevError`].
    pub fn open(name: &EvdevName, input: u16) -> Result<EvdevPort, EvdevError> {
        let path = name.find(&devices())?;
        let failed = |call| move |errno| EvdevError::System { name: name.clone(), call, errno };
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let device =
            open(&path, flags, Mode::empty()).map_err(|errno| refusal(name, &path, errno))?;
        let stamped = abi::use_monotonic_clock(&device).is_ok();
        let down = abi::keys_down(&device).map_err(failed("asking which keys are down"))?;
        let hold = match name.grab {
            Kept::Never => Ok(None),
            Kept::Always => abi::grab(device.as_fd(), true).map(|()| None),
            Kept::ForTrials => Hold::tried(abi::grab, device.as_fd()).map(Some),
        };
        let hold = hold.map_err(|errno| refusal(name, &path, errno))?;
        let mut decoder = Decoder::new(name.keys.clone());
        decoder.catch_up(&down, &mut |_| {}); // what is held already is no tap
        Ok(EvdevPort {
            stamped,
            hold,
            name: name.device.clone(),
            ..EvdevPort::of(device, input, decoder)
        })
    }

    fn of(device: OwnedFd, input: u16, decoder: Decoder) -> EvdevPort {
        EvdevPort {
            device,
            input,
            stamped: true,
            clock: None,
            closed: false,
            decoder,
            hold: None,
            name: String::new(),
            bytes: [0; READ_BYTES],
            counts: PortCounts::default(),
        }
    }

    fn settle(&mut self) {
        if let Some(hold) = &mut self.hold {
            hold.settle(self.device.as_fd(), self.decoder.a_key_is_down());
        }
    }

    fn read_all(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        for _ in 0..READS {
            match rustix::io::read(&self.device, &mut self.bytes) {
                Ok(0) => return Err(PortError::Closed),
                Ok(len) => {
                    self.take(len, now, arrived);
                    if len < READ_BYTES {
                        break;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(errno) => return Err(failure(errno)),
            }
        }
        Ok(())
    }

    fn take(&mut self, len: usize, now: Nanos, arrived: &mut dyn FnMut(Arrival)) {
        let EvdevPort { device, input, stamped, clock, decoder, bytes, counts, .. } = self;
        let mut hand_over = |at: Nanos, stamp: Stamp, message| {
            if at < Nanos::ZERO {
                counts.early += 1;
                return;
            }
            counts.received += 1;
            arrived(Arrival { input: *input, at, stamp, message });
        };
        decoder.decode(&bytes[..len], &mut |decoder, decoded| match decoded {
            Decoded::Key(at, message) => match clock.filter(|_| *stamped) {
                Some(clock) => hand_over(clock.from_raw(at), Stamp::Kernel, message),
                None => hand_over(now, Stamp::UserSpace, message),
            },
            Decoded::Lost => {
                // When these keys moved is lost: they get the time of finding out.
                let Ok(down) = abi::keys_down(&*device) else { return };
                decoder.catch_up(&down, &mut |message| hand_over(now, Stamp::UserSpace, message));
            }
        });
    }
}

impl Port for EvdevPort {
    fn start(&mut self, origin: Nanos) {
        // What was pressed until now is early; a device that is gone says so later.
        let _ = self.read_all(Nanos(-1), &mut |_| {});
        self.clock = Some(MonotonicClock::since(origin));
    }

    fn readiness(&self) -> Readiness<'_> {
        if self.closed { Readiness::Never } else { Readiness::Descriptor(self.device.as_fd()) }
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        if self.closed {
            return Err(PortError::Closed);
        }
        let result = self.read_all(now, arrived);
        self.settle(); // a key that was down may be up now
        self.closed = result == Err(PortError::Closed);
        result
    }

    fn write(&mut self, _action: &Action, _now: Nanos) -> Result<Written, PortError> {
        self.counts.lost += 1;
        Err(PortError::Closed) // it was opened as an input only
    }

    fn describe(&self) -> Description {
        let keyboard = self.hold.is_some().then(|| self.name.clone());
        Description { keyboard, ..Description::default() }
    }

    fn counts(&self) -> PortCounts {
        PortCounts { overruns: self.decoder.overruns, ..self.counts }
    }

    fn keys(&mut self) -> Option<&mut dyn KeptKeys> {
        Some(self)
    }
}

impl KeptKeys for EvdevPort {
    fn keep_keys(&mut self, keep: bool) {
        let Some(hold) = &mut self.hold else { return };
        hold.want(keep);
        self.decoder.way_out.forget();
        self.settle();
    }

    fn asks_to_end(&self) -> bool {
        self.hold.is_some() && self.decoder.way_out.is_asked()
    }
}

fn refusal(name: &EvdevName, path: &std::path::Path, errno: Errno) -> EvdevError {
    let (name, path) = (name.clone(), path.to_path_buf());
    match errno {
        Errno::ACCESS | Errno::PERM => {
            EvdevError::Denied { permission: Permission::of(&path), name, path }
        }
        Errno::BUSY => EvdevError::Busy { name, path },
        errno => EvdevError::System { name, call: "open", errno },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::evdev::keys::Keys;
    use std::cell::RefCell;
    use std::os::fd::BorrowedFd;

    thread_local! {
        static GRABBED: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) };
    }

    fn grab(_: BorrowedFd<'_>, keep: bool) -> rustix::io::Result<()> {
        GRABBED.with_borrow_mut(|all| all.push(keep));
        Ok(())
    }

    fn grabbed() -> Vec<bool> {
        GRABBED.take()
    }

    /// A keyboard that is a pipe: what is written to it are the kernel's events.
    fn keyboard() -> (EvdevPort, impl Fn(i64, u16, i32)) {
        let (device, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::NONBLOCK).unwrap();
        let hold = Hold::tried(grab, device.as_fd()).unwrap();
        let decoder = Decoder::new(Keys::default());
        let port = EvdevPort { hold: Some(hold), ..EvdevPort::of(device, 0, decoder) };
        let press = move |ms: i64, code: u16, value: i32| {
            let mut bytes = (ms / 1_000).to_ne_bytes().to_vec();
            bytes.extend((ms % 1_000 * 1_000).to_ne_bytes());
            bytes.extend(1u16.to_ne_bytes());
            bytes.extend(code.to_ne_bytes());
            bytes.extend(value.to_ne_bytes());
            rustix::io::write(&writer, &bytes).unwrap();
        };
        (port, press)
    }

    fn taps(port: &mut EvdevPort) -> usize {
        let mut taps = 0;
        port.read(Nanos::from_secs(1), &mut |_| taps += 1).unwrap();
        taps
    }

    #[test]
    fn the_keyboard_is_taken_for_each_trial_and_let_go_after_it() {
        let (mut port, _press) = keyboard();
        assert_eq!(grabbed(), [true, false], "it was tried, and is free");
        for _ in 0..2 {
            port.start(Nanos::ZERO);
            port.keep_keys(true);
            assert_eq!(grabbed(), [true]);
            port.keep_keys(false);
            assert_eq!(grabbed(), [false]);
        }
    }

    #[test]
    fn a_key_that_is_down_when_a_trial_begins_is_let_go_before_the_keyboard_is_taken() {
        let (mut port, press) = keyboard();
        grabbed();
        press(10, 28, 1);
        port.start(Nanos::ZERO);
        port.keep_keys(true);
        assert!(grabbed().is_empty(), "other programs are to hear that it is let go");
        press(20, 28, 0);
        taps(&mut port);
        assert_eq!(grabbed(), [true]);
        press(30, 57, 1);
        port.keep_keys(false);
        assert_eq!((taps(&mut port), grabbed()), (1, vec![false]));
    }

    #[test]
    fn escape_asks_for_the_end_of_the_trial_in_which_it_is_held_and_of_no_other() {
        let (mut port, press) = keyboard();
        port.start(Nanos::ZERO);
        port.keep_keys(true);
        [(100, 1), (350, 2), (1_000, 2)].iter().for_each(|(ms, value)| press(*ms, 1, *value));
        taps(&mut port);
        assert!(!port.asks_to_end());
        press(2_100, 1, 2);
        assert_eq!((taps(&mut port), port.asks_to_end()), (0, true), "repeats are no taps");
        port.keep_keys(false);
        port.keep_keys(true);
        press(2_200, 1, 2);
        taps(&mut port);
        assert!(!port.asks_to_end());
    }
}

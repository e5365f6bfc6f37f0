//! [`AlsaPort`]: an ALSA raw MIDI port. What it adds to a plain byte stream is the
//! kernel's time stamp: the driver's time of handing the bytes over, so that it
//! does not matter when the program wakes up to read them.
//!
//! Real-time contract: that of its [`ByteStream`]; frames are taken apart in place.

use super::abi::{self, RawmidiParams, RawmidiStatus};
use super::cards::midi_ports;
use super::frames::{FRAME_BYTES, frames};
use super::holder::{MidiHolder, holder};
use super::midi_port::MidiPort;
use super::name::{AlsaName, AlsaNameError};
use crate::clocks::MonotonicClock;
use crate::ports::Permission;
use crate::ports::incoming::{Incoming, Origin};
use crate::ports::stream::{ByteStream, Directions};
use chronotap_core::time::{Clock, Nanos};
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Stamp, Written};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use std::cell::Cell;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Why an ALSA port could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum AlsaError {
    /// The name means no port, or several.
    #[error(transparent)]
    Name(#[from] AlsaNameError),
    /// The port has no such direction. Bind another one.
    #[error("alsa:{name} has no {missing}")]
    Direction {
        name: AlsaName,
        /// `input` or `output`.
        missing: &'static str,
    },
    /// The user may not open it. Join the group that may.
    #[error("alsa:{name}: permission denied for {}", path.display())]
    Denied {
        name: AlsaName,
        /// Its device.
        path: PathBuf,
        /// Who may.
        permission: Permission,
    },
    /// Another program has it. Close that program.
    #[error("alsa:{name} is in use by {holder}")]
    Busy {
        name: AlsaName,
        /// Who has it, and what to do.
        holder: MidiHolder,
    },
    /// The device is there and not usable, as when it was unplugged this moment.
    #[error("alsa:{name}: {call}: {errno}")]
    System {
        name: AlsaName,
        /// The call that failed.
        call: &'static str,
        /// What the system answered.
        errno: Errno,
    },
}

/// An ALSA raw MIDI port, opened.
pub struct AlsaPort {
    stream: ByteStream<READ_BYTES>,
    framed: bool,
    clock: MonotonicClock, // the kernel's own until the trial starts
    overruns: Cell<u64>,   // the kernel forgets its count when it is asked
}

/// 64 frames, or as many bytes as come without frames.
const READ_BYTES: usize = 64 * FRAME_BYTES;
/// The kernel's buffer for input: 2,048 frames, two thirds of a second of a MIDI
/// cable in full flow even where every byte has a frame of its own.
const BUFFER_BYTES: usize = 2_048 * FRAME_BYTES;
/// The kernel's buffer for output, as its drivers have it: longer would only hide
/// that a device is too slow.
const OUTPUT_BUFFER_BYTES: usize = 4_096;

impl AlsaPort {
    /// Opens the port of that name: as an input where `input` gives the index of the
    /// trial's input, as an output where `output` is set, or as both.
    ///
    /// # Errors
    /// Says what is present, who may open it or who holds it; see [`AlsaError`].
    pub fn open(name: &AlsaName, input: Option<u16>, output: bool) -> Result<AlsaPort, AlsaError> {
        let present = midi_ports();
        let port = name.find(&present)?;
        let device = open_device(name, port, input.is_some(), output)?;
        let failed = |call| move |errno| AlsaError::System { name: name.clone(), call, errno };
        if let Some(output) = &device.output {
            prepare_output(output).map_err(failed("setting up output"))?;
        }
        let mut framed = false;
        if let Some(input) = &device.input {
            framed = frame_input(input).map_err(failed("asking for time stamps"))?;
            listen(input).map_err(failed("read"))?;
        }
        Ok(AlsaPort::over(device, input, framed))
    }

    /// Whether the kernel stamps what comes in; otherwise the program does.
    pub fn has_kernel_stamps(&self) -> bool {
        self.framed
    }

    fn over(device: Directions, input: Option<u16>, framed: bool) -> AlsaPort {
        let stream = ByteStream::new(device, input);
        AlsaPort {
            stream,
            framed,
            clock: MonotonicClock::since(Nanos::ZERO),
            overruns: Cell::new(0),
        }
    }
}

impl Port for AlsaPort {
    fn start(&mut self, origin: Nanos) {
        self.clock = MonotonicClock::since(origin);
        self.stream.start();
        if !self.framed {
            // Nothing of before the start bears a stamp. A device that is gone already
            // says so at the first read.
            let from = Origin::before_start(0);
            let _ = self.stream.read(&mut |incoming, read| incoming.parse(read, from, &mut |_| {}));
        }
    }

    fn readiness(&self) -> Readiness<'_> {
        self.stream.readiness()
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        let from = self.stream.origin(now);
        let (framed, clock) = (self.framed, self.clock);
        self.stream.read(&mut |incoming, read| {
            if framed {
                take_frames(incoming, read, clock, from, arrived);
            } else {
                incoming.parse(read, from, arrived);
            }
        })
    }

    fn write(&mut self, action: &Action, _now: Nanos) -> Result<Written, PortError> {
        self.stream.write(action)
    }

    fn counts(&self) -> PortCounts {
        self.stream.wait(self.clock.now());
        if let Some(input) = self.stream.input() {
            let mut status = RawmidiStatus::asking(abi::INPUT);
            if abi::status(input, &mut status).is_ok() {
                self.overruns.set(self.overruns.get() + status.xruns as u64);
            }
        }
        PortCounts { overruns: self.overruns.get(), ..self.stream.counts() }
    }
}

/// The messages in the kernel's frames, each with the stamp of its frame.
fn take_frames(
    incoming: &mut Incoming,
    read: &[u8],
    clock: MonotonicClock,
    from: Origin,
    arrived: &mut dyn FnMut(Arrival),
) {
    for frame in frames(read) {
        let at = clock.from_raw(frame.at);
        incoming.parse(frame.bytes, Origin { at, stamp: Stamp::Kernel, ..from }, arrived);
    }
}

/// Opens the very port that is meant, and no other of its device.
fn open_device(
    name: &AlsaName,
    port: &MidiPort,
    input: bool,
    output: bool,
) -> Result<Directions, AlsaError> {
    let missing = |missing| AlsaError::Direction { name: name.clone(), missing };
    if input && !port.input {
        return Err(missing("input"));
    }
    if output && !port.output {
        return Err(missing("output"));
    }
    let (control, path) = (port.control_path(), port.path());
    let refused = |path| move |errno| refusal(name, port, path, errno);
    let card = open(&control, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
        .map_err(refused(control))?;
    let number = i32::try_from(port.place.port).unwrap_or(0);
    abi::prefer_subdevice(&card, number).map_err(refused(path.clone()))?;
    let open_for = |direction| open_direction(&path, direction).map_err(refused(path.clone()));
    let input = input.then(|| open_for(OFlags::RDONLY)).transpose()?;
    let output = output.then(|| open_for(OFlags::WRONLY)).transpose()?;
    Ok(Directions { input, output })
}

/// Without O_APPEND the port is this program's alone: no other's bytes come between.
fn open_direction(path: &Path, direction: OFlags) -> rustix::io::Result<OwnedFd> {
    open(path, direction | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())
}

/// The driver begins to listen at the first read.
fn listen(device: &OwnedFd) -> rustix::io::Result<()> {
    match rustix::io::read(device, &mut [0; FRAME_BYTES]) {
        Ok(_) | Err(Errno::AGAIN | Errno::INTR) => Ok(()),
        Err(errno) => Err(errno),
    }
}

fn refusal(name: &AlsaName, port: &MidiPort, path: PathBuf, errno: Errno) -> AlsaError {
    let name = name.clone();
    match errno {
        Errno::ACCESS | Errno::PERM => {
            AlsaError::Denied { permission: Permission::of(&path), name, path }
        }
        Errno::BUSY | Errno::AGAIN => AlsaError::Busy { name, holder: holder(port) },
        errno => AlsaError::System { name, call: "open", errno },
    }
}

/// Asks for frames with stamps; `false` where this kernel has none.
fn frame_input(device: &OwnedFd) -> rustix::io::Result<bool> {
    let framed = abi::protocol(device)? >= abi::PROTOCOL_WITH_STAMPS;
    if framed {
        abi::tell_protocol(device, abi::PROTOCOL_WITH_STAMPS)?;
    }
    let mode = if framed { abi::MODE_MONOTONIC_FRAMES } else { 0 };
    abi::set_params(device, &mut params(abi::INPUT, BUFFER_BYTES, mode))?;
    Ok(framed)
}

/// Keeps the kernel from adding a byte of active sensing when the port is closed.
fn prepare_output(device: &OwnedFd) -> rustix::io::Result<()> {
    abi::set_params(device, &mut params(abi::OUTPUT, OUTPUT_BUFFER_BYTES, 0))
}

fn params(stream: i32, buffer_size: usize, mode: u32) -> RawmidiParams {
    let (avail_min, no_active_sensing, reserved) = (1, 1, [0; 12]);
    RawmidiParams { stream, buffer_size, avail_min, no_active_sensing, mode, reserved }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;
    use chronotap_core::midi::{Channel, Message, U7};
    use rustix::pipe::{PipeFlags, pipe_with};

    /// A port that reads frames from a pipe in place of a device.
    fn piped() -> (AlsaPort, OwnedFd) {
        let (read, write) = pipe_with(PipeFlags::NONBLOCK | PipeFlags::CLOEXEC).unwrap();
        let device = Directions { input: Some(read), output: None };
        (AlsaPort::over(device, Some(3), true), write)
    }

    fn frame(at: i64, data: &[u8]) -> [u8; FRAME_BYTES] {
        let mut bytes = [0; FRAME_BYTES];
        bytes[1] = u8::try_from(data.len()).unwrap();
        bytes[4..8].copy_from_slice(&((at % 1_000_000_000) as u32).to_ne_bytes());
        bytes[8..16].copy_from_slice(&((at / 1_000_000_000) as u64).to_ne_bytes());
        bytes[16..16 + data.len()].copy_from_slice(data);
        bytes
    }

    fn note(note: u8) -> Message {
        let (note, velocity) = (U7::from_byte(note), U7::from_byte(90));
        Message::NoteOn { channel: Channel::ONE, note, velocity }
    }

    #[test]
    fn the_kernels_stamp_is_told_in_trial_time_and_what_came_before_is_dropped() {
        let (mut port, far) = piped();
        port.start(Nanos::from_secs(100));
        for (at, key) in [(99_999_999_999, 60), (100_000_000_000, 61), (100_250_000_000, 62)] {
            rustix::io::write(&far, &frame(at, &[0x90, key, 90])).unwrap();
        }
        let mut arrived = Vec::new();
        port.read(Nanos::from_secs(1), &mut |arrival| arrived.push(arrival)).unwrap();
        let arrival = |at, key| Arrival { input: 3, at, stamp: Stamp::Kernel, message: note(key) };
        assert_eq!(arrived, [arrival(Nanos::ZERO, 61), arrival(Nanos::from_millis(250), 62)]);
        assert_eq!((port.counts().received, port.counts().early), (2, 1));
    }

    #[test]
    fn a_message_cut_in_two_has_the_stamp_of_its_last_byte() {
        let (mut port, far) = piped();
        port.start(Nanos::ZERO);
        rustix::io::write(&far, &frame(5, &[0x90, 60])).unwrap();
        rustix::io::write(&far, &frame(9, &[90, 0xf8])).unwrap();
        let mut arrived = Vec::new();
        port.read(Nanos(20), &mut |arrival| arrived.push(arrival)).unwrap();
        assert_eq!(
            arrived.iter().map(|a| (a.at, a.message)).collect::<Vec<_>>(),
            [(Nanos(9), note(60))]
        );
        assert_eq!(port.counts().realtime_bytes, 1);
    }

    #[test]
    fn a_device_that_is_gone_is_told_after_its_last_message_and_once_for_all() {
        let (mut port, far) = piped();
        port.start(Nanos::ZERO);
        rustix::io::write(&far, &frame(5, &[0x90, 60, 90])).unwrap();
        drop(far);
        let mut arrived = 0;
        assert_eq!(port.read(Nanos(9), &mut |_| arrived += 1), Ok(()));
        assert_eq!(port.read(Nanos(9), &mut |_| arrived += 1), Err(PortError::Closed));
        assert_eq!(arrived, 1);
        assert!(matches!(port.readiness(), Readiness::Never));
    }

    #[test]
    fn reading_frames_never_allocates() {
        let (mut port, far) = piped();
        port.start(Nanos::ZERO);
        let mut arrived = 0u32;
        assert_no_alloc(|| {
            for n in 0..200 {
                rustix::io::write(&far, &frame(n, &[0x90, 60, 90, 61, 90])).unwrap();
                port.read(Nanos(n), &mut |_| arrived += 1).unwrap();
            }
        });
        assert_eq!(arrived, 400);
    }
}

//! [`EdgePort`]: pulses that come in on a control line of a serial port: a scanner's volume, a heart beat,
//! the clock of another recorder. A rising edge is a tap, the falling one its release.
//!
//! Background: the kernel tells of a changed control line only whoever waits in a call that blocks.
//! Solution: a thread waits, stamps, and hands over by a queue; the trial's thread is woken.
//! Why it works: the thread has a higher priority than the trial, so that nothing of the trial delays
//! the stamp; and the kernel counts the edges, so that a pulse which is over before anybody looked is
//! still a tap.
//!
//! Real-time contract: the trial's thread reads one descriptor and a wait-free queue; the waiting
//! thread makes three system calls to a pulse and the write that wakes the trial.

use super::error::{LineCall, LineError};
use super::name::{Control, LineName};
use crate::clocks::{MonotonicClock, sleep_until};
use crate::realtime::{Request, ask};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Stamp, Written};
use rtrb::{Consumer, Producer, RingBuffer};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::os::unix::thread::JoinHandleExt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread::JoinHandle;

/// Edges that wait for the trial.
const QUEUE: usize = 1_024;
/// Most edges that one look can have missed and are told all the same.
const AT_ONCE: u32 = 64;

/// How long a driver may take to let go of a thread that waits in it.
const PATIENCE: Nanos = Nanos::from_secs(1);

/// A control line, listened to.
pub struct EdgePort {
    input: u16,
    edges: Consumer<Edge>,
    wake: Arc<OwnedFd>,
    watcher: Watcher,
    clock: Option<MonotonicClock>, // once the trial has started
    closed: bool,
    counts: PortCounts,
}

/// The line changed.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// When the thread woke for it, raw CLOCK_MONOTONIC.
    at: Nanos,
    high: bool,
}

impl EdgePort {
    /// Opens the device and waits for its line to change.
    ///
    /// # Errors
    /// [`LineError`].
    pub fn open(name: &LineName, input: u16) -> Result<EdgePort, LineError> {
        let failed = |call| move |errno| LineError::system(name, call, errno);
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let device =
            rustix::fs::open(&name.path, flags, Mode::empty()).map_err(failed(LineCall::Open))?;
        let line = Line { device, control: name.control, inverted: name.inverted };
        let state = line.state().map_err(failed(LineCall::Watch))?;
        let wake = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC);
        let wake = Arc::new(wake.map_err(failed(LineCall::Watch))?);
        let (told, edges) = RingBuffer::new(QUEUE);
        let watcher = Watcher::start(line, state, told, Arc::clone(&wake));
        let watcher = watcher.map_err(failed(LineCall::Watch))?;
        let (clock, closed, counts) = (None, false, PortCounts::default());
        Ok(EdgePort { input, edges, wake, watcher, clock, closed, counts })
    }

    fn take(&mut self, arrived: &mut dyn FnMut(Arrival)) {
        while let Ok(edge) = self.edges.pop() {
            let at = self.clock.map_or(Nanos(-1), |clock| clock.from_raw(edge.at));
            if at < Nanos::ZERO {
                self.counts.early += 1;
                continue;
            }
            self.counts.received += 1;
            let (input, stamp, message) = (self.input, Stamp::UserSpace, message(edge.high));
            arrived(Arrival { input, at, stamp, message });
        }
    }
}

/// A tap, or its release.
fn message(high: bool) -> Message {
    let (channel, note) = (Channel::ONE, U7::from_byte(60));
    match high {
        true => Message::NoteOn { channel, note, velocity: U7::from_byte(127) },
        false => Message::NoteOff { channel, note, velocity: U7::from_byte(0) },
    }
}

impl Port for EdgePort {
    fn start(&mut self, origin: Nanos) {
        self.take(&mut |_| {}); // early
        self.clock = Some(MonotonicClock::since(origin));
    }

    fn readiness(&self) -> Readiness<'_> {
        if self.closed { Readiness::Never } else { Readiness::Descriptor(self.wake.as_fd()) }
    }

    fn read(&mut self, _now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        let _ = rustix::io::read(&*self.wake, &mut [0; 8]); // nothing waits where others read it before
        let gone = self.watcher.shared.gone.load(Acquire);
        self.take(arrived);
        self.closed = gone; // what it brought before is taken by now
        if gone { Err(PortError::Closed) } else { Ok(()) }
    }

    fn write(&mut self, _action: &Action, _now: Nanos) -> Result<Written, PortError> {
        self.counts.lost += 1;
        Err(PortError::Closed) // it was opened as an input only
    }

    fn counts(&self) -> PortCounts {
        let lost = self.watcher.shared.lost.load(Acquire);
        PortCounts { overruns: u64::from(lost), ..self.counts }
    }
}

/// The thread that waits in the kernel, until it is dropped.
struct Watcher {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What both threads know.
#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    gone: AtomicBool,
    lost: AtomicBool, // edges found the queue full
}

impl Watcher {
    fn start(
        line: Line,
        state: State,
        told: Producer<Edge>,
        wake: Arc<OwnedFd>,
    ) -> Result<Watcher, Errno> {
        interruptible()?;
        let shared = Arc::new(Shared::default());
        let mut watch = Watch { line, state, told, wake, shared: Arc::clone(&shared) };
        let body = move || {
            let above_the_trial = Some(85);
            let request = Request::trial();
            let _rights =
                ask(&Request { fifo_priority: above_the_trial, lock_memory: false, ..request });
            watch.until_stopped();
        };
        let thread = std::thread::Builder::new().name("pulses".into()).spawn(body);
        let thread =
            thread.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::AGAIN))?;
        Ok(Watcher { shared, thread: Some(thread) })
    }
}

impl Drop for Watcher {
    /// Interrupts the thread in its call. It may be about to enter it, so that it is told again.
    fn drop(&mut self) {
        self.shared.stop.store(true, Release);
        let Some(thread) = self.thread.take() else { return };
        let end = MonotonicClock::raw() + PATIENCE;
        while !thread.is_finished() {
            if MonotonicClock::raw() > end {
                return; // a driver that does not let go keeps the thread, not the program
            }
            // SAFETY: the thread is not joined yet, so that its handle is valid.
            unsafe { libc::pthread_kill(thread.as_pthread_t(), libc::SIGURG) };
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(1));
        }
        let _ = thread.join();
    }
}

/// Lets SIGURG, which else is ignored, interrupt a call and do nothing else.
fn interruptible() -> Result<(), Errno> {
    extern "C" fn nothing(_: libc::c_int) {}
    // SAFETY: the handler does nothing, so that it may run at any moment; without SA_RESTART the call that
    // it interrupts returns. A zeroed sigaction is a valid one.
    let answer = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = nothing as extern "C" fn(libc::c_int) as libc::sighandler_t;
        libc::sigaction(libc::SIGURG, &raw const action, std::ptr::null_mut())
    };
    result(answer)
}

/// What the thread holds.
struct Watch {
    line: Line,
    state: State,
    told: Producer<Edge>,
    wake: Arc<OwnedFd>,
    shared: Arc<Shared>,
}

impl Watch {
    fn until_stopped(&mut self) {
        while !self.shared.stop.load(Acquire) {
            match self.line.wait() {
                Err(Errno::INTR) => continue,
                Ok(()) if self.look().is_ok() => {}
                _ => {
                    self.shared.gone.store(true, Release);
                    self.wake_trial();
                    return;
                }
            }
        }
    }

    fn look(&mut self) -> Result<(), Errno> {
        let at = MonotonicClock::raw();
        let now = self.line.state()?;
        for high in self.state.edges(now) {
            if self.told.push(Edge { at, high }).is_err() {
                self.shared.lost.store(true, Release);
            }
        }
        self.state = now;
        self.wake_trial();
        Ok(())
    }

    fn wake_trial(&self) {
        // An eventfd takes one count; it cannot be full.
        let _ = rustix::io::write(&*self.wake, &1_u64.to_ne_bytes());
    }
}

/// How a line stands, and how often the kernel saw it change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    high: bool,
    changes: u32,
}

impl State {
    /// The edges that lead from here to `now`, each by how the line stood after it. As many as the
    /// kernel counted; at least one where the line stands otherwise.
    fn edges(self, now: State) -> impl Iterator<Item = bool> {
        let counted = now.changes.wrapping_sub(self.changes);
        let counted = counted.max(u32::from(now.high != self.high)).min(AT_ONCE);
        (0..counted).rev().map(move |left| now.high ^ (left % 2 == 1))
    }
}

/// The open device.
struct Line {
    device: OwnedFd,
    control: Control,
    inverted: bool,
}

impl Line {
    /// Waits until the line changes. Blocks.
    fn wait(&self) -> Result<(), Errno> {
        // SAFETY: TIOCMIWAIT takes a number, no pointer.
        result(unsafe {
            libc::ioctl(self.device.as_raw_fd(), TIOCMIWAIT, libc::c_ulong::from(self.mask()))
        })
    }

    fn state(&self) -> Result<State, Errno> {
        let (mut lines, mut counters): (libc::c_int, Counters) = (0, Counters::default());
        // SAFETY: TIOCMGET writes one int, which lives for the call.
        result(unsafe { libc::ioctl(self.device.as_raw_fd(), libc::TIOCMGET, &raw mut lines) })?;
        // SAFETY: TIOCGICOUNT writes a serial_icounter_struct, which lives for the call.
        result(unsafe { libc::ioctl(self.device.as_raw_fd(), TIOCGICOUNT, &raw mut counters) })?;
        let changes = match self.control {
            Control::Dcd => counters.dcd,
            Control::Cts => counters.cts,
            Control::Dsr => counters.dsr,
        };
        let high = (lines.cast_unsigned() & self.mask() != 0) ^ self.inverted;
        Ok(State { high, changes: changes.cast_unsigned() })
    }

    fn mask(&self) -> u32 {
        let mask = match self.control {
            Control::Dcd => libc::TIOCM_CAR,
            Control::Cts => libc::TIOCM_CTS,
            Control::Dsr => libc::TIOCM_DSR,
        };
        mask.cast_unsigned()
    }
}

// asm-generic/ioctls.h
const TIOCMIWAIT: libc::c_ulong = 0x545c;
const TIOCGICOUNT: libc::c_ulong = 0x545d;

/// `struct serial_icounter_struct` of linux/serial.h.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    cts: libc::c_int,
    dsr: libc::c_int,
    rng: libc::c_int,
    dcd: libc::c_int,
    others: [libc::c_int; 16],
}

fn result(answer: libc::c_int) -> Result<(), Errno> {
    if answer < 0 {
        let errno = std::io::Error::last_os_error().raw_os_error();
        return Err(errno.map_or(Errno::IO, Errno::from_raw_os_error));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::LineKind;
    use super::*;

    #[test]
    fn every_edge_that_the_kernel_counted_is_told_and_the_last_is_how_the_line_stands() {
        let state = |high, changes| State { high, changes };
        let edges = |from: State, to| from.edges(to).collect::<Vec<_>>();
        assert_eq!(edges(state(false, 4), state(true, 5)), [true]);
        assert_eq!(edges(state(true, 5), state(false, 6)), [false]);
        // A pulse that was over before anybody looked.
        assert_eq!(edges(state(false, 6), state(false, 8)), [true, false]);
        assert_eq!(edges(state(false, u32::MAX), state(true, 2)), [true, false, true]);
        // A driver that does not count, and one that woke for nothing.
        assert_eq!(edges(state(false, 0), state(true, 0)), [true]);
        assert_eq!(edges(state(true, 9), state(true, 9)), [false; 0]);
    }

    #[test]
    fn what_has_no_control_lines_is_refused() {
        let name = LineName::parse(LineKind::Ttl, "/dev/null").unwrap();
        let refused = EdgePort::open(&name, 0).err().unwrap();
        assert!(matches!(refused, LineError::AnotherKind { .. }), "{refused}");
        let name = LineName::parse(LineKind::Ttl, "/dev/none").unwrap();
        assert!(matches!(EdgePort::open(&name, 0), Err(LineError::Missing { .. })));
    }

    #[test]
    fn a_thread_that_waits_for_a_pulse_ends_with_its_port() {
        // A pipe has no control lines: whoever waits there in place of the device blocks as well.
        interruptible().unwrap();
        let (reader, _writer) = rustix::pipe::pipe().unwrap();
        let thread = std::thread::spawn(move || {
            let _ = rustix::io::read(&reader, &mut [0; 1]);
        });
        drop(Watcher { shared: Arc::default(), thread: Some(thread) });
    }
}

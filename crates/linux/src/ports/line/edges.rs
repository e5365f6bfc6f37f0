//! [`EdgePort`]: pulses that come in: a scanner's volume, a heart beat, the clock of another recorder. A rising
//! edge is a tap, the falling one its release.
//!
//! Background: the kernel tells of a pulse only whoever waits in a call that blocks.
//! Solution: a thread waits, and hands over by a queue; the trial's thread is woken. Where the pulse comes from is a
//! [`Pulses`]: a control line of a serial port ([`super::control`]), which the thread stamps when it wakes, or a device of
//! the kernel's PPS ([`super::pps`]), which the kernel has stamped.
//! Why it works: the thread has a higher priority than the trial, so that nothing of the trial delays
//! the stamp; and the kernel counts the edges, so that a pulse which is over before anybody looked is
//! still a tap, or is told as lost.
//!
//! Real-time contract: the trial's thread reads one descriptor and a wait-free queue; the waiting
//! thread makes at most four system calls to a pulse and the write that wakes the trial.

use super::control::ControlLine;
use super::error::{LineCall, LineError};
use super::name::{LineKind, LineName};
use super::pps::PulseDevice;
use super::pulses::{Edge, Pulses, result};
use crate::clocks::{MonotonicClock, sleep_until};
use crate::realtime::{Request, ask};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Written};
use rtrb::{Consumer, Producer, RingBuffer};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use std::os::unix::thread::JoinHandleExt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread::JoinHandle;

/// Edges that wait for the trial.
const QUEUE: usize = 1_024;

/// How long a driver may take to let go of a thread that waits in it.
const PATIENCE: Nanos = Nanos::from_secs(1);

/// A line on which pulses come in, listened to.
pub struct EdgePort {
    input: u16,
    edges: Consumer<Edge>,
    wake: Arc<OwnedFd>,
    watcher: Watcher,
    clock: Option<MonotonicClock>, // once the trial has started
    closed: bool,
    counts: PortCounts,
}

impl EdgePort {
    /// Opens the device and waits for its line to change.
    ///
    /// # Errors
    /// [`LineError`].
    pub fn open(name: &LineName, input: u16) -> Result<EdgePort, LineError> {
        let port = match name.kind {
            LineKind::Pps => EdgePort::over(PulseDevice::open(name)?, input),
            _ => EdgePort::over(ControlLine::open(name)?, input),
        };
        port.map_err(|errno| LineError::system(name, LineCall::Watch, errno))
    }

    /// Waits for these pulses in a thread of their own.
    pub(crate) fn over(pulses: impl Pulses, input: u16) -> Result<EdgePort, Errno> {
        let wake = Arc::new(eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?);
        let (told, edges) = RingBuffer::new(QUEUE);
        let watcher = Watcher::start(pulses, (told, Arc::clone(&wake)))?;
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
            let (input, stamp, message) = (self.input, edge.stamp, message(edge.high));
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
    lost: AtomicBool, // edges found the queue full, or the kernel kept fewer than came
}

impl Watcher {
    fn start(
        pulses: impl Pulses,
        (told, wake): (Producer<Edge>, Arc<OwnedFd>),
    ) -> Result<Watcher, Errno> {
        interruptible()?;
        let shared = Arc::new(Shared::default());
        let mut watch = Watch { pulses, told, wake, shared: Arc::clone(&shared) };
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
struct Watch<P> {
    pulses: P,
    told: Producer<Edge>,
    wake: Arc<OwnedFd>,
    shared: Arc<Shared>,
}

impl<P: Pulses> Watch<P> {
    fn until_stopped(&mut self) {
        while !self.shared.stop.load(Acquire) {
            match self.wait() {
                Ok(()) | Err(Errno::INTR) => {}
                Err(_) => {
                    self.shared.gone.store(true, Release);
                    self.wake_trial();
                    return;
                }
            }
        }
    }

    /// The trial is woken where there is something to be told, and is left alone else.
    fn wait(&mut self) -> Result<(), Errno> {
        let (mut fits, mut any) = (true, false);
        let told = &mut self.told;
        let all = self.pulses.wait(&mut |edge| {
            any = true;
            fits &= told.push(edge).is_ok();
        })?;
        let lost = !(all && fits);
        if lost {
            self.shared.lost.store(true, Release);
        }
        if any || lost {
            self.wake_trial();
        }
        Ok(())
    }

    fn wake_trial(&self) {
        // An eventfd takes one count; it cannot be full.
        let _ = rustix::io::write(&*self.wake, &1_u64.to_ne_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::signal::Stamp;

    #[test]
    fn what_has_no_control_lines_is_refused() {
        let name = LineName::parse(LineKind::Ttl, "/dev/null").unwrap();
        let refused = EdgePort::open(&name, 0).err().unwrap();
        assert!(matches!(refused, LineError::AnotherKind { .. }), "{refused}");
        let name = LineName::parse(LineKind::Ttl, "/dev/none").unwrap();
        assert!(matches!(EdgePort::open(&name, 0), Err(LineError::Missing { .. })));
    }

    /// Looks that find nothing, then one edge, then nothing again, and a device that is gone.
    struct Played(std::vec::IntoIter<Result<Option<bool>, Errno>>);

    impl Pulses for Played {
        fn wait(&mut self, told: &mut dyn FnMut(Edge)) -> Result<bool, Errno> {
            let edge = self.0.next().unwrap_or(Err(Errno::NODEV))?;
            edge.into_iter().for_each(|high| {
                told(Edge { at: Nanos::ZERO, stamp: Stamp::Kernel, high });
            });
            Ok(true)
        }
    }

    #[test]
    fn the_trial_is_woken_by_pulses_and_where_the_device_is_gone_and_by_nothing_else() {
        let wakes = |looks: Vec<Result<Option<bool>, Errno>>| {
            let wake = Arc::new(eventfd(0, EventfdFlags::NONBLOCK).unwrap());
            let (told, mut edges) = RingBuffer::new(8);
            let shared = Arc::<Shared>::default();
            let pulses = Played(looks.into_iter());
            Watch { pulses, told, wake: Arc::clone(&wake), shared }.until_stopped();
            let mut count = [0; 8];
            rustix::io::read(&*wake, &mut count).unwrap();
            let highs: Vec<bool> =
                std::iter::from_fn(|| edges.pop().ok()).map(|e| e.high).collect();
            (u64::from_ne_bytes(count), highs)
        };
        let gone = 1;
        assert_eq!(wakes(vec![Ok(None), Err(Errno::INTR), Ok(None)]), (gone, vec![]));
        let one = vec![Ok(None), Ok(Some(true)), Ok(None), Ok(Some(false))];
        assert_eq!(wakes(one), (2 + gone, vec![true, false]));
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

//! [`Outlet`]: standard output and standard error while Ctrl-C is taken over, that is in a command that
//! runs trials. Whoever reads them may be slow or stuck (a pager, a pipe that nobody empties, a
//! terminal that was stopped by Ctrl-S): that must neither keep a trial from its files nor the
//! program from its end.
//!
//! What is not taken within a second waits in memory, and a thread of its own hands it over as it is
//! taken. At the end of the program it is waited for, without limit; once the program was asked
//! to end, only as long as something is still taken now and then. What is lost then is said, and the program
//! fails. In all other commands a write blocks as long as it likes, and Ctrl-C ends them at once.

use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_linux::realtime::Interrupt;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::termios::isatty;
use std::io::Write;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long a reader is waited for, and how long one may take nothing once the program is to end.
const PATIENCE: Nanos = Nanos::from_secs(1);
/// How often it is looked whether the program is asked to end.
const LOOK: Nanos = Nanos::from_millis(50);
/// Most bytes that wait. What comes when so much waits is lost.
const MOST: usize = 4 << 20;
/// A pipe or socket that can be written to takes so many bytes without blocking.
const AT_ONCE: usize = 4_096;

/// Standard output.
pub static OUTPUT: Outlet = Outlet::new();
/// Standard error.
pub static ERROR: Outlet = Outlet::new();

/// Where something is shown.
pub struct Outlet(Mutex<Waiting>);

/// What was not taken yet.
struct Waiting {
    bytes: Vec<u8>,
    lost: usize,
    at: Option<Nanos>, // when something was last taken, where a thread hands it over
}

impl Outlet {
    const fn new() -> Outlet {
        Outlet(Mutex::new(Waiting { bytes: Vec::new(), lost: 0, at: None }))
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes it, or keeps what the reader does not take in time.
    pub fn put(&'static self, mut to: impl Write + AsFd, bytes: &[u8]) {
        if !Interrupt::is_installed() {
            let _ = to.write_all(bytes).and_then(|()| to.flush()); // a reader that is gone is no error
            return;
        }
        let mut waiting = self.waiting();
        if waiting.at.is_some() {
            return waiting.keep(bytes);
        }
        let Ok(reader) = Reader::of(&to) else { return };
        let rest = reader.give(bytes, MonotonicClock::raw() + PATIENCE);
        if !rest.is_empty() {
            waiting.keep(rest);
            waiting.at = Some(MonotonicClock::raw());
            drop(waiting);
            self.hand_over(reader);
        }
    }

    /// Lets a thread of ordinary priority wait for the reader.
    fn hand_over(&'static self, reader: Reader) {
        let thread = std::thread::Builder::new().name("outlet".into());
        if thread.spawn(move || while self.hand_over_some(&reader) {}).is_err() {
            let mut waiting = self.waiting();
            waiting.lost += std::mem::take(&mut waiting.bytes).len();
            waiting.at = None;
        }
    }

    /// Whether there is more.
    fn hand_over_some(&self, reader: &Reader) -> bool {
        reader.wait(LOOK);
        let mut waiting = self.waiting();
        let all = std::mem::take(&mut waiting.bytes);
        let rest = reader.give(&all, MonotonicClock::raw());
        let some = rest.len() < all.len();
        waiting.bytes = rest.to_vec();
        waiting.at = match waiting.bytes.is_empty() {
            true => None,
            false if some => Some(MonotonicClock::raw()),
            false => waiting.at,
        };
        waiting.at.is_some()
    }

    /// At the end of the program: waits for the reader. How many bytes are lost.
    pub fn finish(&self) -> usize {
        loop {
            let waiting = self.waiting();
            let Some(taken) = waiting.at else { return waiting.lost };
            let asked = Interrupt::without_signals().is_ok_and(|interrupt| interrupt.requested());
            if asked && MonotonicClock::raw() - taken > PATIENCE {
                return waiting.lost + waiting.bytes.len();
            }
            drop(waiting);
            sleep_until(MonotonicClock::raw() + LOOK);
        }
    }
}

impl Waiting {
    fn keep(&mut self, bytes: &[u8]) {
        if self.bytes.len() + bytes.len() > MOST {
            self.lost += bytes.len();
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }
}

/// Whoever reads, by a descriptor that can be written to without waiting.
struct Reader {
    to: OwnedFd,
    polled: bool, // a pipe or socket, or what never blocks
}

impl Reader {
    /// A terminal is opened anew: it may say that it can be written to and then take a part. Where that
    /// is refused, a write to it blocks.
    fn of(to: &impl AsFd) -> rustix::io::Result<Reader> {
        if isatty(to) {
            let name = format!("/proc/self/fd/{}", to.as_fd().as_raw_fd());
            let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
            if let Ok(to) = open(name, flags, Mode::empty()) {
                return Ok(Reader { to, polled: false });
            }
        }
        Ok(Reader { to: to.as_fd().try_clone_to_owned().map_err(|_| Errno::MFILE)?, polled: true })
    }

    /// Gives what is taken until then; the rest. Whoever is gone takes all.
    fn give<'b>(&self, mut bytes: &'b [u8], until: Nanos) -> &'b [u8] {
        while !bytes.is_empty() {
            let part = &bytes[..bytes.len().min(AT_ONCE)];
            let ready = !self.polled || self.wait(Nanos::ZERO);
            match if ready { rustix::io::write(&self.to, part) } else { Err(Errno::AGAIN) } {
                Ok(taken) => bytes = &bytes[taken..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) if MonotonicClock::raw() >= until => return bytes,
                Err(Errno::AGAIN) => _ = self.wait(LOOK),
                Err(_) => return &[],
            }
        }
        bytes
    }

    /// Waits until it takes something, or for so long; whether it does.
    fn wait(&self, time: Nanos) -> bool {
        let mut polled = [PollFd::new(&self.to, PollFlags::OUT)];
        let time = Timespec { tv_sec: 0, tv_nsec: time.0 };
        poll(&mut polled, Some(&time)).is_ok_and(|ready| ready > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Read;

    #[test]
    fn what_a_full_pipe_does_not_take_waits_and_comes_in_order_once_it_is_read() {
        static OUTLET: Outlet = Outlet::new();
        let _taken_over = Interrupt::install().unwrap();
        let (mut from, to) = std::io::pipe().unwrap();
        let lines: Vec<u8> = (0..40_000_u32).flat_map(u32::to_le_bytes).collect(); // 160 kB
        let began = MonotonicClock::raw();
        let to = File::from(OwnedFd::from(to));
        lines.chunks(50_000).for_each(|part| OUTLET.put(&to, part));
        drop(to);
        assert!(MonotonicClock::raw() - began < Nanos::from_secs(3), "it waited once");
        let reader = std::thread::spawn(move || {
            let mut all = vec![0; 160_000];
            from.read_exact(&mut all).map(|()| all)
        });
        assert_eq!(OUTLET.finish(), 0);
        assert_eq!(reader.join().unwrap().unwrap(), lines);
    }
}

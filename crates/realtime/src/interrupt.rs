//! Ctrl-C and its kin: SIGINT, SIGTERM and SIGHUP ask the trial to end, once.
//!
//! A handler may do next to nothing, so it sets a flag and writes to an eventfd,
//! which wakes a `ppoll`. The handler is used up by its first signal: a second
//! Ctrl-C has the default action and ends the program at once, should the clean
//! end hang.

use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static EVENT: AtomicI32 = AtomicI32::new(-1); // made once, never closed
static INSTALLING: Mutex<()> = Mutex::new(());

/// The means to learn of an interruption; a copy is as good.
#[derive(Clone, Copy, Debug)]
pub struct Interrupt {
    event: BorrowedFd<'static>,
}

impl Interrupt {
    /// Takes over SIGINT, SIGTERM and SIGHUP (each until its first arrival). SIGXFSZ
    /// is ignored from now on: a limit on the size of files then refuses a write,
    /// as a full disk does, instead of killing a trial whose notes sound.
    ///
    /// # Errors
    /// Where the system is out of descriptors.
    pub fn install() -> io::Result<Interrupt> {
        let interrupt = Interrupt::without_signals()?;
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            handle(signal, on_signal as extern "C" fn(libc::c_int) as usize)?;
        }
        handle(libc::SIGXFSZ, libc::SIG_IGN)?;
        Ok(interrupt)
    }

    /// The same without signals: only [`Interrupt::request`] sets it.
    ///
    /// # Errors
    /// Where the system is out of descriptors.
    pub fn without_signals() -> io::Result<Interrupt> {
        let _one_at_a_time = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if EVENT.load(Ordering::Acquire) < 0 {
            let event = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
            EVENT.store(event.into_raw_fd(), Ordering::Release);
        }
        // SAFETY: the descriptor was made above or earlier and is never closed.
        let event = unsafe { BorrowedFd::borrow_raw(EVENT.load(Ordering::Acquire)) };
        Ok(Interrupt { event })
    }

    /// Whether the trial is asked to end. One atomic load.
    pub fn requested(&self) -> bool {
        REQUESTED.load(Ordering::Acquire)
    }

    /// The signal that asked, if one did.
    pub fn signal(&self) -> Option<i32> {
        Some(SIGNAL.load(Ordering::Acquire)).filter(|signal| *signal != 0)
    }

    /// Readable from the moment of the request on; for `ppoll`.
    pub fn descriptor(&self) -> BorrowedFd<'static> {
        self.event
    }

    /// Asks the trial to end, as a signal would.
    pub fn request(&self) {
        notify(self.event.as_raw_fd());
    }

    /// Forgets a request and takes the signals over again, for the next trial.
    ///
    /// # Errors
    /// Where the system refuses a handler.
    pub fn rearm(&self) -> io::Result<()> {
        let mut count = [0u8; 8];
        let _ = rustix::io::read(self.event, &mut count); // EAGAIN where nothing was asked
        SIGNAL.store(0, Ordering::Release);
        REQUESTED.store(false, Ordering::Release);
        let handler = on_signal as extern "C" fn(libc::c_int) as usize;
        let mut signals = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP].into_iter();
        signals.try_for_each(|signal| handle(signal, handler))
    }
}

/// Async-signal-safe: two atomic stores and a write; errno is kept.
extern "C" fn on_signal(signal: libc::c_int) {
    // SAFETY: __errno_location gives this thread's errno, valid for its life.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above; reading an int.
    let kept = unsafe { *errno };
    SIGNAL.store(signal, Ordering::Release);
    notify(EVENT.load(Ordering::Acquire));
    // SAFETY: as above; writing an int.
    unsafe { *errno = kept };
}

fn notify(event: i32) {
    REQUESTED.store(true, Ordering::Release);
    let one = 1u64.to_ne_bytes();
    // SAFETY: writes eight bytes of a live buffer; a bad descriptor is only an error.
    unsafe { libc::write(event, one.as_ptr().cast(), one.len()) };
}

/// `handler` is [`on_signal`] or `SIG_IGN`.
fn handle(signal: i32, handler: usize) -> io::Result<()> {
    // SAFETY: an all-zero sigaction is valid (no flags, empty mask); the handler is
    // async-signal-safe and the structure outlives the call. An ignored signal has
    // no handler to reset.
    let done = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = if handler == libc::SIG_IGN { 0 } else { libc::SA_RESETHAND };
        libc::sigaction(signal, &raw const action, std::ptr::null_mut())
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::time::Timespec;

    fn readable(interrupt: Interrupt) -> bool {
        let mut fds = [PollFd::from_borrowed_fd(interrupt.descriptor(), PollFlags::IN)];
        poll(&mut fds, Some(&Timespec::default())).unwrap() == 1
    }

    #[test]
    fn a_signal_sets_the_flag_wakes_a_poll_and_leaves_the_second_to_the_system() {
        let interrupt = Interrupt::install().unwrap();
        assert!(!interrupt.requested() && !readable(interrupt));
        // SAFETY: raises a signal that is handled.
        unsafe { libc::raise(libc::SIGTERM) };
        assert!(interrupt.requested() && readable(interrupt));
        assert_eq!(interrupt.signal(), Some(libc::SIGTERM));
        // SAFETY: reads the present action into a local.
        let action = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            libc::sigaction(libc::SIGTERM, std::ptr::null(), &raw mut action);
            action.sa_sigaction
        };
        assert_eq!(action, libc::SIG_DFL);
        interrupt.rearm().unwrap();
        assert!(!interrupt.requested() && !readable(interrupt));
    }
}

//! Ctrl-C and its kin: SIGINT, SIGTERM, SIGHUP and all else that would end the program ask
//! the trial to end, once.
//!
//! A handler may do next to nothing, so the first signal sets a flag and writes to an
//! eventfd, which wakes a `ppoll`. The second writes what a third would cost, a text that
//! was made ready before; the third has the default action and ends the program at once,
//! should the clean end hang. Signals may come together: then the third writes the text
//! where the second has not.

use crate::realtime::last_words::{self, LAST_WORDS};
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

/// A request that a trial ends.
#[derive(Debug)]
struct EndRequest {
    /// What asked for the end ([`WHO`]: a signal's number, [`ASKED`], or [`NOBODY`]), how many signals
    /// came since, and whether the last words were written ([`SAID`]). One word, so that all is set and
    /// forgotten together.
    word: AtomicU32,
    event: AtomicI32, // made once, never closed
}

/// That of signals.
static REQUEST: EndRequest = EndRequest { word: AtomicU32::new(NOBODY), event: AtomicI32::new(-1) };
const WHO: u32 = 0xff;
const NOBODY: u32 = 0;
/// The program itself asked.
const ASKED: u32 = WHO;
const SAID: u32 = 0x100;
/// One signal; above it there is nothing else.
const SIGNAL: u32 = 0x200;

static INSTALLED: AtomicBool = AtomicBool::new(false);
static INSTALLING: Mutex<()> = Mutex::new(());

/// Whatever a user or a system sends to end a program, and what ends one by default.
const TAKEN_OVER: [libc::c_int; 7] = [
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGALRM,
];

/// The means to learn of an interruption; a copy is as good.
#[derive(Clone, Copy, Debug)]
pub struct Interrupt {
    request: &'static EndRequest,
    event: BorrowedFd<'static>,
}

impl Interrupt {
    /// Takes over SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 and SIGALRM: each would
    /// end the program with its notes sounding. SIGXFSZ is ignored from now on: a limit on
    /// the size of files then refuses a write, as a full disk does, instead of killing a
    /// trial.
    ///
    /// # Errors
    /// Where the system is out of descriptors.
    pub fn install() -> io::Result<Interrupt> {
        let interrupt = Interrupt::without_signals()?;
        for signal in TAKEN_OVER {
            handle(signal, on_signal as extern "C" fn(libc::c_int) as usize, 0)?;
        }
        INSTALLED.store(true, Ordering::Release);
        handle(libc::SIGXFSZ, libc::SIG_IGN, 0)?;
        Ok(interrupt)
    }

    /// Whether signals are taken over in this process: none ends it by itself any more.
    pub fn is_installed() -> bool {
        INSTALLED.load(Ordering::Acquire)
    }

    /// The same without signals: only [`Interrupt::request`] sets it.
    ///
    /// # Errors
    /// Where the system is out of descriptors.
    pub fn without_signals() -> io::Result<Interrupt> {
        Interrupt::of(&REQUEST)
    }

    /// One of its own: neither signals nor requests by another one set it. For a process in which several
    /// trials run at once. It stays for as long as the process lives.
    ///
    /// # Errors
    /// Where the system is out of descriptors.
    pub fn apart() -> io::Result<Interrupt> {
        let (word, event) = (AtomicU32::new(NOBODY), AtomicI32::new(-1));
        Interrupt::of(Box::leak(Box::new(EndRequest { word, event })))
    }

    fn of(request: &'static EndRequest) -> io::Result<Interrupt> {
        let _one_at_a_time = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if request.event.load(Ordering::Acquire) < 0 {
            let event = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
            request.event.store(event.into_raw_fd(), Ordering::Release);
        }
        // SAFETY: the descriptor was made above or earlier and is never closed.
        let event = unsafe { BorrowedFd::borrow_raw(request.event.load(Ordering::Acquire)) };
        Ok(Interrupt { request, event })
    }

    /// Whether the trial is asked to end. One atomic load.
    pub fn requested(&self) -> bool {
        self.request.word.load(Ordering::Acquire) & WHO != NOBODY
    }

    /// The signal that asked, if one did.
    pub fn signal(&self) -> Option<i32> {
        let who = self.request.word.load(Ordering::Acquire) & WHO;
        (who != NOBODY && who != ASKED).then_some(who as i32)
    }

    /// Readable from the moment of the request on; for `ppoll`.
    pub fn descriptor(&self) -> BorrowedFd<'static> {
        self.event
    }

    /// Asks the trial to end, as a signal would.
    pub fn request(&self) {
        self.request.ask(ASKED, 0);
        notify(self.event.as_raw_fd());
    }

    /// What the second signal is to say on standard error: what a third would cost. At most
    /// [`crate::realtime::LONGEST_LAST_WORDS`] bytes are kept.
    pub fn warn_with(&self, text: &str) {
        LAST_WORDS.set(text);
    }

    /// Forgets a request, for the next trial. One that comes meanwhile counts for that one.
    pub fn rearm(&self) {
        self.forget(|| ());
    }

    /// Forgets a request. What is called `meanwhile` stands, in a test, for a signal that
    /// comes between the two steps.
    fn forget(&self, meanwhile: impl FnOnce()) {
        self.request.word.store(NOBODY, Ordering::Release);
        meanwhile();
        let mut count = [0u8; 8];
        let _ = rustix::io::read(self.event, &mut count); // EAGAIN where nothing was asked
        // A request since the first step was perhaps written before the read: it is
        // written again, so that flag and descriptor always say the same in the end.
        if self.requested() {
            notify(self.event.as_raw_fd());
        }
    }
}

impl EndRequest {
    /// Notes a request; how many signals there were since the last one was forgotten. Signals that come
    /// together are handled by several threads at once: who asked and how many stand in one number, so
    /// that none is lost.
    fn ask(&self, who: u32, signals: u32) -> u32 {
        let noted =
            |now: u32| Some(if now & WHO == NOBODY { who + signals } else { now + signals });
        let before = self.word.fetch_update(Ordering::AcqRel, Ordering::Acquire, noted);
        let before = before.unwrap_or(NOBODY);
        if before & WHO == NOBODY { 0 } else { before / SIGNAL }
    }
}

/// Async-signal-safe: some atomic operations, and the system calls `write`, `sigaction` and
/// `raise`; errno is kept.
extern "C" fn on_signal(signal: libc::c_int) {
    // SAFETY: __errno_location gives this thread's errno, valid for its life.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above; reading an int.
    let kept = unsafe { *errno };
    match REQUEST.ask(signal as u32, SIGNAL) {
        0 => notify(REQUEST.event.load(Ordering::Acquire)),
        1 => say_last_words(),
        _ => {
            say_last_words();
            let _ = handle(signal, libc::SIG_DFL, 0);
            // SAFETY: raises a signal, which is held back until this handler has returned.
            unsafe { libc::raise(signal) };
        }
    }
    // SAFETY: as above; writing an int.
    unsafe { *errno = kept };
}

/// Once for each request. The third signal may be here before the second has said anything, and says it
/// then.
fn say_last_words() {
    if REQUEST.word.load(Ordering::Acquire) & SAID == 0 {
        LAST_WORDS.write_to(libc::STDERR_FILENO);
        REQUEST.word.fetch_or(SAID, Ordering::AcqRel);
    }
}

fn notify(event: i32) {
    last_words::write(event, &1u64.to_ne_bytes());
}

/// `handler` is `SIG_DFL`, `SIG_IGN`, or a function of this crate that a signal may call.
pub(crate) fn handle(signal: i32, handler: usize, flags: i32) -> io::Result<()> {
    // SAFETY: an all-zero sigaction is valid (no flags, empty mask); the handler is
    // async-signal-safe and the structure outlives the call.
    let done = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = flags;
        libc::sigaction(signal, &raw const action, std::ptr::null_mut())
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::time::Timespec;
    use std::sync::Barrier;

    fn readable(interrupt: Interrupt) -> bool {
        let mut fds = [PollFd::from_borrowed_fd(interrupt.descriptor(), PollFlags::IN)];
        poll(&mut fds, Some(&Timespec::default())).unwrap() == 1
    }

    fn raise(signal: libc::c_int) {
        // SAFETY: raises a signal that is handled.
        unsafe { libc::raise(signal) };
    }

    /// One test for all of it: signals are the whole process's.
    #[test]
    fn a_signal_sets_the_flag_and_wakes_a_poll_and_a_second_one_ends_nothing() {
        let interrupt = Interrupt::install().unwrap();
        interrupt.warn_with("");
        for signal in TAKEN_OVER {
            assert!(!interrupt.requested() && !readable(interrupt));
            raise(signal);
            assert!(interrupt.requested() && readable(interrupt));
            assert_eq!(interrupt.signal(), Some(signal));
            raise(libc::SIGTERM);
            assert_eq!(interrupt.signal(), Some(signal));
            interrupt.rearm();
        }
        interrupt.request();
        assert!(interrupt.requested() && interrupt.signal().is_none());

        // Another signal while the last request is being forgotten.
        interrupt.forget(|| raise(libc::SIGHUP));
        assert!(interrupt.requested() && readable(interrupt));
        assert_eq!(interrupt.signal(), Some(libc::SIGHUP));
        interrupt.rearm();
        assert!(!interrupt.requested() && !readable(interrupt));
        each_of_three_at_once_is_counted(interrupt);
        one_apart_is_set_by_nothing_else(interrupt);
    }

    fn one_apart_is_set_by_nothing_else(of_signals: Interrupt) {
        let (one, other) = (Interrupt::apart().unwrap(), Interrupt::apart().unwrap());
        raise(libc::SIGTERM);
        one.request();
        assert!(of_signals.requested() && one.requested() && !other.requested());
        assert!(readable(one) && !readable(other));
        one.rearm();
        assert!(of_signals.requested() && !one.requested() && !readable(one));
        of_signals.rearm();
    }

    /// As three threads meet them that were all stopped.
    fn each_of_three_at_once_is_counted(interrupt: Interrupt) {
        let together = Barrier::new(3);
        let one = |signal: u32| {
            let counts = (0..2_000).map(|_| {
                together.wait();
                let before = interrupt.request.ask(signal, SIGNAL);
                together.wait();
                if signal == 1 {
                    interrupt.rearm();
                }
                before
            });
            counts.collect::<Vec<u32>>()
        };
        let counted = std::thread::scope(|scope| {
            let all = [1, 2, 15].map(|signal| scope.spawn(move || one(signal)));
            all.map(|one| one.join().unwrap())
        });
        for round in 0..2_000 {
            let mut counts = counted.each_ref().map(|of| of[round]);
            counts.sort_unstable();
            assert_eq!(counts, [0, 1, 2], "round {round}");
        }
    }
}

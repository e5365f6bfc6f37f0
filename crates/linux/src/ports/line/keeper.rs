//! [`Keeper`]: a process that puts a line of codes at rest where the program dies with a code on
//! it, as by `kill -9`. It waits at a pipe whose other end the program holds, and says on the
//! standard error what it did.
//!
//! Why a process: nothing runs any more in one that was killed, and a parallel port keeps its
//! lines as they were left. It is a copy of the program that only makes system calls, so that it
//! needs no file of its own, and a library that was loaded by another program has one as well.
//!
//! It has a name of its own, so that `killall -9` of the program's name, or `pkill -9 -f`, leaves it
//! alone. Nobody can guard it against who kills all processes of a user or of a control group.

use super::parallel::PPWDATA;
use rustix::fd::{AsRawFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use std::os::fd::RawFd;

/// The keeper of a line. It is dismissed when this is dropped.
pub(super) struct Keeper {
    pipe: OwnedFd,
    process: libc::pid_t,
}

/// How a byte is put on a line.
#[derive(Clone, Copy)]
pub(super) enum Put {
    Write,
    DataLines,
}

impl Keeper {
    /// Sets a keeper over an open device: it will put this byte on it. When this is back, the keeper has its own
    /// name and waits: until then, whoever kills all processes of the program's name would kill it too.
    pub(super) fn of(device: BorrowedFd<'_>, rest: (Put, u8), name: &str) -> Result<Keeper, Errno> {
        let said = format!("chronotap: the program died; {name} was put at rest\n");
        let (waits, pipe) = pipe_with(PipeFlags::CLOEXEC)?;
        let (set, ready) = pipe_with(PipeFlags::CLOEXEC)?;
        let ready_at = ready.as_raw_fd();
        let (waits_at, device) = (waits.as_raw_fd(), device.as_raw_fd());
        let arguments = arguments();
        // SAFETY: the child makes system calls alone, on what was made before: no allocation,
        // no lock of another thread, and it never comes back from `keep`.
        match unsafe { libc::fork() } {
            -1 => Err(Errno::AGAIN),
            0 => {
                // SAFETY: in the child, whose copy of its arguments nobody else reads or writes.
                unsafe { rename(arguments) };
                keep(waits_at, ready_at, device, rest, said.as_bytes())
            }
            process => {
                drop(ready); // so that a keeper that is killed before it says so ends the wait as well
                let _ = rustix::io::retry_on_intr(|| rustix::io::read(&set, &mut [0; 1]));
                Ok(Keeper { pipe, process })
            }
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let _ = rustix::io::write(&self.pipe, b"."); // one that is gone needs no dismissal
        let mut status = 0;
        // SAFETY: the status lives for the call; the process is our own child.
        unsafe { libc::waitpid(self.process, &raw mut status, 0) };
    }
}

/// What the keeper is called, in at most 15 bytes.
const NAME: &std::ffi::CStr = c"line-at-rest";

/// Where the arguments of this process lie in its memory, first byte and length, as the kernel shows
/// them to others; none where it does not say.
fn arguments() -> Option<(usize, usize)> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Fields 48 and 49 (proc_pid_stat(5)); the name in field 2 may have spaces.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split_ascii_whitespace().collect();
    let (from, to) =
        (fields.get(45)?.parse::<usize>().ok()?, fields.get(46)?.parse::<usize>().ok()?);
    (from > 0 && to > from).then(|| (from, to - from))
}

/// Gives this process its own name, in the place of the program's and of its arguments.
///
/// # Safety
/// Only in a process whose arguments nobody reads any more, with what [`arguments`] gave.
unsafe fn rename(arguments: Option<(usize, usize)>) {
    // SAFETY: system calls on bytes that live as long as the program.
    unsafe { libc::prctl(libc::PR_SET_NAME, NAME.as_ptr()) };
    let Some((from, length)) = arguments else { return };
    let place = std::ptr::with_exposed_provenance_mut::<u8>(from);
    let name = NAME.to_bytes();
    // SAFETY: the kernel says that the arguments lie there, in memory that this process may write to.
    unsafe {
        std::ptr::write_bytes(place, 0, length);
        std::ptr::copy_nonoverlapping(name.as_ptr(), place, name.len().min(length - 1));
    }
}

/// What the keeper does, in its own process.
fn keep(waits: RawFd, ready: RawFd, device: RawFd, (put, rest): (Put, u8), said: &[u8]) -> ! {
    let mut byte = 0u8;
    // SAFETY: system calls alone, each on descriptors and bytes that live until the process ends.
    unsafe {
        libc::setsid(); // what is typed at the terminal, or closes it, is not meant for it
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGPIPE] {
            libc::signal(signal, libc::SIG_IGN);
        }
        libc::write(ready, b".".as_ptr().cast(), 1);
        close_others(waits.min(device), waits.max(device));
        let answer = loop {
            let answer = libc::read(waits, (&raw mut byte).cast(), 1);
            if answer >= 0 || *libc::__errno_location() != libc::EINTR {
                break answer;
            }
        };
        if answer == 0 {
            match put {
                Put::Write => {
                    libc::write(device, (&raw const rest).cast(), 1);
                }
                Put::DataLines => {
                    libc::ioctl(device, PPWDATA, &raw const rest);
                }
            }
            libc::write(libc::STDERR_FILENO, said.as_ptr().cast(), said.len());
        }
        libc::_exit(0)
    }
}

/// Lets go of everything that the program had open, but the two descriptors and the standard ones.
///
/// # Safety
/// Only in a process whose other descriptors nobody uses.
unsafe fn close_others(low: RawFd, high: RawFd) {
    let close = |from: RawFd, to: libc::c_uint| {
        // SAFETY: as the caller promises. An old kernel refuses, and they stay open until the end.
        unsafe { libc::syscall(libc::SYS_close_range, from as libc::c_uint, to, 0) };
    };
    if low > 3 {
        close(3, low as libc::c_uint - 1);
    }
    if high > low + 1 {
        close(low + 1, high as libc::c_uint - 1);
    }
    close(high + 1, libc::c_uint::MAX);
}

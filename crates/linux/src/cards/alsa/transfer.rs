//! [`write_all`], [`read_all`], [`wait`]: whole transfers, however often a signal comes between.
//!
//! Ctrl-C and its kin, or a program that is stopped and goes on, interrupt whichever thread they
//! meet, this one too. The kernel then takes a part of the frames, or none and says EINTR. The card
//! has lost nothing, and the rest follows.
//!
//! Real-time contract: no allocation, lock, log or panic; the system call is the one that is named.

use crate::clocks::timespec;
use chronotap_core::time::Nanos;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, Result, retry_on_intr};
use std::os::fd::BorrowedFd;

/// Blocks until all of it is in the buffer.
pub(super) fn write_all(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<()> {
    whole(bytes.len(), |done| rustix::io::write(fd, bytes.get(done..).unwrap_or_default()))
}

/// Blocks until `bytes` are full.
pub(super) fn read_all(fd: BorrowedFd<'_>, bytes: &mut [u8]) -> Result<()> {
    whole(bytes.len(), |done| rustix::io::read(fd, bytes.get_mut(done..).unwrap_or_default()))
}

/// Until the device is ready for this; whether it was within `patience`.
pub(super) fn wait(fd: BorrowedFd<'_>, flag: PollFlags, patience: Nanos) -> Result<bool> {
    let ready = retry_on_intr(|| {
        poll(&mut [PollFd::from_borrowed_fd(fd, flag)], Some(&timespec(patience)))
    })?;
    Ok(ready > 0)
}

/// All of `length`, of which `some` transfers what comes after so much and says how much it was.
fn whole(length: usize, mut some: impl FnMut(usize) -> Result<usize>) -> Result<()> {
    let mut done = 0;
    while done < length {
        match some(done) {
            Ok(0) => return Err(Errno::IO), // it would be so for ever
            Ok(n) => done += n,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Transfers until the answers are used up; from where each began.
    fn asked(length: usize, answers: &[Result<usize>]) -> (Result<()>, Vec<usize>) {
        let (mut from, mut answers) = (Vec::new(), answers.iter());
        let result = whole(length, |done| {
            from.push(done);
            *answers.next().unwrap()
        });
        (result, from)
    }

    #[test]
    fn a_transfer_that_a_signal_interrupts_goes_on_where_it_was() {
        let interrupted = [Err(Errno::INTR), Ok(3), Err(Errno::INTR), Ok(5)];
        assert_eq!(asked(8, &interrupted), (Ok(()), vec![0, 0, 3, 3]));
    }

    #[test]
    fn a_buffer_that_ran_empty_and_a_card_that_is_gone_are_told() {
        for errno in [Errno::PIPE, Errno::NODEV] {
            assert_eq!(asked(8, &[Ok(4), Err(errno)]), (Err(errno), vec![0, 4]));
        }
        assert_eq!(asked(8, &[Ok(0)]), (Err(Errno::IO), vec![0]));
    }
}

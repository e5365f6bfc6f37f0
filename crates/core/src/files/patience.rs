//! [`patiently`]: an operation that another program stands in the way of for a moment. On Windows nobody can rename or
//! remove a file that a virus scanner, an indexer or a synchronised folder holds open, and not even read one that it
//! has for itself; they do so for about a second after it was written. Elsewhere nothing stands in the way, and the first answer holds.

use std::fs::File;
use std::io;
use std::thread::sleep;
use std::time::Duration;

/// It is tried again for two seconds.
const TIMES: u32 = 100;
const BETWEEN: Duration = Duration::from_millis(20);

/// ERROR_ACCESS_DENIED.
const DENIED: i32 = 5;

/// Does it, again and again while another program holds the file.
///
/// # Errors
/// What the system refuses at last.
pub fn patiently<T>(act: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    while_held(is_held, act)
}

/// The same for what opens a file: who may not open it, or takes a folder for one, is told so at once.
///
/// # Errors
/// What the system refuses at last.
pub(super) fn patiently_open(open: impl FnMut() -> io::Result<File>) -> io::Result<File> {
    while_held(is_shared_out, open)
}

#[allow(
    clippy::disallowed_methods,
    reason = "whoever waits for another program waits for no moment"
)]
fn while_held<T>(
    is_held: impl Fn(&io::Error) -> bool,
    mut act: impl FnMut() -> io::Result<T>,
) -> io::Result<T> {
    for _ in 0..TIMES {
        match act() {
            Err(error) if is_held(&error) => sleep(BETWEEN),
            done => return done,
        }
    }
    act()
}

/// Whether another program may hold the file: ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION
/// of Windows (winerror.h). The first may also stand for a right that is missing; then it is only said later.
pub fn is_held(error: &io::Error) -> bool {
    is_shared_out(error) || (cfg!(windows) && error.raw_os_error() == Some(DENIED))
}

/// Whether another program certainly holds it.
pub(super) fn is_shared_out(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(32 | 33))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often it was tried, where the first so many times a program holds the file.
    fn tried(held: u32) -> (u32, io::Result<()>) {
        let mut tried = 0;
        let done = while_held(
            |error| error.kind() == io::ErrorKind::ResourceBusy,
            || {
                tried += 1;
                if tried > held { Ok(()) } else { Err(io::ErrorKind::ResourceBusy.into()) }
            },
        );
        (tried, done)
    }

    #[test]
    fn what_another_program_holds_for_a_moment_is_tried_again_and_nothing_else_is() {
        assert!(matches!(tried(0), (1, Ok(()))));
        assert!(matches!(tried(3), (4, Ok(()))));
        let mut tried = 0;
        let gone: io::Result<()> = while_held(
            |error| error.kind() == io::ErrorKind::ResourceBusy,
            || {
                tried += 1;
                Err(io::ErrorKind::NotFound.into())
            },
        );
        assert_eq!((tried, gone.unwrap_err().kind()), (1, io::ErrorKind::NotFound));
    }

    #[test]
    fn what_is_held_to_the_end_is_refused() {
        let (tried, done) = tried(u32::MAX);
        assert_eq!((tried, done.unwrap_err().kind()), (TIMES + 1, io::ErrorKind::ResourceBusy));
    }

    #[cfg(not(windows))]
    #[test]
    fn elsewhere_the_first_answer_holds() {
        assert!(![5, 32, 33].map(io::Error::from_raw_os_error).iter().any(is_held));
    }
}

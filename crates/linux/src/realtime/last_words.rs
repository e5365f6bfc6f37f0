//! [`LastWords`]: a text that a signal handler can write.
//!
//! A handler may neither lock, allocate nor format, and may interrupt whoever sets the text.
//! So the text is made ready beforehand and kept byte by byte in atomics of a fixed number.
//! A handler that runs while the text is being changed writes none of it.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// Bytes of a text at most; what is longer is cut.
pub const LONGEST_LAST_WORDS: usize = 1_024;

/// What is said where nobody has said better.
const USUAL: &str =
    "\nchronotap: it is ending; once more ends it at once, and what it was doing is lost\n";

/// The words of this process.
pub(crate) static LAST_WORDS: LastWords = LastWords {
    length: AtomicUsize::new(usize::MAX),
    bytes: [const { AtomicU8::new(0) }; LONGEST_LAST_WORDS],
};

/// A text in atomics.
pub(crate) struct LastWords {
    length: AtomicUsize, // above the longest where no text was set
    bytes: [AtomicU8; LONGEST_LAST_WORDS],
}

impl LastWords {
    pub(crate) fn set(&self, text: &str) {
        let kept = text.len().min(LONGEST_LAST_WORDS);
        self.length.store(0, Ordering::Release);
        for (place, byte) in self.bytes.iter().zip(text.bytes()) {
            place.store(byte, Ordering::Release);
        }
        self.length.store(kept, Ordering::Release);
    }

    /// Writes it. Async-signal-safe: atomic loads and one `write`.
    pub(crate) fn write_to(&self, descriptor: i32) {
        let length = self.length.load(Ordering::Acquire);
        if length > LONGEST_LAST_WORDS {
            return write(descriptor, USUAL.as_bytes());
        }
        let mut text = [0; LONGEST_LAST_WORDS];
        for (byte, place) in text.iter_mut().zip(&self.bytes) {
            *byte = place.load(Ordering::Acquire);
        }
        write(descriptor, &text[..length]);
    }
}

/// One `write`, whatever becomes of it, where it does not block: whoever reads may be stuck, and a
/// signal must end the program nevertheless. Async-signal-safe.
pub(crate) fn write(descriptor: i32, bytes: &[u8]) {
    let mut polled = libc::pollfd { fd: descriptor, events: libc::POLLOUT, revents: 0 };
    // SAFETY: looks at one live structure, and does not wait.
    if unsafe { libc::poll(&raw mut polled, 1, 0) } < 1 {
        return;
    }
    // SAFETY: reads the bytes of a live slice; a bad descriptor is only an error.
    unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::fd::AsRawFd;

    #[test]
    fn nothing_is_written_where_whoever_reads_is_stuck() {
        let (_from, to) = std::io::pipe().unwrap();
        let words = LastWords {
            length: AtomicUsize::new(usize::MAX),
            bytes: [const { AtomicU8::new(0) }; LONGEST_LAST_WORDS],
        };
        let most_of_a_pipe = 1 << 20;
        (0..most_of_a_pipe / USUAL.len()).for_each(|_| words.write_to(to.as_raw_fd()));
    }

    #[test]
    fn the_words_that_were_set_last_are_written_and_what_is_too_long_is_cut() {
        let words = LastWords {
            length: AtomicUsize::new(usize::MAX),
            bytes: [const { AtomicU8::new(0) }; LONGEST_LAST_WORDS],
        };
        let written = |words: &LastWords| {
            let (mut from, to) = std::io::pipe().unwrap();
            words.write_to(to.as_raw_fd());
            drop(to);
            let mut text = String::new();
            from.read_to_string(&mut text).unwrap();
            text
        };
        assert_eq!(written(&words), USUAL);
        words.set("a longer text");
        words.set("short");
        assert_eq!(written(&words), "short");
        words.set(&"x".repeat(2 * LONGEST_LAST_WORDS));
        assert_eq!(written(&words).len(), LONGEST_LAST_WORDS);
    }
}

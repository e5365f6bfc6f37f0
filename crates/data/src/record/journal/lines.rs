//! [`Lines`]: a journal line by line, each in the same memory. Where a damaged file has no line
//! breaks, it comes in pieces, so that no file whatever takes more memory than [`LONGEST`].

use std::io::{self, BufRead, Read};

/// Bytes of a line at most. The longest there is, the first one, has the text of the trial file.
const LONGEST: usize = 1 << 24;

/// The lines of a file that is read once.
pub(super) struct Lines<R> {
    from: R,
    line: Vec<u8>,
    bytes: u64, // of all lines that were given
    again: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn of(from: R) -> Lines<R> {
        Lines { from, line: Vec::new(), bytes: 0, again: false }
    }

    /// The next line with its line break. One without a break is the torn last line, or, where
    /// it is not ([`is_torn`]), a piece of a line that is too long.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if !std::mem::take(&mut self.again) {
            self.line.clear();
            self.from.by_ref().take(LONGEST as u64).read_until(b'\n', &mut self.line)?;
        }
        self.bytes += self.line.len() as u64;
        Ok(Some(&self.line[..]).filter(|line| !line.is_empty()))
    }

    /// Gives the last line once more.
    pub(super) fn again(&mut self) {
        self.bytes -= self.line.len() as u64;
        self.again = true;
    }

    /// Length of all that was given so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Whether the file ends in this line, which has no line break.
pub(super) fn is_torn(line: &[u8]) -> bool {
    !line.ends_with(b"\n") && line.len() < LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_line_breaks_comes_in_pieces() {
        let bytes = vec![0; LONGEST + 5];
        let mut lines = Lines::of(&bytes[..]);
        assert!(lines.next().unwrap().is_some_and(|line| line.len() == LONGEST && !is_torn(line)));
        lines.again();
        assert_eq!(lines.next().unwrap().unwrap().len(), LONGEST);
        assert!(lines.next().unwrap().is_some_and(is_torn));
        assert!(lines.next().unwrap().is_none());
        assert_eq!(lines.bytes(), bytes.len() as u64);
    }
}

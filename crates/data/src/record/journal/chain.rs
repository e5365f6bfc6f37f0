//! [`Chain`]: how the lines of a journal hang together, that of a trial and that of a session. A line
//! is a body, a tab, and a checksum of the line before it and of itself: eight hexadecimal digits.

/// A tab, eight digits and the end of the line.
const END: usize = 10;

/// The checksum of the last line, which the next one continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain(u32);

impl Chain {
    /// Appends a line with the body that this writes.
    pub fn put(&mut self, out: &mut Vec<u8>, body: impl FnOnce(&mut Vec<u8>)) {
        let start = out.len();
        body(out);
        self.0 = self.next(&out[start..]);
        out.extend_from_slice(&end(self.0));
    }

    /// The body of a line, where it is whole and continues the chain.
    pub fn take<'a>(&mut self, line: &'a [u8]) -> Option<&'a [u8]> {
        let (body, found) = line.split_last_chunk::<END>()?;
        let crc = self.next(body);
        if *found != end(crc) {
            return None;
        }
        self.0 = crc;
        Some(body)
    }

    /// Continues a line by the checksum at its end, whether it agrees or not.
    pub(super) fn printed(line: &[u8]) -> Option<Chain> {
        let (_, end) = line.split_last_chunk::<END>()?;
        let sum = std::str::from_utf8(end.strip_prefix(b"\t")?.strip_suffix(b"\n")?).ok()?;
        u32::from_str_radix(sum, 16).ok().map(Chain)
    }

    /// CRC-32 (ISO 3309, as in zlib) of the last checksum, least significant byte
    /// first, and of the line up to the tab before its checksum.
    fn next(self, body: &[u8]) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&self.0.to_le_bytes());
        crc.update(body);
        crc.finalize()
    }
}

/// What stands behind a body.
fn end(crc: u32) -> [u8; END] {
    let digit = |place: usize| b"0123456789abcdef"[(crc >> (4 * place) & 15) as usize];
    let mut end = *b"\t--------\n";
    end[1..9].iter_mut().rev().enumerate().for_each(|(place, byte)| *byte = digit(place));
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums are those of Python's `zlib.crc32`: of four zeros and "123456789", then of that sum, least
    /// significant byte first, and "tap".
    #[test]
    fn a_line_ends_in_the_checksum_of_the_one_before_and_of_itself() {
        let (mut chain, mut lines) = (Chain::default(), Vec::new());
        chain.put(&mut lines, |out| out.extend_from_slice(b"123456789"));
        chain.put(&mut lines, |out| out.extend_from_slice(b"tap"));
        assert_eq!(lines, b"123456789\t22896b0a\ntap\t92f921a9\n");
    }

    #[test]
    fn only_a_whole_line_that_continues_the_chain_is_taken() {
        let (mut chain, mut lines) = (Chain::default(), Vec::new());
        chain.put(&mut lines, |out| out.extend_from_slice(b"one"));
        let first = lines.len();
        chain.put(&mut lines, |out| out.extend_from_slice(b"two"));
        let mut read = Chain::default();
        assert_eq!(read.take(&lines[first..]), None, "the second before the first");
        assert_eq!(read.take(&lines[..first - 1]), None, "without its end");
        assert_eq!(read.take(&lines[..first].to_ascii_uppercase()), None, "in other letters");
        assert_eq!(read.take(&lines[..first]), Some(&b"one"[..]));
        assert_eq!(read.take(&lines[first..]), Some(&b"two"[..]));
        assert_eq!(read, chain);
    }
}

//! [`SysexPart`]: a piece of a system exclusive message, small enough to be copied, queued and
//! kept like any other message, so that a message of any length needs no memory of its own.
//!
//! Whether a message begins or ends with a part is said by its bytes: 0xF0 first, 0xF7 last.

/// The most bytes of a message that stand in one part.
pub const SYSEX_PART_BYTES: usize = 16;

/// The most bytes of one message that a parser hands over; what is behind them is counted.
pub const MOST_SYSEX_BYTES: u64 = 4_096;

/// One to sixteen bytes of a system exclusive message, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SysexPart {
    bytes: [u8; SYSEX_PART_BYTES], // 0 behind the last, so that equal parts are alike
    len: u8,                       // in 1..=16 once handed over
}

impl Default for SysexPart {
    fn default() -> SysexPart {
        SysexPart::EMPTY
    }
}

impl SysexPart {
    /// A part without bytes, to be filled.
    pub(crate) const EMPTY: SysexPart = SysexPart { bytes: [0; SYSEX_PART_BYTES], len: 0 };

    /// These bytes; `None` where they cannot be a part: too many or none, a status in the
    /// midst, 0xF0 not at the beginning, or 0xF7 not at the end.
    pub fn new(bytes: &[u8]) -> Option<SysexPart> {
        let last = bytes.len().checked_sub(1)?;
        let fits = |(at, byte): (usize, &u8)| match byte {
            0xf0 => at == 0,
            0xf7 => at == last,
            data => *data < 0x80,
        };
        let mut part = SysexPart::EMPTY;
        let fit = bytes.len() <= SYSEX_PART_BYTES && bytes.iter().enumerate().all(fits);
        bytes.iter().filter(|_| fit).for_each(|byte| part.push(*byte));
        fit.then_some(part)
    }

    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// Whether a message begins with it.
    pub const fn begins(&self) -> bool {
        self.len > 0 && self.bytes[0] == 0xf0
    }

    /// Whether a message ends with it, as a message should.
    pub fn ends(&self) -> bool {
        self.bytes().last() == Some(&0xf7)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.len as usize == SYSEX_PART_BYTES
    }

    /// Adds a byte; a full part stays as it is.
    pub(crate) fn push(&mut self, byte: u8) {
        if let Some(room) = self.bytes.get_mut(usize::from(self.len)) {
            *room = byte;
            self.len += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_made_of_bytes_that_may_stand_so() {
        for bytes in [&[0xf0][..], &[0xf7], &[0xf0, 0xf7], &[1, 2, 0xf7], &[5; 16]] {
            assert_eq!(SysexPart::new(bytes).unwrap().bytes(), bytes);
        }
        for bytes in [&[][..], &[1, 0xf0], &[0xf7, 1], &[0xf8], &[0x90, 60, 100], &[5; 17]] {
            assert_eq!(SysexPart::new(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn its_bytes_say_whether_a_message_begins_or_ends_with_it() {
        let ends = |bytes: &[u8]| SysexPart::new(bytes).map(|part| (part.begins(), part.ends()));
        assert_eq!(ends(&[0xf0, 1]), Some((true, false)));
        assert_eq!(ends(&[1, 2]), Some((false, false)));
        assert_eq!(ends(&[0xf7]), Some((false, true)));
    }
}

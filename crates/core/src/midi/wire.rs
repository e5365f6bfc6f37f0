//! How long bytes take on a serial line.
//!
//! Source: MIDI 1.0 Detailed Specification, "Hardware": 31,250 baud, one start
//! bit, eight data bits, one stop bit, so 320 us a byte and 960 us a note.

use crate::time::Exact;

/// Bits a second on a MIDI cable.
pub const BAUD: u32 = 31_250;
/// Bits on the line for one byte: start, eight of data, stop.
pub const BITS_PER_BYTE: u32 = 10;

/// The time that `bytes` take on a MIDI cable: 320 us each.
pub fn wire_time(bytes: usize) -> Exact {
    wire_time_at(bytes, BAUD)
}

/// The time that `bytes` take at `baud` bits a second; no time at all at 0, which
/// stands for a line without limit.
pub fn wire_time_at(bytes: usize, baud: u32) -> Exact {
    let bits = bytes as i128 * i128::from(BITS_PER_BYTE);
    Exact::ratio(bits * 1_000_000_000, i128::from(baud)).unwrap_or(Exact::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Nanos;

    #[test]
    fn a_note_takes_960_microseconds() {
        assert_eq!(wire_time(3), Exact::whole(Nanos::from_micros(960)));
        assert_eq!(wire_time(1), Exact::whole(Nanos::from_micros(320)));
    }

    #[test]
    fn other_rates_are_exact_and_zero_is_without_limit() {
        assert_eq!(wire_time_at(3, 38_400).as_ratio(), (781_250, 1));
        assert_eq!(wire_time_at(1, 57_600).as_ratio(), (1_562_500, 9));
        assert_eq!(wire_time_at(3, 0), Exact::ZERO);
    }
}

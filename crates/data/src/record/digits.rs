//! Decimal digits, read eight at a time and written two at a time: the times of a table have ten to
//! thirteen, and one after another they would be the greater part of reading it.

/// The number that 1 to 18 digits and nothing else say.
pub(crate) fn digits(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 18 {
        return None;
    }
    let (eights, rest) = text.as_chunks::<8>();
    let mut value = 0;
    for chunk in eights {
        value = value * 100_000_000 + eight(u64::from_le_bytes(*chunk))?;
    }
    for byte in rest {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    Some(value)
}

/// Eight digits, the first in the lowest byte. Neighbours are put together to numbers of two digits,
/// these to numbers of four, and these to one; a multiplication does it for all at once.
fn eight(word: u64) -> Option<u64> {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    // Digits are 0x30 to 0x39: 3 above, and still 3 above when 6 is added.
    let above = (word & HIGH) | ((word.wrapping_add(0x0606_0606_0606_0606) & HIGH) >> 4);
    if above != 0x3333_3333_3333_3333 {
        return None;
    }
    Some(together(word & !HIGH))
}

/// The number of eight values from 0 to 9.
fn together(values: u64) -> u64 {
    let twos = values.wrapping_mul((10 << 8) + 1) >> 8;
    let fours = (twos & 0x00ff_00ff_00ff_00ff).wrapping_mul((100 << 16) + 1) >> 16;
    (fours & 0x0000_ffff_0000_ffff).wrapping_mul((10_000 << 32) + 1) >> 32
}

/// How many of eight bytes are digits before the first that is none.
pub(crate) fn leading(word: u64) -> usize {
    const HIGHEST: u64 = 0x8080_8080_8080_8080;
    let values = word ^ ZEROS;
    // What is above 9 reaches the highest bit when 0x76 is added, or has it already; a byte that
    // runs over spoils only those behind it.
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & HIGHEST;
    (others.trailing_zeros() / 8) as usize
}

/// The number of the first one to eight of eight bytes, all of which are digits.
pub(crate) fn joined(word: u64, many: usize) -> u64 {
    together((word ^ ZEROS) << (64 - 8 * many))
}

const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Appends a number.
pub(crate) fn put_digits(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    while value >= 100 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&two(value % 100));
        value /= 100;
    }
    let [tens, ones] = two(value);
    at -= 1;
    digits[at] = ones;
    if tens > b'0' {
        at -= 1;
        digits[at] = tens;
    }
    out.extend_from_slice(&digits[at..]);
}

fn two(value: u64) -> [u8; 2] {
    [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_leading_digits_are_counted_and_joined(bytes in "[0-9]{0,8}[ -~\u{e4}]{8}") {
            let first = bytes.bytes().take_while(u8::is_ascii_digit).take(8).count();
            let word = u64::from_le_bytes(*bytes.as_bytes().first_chunk().unwrap());
            prop_assert_eq!(leading(word), first);
            if first > 0 {
                prop_assert_eq!(joined(word, first), bytes[..first].parse::<u64>().unwrap());
            }
        }
    }
}

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
    let twos = (word & !HIGH).wrapping_mul((10 << 8) + 1) >> 8;
    let fours = (twos & 0x00ff_00ff_00ff_00ff).wrapping_mul((100 << 16) + 1) >> 16;
    Some((fours & 0x0000_ffff_0000_ffff).wrapping_mul((10_000 << 32) + 1) >> 32)
}

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

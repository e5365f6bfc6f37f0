//! Decimal numbers in text, read exactly: digits are moved, never multiplied as
//! floats, so that `0.1` s is 100,000,000 ns and nothing near it.

/// Why a text is not a decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// An exponent stands in it. Write the number out.
    #[error("scientific notation is not read; write the number out, as in 0.00025")]
    Scientific,
    /// A comma stands where the decimal point belongs.
    #[error("the decimal sign is a point, as in 1.25")]
    Comma,
    /// It is no number at all. Give digits with at most one point.
    #[error("expected a decimal number such as 1.25")]
    NotANumber,
    /// It does not fit 64 bits of nanoseconds (292 years).
    #[error("the number is too large")]
    TooLarge,
}

/// `text` times 10^`places`, as an integer. Digits beyond are rounded, halves away
/// from zero.
///
/// # Errors
/// [`DecimalError`], by what is wrong with the text.
pub fn parse(text: &str, places: usize) -> Result<i64, DecimalError> {
    let (negative, digits) = match text.strip_prefix(['-', '+', '\u{2212}']) {
        Some(rest) => (!text.starts_with('+'), rest),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit());
    if !all_digits || whole.len() + fraction.len() == 0 {
        return Err(complaint(digits));
    }
    let kept = fraction.bytes().chain(std::iter::repeat(b'0')).take(places);
    let mut value: i64 = 0;
    for digit in whole.bytes().chain(kept) {
        value = value
            .checked_mul(10)
            .and_then(|v| v.checked_add(i64::from(digit - b'0')))
            .ok_or(DecimalError::TooLarge)?;
    }
    if fraction.as_bytes().get(places).is_some_and(|digit| *digit >= b'5') {
        value = value.checked_add(1).ok_or(DecimalError::TooLarge)?;
    }
    Ok(if negative { -value } else { value })
}

fn complaint(digits: &str) -> DecimalError {
    let starts_as_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if starts_as_number && digits.contains(['e', 'E']) {
        DecimalError::Scientific
    } else if starts_as_number && digits.contains(',') {
        DecimalError::Comma
    } else {
        DecimalError::NotANumber
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_nanoseconds_digit_by_digit() {
        assert_eq!(parse("0.1", 9), Ok(100_000_000));
        assert_eq!(parse("1.234567891", 9), Ok(1_234_567_891));
        assert_eq!(parse("-.5", 9), Ok(-500_000_000));
        assert_eq!(parse("+3.", 9), Ok(3_000_000_000));
        assert_eq!(parse("9007199.254740993", 9), Ok(9_007_199_254_740_993));
    }

    #[test]
    fn digits_beyond_the_nanosecond_are_rounded() {
        assert_eq!(parse("0.30000000000000004", 9), Ok(300_000_000));
        assert_eq!(parse("0.0000000005", 9), Ok(1));
        assert_eq!(parse("-0.9999999996", 9), Ok(-1_000_000_000));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(parse("1e-3", 9), Err(DecimalError::Scientific));
        assert_eq!(parse("2.5E2", 9), Err(DecimalError::Scientific));
        assert_eq!(parse("1,5", 9), Err(DecimalError::Comma));
        for text in ["", ".", "-", "early", "1.2.3", "NaN", "0x10"] {
            assert_eq!(parse(text, 9), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!(parse("99999999999", 9), Err(DecimalError::TooLarge));
    }
}

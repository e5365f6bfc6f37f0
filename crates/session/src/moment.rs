//! Moments of the wall clock, as they stand in the journal. They may jump, so nothing but
//! the question whether a pause was long is taken from them.

use chronotap_core::time::{Nanos, utc_text, wall_clock};

/// Seconds from a moment such as `2026-11-20T13:04:05Z` until the wall clock's present; `None`
/// where it is no moment. Negative where the clock was set back.
pub fn seconds_since(moment: &str) -> Option<f64> {
    let then = seconds(moment)?;
    Some(wall_clock().as_secs_f64() - then)
}

/// Seconds from one moment to another, both in UTC; `None` where either is no moment.
pub fn seconds_between(one: &str, other: &str) -> Option<f64> {
    Some(seconds(other)? - seconds(one)?)
}

/// A time since 1970 as `2026-11-20T13:04:05.123456Z`: BIDS knows no more than six decimals.
pub fn to_the_microsecond(since_1970: Nanos) -> String {
    let text = utc_text(since_1970);
    match text.split_at_checked("2026-11-20T13:04:05.123456".len()) {
        Some((kept, _)) => format!("{kept}Z"),
        None => text,
    }
}

/// So much later than a moment, to the second; `None` where it is none.
pub fn later(moment: &str, by: Nanos) -> Option<String> {
    let then = Nanos::from_secs(seconds(moment)? as i64);
    let text = utc_text(then + by);
    Some(format!("{}Z", text.get(.."2026-11-20T13:04:05".len())?))
}

/// Seconds since 1970.
fn seconds(moment: &str) -> Option<f64> {
    let number = |from: usize, to: usize| moment.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    // Days since 1970-01-01 in the Gregorian calendar, years counted from March.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 719_469;
    Some((days * 86_400 + hour * 3_600 + minute * 60 + second) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_six_decimals() {
        let moment = Nanos(1_795_179_845_123_456_789);
        assert_eq!(to_the_microsecond(moment), "2026-11-20T13:04:05.123456Z");
    }

    #[test]
    fn moments_count_from_1970() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0.0));
        assert_eq!(seconds("2000-03-01T00:00:00Z"), Some(951_868_800.0));
        assert_eq!(seconds("2026-11-20T13:04:05Z"), Some(1_795_179_845.0));
        assert_eq!(seconds("yesterday"), None);
        let now = chronotap_core::time::wall_clock_now();
        assert!(seconds_since(&now).unwrap().abs() < 3_600.0);
    }
}

//! The wall clock, for headings and for the days of a study ([`wall_clock_now`]). It may jump, so no
//! interval of a trial is taken from it.

use crate::time::Nanos;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

static STATED: OnceLock<Nanos> = OnceLock::new();

/// From now on the wall clock of this program stands at that time since 1970; the first such call holds.
/// For data of virtual time alone, which happened at no time of day: with a stated one, the same command
/// writes the same bytes again.
pub fn state_wall_clock(since_1970: Nanos) {
    let _ = STATED.set(since_1970);
}

/// Whether [`state_wall_clock`] was called.
pub fn is_wall_clock_stated() -> bool {
    STATED.get().is_some()
}

/// The date and time in UTC, in nanoseconds since 1970.
pub fn wall_clock() -> Nanos {
    STATED.get().copied().unwrap_or_else(read)
}

/// The one reader of the system's.
#[allow(clippy::disallowed_methods, reason = "no interval of a trial is taken from it")]
fn read() -> Nanos {
    let now = SystemTime::now();
    let nanos = |span: std::time::Duration| i64::try_from(span.as_nanos()).unwrap_or(i64::MAX);
    match now.duration_since(UNIX_EPOCH) {
        Ok(since) => Nanos(nanos(since)),
        Err(before) => Nanos(-nanos(before.duration())),
    }
}

/// The date and time in UTC, `2026-11-20T13:04:05Z` (RFC 3339), for the heading
/// of a file and nothing else.
pub fn wall_clock_now() -> String {
    rfc3339(wall_clock().0.div_euclid(1_000_000_000))
}

/// A time in nanoseconds since 1970 as `2026-11-20T13:04:05.123456789Z` (RFC 3339).
pub fn utc_text(since_1970: Nanos) -> String {
    let (secs, ns) =
        (since_1970.0.div_euclid(1_000_000_000), since_1970.0.rem_euclid(1_000_000_000));
    rfc3339(secs).replace('Z', &format!(".{ns:09}Z"))
}

fn rfc3339(unix_secs: i64) -> String {
    let (days, secs) = (unix_secs.div_euclid(86_400), unix_secs.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (secs / 3_600, secs / 60 % 60, secs % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian
/// calendar. Years are counted from March, so that the leap day comes last: 153
/// days for every five months, 1,461 for four years, 36,524 for a century,
/// 146,097 for four centuries.
fn civil(days_since_1970: i64) -> (i64, i64, i64) {
    let days = days_since_1970 + 719_468; // since 0000-03-01
    let (era, in_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153; // 0 is March
    let day = in_year - (153 * month + 2) / 5 + 1;
    let january = i64::from(month >= 10); // January and February belong to the next year
    (era * 400 + year + january, (month + 2) % 12 + 1, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_gregorian() {
        assert_eq!(utc_text(Nanos(1_500_000_007)), "1970-01-01T00:00:01.500000007Z");
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(rfc3339(1_798_761_599), "2026-12-31T23:59:59Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59Z");
        assert_eq!(wall_clock_now().len(), 20);
    }
}

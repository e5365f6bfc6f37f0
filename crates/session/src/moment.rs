//! Moments of the wall clock, as they stand in the journal. They may jump, so nothing but
//! the question whether a pause was long is taken from them.

use crate::zone;
use chronotap_core::time::{Nanos, utc_text, wall_clock};
use chronotap_design::DueVisit;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

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
    to_the_second(Nanos::from_secs(seconds(moment)? as i64) + by)
}

/// From when on the session after one that ended at that moment is due; `None` where it may begin at once.
pub fn due(visit: &DueVisit, end: &str) -> Option<String> {
    let least = visit.at_least.and_then(|least| later(end, least));
    let slept = visit.nights.and_then(|nights| after_nights(&zone::here(), end, nights));
    least.max(slept) // moments of one writing stand in the order of time
}

/// A moment by the clock of this computer, to the minute, for whoever reads it: `2026-11-20 14:04`.
pub fn here(moment: &str) -> Option<String> {
    let then: Timestamp = moment.parse().ok()?;
    Some(then.to_zoned(zone::here()).strftime("%Y-%m-%d %H:%M").to_string())
}

/// A night is over at this hour of the day.
const MORNING: i8 = 4;

/// The morning after so many nights. The night in which somebody was awake until after midnight counts.
fn after_nights(zone: &TimeZone, moment: &str, nights: u32) -> Option<String> {
    let then = moment.parse::<Timestamp>().ok()?.to_zoned(zone.clone());
    let first = i64::from(then.hour() >= MORNING); // else its night is over on the same day
    let days = Span::new().try_days(i64::from(nights) - 1 + first).ok()?;
    let morning = then.date().checked_add(days).ok()?.at(MORNING, 0, 0, 0);
    let morning = morning.to_zoned(zone.clone()).ok()?.timestamp();
    to_the_second(Nanos::from_secs(morning.as_second()))
}

fn to_the_second(since_1970: Nanos) -> Option<String> {
    let text = utc_text(since_1970);
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
    fn a_night_is_over_at_four_by_the_clock_of_the_place() {
        // Berlin: an hour ahead of UTC, two in summer, which ended on 25 October 2026 at 1:00 UTC.
        let berlin = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        for (end, nights, due) in [
            ("2026-11-20T13:04:05Z", 1, "2026-11-21T03:00:00Z"),
            ("2026-11-20T22:59:59Z", 1, "2026-11-21T03:00:00Z"), // 23:59 there
            ("2026-11-20T23:30:00Z", 1, "2026-11-21T03:00:00Z"), // after midnight, the same night
            ("2026-11-21T02:59:59Z", 1, "2026-11-21T03:00:00Z"),
            ("2026-11-21T03:00:00Z", 1, "2026-11-22T03:00:00Z"), // up early: the next night
            ("2026-11-20T13:04:05Z", 3, "2026-11-23T03:00:00Z"),
            ("2026-10-24T18:00:00Z", 1, "2026-10-25T03:00:00Z"), // the night of 25 hours
            ("2026-07-01T18:00:00Z", 1, "2026-07-02T02:00:00Z"),
        ] {
            assert_eq!(after_nights(&berlin, end, nights).as_deref(), Some(due), "{end}, {nights}");
        }
        assert_eq!(after_nights(&berlin, "yesterday", 1), None);
    }

    #[test]
    fn of_nights_and_hours_both_must_have_passed() {
        let visit = |nights, hours: Option<i64>| DueVisit {
            after: 1,
            nights,
            at_least: hours.map(|hours| Nanos::from_secs(hours * 3_600)),
            at_most: None,
        };
        let (end, tomorrow) = ("2026-11-20T13:04:05Z", "2026-11-21T13:04:05Z");
        let slept = due(&visit(Some(1), None), end).unwrap(); // wherever this runs
        assert!(end < slept.as_str() && slept.as_str() <= "2026-11-21T13:04:05Z", "{slept}");
        assert_eq!(due(&visit(Some(1), Some(24)), end).as_deref(), Some(tomorrow));
        assert_eq!(due(&visit(Some(1), Some(1)), end), Some(slept));
        assert_eq!(due(&visit(None, None), end), None);
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

//! [`Place`]: where something stands in a table, in the words of whoever imports it:
//! `onset in ms`, `time in s where event = tap`.

use super::error::{NumberError, PlaceError};
use chronotap_config::trial_files::performers::{DecimalError, parse_decimal};
use chronotap_core::text::nearest;
use chronotap_core::time::Nanos;
use std::str::FromStr;

/// In what a time is counted: a unit, or the samples of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
    /// So many in a second.
    Samples(u32),
}

/// The units with their words; samples have a rate behind theirs.
const UNITS: [(&str, TimeUnit); 4] = [
    ("s", TimeUnit::Seconds),
    ("ms", TimeUnit::Milliseconds),
    ("us", TimeUnit::Microseconds),
    ("ns", TimeUnit::Nanoseconds),
];
/// How samples are written, before and behind their rate.
const SAMPLES: (&str, &str) = ("samples at ", " Hz");

impl TimeUnit {
    /// The unit of these words.
    pub fn of(words: &str) -> Option<TimeUnit> {
        let rate = words.strip_prefix(SAMPLES.0).and_then(|rest| rest.strip_suffix(SAMPLES.1));
        let rate = rate.and_then(|rate| rate.trim().parse().ok()).filter(|rate| *rate > 0);
        let known = UNITS.iter().find(|(word, _)| *word == words).map(|(_, unit)| *unit);
        known.or_else(|| rate.map(TimeUnit::Samples))
    }

    /// Its words.
    pub fn words(self) -> String {
        match self {
            TimeUnit::Samples(rate) => format!("{}{rate}{}", SAMPLES.0, SAMPLES.1),
            other => UNITS.iter().find(|(_, u)| *u == other).map_or("", |(word, _)| word).into(),
        }
    }

    fn places(self) -> usize {
        match self {
            TimeUnit::Seconds | TimeUnit::Samples(_) => 9,
            TimeUnit::Milliseconds => 6,
            TimeUnit::Microseconds => 3,
            TimeUnit::Nanoseconds => 0,
        }
    }

    /// A number in this unit, digit by digit; what is finer than a nanosecond is rounded.
    pub fn time(self, number: &str) -> Result<Nanos, NumberError> {
        let plain = written_out(number).ok_or(NumberError::NotANumber)?;
        let scaled = parse_decimal(&plain, self.places()).map_err(|wrong| match wrong {
            DecimalError::Comma => NumberError::Comma,
            DecimalError::TooLarge => NumberError::TooLarge,
            DecimalError::NotANumber | DecimalError::Scientific => NumberError::NotANumber,
        })?;
        let TimeUnit::Samples(rate) = self else { return Ok(Nanos(scaled)) };
        let (scaled, rate) = (i128::from(scaled), i128::from(rate));
        let ns = (scaled + rate / 2).div_euclid(rate);
        i64::try_from(ns).map(Nanos).map_err(|_| NumberError::TooLarge)
    }

    /// The step of the last digit of a number, in nanoseconds, at least one.
    pub(super) fn step(self, number: &str) -> i64 {
        let plain = written_out(number).unwrap_or_default();
        let digits = plain.split_once('.').map_or(0, |(_, part)| part.len());
        let step = |places: usize| 10_i64.pow(places.saturating_sub(digits).min(9) as u32);
        match self {
            TimeUnit::Samples(rate) => (1_000_000_000 / i64::from(rate)).max(1),
            other => step(other.places()),
        }
    }
}

/// Other programs write small and large numbers with an exponent.
fn written_out(number: &str) -> Option<String> {
    let Some((digits, exponent)) = number.split_once(['e', 'E']) else {
        return Some(number.to_owned());
    };
    let exponent: i32 = exponent.parse().ok().filter(|e: &i32| e.abs() <= 30)?;
    let (sign, digits) = match digits.strip_prefix(['-', '+']) {
        Some(rest) => (&digits[..1], rest),
        None => ("", digits),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{part}");
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let point = whole.len() as i32 + exponent;
    let before = "0".repeat(usize::try_from(-point).unwrap_or(0));
    let behind = "0".repeat(usize::try_from(point - all.len() as i32).unwrap_or(0));
    let all = format!("{before}{all}{behind}");
    let (whole, part) = all.split_at(usize::try_from(point).unwrap_or(0));
    Some(format!("{sign}{whole}.{part}"))
}

/// A column, the unit of its numbers, and which rows count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub column: String,
    /// `None` where the file has its own.
    pub unit: Option<TimeUnit>,
    pub only: Option<Only>,
}

/// Rows that have this value in this column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only {
    pub column: String,
    pub value: String,
}

impl Place {
    /// The column and the rows in words.
    pub fn words(&self) -> String {
        let only = self.only.as_ref();
        let only = only.map(|only| format!(" where {} = {}", only.column, only.value));
        format!("{}{}", self.column, only.unwrap_or_default())
    }
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(written: &str) -> Result<Place, PlaceError> {
        let owned = || written.to_owned();
        let (what, only) = match written.rsplit_once(" where ") {
            Some((what, only)) => (what, Some(only_of(written, only)?)),
            None => (written, None),
        };
        let (column, unit) = match what.rsplit_once(" in ") {
            Some((column, words)) => (column, Some(unit_of(written, words.trim())?)),
            None => (what, None),
        };
        match column.trim() {
            "" => Err(PlaceError::NoColumn { written: owned() }),
            column => Ok(Place { column: column.to_owned(), unit, only }),
        }
    }
}

fn unit_of(written: &str, words: &str) -> Result<TimeUnit, PlaceError> {
    TimeUnit::of(words).ok_or_else(|| PlaceError::Unit {
        written: written.to_owned(),
        unit: words.to_owned(),
        near: nearest(words, UNITS.iter().map(|(word, _)| *word)),
    })
}

fn only_of(written: &str, only: &str) -> Result<Only, PlaceError> {
    let wrong = || PlaceError::Only { written: written.to_owned(), only: only.to_owned() };
    let (column, value) = only.split_once('=').ok_or_else(wrong)?;
    let (column, value) = (column.trim().to_owned(), value.trim().to_owned());
    if column.is_empty() { Err(wrong()) } else { Ok(Only { column, value }) }
}

/// How far apart stimuli are: always the same, or as a column says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StimulusInterval {
    Always(Nanos),
    In(Place),
}

impl FromStr for StimulusInterval {
    type Err = PlaceError;

    fn from_str(written: &str) -> Result<StimulusInterval, PlaceError> {
        let (number, unit) = written.trim().split_once(' ').unwrap_or((written, ""));
        let time = TimeUnit::of(unit.trim()).and_then(|unit| unit.time(number).ok());
        if let Some(time) = time {
            return Ok(StimulusInterval::Always(time));
        }
        let place: Place = written.parse()?;
        match place.unit {
            Some(_) => Ok(StimulusInterval::In(place)),
            None => Err(PlaceError::NoUnit { written: written.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_column_a_unit_and_the_rows_that_count() {
        let place: Place = "time in ms where event = tap".parse().unwrap();
        let only = Only { column: "event".into(), value: "tap".into() };
        let unit = Some(TimeUnit::Milliseconds);
        assert_eq!(place, Place { column: "time".into(), unit, only: Some(only) });
        let place: Place = "time in trial in samples at 44100 Hz".parse().unwrap();
        assert_eq!(
            (&*place.column, place.unit),
            ("time in trial", Some(TimeUnit::Samples(44_100)))
        );
        let wrong = |text: &str| text.parse::<Place>().unwrap_err();
        let (written, unit) = ("onset in mss".to_owned(), "mss".to_owned());
        assert_eq!(wrong("onset in mss"), PlaceError::Unit { written, unit, near: Some("ms") });
        assert!(matches!(wrong("t in s where event"), PlaceError::Only { .. }));
        assert!(matches!(wrong(" in s"), PlaceError::NoColumn { .. }));
    }

    #[test]
    fn an_interval_is_a_time_or_a_column() {
        let always = |ns| Ok(StimulusInterval::Always(Nanos(ns)));
        assert_eq!("0.6 s".parse(), always(600_000_000));
        assert_eq!("600 ms".parse(), always(600_000_000));
        assert!(matches!("isi in ms".parse(), Ok(StimulusInterval::In(_))));
        assert!(matches!("isi".parse::<StimulusInterval>(), Err(PlaceError::NoUnit { .. })));
    }

    #[test]
    fn numbers_are_read_digit_by_digit_with_an_exponent_too() {
        let ms = |text: &str| TimeUnit::Milliseconds.time(text).map(|time| time.0);
        assert_eq!(ms("512.5"), Ok(512_500_000));
        assert_eq!(ms("-1.2e-05"), Ok(-12));
        assert_eq!(ms("1.5E3"), Ok(1_500_000_000));
        assert_eq!(ms("12e0"), Ok(12_000_000));
        assert_eq!(ms("512,5"), Err(NumberError::Comma));
        assert_eq!(ms("inf"), Err(NumberError::NotANumber));
        assert_eq!(ms("1e31"), Err(NumberError::NotANumber));
        assert_eq!(ms("e3"), Err(NumberError::NotANumber));
        assert_eq!(ms("1e25"), Err(NumberError::TooLarge));
        // 441 samples of 44,100 a second are 10 ms; 1 is 22,675.7 ns.
        assert_eq!(TimeUnit::Samples(44_100).time("441"), Ok(Nanos::from_millis(10)));
        assert_eq!(TimeUnit::Samples(44_100).time("1"), Ok(Nanos(22_676)));
        assert_eq!(TimeUnit::Milliseconds.step("12.25"), 10_000);
        assert_eq!(TimeUnit::Seconds.step("3"), 1_000_000_000);
    }
}

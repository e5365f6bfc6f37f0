//! The kind `date`: a day, as ISO 8601 has it.

use crate::study::question::{Answer, AnswerForm, Meaning, QuestionKind, ReadQuestion};
use crate::study::sections::{PARTICIPANT, QUESTION, key};
use crate::study::words::Words;
use chronotap_config::trial_files::reading::{Default::Not, Field, KeyKind as Holds, Part};
use serde_json::{Value, json};

/// Which days a date accepts, from the first to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Date {
    pub first: String,
    pub last: String,
}

#[rustfmt::skip] // one key, one entry
pub(super) static KIND: QuestionKind = QuestionKind {
    form: "date",
    keys: &[
        key(QUESTION, "date", Holds::Form("two days, first and last"), Not("none"), "The answer is a day between these, as year-month-day.", "date = [\"2026-01-01\", \"2026-12-31\"]"),
        key(PARTICIPANT, "date", Holds::Form("two days, first and last"), Not("none"), "The answer is a day between these, as year-month-day. A date of birth tells who somebody is: ask for the age.", "since = { question = \"When did you begin to play?\", date = [\"1930-01-01\", \"2030-12-31\"] }"),
    ],
    read: ReadQuestion::Keys(read),
    examples: || vec![Date { first: "2020-01-31".into(), last: "2026-02-28".into() }.into()],
};

fn read(part: &Part<'_>) -> Option<Answer> {
    part.read("date", |f| {
        let [first, last] = f.pair()?;
        let day = |f: &Field<'_>| match f.text()? {
            text if number(&text).is_some() => Some(text),
            _ => f.wrong("a day such as \"2026-01-31\""),
        };
        let (first, last) = (day(&first)?, day(&last)?);
        if number(&first) >= number(&last) {
            let cure = "write the first day and the last, such as [\"2026-01-01\", \"2026-12-31\"]";
            return f.problem("does not begin before it ends", cure);
        }
        Some(Date { first, last }.into())
    })
}

/// The days since 0000-03-01 in the calendar that is used everywhere; `None` where there is no such day.
fn number(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let [year, month, day] = [parts.next()?, parts.next()?, parts.next()?];
    let digits = |part: &str, of: usize| {
        (part.len() == of && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok())?
    };
    let (year, month, day): (i64, i64, i64) =
        (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    ((1..=days).contains(&day) && parts.next().is_none()).then(|| count(year, month, day))
}

/// A year that begins in March has its leap day at its end.
fn count(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
}

/// The day of this number.
fn of_number(number: i64) -> String {
    let mut year = number.div_euclid(366);
    while count(year + 1, 1, 1) <= number {
        year += 1;
    }
    let month = (1..=12).rev().find(|month| count(year, *month, 1) <= number).unwrap_or(1);
    format!("{year:04}-{month:02}-{:02}", number - count(year, month, 1) + 1)
}

impl AnswerForm for Date {
    fn kind(&self) -> &'static QuestionKind {
        &KIND
    }

    fn accepts(&self, given: &str) -> bool {
        let ends = number(&self.first).zip(number(&self.last));
        number(given).zip(ends).is_some_and(|(day, (first, last))| (first..=last).contains(&day))
    }

    fn expected(&self, words: &Words) -> String {
        words.between("date", &self.first, &self.last)
    }

    fn drawn(&self, drawn: u64) -> String {
        let (first, last) = (number(&self.first).unwrap_or(0), number(&self.last).unwrap_or(0));
        of_number(crate::study::question::kind::between(drawn, first, last))
    }

    fn meaning(&self) -> Meaning {
        Meaning { remark: "(year-month-day)".to_owned(), ..Meaning::default() }
    }

    fn shown(&self) -> Vec<(&'static str, Value)> {
        vec![("least", json!(self.first)), ("greatest", json!(self.last))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_that_there_are_not_are_refused() {
        for day in
            ["2026-02-29", "2025-13-01", "2026-1-01", "2026-00-10", "26-01-01", "2026-01-01-1"]
        {
            assert_eq!(number(day), None, "{day}");
        }
        assert!(number("2024-02-29").is_some() && number("2000-02-29").is_some());
        assert_eq!(number("2026-03-01").unwrap() - number("2026-02-28").unwrap(), 1);
    }

    #[test]
    fn every_day_comes_back_from_its_number() {
        let first = number("1999-12-30").unwrap();
        let days: Vec<String> = (0..1_500).map(|n| of_number(first + n)).collect();
        assert_eq!(days[2], "2000-01-01");
        assert!(days.iter().enumerate().all(|(n, day)| number(day) == Some(first + n as i64)));
    }
}

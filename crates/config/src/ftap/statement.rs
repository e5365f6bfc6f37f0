//! [`Statement`]: what one line of a configuration file says. Lines are taken one by one;
//! what they mean together is not here.
//!
//! FTAP's comment character is not known. A word that begins with `#` can be no number, so
//! it and what follows on its line are kept as a remark, unless the user names another sign.

use crate::ftap::answers::MOST_DRAWN;
use crate::ftap::fault::{FtapFault, whole};
use crate::ftap::keywords::{self, Parameter, TRIGGER};
use crate::ftap::readings::Readings;
use crate::ftap::trigger::{Trigger, trigger};
use crate::ftap::without::meant;

/// What a line says.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// An integer parameter and its value, which may be a mode that is not known.
    Integer(&'static Parameter, i64),
    /// An array and its values, without their number.
    Array(&'static str, Vec<i64>),
    /// A change in mid-trial.
    Trigger(Trigger),
    /// What random delays are drawn from, in ms, without their number.
    Table(Vec<i64>),
    /// A text that goes into the data.
    Text,
    /// What the experimenter wrote for themselves.
    Comment,
}

/// Reads a line that is not empty, as the user's readings have it.
pub(crate) fn statement(line: &str, readings: &Readings) -> Result<Statement, FtapFault> {
    let sign = readings.remark();
    let all = line.split_whitespace();
    let words: Vec<&str> = all.take_while(|word| !word.starts_with(&sign)).collect();
    let Some((keyword, values)) = words.split_first() else {
        return Ok(Statement::Comment);
    };
    said(keyword, values, readings).map_err(|fault| other_remark(&words, readings).unwrap_or(fault))
}

/// That the line could be read if a remark began with another sign.
fn other_remark(words: &[&str], readings: &Readings) -> Option<FtapFault> {
    let begins = |(at, word): (usize, &&str)| Some((at, Readings::other_remark(word)?));
    let (at, sign) = words.iter().enumerate().find_map(begins)?;
    let is_read = match words[..at].split_first() {
        Some((keyword, values)) => said(keyword, values, readings).is_ok(),
        None => true,
    };
    is_read.then_some(FtapFault::StrangeRemark { sign })
}

/// What a keyword and its values say, without a remark behind them.
fn said(keyword: &str, values: &[&str], readings: &Readings) -> Result<Statement, FtapFault> {
    if keyword == TRIGGER {
        return trigger(values, readings).map(Statement::Trigger);
    }
    if let Some(parameter) = keywords::parameter(keyword).filter(|p| readings.acts_on(p)) {
        return integer(parameter, values);
    }
    if let Some((name, least, most)) = keywords::array(keyword) {
        return array(name, values, least..=most);
    }
    if readings.drawn().is_some_and(|drawn| drawn.is_from(keyword)) {
        return table(keyword, values);
    }
    if readings.is_text(keyword) {
        return Ok(Statement::Text);
    }
    let word = keyword.chars().take(40).flat_map(char::escape_default).collect();
    Err(FtapFault::NoKeyword { word, near: meant(keyword, keywords::all()) })
}

fn integer(parameter: &'static Parameter, values: &[&str]) -> Result<Statement, FtapFault> {
    let name = parameter.name;
    let [value] = values else {
        return Err(FtapFault::OneNumber { name, found: values.len() });
    };
    let value = whole(name, value)?;
    match parameter.outside(value) {
        Some(fault) => Err(fault),
        None => Ok(Statement::Integer(parameter, value)),
    }
}

fn array(
    name: &'static str,
    values: &[&str],
    bounds: std::ops::RangeInclusive<i64>,
) -> Result<Statement, FtapFault> {
    numbers(name, values, bounds, MOST_POSITIONS).map(|values| Statement::Array(name, values))
}

/// The line that random delays are drawn from.
fn table(keyword: &str, values: &[&str]) -> Result<Statement, FtapFault> {
    numbers(keyword, values, 0..=DAY_MS, MOST_DRAWN).map(Statement::Table)
}

/// Numbers behind their number.
fn numbers(
    name: &str,
    values: &[&str],
    bounds: std::ops::RangeInclusive<i64>,
    longest: usize,
) -> Result<Vec<i64>, FtapFault> {
    let numbers = values.iter().map(|word| whole(name, word)).collect::<Result<Vec<i64>, _>>()?;
    let name = name.to_owned();
    let Some((&announced, elements)) = numbers.split_first() else {
        return Err(FtapFault::NoValues { name });
    };
    if announced != elements.len() as i64 || elements.is_empty() {
        return Err(FtapFault::Announced { name, announced, found: elements.len() });
    }
    if elements.len() > longest {
        return Err(FtapFault::LongArray { name, most: longest });
    }
    if let Some(&value) = elements.iter().find(|value| !bounds.contains(value)) {
        let (least, most) = bounds.into_inner();
        return Err(FtapFault::Element { name, value, least, most });
    }
    Ok(elements.to_vec())
}

const DAY_MS: i64 = 86_400_000;
/// The most steps that a pattern of a trial file may have.
const MOST_POSITIONS: usize = 100_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(line: &str) -> Result<Statement, FtapFault> {
        super::statement(line, &Readings::default())
    }

    fn fault(line: &str) -> FtapFault {
        statement(line).unwrap_err()
    }

    #[test]
    fn a_line_is_a_keyword_and_its_values() {
        assert!(
            matches!(statement("MSPB\t250"), Ok(Statement::Integer(p, 250)) if p.name == "MSPB")
        );
        assert!(matches!(statement("MSPB 250 # ms"), Ok(Statement::Integer(_, 250))));
        let pattern = statement("MET_PATTERN_ARRAY 3 1 0 1").unwrap();
        assert!(matches!(pattern, Statement::Array(keywords::PATTERN, v) if v == [1, 0, 1]));
    }

    #[test]
    fn a_line_that_is_not_understood_is_never_guessed() {
        assert!(matches!(statement("# MSPB 250"), Ok(Statement::Comment)));
        let (word, near) = ("MSBP".into(), Some("MSPB"));
        assert_eq!(fault("MSBP 250"), FtapFault::NoKeyword { word, near });
        assert!(matches!(fault("250 MSPB"), FtapFault::NoKeyword { .. }));
    }

    #[test]
    fn wrong_values_are_refused() {
        assert_eq!(fault("MSPB"), FtapFault::OneNumber { name: "MSPB", found: 0 });
        assert_eq!(fault("MSPB 2 5"), FtapFault::OneNumber { name: "MSPB", found: 2 });
        let (what, word) = ("MSPB".into(), "1.5".into());
        assert_eq!(fault("MSPB 1.5"), FtapFault::NoNumber { what, word });
        let outside = FtapFault::Outside { name: "MSPB", value: 0, least: 1, most: 3_600_000 };
        assert_eq!(fault("MSPB 0"), outside);
        let name = || keywords::PATTERN.to_owned();
        assert_eq!(fault("MET_PATTERN_ARRAY"), FtapFault::NoValues { name: name() });
        let announced = |announced, found| FtapFault::Announced { name: name(), announced, found };
        assert_eq!(fault("MET_PATTERN_ARRAY 8 1 0"), announced(8, 2));
        assert_eq!(fault("MET_PATTERN_ARRAY 0"), announced(0, 0));
        let element = FtapFault::Element { name: name(), value: 2, least: 0, most: 1 };
        assert_eq!(fault("MET_PATTERN_ARRAY 2 1 2"), element);
    }
}

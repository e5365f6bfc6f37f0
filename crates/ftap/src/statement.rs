//! [`Statement`]: what one line of a configuration file says. Lines are taken one by one;
//! what they mean together is not here.
//!
//! FTAP's comment character is not known. A word that begins with `#` can be no number, so
//! it and what follows on its line are kept as a remark.

use crate::fault::{Fault, whole};
use crate::keywords::{self, Parameter, TRIGGER};
use crate::trigger::{Trigger, TriggerLine, trigger};
use chronotap_text::nearest;

/// What a line says.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// An integer parameter and its value.
    Integer(&'static Parameter, i64),
    /// An array and its values, without their number.
    Array(&'static str, Vec<i64>),
    /// A change in mid-trial.
    Trigger(Trigger),
    /// Nothing that is acted on; with why, where that is worth a note.
    Kept(Option<String>),
}

/// Reads a line that is not empty.
pub(crate) fn statement(line: &str) -> Result<Statement, Fault> {
    let mut words = line.split_whitespace();
    let keyword = words.next().unwrap_or_default();
    let values: Vec<&str> = words.take_while(|word| !word.starts_with('#')).collect();
    if keyword == TRIGGER {
        return Ok(match trigger(&values)? {
            TriggerLine::Acts(trigger) => Statement::Trigger(trigger),
            TriggerLine::Kept(why) => Statement::Kept(Some(why)),
        });
    }
    if let Some(parameter) = keywords::parameter(keyword) {
        return integer(parameter, &values);
    }
    if let Some((name, least, most)) = keywords::array(keyword) {
        return array(name, &values, least..=most);
    }
    Ok(Statement::Kept(unknown(keyword)))
}

/// Why a line with this first word is only kept.
fn unknown(word: &str) -> Option<String> {
    if word.starts_with('#') {
        return None;
    }
    let short: String = word.chars().take(40).flat_map(char::escape_default).collect();
    let near = nearest(word, keywords::all());
    let meant = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    Some(format!(
        "{short} is no keyword that FTAP's public documents explain: kept, not acted on{meant}"
    ))
}

fn integer(parameter: &'static Parameter, values: &[&str]) -> Result<Statement, Fault> {
    let name = parameter.name;
    let [value] = values else {
        let message = format!("{name} takes one whole number, and here are {}", values.len());
        return Err(Fault::new(message, format!("write {name} and its number on a line alone")));
    };
    let value = whole(name, value)?;
    match parameter.refusal(value) {
        Some((message, cure)) => Err(Fault::new(message, cure)),
        None => Ok(Statement::Integer(parameter, value)),
    }
}

fn array(
    name: &'static str,
    values: &[&str],
    bounds: std::ops::RangeInclusive<i64>,
) -> Result<Statement, Fault> {
    let numbers = values.iter().map(|word| whole(name, word)).collect::<Result<Vec<i64>, _>>()?;
    let cure = format!("write {name}, how many values follow, and the values, on one line");
    let Some((count, elements)) = numbers.split_first() else {
        return Err(Fault::new(format!("{name} has no values"), cure));
    };
    if *count != elements.len() as i64 || elements.is_empty() {
        let message = format!("{name} announces {count} values and has {}", elements.len());
        return Err(Fault::new(message, cure));
    }
    if elements.len() > MOST_POSITIONS {
        let message = format!("{name} has more than {MOST_POSITIONS} values");
        return Err(Fault::new(message, "no trial file holds so many"));
    }
    if let Some(outside) = elements.iter().find(|value| !bounds.contains(value)) {
        let (least, most) = bounds.into_inner();
        let message = format!("{name} holds {outside}, which is outside {least} to {most}");
        return Err(Fault::new(message, "correct the value"));
    }
    Ok(Statement::Array(name, elements.to_vec()))
}

/// The most steps that a pattern of a trial file may have.
const MOST_POSITIONS: usize = 100_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: &str) -> String {
        statement(line).unwrap_err().message
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
    fn a_line_that_is_not_understood_is_kept_and_never_guessed() {
        assert!(matches!(statement("# MSPB 250"), Ok(Statement::Kept(None))));
        let Ok(Statement::Kept(Some(why))) = statement("MSBP 250") else { panic!() };
        assert!(why.contains("did you mean MSPB?"), "{why}");
        assert!(matches!(statement("250 MSPB"), Ok(Statement::Kept(Some(_)))));
    }

    #[test]
    fn wrong_values_are_refused() {
        assert_eq!(fault("MSPB"), "MSPB takes one whole number, and here are 0");
        assert_eq!(fault("MSPB 2 5"), "MSPB takes one whole number, and here are 2");
        assert_eq!(fault("MSPB 1.5"), "MSPB takes a whole number, not \"1.5\"");
        assert_eq!(fault("MSPB 0"), "MSPB 0 is outside 1 to 3600000");
        assert!(fault("FEED_PMODE 2").contains("a mode that no public document"));
        assert_eq!(fault("MET_PATTERN_ARRAY"), "MET_PATTERN_ARRAY has no values");
        assert!(fault("MET_PATTERN_ARRAY 8 1 0").contains("announces 8 values and has 2"));
        assert!(fault("MET_PATTERN_ARRAY 0").contains("announces 0 values"));
        assert!(fault("MET_PATTERN_ARRAY 2 1 2").contains("outside 0 to 1"));
    }
}

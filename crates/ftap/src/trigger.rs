//! [`Trigger`]: a TRIGGER line, `TRIGGER <id> <type> <count> <PARAM> <value>`. All five
//! fields must stand, also where END_EXP takes no notice of its value.

use crate::fault::{Fault, whole};
use crate::keywords::{self, END, PARAMETERS, Parameter};
use chronotap_text::nearest;

/// A change in mid-trial, or its end.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    pub id: String,
    pub moment: Moment,
    pub change: Change,
}

/// What a TRIGGER line says.
#[derive(Clone, Debug)]
pub(crate) enum TriggerLine {
    /// A change, or the end.
    Acts(Trigger),
    /// Nothing that is acted on; with why.
    Kept(String),
}

/// When a trigger acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// At this keystroke, from 1.
    Keystroke(i64),
    /// So many milliseconds after the start of the trial.
    Time(i64),
    /// At this count of the metronome.
    Metronome(i64),
}

/// What a trigger does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// Gives a parameter a value.
    Set(&'static Parameter, i64),
    /// Ends the trial.
    End,
}

/// One less than a trial file's greatest count, so that a count may move by one.
const MOST_COUNT: i64 = 999_999_998;
const DAY_MS: i64 = 86_400_000;

impl Moment {
    /// Whether two moments are counted alike, so that it is known which comes first.
    pub fn is_like(self, other: Moment) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// Keystroke number, milliseconds or metronome count.
    pub const fn count(self) -> i64 {
        match self {
            Moment::Keystroke(count) | Moment::Time(count) | Moment::Metronome(count) => count,
        }
    }
}

impl Trigger {
    /// The parameter and the value it is set to; `None` where the trigger ends the trial.
    pub const fn sets(&self) -> Option<(&'static Parameter, i64)> {
        match self.change {
            Change::Set(parameter, value) => Some((parameter, value)),
            Change::End => None,
        }
    }
}

/// Reads the fields of a TRIGGER line.
pub(crate) fn trigger(fields: &[&str]) -> Result<TriggerLine, Fault> {
    let [id, kind, count, name, value] = fields else {
        let message = format!("a TRIGGER has five fields, and here are {}", fields.len());
        let cure = "write TRIGGER, an id, K, T or M, a count, a keyword, and a whole number";
        return Err(Fault::new(message, cure));
    };
    let moment = moment(kind, whole("the count of a TRIGGER", count)?)?;
    let value = whole(&format!("{name} in a TRIGGER"), value)?;
    let change = match (keywords::parameter(name), *name) {
        (Some(parameter), _) => match parameter.refusal(value) {
            Some((message, cure)) => return Err(Fault::new(message, cure)),
            None => Change::Set(parameter, value),
        },
        (None, END) => Change::End,
        (None, _) => return strange(name),
    };
    if id.chars().count() > 40 || id.chars().any(char::is_control) {
        return Err(Fault::new("this id is no short word", "give the trigger a number as its id"));
    }
    Ok(TriggerLine::Acts(Trigger { id: (*id).to_owned(), moment, change }))
}

fn moment(kind: &str, count: i64) -> Result<Moment, Fault> {
    let (moment, least, most) = match kind {
        "K" => (Moment::Keystroke(count), 1, MOST_COUNT),
        "T" => (Moment::Time(count), 0, DAY_MS),
        "M" => (Moment::Metronome(count), 0, MOST_COUNT),
        _ => {
            let short: String = kind.chars().take(10).flat_map(char::escape_default).collect();
            let message = format!("a TRIGGER is of type K, T or M, not \"{short}\"");
            return Err(Fault::new(
                message,
                "K counts keystrokes, T milliseconds, M the metronome",
            ));
        }
    };
    if !(least..=most).contains(&count) {
        let message = format!("a count of {count} is outside {least} to {most}");
        return Err(Fault::new(message, "correct the count"));
    }
    Ok(moment)
}

/// A trigger of something that is no attested integer parameter.
fn strange(name: &str) -> Result<TriggerLine, Fault> {
    if keywords::array(name).is_some() {
        let message = format!("{name} is an array, and a TRIGGER sets integers");
        return Err(Fault::new(message, "leave this trigger out"));
    }
    let short: String = name.chars().take(40).flat_map(char::escape_default).collect();
    let known = PARAMETERS.iter().map(|parameter| parameter.name).chain([END]);
    let meant =
        nearest(name, known).map_or(String::new(), |near| format!("; did you mean {near}?"));
    Ok(TriggerLine::Kept(format!(
        "{short} is no parameter that FTAP's public documents explain: this TRIGGER is kept, not \
         acted on{meant}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is made of a line after its keyword.
    fn read(line: &str) -> Result<TriggerLine, Fault> {
        let mut words = line.split(' ');
        assert_eq!(words.next(), Some(keywords::TRIGGER));
        trigger(&words.collect::<Vec<_>>())
    }

    #[test]
    fn all_five_fields_must_stand() {
        let Ok(TriggerLine::Acts(end)) = read("TRIGGER 3 M 92 END_EXP 0") else { panic!() };
        assert_eq!((end.id.as_str(), end.moment), ("3", Moment::Metronome(92)));
        assert!(end.sets().is_none());
        let fault = |line| read(line).unwrap_err().message;
        assert_eq!(fault("TRIGGER 3 M 92 END_EXP"), "a TRIGGER has five fields, and here are 4");
        assert_eq!(fault("TRIGGER 1 X 9 MSPB 5"), "a TRIGGER is of type K, T or M, not \"X\"");
        assert_eq!(fault("TRIGGER 1 K 0 MSPB 5"), "a count of 0 is outside 1 to 999999998");
        assert_eq!(fault("TRIGGER 1 K 1 MSPB 0"), "MSPB 0 is outside 1 to 3600000");
        assert!(fault("TRIGGER 1 K 1 MET_PATTERN_ARRAY 0").contains("is an array"));
        assert!(fault("TRIGGER 1 K 1 END_EXP x").contains("whole number"));
    }

    #[test]
    fn a_trigger_of_an_unknown_parameter_is_kept() {
        let Ok(TriggerLine::Kept(why)) = read("TRIGGER 1 K 5 FEED_DVLA 9") else { panic!() };
        assert!(why.contains("did you mean FEED_DVAL?"), "{why}");
    }
}

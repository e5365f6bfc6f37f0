//! [`Trigger`]: a TRIGGER line, `TRIGGER <id> <type> <count> <PARAM> <value>`. All five
//! fields must stand, also where END_EXP takes no notice of its value.

use crate::ftap::fault::{FtapFault, whole};
use crate::ftap::keywords::{self, END, PARAMETERS, Parameter};
use crate::ftap::readings::Readings;
use crate::ftap::without::meant;

/// A change in mid-trial, or its end.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    pub id: String,
    pub moment: Moment,
    pub change: Change,
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
    /// Gives a parameter a value, which may be a mode that is not known.
    Set(&'static Parameter, i64),
    /// Sounds this note.
    Play(i64),
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
    /// Whether it gives a parameter this value.
    pub fn sets_to(&self, value: i64) -> bool {
        self.sets().is_some_and(|(_, to)| to == value)
    }

    /// The parameter and the value it is set to; `None` where the trigger does something else.
    pub const fn sets(&self) -> Option<(&'static Parameter, i64)> {
        match self.change {
            Change::Set(parameter, value) => Some((parameter, value)),
            Change::Play(_) | Change::End => None,
        }
    }
}

/// Reads the fields of a TRIGGER line, as the user's readings have it.
pub(crate) fn trigger(fields: &[&str], readings: &Readings) -> Result<Trigger, FtapFault> {
    let [id, kind, count, name, value] = fields else {
        return Err(FtapFault::Fields { found: fields.len() });
    };
    let moment = moment(kind, whole("the count of a TRIGGER", count)?)?;
    let value = whole(&format!("{name} in a TRIGGER"), value)?;
    let parameter = keywords::parameter(name).filter(|parameter| readings.acts_on(parameter));
    let change = match (parameter, *name) {
        (Some(parameter), _) => match parameter.outside(value) {
            Some(fault) => return Err(fault),
            None => Change::Set(parameter, value),
        },
        (None, END) => Change::End,
        (None, word) if readings.trigger_tone().is_some_and(|tone| tone.keyword == word) => {
            Change::Play(note(name, value)?)
        }
        (None, _) => return Err(strange(name)),
    };
    if id.chars().count() > 40 || id.chars().any(char::is_control) {
        return Err(FtapFault::LongId);
    }
    Ok(Trigger { id: (*id).to_owned(), moment, change })
}

/// A MIDI note.
fn note(name: &str, value: i64) -> Result<i64, FtapFault> {
    let (name, least, most) = (name.to_owned(), 0, 127);
    let is_one = (least..=most).contains(&value);
    is_one.then_some(value).ok_or(FtapFault::Element { name, value, least, most })
}

fn moment(kind: &str, count: i64) -> Result<Moment, FtapFault> {
    let (moment, least, most) = match kind {
        "K" => (Moment::Keystroke(count), 1, MOST_COUNT),
        "T" => (Moment::Time(count), 0, DAY_MS),
        "M" => (Moment::Metronome(count), 0, MOST_COUNT),
        _ => {
            let found = kind.chars().take(10).flat_map(char::escape_default).collect();
            return Err(FtapFault::Type { found });
        }
    };
    if !(least..=most).contains(&count) {
        return Err(FtapFault::Count { count, least, most });
    }
    Ok(moment)
}

/// A trigger of something that is no attested integer parameter.
fn strange(name: &str) -> FtapFault {
    if keywords::array(name).is_some() {
        return FtapFault::ArrayTrigger { name: name.to_owned() };
    }
    let word = name.chars().take(40).flat_map(char::escape_default).collect();
    let known = PARAMETERS.iter().filter(|parameter| !parameter.is_of_masking());
    let known = known.map(|parameter| parameter.name).chain([END]);
    FtapFault::NoParameter { word, near: meant(name, known) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is made of a line after its keyword.
    fn read(line: &str) -> Result<Trigger, FtapFault> {
        let mut words = line.split(' ');
        assert_eq!(words.next(), Some(keywords::TRIGGER));
        trigger(&words.collect::<Vec<_>>(), &Readings::default())
    }

    #[test]
    fn all_five_fields_must_stand() {
        let end = read("TRIGGER 3 M 92 END_EXP 0").unwrap();
        assert_eq!((end.id.as_str(), end.moment), ("3", Moment::Metronome(92)));
        assert!(end.sets().is_none());
        let fault = |line| read(line).unwrap_err();
        assert_eq!(fault("TRIGGER 3 M 92 END_EXP"), FtapFault::Fields { found: 4 });
        assert_eq!(fault("TRIGGER 1 X 9 MSPB 5"), FtapFault::Type { found: "X".into() });
        let count = FtapFault::Count { count: 0, least: 1, most: 999_999_998 };
        assert_eq!(fault("TRIGGER 1 K 0 MSPB 5"), count);
        let outside = FtapFault::Outside { name: "MSPB", value: 0, least: 1, most: 3_600_000 };
        assert_eq!(fault("TRIGGER 1 K 1 MSPB 0"), outside);
        let name = keywords::PATTERN.to_owned();
        assert_eq!(fault("TRIGGER 1 K 1 MET_PATTERN_ARRAY 0"), FtapFault::ArrayTrigger { name });
        let (what, word) = ("END_EXP in a TRIGGER".into(), "x".into());
        assert_eq!(fault("TRIGGER 1 K 1 END_EXP x"), FtapFault::NoNumber { what, word });
    }

    #[test]
    fn a_trigger_of_an_unknown_parameter_is_never_guessed() {
        let why = read("TRIGGER 1 K 5 FEED_DVLA 9").unwrap_err();
        assert_eq!(
            why,
            FtapFault::NoParameter { word: "FEED_DVLA".into(), near: Some("FEED_DVAL") }
        );
        // MET_CHAN is near, and was not meant.
        let why = read("TRIGGER 1 K 5 MASK_CHAN 9").unwrap_err();
        assert_eq!(why, FtapFault::NoParameter { word: "MASK_CHAN".into(), near: None });
    }
}

//! [`Readings`]: how the user reads what FTAP's public documents leave open, and the values
//! of parameters that a file does not give. Which questions there are, their answers and the
//! usual one stand in one table, from which help, errors and the trial file's comments come.

use crate::ftap::answers::{Drawn, Tone, is_keyword, maps, masking};
use crate::ftap::keywords::{self, Parameter};
use crate::ftap::without::{NoPart, Without};
use chronotap_core::text::nearest;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub(crate) const COUNT: &str = "count";
pub(crate) const FIRST_COUNT: &str = "first-count";
pub(crate) const METRONOME_TRIGGER: &str = "metronome-trigger";
pub(crate) const KEYSTROKE_TRIGGER: &str = "keystroke-trigger";
pub(crate) const KEYSTROKES: &str = "keystrokes";
pub(crate) const FIRST_BEAT: &str = "first-beat";
pub(crate) const TEMPO: &str = "tempo";
pub(crate) const SWITCHED_ON: &str = "switched-on";
pub(crate) const RELEASE: &str = "release";
pub(crate) const LOW_SIDE: &str = "low-side";
pub(crate) const SPLIT: &str = "split";
pub(crate) const SPLIT_KEY: &str = "split-key";
pub(crate) const RANDOM: &str = "random-delay";
pub(crate) const PITCH_MAP: &str = "pitch-map";
pub(crate) const MASKING: &str = "masking";
pub(crate) const MASKING_SPACING: &str = "masking-spacing";
pub(crate) const TRIGGER_TONE: &str = "trigger-tone";
pub(crate) const STRINGS: &str = "strings";
pub(crate) const REMARK: &str = "remark";
pub(crate) const REPEATED: &str = "repeated";
pub(crate) const BAD_TRIGGER: &str = "bad-trigger";

/// What begins a remark only if the user says so.
const REMARKS: [&str; 4] = [";", "//", "%", "!"];

struct Question {
    name: &'static str,
    answers: Answers,
}

enum Answers {
    /// Words and what each means; the first is the usual one.
    Words(&'static [(&'static str, &'static str)]),
    /// Least, greatest and usual number, and what it is.
    Number(i64, i64, i64, &'static str),
    /// An example, what the answer is, and whether a text is one; there is no usual answer.
    Such(&'static str, &'static str, fn(&str) -> bool),
}

/// Questions with one answer are no choice; they are said where they matter.
const QUESTIONS: &[Question] = &[
    Question {
        name: COUNT,
        answers: Answers::Words(&[
            ("positions", "M counts every position of the pattern, rests as well"),
            ("tones", "M counts the positions that have a tone, heard or switched off"),
        ]),
    },
    Question {
        name: FIRST_COUNT,
        answers: Answers::Words(&[
            ("1", "the metronome's first position has count 1"),
            ("0", "the metronome's first position has count 0"),
        ]),
    },
    Question {
        name: METRONOME_TRIGGER,
        answers: Answers::Words(&[
            ("before-tone", "an M trigger acts before the tone of its position"),
            ("after-tone", "an M trigger acts after the tone of its position"),
        ]),
    },
    Question {
        name: KEYSTROKE_TRIGGER,
        answers: Answers::Words(&[
            ("this", "a K trigger already changes the feedback of its own keystroke"),
            ("next", "a K trigger changes the feedback from the next keystroke on"),
        ]),
    },
    Question {
        name: KEYSTROKES,
        answers: Answers::Words(&[("presses", "K counts keys that go down, not up")]),
    },
    Question {
        name: FIRST_BEAT,
        answers: Answers::Number(
            0,
            86_400_000,
            0,
            "ms from the start of the trial to the metronome's first position",
        ),
    },
    Question {
        name: TEMPO,
        answers: Answers::Words(&[(
            "next",
            "a new MSPB holds from the next position on, or at once where an M trigger sets it",
        )]),
    },
    Question {
        name: SWITCHED_ON,
        answers: Answers::Words(&[(
            "in-phase",
            "the metronome counts on while METRON_ON is 0, and is switched on again in phase",
        )]),
    },
    Question {
        name: RELEASE,
        answers: Answers::Words(&[(
            "delayed",
            "with length 0 a tone ends as long after the key goes up as it began after it went down",
        )]),
    },
    Question {
        name: LOW_SIDE,
        answers: Answers::Words(&[
            ("3", "FEED_ON 3 is the low side of the keyboard, 2 the high side"),
            ("2", "FEED_ON 2 is the low side of the keyboard, 3 the high side"),
        ]),
    },
    Question {
        name: SPLIT,
        answers: Answers::Number(
            1,
            127,
            60,
            "MIDI note, the lowest of the high side, in a file without SPLIT_POINT",
        ),
    },
    Question {
        name: SPLIT_KEY,
        answers: Answers::Words(&[
            ("high", "the key at SPLIT_POINT is the lowest of the high side"),
            ("low", "the key at SPLIT_POINT is the highest of the low side"),
        ]),
    },
    Question {
        name: RANDOM,
        answers: Answers::Such(
            "0..250",
            "what a random delay (FEED_DMODE above 1) is drawn from: two numbers of ms, all between \
             equally likely; or a line of the file that begins with RNG and has how many ms follow and \
             the ms, as RNG_TABLE, RNG_TABLE:shuffled or RNG_TABLE:in-order; it has no usual value",
            |answer| Drawn::of(answer).is_some(),
        ),
    },
    Question {
        name: PITCH_MAP,
        answers: Answers::Such(
            "2:mirror:62",
            "what FEED_PMODE above 1 does, as MODE:FORM:VALUE, several with ; between them; forms are \
             those of pitch in a trial file: transpose:-12, mirror:62, shift:-1, random:60..72, \
             shuffled:60..72, once:60..72, sequence:60,62,64; it has no usual value",
            |answer| maps(answer).is_some(),
        ),
    },
    Question {
        name: MASKING,
        answers: Answers::Such(
            "20@48..84",
            "so many random tones a second, of notes drawn from this range, all equally likely; \
             MASK_ON, MASK_CHAN, MASK_VEL and MASK_LEN are of them what METRON_ON, MET_CHAN, MET_VEL \
             and MET_LEN are of the metronome; it has no usual value",
            |answer| masking(answer).is_some(),
        ),
    },
    Question {
        name: MASKING_SPACING,
        answers: Answers::Words(&[
            ("even", "the tones of masking are evenly spaced"),
            ("random", "the tones of masking come at random moments (exponential intervals)"),
        ]),
    },
    Question {
        name: TRIGGER_TONE,
        answers: Answers::Such(
            "PLAY_NOTE:1/100/200",
            "a TRIGGER of this keyword sounds the note of its value, with this channel, velocity and \
             length in ms; it has no usual value",
            |answer| Tone::of(answer).is_some(),
        ),
    },
    Question {
        name: STRINGS,
        answers: Answers::Such(
            "FACTORS,SUBJECT",
            "lines that begin with these keywords are texts, which go into the description of the \
             trial and so into its data; it has no usual value",
            |answer| answer.split(',').all(is_keyword),
        ),
    },
    Question {
        name: REMARK,
        answers: Answers::Words(&[
            ("#", "a word that begins with # begins a remark, up to the end of the line"),
            (";", "a word that begins with ; begins a remark, up to the end of the line"),
            ("//", "a word that begins with // begins a remark, up to the end of the line"),
            ("%", "a word that begins with % begins a remark, up to the end of the line"),
            ("!", "a word that begins with ! begins a remark, up to the end of the line"),
        ]),
    },
    Question {
        name: REPEATED,
        answers: Answers::Words(&[
            ("last", "of a keyword that stands twice the last line holds"),
            ("first", "of a keyword that stands twice the first line holds"),
        ]),
    },
    Question {
        name: BAD_TRIGGER,
        answers: Answers::Words(&[
            ("error", "a TRIGGER line with a mistake is an error"),
            ("skip", "a TRIGGER line with a mistake is left out, and said"),
        ]),
    },
];

/// Why a reading was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// No `=` in it.
    #[error("\"{0}\" is no reading")]
    Form(String),
    /// There is no such question and no such parameter.
    #[error("there is no reading \"{name}\"")]
    Unknown {
        name: String,
        /// The valid name nearest to it.
        near: Option<&'static str>,
    },
    /// Not one of the answers.
    #[error("the reading {name} cannot be \"{value}\"")]
    Value {
        /// The question or parameter.
        name: &'static str,
        value: String,
        /// What may stand there.
        expected: ExpectedReading,
    },
    /// There is nothing of this name that can be dropped.
    #[error("there is nothing called \"{name}\" that could be dropped")]
    NoPart {
        name: String,
        /// The valid name nearest to it.
        near: Option<&'static str>,
    },
}

/// What may be the answer of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedReading {
    /// One of these words.
    Words(Vec<&'static str>),
    /// A whole number from the first to the second.
    Number(i64, i64),
    /// Something of the form of this.
    Such(&'static str),
}

impl fmt::Display for ExpectedReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectedReading::Words(words) => f.write_str(&words.join(" or ")),
            ExpectedReading::Number(least, most) => {
                write!(f, "a whole number from {least} to {most}")
            }
            ExpectedReading::Such(such) => write!(f, "it as in {such}"),
        }
    }
}

/// The answers that the user gave; the usual ones elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    answers: BTreeMap<&'static str, String>,
    values: BTreeMap<&'static str, i64>,
    without: Without,
    asked: RefCell<BTreeSet<&'static str>>,
}

impl Readings {
    /// Reads `NAME=VALUE`, each the name of a question or of an integer parameter.
    ///
    /// # Errors
    /// The first that is not understood.
    pub fn parse<T: AsRef<str>>(given: &[T]) -> Result<Readings, ReadingError> {
        let mut readings = Readings::default();
        for text in given.iter().map(AsRef::as_ref) {
            let (name, value) =
                text.split_once('=').ok_or_else(|| ReadingError::Form(text.to_owned()))?;
            readings.take(name.trim(), value.trim())?;
        }
        Ok(readings)
    }

    /// Lets what has one of these names be dropped from the file.
    ///
    /// # Errors
    /// The first that is not understood.
    pub fn without<T: AsRef<str>>(mut self, given: &[T]) -> Result<Readings, ReadingError> {
        let refused = |NoPart { name, near }| ReadingError::NoPart { name, near };
        self.without = Without::parse(given).map_err(refused)?;
        Ok(self)
    }

    /// Whether a part is to be dropped from the file.
    pub(crate) fn drops(&self, part: &str) -> bool {
        self.without.has(part)
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), ReadingError> {
        if let Some(parameter) = keywords::parameter(name) {
            self.values.insert(parameter.name, of_parameter(parameter, value)?);
            return Ok(());
        }
        let Some(question) = QUESTIONS.iter().find(|question| question.name == name) else {
            let names = QUESTIONS.iter().map(|question| question.name).chain(keywords::all());
            let near = nearest(name, names);
            return Err(ReadingError::Unknown { name: name.to_owned(), near });
        };
        if !question.admits(value) {
            let (value, expected) = (value.to_owned(), question.expected());
            return Err(ReadingError::Value { name: question.name, value, expected });
        }
        self.answers.insert(question.name, value.to_owned());
        Ok(())
    }

    /// What each question may be answered, for the help; the first of each is the usual one.
    pub fn help() -> String {
        let mut help = String::new();
        for question in QUESTIONS {
            match question.answers {
                Answers::Words([_]) => {}
                Answers::Words(words) => {
                    for (word, meaning) in words {
                        help += &format!("  {}={word}\n      {meaning}\n", question.name);
                    }
                }
                Answers::Such(such, meaning, _) => {
                    help += &format!("  {}={such}\n      {meaning}\n", question.name);
                }
                Answers::Number(_, _, usual, meaning) => {
                    help += &format!("  {}={usual}\n      {meaning}\n", question.name);
                }
            }
        }
        help + "  FEED_NOTE=60, and so with every other keyword that has one number\n      \
                the value of a parameter that the file does not give"
    }

    /// Whether a question has this answer.
    pub(crate) fn is(&self, name: &'static str, answer: &str) -> bool {
        self.asked.borrow_mut().insert(name);
        self.answer(name) == answer
    }

    /// The number that answers a question.
    pub(crate) fn number(&self, name: &'static str) -> i64 {
        self.asked.borrow_mut().insert(name);
        self.answer(name).parse().expect("numbers were checked when they were taken")
    }

    /// The answer to a question that has no usual one; none where the user gave none.
    fn given(&self, name: &'static str) -> Option<&str> {
        let answer = self.answers.get(name)?;
        self.asked.borrow_mut().insert(name);
        Some(answer)
    }

    /// What random delays are drawn from.
    pub(crate) fn drawn(&self) -> Option<Drawn> {
        self.given(RANDOM).and_then(Drawn::of)
    }

    /// What this pitch mode does, as a trial file says it.
    pub(crate) fn pitch_map(&self, mode: i64) -> Option<String> {
        let all = self.given(PITCH_MAP).and_then(maps)?;
        all.into_iter().find(|(of, _)| *of == mode).map(|(_, form)| form)
    }

    /// Tones of masking in a second, and the lowest and highest of their notes.
    pub(crate) fn masking(&self) -> Option<(i64, (i64, i64))> {
        self.given(MASKING).and_then(masking)
    }

    /// The keyword whose triggers sound a tone, and how.
    pub(crate) fn trigger_tone(&self) -> Option<Tone> {
        self.given(TRIGGER_TONE).and_then(Tone::of)
    }

    /// Whether lines of this keyword are texts for the data.
    pub(crate) fn is_text(&self, keyword: &str) -> bool {
        self.given(STRINGS).is_some_and(|all| all.split(',').any(|one| one.trim() == keyword))
    }

    /// What begins a remark.
    pub(crate) fn remark(&self) -> String {
        self.answer(REMARK)
    }

    /// What begins a remark where the user says so, if a word begins like that.
    pub(crate) fn other_remark(word: &str) -> Option<&'static str> {
        REMARKS.into_iter().find(|sign| word.starts_with(sign))
    }

    /// Whether a parameter is acted on: those of masking where the user says what sounds.
    pub(crate) fn acts_on(&self, parameter: &Parameter) -> bool {
        !parameter.is_of_masking() || self.is_answered(MASKING)
    }

    /// Whether the user answered a question.
    pub(crate) fn is_answered(&self, name: &str) -> bool {
        self.answers.contains_key(name)
    }

    /// The value of a parameter that the file does not give.
    pub(crate) fn value(&self, parameter: &'static str) -> Option<i64> {
        self.values.get(parameter).copied()
    }

    /// The parameters that were given a value here.
    pub(crate) fn values(&self) -> impl Iterator<Item = &'static str> {
        self.values.keys().copied()
    }

    /// Forgets which questions were asked, before another file.
    pub(crate) fn begin(&self) {
        self.asked.borrow_mut().clear();
    }

    /// A line for each question that was asked: its name, its answer, what that means.
    pub(crate) fn told(&self) -> Vec<String> {
        let asked = self.asked.borrow();
        let given = |question: &&Question| !self.answer(question.name).is_empty();
        let asked = QUESTIONS.iter().filter(|question| asked.contains(question.name));
        let asked = asked.filter(given);
        let line = |question: &Question| {
            let answer = self.answer(question.name);
            format!("{} = {answer}: {}", question.name, question.meaning(&answer))
        };
        asked.map(line).collect()
    }

    fn answer(&self, name: &'static str) -> String {
        let usual = || {
            let question = QUESTIONS.iter().find(|question| question.name == name);
            question.map_or_else(String::new, Question::usual)
        };
        self.answers.get(name).cloned().unwrap_or_else(usual)
    }
}

fn of_parameter(parameter: &'static Parameter, value: &str) -> Result<i64, ReadingError> {
    let number = value.parse().ok().filter(|number| parameter.refusal(*number).is_none());
    number.ok_or_else(|| ReadingError::Value {
        name: parameter.name,
        value: value.to_owned(),
        expected: ExpectedReading::Number(parameter.least, parameter.most),
    })
}

impl Question {
    fn usual(&self) -> String {
        match self.answers {
            Answers::Words(words) => words[0].0.to_owned(),
            Answers::Number(_, _, usual, _) => usual.to_string(),
            Answers::Such(..) => String::new(),
        }
    }

    fn admits(&self, value: &str) -> bool {
        match self.answers {
            Answers::Words(words) => words.iter().any(|(word, _)| *word == value),
            Answers::Number(least, most, ..) => {
                value.parse().is_ok_and(|number: i64| (least..=most).contains(&number))
            }
            Answers::Such(.., is_one) => is_one(value),
        }
    }

    fn expected(&self) -> ExpectedReading {
        match self.answers {
            Answers::Words(words) => {
                ExpectedReading::Words(words.iter().map(|(word, _)| *word).collect())
            }
            Answers::Number(least, most, ..) => ExpectedReading::Number(least, most),
            Answers::Such(such, ..) => ExpectedReading::Such(such),
        }
    }

    fn meaning(&self, answer: &str) -> &'static str {
        match self.answers {
            Answers::Words(words) => {
                words.iter().find(|(word, _)| *word == answer).map_or("", |(_, meaning)| meaning)
            }
            Answers::Number(.., meaning) | Answers::Such(_, meaning, _) => meaning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(given: &str) -> ReadingError {
        Readings::parse(&[given]).unwrap_err()
    }

    #[test]
    fn usual_answers_hold_where_none_is_given() {
        let readings = Readings::parse(&["count=tones", "split=48", "MSPB=500"]).unwrap();
        assert!(readings.is(COUNT, "tones") && readings.is(FIRST_COUNT, "1"));
        assert_eq!((readings.number(SPLIT), readings.number(FIRST_BEAT)), (48, 0));
        assert_eq!(readings.value("MSPB"), Some(500));
        assert_eq!(readings.told().len(), 4, "what was asked is told");
    }

    #[test]
    fn what_is_not_understood_names_what_may_stand_there() {
        assert_eq!(refusal("count"), ReadingError::Form("count".into()));
        let (name, near) = ("cuont".to_owned(), Some("count"));
        assert_eq!(refusal("cuont=tones"), ReadingError::Unknown { name, near });
        let of = |name, value: &str, expected| ReadingError::Value {
            name,
            value: value.to_owned(),
            expected,
        };
        let words = ExpectedReading::Words(vec!["positions", "tones"]);
        assert_eq!(refusal("count=beats"), of("count", "beats", words));
        assert_eq!(refusal("split=128"), of("split", "128", ExpectedReading::Number(1, 127)));
        assert_eq!(refusal("FEED_CHAN=0"), of("FEED_CHAN", "0", ExpectedReading::Number(1, 16)));
    }
}

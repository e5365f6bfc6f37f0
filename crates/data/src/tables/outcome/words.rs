//! A contrast in words, as `--contrast` takes them and tables name it: `mean asynchrony: delay 200 ms - 0 ms`,
//! `alpha: delay 200 ms - 0 ms by group old - young`, `mean asynchrony: slope over delay`.

use super::{Outcome, OutcomeQuestion, Stands, is_numeric};
use crate::tables::unknown::{ContrastError, Named, unknown_level};
use crate::tables::{Sources, TablesError, measures};
use chronotap_core::text::nearest;
use std::str::FromStr;

impl FromStr for Outcome {
    type Err = ContrastError;

    fn from_str(text: &str) -> Result<Outcome, ContrastError> {
        // What cannot be said again is not understood: a table names it by its words.
        let is_said_again = |asked: &Outcome| read(&asked.words()).as_ref() == Some(asked);
        // A minus as word processors and web pages have it.
        let plain = text.replace(['−', '–'], "-");
        let asked = read(text).or_else(|| read(&plain));
        asked.filter(is_said_again).ok_or_else(|| ContrastError::Form(text.to_owned()))
    }
}

fn read(text: &str) -> Option<Outcome> {
    let (of, over) = text.split_once(':')?;
    let of = of_what(of.trim())?;
    let over = over.trim();
    let (over, value) = before_value(over);
    if over.is_empty() {
        return value.map(|value| Outcome { value: Some(value), ..of });
    }
    let of = Outcome { value, ..of };
    // Of places and curves, and of differences, there is no other value than none.
    let may_have_value = |asks| value.is_none() || asks == OutcomeQuestion::Slope;
    for (word, asks) in OutcomeQuestion::KEYS {
        let factor = over.strip_prefix(word).and_then(|rest| rest.strip_prefix(" over "));
        if let Some(factor) = factor.filter(|_| may_have_value(asks)) {
            return Some(Outcome { over: Some(some(factor)?), asks, ..of });
        }
    }
    if value.is_some() {
        let (factor, level) = over.split_once(' ').filter(|_| !over.contains(" - "))?;
        let is_word = OutcomeQuestion::KEYS.iter().any(|(word, _)| *word == factor);
        let level = (!is_word).then_some(level)?;
        return Some(Outcome { over: Some(some(factor)?), level: Some(some(level)?), ..of });
    }
    let (first, by) = match over.split_once(" by ") {
        Some((first, by)) => (first, Some(compared(by)?)),
        None => (over, None),
    };
    let (over, levels) = compared(first)?;
    let (by, by_levels) = by.unzip();
    Some(Outcome { over: Some(over), levels: Some(levels), by, by_levels, ..of })
}

/// What stands before `against VALUE`, and the value.
fn before_value(text: &str) -> (&str, Option<f64>) {
    let number = |value: &str| value.trim().parse().ok().filter(|value: &f64| value.is_finite());
    let split =
        text.rsplit_once("against ").and_then(|(before, value)| Some((before, number(value)?)));
    match split {
        Some((before, value)) if before.is_empty() || before.ends_with(' ') => {
            (before.trim(), Some(value))
        }
        _ => (text, None),
    }
}

/// `FACTOR LEVEL - LEVEL`
fn compared(text: &str) -> Option<(String, [String; 2])> {
    let (first, less) = text.split_once(" - ")?;
    let (factor, level) = first.trim().split_once(' ')?;
    Some((some(factor)?, [some(level)?, some(less)?]))
}

/// `STATISTIC of INPUT against STREAM in STRETCH`, or `QUESTION = ANSWER`; all but the first may be left out.
fn of_what(text: &str) -> Option<Outcome> {
    let (text, stretch) = before(text, " in ");
    let (text, against) = before(text, " against ");
    let (text, input) = before(text, " of ");
    let (of, is) = before(text, " = ");
    let stands = Stands::Asked;
    Some(Outcome { stands, of: some(of)?, is, input, against, stretch, ..Outcome::default() })
}

fn before<'a>(text: &'a str, word: &str) -> (&'a str, Option<String>) {
    match text.split_once(word) {
        Some((before, after)) => (before, some(after)),
        None => (text, None),
    }
}

fn some(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

impl Outcome {
    /// In the words of which it may be made.
    pub fn words(&self) -> String {
        let compared = |factor: &Option<String>, levels: &Option<[String; 2]>| {
            let [level, less] = levels.as_ref()?;
            Some(format!("{} {level} - {less}", factor.as_ref()?))
        };
        let over = self.over.as_deref().unwrap_or_default();
        let against = self.value.map(|value| format!("against {value}"));
        let what = match (self.asks, &self.level) {
            (OutcomeQuestion::Difference, Some(level)) => format!("{over} {level}"),
            (OutcomeQuestion::Difference, None) => {
                let first = compared(&self.over, &self.levels).unwrap_or_default();
                let by = compared(&self.by, &self.by_levels);
                first + &by.map_or(String::new(), |by| format!(" by {by}"))
            }
            (asks, _) => format!("{} over {over}", asks.word()),
        };
        let parts = [Some(what), against].into_iter().flatten().filter(|part| !part.is_empty());
        format!("{}: {}", self.measure(), parts.collect::<Vec<_>>().join(" "))
    }

    /// Whether all that it names is there: `numbers` are the questions and thresholds that have one, `factors`
    /// each with its levels.
    ///
    /// # Errors
    /// The first [`ContrastError`].
    pub fn check(
        &self,
        numbers: &[String],
        factors: &[(String, Vec<String>)],
    ) -> Result<(), ContrastError> {
        let known = measures().iter().map(|statistic| statistic.name);
        let known = known.chain(numbers.iter().map(String::as_str));
        if !known.clone().any(|name| name == self.of) {
            let nearest = nearest(&self.of, known).map(str::to_owned);
            return Err(ContrastError::Statistic { name: self.of.clone(), nearest });
        }
        for (factor, levels) in [(&self.over, &self.levels), (&self.by, &self.by_levels)] {
            let Some(factor) = factor else { continue };
            let levels: Vec<&String> = levels.iter().flatten().chain(&self.level).collect();
            check_levels(factor, &levels, self.asks, factors)?;
        }
        Ok(())
    }

    /// [`Outcome::expanded`] by the levels of a dataset.
    pub(super) fn expanded_in(&self, sources: &Sources) -> Vec<Outcome> {
        let factors =
            if self.asks == OutcomeQuestion::Each { levels_of(sources) } else { Vec::new() };
        let levels = factors.into_iter().find(|(name, _)| Some(name) == self.over.as_ref());
        self.expanded(&levels.map_or(Vec::new(), |(_, levels)| levels))
    }

    /// The same, of the trials of a dataset.
    pub(super) fn check_in(&self, sources: &Sources) -> Result<(), TablesError> {
        let tables = sources.tables_of_trials()?;
        let numbers: Vec<String> = tables.into_iter().flat_map(|table| table.columns).collect();
        let wrong = |source| TablesError::Contrast { words: self.words(), source };
        self.check(&numbers, &levels_of(sources)).map_err(wrong)
    }
}

fn check_levels(
    factor: &str,
    levels: &[&String],
    asks: OutcomeQuestion,
    factors: &[(String, Vec<String>)],
) -> Result<(), ContrastError> {
    let Some((_, known)) = factors.iter().find(|(name, _)| name == factor) else {
        let known = factors.iter().map(|(name, _)| name.clone()).collect();
        return Err(unknown_level(Named::Factor, factor, known).into());
    };
    if asks.is_of_numbers() && !is_numeric(known.iter().map(String::as_str)) {
        return Err(ContrastError::Numbers(asks.word(), factor.to_owned()));
    }
    if asks == OutcomeQuestion::Each && known.len() < 2 {
        return Err(ContrastError::Each(factor.to_owned()));
    }
    if let Some(level) = levels.iter().find(|level| !known.contains(level)) {
        return Err(unknown_level(Named::Level, level, known.clone()).into());
    }
    match levels {
        [level, less] if level == less => Err(ContrastError::Same((*level).clone())),
        _ => Ok(()),
    }
}

/// The factors of a dataset, each with its levels in the order of the study or of the trials; steps and sessions
/// are such, too.
fn levels_of(sources: &Sources) -> Vec<(String, Vec<String>)> {
    let there = |of: &dyn Fn(&crate::tables::Source) -> Option<String>| {
        let mut all: Vec<String> = Vec::new();
        let levels = sources.trials.iter().filter_map(of);
        levels.for_each(|level| {
            if !all.contains(&level) {
                all.push(level);
            }
        });
        all
    };
    let factor = |(place, name): (usize, &String)| {
        let stated = sources.stated.get(place).filter(|all| !all.is_empty()).cloned();
        let found = || there(&|trial| trial.levels.get(place)?.clone());
        (name.clone(), stated.unwrap_or_else(found))
    };
    let always = [
        ("step".to_owned(), there(&|trial| trial.place[1].clone())),
        ("session".to_owned(), there(&|trial| trial.session.clone())),
    ];
    sources.factors.iter().enumerate().map(factor).chain(always).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;

    #[test]
    fn a_minus_of_a_word_processor_is_a_minus() {
        let plain = "mean asynchrony: delay 200 ms - 0 ms".parse::<Outcome>();
        for minus in ["−", "–"] {
            let text = format!("mean asynchrony: delay 200 ms {minus} 0 ms");
            assert_eq!(text.parse::<Outcome>().unwrap(), *plain.as_ref().unwrap());
        }
    }

    #[test]
    fn a_contrast_is_read_and_said_in_the_same_words() {
        for text in [
            "mean asynchrony: delay 200 ms - 0 ms",
            "mean asynchrony of pad against metronome in continuation: delay 200 ms - 0 ms",
            "fits = yes: metronome with the music - early",
            "alpha: delay 200 ms - 0 ms by group old - young",
            "resultant: slope over delay",
            "resultant: curve over delay",
            "sd asynchrony: least over delay",
            "sd asynchrony: greatest over delay",
            "sd asynchrony: each over delay",
            "mean asynchrony of pad against metronome: against -5.5",
            "correction response: kind phase shift against 0",
            "mean interval: slope over final against 1",
        ] {
            let contrast: Outcome = text.parse().unwrap();
            assert_eq!(contrast.words(), text);
            assert_eq!(contrast.stands, Stands::Asked);
        }
        for wrong in [
            "",
            "mean asynchrony",
            "taps: delay",
            ": delay 1 - 2",
            "taps: delay 200 ms-0 ms",
            "taps: delay 1 - 0 by group",
            "taps: slope over ",
            "taps: against nothing",
            "taps: delay against 3",
            "taps: delay 1 - 0 against 3",
            "taps: curve over delay against 3",
            "fit =\u{a0} = yes: delay 200 ms - 0 ms", // in words it would be another one
        ] {
            assert!(wrong.parse::<Outcome>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_that_are_not_there_are_told_with_the_nearest() {
        let factors = [
            ("delay".to_owned(), ["0 ms", "70 ms", "200 ms"].map(str::to_owned).to_vec()),
            ("group".to_owned(), ["young", "old"].map(str::to_owned).to_vec()),
        ];
        let check = |text: &str| text.parse::<Outcome>().unwrap().check(&["fits".into()], &factors);
        let nearest = |text: &str| match check(text) {
            Err(ContrastError::Statistic { nearest, .. }) => nearest,
            Err(ContrastError::Level(of)) => of.nearest,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(check("fits = yes: delay 70 ms - 0 ms by group old - young"), Ok(()));
        assert_eq!(check("motor variance: slope over delay"), Ok(()));
        assert_eq!(nearest("fit: delay 70 ms - 0 ms").as_deref(), Some("fits"));
        assert_eq!(nearest("alpha: dealy 70 ms - 0 ms").as_deref(), Some("delay"));
        assert_eq!(nearest("alpha: delay 7 ms - 0 ms").as_deref(), Some("70 ms"));
        assert_eq!(
            nearest("alpha: delay 70 ms - 0 ms by group odl - young").as_deref(),
            Some("old")
        );
        assert_eq!(check("alpha: delay 0 ms - 0 ms"), Err(ContrastError::Same("0 ms".into())));
        for word in ["slope", "curve", "least", "greatest"] {
            let refused = Err(ContrastError::Numbers(word, "group".into()));
            assert_eq!(check(&format!("alpha: {word} over group")), refused);
        }
        assert_eq!(check("alpha: each over group"), Ok(()));
        assert_eq!(nearest("alpha: delay 7 ms against 0").as_deref(), Some("70 ms"));
    }
}

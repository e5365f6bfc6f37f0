//! What an experiment file states under `[outcome]` and `[[contrast]]`, and where a dataset keeps that file.

use super::plain::Plain;
use crate::tables::measures;
use crate::tables::study_files::study_files;
use chronotap_config::trial_files::reading::{TomlTable, Value, tree};
use std::fmt::{Display, Formatter};
use std::path::Path;

/// Where it is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stands {
    /// In `[outcome]`: the one number that a study is about.
    #[default]
    Outcome,
    /// In a `[[contrast]]` of the study.
    Planned,
    /// Asked when the data were there.
    Asked,
}

/// What of people's numbers at the levels of a factor is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutcomeQuestion {
    /// One level less another; the mean, where a value or one level is named.
    #[default]
    Difference,
    /// The mean, whatever is named.
    Mean,
    /// Every level less the first, each a contrast of its own.
    Each,
    /// The people's slopes over levels that are numbers.
    Slope,
    /// Their quadratic trends.
    Curve,
    /// Where their mean parabola has its bottom.
    Least,
    /// Where it has its top.
    Greatest,
}

impl OutcomeQuestion {
    /// What has a key, which is its word, too.
    pub const KEYS: [(&'static str, OutcomeQuestion); 5] = [
        ("each", OutcomeQuestion::Each),
        ("slope", OutcomeQuestion::Slope),
        ("curve", OutcomeQuestion::Curve),
        ("least", OutcomeQuestion::Least),
        ("greatest", OutcomeQuestion::Greatest),
    ];

    /// Its word; of a difference there is none.
    pub fn word(self) -> &'static str {
        OutcomeQuestion::KEYS.iter().find(|(_, of)| *of == self).map_or("", |(word, _)| word)
    }

    /// Whether it takes the numbers in all levels.
    pub fn is_of_numbers(self) -> bool {
        !matches!(self, OutcomeQuestion::Difference | OutcomeQuestion::Mean | OutcomeQuestion::Each)
    }

    /// At how many levels a person must have a value for it.
    pub(super) fn points(self) -> usize {
        match self {
            OutcomeQuestion::Difference | OutcomeQuestion::Mean | OutcomeQuestion::Each => 1,
            OutcomeQuestion::Slope => 2,
            OutcomeQuestion::Curve | OutcomeQuestion::Least | OutcomeQuestion::Greatest => 3,
        }
    }

    /// Whether it is a place on the factor.
    pub fn is_a_place(self) -> bool {
        matches!(self, OutcomeQuestion::Least | OutcomeQuestion::Greatest)
    }
}

/// What a study is for, or a contrast beside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub stands: Stands,
    /// That of a contrast.
    pub name: String,
    /// A statistic, the name of a question, or [`THRESHOLD`](crate::tables::THRESHOLD).
    pub of: String,
    /// Of a question with words: the answer whose share is taken.
    pub is: Option<String>,
    /// Of a question with words: the level of `over` that is the signal to be told. Then d' is the number
    /// of each person, and all other levels are without it.
    pub signal: Option<String>,
    /// A factor, or `step` or `session`, over whose levels it is compared.
    pub over: Option<String>,
    /// Which of them: the first of these less the second; else the last less the first.
    pub levels: Option<[String; 2]>,
    /// What is asked of them in place of a difference of two.
    pub asks: OutcomeQuestion,
    /// The level at which people's numbers are taken, or held against a value; else all, each weighing the same.
    pub level: Option<String>,
    /// What it is held against; else 0, where that is a hypothesis.
    pub value: Option<f64>,
    /// A second one: how the difference over `over` differs between its last level and its first.
    pub by: Option<String>,
    /// Which levels of it, as `levels`.
    pub by_levels: Option<[String; 2]>,
    /// The step whose trials count; else all.
    pub step: Option<String>,
    /// The stretch of trials; else whole trials.
    pub stretch: Option<String>,
    /// The input, and the stream that it is measured against; else all.
    pub input: Option<String>,
    pub against: Option<String>,
    /// Further statistics or questions with numbers, of the same trials over the same levels.
    pub also: Vec<String>,
    /// The answer in the words of the study.
    pub plain: Plain,
}

impl Outcome {
    /// What the study of a dataset states, as it was run last: its outcome first, then its contrasts.
    pub fn of_dataset(dataset: &Path) -> Vec<Outcome> {
        let files = study_files(dataset);
        let texts = files.iter().filter(|path| path.extension().is_some_and(|end| end == "toml"));
        let texts = texts.filter_map(|path| chronotap_core::files::read_to_string(path).ok());
        let stated = texts.map(|text| Outcome::of_text(&text));
        stated.into_iter().find(|all| !all.is_empty()).unwrap_or_default()
    }

    /// What the text of an experiment file states.
    pub fn of_text(text: &str) -> Vec<Outcome> {
        let Ok(top) = tree(text) else { return Vec::new() };
        let table = |name: &str| top.get(name).map(|entry| &entry.node);
        let outcome = table("outcome").and_then(|node| node.table());
        let contrasts = match table("contrast").map(|node| &node.value) {
            Some(Value::List(all)) => &all[..],
            _ => &[],
        };
        let outcome = outcome.and_then(|table| Outcome::of_table(table, Stands::Outcome));
        let contrasts = contrasts.iter().filter_map(|node| node.table());
        let contrasts = contrasts.filter_map(|table| Outcome::of_table(table, Stands::Planned));
        outcome.into_iter().chain(contrasts).collect()
    }

    fn of_table(table: &TomlTable, stands: Stands) -> Option<Outcome> {
        let value = |key: &str| table.get(key).map(|entry| &entry.node.value);
        let text = |key: &str| Some(table.get(key)?.node.text()?.to_owned());
        let texts = |key: &str| match value(key) {
            Some(Value::List(all)) => {
                all.iter().filter_map(|node| Some(node.text()?.to_owned())).collect()
            }
            _ => Vec::new(),
        };
        Some(Outcome {
            stands,
            name: text("name").unwrap_or_default(),
            of: text("of")?,
            is: text("is"),
            signal: text("signal"),
            over: text("over"),
            levels: texts("levels").try_into().ok(),
            asks: OutcomeQuestion::KEYS
                .iter()
                .find(|(key, _)| matches!(value(key), Some(Value::Flag(true))))
                .map_or(OutcomeQuestion::Difference, |(_, asks)| *asks),
            level: text("level"),
            value: value("value").and_then(number),
            by: text("by"),
            by_levels: texts("by_levels").try_into().ok(),
            step: text("step"),
            stretch: text("stretch"),
            input: text("input"),
            against: text("against"),
            also: texts("also"),
            plain: Plain {
                above: text("if_above"),
                below: text("if_below"),
                open: text("if_open"),
            },
        })
    }

    /// What is taken of each trial, in words: `mean asynchrony of pad against metronome in continuation`.
    pub fn measure(&self) -> String {
        let parts = [("=", &self.is), ("of", &self.input), ("against", &self.against)];
        let parts = parts.into_iter().chain([("in", &self.stretch)]);
        let said = parts.filter_map(|(word, part)| Some(format!(" {word} {}", part.as_ref()?)));
        std::iter::once(self.of.clone()).chain(said).collect()
    }

    /// Whether levels are compared with one another by a difference.
    pub fn compares_levels(&self) -> bool {
        self.over.is_some() && self.asks == OutcomeQuestion::Difference && !self.is_mean()
    }

    /// Whether people's numbers themselves are asked, of all levels or of one.
    pub fn is_mean(&self) -> bool {
        let names_one = self.value.is_some() || self.level.is_some();
        self.asks == OutcomeQuestion::Mean
            || (self.asks == OutcomeQuestion::Difference && names_one)
    }

    /// The contrasts that it stands for: itself, or one for each level after the first of these.
    pub fn expanded(&self, levels: &[String]) -> Vec<Outcome> {
        let [first, others @ ..] = levels else { return vec![self.clone()] };
        if self.asks != OutcomeQuestion::Each {
            return vec![self.clone()];
        }
        let one = |level: &String| Outcome {
            name: format!("{}: {level}", self.name),
            asks: OutcomeQuestion::Difference,
            levels: Some([level.clone(), first.clone()]),
            ..self.clone()
        };
        others.iter().map(one).collect()
    }

    /// The outcome that one of `also` is.
    pub fn of_also(&self, of: &str) -> Outcome {
        let (also, plain, of) = (Vec::new(), Plain::default(), of.to_owned());
        // What has no value for a stretch is that of the whole trial.
        let statistic = measures().iter().find(|statistic| statistic.name == of);
        let in_stretch = statistic.is_some_and(|statistic| statistic.in_stretch);
        let stretch = self.stretch.clone().filter(|_| in_stretch);
        let of_input = |named: &Option<String>| named.clone().filter(|_| statistic.is_some());
        let (input, against) = (of_input(&self.input), of_input(&self.against));
        // What one number is held against is nothing for another.
        let (asks, value) =
            if self.is_mean() { (OutcomeQuestion::Mean, None) } else { (self.asks, self.value) };
        let (is, signal) = (None, None);
        let own = Outcome { of, is, signal, also, plain, asks, value, ..self.clone() };
        Outcome { stretch, input, against, ..own }
    }
}

/// The number that a key holds.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Decimal(number) => number.replace('_', "").parse().ok(),
        _ => None,
    }
}

/// Of what it is, in words.
impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.stands == Stands::Planned {
            write!(f, "{}: ", self.name)?;
        }
        if self.signal.is_some() {
            write!(f, "d' of ")?;
        }
        write!(f, "{}", self.measure())?;
        match (&self.over, &self.signal) {
            (Some(over), Some(signal)) => write!(f, ", {over} {signal} against the others"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::names::SOURCE;

    #[test]
    fn the_outcome_of_a_dataset_is_that_of_the_study_that_was_run_last() {
        let dir = tempfile::tempdir().unwrap();
        for (study, of) in [("study-01", "taps"), ("study-02", "sd asynchrony")] {
            let folder = dir.path().join(SOURCE).join(study);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("a.toml"), "[pacing.metronome]\n").unwrap();
            let text = format!("[outcome]\nof = \"{of}\"\nover = \"tempo\"\n[[step]]\n");
            std::fs::write(folder.join("study.toml"), text).unwrap();
        }
        let outcome = Outcome::of_dataset(dir.path()).pop().unwrap();
        assert_eq!((&*outcome.of, outcome.over.as_deref()), ("sd asynchrony", Some("tempo")));
        assert_eq!(Outcome::of_text("[[step]]\n"), []);
        assert_eq!(Outcome::of_dataset(Path::new("/nowhere")), []);
    }

    /// They were named with the stretch, and dropped where nothing of it has a value.
    #[test]
    fn what_has_no_value_for_a_stretch_is_also_of_the_whole_trial() {
        let some = |text: &str| Some(text.to_owned());
        let outcome = Outcome {
            of: "mean asynchrony".into(),
            stretch: some("metronome 2"),
            input: some("pad"),
            ..Outcome::default()
        };
        let also = |of: &str| outcome.of_also(of).measure();
        assert_eq!(also("sd asynchrony"), "sd asynchrony of pad in metronome 2");
        assert_eq!(also("correction response"), "correction response of pad");
        assert_eq!(also("effort"), "effort");
    }

    #[test]
    fn contrasts_stand_behind_the_outcome() {
        let contrast = "[[contrast]]\nname = \"late\"\nof = \"alpha\"\nover = \"delay\"\n";
        let text = format!(
            "{contrast}levels = [\"200 ms\", \"0 ms\"]\n{contrast}slope = true\n[outcome]\nof = \"taps\"\n"
        );
        let text = text
            + &format!(
                "value = -1_0\n{contrast}value = 0.5\nlevel = \"0 ms\"\n{contrast}each = true\n"
            );
        let [outcome, pair, slope, value, each] = &Outcome::of_text(&text)[..] else {
            panic!("{text}")
        };
        assert_eq!((outcome.stands, &*outcome.of), (Stands::Outcome, "taps"));
        assert_eq!((pair.stands, &*pair.name, &*pair.of), (Stands::Planned, "late", "alpha"));
        assert_eq!(pair.levels, Some(["200 ms".to_owned(), "0 ms".to_owned()]));
        assert_eq!(
            (slope.asks, &slope.levels, pair.asks),
            (OutcomeQuestion::Slope, &None, OutcomeQuestion::Difference)
        );
        assert_eq!(
            (outcome.value, value.value, value.level.as_deref()),
            (Some(-10.0), Some(0.5), Some("0 ms"))
        );
        let levels = ["0 ms", "70 ms", "200 ms"].map(str::to_owned);
        let all = each.expanded(&levels);
        assert_eq!(
            all.iter().map(|one| &*one.name).collect::<Vec<_>>(),
            ["late: 70 ms", "late: 200 ms"]
        );
        assert_eq!(all[1].levels, Some(["200 ms".to_owned(), "0 ms".to_owned()]));
        assert_eq!(pair.expanded(&levels), std::slice::from_ref(pair));
    }
}

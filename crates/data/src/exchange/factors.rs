//! [`Factors`]: the factors of all datasets that are gathered, and which of them are numbers. They
//! are known before the first row is written, so that every file has the same columns of the same
//! kinds: a factor that a dataset lacks is missing in its rows, not in its columns.

use crate::exchange::frame::TextCells;
use crate::exchange::{FrameColumn, Values};
use crate::tables::quantity::{Quantity, quantities};
use crate::tables::{Source, Sources, factor_columns};
use std::collections::{BTreeMap, BTreeSet};

/// The factors of some trials and all levels of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    names: Vec<String>,
    levels: BTreeMap<String, BTreeSet<String>>,
}

impl Levels {
    /// Those of a dataset.
    pub fn of(sources: &Sources) -> Levels {
        let mut all = Levels::default();
        let of_each = sources.factors.iter().zip(sources.levels());
        of_each.for_each(|(name, levels)| all.add(name, levels));
        all
    }

    /// Adds levels of a factor.
    pub fn add<'a>(&mut self, name: &str, levels: impl IntoIterator<Item = &'a str>) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
        let known = self.levels.entry(name.to_owned()).or_default();
        known.extend(levels.into_iter().map(str::to_owned));
    }

    /// Adds the factors of other trials.
    pub fn append(&mut self, other: &Levels) {
        for name in &other.names {
            self.add(name, other.levels[name].iter().map(String::as_str));
        }
    }
}

/// The columns of the factors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    names: Vec<String>,
    columns: Vec<String>,
    quantities: Vec<Quantity>,
}

/// Columns of gathered tables that no table of an analysis has.
const OWN: [&str; 3] = ["condition", "timing_passed", "data_usable"];

impl Factors {
    pub fn new(levels: &Levels) -> Factors {
        let names = levels.names.clone();
        let quantities =
            quantities(&names, |factor| levels.levels[&names[factor]].iter().map(String::as_str));
        let own = |name: String| match OWN.contains(&&*name) {
            true => format!("factor_{name}"),
            false => name,
        };
        let columns = factor_columns(&names).into_iter().map(own).collect();
        Factors { names, columns, quantities }
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// A cell for each of these trials: the levels as text, and then as numbers.
    pub fn cells(&self, sources: &Sources, trials: &[&Source]) -> Vec<FrameColumn> {
        let place = |name: &String| sources.factors.iter().position(|known| known == name);
        let places: Vec<Option<usize>> = self.names.iter().map(place).collect();
        let level = |trial: &&Source, factor: usize| trial.levels.get(places[factor]?)?.clone();
        let text = (0..self.names.len()).map(|factor| {
            let mut words = TextCells::default();
            trials.iter().for_each(|trial| words.push(level(trial, factor).as_deref()));
            FrameColumn::named(&self.columns[factor], Values::Text(words))
        });
        let number = |quantity: &Quantity| {
            let of = |trial: &&Source| quantity.of(level(trial, quantity.factor).as_deref());
            FrameColumn::named(&quantity.column, Values::Number(trials.iter().map(of).collect()))
        };
        text.chain(self.quantities.iter().map(number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::ValueKind;

    fn sources(factor: &str, levels: &[&str]) -> Sources {
        let trial =
            |level: &&str| Source { levels: vec![Some((*level).to_owned())], ..Source::default() };
        Sources {
            factors: vec![factor.to_owned()],
            trials: levels.iter().map(trial).collect(),
            ..Sources::default()
        }
    }

    #[test]
    fn every_dataset_has_the_columns_of_all_and_their_kinds() {
        let [one, other] =
            [sources("delay", &["0 ms", "70 ms"]), sources("condition", &["7", "9"])];
        let mut levels = Levels::of(&one);
        levels.append(&Levels::of(&other));
        let factors = Factors::new(&levels);
        for all in [&one, &other] {
            let columns = factors.cells(all, &all.trials.iter().collect::<Vec<_>>());
            let kinds: Vec<_> = columns.iter().map(|c| (&*c.name, c.values.kind())).collect();
            let text = [("delay", ValueKind::Text), ("factor_condition", ValueKind::Text)];
            assert_eq!(kinds, [&text[..], &[("delay_ms", ValueKind::Number)]].concat());
        }
    }

    #[test]
    fn levels_that_are_numbers_in_one_dataset_alone_stay_text_in_all() {
        let mut levels = Levels::of(&sources("delay", &["70 ms"]));
        levels.append(&Levels::of(&sources("delay", &["none"])));
        let all = sources("delay", &["70 ms"]);
        let columns = Factors::new(&levels).cells(&all, &all.trials.iter().collect::<Vec<_>>());
        assert_eq!(columns.len(), 1);
    }
}

//! [`ExcludeRule`]: what a study states under `[exclude]`: people whose answers say so are in no table, report or
//! outcome. [`Excluded`] is who that is in a dataset, each with the first rule that holds.

use crate::tables::TablesError;
use crate::tables::names::PARTICIPANTS;
use crate::tables::study_files::study_files;
use crate::tables::table::{Table as SourceTable, label_in, label_of};
use chronotap_config::trial_files::reading::{Node, Value, tree};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter};
use std::path::Path;

/// The column of participants.tsv in which a pack without answers about persons says who is left out.
pub const EXCLUDED: &str = "excluded";

/// A rule by which people are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludeRule {
    /// Its name in the file, which is the reason.
    pub reason: String,
    /// What all must hold of the answers of one person.
    pub needs: Vec<Need>,
}

/// What must hold of an answer, such as `catch != blue` or `age > 70`. Of a question that was asked several
/// times one such answer is enough; without an answer it does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// A question or a field of the participant.
    pub name: String,
    pub sign: Sign,
    /// A number, or an answer as it is recorded.
    pub value: String,
}

/// How an answer is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Below,
    AtMost,
    Above,
    AtLeast,
    Equal,
    Differs,
}

/// How they are written. Those of two letters come first, because they begin as those of one do.
const SIGNS: [(&str, Sign); 6] = [
    ("<=", Sign::AtMost),
    (">=", Sign::AtLeast),
    ("!=", Sign::Differs),
    ("<", Sign::Below),
    (">", Sign::Above),
    ("=", Sign::Equal),
];

impl Sign {
    /// Whether it needs numbers on both sides.
    pub fn orders(self) -> bool {
        !matches!(self, Sign::Equal | Sign::Differs)
    }

    /// As it is written.
    fn written(self) -> &'static str {
        SIGNS.iter().find(|(_, sign)| *sign == self).map_or("", |(written, _)| written)
    }

    fn holds(self, answer: f64, value: f64) -> bool {
        match self {
            Sign::Below => answer < value,
            Sign::AtMost => answer <= value,
            Sign::Above => answer > value,
            Sign::AtLeast => answer >= value,
            Sign::Equal => answer == value,
            Sign::Differs => answer != value,
        }
    }
}

impl Need {
    /// From `age > 70`; `None` where it is no comparison.
    pub fn parse(text: &str) -> Option<Need> {
        let at = text.find(['<', '>', '=', '!'])?;
        let (name, rest) = text.split_at(at);
        let (written, sign) = SIGNS.iter().find(|(written, _)| rest.starts_with(written))?;
        let (name, value) = (name.trim(), rest[written.len()..].trim());
        let whole =
            !name.is_empty() && !value.is_empty() && !value.starts_with(['<', '>', '=', '!']);
        whole.then(|| Need { name: name.to_owned(), sign: *sign, value: value.to_owned() })
    }

    /// Whether it holds of this answer.
    pub fn holds(&self, answer: &str) -> bool {
        match (answer.parse(), self.value.parse()) {
            (Ok(answer), Ok(value)) => self.sign.holds(answer, value),
            _ => match self.sign {
                Sign::Equal => answer == self.value,
                Sign::Differs => answer != self.value,
                Sign::Below | Sign::AtMost | Sign::Above | Sign::AtLeast => false,
            },
        }
    }

    /// Whether a column has answers to it; with several members each has one.
    fn is_in(&self, column: &str) -> bool {
        let rest = column.strip_prefix(&*self.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl Display for Need {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}", self.name, self.sign.written(), self.value)
    }
}

impl ExcludeRule {
    /// What the study of a dataset states, as it was run last.
    pub fn of_dataset(dataset: &Path) -> Vec<ExcludeRule> {
        let files = study_files(dataset);
        let texts = files.iter().filter(|path| path.extension().is_some_and(|end| end == "toml"));
        let texts = texts.filter_map(|path| chronotap_core::files::read_to_string(path).ok());
        let stated = texts.map(|text| ExcludeRule::of_text(&text));
        stated.into_iter().find(|all| !all.is_empty()).unwrap_or_default()
    }

    /// What the text of an experiment file states; what is no rule is told by who reads the file.
    pub fn of_text(text: &str) -> Vec<ExcludeRule> {
        let Ok(top) = tree(text) else { return Vec::new() };
        let Some(table) = top.get("exclude").and_then(|entry| entry.node.table()) else {
            return Vec::new();
        };
        let rule = |reason: &String, node: &Node| {
            let texts: Vec<&str> = match &node.value {
                Value::List(all) => all.iter().filter_map(Node::text).collect(),
                _ => node.text().into_iter().collect(),
            };
            let needs: Option<Vec<Need>> = texts.into_iter().map(Need::parse).collect();
            let needs = needs.filter(|needs| !needs.is_empty())?;
            Some(ExcludeRule { reason: reason.clone(), needs })
        };
        table.entries.iter().filter_map(|entry| rule(&entry.key, &entry.node)).collect()
    }

    /// Whether this answer alone may leave somebody out, so that nobody who is simulated gives it.
    pub fn begins_with(&self, name: &str, answer: &str) -> bool {
        self.needs.first().is_some_and(|need| need.is_in(name) && need.holds(answer))
    }
}

/// Who is left out, by label, and the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excluded {
    /// In the order of the labels.
    pub people: BTreeMap<String, String>,
}

impl Excluded {
    /// Whether the participant of this label, with or without `sub-`, is left out.
    pub fn has(&self, label: &str) -> bool {
        self.people.contains_key(label_of(label))
    }

    /// Who is left out and why, in a sentence; `None` where nobody is.
    pub fn sentence(&self) -> Option<String> {
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (label, reason) in &self.people {
            reasons.entry(reason).or_default().push(label);
        }
        let each =
            reasons.iter().map(|(reason, labels)| format!("{reason} ({})", labels.join(", ")));
        let each = each.collect::<Vec<_>>().join("; ");
        match self.people.len() {
            0 => None,
            1 => Some(format!("1 participant is left out by an answer: {each}")),
            n => Some(format!("{n} participants are left out by an answer: {each}")),
        }
    }
}

/// Rules, and what people answered to what they name.
#[derive(Debug, Default)]
pub(super) struct Excluding {
    pub(super) rules: Vec<ExcludeRule>,
    /// Of each label the columns, and what stands in them.
    given: BTreeMap<String, BTreeSet<(String, String)>>,
}

impl Excluding {
    /// The rules of a dataset.
    pub(super) fn of_dataset(dataset: &Path) -> Excluding {
        Excluding { rules: ExcludeRule::of_dataset(dataset), given: BTreeMap::new() }
    }

    /// Takes in the answers of a table of trials.
    pub(super) fn take(&mut self, trials: &SourceTable) {
        self.take_rows(trials, |row| label_in(trials, row));
    }

    fn take_rows(
        &mut self,
        table: &SourceTable,
        label: impl Fn(&[Option<String>]) -> Option<String>,
    ) {
        let needs: Vec<&Need> = self.rules.iter().flat_map(|rule| &rule.needs).collect();
        let asked = table.columns.iter().enumerate();
        let asked = asked.filter(|(_, column)| needs.iter().any(|need| need.is_in(column)));
        for (place, column) in asked {
            for row in &table.rows {
                let Some((label, answer)) = label(row).zip(row[place].clone()) else { continue };
                self.given.entry(label).or_default().insert((column.clone(), answer));
            }
        }
    }

    /// Takes in the answers about persons; who is left out.
    pub(super) fn done(mut self, dataset: &Path) -> Result<Excluded, TablesError> {
        let path = dataset.join(PARTICIPANTS);
        let mut known = Vec::new();
        if !self.rules.is_empty() && chronotap_core::files::is_there(&path) {
            let table = SourceTable::read(&path)?;
            let id = table.column("participant_id")?;
            let label = |row: &[Option<String>]| Some(label_of(row[id].as_deref()?).to_owned());
            self.take_rows(&table, label);
            known = stated(&table, label);
        }
        let mut people = BTreeMap::new();
        for label in self.given.keys() {
            if let Some(rule) = self.rules.iter().find(|rule| self.holds(label, rule)) {
                people.insert(label.clone(), rule.reason.clone());
            }
        }
        people.extend(known);
        Ok(Excluded { people })
    }

    fn holds(&self, label: &str, rule: &ExcludeRule) -> bool {
        rule.needs.iter().all(|need| {
            let mut all = self.given.get(label).into_iter().flatten();
            all.any(|(column, answer)| need.is_in(column) && need.holds(answer))
        })
    }
}

/// Who is left out by answers that a pack does not have.
fn stated(
    table: &SourceTable,
    label: impl Fn(&[Option<String>]) -> Option<String>,
) -> Vec<(String, String)> {
    let Ok(column) = table.column(EXCLUDED) else { return Vec::new() };
    table.rows.iter().filter_map(|row| label(row).zip(row[column].clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_is_read_with_each_sign_and_nothing_else_is_one() {
        let read = |text: &str| Need::parse(text).map(|need| need.to_string());
        for text in
            ["age > 70", "age >= 70", "age < 18", "age <= 18", "catch = red", "catch != light blue"]
        {
            assert_eq!(read(text).as_deref(), Some(text));
        }
        assert_eq!(read("age>70").as_deref(), Some("age > 70"));
        for text in ["age", "> 70", "age >", "age => 3", "age !! 3"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_compared_as_numbers_and_words_as_words() {
        let holds = |text: &str, answer: &str| Need::parse(text).unwrap().holds(answer);
        assert!(holds("age > 70", "70.5") && !holds("age > 70", "9"));
        assert!(holds("catch = 3", "3.0") && !holds("catch != 3", "3"));
        assert!(holds("catch != blue", "red") && !holds("catch != blue", "blue"));
        assert!(!holds("catch > 3", "many"));
    }

    #[test]
    fn the_rules_of_a_file_stand_in_its_order() {
        let text =
            "[exclude]\ninattentive = \"catch != blue\"\nold = [\"age > 70\", \"plays = no\"]\n";
        let rules = ExcludeRule::of_text(text);
        let said: Vec<(&str, usize)> =
            rules.iter().map(|rule| (&*rule.reason, rule.needs.len())).collect();
        assert_eq!(said, [("inattentive", 1), ("old", 2)]);
        assert!(rules[0].begins_with("catch", "red") && rules[0].begins_with("catch.left", "red"));
        assert!(!rules[0].begins_with("catches", "red"));
        assert_eq!(ExcludeRule::of_text("[[step]]\n"), []);
    }
}

//! Which level of a factor between participants somebody has whose [`Origin`] is no draw: who must be
//! asked what, and what follows from the answers.

use crate::study::experiment::Experiment;
use crate::study::factor::Factor;
pub(crate) use crate::study::origin::{FieldAnswers, Needed, Origin};
use crate::study::question::ParticipantField;
use crate::study::step::{Doing, Step};
use std::collections::BTreeMap;

fn all_said(needed: &[Needed]) -> String {
    let said = |one: &Needed| format!("{} {} {}", one.field, one.comparison.sign(), one.value);
    needed.iter().map(said).collect::<Vec<_>>().join(" and ")
}

impl Factor {
    /// Whether its level is no draw.
    pub fn is_measured(&self) -> bool {
        self.origin != Origin::Drawn
    }

    /// In a sentence, where its level comes from; `None` where it is drawn.
    pub fn origin_said(&self) -> Option<String> {
        let (name, levels) = (&self.name, self.levels.iter().map(ToString::to_string));
        match &self.origin {
            Origin::Drawn => None,
            Origin::Chosen => {
                let levels: Vec<String> = levels.collect();
                Some(format!("{name}: the experimenter says which of {}", levels.join(", ")))
            }
            Origin::Follows(needed) => {
                let each = levels.zip(needed).map(|(level, needed)| match &needed[..] {
                    [] => format!("{level} otherwise"),
                    all => format!("{level} if {}", all_said(all)),
                });
                Some(format!("{name}: {}", each.collect::<Vec<_>>().join(", ")))
            }
        }
    }

    /// By what a person's level is decided, where it is no draw: `by the answer to training`.
    pub fn decided_by(&self) -> Option<String> {
        let mut fields: Vec<&str> = Vec::new();
        for field in self.origin.fields() {
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        match (&self.origin, &fields[..]) {
            (Origin::Drawn, _) => None,
            (_, []) => Some("as the experimenter says".to_owned()),
            (_, [one]) => Some(format!("by the answer to {one}")),
            (_, several) => Some(format!("by the answers to {}", several.join(" and "))),
        }
    }

    /// The level that follows from these answers; `None` where none does.
    pub fn level_from(&self, answers: &FieldAnswers) -> Option<String> {
        let Origin::Follows(levels) = &self.origin else { return None };
        let all_hold = |needed: &Vec<Needed>| needed.iter().all(|one| one.holds(answers));
        levels.iter().position(all_hold).map(|place| self.levels[place].to_string())
    }
}

/// So many participants are drawn at most until one fits a group.
const MOST_DRAWN: u32 = 1_000;
/// Combinations of answers that are tried; more of them are of no study.
const MOST_TRIED: usize = 100_000;

impl Experiment {
    /// The fields whose answers decide a group, in file order.
    pub fn deciding(&self) -> impl Iterator<Item = &ParticipantField> {
        let decides = |field: &&ParticipantField| {
            self.between.iter().any(|factor| factor.origin.fields().any(|of| of == field.name))
        };
        self.fields.iter().filter(decides)
    }

    /// Where answers decide a group: how many steps of the file come before all of them are given and
    /// the group is known, with the step that asks about the person as the last one; none where they are
    /// asked before the first step. `None` where no answer decides one, and where a step before it
    /// needs the group or the place: then they are asked before the session begins.
    pub fn steps_before_groups(&self) -> Option<usize> {
        self.deciding().next()?;
        let place = self.steps.iter().position(|step| step.doing == Doing::Person);
        let Some(place) = place else { return Some(0) };
        let of_first = |step: &&Step| step.sessions.as_ref().is_none_or(|all| all.contains(&1));
        let mut before = self.steps[..=place].iter().filter(of_first);
        before.all(Step::needs_no_group).then_some(place + 1)
    }

    /// The levels between participants that follow from these answers.
    pub fn levels_from(&self, answers: &FieldAnswers) -> Vec<(String, String)> {
        let of = |factor: &Factor| Some((factor.name.clone(), factor.level_from(answers)?));
        self.between.iter().filter_map(of).collect()
    }

    /// What somebody with these levels might have answered to the fields that decide them: drawn
    /// anew until it fits, and where that takes too long, the first answers that fit. `None` where
    /// no answers do. `draw` is told how often it was asked before.
    pub fn answers_of(
        &self,
        levels: &BTreeMap<String, String>,
        draw: impl Fn(&ParticipantField, u32) -> Option<String>,
    ) -> Option<FieldAnswers> {
        let fits = |answers: &FieldAnswers| {
            self.levels_from(answers).iter().all(|(name, level)| levels.get(name) == Some(level))
        };
        let drawn = |again: u32| -> Option<FieldAnswers> {
            self.deciding().map(|field| Some((field.name.clone(), draw(field, again)?))).collect()
        };
        let mut all = (0..MOST_DRAWN).filter_map(drawn).chain(self.tried(self.deciding()));
        all.find(fits)
    }

    /// Answers to these fields, on each side of what groups compare them with, in all combinations.
    pub(crate) fn tried<'f>(
        &'f self,
        fields: impl Iterator<Item = &'f ParticipantField>,
    ) -> impl Iterator<Item = FieldAnswers> {
        let all: Vec<(&str, Vec<String>)> =
            fields.map(|field| (field.name.as_str(), self.sides(field))).collect();
        let count = all.iter().try_fold(1usize, |n, (_, of)| n.checked_mul(of.len()));
        let nth = move |mut place: usize| {
            let one = |(name, of): &(&str, Vec<String>)| {
                let answer = of[place % of.len()].clone();
                place /= of.len();
                ((*name).to_owned(), answer)
            };
            all.iter().map(one).collect()
        };
        (0..count.unwrap_or(MOST_TRIED).min(MOST_TRIED)).map(nth)
    }

    fn sides(&self, field: &ParticipantField) -> Vec<String> {
        let needed = self.between.iter().flat_map(|factor| match &factor.origin {
            Origin::Follows(levels) => &levels[..],
            Origin::Drawn | Origin::Chosen => &[],
        });
        let of_field = needed.flatten().filter(|needed| needed.field == field.name);
        let at: Vec<f64> = of_field.filter_map(|needed| needed.value.parse().ok()).collect();
        field.answer.sides(&at)
    }
}

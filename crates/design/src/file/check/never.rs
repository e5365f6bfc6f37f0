//! What a study has and nobody ever sees: questions that no step asks or that wait for an answer that never
//! comes before them, rests after more trials than there are. And answers that stop a session, whatever is
//! answered. These are doubts and no mistakes: a study that was begun goes on with them.

use crate::plan::assign::Participant;
use crate::plan::planner::{Occasion, blocks};
use crate::study::experiment::Experiment;
use crate::study::question::{Answer, OnlyIf};
use crate::study::step::{Constraint, Doing, Every, Step, Trials};
use chronotap_config::trial_files::reading::{Page, tree};
use std::collections::{HashMap, HashSet};

/// Warns of each, with its line.
pub(crate) fn never(page: &Page<'_>, experiment: &Experiment) {
    let asked = Asked::of(experiment);
    questions(page, experiment, &asked);
    for step in &experiment.steps {
        let at = page.start_of(step.line);
        rests(experiment, step).into_iter().for_each(|message| page.warn(at, message));
        free(experiment, step).into_iter().for_each(|message| page.warn(at, message));
        stops(experiment, step).into_iter().for_each(|message| page.warn(at, message));
    }
}

/// Where everything is asked, in the order of the steps; what is asked of the person comes first where no step asks
/// it.
struct Asked<'e> {
    /// Name, and the place of its step with that within the step.
    places: Vec<(&'e str, (usize, usize))>,
    sessions: u32,
}

impl<'e> Asked<'e> {
    fn of(experiment: &'e Experiment) -> Asked<'e> {
        let fields = || experiment.fields.iter().map(|field| field.name.as_str());
        let by_a_step = experiment.steps.iter().any(|step| step.doing == Doing::Person);
        let mut places = Vec::new();
        let mut put = |step: usize, names: Vec<&'e str>| {
            places
                .extend(names.into_iter().enumerate().map(|(within, name)| (name, (step, within))));
        };
        if !by_a_step {
            put(0, fields().collect());
        }
        for (place, step) in experiment.steps.iter().enumerate() {
            match &step.doing {
                Doing::Ask(names) => put(place + 1, names.iter().map(String::as_str).collect()),
                Doing::Person => put(place + 1, fields().collect()),
                // A question of the next trial may wait for one of this trial.
                Doing::Trials(trials) => {
                    let of_blocks = trials.blocks.iter().flat_map(|blocks| &blocks.ask);
                    trials.ask.iter().chain(of_blocks).for_each(|name| put(place + 1, vec![name]));
                }
                Doing::Say | Doing::Rest(_) => {}
            }
        }
        Asked { places, sessions: experiment.sessions }
    }

    fn has(&self, name: &str) -> bool {
        self.places.iter().any(|(of, _)| *of == name)
    }

    /// Whether some place of a question comes behind one of the other.
    fn comes_behind(&self, name: &str, other: &str) -> bool {
        let comes = |(step, within): (usize, usize)| {
            self.at(other).any(|(first, place)| {
                first < step || (first == step && (place < within || (place, within) == (0, 0)))
            })
        };
        self.has(other) && (self.sessions > 1 || self.at(name).any(comes))
    }

    fn at(&self, name: &str) -> impl Iterator<Item = (usize, usize)> {
        self.places.iter().filter(move |(of, _)| *of == name).map(|(_, place)| *place)
    }
}

/// Questions that no step asks, and that cannot come because of `only_if`.
fn questions(page: &Page<'_>, experiment: &Experiment, asked: &Asked<'_>) {
    let of_questions = experiment.questions.iter();
    let of_questions = of_questions.map(|q| ("question", &*q.name, &q.member, &q.only_if));
    let of_fields = experiment.fields.iter();
    let of_fields = of_fields.map(|f| ("participant", &*f.name, &f.member, &f.only_if));
    let all: Vec<_> = of_questions.chain(of_fields).collect();
    let waits: Vec<(&str, &[OnlyIf])> = all.iter().map(|(_, n, _, o)| (*n, &o[..])).collect();
    let comes = coming(&waits, asked);
    let mut told = HashSet::new();
    for (section, name, member, only_if) in all {
        let own = member.as_ref().and_then(|member| name.strip_suffix(&format!(".{member}")));
        let own = own.unwrap_or(name);
        let why = if !asked.has(name) {
            format!("nothing asks the question {own}: no step has it in ask")
        } else if comes.contains(name) {
            continue;
        } else {
            let others: Vec<&str> = only_if.iter().map(|of| of.name.as_str()).collect();
            let others = others.join(", ");
            format!("{own} is never asked: no answer to {others} comes before it (only_if)")
        };
        if told.insert((section, own)) {
            page.warn(line_of(experiment, section, own), why);
        }
    }
}

/// The questions that may come: each of `only_if` is one of them, and comes before.
fn coming<'e>(waits: &[(&'e str, &'e [OnlyIf])], asked: &Asked<'_>) -> HashSet<&'e str> {
    let mut comes: HashSet<&str> = HashSet::new();
    loop {
        let before = comes.len();
        for (name, only_if) in waits {
            let is_met =
                |of: &OnlyIf| comes.contains(&*of.name) && asked.comes_behind(name, &of.name);
            if asked.has(name) && only_if.iter().all(is_met) {
                comes.insert(name);
            }
        }
        if comes.len() == before {
            return comes;
        }
    }
}

fn line_of(experiment: &Experiment, section: &str, name: &str) -> usize {
    let Ok(top) = tree(&experiment.source) else { return 0 };
    let table = top.get(section).and_then(|entry| entry.node.table());
    table.and_then(|table| table.get(name)).map_or(0, |entry| entry.at)
}

/// A rest after more trials than the step has.
fn rests(experiment: &Experiment, step: &Step) -> Option<String> {
    let Doing::Trials(trials) = &step.doing else { return None };
    let Some(Every::Trials(every)) = trials.rest.as_ref()?.every else { return None };
    let most = most_trials(experiment, step, trials);
    let name = &step.name;
    let cure = match most {
        2.. => format!("write a number below {most}"),
        _ => "leave rest out".to_owned(),
    };
    (u64::from(every) >= most).then(|| {
        format!(
            "step {name}: rest.every = {every}, and the step has {} at most, so no rest comes; {cure}",
            chronotap_core::text::counted(most, "trial")
        )
    })
}

/// How many trials a step has for those who do the most.
fn most_trials(experiment: &Experiment, step: &Step, trials: &Trials) -> u64 {
    if let Some(practice) = &trials.practice {
        return practice.at_most.into();
    }
    if !trials.staircases.is_empty() {
        let all = experiment.staircases.iter();
        let all = all.filter(|of| trials.staircases.contains(&of.name));
        return all.map(|of| u64::from(of.at_most)).sum();
    }
    if !trials.conditions {
        return 1;
    }
    let of = |list: usize| {
        let person = Participant { label: "01".to_owned(), cell: 0, k: 0 };
        let occasion = Occasion { list, ..Occasion::new(experiment, &person, 1) };
        let weight = |of: &usize| u64::from(experiment.lists[list].conditions[*of].weight);
        let blocks = blocks(&occasion, step, trials);
        let each = blocks.iter().flat_map(|block| &block.conditions).map(weight).sum::<u64>();
        each * u64::from(trials.repetitions)
    };
    (0..experiment.lists.len()).map(of).max().unwrap_or(1)
}

/// `at_most_in_a_row` with a number that no level reaches in any block.
fn free(experiment: &Experiment, step: &Step) -> Vec<String> {
    let Doing::Trials(trials) = &step.doing else { return Vec::new() };
    let said = |of: &Constraint| {
        let Constraint::AtMostInARow { factor, n } = of else { return None };
        let most = most_of_a_level(experiment, step, trials, factor);
        (most > 0 && u64::from(*n) >= most).then(|| {
            format!(
                "step {}: at_most_in_a_row = {{ {factor} = {n} }} limits nothing: no block has more than \
                 {most} with the same {factor}",
                step.name
            )
        })
    };
    trials.constraints.iter().filter_map(said).collect()
}

/// How many trials with one level of a factor a block has at most.
fn most_of_a_level(experiment: &Experiment, step: &Step, trials: &Trials, factor: &str) -> u64 {
    let Some(place) = experiment.factors.iter().position(|of| of.name == factor) else { return 0 };
    let mut most = 0;
    for (list, of_list) in experiment.lists.iter().enumerate() {
        let person = Participant { label: "01".to_owned(), cell: 0, k: 0 };
        let occasion = Occasion { list, ..Occasion::new(experiment, &person, 1) };
        for block in blocks(&occasion, step, trials) {
            let mut counts: HashMap<usize, u64> = HashMap::new();
            for of in block.conditions.iter().map(|of| &of_list.conditions[*of]) {
                *counts.entry(of.levels[place]).or_default() += u64::from(of.weight);
            }
            most = most.max(counts.into_values().max().unwrap_or(0));
        }
    }
    most * u64::from(trials.repetitions)
}

/// Questions of which every answer stops the session.
fn stops(experiment: &Experiment, step: &Step) -> Vec<String> {
    let Some(stop_if) = &step.stop_if else { return Vec::new() };
    let of_questions = experiment.questions.iter().map(|q| (&q.name, &q.answer, &q.only_if));
    let of_fields = experiment.fields.iter().map(|f| (&f.name, &f.answer, &f.only_if));
    let always = of_questions.chain(of_fields).filter(|(name, answer, only_if)| {
        only_if.is_empty() && is_every_answer(answer, stop_if.answers_of(name))
    });
    let said = always.map(|(name, ..)| {
        format!(
            "step {}: stop_if names every answer to {name}, so nobody goes on; leave out the answers \
             of those who do",
            step.name
        )
    });
    said.take(1).collect()
}

fn is_every_answer(answer: &Answer, given: &[String]) -> bool {
    let numbers: Vec<f64> = given.iter().filter_map(|text| text.parse().ok()).collect();
    let sides = answer.sides(&numbers);
    !given.is_empty()
        && !answer.is_optional()
        && !sides.is_empty()
        && sides.iter().all(|side| given.contains(side))
}

//! [`Experiment`]: a whole study, read and checked.

use crate::study::factor::{Condition, Factor, Level, List};
use crate::study::question::{ParticipantField, Question};
use crate::study::setting::Setting;
use crate::study::staircase::Staircase;
use crate::study::step::{Doing, Order, Step};
use crate::study::words::Words;
use chronotap_config::ftap::LineRead;
use chronotap_config::trial_files::reading::{Value, tree};
use chronotap_core::time::Nanos;
use chronotap_data::tables::{ExcludeRule, Outcome, Stands};

/// Who made a dataset, and on which terms others may use it; empty where nothing is said. Each is
/// an entry of `dataset_description.json` (BIDS 1.11, dataset description).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credits {
    /// `authors`.
    pub authors: Vec<String>,
    /// `license`.
    pub license: Option<String>,
    /// `acknowledgements`.
    pub acknowledgements: Option<String>,
    /// `funding`.
    pub funding: Vec<String>,
    /// `ethics`: approvals of ethics committees.
    pub ethics: Vec<String>,
}

/// A checked experiment file.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The file's name as it was given.
    pub name: String,
    /// `title`, or the name of the file without its ending.
    pub title: String,
    /// `description`.
    pub description: Option<String>,
    /// `reference`: the publication it follows.
    pub reference: Option<String>,
    /// `authors` and what else a dataset says of those who made it.
    pub credits: Credits,
    /// `task`: the BIDS task label, letters and digits.
    pub task: String,
    /// `participants`: how many are planned.
    pub participants: u32,
    /// `seed`: everything that is drawn is made of it, the label and the session.
    pub seed: u64,
    /// `sessions`: how many each participant has.
    pub sessions: u32,
    /// `[session]`: a factor with one level for each session.
    pub session_factor: Option<SessionFactor>,
    /// `members`: the label is that of several, each on an input of this name.
    pub members: Vec<String>,
    /// `after`: how long after a session the next one may begin.
    pub visits: Vec<DueVisit>,
    /// `ask_after`: after a longer pause a session asks before it goes on.
    pub ask_after: Nanos,
    /// `blind`: conditions and asynchronies are kept from the experimenter.
    pub blind: bool,
    /// The factors within participants, that of the sessions excepted.
    pub factors: Vec<Factor>,
    /// The factors between participants.
    pub between: Vec<Factor>,
    /// The conditions; several lists where each participant has one of them.
    pub lists: Vec<List>,
    /// How participants come to their list.
    pub assign: Assign,
    /// `[set]`: what every trial with conditions sets in its trial file.
    pub settings: Vec<Setting>,
    /// `[participant]`: what is asked before the first step of session 1.
    pub fields: Vec<ParticipantField>,
    /// `[question.NAME]`.
    pub questions: Vec<Question>,
    /// `[staircase.NAME]`.
    pub staircases: Vec<Staircase>,
    /// `language` and `[words]`: what participants read besides the texts of the study.
    pub words: Words,
    /// `[translation.LANGUAGE]`: the same study in other languages.
    pub translations: Vec<Translation>,
    /// `[outcome]`, what the study is for, where there is one; then every `[[contrast]]`, and of `each` one for each
    /// level.
    pub outcomes: Vec<Outcome>,
    /// `[exclude]`: whom every analysis leaves out, by their answers.
    pub exclude: Vec<ExcludeRule>,
    /// `[[step]]`, in file order.
    pub steps: Vec<Step>,
    /// Every file that it names, with its text: trial files, texts to show, tables. In the
    /// order in which they are first named.
    pub files: Vec<(String, String)>,
    /// Of which of them FTAP's own text was read, and what was read how in each. Their text in
    /// `files` is the trial file that they became.
    pub of_ftap: Vec<(String, Vec<LineRead>)>,
    /// The text of the experiment file.
    pub source: String,
    /// Doubts that do not keep it from running.
    pub warnings: Vec<String>,
}

/// What participants read in one language, in place of what the study has.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    pub words: Words,
    /// The steps of the study, with other texts.
    pub steps: Vec<Step>,
    /// Its questions, with other texts and words to choose from.
    pub questions: Vec<Question>,
    /// Its fields, the same.
    pub fields: Vec<ParticipantField>,
}

/// When the session after another one may begin, counted from the end of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueVisit {
    /// The session before, from 1.
    pub after: u32,
    /// Nights that must lie between, at least.
    pub nights: Option<u32>,
    pub at_least: Option<Nanos>,
    pub at_most: Option<Nanos>,
}

/// What steps stand under, and what is easily written for it.
const STEPS: [&str; 2] = ["step", "steps"];

impl Experiment {
    /// Whether a text is that of an experiment: it has steps.
    pub fn is_one(text: &str) -> bool {
        // The second reads the whole file, the first finds what nearly every one has; with single
        // brackets, which may stand only once, it is no TOML.
        let heads = |line: &str| {
            let name = line.strip_prefix('[').map(|rest| rest.trim_start_matches('['));
            let name = name.and_then(|rest| rest.split(']').next()).map(str::trim);
            name.is_some_and(|name| STEPS.iter().any(|head| name.eq_ignore_ascii_case(head)))
        };
        text.lines().any(|line| heads(line.trim_start()))
            || tree(text).is_ok_and(|table| table.has("step"))
    }

    /// Whether squares, or lists that go round, give orders by the participant's place.
    pub fn has_squares(&self) -> bool {
        let square = |order: &Order| matches!(order, Order::Latin | Order::Williams);
        let in_step = |step: &Step| match &step.doing {
            Doing::Trials(trials) => {
                let blocks = trials.blocks.as_ref();
                square(&trials.order) || blocks.is_some_and(|blocks| square(&blocks.order))
            }
            _ => false,
        };
        let of_sessions = self.session_factor.as_ref().is_some_and(|of| square(&of.order));
        let of_lists = self.lists.len() > 1 && self.assign == Assign::Latin;
        of_sessions || of_lists || self.steps.iter().any(in_step)
    }

    /// The text of a file that it names.
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.iter().find(|(of, _)| of == name).map(|(_, text)| text.as_str())
    }

    /// The seed that a trial file names, if it does.
    pub(crate) fn seed_of_file(&self, name: &str) -> Option<u64> {
        let table = tree(self.file(name)?).ok()?;
        match table.get("seed")?.node.value {
            Value::Integer(seed) => u64::try_from(seed).ok(),
            _ => None,
        }
    }

    /// `[outcome]`: what the study is for.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcomes.first().filter(|outcome| outcome.stands == Stands::Outcome)
    }

    /// The contrasts that one stands for ([`Outcome::expanded`]).
    pub fn expanded(&self, asked: &Outcome) -> Vec<Outcome> {
        let factor = asked.over.as_deref().and_then(|over| self.factor(over));
        let levels = factor.map_or(&[][..], |factor| &factor.levels);
        asked.expanded(&levels.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    /// All factors, as plans and tables have them: those of `[factor]`, that of the sessions at its
    /// place, then those of `[between]`, each in file order. Nothing else puts them together, so that
    /// no two lists of them can differ in their order.
    pub fn all_factors(&self) -> Vec<&Factor> {
        let mut within: Vec<&Factor> = self.factors.iter().collect();
        if let Some(session) = &self.session_factor {
            within.insert(session.place.min(within.len()), &session.factor);
        }
        within.into_iter().chain(&self.between).collect()
    }

    /// The factor of this name.
    pub fn factor(&self, name: &str) -> Option<&Factor> {
        self.all_factors().into_iter().find(|factor| factor.name == name)
    }

    /// The names of [`Experiment::all_factors`], the columns of a plan.
    pub fn factor_names(&self) -> Vec<String> {
        self.all_factors().into_iter().map(|factor| factor.name.clone()).collect()
    }

    /// The factors of the conditions, each with its level in one of them. A condition names levels by
    /// their places in these factors: whoever makes conditions has them from there.
    pub(crate) fn levels_in<'e>(
        &'e self,
        condition: &'e Condition,
    ) -> impl Iterator<Item = (&'e Factor, &'e Level)> {
        let both = self.factors.iter().zip(&condition.levels);
        both.filter_map(|(factor, place)| Some((factor, factor.levels.get(*place)?)))
    }
}

/// The factor of the sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionFactor {
    /// The factor; it has one level for each session.
    pub factor: Factor,
    /// Its place among the factors of `[factor]`.
    pub place: usize,
    /// The order of its levels over the sessions.
    pub order: Order,
}

/// How participants come to one of several lists of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assign {
    /// By their place: list k mod n.
    Latin,
    /// By a draw from seed and label.
    Shuffle,
}

//! From an [`Experiment`] and a participant to the [`Plan`] of a session.
//!
//! What is drawn has a generator of its own, named by what it is for, so that nothing
//! depends on who came before or on how often the program was started.

mod blocks;
mod settings;

use crate::plan::assign::Participant;
use crate::plan::draw::{self, Refusal};
use crate::plan::squares;
use crate::plan::{NONE, Plan, PlannedBlock, PlannedStep, PlannedTrial};
use crate::study::experiment::{Experiment, SessionFactor};
use crate::study::factor::Level;
use crate::study::step::{Doing, Limited, Order, Step, Trials};
pub(crate) use blocks::{Block, blocks, in_order, task};
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
pub(crate) use settings::settings;

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The experiment has fewer sessions. Name one that it has.
    #[error("session {session}: the study has {}", sessions_of(*sessions))]
    Session {
        /// The session that was asked for.
        session: u32,
        /// How many there are.
        sessions: u32,
    },
    /// No order of a block satisfies its constraints. Loosen them; `check` says which.
    #[error("step {step}, block {block}: {why}")]
    Order {
        step: String,
        /// The block, from 1.
        block: u32,
        why: &'static str,
    },
}

fn sessions_of(sessions: u32) -> String {
    match sessions {
        1 => "one session".to_owned(),
        n => format!("{n} sessions"),
    }
}

/// Whom and when a plan is for, and what follows from it.
pub(crate) struct Occasion<'e> {
    pub experiment: &'e Experiment,
    pub participant: &'e Participant,
    pub session: u32,
    pub between: Vec<(String, String)>,
    pub session_level: Option<(String, String)>,
    pub list: usize,
}

/// What the trials of a step draw from.
struct Draws {
    gaps: Random,
    /// The seed that the trial file names, where every trial has it.
    seed: Option<u64>,
}

impl Experiment {
    /// The plan of a participant in a session, from 1.
    ///
    /// # Errors
    /// A session that there is not; an order that cannot be found.
    pub fn plan(&self, participant: &Participant, session: u32) -> Result<Plan, PlanError> {
        if session == 0 || session > self.sessions {
            return Err(PlanError::Session { session, sessions: self.sessions });
        }
        let occasion = Occasion::new(self, participant, session);
        let mut steps = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            if occasion.has(step) {
                steps.push(occasion.step(index, step)?);
            }
        }
        let Occasion { between, session_level, list, .. } = occasion;
        let several = self.lists.len() > 1;
        Ok(Plan {
            participant: participant.label.clone(),
            session,
            k: participant.k,
            between,
            session_level,
            conditions: self.lists[list].file.clone().filter(|_| several),
            seed: self.seed,
            factors: self.factor_names(),
            steps,
        })
    }

    /// The pause before a trial of a step of unknown length, of which the plan has only the
    /// first. It is drawn from seed, label, session, step and trial alone.
    pub fn gap_of_open(&self, plan: &Plan, step: usize, trial: u32) -> Nanos {
        let Some(Step { doing: Doing::Trials(trials), name, .. }) = self.steps.get(step) else {
            return Nanos::ZERO;
        };
        let (least, greatest) = trials.gap;
        let drawn = format!("gap.{name}.{trial}.{}.{}", plan.participant, plan.session);
        let share = Random::named(plan.seed, &drawn).uniform();
        least + Nanos((share * (greatest - least).0 as f64) as i64)
    }

    /// The seed of one attempt at a trial, below 2⁵³: made of the experiment's seed, the
    /// label, the session, the step's name, the trial's number and the attempt, both from 1.
    pub fn trial_seed(
        &self,
        label: &str,
        session: u32,
        step: &str,
        trial: u32,
        attempt: u32,
    ) -> u64 {
        let name = format!("trial.{label}.{session}.{step}.{trial}.{attempt}");
        Random::named(self.seed, &name).next_u64() >> 11
    }
}

impl<'e> Occasion<'e> {
    pub fn new(experiment: &'e Experiment, participant: &'e Participant, session: u32) -> Self {
        let factor = experiment.session_factor.as_ref();
        let level = |factor: &SessionFactor| {
            let order = session_order(experiment, factor, participant);
            let level = &factor.factor.levels[order[session as usize - 1]];
            (factor.factor.name.clone(), level.to_string())
        };
        Occasion {
            experiment,
            participant,
            session,
            between: experiment.cell(participant.cell),
            session_level: factor.map(level),
            list: experiment.list_of(participant, session),
        }
    }

    /// A generator of this participant and session.
    pub fn random(&self, what: &str) -> Random {
        let Occasion { participant, session, experiment, .. } = self;
        Random::named(experiment.seed, &format!("{what}.{}.{session}", participant.label))
    }

    /// The place from which squares are counted: k, one on in each session.
    pub fn place(&self) -> usize {
        self.participant.k as usize + self.session as usize - 1
    }

    /// The level of a factor that does not vary within a session.
    pub fn level(&self, factor: &str) -> Option<&str> {
        let mut known = self.between.iter().chain(&self.session_level);
        known.find(|(name, _)| name == factor).map(|(_, level)| level.as_str())
    }

    /// Whether a step belongs to this session and participant.
    pub fn has(&self, step: &Step) -> bool {
        let session = step.sessions.as_ref().is_none_or(|list| list.contains(&self.session));
        session && self.is_meant(step)
    }

    /// Whether a step is for these levels between participants and of the session.
    pub fn is_meant(&self, step: &Step) -> bool {
        let meant = |limit: &Limited| {
            self.level(&limit.factor).is_none_or(|level| limit.levels.iter().any(|of| of == level))
        };
        step.only.iter().all(meant)
    }

    fn step(&self, index: usize, step: &Step) -> Result<PlannedStep, PlanError> {
        let mut planned = PlannedStep {
            index,
            name: step.name.clone(),
            say: step.say.as_ref().map(|text| text.filled(&self.names(step))),
            tell: step.told().map(|text| text.filled(&self.names(step))),
            open: false,
            blocks: Vec::new(),
            trials: Vec::new(),
        };
        if let Doing::Trials(trials) = &step.doing {
            planned.open = trials.practice.is_some() || !trials.staircases.is_empty();
            if trials.conditions && !planned.open {
                self.with_conditions(step, trials, &mut planned)?;
            } else {
                self.single(step, trials, &mut planned);
            }
        }
        Ok(planned)
    }

    /// The names that a step's own text may have, with their levels as participants read them.
    fn names(&self, step: &Step) -> Vec<(String, String)> {
        let single = step.only.iter().filter(|limit| limit.levels.len() == 1);
        let named = single.map(|limit| (limit.factor.clone(), limit.levels[0].clone()));
        let all = self.between.iter().chain(&self.session_level).cloned().chain(named);
        all.map(|of| self.experiment.words.shown(of)).collect()
    }

    /// One trial: as its file stands, or the first of an open number.
    fn single(&self, step: &Step, trials: &Trials, planned: &mut PlannedStep) {
        let condition = match trials.conditions {
            true => self.conditions(step).first().copied(),
            false => None,
        };
        planned.blocks.push(PlannedBlock {
            block: 1,
            level: None,
            say: None,
            method: crate::plan::Method::File,
        });
        let mut draws = self.draws(step, trials);
        planned.trials.push(self.trial(step, trials, (1, 1, 1), condition, &mut draws));
    }

    fn draws(&self, step: &Step, trials: &Trials) -> Draws {
        let named = || self.experiment.seed_of_file(&trials.file);
        Draws {
            gaps: self.random(&format!("gap.{}", step.name)),
            seed: if trials.same_seed { named() } else { None },
        }
    }

    fn with_conditions(
        &self,
        step: &Step,
        trials: &Trials,
        planned: &mut PlannedStep,
    ) -> Result<(), PlanError> {
        let mut draws = self.draws(step, trials);
        let mut uses = blocks::Uses::of(self, step, trials);
        for (number, block) in blocks(self, step, trials).iter().enumerate() {
            let number = number as u32 + 1;
            let order = blocks::order(self, step, trials, number, block, &mut uses);
            let (order, method) = order.map_err(|refusal| PlanError::Order {
                step: step.name.clone(),
                block: number,
                why: match refusal {
                    Refusal::Impossible(_) => "no order satisfies the constraints",
                    Refusal::NotFound => "no order that satisfies the constraints was found",
                },
            })?;
            planned.blocks.push(self.block(step, trials, number, block, method));
            for (condition, repetition) in order {
                let at = (planned.trials.len() as u32 + 1, number, repetition);
                planned.trials.push(self.trial(step, trials, at, Some(condition), &mut draws));
            }
        }
        Ok(())
    }

    fn block(
        &self,
        step: &Step,
        trials: &Trials,
        block: u32,
        of: &Block,
        method: crate::plan::Method,
    ) -> PlannedBlock {
        let blocks = trials.blocks.as_ref();
        let level = blocks.zip(of.level).map(|(blocks, level)| {
            let factor = self.experiment.factors.iter().find(|f| f.name == blocks.by);
            let written = factor.map_or(String::new(), |f| f.levels[level].to_string());
            (blocks.by.clone(), written)
        });
        let mut names = self.names(step);
        names.extend(level.clone().map(|of| self.experiment.words.shown(of)));
        let say = blocks.and_then(|blocks| blocks.say.as_ref());
        PlannedBlock { block, level, say: say.map(|text| text.filled(&names)), method }
    }

    fn trial(
        &self,
        step: &Step,
        trials: &Trials,
        (trial, block, repetition): (u32, u32, u32),
        condition: Option<usize>,
        draws: &mut Draws,
    ) -> PlannedTrial {
        let experiment = self.experiment;
        let label = &self.participant.label;
        let (least, greatest) = trials.gap;
        let drawn = (draws.gaps.uniform() * (greatest - least).0 as f64) as i64;
        PlannedTrial {
            trial,
            block,
            repetition,
            condition,
            factors: self.levels(condition).into_iter().map(|(_, level)| cell(level)).collect(),
            seed: draws.seed.unwrap_or_else(|| {
                experiment.trial_seed(label, self.session, &step.name, trial, 1)
            }),
            gap_ns: least.0 + drawn,
            file: trials.file.clone(),
            settings: settings(self, trials, condition),
        }
    }

    /// Each factor with its level, in the order of [`Experiment::all_factors`]; `None` where it has
    /// none in this condition.
    pub fn levels(&self, condition: Option<usize>) -> Vec<(&'e str, Option<&'e Level>)> {
        let all = self.experiment.all_factors().into_iter();
        all.map(|factor| (&*factor.name, self.level_in(&factor.name, condition))).collect()
    }

    /// The level of a factor: in a condition, between participants, or in the session.
    pub fn level_in(&self, name: &str, condition: Option<usize>) -> Option<&'e Level> {
        let experiment = self.experiment;
        if experiment.factors.iter().any(|factor| factor.name == name) {
            let condition = &experiment.lists[self.list].conditions[condition?];
            let mut levels = experiment.levels_in(condition);
            return levels.find(|(factor, _)| factor.name == name).map(|(_, level)| level);
        }
        let factor = experiment.factor(name)?;
        factor.levels.get(factor.place(self.level(name)?)?)
    }

    /// The conditions of a step, from 0 in the order of the file, by its `only`.
    pub fn conditions(&self, step: &Step) -> Vec<usize> {
        let experiment = self.experiment;
        let conditions = &experiment.lists[self.list].conditions;
        let meant = |index: &usize| {
            experiment.levels_in(&conditions[*index]).all(|(factor, level)| {
                let mut limits = step.only.iter().filter(|limit| limit.factor == factor.name);
                limits.all(|limit| limit.levels.contains(&level.to_string()))
            })
        };
        (0..conditions.len()).filter(meant).collect()
    }
}

/// A level as it stands in a plan.
fn cell(level: Option<&Level>) -> String {
    level.map_or(NONE.to_owned(), ToString::to_string)
}

/// The levels of the sessions' factor, in the order of the sessions of a participant.
fn session_order(
    experiment: &Experiment,
    factor: &SessionFactor,
    participant: &Participant,
) -> Vec<usize> {
    let n = factor.factor.levels.len();
    let k = participant.k as usize;
    match factor.order {
        Order::Latin => squares::latin(n, k),
        Order::Williams => squares::williams(n, k),
        Order::Shuffle => {
            let mut order: Vec<usize> = (0..n).collect();
            let name = format!("sessions.{}", participant.label);
            draw::shuffle(&mut order, &mut Random::named(experiment.seed, &name));
            order
        }
        _ => (0..n).collect(),
    }
}

//! Every trial file with everything that is set in it: each combination of values that can
//! come about is tried once.

use super::{measures, passable, stretches};
use crate::file::cells::cell_of;
use crate::file::files::Shelf;
use crate::plan::assign::Participant;
use crate::plan::derive::{TrialError, derived};
use crate::plan::planner::{Occasion, settings};
use crate::plan::{GivenValue, PlannedSetting};
use crate::study::experiment::Experiment;
use crate::study::factor::Level;
use crate::study::setting::{SettingSource, toml};
use crate::study::staircase::{AnswersFrom, Staircase};
use crate::study::step::{Doing, Step, Trials};
use chronotap_config::trial_files::reading::{Page, QuantityFault, Value, tree};
use chronotap_config::trial_files::{Problem, Problems, TrialFile};
use std::collections::{HashMap, HashSet};

/// So many different trials are tried at most; a study with more has far fewer kinds of them.
const VARIANTS_MAX: usize = 1_000;
/// What stands for a result that is not known yet: half a second, in nanoseconds, or one.
const SAMPLE: (f64, f64) = (500e6, 1.0);

/// So many trials are looked at for what is different in them.
const LOOKED_MAX: usize = 50_000;

type Settings = Vec<(Vec<String>, String)>;

/// A trial file as it is set in one step, and what sets it so.
pub(crate) struct Variant {
    pub file: String,
    pub settings: Settings,
    /// The levels that make it: `tempo = 400 ms, delay = 0 ms`.
    pub levels: String,
}

/// Checks every trial file with everything that is set in it. In the parts that are `lost`, of
/// which the study sets something that could not be read, nothing is told.
pub(crate) fn trials(page: &Page<'_>, shelf: &Shelf<'_>, experiment: &Experiment, lost: &[String]) {
    let mut base: HashMap<String, Option<Problems>> = HashMap::new();
    let mut inputs: HashSet<String> = HashSet::new();
    let mut streams: HashSet<String> = HashSet::new();
    let mut all_read = true;
    let mut parted: Vec<(&str, stretches::Stretches)> = Vec::new();
    let by_stretch = stretches::are_named(experiment);
    for step in &experiment.steps {
        let Doing::Trials(trials) = &step.doing else { continue };
        // What is an experiment file was reported where it is named.
        let is_trial = |text: &String| !Experiment::is_one(text);
        let Some(text) = shelf.read_text(&trials.file).filter(is_trial) else {
            all_read = false;
            continue;
        };
        base.entry(trials.file.clone())
            .or_insert_with(|| TrialFile::parse(&text, &shelf.said(&trials.file)).err());
        seed_is_named(page, step, trials, &text);
        let known = base[&trials.file].as_ref();
        let told = HashSet::new();
        let mut found = Found { page, shelf, experiment, step, trials, known, lost, told };
        let (variants, all) = variants(experiment, step, trials);
        if all > variants.len() {
            let tried = variants.len();
            let message =
                format!("step {}: {tried} of {all} different trials were tried", step.name);
            page.warn(page.start_of(step.line), message);
        }
        let mut never_passed = None;
        let mut all_parted = stretches::Stretches::default();
        for variant in variants {
            let said = shelf.said(&variant.file);
            match derived(&text, &variant.settings) {
                Err((path, fault)) => {
                    all_read = false;
                    found.unset(&said, &path, &fault);
                }
                Ok(text) => match TrialFile::parse(&text, &said) {
                    Ok(file) => {
                        inputs.extend(file.trial.inputs.iter().map(|input| input.name.clone()));
                        streams.extend(file.trial.pacing.iter().map(|of| of.name.clone()));
                        measures::measures(page, step, trials, &file);
                        if by_stretch {
                            all_parted.take(&file);
                        }
                        never_passed =
                            never_passed.or_else(|| passable::never_passed(trials, &file));
                        found.answers(&file);
                    }
                    Err(problems) => {
                        all_read = false;
                        problems.all().iter().for_each(|one| found.problem(one, &variant));
                    }
                },
            }
        }
        if by_stretch && all_read {
            stretches::of_measures(page, step, trials, &all_parted);
            parted.push((&step.name, all_parted));
        }
        if let Some(why) = never_passed {
            let message = format!("step {}: its practice cannot be passed: {why}", step.name);
            page.warn(page.start_of(step.line), message);
        }
    }
    if all_read {
        members(page, experiment, &inputs);
        outcomes(page, experiment, &inputs, streams, &parted);
    }
}

/// Trials that are to have the same seed take it from their file.
fn seed_is_named(page: &Page<'_>, step: &Step, trials: &Trials, text: &str) {
    if trials.same_seed && experiment_seed(text).is_none() {
        let message = format!("step {}: same_seed, but {} names no seed", step.name, trials.file);
        let cure = "write seed = 7 in the trial file, or leave same_seed out";
        page.cured(page.start_of(step.line), message, cure);
    }
}

/// The seed that a trial file names.
fn experiment_seed(text: &str) -> Option<u64> {
    match tree(text).ok()?.get("seed")?.node.value {
        Value::Integer(seed) => u64::try_from(seed).ok(),
        _ => None,
    }
}

/// A member is an input of the trial.
fn members(page: &Page<'_>, experiment: &Experiment, inputs: &HashSet<String>) {
    for member in experiment.members.iter().filter(|member| !inputs.contains(*member)) {
        if inputs.is_empty() {
            return; // there is no trial file
        }
        let mut names: Vec<&str> = inputs.iter().map(String::as_str).collect();
        names.sort_unstable();
        let at = experiment.source.find("members").unwrap_or(0);
        let message = format!("members: no trial file has an input \"{member}\"");
        page.unknown(at, message, member, names);
    }
}

/// An outcome is of an input, and against a stream or the taps of another input.
fn outcomes(
    page: &Page<'_>,
    experiment: &Experiment,
    inputs: &HashSet<String>,
    streams: HashSet<String>,
    parted: &[(&str, stretches::Stretches)],
) {
    let taps = inputs.iter().map(|input| format!("taps of {input}"));
    let against: HashSet<String> = streams.into_iter().chain(taps).collect();
    for outcome in &experiment.outcomes {
        let pairs = [
            ("input", &outcome.input, "an input", inputs),
            ("against", &outcome.against, "a stream", &against),
        ];
        for (key, named, what, known) in pairs {
            let Some(named) = named.as_ref().filter(|named| !known.contains(*named)) else {
                continue;
            };
            if inputs.is_empty() {
                return; // there is no trial file
            }
            let mut names: Vec<&str> = known.iter().map(String::as_str).collect();
            names.sort_unstable();
            let at = line_of(&experiment.source, key, named);
            page.unknown(at, format!("no trial file has {what} \"{named}\""), named, names);
        }
        let at = outcome.stretch.as_ref().map(|of| line_of(&experiment.source, "stretch", of));
        stretches::of_outcome(page, at.unwrap_or(0), outcome, parted);
    }
}

/// Where the first line begins that gives a key this value.
fn line_of(text: &str, key: &str, value: &str) -> usize {
    let gives = |line: &str| {
        let (before, after) = line.split_once('=').unwrap_or_default();
        before.trim() == key && after.contains(value)
    };
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take_while(|line| !gives(line)).map(str::len).sum();
    if before < text.len() { before } else { 0 }
}

/// What is told of one step, each thing once.
struct Found<'f> {
    page: &'f Page<'f>,
    shelf: &'f Shelf<'f>,
    experiment: &'f Experiment,
    step: &'f Step,
    trials: &'f Trials,
    /// The mistakes that the trial file has by itself.
    known: Option<&'f Problems>,
    lost: &'f [String],
    told: HashSet<String>,
}

impl Found<'_> {
    /// A key that cannot be set, or a trial file that is not TOML, which has no path.
    fn unset(&mut self, file: &str, path: &str, fault: &QuantityFault) {
        if let Some(own) = self.known.filter(|_| path.is_empty()) {
            return own.all().iter().for_each(|own| self.page.put_own(own.clone()));
        }
        let message = format!("set.{path}: {} ({file})", fault.message);
        if self.told.insert(message.clone()) {
            self.page.cured(self.line_of(path), message, fault.cure.as_str());
        }
    }

    /// A problem of the trial file as it is set: the file's own, or one of what is set.
    fn problem(&mut self, one: &Problem, variant: &Variant) {
        if self.lost.iter().any(|part| one.message.contains(part.as_str())) {
            return;
        }
        let own = |other: &&Problem| other.message == one.message;
        if let Some(own) = self.known.and_then(|base| base.all().iter().find(own)) {
            self.page.put_own(own.clone());
            return;
        }
        if !self.told.insert(one.message.clone()) {
            return;
        }
        let said: Vec<String> = variant.settings.iter().map(|(path, _)| path.join(".")).collect();
        // The path itself, or the table that it stands in.
        let whole = said.iter().rev().find(|path| one.message.contains(path.as_str()));
        let part = said.iter().rev().find(|path| {
            let (table, key) = path.rsplit_once('.').unwrap_or(("", path));
            one.message.contains(key) && one.message.contains(table)
        });
        let head = said.iter().rev().find(|path| {
            let head = path.split('.').next().unwrap_or_default();
            one.message.contains(&format!("\"{head}\""))
        });
        let path = whole.or(part).or(head).or(said.last()).map_or("", String::as_str);
        let levels = match variant.levels.as_str() {
            "" => String::new(),
            levels => format!(", with {levels}"),
        };
        let message = format!("set.{path}: {} ({}{levels})", one.message, one.file);
        let cure = self.factor_meant(path).or_else(|| one.cure.clone()).unwrap_or_default();
        let near = one.nearest.as_ref().map(|near| format!("did you mean \"{near}\"?"));
        let cure = [cure].into_iter().chain(near).filter(|part| !part.is_empty());
        let cure = cure.collect::<Vec<_>>().join("; ");
        let is_of_path = whole.or(part).is_some();
        let setting = variant.settings.iter().rev().find(|(of, _)| of.join(".") == path);
        if let Some((_, level)) = setting.filter(|_| is_of_path)
            && self.in_table(path, level, (&message, &cure))
        {
            return;
        }
        let at = self.level_in(path, &one.message).unwrap_or_else(|| self.line_of(path));
        self.page.cured(at, message, cure);
    }

    /// What to write where the name of a factor stands in the place of its level.
    fn factor_meant(&self, path: &str) -> Option<String> {
        let mut all = self.trials.settings.iter().chain(&self.experiment.settings);
        let SettingSource::Toml(value) = &all.find(|setting| setting.said() == path)?.source else {
            return None;
        };
        // Templates elsewhere write {delay} or $delay.
        let name = value.trim().strip_prefix('"')?.strip_suffix('"')?;
        let name = name.trim_matches(['{', '}', '$', '%', '<', '>']);
        let mut factors = self.experiment.factors.iter().chain(&self.experiment.between);
        factors
            .any(|factor| factor.name == name)
            .then(|| format!("for a level of the factor write {{ factor = \"{name}\" }}"))
    }

    /// Tells of a level that stands in a table of conditions there, at its cell: whether it is one.
    fn in_table(&self, path: &str, level: &str, (message, cure): (&str, &str)) -> bool {
        let mut all = self.trials.settings.iter().chain(&self.experiment.settings);
        let setting = all.find(|setting| setting.said() == path);
        let Some(SettingSource::Factor(factor)) = setting.map(|setting| &setting.source) else {
            return false;
        };
        let is_meant = |of: &Level| of.toml() == level;
        for name in self.experiment.lists.iter().filter_map(|list| list.file.as_ref()) {
            let text = self.shelf.read_text(name).unwrap_or_default();
            if let Some(at) = cell_of(&text, factor, is_meant) {
                let said = self.shelf.said(name);
                let message = format!("column {factor}: {message}");
                self.page.beside(&said, &text).cured(at, message, cure);
                return true;
            }
        }
        false
    }

    /// Where the levels stand that set this path, if it is one of them that a message shows.
    fn level_in(&self, path: &str, message: &str) -> Option<usize> {
        let mut all = self.trials.settings.iter().chain(&self.experiment.settings);
        let SettingSource::Factor(name) = &all.find(|setting| setting.said() == path)?.source
        else {
            return None;
        };
        let factors = self.experiment.factors.iter().chain(&self.experiment.between);
        let levels =
            factors.filter(|factor| factor.name == *name).flat_map(|factor| &factor.levels);
        let mut shown = levels.map(Level::to_string).filter(|level| {
            message.contains(&format!("\"{level}\"")) || message.contains(&format!("= {level} "))
        });
        shown.next()?;
        let top = tree(&self.experiment.source).ok()?;
        let within = |section| top.get(section)?.node.table()?.get(name).map(|entry| entry.at);
        within("factor").or_else(|| within("between"))
    }

    /// The streams whose last tone begins the answer to a staircase: there, and with an end.
    fn answers(&mut self, file: &TrialFile) {
        let of_step = |of: &&Staircase| self.trials.staircases.contains(&of.name);
        for staircase in self.experiment.staircases.iter().filter(of_step) {
            let AnswersFrom::After { stream, line, .. } = &staircase.answer else { continue };
            let said = format!("staircase {}: answer.after", staircase.name);
            let (streams, at) = (&file.trial.pacing, self.page.start_of(*line));
            let known = streams.iter().find(|known| known.name == *stream);
            let ends = known.map(|known| known.beats.is_some());
            if ends == Some(true) || !self.told.insert(format!("{said} = {stream}")) {
                continue;
            }
            if ends.is_some() {
                let message =
                    format!("{said} waits for the last tone of {stream}, which is endless");
                let cure =
                    format!("give [pacing.{stream}] a number of beats, or write answer.from");
                self.page.cured(at, message, cure);
            } else {
                let message = format!("{said}: {} has no stream \"{stream}\"", file.name);
                let names = streams.iter().map(|known| known.name.as_str());
                self.page.unknown(at, message, stream, names);
            }
        }
    }

    /// The line of the setting of this path, or of the staircase, or of the step.
    fn line_of(&self, path: &str) -> usize {
        let all = self.trials.settings.iter().chain(&self.experiment.settings);
        let line = all.into_iter().find(|setting| setting.said() == path).map(|s| s.line);
        self.page.start_of(line.unwrap_or(self.step.line))
    }
}

impl Experiment {
    /// One trial of each step that has some, with everything that is set in it: what every
    /// trial of the step has in common, such as its inputs, can be known from it. A trial file
    /// by itself may lack what the experiment sets. What is known only later has a value
    /// within its bounds.
    ///
    /// # Errors
    /// As for [`Experiment::trial`]; never of a checked experiment.
    pub fn one_of_each_step(&self) -> Result<Vec<TrialFile>, TrialError> {
        Ok(self.one_of_each_step_by_name()?.into_iter().map(|(_, file)| file).collect())
    }

    /// The same, each with the name of its step.
    ///
    /// # Errors
    /// As for [`Experiment::trial`]; never of a checked experiment.
    pub fn one_of_each_step_by_name(&self) -> Result<Vec<(String, TrialFile)>, TrialError> {
        let of = |step: &Step| match &step.doing {
            Doing::Trials(trials) => {
                let file = self.one_of(trials, self.first_settings(step, trials)?);
                Some(file.map(|file| (step.name.clone(), file)))
            }
            _ => None,
        };
        self.steps.iter().filter_map(of).collect()
    }

    /// Trials among which every recording is that any trial of the study plays: of each step one
    /// for every way in which its conditions name recordings, at most 1000 of them.
    ///
    /// # Errors
    /// As for [`Experiment::trial`]; never of a checked experiment.
    pub fn one_with_each_recording(&self) -> Result<Vec<TrialFile>, TrialError> {
        let mut all = Vec::new();
        for step in &self.steps {
            let Doing::Trials(trials) = &step.doing else { continue };
            let (mut seen, mut found) = (HashSet::new(), Vec::new());
            each(self, step, trials, &mut |_, _, settings| {
                let named = settings.iter().filter(|(path, _)| names_recording(path)).cloned();
                let named: Settings = named.collect();
                if found.len() < VARIANTS_MAX && seen.insert(named) {
                    found.push(settings);
                }
            });
            for settings in found {
                all.push(self.one_of(trials, settings)?);
            }
        }
        Ok(all)
    }

    fn one_of(&self, trials: &Trials, settings: Settings) -> Result<TrialFile, TrialError> {
        let file = trials.file.clone();
        let text = self.file(&file).unwrap_or_default();
        let text = derived(text, &settings).map_err(|(path, fault)| {
            let (message, cure) = (fault.message, fault.cure);
            TrialError::Key { file: file.clone(), path, message, cure }
        })?;
        Ok(TrialFile::parse(&text, &file)?)
    }

    /// What is set in the first trial that a step can have; `None` where it is for nobody.
    fn first_settings(&self, step: &Step, trials: &Trials) -> Option<Settings> {
        let someone = |cell| Participant { label: "01".to_owned(), cell, k: 0 };
        (0..self.cells()).map(someone).find_map(|participant| {
            (1..=self.sessions).find_map(|session| {
                (0..self.lists.len()).find_map(|list| {
                    let of = Occasion { list, ..Occasion::new(self, &participant, session) };
                    let first = || of.conditions(step).first().copied();
                    let condition = if trials.conditions { Some(first()?) } else { None };
                    let planned = settings(&of, trials, condition);
                    of.is_meant(step).then(|| with_samples(self, &planned, trials).swap_remove(0))
                })
            })
        })
    }
}

/// The different trials of a step, at most [`VARIANTS_MAX`]; and how many there are.
pub(crate) fn variants(
    experiment: &Experiment,
    step: &Step,
    trials: &Trials,
) -> (Vec<Variant>, usize) {
    let mut seen: HashSet<Settings> = HashSet::new();
    let mut variants = Vec::new();
    each(experiment, step, trials, &mut |occasion, condition, settings| {
        if seen.insert(settings.clone()) && seen.len() <= VARIANTS_MAX {
            let levels = said(occasion, condition);
            variants.push(Variant { file: trials.file.clone(), settings, levels });
        }
    });
    (variants, seen.len())
}

/// Whether a setting says which recording a stream plays.
fn names_recording(path: &[String]) -> bool {
    matches!(path, [kind, _, key] if kind == "pacing" && key == "audio")
}

/// What sets the trials of a step, for each participant's cell, list of conditions and level of
/// the session's factor, and what is set in them: the same may come several times.
fn each(
    experiment: &Experiment,
    step: &Step,
    trials: &Trials,
    take: &mut dyn FnMut(&Occasion<'_>, Option<usize>, Settings),
) {
    if !experiment.has_levels() {
        return;
    }
    let mut looked = 0;
    let mut seen_in = |occasion: &Occasion<'_>| {
        let conditions: Vec<Option<usize>> = match trials.conditions {
            _ if !occasion.is_meant(step) => Vec::new(),
            true => occasion.conditions(step).into_iter().map(Some).collect(),
            false => vec![None],
        };
        for condition in conditions {
            looked += 1;
            if looked > LOOKED_MAX {
                break;
            }
            let planned = settings(occasion, trials, condition);
            for settings in with_samples(experiment, &planned, trials) {
                take(occasion, condition, settings);
            }
        }
    };
    for cell in 0..experiment.cells().min(1_000) {
        let participant = Participant { label: "01".to_owned(), cell, k: 0 };
        for list in 0..experiment.lists.len() {
            let any = || Occasion { list, ..Occasion::new(experiment, &participant, 1) };
            let Some(of) = experiment.session_factor.as_ref().map(|of| &of.factor) else {
                seen_in(&any());
                continue;
            };
            for level in &of.levels {
                let session_level = Some((of.name.clone(), level.to_string()));
                seen_in(&Occasion { session_level, ..any() });
            }
        }
    }
}

fn said(occasion: &Occasion<'_>, condition: Option<usize>) -> String {
    let levels = occasion.levels(condition).into_iter();
    let said = levels.filter_map(|(name, level)| Some(format!("{name} = {}", level?)));
    said.collect::<Vec<_>>().join(", ")
}

impl Experiment {
    /// Whether every condition has a level of each factor: only a study with mistakes, which are
    /// told, has others.
    fn has_levels(&self) -> bool {
        let factors = &self.factors;
        let mut conditions = self.lists.iter().flat_map(|list| &list.conditions);
        conditions.all(|of| {
            let mut levels = of.levels.iter().zip(factors);
            of.levels.len() == factors.len() && levels.all(|(at, of)| *at < of.levels.len())
        })
    }
}

/// The settings of a trial; for what is known only later, each bound in turn.
fn with_samples(
    experiment: &Experiment,
    planned: &[PlannedSetting],
    trials: &Trials,
) -> Vec<Settings> {
    let staircases: Vec<&Staircase> =
        experiment.staircases.iter().filter(|s| trials.staircases.contains(&s.name)).collect();
    let later = planned.iter().any(|setting| matches!(setting.value, GivenValue::Result { .. }));
    let rounds = if later || !staircases.is_empty() { 2 } else { 1 };
    let round = |round: usize| {
        let mut settings: Settings = Vec::new();
        for setting in planned {
            settings.push((setting.path.clone(), sample(experiment, &setting.value, round)));
        }
        for staircase in &staircases {
            let (least, greatest) = staircase.between;
            let level = if round == 0 { least } else { greatest };
            settings.push((staircase.path.clone(), staircase.toml(level)));
        }
        settings
    };
    (0..rounds).map(round).collect()
}

fn sample(experiment: &Experiment, given: &GivenValue, round: usize) -> String {
    let (step, result, times, within) = match given {
        GivenValue::Toml(toml) => return toml.clone(),
        GivenValue::Result { step, result, times, within } => (step, result, times, within),
    };
    let timed = experiment.is_time(step, result);
    let value = match within {
        Some((least, greatest)) => [*least, *greatest][round],
        None => times * if timed { SAMPLE.0 } else { SAMPLE.1 },
    };
    toml(value, timed)
}

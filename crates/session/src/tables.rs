//! [`Tables`]: the tables of one session, made from its journal and from nothing else: one
//! row for each trial, the list of recordings, the checksums. New rows are appended; a table
//! is replaced whole only where a row changes that was written before.

mod growing;

use crate::checksum::{listed, parse_list, sha256};
use crate::columns::{Columns, Headed};
use crate::dataset::{Dataset, DatasetError};
use crate::line::{Asked, Line, TrialBegan, TrialEnded};
use crate::table::{TsvRow, TsvTable};
use crate::visit::Visit;
use chronotap_core::files::{Disk as AnyDisk, slashes};
use chronotap_design::columns::Fixed;
use chronotap_design::{Plan, PlannedStep, PlannedTrial, counting};
use growing::{Growing, append};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The tables of a session, as far as it has come.
#[derive(Debug)]
pub struct Tables {
    place: Visit,
    plan: Arc<Plan>,
    columns: Columns,
    trials: Growing,
    scans: Growing,
    sums: Vec<u8>,
    sums_written: usize,
    runs: HashMap<u32, Run>,
    attempts: HashMap<(usize, u32), Vec<u32>>, // of a planned trial, its runs that ended
    early: Vec<(String, String)>,              // answers before the first trial
    language: Option<String>, // that the participant reads, where the study has several
    places: Places,
}

/// A trial of the session.
#[derive(Debug)]
struct Run {
    row: Option<usize>,
    began: TrialBegan,
    kept: BTreeMap<String, f64>,
    sound: bool,
    failed: bool,
    out: bool, // does not count, whatever it brought
}

/// The places of columns that rows are changed in.
#[derive(Debug)]
struct Places {
    counts: usize,
    questions: HashMap<String, usize>,
}

impl Tables {
    /// The tables of a session of which nothing is known yet.
    pub fn new(place: &Visit, plan: Arc<Plan>, columns: &Columns) -> Tables {
        let headings: Vec<String> =
            columns.of_trials().into_iter().map(|column| column.name).collect();
        let at = |name: &str| headings.iter().position(|heading| heading == name);
        let question = |name: &String| Some((name.clone(), at(name)?));
        let names = columns.questions.iter().map(|column| &column.name);
        let questions = names.filter_map(question).collect();
        let counts = at("counts").unwrap_or(0);
        let scans = ["filename", "acq_time"].map(str::to_owned).to_vec();
        Tables {
            place: place.clone(),
            plan,
            columns: columns.clone(),
            trials: Growing::new(place.table(), headings),
            scans: Growing::new(place.scans(), scans),
            sums: Vec::new(),
            sums_written: 0,
            runs: HashMap::new(),
            attempts: HashMap::new(),
            early: Vec::new(),
            language: columns.language.clone(),
            places: Places { counts, questions },
        }
    }

    /// Adds the checksums of the plan, with which the list begins.
    pub fn add_plan(&mut self) {
        let json = sha256(format!("{}\n", self.plan.json()).as_bytes());
        let table = sha256(self.plan.tsv().as_bytes());
        let (path, table_path) = (self.place.plan_as_json(), self.place.plan());
        self.add_sum(&json, &path);
        self.add_sum(&table, &table_path);
    }

    /// Takes in what happened.
    pub fn take(&mut self, line: &Line) {
        if let (Some(now), Some(language)) = (&mut self.language, line.language()) {
            language.clone_into(now);
        }
        match line {
            Line::TrialBegan(began) => {
                let run = Run {
                    row: None,
                    began: (**began).clone(),
                    kept: BTreeMap::new(),
                    sound: true,
                    failed: false,
                    out: false,
                };
                self.runs.insert(began.run, run);
            }
            Line::TrialEnded(ended) => self.take_ended(ended),
            Line::TrialCut { run, files, at } => self.take_cut(*run, files, at),
            Line::Repeated { run, .. } => self.take_out(*run),
            Line::Answered(answered) if answered.asked != Asked::Participant => {
                self.take_answer(&answered.name, &answered.answer, answered.asked);
            }
            _ => {}
        }
    }

    /// Brings the files up to what was taken in.
    ///
    /// # Errors
    /// [`DatasetError::Disk`].
    pub fn write<D: AnyDisk>(&mut self, dataset: &Dataset<D>) -> Result<(), DatasetError> {
        self.trials.write(dataset)?;
        self.scans.write(dataset)?;
        let path = self.place.checksums();
        append(dataset, &path, &self.sums[self.sums_written..])?;
        self.sums_written = self.sums.len();
        Ok(())
    }

    /// The same for files that may not be those of this program's last moment: they are
    /// compared and replaced.
    ///
    /// # Errors
    /// [`DatasetError::Disk`].
    pub fn restore<D: AnyDisk>(&mut self, dataset: &Dataset<D>) -> Result<(), DatasetError> {
        self.trials.replace(dataset)?;
        self.scans.replace(dataset)?;
        dataset.replace(&self.place.checksums(), &self.sums)?;
        self.sums_written = self.sums.len();
        Ok(())
    }

    /// Writes files again that somebody removed or changed meanwhile; which.
    ///
    /// # Errors
    /// [`DatasetError::Disk`].
    pub fn keep<D: AnyDisk>(&mut self, dataset: &Dataset<D>) -> Result<Vec<PathBuf>, DatasetError> {
        let mut again = Vec::new();
        for table in [&mut self.trials, &mut self.scans] {
            again.extend(table.keep(dataset)?.then(|| table.path.clone()));
        }
        let (sums, written) = (self.place.checksums(), self.sums_written);
        if written > 0 && !dataset.has_length(&sums, written) {
            dataset.replace(&sums, &self.sums)?;
            self.sums_written = self.sums.len();
            again.push(sums);
        }
        Ok(again)
    }

    /// The files whose checksums are listed, from the dataset's folder.
    pub fn listed(&self) -> Vec<PathBuf> {
        let list = parse_list(&String::from_utf8_lossy(&self.sums));
        list.into_iter().map(|(_, path)| path.into()).collect()
    }

    /// What the files of the session hold, by their paths: to compare them.
    pub fn files(&self) -> [(PathBuf, Vec<u8>); 3] {
        [
            (self.trials.path.clone(), self.trials.table.bytes()),
            (self.scans.path.clone(), self.scans.table.bytes()),
            (self.place.checksums(), self.sums.clone()),
        ]
    }

    /// The results that steps kept: step, name and value. Over several trials the median
    /// of those that count.
    pub fn results(&self) -> Vec<(String, String, f64)> {
        let mut all: BTreeMap<(usize, String), Vec<f64>> = BTreeMap::new();
        for run in self.counting() {
            for (name, value) in &run.kept {
                all.entry((run.began.step, name.clone())).or_default().push(*value);
            }
        }
        let step = |index: usize| self.plan.steps.iter().find(|step| step.index == index);
        let result = |((index, name), values): ((usize, String), Vec<f64>)| {
            Some((step(index)?.name.clone(), name, median(values)))
        };
        all.into_iter().filter_map(result).collect()
    }

    /// The results of one trial.
    pub fn results_of(&self, run: u32) -> Vec<(String, String, f64)> {
        let Some(run) = self.runs.get(&run) else { return Vec::new() };
        let step = self.plan.steps.iter().find(|step| step.index == run.began.step);
        let name = step.map_or_else(String::new, |step| step.name.clone());
        run.kept.iter().map(|(kept, value)| (name.clone(), kept.clone(), *value)).collect()
    }

    /// One row for each trial.
    pub fn trials(&self) -> &TsvTable {
        &self.trials.table
    }

    /// What was begun as this number.
    pub fn began(&self, run: u32) -> Option<&TrialBegan> {
        self.runs.get(&run).map(|run| &run.began)
    }

    /// What asks for an answer, by what stays the same however often the session was begun.
    pub fn occasion(&self, asked: Asked) -> String {
        match asked {
            Asked::Participant => OF_FIELDS.into(),
            Asked::Result => "result".into(),
            Asked::Step(step) => format!("step {step}"),
            Asked::Block(step, block) => format!("step {step} block {block}"),
            Asked::Run(run) => match self.began(run) {
                Some(began) => format!("step {} trial {}", began.step, began.trial),
                None => format!("run {run}"),
            },
        }
    }

    /// Whether every trial that counts passed its timing and brought usable data.
    pub fn is_sound(&self) -> bool {
        self.counting().all(|run| run.sound)
    }

    /// The trials that count.
    fn counting(&self) -> impl Iterator<Item = &Run> {
        let counts = |run: &&Run| {
            let row = run.row.and_then(|row| self.trials.table.rows.get(row));
            row.is_some_and(|row| row[self.places.counts].as_deref() == Some("true"))
        };
        self.runs.values().filter(counts)
    }

    /// Adds the checksum of a file of the dataset.
    pub fn add_sum(&mut self, sum: &str, path: &Path) {
        self.sums.extend_from_slice(listed(sum, &slashes(path)).as_bytes());
    }

    fn take_ended(&mut self, ended: &TrialEnded) {
        let Some(run) = self.runs.get_mut(&ended.run) else { return };
        run.failed = !ended.failed.is_empty();
        run.out = ended.interrupted;
        run.kept.clone_from(&ended.kept);
        run.sound = ended.timing_passed && ended.data_usable;
        let began = run.began.clone();
        run.row = Some(self.trials.table.rows.len());
        let row = self.row(&began, Some(ended));
        self.trials.table.rows.push(row);
        let planned = (began.step, began.trial);
        self.attempts.entry(planned).or_default().push(ended.run);
        self.count(planned);
        self.add_files(ended.run, &ended.files, &ended.onset);
        for (name, answer) in std::mem::take(&mut self.early) {
            self.take_answer(&name, &answer, Asked::Run(ended.run));
        }
    }

    fn take_cut(&mut self, number: u32, files: &BTreeMap<String, String>, _at: &str) {
        let Some(run) = self.runs.get_mut(&number) else { return };
        run.out = true;
        let began = run.began.clone();
        if files.is_empty() {
            return;
        }
        run.row = Some(self.trials.table.rows.len());
        let row = self.row(&began, None);
        self.trials.table.rows.push(row);
        self.add_files(number, files, &began.at);
    }

    fn take_out(&mut self, number: u32) {
        let Some(run) = self.runs.get_mut(&number) else { return };
        run.out = true;
        let planned = (run.began.step, run.began.trial);
        self.count(planned);
    }

    /// An answer stands in the row of the last trial before it, or of the first where it
    /// was given before that.
    fn take_answer(&mut self, name: &str, answer: &str, asked: Asked) {
        let Some(&column) = self.places.questions.get(name) else { return };
        let row = match asked {
            Asked::Run(run) => self.runs.get(&run).and_then(|run| run.row),
            _ => self.trials.table.rows.len().checked_sub(1),
        };
        match row {
            // Nothing was answered to what may be left out.
            Some(row) => {
                self.trials.set(row, column, Some(answer.to_owned()).filter(|a| !a.is_empty()))
            }
            None => self.early.push((name.to_owned(), answer.to_owned())),
        }
    }

    /// The first attempt that passes counts, else the last.
    fn count(&mut self, planned: (usize, u32)) {
        let attempts = self.attempts.get(&planned).cloned().unwrap_or_default();
        let valid = attempts.iter().copied().filter(|run| !self.runs[run].out);
        let valid: Vec<u32> = valid.collect();
        let passed: Vec<bool> = valid.iter().map(|run| !self.runs[run].failed).collect();
        let counts = counting(&passed).map(|place| valid[place]);
        for run in &attempts {
            if let Some(row) = self.runs[run].row {
                let cell = (Some(*run) == counts).to_string();
                self.trials.set(row, self.places.counts, Some(cell));
            }
        }
    }

    fn add_files(&mut self, run: u32, files: &BTreeMap<String, String>, onset: &str) {
        let recording = format!("beh/{}_events.tsv", self.place.trial(run));
        self.scans.table.rows.push(vec![Some(recording), Some(onset.to_owned())]);
        for (path, sum) in files {
            self.sums.extend_from_slice(listed(sum, path).as_bytes());
        }
    }

    fn row(&self, began: &TrialBegan, ended: Option<&TrialEnded>) -> TsvRow {
        let planned = planned(&self.plan, began.step, began.trial);
        let level = |factor: &str| Some(self.plan.level(planned?.1, factor)?.to_owned());
        self.columns.row_of_trials(|headed| match headed {
            Headed::Fixed(fixed) => self.fixed(fixed, planned, began, ended),
            Headed::Factor(column) => level(&column.name),
            Headed::Statistic(name, _) => ended?.statistics.get(name).map(ToString::to_string),
            Headed::Question(_) => None,
        })
    }

    fn fixed(
        &self,
        column: Fixed,
        planned: Option<(&PlannedStep, &PlannedTrial)>,
        began: &TrialBegan,
        ended: Option<&TrialEnded>,
    ) -> Option<String> {
        let verdict = |good: bool, yes: &str, no: &str| if good { yes } else { no }.to_owned();
        match column {
            Fixed::Trial => Some(began.trial.to_string()),
            Fixed::Step => planned.map(|(step, _)| step.name.clone()),
            Fixed::Block => planned.map(|(_, trial)| trial.block.to_string()),
            Fixed::Repetition => planned.map(|(_, trial)| trial.repetition.to_string()),
            Fixed::Attempt => Some(began.attempt.to_string()),
            Fixed::Counts => Some("false".to_owned()),
            Fixed::Seed => Some(began.seed.to_string()),
            Fixed::EventsFile => Some(slashes(&self.place.events(began.run))),
            Fixed::Staircase => began.staircase.clone(),
            Fixed::Level => began.values.values().next().map(|of| of.trim_matches('"').to_owned()),
            Fixed::Answer => ended?.answer.map(|answer| answer.word().to_owned()),
            Fixed::Reversal => ended?.reversal.map(|is_one| is_one.to_string()),
            Fixed::Threshold => threshold(ended?),
            Fixed::Language => self.language.clone(),
            Fixed::OnsetUtc => Some(ended.map_or(&began.at, |ended| &ended.onset).clone()),
            Fixed::Timing => ended.map(|ended| verdict(ended.timing_passed, "passed", "failed")),
            Fixed::Data => ended.map(|ended| verdict(ended.data_usable, "usable", "unusable")),
            Fixed::Flags => {
                let flags = ended.map_or(vec!["cut short".to_owned()], |ended| ended.flags.clone());
                (!flags.is_empty()).then(|| flags.join("; "))
            }
        }
    }
}

/// The threshold that a staircase found with this trial, as its flag says it.
fn threshold(ended: &TrialEnded) -> Option<String> {
    let said = ended.flags.iter().filter_map(|flag| flag.strip_prefix("staircase "));
    let found = said.filter_map(|said| said.split_once(": threshold "));
    found.filter_map(|(_, found)| Some(found.split_once(',')?.0.to_owned())).next()
}

/// On which occasion the fields of the participant are asked.
pub const OF_FIELDS: &str = "participant";

/// The step and the trial of a plan. In a step of unknown length the first trial stands for
/// all.
pub fn planned(plan: &Plan, step: usize, trial: u32) -> Option<(&PlannedStep, &PlannedTrial)> {
    let step = plan.steps.iter().find(|planned| planned.index == step)?;
    let place = if step.open { 0 } else { usize::try_from(trial).ok()?.checked_sub(1)? };
    Some((step, step.trials.get(place)?))
}

/// The middle value, or the mean of the two in the middle; of at least one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

/// Adds the checksums of the files of a session that change no more, now that it is complete.
///
/// # Errors
/// [`DatasetError::Disk`].
pub fn seal<D: AnyDisk>(
    tables: &mut Tables,
    place: &Visit,
    dataset: &Dataset<D>,
) -> Result<(), DatasetError> {
    let last = [place.table(), place.table_description(), place.scans(), place.journal()];
    for path in last {
        if dataset.has(&path) {
            let bytes = dataset.told(&path, dataset.bytes(&path))?;
            tables.add_sum(&sha256(&bytes), &path);
        }
    }
    tables.restore(dataset)
}

//! Experiment files: checked and told beforehand, and the plan of a participant. Whole studies
//! are simulated in `study`.

use crate::check::{Found, found};
use crate::tables::Levels;
use chronotap_config::trial_files::{Further, Problems};
use chronotap_design::{Experiment, Factor, Files, Folder, Plan, overview};
use chronotap_words::{Says, Surface};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::io::Error;
use std::path::PathBuf;

/// Columns of text, each with its name.
pub type Texts = Vec<(String, Vec<Option<String>>)>;

/// An experiment as it comes from Python: its text, its name in messages, and the files beside
/// it: each with its text, or the folder that they are in.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Given {
    text: String,
    name: String,
    files: Vec<(String, String)>,
    folder: Option<PathBuf>,
}

impl Given {
    /// The checked experiment.
    pub fn read(&self) -> Result<Experiment, Problems> {
        match &self.folder {
            Some(folder) => self.parsed(&Folder(folder.clone())),
            None => self.parsed(&self.files),
        }
    }

    fn parsed(&self, files: &impl Files) -> Result<Experiment, Problems> {
        Experiment::parse(&self.text, &self.name, files)
    }
}

/// Files in a folder, of which those that were read are kept.
struct Kept {
    folder: Folder,
    files: RefCell<Vec<(String, String)>>,
}

impl Files for Kept {
    fn read(&self, name: &str) -> Result<String, Error> {
        let text = self.folder.read(name)?;
        let mut files = self.files.borrow_mut();
        if files.iter().all(|(of, _)| of != name) {
            files.push((name.to_owned(), text.clone()));
        }
        Ok(text)
    }

    fn with_further(&self, name: &str, text: &str, further: &Further) -> String {
        let whole = self.folder.with_further(name, text, further);
        if let Some(kept) = self.files.borrow_mut().iter_mut().find(|(of, _)| of == name) {
            kept.1.clone_from(&whole);
        }
        whole
    }

    fn said(&self, name: &str) -> String {
        self.folder.said(name)
    }

    fn meant(&self, name: &str) -> Option<String> {
        self.folder.meant(name)
    }
}

/// The files in its folder that an experiment names, each with its text.
#[pyfunction]
pub fn files_of(py: Python<'_>, text: &str, name: &str, folder: PathBuf) -> Vec<(String, String)> {
    py.detach(|| {
        let kept = Kept { folder: Folder(folder), files: RefCell::default() };
        // What is wrong with it is told where it is checked; what could be read is kept.
        let _ = Experiment::parse(text, name, &kept);
        kept.files.into_inner()
    })
}

/// Checks an experiment. Gives what it comes to as JSON with its text for people, or None and
/// the problems.
#[pyfunction]
pub fn check_experiment(py: Python<'_>, given: Given) -> (Option<(String, String)>, Vec<Found>) {
    py.detach(|| match given.read() {
        Ok(experiment) => {
            let told = overview(&experiment);
            let json = serde_json::to_string(&told).ok();
            (json.map(|json| (json, told.render())), Vec::new())
        }
        Err(problems) => (None, found(&problems)),
    })
}

/// The levels of each factor, in the order of the file.
pub fn levels_of(experiment: &Experiment) -> Levels {
    let levels = |factor: &Factor| factor.levels.iter().map(ToString::to_string).collect();
    let factors = experiment.all_factors().into_iter();
    factors.map(|factor| (factor.name.clone(), levels(factor))).collect()
}

/// The plan of one of the planned participants, counted from 1, in a session: the cells of its columns, and
/// the levels of the factors.
#[pyfunction]
pub fn plan_of(
    py: Python<'_>,
    given: Given,
    participant: u32,
    session: u32,
) -> PyResult<(Texts, Levels)> {
    let planned = py.detach(|| {
        let experiment = given.read().map_err(|problems| problems.to_string())?;
        let people = experiment.in_order(participant);
        let person = people.last().ok_or("participants are counted from 1")?;
        let plan = experiment.plan(person, session).map_err(|error| error.says(Surface::Python))?;
        Ok((texts_of(&plan), levels_of(&experiment)))
    });
    planned.map_err(|said: String| PyValueError::new_err(said))
}

/// The columns of a plan.
fn texts_of(plan: &Plan) -> Texts {
    let names = ["trial", "step", "block", "repetition"].map(str::to_owned).into_iter();
    let names = names.chain(plan.factors.iter().cloned()).chain(["seed".to_owned()]);
    let mut columns: Texts = names.map(|name| (name, Vec::new())).collect();
    for (step, trial) in plan.trials() {
        let place = [&trial.trial.to_string(), &step.name, &trial.block.to_string()];
        let cells = place.map(|cell| Some(cell.clone())).into_iter();
        let cells = cells.chain([Some(trial.repetition.to_string())]);
        let levels = plan.levels(trial).map(|(_, level)| level.map(str::to_owned));
        let cells = cells.chain(levels).chain([Some(trial.seed.to_string())]);
        columns.iter_mut().zip(cells).for_each(|((_, column), cell)| column.push(cell));
    }
    columns
}

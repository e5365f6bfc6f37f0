//! `simulate`: trials in virtual time, from a trial file to columns of events and statistics,
//! without touching the disk but for the script of a performer.

use crate::batches::in_batches;
use crate::simulated::{Lists, Part};
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::{
    ParticipantSpecError, Script, ScriptError, Tappers,
};
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    Circumstances, Entry, Names, answers, observed, rows_of_trial, summarize,
};
use chronotap_engine::signal::Performer;
use chronotap_simulate::{FarEnd, Wire, virtual_time};
use chronotap_trial::{Arrangement, Ports, TooManyPorts};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// So many trials are run at a time by a processor.
const BATCH: usize = 16;
/// Bits a second of a wire on which messages take no time.
const UNTHROTTLED: Option<u32> = Some(0);

/// Why trials could not be simulated.
#[derive(Debug, thiserror::Error)]
enum Refused {
    /// The trial file has problems. Mend them; `check` lists them.
    #[error("{0}")]
    Trial(#[from] chronotap_config::trial_files::Problems),
    /// The participant's description was not understood. Take the word that is offered.
    #[error("participant: {0}")]
    Participant(#[from] ParticipantSpecError),
    /// The table of key presses cannot be used. Mend the line that is named.
    #[error("participant: {0}")]
    Script(#[from] ScriptError),
    /// The trial needs more ports than a rig has. Use fewer inputs and outputs.
    #[error("{0}; use fewer inputs and outputs")]
    Ports(#[from] TooManyPorts),
}

/// Runs `count` trials with the seeds `seed`, `seed` + 1, … . `participant` is the description
/// of a simulated one, `script` a table of key presses that takes its place. A trial ends at
/// `longest_s` at the latest. Gives the columns of events, of taps, of trials, and of statistics.
#[pyfunction]
#[pyo3(signature = (bytes, name, count, seed, participant, script, longest_s))]
#[allow(clippy::too_many_arguments)] // they are those of the Python function that calls it
pub fn simulate<'py>(
    py: Python<'py>,
    bytes: &[u8],
    name: &str,
    count: usize,
    seed: u64,
    participant: &str,
    script: Option<PathBuf>,
    longest_s: u32,
) -> PyResult<Lists<'py>> {
    let raised = |refused: Refused| PyValueError::new_err(refused.to_string());
    let file = TrialFile::beside(bytes, std::path::Path::new(name));
    let file = file.map_err(|problems| raised(problems.into()))?;
    let batch =
        Batch::new(&file, participant, script.as_deref(), seed, longest_s).map_err(raised)?;
    let parts = in_batches(py, count, BATCH, |range| {
        let mut part = Part::default();
        range.into_iter().try_for_each(|trial| batch.run(trial, &mut part)).map(|()| part)
    })?;
    let parts = parts.map_err(raised)?;
    let whole = py.detach(|| {
        let mut whole = Part::default();
        parts.into_iter().for_each(|part| whole.append(part));
        whole
    });
    whole.into_python(py)
}

/// Trials that differ only in their seed.
struct Batch<'a> {
    file: &'a TrialFile,
    names: Names,
    inputs: Vec<String>,
    participant: &'a str,
    script: Option<Script>,
    seed: u64,
    longest: Nanos,
}

impl<'a> Batch<'a> {
    fn new(
        file: &'a TrialFile,
        participant: &'a str,
        script: Option<&Path>,
        seed: u64,
        longest_s: u32,
    ) -> Result<Batch<'a>, Refused> {
        let inputs: Vec<String> = file.trial.inputs.iter().map(|i| i.name.clone()).collect();
        let script = script.map(|path| Script::read(path, &inputs)).transpose()?;
        let names = Names::of(&file.trial, &file.rule_details());
        let longest = Nanos::from_secs(longest_s.into());
        Ok(Batch { file, names, inputs, participant, script, seed, longest })
    }

    fn run(&self, trial: usize, part: &mut Part) -> Result<(), Refused> {
        let seed = self.seed.wrapping_add(trial as u64);
        let engine = self.file.engine(seed);
        let mut entries: Vec<Entry> = Vec::new();
        let ports = self.ports(seed)?;
        let outcome =
            virtual_time::run(engine, ports, self.longest, &mut |entry| entries.push(entry));
        let seen = Circumstances {
            limit: self.file.limit,
            lost: outcome.lost + outcome.ports.iter().map(|port| port.lost).sum::<u64>(),
            answers: answers(self.file),
            ..Circumstances::default()
        };
        let summary = summarize(&self.file.title, &self.file.trial, &entries, &seen);
        let observed = observed(&self.file.trial, &entries, &seen);
        let rows = rows_of_trial(&self.names, self.file, &entries);
        part.push((trial as i64, seed), &rows, &observed, &summary);
        Ok(())
    }

    /// One wire to all inputs and outputs, with the performer at its far end.
    fn ports(&self, seed: u64) -> Result<Ports, Refused> {
        let performer: Box<dyn Performer> = match &self.script {
            Some(script) => Box::new(script.clone()),
            None => Box::new(Tappers::at_trial(self.participant, self.file, seed)?),
        };
        let (inputs, outputs) = (self.inputs.len(), self.file.trial.outputs.len());
        let mut ports = Ports::new(inputs, outputs);
        let wire = Wire::new(UNTHROTTLED, FarEnd::Performer(performer));
        let all = |count: usize| (0..count as u16).collect::<Vec<u16>>();
        ports.add(Box::new(wire), &all(inputs), &all(outputs))?;
        ports.arrange(Arrangement::identity(inputs, outputs));
        Ok(ports)
    }
}

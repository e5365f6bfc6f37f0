//! [`Tapper`]: who taps at the far end of a virtual wire.

use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::{
    KeyAnswer, Model, ParticipantSpecError, Script, ScriptError, Tappers,
};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{Heard, Performer, Sent};
use chronotap_engine::trial::Trial;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Who taps.
#[derive(Clone, Debug)]
pub enum Tapper {
    /// A simulated participant, by its description.
    Simulated(String),
    /// A simulated participant of this description, who gives this answer.
    Answering(String, Box<KeyAnswer>),
    /// A scripted performer and where it was read from.
    Scripted(Script, PathBuf),
    /// Whoever is at the devices: a person, or nobody. The program itself plays nothing.
    Nobody,
}

/// Why nobody can tap as was asked.
#[derive(Debug, thiserror::Error)]
pub enum TapperError {
    /// The table of key presses cannot be used.
    #[error("performer: {0}")]
    Script(#[from] ScriptError),
    /// The description of a simulated participant was not understood.
    #[error("participant: {0}")]
    Model(#[from] ParticipantSpecError),
}

impl Tapper {
    /// A simulated participant; a mistake in its description shows here.
    ///
    /// # Errors
    /// [`TapperError::Model`].
    pub fn simulated(model: &str, file: &TrialFile) -> Result<Tapper, TapperError> {
        let tapper = Tapper::Simulated(model.into());
        tapper.performer(file, 0)?;
        Ok(tapper)
    }

    /// Refuses the description of a simulated participant that no trial understands; which inputs
    /// there are is not known yet.
    ///
    /// # Errors
    /// [`ParticipantSpecError`].
    pub fn check_model(model: &str) -> Result<(), ParticipantSpecError> {
        match Model::several_from_spec(model, &[]) {
            Err(ParticipantSpecError::UnknownInput { .. }) | Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// A table of key presses for the inputs of this trial.
    ///
    /// # Errors
    /// [`TapperError::Script`].
    pub fn scripted(path: &Path, trial: &Trial) -> Result<Tapper, TapperError> {
        Ok(Tapper::Scripted(Script::read(path, &names(trial))?, path.to_path_buf()))
    }

    /// For the head of the data file.
    pub fn describe(&self) -> Value {
        match self {
            Tapper::Simulated(model) | Tapper::Answering(model, _) => json!({ "simulated": model }),
            Tapper::Scripted(script, path) => {
                json!({ "script": path.display().to_string(), "messages": script.len() })
            }
            Tapper::Nobody => json!("as bound"),
        }
    }

    /// Whether a simulated or scripted performer taps, which needs a virtual wire.
    pub fn needs_a_wire(&self) -> bool {
        !matches!(self, Tapper::Nobody)
    }

    /// What taps in a trial of this seed; `None` where nobody does.
    ///
    /// # Errors
    /// [`TapperError`].
    pub fn performer(
        &self,
        file: &TrialFile,
        seed: u64,
    ) -> Result<Option<Box<dyn Performer>>, TapperError> {
        Ok(match self {
            Tapper::Simulated(model) => Some(Box::new(Tappers::at_trial(model, file, seed)?)),
            Tapper::Answering(_, answer) => Some(answer.clone()),
            Tapper::Scripted(script, _) => Some(Box::new(script.clone())),
            Tapper::Nobody => None,
        })
    }
}

fn names(trial: &Trial) -> Vec<String> {
    trial.inputs.iter().map(|input| input.name.clone()).collect()
}

/// A performer whose inputs are numbered as the rig numbers them, not as the trial does.
///
/// Real-time contract: as [`Performer`].
pub struct Renumbered {
    performer: Box<dyn Performer>,
    to_rig: Vec<u16>, // by input of the trial
}

impl Renumbered {
    /// `to_rig` has the number in the rig of each input of the trial.
    pub fn new(performer: Box<dyn Performer>, to_rig: Vec<u16>) -> Renumbered {
        Renumbered { performer, to_rig }
    }
}

impl Performer for Renumbered {
    fn hear(&mut self, heard: Heard) {
        self.performer.hear(heard);
    }

    fn next(&self) -> Option<Nanos> {
        self.performer.next()
    }

    fn send(&mut self) -> Option<Sent> {
        let sent = self.performer.send()?;
        let input = self.to_rig.get(usize::from(sent.input)).copied().unwrap_or(sent.input);
        Some(Sent { input, ..sent })
    }
}

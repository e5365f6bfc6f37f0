//! [`Names`]: the names behind the indices of actions, kept in the header so that
//! rows can be made from a journal without the trial's own code.

use chronotap_engine::action::Kind;
use chronotap_engine::trial::Trial;
use serde::{Deserialize, Serialize};

/// Names by index, as in the trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Names {
    /// Inputs.
    pub inputs: Vec<String>,
    /// Outputs.
    pub outputs: Vec<String>,
    /// Pacing streams.
    pub pacing: Vec<String>,
    /// Feedback channels.
    pub feedback: Vec<String>,
    /// Masking streams.
    pub masking: Vec<String>,
    /// Triggers.
    pub triggers: Vec<TriggerNames>,
    /// Texts of markers.
    pub markers: Vec<String>,
}

/// A trigger's name and what it does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TriggerNames {
    /// Its name.
    pub name: String,
    /// What it sets, in the words of the trial file; goes to the column `detail`.
    pub detail: String,
}

impl Names {
    /// The names of a trial; `details` says what each trigger does, in file order
    /// (shorter: the rest have none).
    pub fn of(trial: &Trial, details: &[String]) -> Names {
        let triggers = trial.triggers.iter().enumerate().map(|(i, trigger)| TriggerNames {
            name: trigger.name.clone(),
            detail: details.get(i).cloned().unwrap_or_default(),
        });
        Names {
            inputs: trial.inputs.iter().map(|input| input.name.clone()).collect(),
            outputs: trial.outputs.clone(),
            pacing: trial.pacing.iter().map(|stream| stream.name.clone()).collect(),
            feedback: trial.feedback.iter().map(|channel| channel.name.clone()).collect(),
            masking: trial.masking.iter().map(|stream| stream.name.clone()).collect(),
            triggers: triggers.collect(),
            markers: trial.markers.clone(),
        }
    }

    /// The name in a row of this kind; `None` where the index names nothing.
    pub(crate) fn name(&self, kind: Kind) -> Option<String> {
        let list = |names: &[String], i: u16| names.get(usize::from(i)).cloned();
        match kind {
            Kind::Pacing(i) | Kind::SilentBeat(i, _) => list(&self.pacing, i),
            Kind::Feedback(i) | Kind::ControlOut(i) | Kind::Muted(i) | Kind::Cancelled(i) => {
                list(&self.feedback, i)
            }
            Kind::Masking(i) => list(&self.masking, i),
            Kind::Tap(i) | Kind::Release(i) | Kind::ControlIn(i) | Kind::Sysex(i) => {
                list(&self.inputs, i)
            }
            Kind::Trigger(i) => self.triggers.get(usize::from(i)).map(|t| t.name.clone()),
            Kind::Marker(i) => list(&self.markers, i),
            Kind::InputClosed(i) => {
                list(&self.inputs, i).map(|name| format!("{}{name}", crate::words::CLOSED))
            }
            Kind::InputReopened(i) => {
                list(&self.inputs, i).map(|name| format!("{}{name}", crate::words::REOPENED))
            }
            Kind::End(ending) => Some(crate::words::ending(ending).to_owned()),
            Kind::Xrun => Some(crate::words::XRUN.to_owned()),
            Kind::ToneOff => None,
        }
    }
}

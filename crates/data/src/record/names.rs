//! [`Names`]: the names behind the indices of actions, kept in the header so that
//! rows can be made from a journal without the trial's own code.

use chronotap_engine::action::ActionKind;
use chronotap_engine::trial::Trial;
use serde::{Deserialize, Serialize};

/// Names by index, as in the trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Names {
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Pacing streams.
    pub pacing: Vec<String>,
    /// Feedback channels.
    pub feedback: Vec<String>,
    /// Masking streams.
    pub masking: Vec<String>,
    pub triggers: Vec<RuleNames>,
    /// Texts of markers.
    pub markers: Vec<String>,
    /// What each code stands for; none where the trial sends none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<String>,
}

/// A rule's name and what it does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleNames {
    pub name: String,
    /// What it sets, in the words of the trial file; goes to the column `detail`.
    pub detail: String,
}

impl Names {
    /// The names of a trial; `details` says what each rule does, in file order
    /// (shorter: the rest have none).
    pub fn of(trial: &Trial, details: &[String]) -> Names {
        let rules = trial.rules.iter().enumerate().map(|(i, rule)| RuleNames {
            name: rule.name.clone(),
            detail: details.get(i).cloned().unwrap_or_default(),
        });
        Names {
            inputs: trial.inputs.iter().map(|input| input.name.clone()).collect(),
            outputs: trial.outputs.clone(),
            pacing: trial.pacing.iter().map(|stream| stream.name.clone()).collect(),
            feedback: trial.feedback.iter().map(|channel| channel.name.clone()).collect(),
            masking: trial.masking.iter().map(|stream| stream.name.clone()).collect(),
            triggers: rules.collect(),
            markers: trial.markers.clone(),
            codes: trial.codes.iter().flat_map(|it| &it.list).map(|it| it.name.clone()).collect(),
        }
    }

    /// The name in a row of this kind; `None` where the index names nothing.
    pub(crate) fn name(&self, kind: ActionKind) -> Option<String> {
        let list = |names: &[String], i: u16| names.get(usize::from(i)).cloned();
        match kind {
            ActionKind::Pacing(i) | ActionKind::SilentBeat(i, _) => list(&self.pacing, i),
            ActionKind::Feedback(i)
            | ActionKind::ControlOut(i)
            | ActionKind::Muted(i)
            | ActionKind::Cancelled(i) => list(&self.feedback, i),
            ActionKind::Masking(i) => list(&self.masking, i),
            ActionKind::Copy(i) => list(&self.outputs, i),
            ActionKind::Tap(i)
            | ActionKind::Release(i)
            | ActionKind::ControlIn(i)
            | ActionKind::Sysex(i) => list(&self.inputs, i),
            ActionKind::Rule(i) => self.triggers.get(usize::from(i)).map(|t| t.name.clone()),
            ActionKind::Marker(i) => list(&self.markers, i),
            ActionKind::Code(i) => list(&self.codes, i),
            ActionKind::InputClosed(i) => {
                list(&self.inputs, i).map(|name| format!("{}{name}", crate::record::words::CLOSED))
            }
            ActionKind::InputReopened(i) => list(&self.inputs, i)
                .map(|name| format!("{}{name}", crate::record::words::REOPENED)),
            ActionKind::End(ending) => Some(crate::record::words::ending(ending).to_owned()),
            ActionKind::Xrun => Some(crate::record::words::XRUN.to_owned()),
            ActionKind::Changed(change) => Some(crate::record::words::change(change).to_owned()),
            ActionKind::ToneOff | ActionKind::CodeOff | ActionKind::Overwritten => None,
        }
    }
}

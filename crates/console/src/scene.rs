//! [`Scene`]: how a session stands at one moment, whole. A page needs nothing else to draw
//! what is always in sight; each scene takes the place of the one before it.

use crate::paths::{exact, shown};
use chronotap_design::{Answer, Ends, Words};
use chronotap_session::status::Tally;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// A session at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// The title of the study.
    pub title: String,
    /// The experiment file; pictures of texts are found beside it.
    #[serde(with = "exact")]
    pub study: PathBuf,
    /// The folder of the dataset.
    #[serde(serialize_with = "shown")]
    pub folder: PathBuf,
    /// The participant's label.
    pub participant: String,
    /// Whether it is a single trial, without study and participant.
    pub single: bool,
    /// The session, from 1.
    pub session: u32,
    /// Whether it goes on and did not begin.
    pub resumed: bool,
    /// Whether nobody taps but a simulated participant.
    pub simulated: bool,
    /// Whether conditions and asynchronies are kept from the experimenter.
    pub blind: bool,
    /// What the participant's page says besides the texts of the study.
    pub words: Words,
    /// Levels between participants; empty where blind.
    pub cell: Vec<(String, String)>,
    /// The name of the present step.
    pub step: String,
    /// The planned trial within the step, from 1; 0 where none is next yet, or it is not known which.
    pub trial: u32,
    /// The attempt at it, from 1.
    pub attempt: u32,
    /// Levels of the trial's factors; empty where blind.
    pub condition: Vec<(String, String)>,
    /// Planned trials that are done.
    pub done: usize,
    /// Planned trials.
    pub planned: usize,
    /// The steps of the plan, in order.
    pub steps: Vec<SceneStep>,
    /// Seconds that the rest will take, where that can be foreseen.
    pub left_s: Option<f64>,
    /// Whether every input was tapped and the tone heard, in this run of the program.
    pub devices_tested: bool,
    /// Counts the moments at which something is asked or shown: a reply names the one it is
    /// meant for.
    pub turn: u64,
    /// Counts the trials that were begun in this run of the program: a word about the last, the
    /// running or the next one names how many there were when it was given.
    pub begun: u32,
    /// What goes on.
    pub phase: Phase,
    /// Whether something starts the next trial after the pause before it.
    #[serde(default)]
    pub waits: bool,
    /// Whether the session is to be held before the next trial.
    pub hold: bool,
    /// The participant's page.
    pub window: Window,
    /// The keyboard that nobody else has while a trial runs; empty where there is none.
    #[serde(default)]
    pub keyboard: String,
}

/// A step of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneStep {
    pub name: String,
    /// Planned trials; `None` where their number is not known before, 0 where it has none.
    pub trials: Option<usize>,
}

/// What goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Phase {
    /// Devices are opened.
    #[default]
    Opening,
    /// Devices are tried before the first trial.
    Check {
        inputs: Vec<CheckedInput>,
        /// Whether the test tones sound at the moment.
        playing: bool,
        /// Whether the tones were played once.
        played: bool,
        /// Whether the experimenter confirmed that they were heard.
        heard: bool,
    },
    /// The participant reads.
    Text {
        /// The text, in Markdown.
        markdown: String,
        /// Where the experimenter is blind: the same with names of factors instead of levels.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blinded: Option<String>,
        /// Whether the experimenter alone ends it.
        #[serde(default)]
        waits: bool,
    },
    /// Somebody is asked.
    Question {
        /// Whether it is the experimenter; else it is the participant.
        experimenter: bool,
        /// The name of the question or field.
        name: String,
        text: String,
        /// What may be answered.
        answer: ExpectedAnswer,
    },
    /// Something starts the next trial, or ends a rest: "tap", "key" or "experimenter".
    Waiting { on: String },
    /// The pause before a trial.
    Gap,
    Rest {
        /// Its length.
        seconds: f64,
        /// When it ends, in milliseconds since 1970.
        #[serde(default)]
        until_utc_ms: f64,
    },
    /// A trial runs.
    Trial,
    /// Held before the next trial.
    Held { why: String },
    /// The experimenter decides: yes or no.
    Doubt { text: String },
    /// Practice did not reach its criterion: the experimenter decides whether the session goes on, with one
    /// more trial of practice, or stops.
    Practice { text: String },
    /// The experimenter decides how to go on after a trial that was ended by hand.
    Choose,
    /// The session is over.
    Ended {
        /// Whether nothing is left to do.
        complete: bool,
        /// What an answer ended, so that the rest of the plan was not run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answered: Option<Ends>,
        /// Whether every trial that counts is sound.
        sound: bool,
        /// What became of the trials of the whole session, also before it was taken up again;
        /// `None` for a single trial.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tally: Option<Tally>,
    },
    /// The program could not go on.
    Failed {
        /// Why, and what to do.
        error: String,
    },
}

/// An input while devices are tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedInput {
    pub name: String,
    /// Taps since the check began.
    pub taps: u32,
    /// Who took the time of the last one.
    pub stamp: String,
    /// Whether its device is gone.
    #[serde(default)]
    pub gone: bool,
}

/// What may be answered, as its kind of question tells it; the page draws it by the name of its form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExpectedAnswer {
    /// The kind of question.
    pub form: String,
    /// Its values by their names.
    #[serde(flatten)]
    pub values: Map<String, Value>,
}

impl From<&Answer> for ExpectedAnswer {
    fn from(answer: &Answer) -> ExpectedAnswer {
        let values = answer.shown().into_iter().map(|(name, value)| (name.to_owned(), value));
        let optional = answer.is_optional().then(|| ("optional".to_owned(), Value::Bool(true)));
        let values = values.chain(optional).collect();
        ExpectedAnswer { form: answer.kind().form.to_owned(), values }
    }
}

/// The participant's page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// It was never opened.
    #[default]
    Never,
    /// It is open, and fills the screen.
    Full,
    /// It is open, and does not fill the screen.
    Open,
    /// It was open, and is closed or cut off.
    Closed,
    /// Its connection stands, and it answers nothing: its browser hangs, or was halted.
    Frozen,
}

//! [`Refused`]: why a question has no answer. Each is a kind with its values; what a page says of
//! it is in [`Refused::told`] alone.

use chronotap_config::trial_files::performers::{ParticipantSpecError, ScriptError};
use chronotap_config::trial_files::{Problem, Problems};
use chronotap_design::{AssignError, TrialError};
use chronotap_session::StudyError;
use chronotap_session::power::PowerError;
use chronotap_simulate::TapperError;
use chronotap_trial::TooManyPorts;
use serde::Serialize;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    /// The question is none.
    #[error("{0}")]
    Asked(String),
    /// The text is longer than a trial file may be.
    #[error("the text is longer than {most} bytes; cut what is no trial")]
    TooLong { most: usize },
    /// Nobody, or too many.
    #[error("1 to {most} people can tap at once; ask for as many")]
    People { most: u32 },
    /// No power analysis of this size is made in a page.
    #[error(
        "1 to {studies} studies can be rehearsed, with up to {counts} rising numbers of 2 to {people} people"
    )]
    Studies { studies: u32, counts: usize, people: u32 },
    /// The study states nothing to look for.
    #[error("this study states no [outcome] and no [[contrast]]: there is nothing to look for")]
    NothingSought,
    /// A trial of the study has no end.
    #[error("{file}: nothing ends a trial of this file; give it an end ([[when]] with end = true)")]
    Endless { file: String },
    /// The study gives no plan.
    #[error("{0}")]
    Study(#[from] StudyError),
    /// The study cannot be rehearsed.
    #[error("{0}")]
    Power(#[from] PowerError),
    /// Participants have no labels.
    #[error("{0}")]
    Assign(#[from] AssignError),
    /// Whoever taps cannot tap in every trial.
    #[error("{0}")]
    Tapper(#[from] TapperError),
    /// More taps than anybody makes.
    #[error("at most {most} taps can be judged at once; tap along to a shorter trial")]
    Taps { most: usize },
    /// A tap has no time that a trial knows.
    #[error("the taps cannot be read: {0}")]
    Tapped(#[from] ScriptError),
    /// They are for fun.
    #[error(
        "taps that were made in a page are no data; run the trial with the program to keep them"
    )]
    TapsOfPage,
    /// No rate of sound.
    #[error("sound has {least} to {most} samples a second; ask for as many")]
    Rate { least: u32, most: u32 },
    /// The file has mistakes.
    #[error("{0}")]
    Mistakes(#[from] Problems),
    /// A trial of a checked experiment could not be made.
    #[error("{0}")]
    Trial(#[from] TrialError),
    /// No step of this name has trials.
    #[error("no step \"{0}\" has trials; choose another")]
    NoStep(String),
    /// Whoever taps is described in words that nobody knows.
    #[error("participant: {0}")]
    Participant(#[from] ParticipantSpecError),
    /// The trial needs more ports than there are.
    #[error("{0}; use fewer inputs and outputs")]
    Ports(#[from] TooManyPorts),
    /// It is no experiment, so that there is nothing to plan.
    #[error("this is a trial file; only an experiment has a plan")]
    NoExperiment,
    /// It plays music, which lies in a file that a page cannot read.
    #[error("this trial plays a recording, which a page cannot read; `chronotap render` can")]
    Music,
    /// The files of a trial could not be written.
    #[error("{0}")]
    Files(#[from] std::io::Error),
}

/// The same for a page.
#[derive(Serialize)]
pub(crate) struct Told {
    refused: String,
    /// The mistakes of the file, where that is why.
    problems: Vec<Problem>,
}

impl Refused {
    pub fn told(&self) -> Told {
        let problems = match self {
            Refused::Mistakes(problems) => problems.all().to_vec(),
            _ => Vec::new(),
        };
        Told { refused: self.to_string(), problems }
    }
}

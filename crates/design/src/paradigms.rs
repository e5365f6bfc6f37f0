//! Ready-made studies: for each paradigm an experiment file and what stands beside it, with
//! usual parameters and their sources, to be copied and changed.

/// A paradigm, ready to run.
#[derive(Clone, Copy, Debug)]
pub struct Paradigm {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it asks, in one line.
    pub question: &'static str,
    /// Its files, each with its text; the experiment file is the first.
    pub files: &'static [(&'static str, &'static str)],
}

/// The text of a file of a paradigm, by its name.
macro_rules! files {
    ($folder:literal: $($file:literal),+) => {
        &[$(($file, include_str!(concat!("../paradigms/", $folder, "/", $file)))),+]
    };
}

/// Every paradigm.
pub const PARADIGMS: &[Paradigm] = &[
    Paradigm {
        name: "synchronization-continuation",
        question: "How exact are clock and hand, once the metronome is silent?",
        files: files!("synchronization-continuation": "study.toml", "continuation.toml", "welcome.md"),
    },
    Paradigm {
        name: "delayed-feedback",
        question: "Do taps come earlier where their tones come later?",
        files: files!("delayed-feedback": "study.toml", "sync.toml", "welcome.md"),
    },
    Paradigm {
        name: "isolated-perturbation",
        question: "What does a single late tone do to the next interval?",
        files: files!("isolated-perturbation": "study.toml", "continuation.toml", "welcome.md"),
    },
    Paradigm {
        name: "altered-feedback",
        question: "Which alteration of feedback disturbs a melody: pitch, delay, or both?",
        files: files!("altered-feedback": "study.toml", "melody.toml", "conditions.tsv", "welcome.md"),
    },
];

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
        &[$(($file, include_str!(concat!("../../paradigms/", $folder, "/", $file)))),+]
    };
}

/// Every paradigm.
pub const PARADIGMS: &[Paradigm] = &[
    Paradigm {
        name: "synchronization",
        question: "How early and how variable are taps with a metronome?",
        files: files!("synchronization": "study.toml", "sync.toml", "welcome.md"),
    },
    Paradigm {
        name: "music",
        question: "Do people find and keep the beat of music without a metronome?",
        files: files!("music": "study.toml", "music.toml", "tempi.tsv", "welcome.md"),
    },
    Paradigm {
        name: "synchronization-continuation",
        question: "How exact are inner clock and hand when the metronome is silent?",
        files: files!("synchronization-continuation": "study.toml", "continuation.toml", "welcome.md"),
    },
    Paradigm {
        name: "spontaneous-tempo",
        question: "How fast do people tap if nothing sets the tempo?",
        files: files!("spontaneous-tempo": "study.toml", "paced.toml", "spontaneous.toml"),
    },
    Paradigm {
        name: "delayed-feedback",
        question: "Do taps come earlier if their tones come later?",
        files: files!("delayed-feedback": "study.toml", "sync.toml", "welcome.md"),
    },
    Paradigm {
        name: "small-latency",
        question: "How late can an instrument sound before players mind?",
        files: files!("small-latency": "study.toml", "latencies.tsv", "play.toml", "welcome.md"),
    },
    Paradigm {
        name: "isolated-perturbation",
        question: "What does a single late tone do to the next interval?",
        files: files!("isolated-perturbation": "study.toml", "continuation.toml", "welcome.md"),
    },
    Paradigm {
        name: "phase-shift",
        question: "How much of an error do people correct with the next tap?",
        files: files!("phase-shift": "study.toml", "kinds.tsv", "shifts.toml", "welcome.md"),
    },
    Paradigm {
        name: "tempo-step",
        question: "How do people adapt to a new tempo?",
        files: files!("tempo-step": "study.toml", "step.toml", "welcome.md"),
    },
    Paradigm {
        name: "adaptive-tapping",
        question: "Do people follow a change of tempo that they did not notice?",
        files: files!("adaptive-tapping": "study.toml", "adaptive.toml", "welcome.md"),
    },
    Paradigm {
        name: "tempo-change",
        question: "Do people predict the next interval or follow the last?",
        files: files!("tempo-change": "study.toml", "tempo.toml", "welcome.md"),
    },
    Paradigm {
        name: "virtual-partner",
        question: "How adaptive must a partner be for the steadiest tapping?",
        files: files!("virtual-partner": "study.toml", "partner.toml", "welcome.md"),
    },
    Paradigm {
        name: "joint-tapping",
        question: "Which of two people adapts to the other, and what must they hear?",
        files: files!("joint-tapping": "study.toml", "feedback.tsv", "pair.toml", "welcome.md"),
    },
    Paradigm {
        name: "polyrhythm",
        question: "Are two rhythms of two hands one pattern or two?",
        files: files!("polyrhythm": "study.toml", "polyrhythm.toml", "ratios.tsv", "welcome.md"),
    },
    Paradigm {
        name: "anti-phase",
        question: "Up to which tempo can people tap between the tones?",
        files: files!("anti-phase": "study.toml", "steady.toml", "tasks.tsv", "welcome.md"),
    },
    Paradigm {
        name: "altered-feedback",
        question: "Which alteration of feedback disturbs a melody: pitch, delay, or both?",
        files: files!("altered-feedback": "study.toml", "conditions.tsv", "melody.toml", "welcome.md"),
    },
    Paradigm {
        name: "altered-pitch",
        question: "Which wrong pitches disturb a sequence?",
        files: files!("altered-pitch": "study.toml", "melody.toml", "pitches.tsv", "welcome.md"),
    },
    Paradigm {
        name: "anisochrony-detection",
        question: "How small an irregularity of a sequence can people hear?",
        files: files!("anisochrony-detection": "study.toml", "two_sequences.toml", "welcome.md"),
    },
    Paradigm {
        name: "duration-discrimination",
        question: "How small a difference between two durations can people hear?",
        files: files!("duration-discrimination": "study.toml", "two_intervals.toml", "welcome.md"),
    },
    Paradigm {
        name: "beat-alignment",
        question: "Can people hear whether a metronome fits the music?",
        files: files!("beat-alignment": "study.toml", "metronomes.tsv", "music.toml", "welcome.md"),
    },
    Paradigm {
        name: "beat-finding",
        question: "Do people find the beat if few tones fall on it?",
        files: files!("beat-finding": "study.toml", "rhythm.toml", "rhythms.tsv", "welcome.md"),
    },
    Paradigm {
        name: "masked-feedback",
        question: "What must people hear of their taps to tap with a metronome?",
        files: files!("masked-feedback": "study.toml", "feedback.tsv", "masked.toml", "welcome.md"),
    },
];

/// Paradigms that cannot be written yet: what each asks for that trial and experiment files
/// do not have.
pub const NOT_YET: &[(&str, &str)] = &[
    ("iterated tapping", "a stream whose onsets are the taps of the trial before"),
    ("beat saliency and beat interval (H-BAT)", "a staircase that sets several keys"),
    ("device benchmarks", "nothing: `chronotap timing` measures devices"),
];

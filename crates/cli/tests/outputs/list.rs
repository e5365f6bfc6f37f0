//! What is run, on which files: each output by its name, with its commands. A word in capitals has another in its place.

/// Outputs, each with its name and the commands that make it.
pub type List = &'static [(&'static str, &'static [&'static str])];

/// What a shell and `man` are given of every command; the references.
pub const HELP: List = &[
    (
        "completions",
        &[
            "completions bash",
            "completions elvish",
            "completions fish",
            "completions powershell",
            "completions zsh",
        ],
    ),
    ("man", &["man pages"]),
    ("references", &["check --reference", "plan --reference", "new"]),
];

/// An example, explained and rehearsed.
pub const EXAMPLE: List = &[
    ("check", &["check FILE", "check FILE --seed 3"]),
    ("check.json", &["check FILE --json"]),
    ("simulate", &["simulate FILE --seed 1 PERFORMER --data d"]),
    (
        "simulate.json",
        &["simulate FILE --seed 2 --no-data --json --simulate \"tapper, mean = -30 ms\""],
    ),
    ("simulate-several", &["simulate FILE --seed 5 --repeat 3 --data several"]),
    (
        "summary-several",
        &["summary several", "summary several --json", "summary several --tsv --stretches"],
    ),
    (
        "analyze-several",
        &[
            "analyze several/*_events.tsv --to several-tables --debounce \"60 ms\" --slips --first-taps 2 \
           --interval-outliers 3 --asynchrony-outliers 3",
        ],
    ),
];

/// A configuration file of FTAP.
pub const FTAP: List = &[("import", &["import-ftap FILE"])];

/// All that is made of a recorded trial.
pub const RECORDING: List = &[
    ("replay", &["replay EVENTS"]),
    (
        "summary",
        &["summary EVENTS --notation", "summary EVENTS --json", "summary EVENTS --tsv --stretches"],
    ),
    ("analyze", &["analyze EVENTS --to tables"]),
    ("report", &["report EVENTS --to page.html"]),
    ("export", &["export EVENTS --to csv", "export EVENTS --to midi --as midi"]),
];

/// A study, explained and rehearsed; most of them with one person, which shows as much and takes half as long.
pub const STUDY: List = &[
    ("check", &["check FILE", "check FILE --json"]),
    (
        "plan",
        &[
            "plan FILE --participant 1",
            "plan FILE --participant 2 --tsv",
            "plan FILE --participant 3 --json",
        ],
    ),
    ("simulate", &["simulate FILE --participants PEOPLE --data DATASET"]),
    // Once, and not as JSON too: it replays every trial.
    ("verify", &["verify DATASET"]),
];

/// All that is made of a dataset.
pub const DATASET: List = &[
    ("status", &["status DATASET", "status DATASET --json"]),
    ("analyze", &["analyze DATASET"]),
    ("report", &["report DATASET"]),
    ("summary", &["summary DATASET/sub-*/beh --tsv"]),
    ("export", &["export DATASET --to csv"]),
    ("parquet", &["gather DATASET gathered"]),
];

/// How often a study would find the difference of its first two conditions.
pub const POWER: List = &[(
    "power",
    &[
        "power FILE --studies 1 --participants 2 \
         --contrast \"mean asynchrony: LEVELS\" --contrast \"sd interval: LEVELS\"",
        "power FILE --studies 1 --participants 2 \
         --contrast \"mean asynchrony: LEVELS\" --contrast \"sd interval: LEVELS\" --json",
    ],
)];

/// A journal that came to no end.
pub const JOURNAL: List =
    &[("recover", &["recover NAME.journal", "summary NAME_events.tsv", "replay NAME_events.tsv"])];

/// Whether what was recorded is still as it was written.
pub const VERIFIED: List = &[("verify", &["verify DATASET", "verify DATASET --json"])];

/// A participant who withdraws, with and without what may be kept.
pub const WITHDRAWN: List = &[
    ("backup", &["backup dataset copy"]),
    ("withdraw-keep", &["withdraw dataset --participant 01 --keep --yes", "analyze dataset"]),
    ("withdraw", &["withdraw copy --participant 01 --yes", "status copy"]),
];

/// Results of timing tests that the manual keeps.
pub const COMPARED: List = &[(
    "compare",
    &[
        "timing compare stock-6.1_wakeup_run-01.json stock-6.1_wakeup_run-02.json stock-6.1_wakeup_run-03.json \
       PREEMPT-RT-6.1_wakeup_run-01.json PREEMPT-RT-6.1_wakeup_run-02.json PREEMPT-RT-6.1_wakeup_run-03.json \
       --output page.html",
    ],
)];

/// What is tried with files that are damaged, of each kind.
pub const DAMAGED: &[(&str, &[&str])] = &[
    ("trials", &["check FILE", "simulate FILE --seed 1 --no-data --quiet --for \"40 s\""]),
    ("studies", &["check FILE"]),
    ("events", &["replay TABLE", "summary TABLE --json", "analyze TABLE --to tables"]),
    ("sessions", &["status dataset", "verify dataset"]),
    ("journals", &["recover FILE", "summary NAME_events.tsv"]),
    ("ftap", &["check FILE", "import-ftap FILE"]),
    ("performers", &["simulate demo.toml --performer FILE --no-data --seed 1"]),
    (
        "sounds",
        &["render demo.toml --seed 1 --for \"2 s\" --sounds FILE --output sound.wav --force"],
    ),
    ("machines", &["run two-ports.toml --machine FILE"]),
    ("beats", &["check beat_alignment.toml"]),
    ("conditions", &["check small-latency/study.toml"]),
    ("results", &["timing compare one=FILE two=small.json"]),
];

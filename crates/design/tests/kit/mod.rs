//! Experiments for tests: a text, and small files beside it.
#![allow(dead_code)] // each test file uses a part

use chronotap_design::{Experiment, Plan};

pub const SYNC: &str = "[pacing.metronome]\ninterval = \"500 ms\"\n\n[feedback.tone]\n\
                        delay = \"0 ms\"\n\n[[when]]\nbeat = 21\nend = true\n";

/// The files that stand beside every experiment of the tests.
pub fn files() -> Vec<(String, String)> {
    let detect = "[pacing.metronome]\ninterval = \"500 ms\"\n\n[[pacing.metronome.change]]\n\
                  name = \"probe\"\nat = 9\nonset_shift = \"60 ms\"\n\n[[when]]\nnote = \"C4\"\n\
                  end = true\n\n[[when]]\nbeat = 20\nend = true\n";
    let pair = "[input.left]\n[input.right]\n[pacing.metronome]\ninterval = \"500 ms\"\n\
                [[when]]\nbeat = 21\nend = true\n";
    let spontaneous = "[feedback.tone]\n\n[[when]]\ntap = 30\nend = true\n";
    let texts = [
        ("sync.toml", SYNC),
        ("seeded.toml", &format!("seed = 99\n{SYNC}")),
        ("detect.toml", detect),
        ("pair.toml", pair),
        ("practice.toml", SYNC),
        ("spontaneous.toml", spontaneous),
        ("welcome.md", "Welcome.\n"),
        ("left.md", "Use your left hand.\n"),
        ("conditions.tsv", "tempo\tload\tweight\n400 ms\tlow\t1\n600 ms\thigh\t3\n"),
        ("list-a.tsv", "tempo\n400 ms\n500 ms\n"),
        ("list-b.tsv", "tempo\n600 ms\n500 ms\n"),
    ];
    texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// The experiment of a text.
pub fn study(text: &str) -> Experiment {
    match Experiment::parse(text, "study.toml", &files()) {
        Ok(experiment) => experiment,
        Err(problems) => panic!("{problems}\n{text}"),
    }
}

/// The mistakes of a text.
pub fn mistakes(text: &str) -> String {
    match Experiment::parse(text, "study.toml", &files()) {
        Ok(_) => panic!("no mistake was found in\n{text}"),
        Err(problems) => problems.to_string(),
    }
}

/// The plan of participant and session 1.
pub fn plan(experiment: &Experiment, label: &str) -> Plan {
    plan_in(experiment, label, 1)
}

/// The plan of a participant and session.
pub fn plan_in(experiment: &Experiment, label: &str, session: u32) -> Plan {
    let participant = experiment.participant(label, &[]).expect("a label");
    experiment.plan(&participant, session).expect("a plan")
}

/// The cells of a factor, trial by trial.
pub fn column(plan: &Plan, factor: &str) -> Vec<String> {
    let cell = |trial| plan.cells(trial).find(|(name, _)| *name == factor).expect("a factor").1;
    plan.trials().map(|(_, trial)| cell(trial).to_owned()).collect()
}

/// An experiment with these lines at the top, and one step with these.
pub fn with_step(top: &str, step: &str) -> String {
    format!("trial = \"sync.toml\"\n{top}\n[[step]]\nname = \"main\"\n{step}\n")
}

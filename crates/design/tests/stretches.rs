//! Parts of trials that outcomes and statistics name: refused where no trial has them.

use crate::kit::files;
use chronotap_design::Experiment;

/// Nobody knows by how much the tempo steps before the study sets it.
const STEP: &str = "[pacing.metronome]\ninterval = \"500 ms\"\n[[pacing.metronome.change]]\nname = \"step\"\n\
                    at = 11\ninterval = \"500 ms\"\n[[when]]\nbeat = 31\nend = true\n";
/// The metronome is silent after a tap that nobody knows beforehand.
const BY_TAPS: &str = "[pacing.metronome]\ninterval = \"500 ms\"\n[[when]]\ntap = 10\n\
                       set.pacing.metronome.audible = false\n[[when]]\ntime = \"30 s\"\nend = true\n";

fn study(outcome: &str, step: &str) -> Result<Experiment, String> {
    let text = format!(
        "[factor]\nto = [\"500 ms\", \"550 ms\"]\n[set]\n\
         pacing.metronome.change.step.interval = {{ factor = \"to\" }}\n[outcome]\n{outcome}\n\
         [[step]]\nname = \"taps\"\ntrial = \"taps.toml\"\n\
         [[step]]\nname = \"main\"\ntrial = \"step.toml\"\nshuffle = \"all\"\n{step}\n"
    );
    let own = [("step.toml", STEP), ("taps.toml", BY_TAPS)];
    let own = own.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let all: Vec<(String, String)> = files().into_iter().chain(own).collect();
    Experiment::parse(&text, "study.toml", &all).map_err(|problems| problems.to_string())
}

fn of(stretch: &str, step: &str) -> Result<Experiment, String> {
    study(&format!("of = \"mean asynchrony\"\nstep = \"{step}\"\nstretch = \"{stretch}\""), "")
}

/// One condition of two has a step of tempo, and so a second stretch.
#[test]
fn a_stretch_that_no_trial_has_is_refused_with_those_that_there_are() {
    for name in ["self-paced", "metronome", "metronome 2"] {
        assert!(of(name, "main").is_ok(), "{name}");
    }
    for name in ["after", "continuation", "metronome 3"] {
        let told = of(name, "main").unwrap_err();
        let message = format!("no trial of step main has a stretch \"{name}\"");
        assert!(told.starts_with(&format!("study.toml:8: {message}")), "{told}");
    }
    let told = of("metronom 2", "main").unwrap_err();
    assert!(told.contains("; there are: metronome 2, self-paced, metronome"), "{told}");
}

#[test]
fn where_taps_part_a_trial_every_name_is_taken_that_may_come_about() {
    for name in ["metronome", "metronome 7", "continuation 2", "self-paced"] {
        assert!(of(name, "taps").is_ok(), "{name}");
    }
    assert!(of("metronome one", "taps").is_err());
    assert!(of("click", "taps").is_err());
}

#[test]
fn a_statistic_of_a_step_names_a_stretch_that_its_trials_have() {
    let redo = |name: &str| {
        let test = format!("sd asynchrony in {name} > 40 ms");
        let step = format!("redo = {{ if_any = [\"{test}\"], place = \"at once\" }}");
        study("of = \"taps\"", &step)
    };
    assert!(redo("metronome 2").is_ok());
    let told = redo("after").unwrap_err();
    assert!(told.contains("step main: sd asynchrony: no trial has a stretch \"after\""), "{told}");
}

#[test]
fn what_has_no_value_for_a_stretch_is_refused_beside_one() {
    let told = study("of = \"correction response\"\nstretch = \"metronome\"", "").unwrap_err();
    let message =
        "outcome.stretch stands beside correction response, which has no value for a stretch";
    assert!(told.contains(message), "{told}");
}

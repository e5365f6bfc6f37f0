//! `chronotap demo`: a trial of 20 s with a simulated participant, in real time. It sounds
//! where a sound server runs, and goes over a virtual wire where none does.

use crate::args::{Demo, PortNames};
use crate::commands::run::Plan;
use crate::rig::{Bindings, Tapper};
use crate::{Verdict, data};
use anyhow::Result;
use chronotap_experiment::TrialFile;
use chronotap_ports::jack_period;

const TRIAL: &str = include_str!("../../../../examples/demo.toml");

/// Runs the command.
pub fn demo(args: &Demo) -> Result<Verdict> {
    let file = TrialFile::parse(TRIAL, "demo.toml")?;
    let outputs = jack_period().map(|_| "tone:jack".to_owned()).into_iter().collect();
    let names = PortNames { outputs, ..PortNames::default() };
    let bindings = Bindings::resolve(&names, &file.trial, Some("wire"))?;
    let plan = Plan {
        seed: data::seed(args.seed, &file)?,
        stem: "demo".into(),
        bindings,
        machine: None,
        tapper: Tapper::Simulated("tapper".into()),
        dir: &args.data,
        realtime: &args.realtime,
        show: args.show,
        file: &file,
    };
    plan.run()
}

//! `chronotap demo`: a trial of 20 s with a simulated participant, in real time. It sounds
//! where there is a sound card that can be used, else it goes over a virtual wire.

use crate::args::{Demo, PortOptions, Show};
use crate::bound::bindings;
use crate::commands::run::RunPlan;
use crate::{CommandVerdict, data};
use anyhow::Result;
use chronotap_config::trial_files::TrialFile;
use chronotap_linux::ports::tone_port;
use chronotap_simulate::Tapper;

const TRIAL: &str = include_str!("../../../../examples/demo.toml");

pub fn demo(args: &Demo) -> Result<CommandVerdict> {
    let file = TrialFile::parse(TRIAL, "demo.toml")?;
    let outputs = tone_port().map(|name| name.to_string()).into_iter().collect();
    let names = PortOptions { outputs, ..PortOptions::default() };
    let plan = RunPlan {
        seed: data::seed(args.seed, &file)?,
        stem: "demo".into(),
        bindings: bindings(&names, &file, Some("wire"))?,
        machine: None,
        tapper: Tapper::simulated("tapper", &file)?,
        dir: &args.data,
        spare: None,
        realtime: &args.realtime,
        follow: &[],
        lsl: None,
        // Who sees a summary for the first time is told what its words mean.
        show: Show { notation: true, ..args.show },
        file: &file,
        pages: None,
    };
    plan.run()
}

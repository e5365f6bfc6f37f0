//! Which ports inputs and outputs are bound to: by the names on the command line, by those of a
//! machine file, or all to a virtual wire.

use crate::args::{PortOptions, RunArgs};
use crate::data;
use anyhow::Result;
use chronotap_config::trial_files::TrialFile;
use chronotap_rig::laboratory::{self, Bindings, DeviceNames};
use std::path::PathBuf;

/// The ports of `inputs` and `outputs`, and the machine file that named any of them. With a
/// simulated participant everything goes over a virtual `wire`, and no such file is read.
pub fn bound(
    args: &RunArgs,
    inputs: &[&str],
    outputs: &[&str],
    wire: Option<&'static str>,
) -> Result<(Bindings, Option<PathBuf>)> {
    let mut names = names(&args.ports);
    let machine = match wire {
        None => DeviceNames::read(args.machine.as_deref())?,
        Some(_) => None,
    };
    let machine = machine.filter(|machine| machine.fill(&mut names, inputs, outputs));
    let bindings = Bindings::resolve(&names, inputs, outputs, wire)?;
    Ok((bindings, machine.map(|machine| machine.path)))
}

/// The ports of a trial by the names on the command line; `fallback` for all where there
/// are none.
pub fn bindings(ports: &PortOptions, file: &TrialFile, fallback: Option<&str>) -> Result<Bindings> {
    let (inputs, outputs) = data::names(&file.trial);
    Ok(Bindings::resolve(&names(ports), &inputs, &outputs, fallback)?)
}

/// The names of ports as the laboratory takes them.
pub fn names(ports: &PortOptions) -> laboratory::PortNames {
    let PortOptions { inputs, outputs } = ports.clone();
    laboratory::PortNames { inputs, outputs }
}

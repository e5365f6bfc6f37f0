//! `chronotap check --picture`: the timeline of a trial, drawn from a rehearsal in virtual time.
//!
//! The same file and seed give the same picture, byte for byte.

use crate::args::CheckArgs;
use crate::data::names;
use crate::longest;
use crate::trial_file;
use anyhow::{Result, anyhow, bail};
use chronotap_config::trial_files::{TrialFile, never_ends};
use chronotap_core::time::Nanos;
use chronotap_data::record::observed;
use chronotap_design::Experiment;
use chronotap_drawing::{WIDE, timeline};
use chronotap_simulate::{Tapper, VirtualRig, Wires};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Of a trial that nothing ends so much is drawn.
const ENDLESS: Nanos = Nanos::from_secs(60);
/// Whoever taps in it, and by which seed where nobody says.
const PERSON: &str = "tapper";
const SEED: u64 = 1;

/// Refuses what cannot be drawn, before anything is read.
pub fn refuse(args: &CheckArgs) -> Result<()> {
    let Some(path) = &args.picture else { return Ok(()) };
    if args.files.len() > 1 {
        bail!("--picture: it is of one trial; name one file");
    }
    if path.extension().is_none_or(|ending| ending != "svg") {
        bail!("--picture {}: a picture is an SVG file; name one that ends in .svg", path.display());
    }
    Ok(())
}

/// Draws the trial of a file that has no mistakes.
pub fn draw(source: &Path, path: &Path, args: &CheckArgs) -> Result<()> {
    let file = trial(source, args)?;
    let seed = args.seed.or(file.seed).unwrap_or(SEED);
    let tapper = Tapper::simulated(PERSON, &file)?;
    let (inputs, outputs) = names(&file.trial);
    let wires = Wires::unthrottled(&inputs, &outputs);
    let endless = never_ends(&file);
    let longest = if endless { ENDLESS } else { longest::bound(None) };
    let done = VirtualRig::new(&wires, longest)?.run((&file, seed, &tapper), None)?;
    let seen = observed(&file.trial, &done.entries, &done.circumstances);
    let cut = if endless { " Nothing ends this trial; its first 60 s are drawn." } else { "" };
    let who = format!("The taps are those of a simulated person ({PERSON}, seed {seed}).{cut}");
    let drawn = timeline(&file, &done.entries, &seen, &who, WIDE);
    write(path, drawn.as_bytes(), args.force)
}

/// The trial of a trial file, or the first of a step of an experiment file.
fn trial(source: &Path, args: &CheckArgs) -> Result<TrialFile> {
    let bytes = TrialFile::bytes(source)?;
    if !std::str::from_utf8(&bytes).is_ok_and(Experiment::is_one) {
        if let Some(step) = &args.step {
            bail!(
                "--step {step}: {} is a trial file, which has no steps; leave --step out",
                source.display()
            );
        }
        return Ok(trial_file::parse(source, &bytes, &args.ftap)?.1?);
    }
    let experiment = Experiment::read(source)?;
    let mut trials = experiment.one_of_each_step_by_name()?;
    let named: Vec<String> = trials.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let wanted =
        |(name, _): &(String, TrialFile)| args.step.as_ref().is_none_or(|step| step == name);
    match (trials.iter().position(wanted), &args.step) {
        (Some(place), _) => Ok(trials.swap_remove(place).1),
        (None, None) => bail!(
            "--picture: {} has no step with trials; there is nothing to draw",
            source.display()
        ),
        (None, Some(step)) => {
            bail!(
                "--step {step}: no step of this name has trials; those that have are {}",
                named.join(", ")
            )
        }
    }
}

fn write(path: &Path, svg: &[u8], force: bool) -> Result<()> {
    let put = |file: &mut std::fs::File| file.write_all(svg);
    let written = match force {
        true => chronotap_core::files::replace(path, put),
        false => chronotap_core::files::place(path, false, put),
    };
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow!(
            "--picture {}: already there, and nothing is overwritten; name another, or replace it with --force",
            path.display()
        ),
        _ => anyhow!("--picture {}: cannot write it: {error}; name a file that you may", path.display()),
    })
}

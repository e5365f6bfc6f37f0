//! What stands in the head of a data file, and the seed of a trial.

use chronotap_config::trial_files::TrialFile;
use chronotap_data::record::{
    ClockUsed, Header, Names, PROGRAM, RunnerMode, TrialText, matching_rule,
};
use serde_json::Value;
use std::path::Path;

/// A header with everything that does not depend on ports, rights and performer.
pub(crate) fn header(file: &TrialFile, seed: u64, mode: RunnerMode, machine: &Value) -> Header {
    let name = Path::new(&file.name)
        .file_name()
        .map_or_else(|| file.name.clone(), |name| name.to_string_lossy().into_owned());
    Header {
        program: PROGRAM.into(),
        trial_file: TrialText { name, text: file.source.clone() },
        title: file.title.clone(),
        description: file.description.clone().unwrap_or_default(),
        seed,
        started: chronotap_core::time::wall_clock_now(),
        mode,
        machine: machine.clone(),
        clock: clock(mode),
        names: Names::of(&file.trial, &file.rule_details()),
        limit_ns: file.limit.0,
        matching: matching_rule(file),
        hed: file.hed.clone(),
        ..Header::default()
    }
}

fn clock(mode: RunnerMode) -> ClockUsed {
    match mode {
        RunnerMode::RealTime => ClockUsed {
            name: "CLOCK_MONOTONIC".into(),
            resolution_ns: chronotap_linux::clocks::timer_resolution().0,
        },
        RunnerMode::VirtualTime | RunnerMode::Replay | RunnerMode::Imported => {
            ClockUsed { name: "virtual".into(), resolution_ns: 1 }
        }
    }
}

/// A seed drawn by lot, of 32 bits, which are easier to write down than 64.
///
/// # Errors
/// Where /dev/urandom cannot be read; give the seed instead.
pub fn draw_seed() -> std::io::Result<u64> {
    let mut bytes = [0; 4];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut source| std::io::Read::read_exact(&mut source, &mut bytes))?;
    Ok(u32::from_le_bytes(bytes).into())
}

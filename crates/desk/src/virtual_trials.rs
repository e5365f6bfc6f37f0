//! [`VirtualTrials`]: trial after trial in virtual time, with the files that a trial leaves.

use crate::surroundings::here;
use anyhow::Result;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::text::shared;
use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_data::record::{
    Binding, ClockUsed, Footer, Header, Mode, Names, PROGRAM, Saved, TrialText, matching_rule,
    write_events,
};
use chronotap_simulate::{Computed, Tapper, VirtualRig, Wired, Wires, WiresError};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Virtual wires, and where the files of the trials on them go.
pub struct VirtualTrials {
    rig: VirtualRig,
    wires: Wires,
    machine: Value, // slow to find out
}

/// A trial, by its file and seed, and who taps in it.
type TrialRun<'a> = (&'a TrialFile, u64, &'a Tapper);

impl VirtualTrials {
    /// A trial lasts at most `longest`.
    ///
    /// # Errors
    /// [`WiresError::UnheardLoop`].
    pub fn new(wires: &Wires, longest: Nanos) -> Result<VirtualTrials, WiresError> {
        let (rig, machine) = (VirtualRig::new(wires, longest)?, here().machine());
        Ok(VirtualTrials { rig, wires: wires.clone(), machine })
    }

    /// Runs a trial to its end, and leaves its files under a name in a folder, where one is given.
    ///
    /// # Errors
    /// What cannot be run or written.
    pub fn run(
        &mut self,
        trial: TrialRun<'_>,
        limit: Option<Nanos>,
        place: Option<&(PathBuf, String)>,
    ) -> Result<(Computed, Option<Saved>)> {
        let header = place.map(|_| self.header(trial, limit));
        let computed = self.rig.run(trial, limit)?;
        let saved = match (place, header) {
            (Some((folder, name)), Some(header)) => Some(saved(folder, name, &header, &computed)?),
            _ => None,
        };
        Ok((computed, saved))
    }

    /// Gives the room of a finished trial back, for the next one's.
    pub fn reuse(&mut self, computed: Computed) {
        self.rig.reuse(computed);
    }

    fn header(&self, (file, seed, tapper): TrialRun<'_>, limit: Option<Nanos>) -> Header {
        let name = Path::new(&file.name).file_name();
        let name = name.map_or_else(|| file.name.clone(), |name| name.to_string_lossy().into());
        Header {
            program: PROGRAM.into(),
            trial_file: TrialText { name, text: file.source.clone() },
            title: file.title.clone(),
            description: file.description.clone().unwrap_or_default(),
            seed,
            started: wall_clock_now(),
            mode: Mode::VirtualTime,
            machine: self.machine.clone(),
            clock: ClockUsed { name: "virtual".into(), resolution_ns: 1 },
            names: Names::of(&file.trial, &file.rule_details()),
            limit_ns: limit.unwrap_or(file.limit).0,
            matching: matching_rule(file),
            hed: file.hed.clone(),
            ports: self.bound(file),
            performer: tapper.describe(),
            ..Header::default()
        }
    }

    /// The wires of a trial's inputs and outputs, in its order. Nothing is late on a wire.
    fn bound(&self, file: &TrialFile) -> Vec<Binding> {
        let inputs = file.trial.inputs.iter();
        let inputs = inputs.filter_map(|input| binding("in", &self.wires.inputs, &input.name));
        let waits = file.trial.waits_on(&vec![Nanos::ZERO; file.trial.outputs.len()]);
        let outputs = file.trial.outputs.iter().enumerate();
        let outputs = outputs.filter_map(|(place, name)| {
            let bound = binding("out", &self.wires.outputs, name)?;
            Some(Binding { waits_ns: waits.get(place).map(|wait| wait.0), ..bound })
        });
        inputs.chain(outputs).collect()
    }
}

fn binding(direction: &str, wires: &[Wired], name: &str) -> Option<Binding> {
    let wired = wires.iter().find(|wired| wired.name == name)?;
    let (name, direction, port) = (name.to_owned(), direction.to_owned(), shared(&wired.port));
    Some(Binding { name, direction, port, audio: None, waits_ns: None })
}

fn saved(folder: &Path, name: &str, header: &Header, ran: &Computed) -> Result<Saved> {
    let mut summary = serde_json::to_value(&ran.summary).unwrap_or_default();
    if let Value::Object(all) = &mut summary {
        all.insert("ports".into(), serde_json::to_value(&ran.ended.ports).unwrap_or_default());
        all.insert("lost_in_engine".into(), ran.ended.lost.into());
    }
    let footer = Footer { summary, ..Footer::default() };
    Ok(write_events(folder, name, header, &ran.entries, &footer, false)?)
}

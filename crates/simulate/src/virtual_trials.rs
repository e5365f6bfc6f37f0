//! [`VirtualTrials`]: trial after trial in virtual time, with the files that a trial leaves.

use crate::pad;
use crate::runs::{FinishedTrial, KeepData, NotRun, TrialRun, TrialRunner};
use crate::{Computed, VirtualEar, VirtualRig, Wired, Wires, WiresError};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::text::shared;
use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_data::record::{
    Binding, ClockUsed, FeltAgainError, Footer, Header, LiveTaps, Names, PROGRAM, RecordError,
    RunnerMode, Saved, SoundAgainError, TrialText, hear_again, matching_rule, sound_folder,
    summarize, write_events_heard,
};
use chronotap_recorder::{ForceKeeper, RecordedEar, RecordedForce, SoundKeeper, feel_again};
use chronotap_trial::{Ports, TrialEnd};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Virtual wires, and what is said of the computer in the heads of files.
pub struct VirtualTrials {
    rig: VirtualRig,
    wires: Wires,
    machine: Arc<Value>, // slow to find out
}

impl VirtualTrials {
    /// A trial lasts at most `longest`. `machine` is what this computer is.
    ///
    /// # Errors
    /// [`WiresError::UnheardLoop`].
    pub fn new(
        wires: &Wires,
        longest: Nanos,
        machine: Arc<Value>,
    ) -> Result<VirtualTrials, WiresError> {
        let rig = VirtualRig::new(wires, longest)?;
        Ok(VirtualTrials { rig, wires: wires.clone(), machine })
    }

    /// Runs a trial to its end, keeps its data and sums it up. Data that the disk refused are no error:
    /// [`FinishedTrial::saved`] says so.
    ///
    /// # Errors
    /// [`WiresError`].
    pub fn run(&mut self, run: &TrialRun<'_>) -> Result<FinishedTrial, WiresError> {
        let watched = !run.sinks.is_empty() || run.keep != KeepData::Nothing;
        let header = if watched { self.header(run) } else { Header::default() };
        run.tell_beginning(&header);
        let told = &mut |entry| run.sinks.iter().for_each(|sink| sink.happened(entry));
        let mut keeping = Ok(Keepers::default());
        let begins = &mut |ports: &mut Ports, inputs: &[String]| {
            if let KeepData::Files(folder, name) = run.keep {
                keeping = keep_senses((folder, name), ports, inputs);
            }
        };
        let trial = (run.file, run.seed, run.tapper);
        let mut computed = self.rig.run_told(trial, run.limit, told, begins)?;
        let saved = match run.keep {
            KeepData::Files(folder, name) => keeping
                .and_then(|keepers| {
                    sensed((folder, name), keepers, &header, run.file, &mut computed)
                })
                .and_then(|forces| saved((folder, name), &header, &computed, forces))
                .map(Some),
            KeepData::Nothing => Ok(None),
        };
        run.tell_end(&computed.summary, &saved);
        let Computed { seed, summary, entries, circumstances, ended } = computed;
        Ok(FinishedTrial {
            seed,
            summary,
            saved,
            problem: None,
            moved: None,
            dropped: 0,
            entries,
            circumstances,
            ports: ended.ports,
            lost: ended.lost,
            began_utc: None,
        })
    }

    fn header(&self, run: &TrialRun<'_>) -> Header {
        let TrialRun { file, seed, tapper, .. } = *run;
        let name = Path::new(&file.name).file_name();
        let name = name.map_or_else(|| file.name.clone(), |name| name.to_string_lossy().into());
        Header {
            program: PROGRAM.into(),
            trial_file: TrialText { name, text: file.source.clone() },
            title: file.title.clone(),
            description: file.description.clone().unwrap_or_default(),
            seed,
            started: wall_clock_now(),
            mode: RunnerMode::VirtualTime,
            machine: Value::clone(&self.machine),
            clock: ClockUsed { name: "virtual".into(), resolution_ns: 1 },
            names: Names::of(&file.trial, &file.rule_details()),
            limit_ns: run.limit().0,
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

impl TrialRunner for VirtualTrials {
    fn run(
        &mut self,
        run: &TrialRun<'_>,
        _: &TrialEnd,
        _: &mut dyn FnMut(Nanos),
    ) -> Result<FinishedTrial, NotRun> {
        Ok(VirtualTrials::run(self, run)?)
    }

    fn reuse(&mut self, finished: &mut FinishedTrial) {
        self.rig.reuse_room(std::mem::take(&mut finished.entries));
    }
}

fn binding(direction: &str, wires: &[Wired], name: &str) -> Option<Binding> {
    let wired = wires.iter().find(|wired| wired.name == name)?;
    let (name, direction, port) = (name.to_owned(), direction.to_owned(), shared(&wired.port));
    let audio = wired.ear.as_ref().and_then(VirtualEar::described);
    let sensor = wired.felt.then(pad::facts);
    Some(Binding { name, direction, port, audio, sensor, ..Binding::default() })
}

/// Who keeps what is heard on virtual cards, and felt by virtual sensors.
#[derive(Default)]
struct Keepers {
    sound: Option<SoundKeeper>,
    force: Option<ForceKeeper>,
}

/// Begins to keep what is heard and felt, where something is.
fn keep_senses(
    place: (&Path, &str),
    ports: &mut Ports,
    inputs: &[String],
) -> Result<Keepers, RecordError> {
    let name = |input: u16| inputs.get(usize::from(input)).cloned();
    let mut ears = RecordedEar::of_rig((ports.take_sounds(), ports.take_loops()), name);
    let pad = |(input, force): (u16, _)| Some(RecordedForce { input: name(input)?, force });
    let mut pads: Vec<RecordedForce> = ports.take_forces().into_iter().filter_map(pad).collect();
    let mut keepers = Keepers::default();
    if !ears.is_empty() {
        keepers.sound = Some(SoundKeeper::start(place, &mut ears)?);
    }
    if !pads.is_empty() {
        keepers.force = Some(ForceKeeper::start(place, &mut pads)?);
    }
    Ok(keepers)
}

/// The trial is over: what was kept is read once more, and the summary takes what is found.
/// Gives the files of force.
fn sensed(
    place: (&Path, &str),
    keepers: Keepers,
    header: &Header,
    file: &TrialFile,
    ran: &mut Computed,
) -> Result<Vec<PathBuf>, RecordError> {
    if keepers.sound.is_none() && keepers.force.is_none() {
        return Ok(Vec::new());
    }
    if let Some(sound) = keepers.sound {
        sound.stop_without_sync();
    }
    let felt = keepers.force.map(ForceKeeper::stop).unwrap_or_default().1;
    let live = LiveTaps::of(ran.entries.iter());
    let unread = |unread: SoundAgainError| {
        let path = sound_folder(place.0);
        RecordError::Events { path, source: io::Error::other(unread) }
    };
    let mut known = hear_again(header, place, &live).map_err(unread)?;
    let unfelt = |unread: FeltAgainError| {
        let path = place.0.to_owned();
        RecordError::Events { path, source: io::Error::other(unread) }
    };
    feel_again(header, place, &live, &mut known).map_err(unfelt)?;
    ran.circumstances.heard = known;
    ran.summary = summarize(&file.title, &file.trial, &ran.entries, &ran.circumstances);
    Ok(felt.into_iter().filter_map(|force| force.path).collect())
}

fn saved(
    (folder, name): (&Path, &str),
    header: &Header,
    ran: &Computed,
    forces: Vec<PathBuf>,
) -> Result<Saved, RecordError> {
    let mut summary = serde_json::to_value(&ran.summary).unwrap_or_default();
    if let Value::Object(all) = &mut summary {
        all.insert("ports".into(), serde_json::to_value(&ran.ended.ports).unwrap_or_default());
        all.insert("lost_in_engine".into(), ran.ended.lost.into());
    }
    let footer = Footer { summary, ..Footer::default() };
    let heard = &ran.circumstances.heard;
    let saved = write_events_heard(folder, name, (header, heard), &ran.entries, &footer, false)?;
    Ok(Saved { forces, ..saved })
}

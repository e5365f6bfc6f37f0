//! [`Endpoint`]: an input or output of a trial and the port that is open for it.

use crate::laboratory::RigError;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::text::shared;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Audio, Binding, EarUsed, TimeCodeUsed};
use chronotap_engine::signal::{AudioPeriod, Description, HearingEar, SoundKept, TimeCodeTrack};
use chronotap_engine::trial::{Pacing, Trial};
use chronotap_linux::ports::CodesOf;

/// An input or output, and the port that is open for it.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) name: String,
    pub(crate) port: String, // as it was named
    pub(crate) about: Description,
    pub(crate) carries_sysex: bool,
    pub(crate) codes: CodesOf,
}

impl Endpoint {
    /// For the head of the data file: what the name means, and what the opened port says of
    /// the audio server behind it.
    pub(crate) fn describe(&self, direction: &str) -> Binding {
        // What comes in is stamped by its frame, so that it is not late.
        let latency = if direction == "in" { Nanos::ZERO } else { self.about.latency };
        Binding {
            name: self.name.clone(),
            direction: direction.into(),
            port: shared(&self.port),
            audio: audio(Description { latency, ..self.about.clone() }),
            sensor: self.about.sensor.clone(),
            sketch: self.about.sketch.clone(),
            waits_ns: None,
        }
    }
}

/// What a port says of the audio server or sound card behind it, where there is one.
fn audio(about: Description) -> Option<Audio> {
    let AudioPeriod { frames: period_frames, rate_hz } = about.period?;
    let Description { latency, card, sounds, instruments, ltc, ear, .. } = about;
    let (latency_ns, ltc, ear) = (latency.0, ltc.map(time_code), ear.map(hearing));
    Some(Audio { period_frames, rate_hz, latency_ns, card, sounds, instruments, ltc, ear })
}

fn hearing(ear: HearingEar) -> EarUsed {
    let HearingEar { channel, settings, kept, behind, uncertainty } = ear;
    let record = match kept {
        SoundKept::Taps => "taps",
        SoundKept::All => "all",
        SoundKept::Nothing => "none",
    };
    let (record, behind_ns, uncertainty_ns) = (record.to_owned(), behind.0, uncertainty.0);
    EarUsed { channel, settings, record, behind_ns, uncertainty_ns }
}

fn time_code(track: TimeCodeTrack) -> TimeCodeUsed {
    let TimeCodeTrack { channel, frames_per_second, first, first_frame } = track;
    TimeCodeUsed { channel, frames_per_second, first, first_frame }
}

/// That an input cannot record what the file asks for, with the line that asks.
pub(crate) fn no_sysex(file: &TrialFile, name: &str, port: &str) -> RigError {
    let place = place(file, &format!("input.{name}.record_sysex"));
    RigError::NoSysex { place, name: name.to_owned(), port: port.to_owned() }
}

/// That taps are told too late for what the file has them do.
pub(crate) fn told_late(
    file: &TrialFile,
    (name, port): (&str, &str),
    for_what: &'static str,
) -> RigError {
    let place = place(file, &format!("input.{name}"));
    RigError::ToldLate { place, name: name.to_owned(), port: port.to_owned(), for_what }
}

/// That nobody says how late an output is that others wait for.
pub(crate) fn no_latency(file: &TrialFile, name: &str, port: &str) -> RigError {
    let place = place(file, "align_outputs");
    RigError::NoLatency { place, name: name.to_owned(), port: port.to_owned() }
}

/// A recording that would have to wait.
pub(crate) fn recording_waits(file: &TrialFile, trial: &Trial) -> Option<RigError> {
    let waits = |pacing: &&Pacing| {
        let wait = trial.waits.get(usize::from(pacing.output));
        pacing.audio.is_some() && wait.is_some_and(|wait| *wait > Nanos::ZERO)
    };
    let name = trial.outputs.get(usize::from(trial.pacing.iter().find(waits)?.output))?.clone();
    Some(RigError::RecordingWaits { place: place(file, "align_outputs"), name })
}

/// File and line of what asks for something, as in `trial.toml:3: `.
fn place(file: &TrialFile, path: &str) -> String {
    let asking = file.parameters.iter().find(|parameter| parameter.path == path);
    let line = asking.and_then(|parameter| parameter.line);
    line.map_or_else(String::new, |line| format!("{}:{line}: ", file.name))
}

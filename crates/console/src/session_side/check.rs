//! [`check_devices`]: before the first trial, the devices are tried by the experimenter. Each
//! input is to be tapped and lights up on the page; test tones are played and somebody says
//! that they were heard. Nothing of it is kept but one note.

use super::frontend::PageFrontend;
use super::page_state::{Inner, Reply};
use crate::scene::{CheckedInput, Phase};
use chronotap_config::trial_files::TrialFile;
use chronotap_data::record::stamp_word as stamp;
use chronotap_engine::action::ActionKind;
use chronotap_engine::trial::Tone;
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::laboratory::{Rig, RigError, TrialRun};
use chronotap_rig::recorder::{Notice, USUAL_ROOM, Watch, sink};
use chronotap_session::{FrontendError, Study, Wish, example_of_model};
use chronotap_simulate::Tapper;
use chronotap_trial::TrialEnd;
use std::time::Duration;

/// Tries the devices until the experimenter starts the session. `false` where they stop it.
///
/// # Errors
/// [`RigError`] where a device cannot be used.
pub fn check_devices(
    study: &Study,
    laboratory: &mut Rig,
    tapper: &Tapper,
    interrupt: Interrupt,
    frontend: &PageFrontend,
) -> Result<bool, RigError> {
    let inputs = study.inputs_and_outputs().0;
    let named = |name: &&str| CheckedInput { name: (*name).to_owned(), ..CheckedInput::default() };
    let inputs: Vec<CheckedInput> = inputs.iter().map(named).collect();
    let tones = test_tones(study);
    let silent = tones.is_none(); // then nothing is to be heard
    let check = Phase::Check { inputs, playing: false, played: silent, heard: silent };
    let keyboards: Vec<&str> =
        laboratory.inputs().filter_map(|about| about.keyboard.as_deref()).collect();
    frontend.page_state().set(|scene| scene.keyboard = keyboards.join(", "));
    frontend.page_state().enter(check, None);
    let tapper = &in_one_trial(tapper);
    let mut check = Check { laboratory, tapper, interrupt, frontend };
    loop {
        match check.next(study)? {
            Asked::Tones => check.play(tones.as_ref())?,
            Asked::Start => break,
            Asked::Stop => return Ok(false),
        }
    }
    frontend.page_state().set(|scene| scene.devices_tested = true);
    Ok(true)
}

/// Who is simulated may differ from trial to trial; here it is one trial.
fn in_one_trial(tapper: &Tapper) -> Tapper {
    match tapper {
        Tapper::Simulated(model) => Tapper::Simulated(example_of_model(model)),
        other => other.clone(),
    }
}

/// What the experimenter asks for.
enum Asked {
    Tones,
    Start,
    Stop,
}

struct Check<'a> {
    laboratory: &'a mut Rig,
    tapper: &'a Tapper,
    interrupt: Interrupt,
    frontend: &'a PageFrontend,
}

impl Check<'_> {
    /// Listens to the inputs until something is asked for.
    fn next(&mut self, study: &Study) -> Result<Asked, RigError> {
        if let (Some(file), Tapper::Nobody) = (study.listening_trial(), self.tapper) {
            self.run(&file, |frontend| asked(frontend).is_some())?;
        }
        let asked = self.frontend.wait(take);
        self.interrupt.rearm();
        Ok(match asked {
            Ok(asked) => asked,
            Err(
                FrontendError::Interrupted
                | FrontendError::Missing { .. }
                | FrontendError::NotAsked { .. }
                | FrontendError::Refused { .. },
            ) => Asked::Stop,
        })
    }

    /// Plays the test tones to their end, or until something else is asked for.
    fn play(&mut self, tones: Option<&TrialFile>) -> Result<(), RigError> {
        let Some(file) = tones else { return Ok(()) };
        self.show(|playing, _| *playing = true);
        let done = self.run(file, |frontend| asked(frontend).is_some());
        self.show(|playing, played| (*playing, *played) = (false, true));
        done
    }

    /// Runs a trial of which nothing is kept; taps light up on the page.
    fn run(
        &mut self,
        file: &TrialFile,
        enough: impl Fn(&PageFrontend) -> bool,
    ) -> Result<(), RigError> {
        let (sink, watch) = sink(USUAL_ROOM);
        let run = TrialRun { sinks: &[sink], ..TrialRun::unkept(file, self.tapper) };
        let (frontend, end) = (self.frontend, TrialEnd::default());
        self.laboratory.run_until(&run, &end, |_| {
            light_up(frontend, &watch);
            if enough(frontend) {
                end.request();
            }
        })?;
        light_up(frontend, &watch);
        Ok(())
    }

    fn show(&self, change: impl FnOnce(&mut bool, &mut bool)) {
        self.frontend.page_state().set(|scene| {
            if let Phase::Check { playing, played, .. } = &mut scene.phase {
                change(playing, played);
            }
        });
    }
}

/// Eight tones on each output of the study, as its trials sound, while all inputs are heard.
fn test_tones(study: &Study) -> Option<TrialFile> {
    let (tones, _) = study.tones()?;
    let mut text = String::from("title = \"Devices\"\n");
    for input in study.inputs_and_outputs().0 {
        text += &format!("[input.{input}]\n");
    }
    for stream in &tones.trial.pacing {
        let output = tones.trial.outputs.get(usize::from(stream.output))?;
        let Tone { channel, note, velocity, duration } = &stream.tone;
        let (velocity, ns) = (velocity.from.round(), duration.0);
        text += &format!(
            "[output.{output}]\n[pacing.to_{output}]\noutput = \"{output}\"\n\
             interval = \"600 ms\"\nstart = \"300 ms\"\nbeats = 8\n\
             tone = {{ channel = {channel}, note = {note}, velocity = {velocity}, duration = \"{ns} ns\" }}\n"
        );
    }
    text += "[[when]]\ntime = \"5 s\"\nend = true\n";
    TrialFile::parse(&text, "devices.toml").ok()
}

/// What was asked for, which stays asked for.
fn asked(frontend: &PageFrontend) -> Option<()> {
    let waits = |inner: &mut Inner| {
        (inner.reply.is_some() || inner.wishes.contains(&Wish::Stop)).then_some(())
    };
    frontend.page_state().wait(Duration::ZERO, waits)
}

fn take(inner: &mut Inner) -> Option<Asked> {
    if inner.wishes.contains(&Wish::Stop) {
        inner.wishes.retain(Wish::is_note); // for the journal
        return Some(Asked::Stop);
    }
    match inner.reply.take()? {
        Reply::Test => Some(Asked::Tones),
        Reply::Start => Some(Asked::Start),
        _ => None,
    }
}

/// Shows the taps that were seen since the last time, and which devices are gone.
fn light_up(frontend: &PageFrontend, watch: &Watch) {
    while let Some(notice) = watch.next(Duration::ZERO) {
        let Notice::Happened(entry) = notice else { continue };
        let (ActionKind::Tap(of) | ActionKind::InputClosed(of) | ActionKind::InputReopened(of)) =
            entry.action.kind
        else {
            continue;
        };
        frontend.page_state().set(|scene| {
            if let Phase::Check { inputs, .. } = &mut scene.phase
                && let Some(input) = inputs.get_mut(usize::from(of))
            {
                see(input, entry.action.kind, entry.stamp.map_or("", stamp));
            }
        });
    }
}

/// An input that was gone is to be tapped once more: it may be another device that came back.
fn see(input: &mut CheckedInput, kind: ActionKind, stamp: &str) {
    match kind {
        ActionKind::InputClosed(_) => (input.gone, input.taps) = (true, 0),
        ActionKind::InputReopened(_) => input.gone = false,
        _ => {
            input.taps += 1;
            input.stamp = stamp.to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_whose_device_was_pulled_out_is_to_be_tapped_again() {
        let mut input = CheckedInput::default();
        see(&mut input, ActionKind::Tap(0), "kernel");
        assert_eq!((input.taps, input.stamp.as_str(), input.gone), (1, "kernel", false));
        see(&mut input, ActionKind::InputClosed(0), "");
        assert_eq!((input.taps, input.gone), (0, true));
        see(&mut input, ActionKind::InputReopened(0), "");
        assert_eq!((input.taps, input.gone), (0, false));
    }
}

//! The part of `--dry` that needs somebody at the terminal: taps are shown as they come, each
//! pad is judged, and tones are played until they are as they should be. Nothing is kept.

use crate::screen::say;
use crate::terminal_frontend::TerminalFrontend;
use anyhow::Result;
use chronotap_core::midi::Message;
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_engine::action::ActionKind;
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::laboratory::{Rig, TrialRun};
use chronotap_rig::recorder::{Notice, USUAL_ROOM, Watch, sink};
use chronotap_session::{Doubt, Frontend, PadCheck, Study};
use chronotap_simulate::{Tapper, TrialEnd};
use std::collections::BTreeMap;
use std::time::Duration;

/// Looks at the pads, then lets the tones be heard.
pub(super) fn pad_check(
    study: &Study,
    laboratory: &mut Rig,
    interrupt: Interrupt,
    frontend: &mut TerminalFrontend,
) -> Result<()> {
    if !frontend.is_attended() {
        return Ok(());
    }
    let taps = taps(study, laboratory, frontend)?;
    let (inputs, _) = study.inputs_and_outputs();
    for input in &inputs {
        judge(input, taps.get(*input).map_or(&[][..], Vec::as_slice));
    }
    let Some((file, outputs)) = study.tones().filter(|_| !interrupt.requested()) else {
        interrupt.rearm();
        return Ok(());
    };
    loop {
        laboratory.run(&TrialRun::unkept(&file, &Tapper::Nobody), |_| {})?;
        if frontend.confirm(&Doubt::Tone { outputs: outputs.clone() })? {
            return Ok(());
        }
    }
}

/// Time and velocity of each tap, by input.
type Taps = BTreeMap<String, Vec<(Nanos, u8)>>;

/// Shows taps until Enter is pressed.
fn taps(study: &Study, laboratory: &mut Rig, frontend: &mut TerminalFrontend) -> Result<Taps> {
    let mut taps = Taps::new();
    let Some(file) = study.listening_trial() else { return Ok(taps) };
    let names: Vec<String> = file.trial.inputs.iter().map(|input| input.name.clone()).collect();
    let (sink, watch) = sink(USUAL_ROOM);
    let run = TrialRun { sinks: &[sink], ..TrialRun::unkept(&file, &Tapper::Nobody) };
    let (mut invited, end) = (false, TrialEnd::default());
    laboratory.run_until(&run, &end, |_| {
        if !invited {
            say("Tap on each pad, softly and hard. Press Enter when you have seen enough.");
            invited = true;
        }
        show_all(&watch, &names, &mut taps);
        if frontend.beckoned() {
            end.request();
        }
    })?;
    show_all(&watch, &names, &mut taps);
    Ok(taps)
}

fn show_all(watch: &Watch, names: &[String], taps: &mut Taps) {
    while let Some(notice) = watch.next(Duration::ZERO) {
        if let Notice::Happened(entry) = notice {
            show(&entry, names, taps);
        }
    }
}

/// A line for a tap, which is kept.
fn show(entry: &Entry, names: &[String], taps: &mut Taps) {
    let ActionKind::Tap(input) = entry.action.kind else { return };
    let Some(Message::NoteOn { note, velocity, .. }) = entry.action.message else { return };
    let Some(name) = names.get(usize::from(input)) else { return };
    let of = taps.entry(name.clone()).or_default();
    let at = entry.action.deadline;
    let since = of.last().map(|(last, _)| (at - *last).as_millis_f64());
    let since = since.map_or(String::new(), |ms| format!(", {ms:.1} ms after the last"));
    say(format!("  {name}: note {note}, velocity {velocity}{since}"));
    of.push((at, velocity.get()));
}

/// What the taps on an input tell.
fn judge(input: &str, taps: &[(Nanos, u8)]) {
    let check = PadCheck::of(taps);
    let Some((softest, hardest)) = check.velocities else {
        return say(format!("{input}: no taps; check cable, port and channel"));
    };
    let count = counted(taps.len(), "tap");
    say(format!("{input}: {count}, velocity {softest} to {hardest}"));
    if check.doubles.is_empty() {
        return say("  no tap was heard twice");
    }
    let longest = check.doubles.iter().max().map_or(0.0, |span| span.as_millis_f64());
    let n = check.doubles.len();
    say(format!(
        "  {n} came within 100 ms of a tap, as doubles do; the latest after {longest:.1} ms"
    ));
    match check.debounce {
        Some(debounce) => {
            let ms = debounce.as_millis_f64();
            say(format!(
                "  suggested in the trial file: [input.{input}] debounce = \"{ms:.0} ms\""
            ));
        }
        None => say("  taps came as close to each other: tap more slowly, and look again"),
    }
}

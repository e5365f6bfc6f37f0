//! `chronotap level`: a steady sound for a sound level meter, and what its reading says
//! about the levels in a file of sounds.

use crate::CommandVerdict;
use crate::args::LevelArgs;
use crate::commands::take_over_ctrl_c;
use crate::screen::{Progress, remark, say, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_audio::Process;
use chronotap_audio::tone::{Ears, Sound, Steady, SteadyEnding, Timbre};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{Card, CardRequest};
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_linux::ports::{Spec, ToneName};
use chronotap_linux::realtime::Interrupt;

/// How often it is looked whether to go on.
const LOOK: Nanos = Nanos::from_millis(50);

pub fn level(args: &LevelArgs) -> Result<CommandVerdict> {
    match args.measured_spl {
        Some(measured) => calibration(args, measured),
        None => play(args),
    }
}

/// The lines for the file of sounds.
fn calibration(args: &LevelArgs, measured_spl: f64) -> Result<CommandVerdict> {
    let full = measured_spl - f64::from(args.level_db);
    if !(20.0..=180.0).contains(&full) {
        bail!(
            "--measured {measured_spl}: full scale would be {full:.1} dB SPL, and 20 to 180 is what \
             there is; --level says at which level it was measured"
        );
    }
    let key = if args.ear == "both" { "full_scale" } else { &args.ear };
    say(format!("[calibration]\n{key} = \"{full:.1} dB SPL\""));
    let other = match args.ear.as_str() {
        "left" => ", and the other ear's line, `right = …`, below them",
        "right" => ", and the other ear's line, `left = …`, below them",
        _ => "",
    };
    remark(wrapped(
        &format!(
            "Put these lines into the file of sounds{other}. There you can then write levels such as \
             \"70 dB SPL\". They hold until a volume control is moved."
        ),
        "",
    ));
    Ok(CommandVerdict::Passed)
}

fn play(args: &LevelArgs) -> Result<CommandVerdict> {
    let name = name(&args.output)?;
    let interrupt = take_over_ctrl_c()?;
    let sound = sound(args)?;
    let wanted = CardRequest {
        rate_hz: name.rate_hz,
        period_frames: name.period_frames,
        periods: name.periods,
        ..CardRequest::default()
    };
    let mut ending = None;
    let card = Card::open(&name.card, &wanted, |shape, _| -> Box<dyn Process> {
        let (steady, end) = Steady::new(shape.rate_hz, sound);
        ending = Some(end);
        Box::new(steady)
    })?;
    let ending = ending.context("the card has nothing to play")?;
    announce(args, &card);
    wait(args, &card, interrupt);
    fade(&card, &ending);
    if card.watch().is_gone() {
        bail!("{}: the sound card went away; plug it in again", args.output);
    }
    let xruns = card.watch().xruns();
    if xruns > 0 {
        say(wrapped(
            &format!("The card missed {xruns} periods: what was measured then is too low."),
            "",
        ));
    }
    Ok(CommandVerdict::Passed)
}

fn name(output: &str) -> Result<ToneName> {
    let spec: Spec = output.parse().with_context(|| format!("--out {output}"))?;
    match spec.name() {
        Some(name @ ToneName { sounds: None, .. }) => Ok(name.clone()),
        Some(_) => bail!("--out {output}: one steady sound is played; leave out sounds="),
        None => bail!("--out {output}: it is no sound card; name one, as in tone: or tone:jack"),
    }
}

fn sound(args: &LevelArgs) -> Result<Sound> {
    let timbre = match args.sound.as_str() {
        "sine" => Timbre::Sine(args.pitch_hz),
        "white noise" => Timbre::White,
        _ => Timbre::Pink,
    };
    let ears = match args.ear.as_str() {
        "left" => Ears::Left,
        "right" => Ears::Right,
        _ => Ears::Both,
    };
    if !(20.0..=20_000.0).contains(&args.pitch_hz) {
        bail!("--pitch {}: a pitch is 20 to 20000 Hz", args.pitch_hz);
    }
    if !(-120.0..=0.0).contains(&args.level_db) {
        bail!("--level {}: a level is -120 to 0 dB full scale", args.level_db);
    }
    let ramp = Nanos::from_millis(50);
    Ok(Sound { level_db: args.level_db, ears, rise: ramp, fall: ramp, ..Sound::new(timbre) })
}

fn announce(args: &LevelArgs, card: &Card) {
    let LevelArgs { sound, pitch_hz, level_db, ear, seconds, .. } = args;
    let sound = if sound == "sine" { format!("{pitch_hz} Hz") } else { sound.clone() };
    let ears = if ear == "both" { "both ears".into() } else { format!("the {ear} ear") };
    let card = &card.shape().card;
    say(wrapped(
        &format!("{sound} at {level_db} dB full scale in {ears}, {seconds} s, on {card}"),
        "",
    ));
    let also = if ear == "both" { String::new() } else { format!(" --ear {ear}") };
    say("Read the sound level meter, then:");
    say(format!("  chronotap level --level={level_db}{also} --measured SPL"));
    say("Ctrl-C ends it.");
}

fn wait(args: &LevelArgs, card: &Card, interrupt: Interrupt) {
    let end = MonotonicClock::raw() + Nanos::from_secs(args.seconds.into());
    let mut progress = Progress::new(200);
    while !interrupt.requested() && !card.watch().is_gone() {
        let now = MonotonicClock::raw();
        if now >= end {
            break;
        }
        progress.show(&format!("{:6.0} s left", (end - now).as_secs_f64().ceil()));
        sleep_until(now + LOOK);
    }
    progress.end();
}

/// Lets it fade, and reach the ear.
fn fade(card: &Card, ending: &SteadyEnding) {
    ending.end();
    let patience = MonotonicClock::raw() + Nanos::from_secs(1);
    while !ending.is_silent() && !card.watch().is_gone() && MonotonicClock::raw() < patience {
        sleep_until(MonotonicClock::raw() + card.shape().period());
    }
    sleep_until(MonotonicClock::raw() + card.shape().playback_latency());
}

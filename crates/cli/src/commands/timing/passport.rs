//! `chronotap passport`: pad, cable, sound card and computer in one run, one file and one
//! page. It is made of the tests that there are; a part without a device is left out, and
//! the passport says why.

use super::compare;
use super::looped::LoopProbe;
use super::plan::{TestPlan, chosen};
use super::suite;
use super::tap_to_sound::{PadTest, of_channels, simulated};
use super::told::TellingProbe;
use crate::CommandVerdict;
use crate::args::{Compare, PARTS, PassportArgs};
use crate::screen::{remark, wrapped};
use anyhow::{Context, Result};
use chronotap_bench::studies::Load;
use chronotap_bench::timing::{
    Length, Probe, RoundtripTest, TestFound, TestRefusal, TestRun, WakeupTest,
};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{CardName, PortJoin};
use std::io::{IsTerminal, stdin};

pub fn passport(args: &PassportArgs) -> Result<CommandVerdict> {
    if !args.compare.is_empty() {
        let (files, form) = (args.compare.clone(), args.suite.form);
        return compare::compare(&Compare { files, output: None, figure: None, form });
    }
    let devices = Devices::of(args)?;
    devices.probes(args)?; // refused before anything starts
    if devices.has_a_pad() && args.strikes.is_none() && wants(args, "pad") {
        remark(wrapped(HOW, ""));
    }
    let loads = chosen(&args.suite.loads, &[Load::None], &args.suite.limits())?;
    let mut plan = TestPlan::of("passport", loads, |_| devices.probes(args).unwrap_or_default());
    plan.about.extend(args.pad.iter().map(|said| ("pad".to_owned(), said.clone())));
    plan.about.extend(args.about.iter().cloned());
    suite::run(&plan, &args.suite)
}

/// How to strike.
const HOW: &str = "Wait a second; then strike the pad with all forces, from as soft as it hardly \
                   notices to as hard as participants ever do, half a second or more apart.";

/// What was named, or answered.
struct Devices {
    input: Option<String>,
    card: Option<CardName>,
    looped: Vec<String>,
}

impl Devices {
    /// Asks at a terminal for what was not named.
    fn of(args: &PassportArgs) -> Result<Devices> {
        let mut devices = Devices {
            input: args.input.clone(),
            card: args.card.clone(),
            looped: args.looped.clone(),
        };
        if args.strikes.is_some() {
            devices.card.get_or_insert("virtual:loop:1024:0.5".parse()?);
        }
        if !stdin().is_terminal() {
            return Ok(devices);
        }
        let sounds = wants(args, "pad") || wants(args, "roundtrip");
        if devices.input.is_none() && args.strikes.is_none() && wants(args, "pad") {
            devices.input = ask("The pad's port (`chronotap ports` lists them; empty: none)?")?;
        }
        if devices.card.is_none() && sounds {
            let card = ask("The sound card: jack, alsa:hw:CARD,DEVICE (empty: none)?")?;
            devices.card = card.map(|card| card.parse()).transpose()?;
        }
        if devices.looped.is_empty() && wants(args, "loop") {
            let port = "A MIDI port whose output goes to its input by a cable (empty: none)?";
            devices.looped.extend(ask(port)?);
        }
        Ok(devices)
    }

    fn has_a_pad(&self) -> bool {
        self.input.is_some()
    }

    /// In the order of [`PARTS`].
    fn probes(&self, args: &PassportArgs) -> Result<Vec<Box<dyn Probe>>> {
        let probe = |part: &'static str| match part {
            _ if !wants(args, part) => Ok(left_out(part, "not among --parts")),
            "pad" => self.pad(args),
            "loop" => Ok(Box::new(LoopProbe::of(&self.looped)) as Box<dyn Probe>),
            "roundtrip" => Ok(self.round_trip(args)),
            _ => Ok(Box::new(WakeupTest::default()) as Box<dyn Probe>),
        };
        PARTS.into_iter().map(probe).collect()
    }

    fn pad(&self, args: &PassportArgs) -> Result<Box<dyn Probe>> {
        let Some(card) = &self.card else {
            return Ok(left_out("pad", "no sound card to hear it with was named (--card)"));
        };
        let scripted = args.strikes.as_deref().map(simulated).transpose()?;
        if self.input.is_none() && scripted.is_none() {
            return Ok(left_out("pad", "no port of a pad was named (--in)"));
        }
        let by_length = args.suite.length.chosen().pick(50, 200, 1_000);
        let wanted = PadTest {
            input: self.input.as_deref(),
            beside: &args.beside,
            scripted,
            card: card.clone(),
            period: args.period,
            rate: args.rate,
            sound_channel: args.sound_channel,
            tap_channel: Some(args.tap_channel),
            taps: Some(args.taps.unwrap_or(by_length)),
        };
        let options = of_channels(args.sound_channel, Some(args.tap_channel));
        Ok(Box::new(TellingProbe { test: wanted.test()?, options }))
    }

    fn round_trip(&self, args: &PassportArgs) -> Box<dyn Probe> {
        let Some(card) = self.card.clone() else {
            return left_out("roundtrip", "no sound card was named (--card)");
        };
        let periods = args.period.map(|period| vec![period]);
        let (join, rate_hz) = (PortJoin::Card, args.rate);
        let (calibration, duration) = (None, None);
        Box::new(RoundtripTest { card, join, periods, rate_hz, calibration, duration })
    }
}

fn wants(args: &PassportArgs, part: &str) -> bool {
    args.parts.is_empty() || args.parts.iter().any(|wanted| wanted == part)
}

/// An answer at the terminal; nothing where there is none.
fn ask(question: &str) -> Result<Option<String>> {
    remark(question);
    let mut answer = String::new();
    stdin().read_line(&mut answer).context("cannot read the answer")?;
    let answer = answer.trim();
    Ok((!answer.is_empty()).then(|| answer.to_owned()))
}

fn left_out(part: &'static str, why: &'static str) -> Box<dyn Probe> {
    let name = if part == "pad" { "tap-to-sound" } else { part };
    Box::new(LeftOut { name, why })
}

/// A part that was not measured, in the place of its test.
struct LeftOut {
    name: &'static str,
    why: &'static str,
}

impl Probe for LeftOut {
    fn name(&self) -> &'static str {
        self.name
    }

    fn available(&self) -> Result<(), TestRefusal> {
        Err(format!("left out: {}", self.why).into())
    }

    fn duration(&self, _: Length) -> Nanos {
        Nanos::ZERO
    }

    fn run(&self, _: &mut TestRun<'_>) -> TestFound {
        TestFound::unavailable(self.name, format!("left out: {}", self.why))
    }
}

//! `chronotap timing loop`: how good a pair of ports is, with a report of its own.

use super::looped::messages;
use crate::Verdict;
use crate::args::{LoopTest, PortNames};
use crate::commands::run::realtime_settings;
use crate::rig::{Bindings, Tapper};
use crate::screen::{Progress, say};
use anyhow::{Context, Result};
use chronotap_ports::Spec;
use chronotap_realtime::Interrupt;
use chronotap_runner::real_time::Live;
use chronotap_timing::{Report, Test, in_real_time};
use serde_json::json;

/// Runs the command.
pub fn loop_test(args: &LoopTest) -> Result<Verdict> {
    let length = args.length.chosen();
    let test = match args.single {
        true => Test::Single { samples: args.samples.unwrap_or(length.pick(100, 1_000, 10_000)) },
        false => Test::Loop { inputs: args.inputs.unwrap_or(messages(length)) },
    };
    let trial = test.trial()?;
    let (input, output) = joined(&args.input, &args.output);
    let names = PortNames { inputs: vec![input.clone()], outputs: vec![output.clone()] };
    let bindings = Bindings::resolve(&names, &trial, None)?;
    let rig = bindings.open(&trial, &Tapper::Nobody, 0)?;
    let interrupt = Interrupt::install().context("cannot take over Ctrl-C")?;
    let mut progress = Progress::new(50);
    let measured = in_real_time(test, rig, &realtime_settings(&args.realtime), interrupt, |live| {
        progress.show(&status(test, live));
    });
    progress.end();
    let report = Report::of(&measured?, &input, &output);
    if args.json {
        say(json!(report));
    } else {
        say(&report);
    }
    Ok(Verdict::of(report.fit))
}

/// The names of the ports. A test needs a way from the output back to the input, so
/// that `wire` for both can only mean the one whose ends are joined.
fn joined(input: &str, output: &str) -> (String, String) {
    let plain = |name: &str| match name.parse() {
        Ok(Spec::Wire { looped: false, throttled }) => Some(throttled),
        _ => None,
    };
    match (plain(input), plain(output)) {
        (Some(one), Some(other)) if one == other => {
            let wire = Spec::Wire { looped: true, throttled: one }.to_string();
            (wire.clone(), wire)
        }
        _ => (input.into(), output.into()),
    }
}

fn status(test: Test, live: &Live) -> String {
    let (asked, taps) = (test.messages(), live.taps());
    let seconds = live.now().as_secs_f64();
    format!("{seconds:6.1} s  {} of {asked} messages; Ctrl-C keeps what was measured", taps * 2)
}

//! `chronotap timing loop`: how good a pair of ports is, with a report of its own.

use super::beside::Beside;
use super::files::Files;
use super::looped::{MESSAGE, messages, take};
use super::plan::chosen;
use super::suite::{add, label};
use crate::Verdict;
use crate::args::{LoadName, LoopTest};
use crate::data;
use crate::screen::{Progress, remark, say, say_data};
use anyhow::{Context, Result, anyhow};
use chronotap_laboratory::{Bindings, PortNames, Session};
use chronotap_machine::{Facts, Root};
use chronotap_ports::{Spec, WireName};
use chronotap_realtime::Interrupt;
use chronotap_studies::Load;
use chronotap_time::Nanos;
use chronotap_timing::{Found, MeasuredLoop, Purpose, Report, Results, Test, in_real_time, judge};
use serde_json::json;
use std::path::Path;

/// Runs the command.
pub fn loop_test(args: &LoopTest) -> Result<Verdict> {
    let test = test(args);
    let trial = test.trial()?;
    let (input, output) = joined(&args.input, &args.output);
    let names = PortNames { inputs: vec![input.clone()], outputs: vec![output.clone()] };
    let (ins, outs) = data::names(&trial);
    let bindings = Bindings::resolve(&names, &ins, &outs, None)?;
    chosen(&[LoadName::One(args.load)], &[])?;
    let kept = args.results.as_ref().map(|dir| Kept::begin(dir, args)).transpose()?;
    let planned = MESSAGE * i64::from(test.messages());
    let beside = Beside::start(args.load, planned).map_err(|why| anyhow!(why))?;
    let interrupt = Interrupt::install().context("cannot take over Ctrl-C")?;
    let settings = args.realtime.settings();
    let mut session = Session::open(bindings, None, &settings, interrupt)?;
    let mut progress = Progress::new(50);
    let measured = in_real_time(test, &mut session, |now, taps| {
        progress.show(&status(test, now, taps));
    });
    progress.end();
    let (measured, note) = (measured?, beside.end());
    let report = Report::of(&measured, &input, &output);
    if args.json {
        say_data(json!(report));
    } else {
        say(&report);
    }
    if let Some(kept) = kept {
        kept.end(&measured, &(input, output), note, interrupt.requested())?;
    }
    Ok(Verdict::of(report.fit))
}

fn test(args: &LoopTest) -> Test {
    let length = args.length.chosen();
    match args.single {
        true => Test::Single { samples: args.samples.unwrap_or(length.pick(100, 1_000, 10_000)) },
        false => Test::Loop { inputs: args.inputs.unwrap_or(messages(length)) },
    }
}

/// Results that are kept in files, besides the report.
struct Kept {
    files: Files,
    results: Results,
    load: Load,
}

impl Kept {
    fn begin(dir: &Path, args: &LoopTest) -> Result<Kept> {
        let label = label(args.label.as_deref())?;
        let (began, length) = (chronotap_clocks::wall_clock_now(), args.length.chosen());
        let mut results = Results::begin(chronotap_record::PROGRAM, &label, &began, length);
        results.machine = Some(Facts::read(&Root::system()));
        let files = Files::reserve(dir, &label, "loop")?;
        files.keep(&results)?;
        Ok(Kept { files, results, load: args.load })
    }

    fn end(
        mut self,
        measured: &MeasuredLoop,
        (input, output): &(String, String),
        note: Option<String>,
        interrupted: bool,
    ) -> Result<()> {
        let ports = if input == output { input.clone() } else { format!("{output} to {input}") };
        let mut found = Found { test: "loop".into(), interrupted, ..Found::default() };
        take(&mut found, measured, &ports);
        found.notes.extend(note);
        add(&mut self.results, self.load, found);
        self.results.interrupted = interrupted;
        let verdict = judge(&self.results, Purpose::Tapping);
        self.files.finish(&self.results, &[verdict])?;
        remark(format!("results: {}", self.files.path(".json").display()));
        Ok(())
    }
}

/// The names of the ports. A test needs a way from the output back to the input, so
/// that `wire` for both can only mean the one whose ends are joined.
fn joined(input: &str, output: &str) -> (String, String) {
    let plain = |name: &str| {
        let spec: Spec = name.parse().ok()?;
        let wire: &WireName = spec.name()?;
        (!wire.looped).then_some(wire.throttled)
    };
    match (plain(input), plain(output)) {
        (Some(one), Some(other)) if one == other => {
            let wire = WireName { looped: true, throttled: one }.to_string();
            (wire.clone(), wire)
        }
        _ => (input.into(), output.into()),
    }
}

fn status(test: Test, now: Nanos, taps: u32) -> String {
    let (asked, seconds) = (test.messages(), now.as_secs_f64());
    format!("{seconds:6.1} s  {} of {asked} messages; Ctrl-C keeps what was measured", taps * 2)
}

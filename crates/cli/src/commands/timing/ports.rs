//! `chronotap timing loop`: how good a pair of ports is, with a report of its own.

use super::beside::Beside;
use super::files::TestFiles;
use super::looped::{MESSAGE, bindings, messages, named, take};
use super::plan::chosen;
use super::suite::{add, begin, label};
use super::told::ToldOptions;
use crate::CommandVerdict;
use crate::args::{LoadName, LoopTest};
use crate::commands::take_over_ctrl_c;
use crate::says;
use crate::screen::{Progress, remark, say, say_data};
use anyhow::{Result, anyhow};
use chronotap_bench::studies::Load;
use chronotap_bench::studies::loads::LoadLimits;
use chronotap_bench::timing::{
    CirculationReport, CirculationRun, CirculationTest, LOOP_VERSION, MeasuredLoop, Purpose,
    Results, Runs, TestFound, in_real_time, judge,
};
use chronotap_core::time::Nanos;
use chronotap_linux::ports::{Spec, WireName};
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::laboratory::{Bindings, Rig};
use serde::Serialize;
use serde_json::json;
use std::fmt::Display;
use std::path::Path;

pub fn loop_test(args: &LoopTest) -> Result<CommandVerdict> {
    let ways = ways(args)?; // all names are looked at before anything starts
    chosen(&[LoadName::One(args.load)], &[], &LoadLimits::default())?;
    let kept = args.results.as_ref().map(|dir| Kept::begin(dir, args)).transpose()?;
    let beside = Beside::start(args.load, planned(args, ways.len()), &LoadLimits::default());
    let beside = beside.map_err(|why| anyhow!(why))?;
    let mut bench = Bench { args, interrupt: take_over_ctrl_c()?, kept };
    let all = bench.on_all(ways)?;
    bench.end(&all, beside.end())?;
    Ok(CommandVerdict::of(all.iter().all(Runs::are_fit)))
}

/// A way from an output back to an input: their names, and what they mean.
struct Way {
    input: String,
    output: String,
    bindings: Bindings,
}

/// The ways to test: that of the ports named, then each of `--also`.
fn ways(args: &LoopTest) -> Result<Vec<Way>> {
    let also = args.also.iter().map(|name| name.split_once('=').unwrap_or((name, name)));
    let way = |(input, output): (&str, &str)| {
        let (input, output) = joined(input, output);
        let bindings = bindings(test(args), &input, &output)?;
        Ok(Way { input, output, bindings })
    };
    std::iter::once((&*args.input, &*args.output)).chain(also).map(way).collect()
}

/// How long all runs on so many ways take.
fn planned(args: &LoopTest, ways: usize) -> Nanos {
    MESSAGE * i64::from(test(args).messages()) * i64::from(args.repeat) * ways as i64
}

/// What tests one way after the other.
struct Bench<'a> {
    args: &'a LoopTest,
    interrupt: Interrupt,
    kept: Option<Kept>,
}

impl Bench<'_> {
    /// What every way showed; after Ctrl-C those that were begun.
    fn on_all(&mut self, ways: Vec<Way>) -> Result<Vec<Runs>> {
        let mut all = Vec::new();
        for way in ways {
            if self.interrupt.requested() && !all.is_empty() {
                break;
            }
            all.push(self.on(way)?);
        }
        Ok(all)
    }

    /// All runs on one way, told as they come.
    fn on(&mut self, way: Way) -> Result<Runs> {
        let Way { input, output, bindings } = way;
        let mut rig = Rig::open(bindings, None, &self.args.realtime.settings(), self.interrupt)?;
        let mut runs = Runs::new(test(self.args).name(), &input, &output);
        for run in 1..=self.args.repeat {
            if self.interrupt.requested() {
                break;
            }
            let report = self.measure(&mut rig, (&input, &output), run)?;
            runs.runs.push(CirculationRun::of(&report));
            if is_alone(self.args) {
                tell(self.args, &report, &report);
            }
        }
        if !is_alone(self.args) && !self.args.json {
            say(format!("{runs}\n"));
        }
        Ok(runs)
    }

    /// One run.
    fn measure(
        &mut self,
        rig: &mut Rig,
        ports: (&str, &str),
        run: u32,
    ) -> Result<CirculationReport> {
        let (test, repeat) = (test(self.args), self.args.repeat);
        let of = if repeat > 1 { format!("run {run} of {repeat}: ") } else { String::new() };
        let mut progress = Progress::new(50);
        let measured = in_real_time(test, rig, |now, taps| {
            progress.show(&format!("{of}{}", status(test, now, taps)));
        });
        progress.end();
        let measured = measured?;
        if let Some(kept) = &mut self.kept {
            kept.take(&measured, &named(ports.0, ports.1), (repeat > 1).then_some(run));
        }
        Ok(CirculationReport::of(&measured, ports.0, ports.1))
    }

    /// What all ways together say, and the files; `note` tells of the load.
    fn end(self, all: &[Runs], note: Option<String>) -> Result<()> {
        if self.args.json && !is_alone(self.args) {
            say_data(json!({ "version": LOOP_VERSION, "pairs": all }));
        } else if all.len() > 1 {
            say(Runs::table(all));
        }
        let Some(kept) = self.kept else { return Ok(()) };
        kept.end(note, self.interrupt.requested())
    }
}

/// Whether it is one run on one pair of ports, which has a report of its own.
fn is_alone(args: &LoopTest) -> bool {
    args.repeat == 1 && args.also.is_empty()
}

fn tell(args: &LoopTest, text: &impl Display, data: &impl Serialize) {
    if args.json {
        say_data(json!(data));
    } else {
        say(text);
    }
}

fn test(args: &LoopTest) -> CirculationTest {
    let length = args.length.chosen();
    match args.single {
        true => CirculationTest::Single {
            samples: args.samples.unwrap_or(length.pick(100, 1_000, 10_000)),
        },
        false => CirculationTest::Loop { inputs: args.inputs.unwrap_or(messages(length)) },
    }
}

/// Results that are kept in files, besides the report.
struct Kept {
    files: TestFiles,
    results: Results,
    load: Load,
    options: ToldOptions,
    found: TestFound,
}

impl Kept {
    fn begin(dir: &Path, args: &LoopTest) -> Result<Kept> {
        let label = label(args.label.as_deref())?;
        let (files, results) = begin(dir, &label, "loop", args.length.chosen())?;
        let options = ToldOptions::default()
            .and("spin", args.realtime.no_spin.then_some("off"))
            .and("serve_every_us", args.realtime.serve_every.map(Nanos::as_micros_f64));
        Ok(Kept { files, results, load: args.load, options, found: TestFound::of("loop") })
    }

    /// Adds what a run showed; `run` is its number, where there are several.
    fn take(&mut self, measured: &MeasuredLoop, ports: &str, run: Option<u32>) {
        let before = (self.found.series.len(), std::mem::take(&mut self.found.notes));
        take(&mut self.found, measured, ports);
        self.options.put(self.found.series.iter_mut().skip(before.0));
        if let Some(run) = run {
            let new = self.found.series.iter_mut().skip(before.0);
            new.for_each(|series| _ = series.conditions.insert("run".into(), run.to_string()));
        }
        let new = std::mem::replace(&mut self.found.notes, before.1);
        let new = new.into_iter().filter(|note| !self.found.notes.contains(note));
        let new: Vec<String> = new.collect();
        self.found.notes.extend(new);
    }

    fn end(mut self, note: Option<String>, interrupted: bool) -> Result<()> {
        self.found.interrupted = interrupted;
        self.found.notes.extend(note);
        add(&mut self.results, (self.load, &LoadLimits::default()), self.found);
        self.results.interrupted = interrupted;
        let verdict = says::verdict(&judge(&self.results, Purpose::Tapping));
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

fn status(test: CirculationTest, now: Nanos, taps: u32) -> String {
    let (asked, seconds) = (test.messages(), now.as_secs_f64());
    format!("{seconds:6.1} s  {} of {asked} messages; Ctrl-C keeps what was measured", taps * 2)
}

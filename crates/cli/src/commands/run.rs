//! `chronotap run`: a trial in real time.

use crate::args::{RealTime, Run, Show};
use crate::machine::Machine;
use crate::rig::{Bindings, Tapper};
use crate::screen::{Progress, complain, say, wrapped};
use crate::{Verdict, data};
use anyhow::{Context, Result};
use chronotap_analysis::observed::System;
use chronotap_analysis::services::ServiceIntervals;
use chronotap_analysis::summary::Summary;
use chronotap_experiment::TrialFile;
use chronotap_realtime::{Interrupt, Request};
use chronotap_record::{Audio, Binding, Footer, Header, Mode, Saved, free_name, settled};
use chronotap_record::{Circumstances, summarize};
use chronotap_recorder::{RecordedCard, Recorder};
use chronotap_rehearsal::Rig;
use chronotap_runner::real_time::{self, Live, Outcome, Ready, Settings};
use chronotap_time::Nanos;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(args: &Run) -> Result<Verdict> {
    let file = TrialFile::read(&args.file)?;
    let tapper = Tapper::resolve(&args.who, &file.trial, None)?;
    let wire = (!matches!(tapper, Tapper::Nobody)).then_some("wire");
    let mut names = args.ports.clone();
    let machine = if wire.is_none() { Machine::read(args.machine.as_deref())? } else { None };
    // With a simulated participant everything goes over a virtual wire.
    let machine = machine.filter(|machine| machine.fill(&mut names, &file.trial));
    let bindings = Bindings::resolve(&names, &file.trial, wire)?;
    let plan = Plan {
        seed: data::seed(args.seed, &file)?,
        stem: data::stem(args.name.as_deref(), &file)?,
        file: &file,
        bindings,
        machine: machine.map(|machine| machine.path),
        tapper,
        dir: &args.data,
        realtime: &args.realtime,
        show: args.show,
    };
    plan.run()
}

/// Everything that is settled before a trial in real time begins.
pub struct Plan<'a> {
    /// The trial.
    pub file: &'a TrialFile,
    /// Its seed.
    pub seed: u64,
    /// Its ports.
    pub bindings: Bindings,
    /// The machine file that named some of them.
    pub machine: Option<PathBuf>,
    /// Who taps.
    pub tapper: Tapper,
    /// Where the data go.
    pub dir: &'a Path,
    /// First part of their names.
    pub stem: String,
    /// How the thread runs.
    pub realtime: &'a RealTime,
    /// What is printed.
    pub show: Show,
}

impl Plan<'_> {
    /// Runs the trial, writes its data, prints its summary.
    pub fn run(&self) -> Result<Verdict> {
        let interrupt = Interrupt::install().context("cannot take over Ctrl-C")?;
        let mut rig = self.bindings.open(&self.file.trial, &self.tapper, self.seed)?;
        let bound = self.bindings.bound(&self.file.trial, &rig);
        let latencies = rig.latencies();
        let cards = self.cards(&mut rig);
        let port_inputs = rig.port_inputs();
        data::prepare(self.dir)?;
        let name = free_name(self.dir, &self.stem)?;
        let engine = data::engine(self.file, self.seed);
        let mut recorder = None;
        let mut progress = Progress::new(50);
        let ended = real_time::run(
            engine,
            rig,
            &realtime_settings(self.realtime),
            interrupt,
            |ready| {
                self.announce(ready, &bound);
                let header = self.header(ready, bound);
                let (sender, started) =
                    Recorder::start_with_cards(self.dir, &name, &header, cards)?;
                recorder = Some(started);
                Ok::<_, chronotap_record::RecordError>(sender)
            },
            |live| self.show_progress(live, &mut progress),
        );
        progress.end();
        let outcome = ended?;
        let mut recorder = recorder.context("the recorder was never started")?;
        let summary = self.summarize(&mut recorder, &outcome, latencies, &port_inputs)?;
        let saved = recorder.finish(footer(&summary, &outcome));
        self.report(&summary, saved.as_ref().ok());
        if let Some(problem) = recorder.problem() {
            complain(&format!("while the trial ran, the disk refused: {problem}"));
        }
        saved?;
        Ok(Verdict::of(summary.is_sound()))
    }

    /// The sound cards, for the recorder.
    fn cards(&self, rig: &mut Rig) -> Vec<RecordedCard> {
        let name = |output: u16| self.file.trial.outputs.get(usize::from(output)).cloned();
        let named = |(outputs, calls): (Vec<u16>, _)| RecordedCard {
            outputs: outputs.into_iter().filter_map(name).collect(),
            calls,
        };
        rig.take_calls().into_iter().map(named).collect()
    }

    fn limit(&self) -> Nanos {
        self.realtime.limit_us.map_or(self.file.limit, Nanos::from_micros)
    }

    fn header(&self, ready: &Ready, ports: Vec<Binding>) -> Header {
        let who = self.tapper.describe();
        let header = data::header(self.file, self.seed, Mode::RealTime, ports, who);
        let rights = json!({ "granted": ready.grant, "guard_ns": ready.guard.0 });
        let mut header = Header { rights, limit_ns: self.limit().0, ..header };
        if let (Some(path), Some(machine)) = (&self.machine, header.machine.as_object_mut()) {
            machine.insert("machine_file".into(), path.display().to_string().into());
        }
        if let Some(rights) = header.rights.as_object_mut() {
            rights.insert("warnings".into(), self.bindings.warnings().into());
        }
        header
    }

    /// Says what is about to run and with which rights.
    fn announce(&self, ready: &Ready, bound: &[Binding]) {
        if self.show.quiet || self.show.json {
            return;
        }
        say(wrapped(&format!("{} (seed {})", self.file.title, self.seed), ""));
        for bound in bound {
            say(format!("  {:<4}{} = {}", bound.direction, bound.name, bound.port));
            if let Some(late) = bound.audio.as_ref().filter(|audio| audio.latency_ns > 0) {
                say(wrapped(&constant(late), "      "));
                late.instruments.iter().for_each(|one| say(wrapped(one, "      ")));
            }
        }
        if let Some(machine) = &self.machine {
            say(format!("  ports of the machine file {}", machine.display()));
        }
        for warning in self.bindings.warnings() {
            say(format!("  warning: {warning}"));
        }
        if ready.grant.items.is_empty() {
            say("  an ordinary thread, as asked");
        }
        for sentence in ready.grant.sentences() {
            say(wrapped(&sentence, "  "));
        }
        say("Ctrl-C ends the trial and keeps its data.");
    }

    fn show_progress(&self, live: &Live, progress: &mut Progress) {
        if !self.show.quiet {
            let lost = match live.lost() {
                0 => String::new(),
                lost => format!("  LOST {lost}"),
            };
            progress.show(&format!(
                "{:6.1} s  beat {:<4} taps {:<4} feedback {:<4} greatest lateness {:.0} us{lost}",
                live.now().as_secs_f64(),
                live.beat(),
                live.taps(),
                live.feedback(),
                live.latest().as_micros_f64(),
            ));
        }
    }

    fn summarize(
        &self,
        recorder: &mut Recorder,
        outcome: &Outcome,
        latencies: Vec<Nanos>,
        port_inputs: &[Vec<u16>],
    ) -> Result<Summary> {
        let dropped = recorder.dropped();
        recorder.stop()?;
        let loads = recorder.loads();
        let entries = settled(recorder.stop()?);
        let seen = Circumstances {
            limit: self.limit(),
            dropped,
            lost: outcome.lost + outcome.ports.iter().map(|port| port.lost).sum::<u64>(),
            latencies,
            overruns: self.overruns(outcome, port_inputs),
            answers: data::answers(self.file),
            watchdog: outcome.watchdog.demotion.is_some(),
            loads,
            services: services(outcome),
            system: Some(system(outcome)),
        };
        Ok(summarize(&self.file.title, &self.file.trial, &entries, &seen))
    }

    /// What the port of each input lost to a full buffer.
    fn overruns(&self, outcome: &Outcome, port_inputs: &[Vec<u16>]) -> Vec<u64> {
        let of = |input: u16| {
            let ports = outcome.ports.iter().zip(port_inputs);
            ports.filter(|(_, inputs)| inputs.contains(&input)).map(|(port, _)| port.overruns).sum()
        };
        (0..self.file.trial.inputs.len() as u16).map(of).collect()
    }

    fn report(&self, summary: &Summary, saved: Option<&Saved>) {
        if self.show.quiet {
            return;
        }
        if self.show.json {
            let files = saved.map(|saved| {
                json!({ "events": saved.tsv, "description": saved.json,
                    "callbacks": saved.callbacks })
            });
            let seed = self.seed;
            say(json!({ "seed": seed, "summary": summary, "files": files }));
            return;
        }
        say(format!("\n{summary}"));
        if let Some(saved) = saved {
            data::say_saved(saved);
        }
    }
}

/// By how much an output is late always, and why.
fn constant(audio: &Audio) -> String {
    let Audio { period_frames, rate_hz, latency_ns, card, .. } = audio;
    let ms = Nanos(*latency_ns).as_millis_f64();
    let frames = format!("{period_frames} frames at {rate_hz} Hz");
    match card {
        Some(card) => {
            format!("on {card}; at the converter {ms:.2} ms late, always (period: {frames})")
        }
        None => format!("played one period late, always: {frames}, {ms:.2} ms"),
    }
}

/// What the real-time thread is to ask for.
pub fn realtime_settings(asked: &RealTime) -> Settings {
    let request = if asked.ordinary {
        Request { cpu: asked.cpu, ..Request::nothing() }
    } else {
        Request { fifo_priority: Some(asked.priority), cpu: asked.cpu, ..Request::trial() }
    };
    Settings { request, spin: !asked.no_spin }
}

fn services(outcome: &Outcome) -> Option<ServiceIntervals> {
    let intervals = outcome.services.checked_sub(1).filter(|n| *n > 0)?;
    Some(ServiceIntervals {
        n: outcome.services,
        mean_us: outcome.ended.as_micros_f64() / intervals as f64,
        max_us: outcome.longest_between_services.as_micros_f64(),
    })
}

fn system(outcome: &Outcome) -> System {
    let count = |n: i64| u64::try_from(n).unwrap_or(0);
    System {
        major_faults: count(outcome.usage.major_faults),
        minor_faults: count(outcome.usage.minor_faults),
        voluntary_switches: count(outcome.usage.voluntary_switches),
        involuntary_switches: count(outcome.usage.involuntary_switches),
    }
}

fn footer(summary: &Summary, outcome: &Outcome) -> Footer {
    let runner = json!({
        "clock": { "origin_ns": outcome.origin.0 },
        "ports": data::ports(&outcome.ports),
        "lost_in_engine": outcome.lost,
        "cpu_ns": outcome.cpu.0,
        "spun_ns": outcome.spun.0,
        "spins_refused": outcome.spins_refused,
        "usage": outcome.usage,
        "watchdog": outcome.watchdog,
    });
    data::footer(summary, runner)
}

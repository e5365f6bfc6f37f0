//! `chronotap run`: a trial in real time.

mod paged;

use crate::args::{RealTime, RunArgs, Show};
use crate::bound::bound;
use crate::commands::apart::set_apart;
use crate::commands::beside::{Besides, refuse_lacking};
use crate::commands::pages::{Pages, pages};
use crate::commands::streamed::Streamed;
use crate::commands::study;
use crate::commands::take_over_ctrl_c;
use crate::screen::{
    LiveLine, complain, end_followers, say, say_data, say_summary, visible, wrapped,
};
use crate::who_taps::tapper;
use crate::{CommandVerdict, data, trial_file};
use anyhow::{Result, bail};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Audio, Binding, RecordError, Saved, TimeCodeUsed, free_name};
use chronotap_desk::ears::hears;
use chronotap_engine::signal::{LowLatency, SensorFacts, SketchFacts};
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::laboratory::{
    Bindings, FinishedTrial, KeepData, Rig, RigError, Sinks, TrialRun,
};
use chronotap_rig::recorder::{Moved, Sink, USUAL_ROOM};
use chronotap_simulate::{Tapper, TrialEnd};
use paged::Paged;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Runs the command: a session where the file is that of a study, else a trial.
pub fn run(mut args: RunArgs) -> Result<CommandVerdict> {
    refuse_lacking(&args)?;
    if args.session.has_pages() && !args.realtime.ordinary {
        args.realtime.cpu = set_apart(args.realtime.cpu)?;
    }
    if study::is_study(&args.file) {
        return study::run(&args);
    }
    // What is missing or a folder is told as such, and not taken for a trial.
    if args.file == Path::new("-") || args.file.exists() && !args.file.is_dir() {
        refuse_what_is_of_a_study(&args)?;
    }
    trial(&args)
}

/// What would be passed over without a word is refused.
fn refuse_what_is_of_a_study(args: &RunArgs) -> Result<()> {
    let of = &args.session;
    let given = [
        (of.participant.is_some(), "participant", "participants"),
        (of.session != 1, "session", "sessions"),
        (!of.between.is_empty(), "between", "groups"),
        (!of.answer.is_empty(), "answer", "questions"),
        (of.language.is_some(), "language", "texts"),
        (of.pilot, "pilot", "pilot participants"),
        (of.changed, "changed", "earlier sessions"),
    ];
    let Some((_, option, what)) = given.into_iter().find(|(given, ..)| *given) else {
        return Ok(());
    };
    let file = args.file.display();
    bail!(
        "--{option}: {file} is a trial file, and only a study has {what}; leave --{option} out, or \
         name an experiment file"
    )
}

/// Runs a single trial.
fn trial(args: &RunArgs) -> Result<CommandVerdict> {
    let file = trial_file::read_told(&args.file, &args.ftap, args.show.quiet)?;
    let tapper = tapper(&args.who, &file, None)?;
    let wire = tapper.needs_a_wire().then_some("wire");
    let (inputs, outputs) = data::names(&file.trial);
    let (mut bindings, machine) = bound(args, &inputs, &outputs, wire)?;
    bindings.suit(&file)?;
    let pages = args.session.has_pages().then(|| (pages(args), wire.is_some()));
    if pages.is_some() || args.session.keep_keys {
        bindings.keep_keys(args.session.console)?; // a tap must not press what has the focus on a page
    }
    let plan = RunPlan {
        bindings,
        pages,
        seed: data::seed(args.seed, &file)?,
        stem: data::stem(args.name.as_deref(), &file)?,
        file: &file,
        machine,
        tapper,
        dir: &args.data,
        spare: args.spare_data.as_deref(),
        realtime: &args.realtime,
        follow: &args.follow,
        lsl: Some(args),
        show: args.show,
    };
    if args.session.dry { plan.try_out() } else { plan.run() }
}

/// Everything that is settled before a trial in real time begins.
pub struct RunPlan<'a> {
    pub file: &'a TrialFile,
    pub seed: u64,
    /// Its ports.
    pub bindings: Bindings,
    /// The machine file that named some of them.
    pub machine: Option<PathBuf>,
    /// Who taps.
    pub tapper: Tapper,
    /// Where the data go.
    pub dir: &'a Path,
    /// Where they go when that refuses them, before the user's state folder.
    pub spare: Option<&'a Path>,
    /// First part of their names.
    pub stem: String,
    /// How the thread runs.
    pub realtime: &'a RealTime,
    /// Where the events are told as they happen.
    pub follow: &'a [PathBuf],
    /// The command line, which may ask for LSL.
    pub lsl: Option<&'a RunArgs>,
    /// What is printed.
    pub show: Show,
    /// How it is shown on pages, where it is; and whether nobody taps but a simulated participant.
    pub pages: Option<(Pages, bool)>,
}

impl RunPlan<'_> {
    /// Runs the trial, writes its data, prints its summary.
    pub fn run(self) -> Result<CommandVerdict> {
        let interrupt = take_over_ctrl_c()?;
        let open = |pages| Paged::open(pages, &self.file.title, self.dir, interrupt);
        let mut pages = self.pages.map(open).transpose()?;
        let ran = self.run_here(interrupt, pages.as_mut());
        pages.iter().for_each(|pages| pages.end(&ran));
        ran
    }

    /// The same, watched on a page where there is one.
    fn run_here(
        &self,
        interrupt: Interrupt,
        mut pages: Option<&mut Paged>,
    ) -> Result<CommandVerdict> {
        let show = self.show();
        let mut beside = self.beside()?;
        let mut sinks = Sinks::open(self.follow)?;
        beside.iter_mut().try_for_each(|beside| beside.follow(&mut sinks))?;
        let settings = self.realtime.settings();
        let machine = self.machine.clone();
        let mut rig = Rig::open(self.bindings.clone(), machine, &settings, interrupt)?;
        rig.spare_data(data::spare(self.spare));
        data::prepare(self.dir)?;
        let name = free_name(self.dir, &self.stem)?; // what is wrong with the folder is said first
        beside.iter_mut().try_for_each(|beside| beside.write_to(&self.dir.join(&name)))?;
        let watch = sinks.watch(USUAL_ROOM);
        pages.as_ref().map(|pages| pages.follow(&mut sinks)).transpose()?;
        let keyboards = || rig.inputs().filter_map(|about| about.keyboard.as_deref());
        pages.iter().for_each(|pages| pages.keeps(keyboards()));
        self.announce(&rig, show, beside.as_ref())?;
        if !show.quiet && !show.json {
            say("Ctrl-C ends the trial and keeps its data.");
        }
        let end = TrialEnd::default();
        pages.iter_mut().try_for_each(|pages| pages.wait_for_start(interrupt, &end))?;
        let mut line = LiveLine::new(watch, !show.quiet);
        let finished = self.run_numbered(&mut rig, (interrupt, &end), sinks.all(), |now| {
            line.show(now);
            pages.iter_mut().for_each(|pages| pages.runs(now));
        });
        line.end();
        end_followers(&mut sinks);
        let finished = finished?;
        pages.iter_mut().for_each(|pages| pages.show(&finished));
        report(show, &finished);
        for complaint in complaints(&finished) {
            complain(&complaint);
            pages.iter_mut().for_each(|pages| pages.remark(&complaint));
        }
        let verdict = CommandVerdict::of(finished.passed());
        finished.saved?;
        Ok(verdict)
    }

    /// Opens the devices and looks whether the data would have a place; nothing is run, and nothing is written.
    fn try_out(&self) -> Result<CommandVerdict> {
        let (settings, interrupt) = (self.realtime.settings(), take_over_ctrl_c()?);
        let rig = Rig::open(self.bindings.clone(), self.machine.clone(), &settings, interrupt)?;
        data::try_prepare(self.dir)?;
        if self.dir.exists() {
            free_name(self.dir, &self.stem)?;
        }
        let show = self.show();
        self.announce(&rig, show, None)?;
        if !show.quiet && !show.json {
            say("Trial and devices are ready; nothing was run.");
        }
        Ok(CommandVerdict::Passed)
    }

    /// Runs the trial under the first free number. Where another program takes that at the
    /// same moment, the next is tried; nothing has sounded by then.
    fn run_numbered(
        &self,
        rig: &mut Rig,
        (interrupt, end): (Interrupt, &TrialEnd),
        sinks: &[Sink],
        mut progress: impl FnMut(Nanos),
    ) -> Result<FinishedTrial> {
        loop {
            let name = free_name(self.dir, &self.stem)?;
            interrupt.warn_with(&self.cost_of_a_third(&name));
            let run = TrialRun {
                file: self.file,
                seed: self.seed,
                tapper: &self.tapper,
                limit: self.realtime.limit,
                keep: KeepData::Files(self.dir, &name),
                sinks,
            };
            match rig.run_until(&run, end, &mut progress) {
                // Whoever was first has a file of that name there, so it is not free again.
                Err(RigError::Record(RecordError::Exists { .. })) => {}
                other => return Ok(other?),
            }
        }
    }

    /// What the second Ctrl-C says: what a third would cost, and what helps then.
    fn cost_of_a_third(&self, name: &str) -> String {
        let journal = self.dir.join(format!("{name}.journal"));
        let recover = format!("chronotap recover {}", journal.display());
        format!(
            "\nchronotap: the trial is ending and its data are being written. Once more ends it at \
             once:\nnotes may then keep sounding, and only the journal is left, of which this makes \
             the data:\n  {}\n",
            visible(&recover)
        )
    }

    /// Who publishes the events, and who records the streams of others, where that is asked for.
    fn beside(&self) -> Result<Option<Besides>> {
        let Some(args) = self.lsl else { return Ok(None) };
        let trial = PathBuf::from(&self.file.name);
        let trial =
            trial.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let of = Streamed { title: self.file.title.clone(), trial, ..Streamed::default() };
        let of = of.with_codes(self.file.trial.codes.iter());
        Ok(Some(Besides::open(args, &of, &self.stem)?))
    }

    /// Where the events themselves go to standard output, nothing else does.
    fn show(&self) -> Show {
        let quiet = self.show.quiet || self.follow.iter().any(|path| path == Path::new("-"));
        Show { quiet, ..self.show }
    }

    /// Music that sounds as tones, because its output is no sound card.
    fn music_without_a_card(&self) -> impl Iterator<Item = String> + '_ {
        self.file.recordings.iter().filter_map(|song| {
            let stream = &self.file.trial.pacing[usize::from(song.stream)];
            let port = self.bindings.output_port(stream.output)?;
            let name = &stream.name;
            (!port.starts_with("tone:")).then(|| {
                format!(
                    "warning: {port} is no sound card: of the music \"{name}\" each beat is a tone"
                )
            })
        })
    }

    /// Says what is about to run and with which rights.
    fn announce(&self, rig: &Rig, show: Show, beside: Option<&Besides>) -> Result<()> {
        let bound = rig.bound(self.file)?;
        if show.quiet || show.json {
            return Ok(());
        }
        say(wrapped(&format!("{} (seed {})", self.file.title, self.seed), ""));
        bound.iter().for_each(say_bound);
        beside
            .iter()
            .flat_map(|beside| beside.streams())
            .for_each(|streams| say(format!("  {streams}")));
        if let Some(machine) = &self.machine {
            say(format!("  ports of the machine file {}", machine.display()));
        }
        for warning in rig.warnings() {
            say(format!("  warning: {warning}"));
        }
        self.music_without_a_card().for_each(|warning| say(wrapped(&warning, "  ")));
        if let Some(ready) = rig.ready() {
            if ready.grant.items.is_empty() {
                say("  an ordinary thread, as asked");
            }
            ready.grant.sentences().for_each(|sentence| say(wrapped(&sentence, "  ")));
        }
        Ok(())
    }
}

fn say_bound(bound: &Binding) {
    say(format!("  {:<4}{} = {}", bound.direction, bound.name, bound.port));
    if let Some((audio, ear)) = bound.audio.as_ref().and_then(|a| Some((a, a.ear.as_ref()?))) {
        say(wrapped(&hears(ear, audio.rate_hz), "      "));
    }
    if let Some(late) = bound.audio.as_ref().filter(|audio| audio.latency_ns > 0) {
        say(wrapped(&constant(late), "      "));
        late.instruments.iter().for_each(|one| say(wrapped(one, "      ")));
        late.ltc.iter().for_each(|ltc| say(wrapped(&time_code(ltc), "      ")));
    }
    bound.sensor.iter().for_each(|sensor| say(wrapped(&of_sensor(sensor), "      ")));
    bound.sketch.iter().for_each(|sketch| say(wrapped(&of_sketch(sketch), "      ")));
}

/// What a sketch of another laboratory can tell.
fn of_sketch(sketch: &SketchFacts) -> String {
    let SketchFacts { name, told, .. } = sketch;
    let ms = |ns: u64| Nanos(ns.cast_signed()).as_millis_f64();
    let clock = match sketch.clock_within_ns {
        Some(within) => format!("its clock within {:.2} ms", ms(within)),
        None => "its clock is known from the first tap on".to_owned(),
    };
    let whole = ms(sketch.resolution_ns);
    format!("force sensor with {name}: a tap is told {told}, in steps of {whole} ms; {clock}")
}

/// What a sensor of force said of itself, and what its driver answered.
fn of_sensor(sensor: &SensorFacts) -> String {
    let SensorFacts { board, on, full_scale, rest, .. } = sensor;
    let within = Nanos(sensor.clock_within_ns.cast_signed()).as_millis_f64();
    let low_latency = match sensor.low_latency {
        LowLatency::Granted => "low latency granted",
        LowLatency::Refused => "low latency refused: taps may come 16 ms late",
        LowLatency::Unknown => "the driver has no low latency to ask for",
    };
    format!(
        "force sensor on {board}: a tap from {on} of {full_scale} on (rest {rest}); its clock within \
         {within:.2} ms; {low_latency}"
    )
}

fn report(show: Show, finished: &FinishedTrial) {
    if show.quiet {
        return;
    }
    let saved = finished.saved.as_ref().ok().and_then(Option::as_ref);
    if show.json {
        let (seed, summary) = (finished.seed, &finished.summary);
        say_data(json!({ "seed": seed, "summary": summary, "files": saved }));
        return;
    }
    say("");
    say_summary(&finished.summary, show.notation);
    saved.into_iter().for_each(data::say_saved);
}

/// What is to be said of the disk.
fn complaints(finished: &FinishedTrial) -> Vec<String> {
    let refused = |problem| format!("while the trial ran, the disk refused: {problem}");
    let mut complaints: Vec<String> = finished.problem.iter().map(refused).collect();
    if let (Some(moved), Ok(Some(saved))) = (&finished.moved, &finished.saved) {
        complaints.push(elsewhere(moved, saved));
    }
    complaints
}

/// Where the data are that their own folder refused.
fn elsewhere(moved: &Moved, saved: &Saved) -> String {
    let Moved { because, left, .. } = moved;
    let left = left.as_ref().map_or_else(String::new, |journal| {
        format!("; {} holds a part of them and may be removed", journal.display())
    });
    format!("{because}\nthe data are whole in {}{left}", saved.tsv.display())
}

/// Which time code is on which channel.
fn time_code(ltc: &TimeCodeUsed) -> String {
    let TimeCodeUsed { channel, frames_per_second, first, first_frame } = ltc;
    format!(
        "time code on channel {channel}, {frames_per_second} frames a second, from {first} (UTC) at frame {first_frame} \
         of the card"
    )
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

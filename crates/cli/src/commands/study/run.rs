//! `chronotap run STUDY`: a session of one participant in real time.

use super::pad_check::pad_check;
use super::{label, paged, pairs, read};
use crate::args::Run;
use crate::commands::run::realtime_settings;
use crate::screen::{say, wrapped};
use crate::terminal_desk::TerminalDesk;
use crate::{Verdict, data};
use anyhow::{Context, Result, bail};
use chronotap_laboratory::{Bindings, DeviceNames, Session, Tapper, follow};
use chronotap_realtime::Interrupt;
use chronotap_recorder::{USUAL_ROOM, observe};
use chronotap_session::{Dataset, Disk, Drawn, Ending, Equipment, Sitting, Study, Who};
use chronotap_text::nearest;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Runs the command.
pub fn run(args: &Run) -> Result<Verdict> {
    let ready = Ready::of(args)?;
    match args.sitting.has_pages() {
        true => paged::run_paged(args, &ready),
        false => run_at_a_terminal(args, &ready),
    }
}

fn run_at_a_terminal(args: &Run, ready: &Ready) -> Result<Verdict> {
    let Ready { study, interrupt, .. } = ready;
    let mut laboratory = laboratory(args, study, *interrupt)?;
    laboratory.spare_data(data::spare(args.spare_data.as_deref()));
    announce(args, study, &laboratory);
    let mut desk = ready.desk(args);
    if args.sitting.dry {
        return try_out(args, ready, &mut laboratory, &mut desk);
    }
    let followed = args.follow.iter().map(|path| follow(path)).collect::<Result<Vec<_>, _>>()?;
    let (mut observers, _followers): (Vec<_>, Vec<_>) = followed.into_iter().unzip();
    if !args.show.quiet && !args.show.json {
        let (seen, watch) = observe(USUAL_ROOM);
        observers.push(seen);
        desk = desk.watching(watch);
    }
    let (dataset, who) = (ready.dataset(args)?, ready.who(args));
    let mut sitting = Sitting::open(study, &dataset, &who, &mut desk)?;
    let mut equipment = Equipment {
        laboratory: &mut laboratory,
        interrupt: Some(*interrupt),
        tapper: &ready.tapper(),
        limit: args.realtime.limit,
        observers,
    };
    let ending = sitting.run(&mut equipment, &mut desk)?;
    Ok(Verdict::of(ending == Ending::Completed && sitting.is_sound()))
}

/// Study and devices are looked at, and nothing is run.
fn try_out(
    args: &Run,
    ready: &Ready,
    laboratory: &mut Session,
    desk: &mut TerminalDesk,
) -> Result<Verdict> {
    if Dataset::is_there(&folder(args)) {
        ready.dataset(args)?;
    }
    pad_check(&ready.study, laboratory, ready.interrupt, desk)?;
    say("Study and devices are ready; nothing was run.");
    Ok(Verdict::Passed)
}

/// What is settled of a session before anything is opened.
pub(super) struct Ready {
    pub(super) study: Study,
    pub(super) label: String,
    pub(super) session: u32,
    pub(super) interrupt: Interrupt,
    pub(super) answers: BTreeMap<String, String>,
    between: BTreeMap<String, String>,
    simulated: Option<String>, // the model, where nobody taps
}

impl Ready {
    fn of(args: &Run) -> Result<Ready> {
        let study = read(&args.file)?;
        let label = label(&study, args.sitting.participant.as_deref())?;
        let session = args.sitting.session;
        if session > study.experiment.sessions {
            bail!("--session {session}: the study has {}", study.experiment.sessions);
        }
        if args.who.performer.is_some() {
            bail!("--performer: a session is simulated by a model; use --simulate");
        }
        let answers = answers(&study, &args.sitting.answer)?;
        let between = pairs("--between", &args.sitting.between)?;
        let simulated = args.who.simulate.as_ref().map(|model| study.model(model, &label));
        let interrupt = Interrupt::install().context("cannot take over Ctrl-C")?;
        Ok(Ready { study, label, session, interrupt, answers, between, simulated })
    }

    /// Who sits there.
    pub(super) fn who(&self, args: &Run) -> Who {
        Who {
            label: self.label.clone(),
            session: self.session,
            cell: self.between.clone(),
            simulated: self.simulated.clone(),
            by: args.sitting.by.clone(),
            changed_is_fine: args.sitting.changed,
            from: args.sitting.from.clone(),
        }
    }

    /// Who taps, where it is no person.
    pub(super) fn tapper(&self) -> Tapper {
        self.simulated.clone().map_or(Tapper::Nobody, Tapper::Simulated)
    }

    /// Where the data go.
    pub(super) fn dataset(&self, args: &Run) -> Result<Dataset> {
        let (root, is_simulated) = (folder(args), self.simulated.is_some());
        Ok(Dataset::open_or_make(&root, &self.study.about, is_simulated, Disk::durable())?)
    }

    fn desk(&self, args: &Run) -> TerminalDesk {
        let Ready { study, label, session, interrupt, answers, simulated, .. } = self;
        let draw = |_| Drawn::new(study.experiment.seed, label, *session);
        let drawn = simulated.as_ref().map(draw);
        let shown = (args.show.quiet, args.show.json);
        let words = study.experiment.words.clone();
        TerminalDesk::new(answers.clone(), drawn, *interrupt, shown).speaking(words)
    }
}

/// The answers of the command line, each to something that the study can ask.
fn answers(study: &Study, given: &[String]) -> Result<BTreeMap<String, String>> {
    let answers = pairs("--answer", given)?;
    let known = study.asked();
    let unknown = answers.keys().find(|name| !known.contains(name));
    let Some(unknown) = unknown else { return Ok(answers) };
    let near = nearest(unknown, known.iter().map(String::as_str));
    let cure = match near {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("it asks {}", known.join(", ")),
    };
    bail!("--answer {unknown}=…: the study does not ask that; {cure}")
}

/// The dataset, or the folder of trial runs beside it.
pub(super) fn folder(args: &Run) -> PathBuf {
    match args.sitting.pilot {
        true => {
            let mut name = args.data.as_os_str().to_owned();
            name.push("-pilot");
            PathBuf::from(name)
        }
        false => args.data.clone(),
    }
}

pub(super) fn laboratory(args: &Run, study: &Study, interrupt: Interrupt) -> Result<Session> {
    let wire = args.who.simulate.as_ref().map(|_| "wire");
    let (inputs, outputs) = study.inputs_and_outputs();
    let mut names = args.ports.names();
    let machine = match wire {
        None => DeviceNames::read(args.machine.as_deref())?,
        Some(_) => None,
    };
    let machine = machine.filter(|machine| machine.fill(&mut names, &inputs, &outputs));
    let mut bindings = Bindings::resolve(&names, &inputs, &outputs, wire)?;
    study.trials().iter().try_for_each(|file| bindings.suit(file))?;
    if args.sitting.has_pages() {
        bindings.keep_keys()?; // a tap must not press what has the focus on a page
    }
    let machine = machine.map(|machine| machine.path);
    let settings = realtime_settings(&args.realtime);
    Ok(Session::open(bindings, machine, &settings, interrupt)?)
}

/// Says on what the session runs and with which rights.
fn announce(args: &Run, study: &Study, laboratory: &Session) {
    if args.show.quiet || args.show.json {
        return;
    }
    say(wrapped(&study.experiment.title, ""));
    for warning in laboratory.warnings() {
        say(format!("  warning: {warning}"));
    }
    if let Some(ready) = laboratory.ready() {
        ready.grant.sentences().for_each(|sentence| say(wrapped(&sentence, "  ")));
    }
    say("Ctrl-C ends a trial and keeps its data.");
}

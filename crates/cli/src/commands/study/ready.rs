//! What is settled of a session before it begins, at a terminal or on pages: who sits there,
//! where the data go, on which devices.

use super::{label, pairs, read};
use crate::args::RunArgs;
use crate::bound::bound;
use crate::commands::beside::Besides;
use crate::commands::streamed::Streamed;
use crate::commands::take_over_ctrl_c;
use crate::says::command::Given;
use crate::says::{Says, Terminal};
use crate::screen::complain;
use crate::terminal_frontend::TerminalFrontend;
use anyhow::{Context, Result, bail};
use chronotap_data::tables::names::PILOT;
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::laboratory::Rig;
use chronotap_session::{
    Dataset, Doubt, Drawn, Frontend, SessionDisk, SessionPorts, Study, Who, WhyOutOfTurn,
    unfinished_correction,
};
use chronotap_simulate::Tapper;
use chronotap_visit::{Session, SessionError};
use std::collections::BTreeMap;
use std::path::PathBuf;

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

/// The answers that were given beforehand. What is known of a person stands in no command line of the console:
/// everybody on the computer can read that.
fn given_answers(args: &RunArgs) -> Result<Vec<String>> {
    let mut all = args.session.answer.clone();
    if args.session.answers_on_stdin {
        let lines = std::io::stdin().lines().collect::<Result<Vec<_>, _>>();
        all.extend(lines.context("the answers on standard input cannot be read")?);
    }
    Ok(all)
}

impl Ready {
    pub(super) fn of(args: &RunArgs) -> Result<Ready> {
        let study = read(&args.file, &folder(args))?;
        let label = label(&study, args.session.participant.as_deref())?;
        let session = args.session.session;
        if session > study.experiment.sessions {
            return Err(Given::Session { session, sessions: study.experiment.sessions }.into());
        }
        if args.who.performer.is_some() {
            bail!("--performer: a session is simulated by a model; use --simulate");
        }
        let wanted = args.session.language.as_deref();
        let dataset = Dataset::open(&folder(args)).ok();
        let study = study.for_session(wanted, dataset.as_ref(), &label, session)?;
        let answers = pairs("--answer", &given_answers(args)?)?;
        study.refuse_answers(&answers, session)?;
        let between = pairs("--between", &args.session.between)?;
        let simulated = args.who.simulate.as_ref().map(|model| study.model(model, &label));
        let interrupt = take_over_ctrl_c()?;
        Ok(Ready { study, label, session, interrupt, answers, between, simulated })
    }

    /// Who sits there, on which ports.
    pub(super) fn who(&self, args: &RunArgs, ports: SessionPorts) -> Who {
        Who {
            ports,
            label: self.label.clone(),
            session: self.session,
            cell: self.between.clone(),
            simulated: self.simulated.clone(),
            by: args.session.by.clone(),
            changed_is_fine: args.session.changed,
            from: args.session.from.clone(),
        }
    }

    /// Who taps, where it is no person.
    pub(super) fn tapper(&self) -> Tapper {
        self.simulated.clone().map_or(Tapper::Nobody, Tapper::Simulated)
    }

    /// Where the data go.
    pub(super) fn dataset(&self, args: &RunArgs) -> Result<Dataset> {
        let (root, is_simulated) = (folder(args), self.simulated.is_some());
        Ok(Dataset::open_or_make(&root, &self.study.about, is_simulated, SessionDisk::durable())?)
    }

    /// Refuses what the session would be refused for, before anything is written. Gives whether nothing else is left
    /// to be done before.
    pub(super) fn try_out(&self, args: &RunArgs, frontend: &mut TerminalFrontend) -> Result<bool> {
        let (root, is_simulated) = (folder(args), self.simulated.is_some());
        let about = &self.study.about;
        let dataset = Dataset::look_for(&root, about, is_simulated, SessionDisk::durable())?;
        let who = self.who(args, SessionPorts::default());
        Session::try_out(&self.study, dataset.as_ref(), &who)?;
        let early = dataset.as_ref().map(|d| Session::out_of_turn(&self.study, d, &who));
        if let Some(why) = early.transpose()?.flatten() {
            would_be_out_of_turn(why, frontend)?;
        }
        let unfinished = dataset.as_ref().and_then(unfinished_correction);
        unfinished.iter().for_each(|one| complain(&one.says(Terminal)));
        Ok(unfinished.is_none())
    }

    /// Who publishes the events, and who records the streams of others, where that is asked for.
    pub(super) fn beside(&self, args: &RunArgs) -> Result<Besides> {
        let about = &self.study.about;
        let of = Streamed {
            title: about.title.clone(),
            task: about.task.clone(),
            participant: self.label.clone(),
            session: self.session.to_string(),
            ..Streamed::default()
        };
        let trials = self.study.trials().iter();
        let of = of.with_codes(trials.filter_map(|file| file.trial.codes.as_ref()));
        let task = &about.task;
        let name = format!("sub-{}_ses-{}_task-{task}", self.label, self.session);
        Besides::open(args, &of, &name)
    }

    pub(super) fn frontend(&self, args: &RunArgs) -> TerminalFrontend {
        let Ready { study, label, session, interrupt, answers, simulated, .. } = self;
        let draw = |_| Drawn::new(study.experiment.seed, label, *session);
        let drawn = simulated.as_ref().map(draw);
        let shown = (args.show.quiet, args.show.json);
        let words = study.experiment.words.clone();
        TerminalFrontend::new(answers.clone(), drawn, *interrupt, shown).speaking(words)
    }
}

/// Where nobody is asked, the session is refused as it would be; else whoever is there will be asked.
fn would_be_out_of_turn(why: WhyOutOfTurn, frontend: &mut TerminalFrontend) -> Result<()> {
    if frontend.is_attended() {
        complain(&format!("out of turn: {}; you will be asked whether to begin", why.said()));
        return Ok(());
    }
    match frontend.confirm(&Doubt::OutOfTurn(why))? {
        true => Ok(()),
        false => Err(SessionError::NotBegun.into()),
    }
}

/// The dataset, or the folder of trial runs beside it.
pub(super) fn folder(args: &RunArgs) -> PathBuf {
    match args.session.pilot {
        true => {
            let mut name = args.data.as_os_str().to_owned();
            name.push(PILOT);
            PathBuf::from(name)
        }
        false => args.data.clone(),
    }
}

/// The devices of the session, opened, and how somebody named them; nobody where nobody taps.
pub(super) fn laboratory(
    args: &RunArgs,
    study: &Study,
    interrupt: Interrupt,
) -> Result<(Rig, SessionPorts)> {
    let wire = args.who.simulate.as_ref().map(|_| "wire");
    let (inputs, outputs) = study.inputs_and_outputs();
    let (mut bindings, machine) = bound(args, &inputs, &outputs, wire)?;
    study.trials().iter().try_for_each(|file| bindings.suit(file))?;
    let named = match wire {
        Some(_) => SessionPorts::default(),
        None => {
            let [inputs, outputs] = bindings.as_written();
            SessionPorts { inputs, outputs }
        }
    };
    if args.session.has_pages() {
        bindings.keep_keys(args.session.console)?; // a tap must not press what has the focus on a page
    }
    Ok((Rig::open(bindings, machine, &args.realtime.settings(), interrupt)?, named))
}

/// First part of the names of files beside the session's journal, which go with it wherever it goes.
pub(super) fn files_of(dataset: &Dataset, session: &Session<'_>) -> PathBuf {
    let place = session.place();
    dataset.root().join(place.source()).join(place.stem())
}

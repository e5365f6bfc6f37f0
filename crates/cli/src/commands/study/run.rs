//! `chronotap run STUDY`: a session of one participant in real time.

use super::pad_check::pad_check;
use super::paged;
use super::ready::{Ready, files_of, laboratory};
use crate::args::RunArgs;
use crate::screen::{end_followers, say, wrapped};
use crate::terminal_frontend::TerminalFrontend;
use crate::{CommandVerdict, data};
use anyhow::Result;
use chronotap_rig::laboratory::{RealClock, Rig, Sinks};
use chronotap_rig::recorder::USUAL_ROOM;
use chronotap_session::Study;
use chronotap_visit::{Equipment, Session};

pub fn run(args: &RunArgs) -> Result<CommandVerdict> {
    let ready = Ready::of(args)?;
    match args.session.has_pages() {
        true => paged::run_paged(args, &ready),
        false => run_at_a_terminal(args, &ready),
    }
}

fn run_at_a_terminal(args: &RunArgs, ready: &Ready) -> Result<CommandVerdict> {
    let Ready { study, interrupt, .. } = ready;
    let (mut laboratory, ports) = laboratory(args, study, *interrupt)?;
    laboratory.spare_data(data::spare(args.spare_data.as_deref()));
    announce(args, study, &laboratory);
    let mut frontend = ready.frontend(args);
    if args.session.dry {
        return try_out(args, ready, &mut laboratory, &mut frontend);
    }
    let mut beside = ready.beside(args)?;
    let mut sinks = Sinks::open(&args.follow)?;
    beside.follow(&mut sinks)?;
    if !args.show.quiet && !args.show.json {
        beside.streams().for_each(say);
        frontend = frontend.watching(sinks.watch(USUAL_ROOM));
    }
    let (dataset, who) = (ready.dataset(args)?, ready.who(args, ports));
    let clock = RealClock::new(*interrupt);
    let mut session = Session::open(study, &dataset, &who, &mut frontend)?;
    beside.write_to(&files_of(&dataset, &session))?;
    let mut equipment = Equipment {
        laboratory: &mut laboratory,
        in_real_time: Some(&clock),
        tapper: &ready.tapper(),
        limit: args.realtime.limit,
        sinks: sinks.all(),
    };
    let ending = session.run(&mut equipment, &mut frontend);
    end_followers(&mut sinks);
    let ending = ending?;
    Ok(CommandVerdict::of(ending.is_over() && session.is_sound()))
}

/// Study and devices are looked at, and nothing is run.
fn try_out(
    args: &RunArgs,
    ready: &Ready,
    laboratory: &mut Rig,
    frontend: &mut TerminalFrontend,
) -> Result<CommandVerdict> {
    let whole = ready.try_out(args, frontend)?;
    pad_check(&ready.study, laboratory, ready.interrupt, frontend)?;
    if !args.show.quiet && !args.show.json {
        say("Study and devices are ready; nothing was run.");
    }
    Ok(CommandVerdict::of(whole))
}

/// Says on what the session runs and with which rights.
fn announce(args: &RunArgs, study: &Study, laboratory: &Rig) {
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

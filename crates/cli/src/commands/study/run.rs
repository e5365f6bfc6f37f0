//! `chronotap run STUDY`: a session of one participant in real time.

use super::pad_check::pad_check;
use super::paged;
use super::ready::{Ready, laboratory};
use crate::args::Run;
use crate::screen::{say, wrapped};
use crate::terminal_desk::TerminalDesk;
use crate::{Verdict, data};
use anyhow::Result;
use chronotap_laboratory::{Session, follow};
use chronotap_recorder::{USUAL_ROOM, observe};
use chronotap_session::{Ending, Equipment, Sitting, Study};

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
    ready.try_out(args)?;
    pad_check(&ready.study, laboratory, ready.interrupt, desk)?;
    say("Study and devices are ready; nothing was run.");
    Ok(Verdict::Passed)
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

//! A session whose experimenter and participant look at pages: `run --console`, and sessions
//! that were begun from a console's page. What the command line does is the same; only the
//! frontend is another.

use super::ready::{Ready, files_of, folder, laboratory};
use crate::args::RunArgs;
use crate::bound::names;
use crate::commands::pages::{OpenPages, pages};
use crate::says::for_a_page;
use crate::screen::end_followers;
use crate::{CommandVerdict, data};
use anyhow::{Context, Result};
use chronotap_console::{Phase, Scene, check_devices};
use chronotap_rig::laboratory::{RealClock, Sinks};
use chronotap_session::status::Tally;
use chronotap_session::{Announcement, Ending, Frontend};
use chronotap_visit::{Equipment, Session};

/// Runs the session, and shows how it ended.
pub(super) fn run_paged(args: &RunArgs, ready: &Ready) -> Result<CommandVerdict> {
    names(&args.ports).look()?; // before there is a page
    let first = first_scene(args, ready)?;
    let mut pages = OpenPages::open(pages(args), ready.answers.clone(), ready.interrupt, first)?;
    let ran = session(args, ready, &mut pages);
    pages.frontend.end(match &ran {
        Ok(Ended { ending, sound, tally }) => {
            let (complete, answered) = (ending.is_over(), ending.answered());
            Phase::Ended { complete, answered, sound: *sound, tally: Some(*tally) }
        }
        Err(error) => Phase::Failed { error: for_a_page(error) },
    });
    let Ended { ending, sound, .. } = ran?;
    Ok(CommandVerdict::of(ending.is_over() && sound))
}

/// How a session went.
struct Ended {
    ending: Ending,
    sound: bool,
    tally: Tally,
}

impl Ended {
    fn of(ending: Ending, session: &Session<'_>) -> Ended {
        Ended { ending, sound: session.is_sound(), tally: session.tally() }
    }
}

fn session(args: &RunArgs, ready: &Ready, pages: &mut OpenPages) -> Result<Ended> {
    let Ready { study, interrupt, .. } = ready;
    let (mut laboratory, ports) = laboratory(args, study, *interrupt)?;
    laboratory.spare_data(data::spare(args.spare_data.as_deref()));
    let mut beside = ready.beside(args)?;
    let mut sinks = Sinks::open(&args.follow)?;
    beside.follow(&mut sinks)?;
    pages.follow(&mut sinks)?;
    let frontend = &mut pages.frontend;
    let (dataset, who, tapper) = (ready.dataset(args)?, ready.who(args, ports), ready.tapper());
    let clock = RealClock::new(*interrupt);
    let mut session = Session::open(study, &dataset, &who, frontend)?;
    for warning in laboratory.warnings() {
        frontend.tell(&Announcement::Remark(&format!("Warning: {warning}")));
    }
    beside.write_to(&files_of(&dataset, &session))?;
    for streams in beside.streams() {
        frontend.tell(&Announcement::Remark(&streams));
    }
    session.introduce(frontend); // while the devices are tried, too
    if !session.is_completed() {
        if !check_devices(study, &mut laboratory, &tapper, *interrupt, frontend)? {
            return Ok(Ended::of(session.stop(frontend)?, &session));
        }
        if who.simulated.is_none() {
            session.tones_were_heard()?;
        }
    }
    let mut equipment = Equipment {
        laboratory: &mut laboratory,
        in_real_time: Some(&clock),
        tapper: &tapper,
        limit: args.realtime.limit,
        sinks: sinks.all(),
    };
    let ending = session.run(&mut equipment, frontend);
    end_followers(&mut sinks);
    Ok(Ended::of(ending?, &session))
}

/// What is always in sight, as far as it is known before anything is opened.
fn first_scene(args: &RunArgs, ready: &Ready) -> Result<impl FnOnce(&mut Scene)> {
    let study = args.file.canonicalize().with_context(|| args.file.display().to_string())?;
    let data = std::path::absolute(folder(args)).context("the folder of the data")?;
    Ok(move |scene: &mut Scene| {
        scene.title.clone_from(&ready.study.experiment.title);
        scene.blind = ready.study.experiment.blind;
        scene.words.clone_from(&ready.study.experiment.words);
        scene.participant.clone_from(&ready.label);
        scene.session = ready.session;
        scene.simulated = args.who.simulate.is_some();
        (scene.study, scene.folder) = (study, data);
    })
}

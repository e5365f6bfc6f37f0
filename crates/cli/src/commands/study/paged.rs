//! A session whose experimenter and participant look at pages: `run --console`, and sessions
//! that were begun from a console's page. What the command line does is the same; only the
//! desk is another.

use super::ready::{Ready, folder, laboratory};
use crate::args::Run;
use crate::commands::console::{browser, sockets};
use crate::in_full;
use crate::{Verdict, data};
use anyhow::{Context, Result, bail};
use chronotap_console::{
    Board, Door, Phase, SocketDesk, check_devices, follow_trials, session_socket,
};
use chronotap_laboratory::follow;
use chronotap_realtime::Terminal;
use chronotap_session::status::Tally;
use chronotap_session::{Desk, Ending, Equipment, Sitting, Told};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Runs the session, and shows how it ended.
pub(super) fn run_paged(args: &Run, ready: &Ready) -> Result<Verdict> {
    let board = Board::new();
    show_who(args, ready, &board)?;
    let door = Door::open(&session_socket(&sockets()?), &board)?;
    if args.sitting.console {
        outlive_terminal(&board)?;
        open_pages(door.path(), args.sitting.kiosk, args.realtime.cpu)?;
    }
    let mut desk = SocketDesk::new(&board, ready.answers.clone(), ready.interrupt);
    let ran = session(args, ready, &mut desk);
    desk.end(match &ran {
        Ok(Sat { ending, sound, tally }) => {
            let (complete, tally) = (*ending == Ending::Completed, Some(*tally));
            Phase::Ended { complete, sound: *sound, tally }
        }
        Err(error) => Phase::Failed { error: in_full(error) },
    });
    let Sat { ending, sound, .. } = ran?;
    Ok(Verdict::of(ending == Ending::Completed && sound))
}

/// How a session went.
struct Sat {
    ending: Ending,
    sound: bool,
    tally: Tally,
}

impl Sat {
    fn of(ending: Ending, sitting: &Sitting<'_>) -> Sat {
        Sat { ending, sound: sitting.is_sound(), tally: sitting.tally() }
    }
}

fn session(args: &Run, ready: &Ready, desk: &mut SocketDesk) -> Result<Sat> {
    let Ready { study, interrupt, .. } = ready;
    let mut laboratory = laboratory(args, study, *interrupt)?;
    laboratory.spare_data(data::spare(args.spare_data.as_deref()));
    let followed = args.follow.iter().map(|path| follow(path)).collect::<Result<Vec<_>, _>>()?;
    let (mut observers, _followers): (Vec<_>, Vec<_>) = followed.into_iter().unzip();
    observers.push(follow_trials(desk.board()).context("the console cannot follow the trials")?);
    let (dataset, who, tapper) = (ready.dataset(args)?, ready.who(args), ready.tapper());
    let mut sitting = Sitting::open(study, &dataset, &who, desk)?;
    for warning in laboratory.warnings() {
        desk.tell(&Told::Remark(&format!("Warning: {warning}")));
    }
    sitting.introduce(desk); // while the devices are tried, too
    if !sitting.is_completed() {
        if !check_devices(study, &mut laboratory, &tapper, *interrupt, desk)? {
            return Ok(Sat::of(sitting.stop(desk)?, &sitting));
        }
        if who.simulated.is_none() {
            sitting.tones_were_heard()?;
        }
    }
    let mut equipment = Equipment {
        laboratory: &mut laboratory,
        interrupt: Some(*interrupt),
        tapper: &tapper,
        limit: args.realtime.limit,
        observers,
    };
    let ending = sitting.run(&mut equipment, desk)?;
    Ok(Sat::of(ending, &sitting))
}

/// What is always in sight, as far as it is known before anything is opened.
fn show_who(args: &Run, ready: &Ready, board: &Arc<Board>) -> Result<()> {
    let study = args.file.canonicalize().with_context(|| args.file.display().to_string())?;
    let data = std::path::absolute(folder(args)).context("the folder of the data")?;
    board.set(|scene| {
        scene.title.clone_from(&ready.study.experiment.title);
        scene.blind = ready.study.experiment.blind;
        scene.words.clone_from(&ready.study.experiment.words);
        scene.participant.clone_from(&ready.label);
        scene.session = ready.session;
        scene.simulated = args.who.simulate.is_some();
        (scene.study, scene.folder) = (study, data);
    });
    Ok(())
}

/// What is commanded from pages goes on when the terminal is closed that it was started at.
pub fn outlive_terminal(board: &Board) -> Result<()> {
    board.outlives(Terminal::outlive().context("cannot take over SIGHUP")?);
    Ok(())
}

/// The server of the pages, as a program that belongs to nobody: it may end, and be started
/// again, without the session.
pub fn open_pages(socket: &Path, kiosk: bool, cpu: Option<usize>) -> Result<()> {
    if kiosk {
        browser()?; // asked for here, where a mistake ends the command
    }
    let program = std::env::current_exe().context("the program cannot be found")?;
    let mut server = Command::new("setsid");
    server.arg("--fork").arg(program).arg("console").arg("--session-socket").arg(socket);
    server.args(kiosk.then_some("--kiosk"));
    if let Some(cpu) = cpu {
        server.arg("--cpu").arg(cpu.to_string()); // for what it says
    }
    let started = server.stdin(Stdio::null()).status();
    match started.context("setsid cannot be run; install util-linux")?.success() {
        true => Ok(()),
        false => bail!("setsid could not start the console"),
    }
}

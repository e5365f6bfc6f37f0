//! `chronotap console`: pages in a browser for sessions that run as programs of their own.

mod demo;
mod open;
mod pane;

use crate::CommandVerdict;
use crate::args::Console;
use crate::bound::names;
use crate::commands::apart::set_apart;
use crate::commands::timing::lasting;
use crate::says::{self, Says, Terminal, demo_build};
use crate::screen::{complain, say};
use crate::this_program::this_program;
use anyhow::{Context, Result, anyhow, bail};
use chronotap_console::runtime_folder;
use chronotap_console::server::{Addresses, Kiosk, Settings, serve};
use chronotap_linux::realtime::{cpu_list, usable_processors};
use chronotap_rig::laboratory::DeviceNames;
use chronotap_session::example_of_model;
use chronotap_simulate::Tapper;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn console(args: &Console) -> Result<CommandVerdict> {
    check(args)?;
    let folder = if args.demo { demo::write()? } else { args.folder.clone() };
    if !folder.is_dir() {
        bail!("{}: not a folder; name the one with your experiment files", folder.display());
    }
    let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
    let one = args.session_socket.is_some();
    let sockets = match args.session_socket.as_deref().and_then(Path::parent) {
        Some(parent) => parent.to_owned(),
        None => sockets()?,
    };
    let all = usable_processors();
    // A server of one session was started by it, and keeps off as it does.
    let apart = if one || args.ordinary { args.cpu } else { set_apart(args.cpu)? };
    let program = this_program()?;
    let pane = pane::beside(&program);
    let meeting = args.open.then(|| sockets.clone());
    let settings = Settings {
        folder,
        sockets,
        port: args.port,
        program,
        options: args.of_sessions(apart),
        ports: args.ports_of_sessions(),
        processors: apart.map_or(Vec::new(), |_| all),
        lasting: lasting(),
        model: args.model.clone(),
        rehearsal: args.demo,
        lacks: demo_build::lacks(),
        pane,
        kiosk: if args.kiosk { Some(browser()?) } else { None },
        only: args.session_socket.clone(),
        patience: PATIENCE,
    };
    serve(settings, |addresses| {
        announce(addresses, one, apart);
        meeting.iter().for_each(|sockets| open::open(sockets, &addresses.launch));
    })?;
    Ok(CommandVerdict::Passed)
}

/// The folder in which sessions and consoles meet. That another one was passed over is said.
pub fn sockets() -> Result<PathBuf> {
    let found = runtime_folder()?;
    let instead = found.path.display();
    for why in &found.refused {
        complain(&format!("warning: {}; used instead: {instead}", why.says(Terminal)));
    }
    Ok(found.path)
}

/// What every session would be refused for is said before there is a page.
fn check(args: &Console) -> Result<()> {
    names(&args.ports).check()?;
    names(&args.ports).look()?;
    DeviceNames::read(args.machine.as_deref())?;
    let Some(model) = &args.model else { return Ok(()) };
    let model = example_of_model(model);
    Tapper::check_model(&model).map_err(|error| anyhow!("--model: {}", says::of(&error)))
}

/// The browser of `--kiosk`.
pub fn browser() -> Result<Kiosk> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Kiosk::find(&path)
        .context("--kiosk: no Chromium or Chrome is installed; install one, or leave the option out and press \"Fill the screen\" on the participant's page")
}

/// How long a browser may take to send a request.
const PATIENCE: Duration = Duration::from_secs(10);

fn announce(addresses: &Addresses, one: bool, apart: Option<usize>) {
    let Addresses { launch, port } = addresses;
    say("Open this address in a browser on this computer. It works once:");
    say(format!("  {launch}"));
    say("From another computer, keep this running there, then open the same address there:");
    say(format!(
        "  ssh -N -L {port}:127.0.0.1:{port} -L 127.0.0.2:{port}:127.0.0.2:{port} USER@THIS-COMPUTER"
    ));
    let usable = usable_processors();
    if let Some(cpu) = apart.filter(|cpu| !usable.contains(cpu)) {
        say(format!("Trials have processor {cpu} for themselves. To start a browser beside it:"));
        say(format!("  taskset --cpu-list {} BROWSER", cpu_list(&usable)));
    }
    say(match one {
        true => "Closing this terminal ends nothing. To stop, use the page, or Ctrl-C here.",
        false => {
            "Ctrl-C ends the console. Sessions that were begun go on, and the next console finds them."
        }
    });
}

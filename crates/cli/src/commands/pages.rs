//! [`OpenPages`]: the pages in a browser of what `run` runs, a session or a single trial: their state,
//! the socket at which it is offered, and the server, where one is asked for.

use crate::args::RunArgs;
use crate::commands::console::{browser, sockets};
use crate::this_program::this_program;
use anyhow::{Context, Result, bail};
use chronotap_console::{
    PageFrontend, PageSocket, PageState, Scene, follow_trials, session_socket,
};
use chronotap_linux::realtime::{Interrupt, Terminal};
use chronotap_rig::laboratory::Sinks;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// How something is shown on pages.
#[derive(Clone, Copy, Debug)]
pub struct Pages {
    /// Whether a server is to be started for it; else there is one.
    pub opened: bool,
    /// Whether the participant's page fills a screen of its own.
    pub kiosk: bool,
    /// The processor that trials have for themselves, where they have one.
    pub cpu: Option<usize>,
}

/// The pages in a browser, as they are asked for.
pub fn pages(args: &RunArgs) -> Pages {
    let session = &args.session;
    Pages { opened: session.console, kiosk: session.kiosk, cpu: args.realtime.cpu }
}

/// Pages that can be looked at.
pub struct OpenPages {
    /// Where the session asks and shows.
    pub frontend: PageFrontend,
    _socket: PageSocket, // it is there as long as this is
}

impl OpenPages {
    /// Opens them; `first` is what is in sight before anything is told.
    pub fn open(
        how: Pages,
        answers: BTreeMap<String, String>,
        interrupt: Interrupt,
        first: impl FnOnce(&mut Scene),
    ) -> Result<OpenPages> {
        let state = PageState::new();
        state.set(first);
        let socket = PageSocket::open(&session_socket(&sockets()?), &state)?;
        if how.opened {
            // What is commanded from pages goes on when the terminal is closed that it was started at.
            state.outlives(Terminal::outlive().context("cannot take over SIGHUP")?);
            serve(socket.path(), how)?;
        }
        let frontend = PageFrontend::new(&state, answers, interrupt);
        Ok(OpenPages { frontend, _socket: socket })
    }

    /// From now on the pages are among those who are told what happens.
    pub fn follow(&self, sinks: &mut Sinks) -> Result<()> {
        let pages = follow_trials(self.frontend.page_state());
        sinks.add(pages).context("the console cannot follow the trials")
    }
}

/// Starts the server of the pages, as a program that belongs to nobody: it may end, and be started
/// again, without the session.
fn serve(socket: &Path, how: Pages) -> Result<()> {
    if how.kiosk {
        browser()?; // asked for here, where a mistake ends the command
    }
    let program = this_program()?;
    let mut server = Command::new("setsid");
    server.arg("--fork").arg(program).arg("console").arg("--session-socket").arg(socket);
    server.args(how.kiosk.then_some("--kiosk"));
    if let Some(cpu) = how.cpu {
        server.arg("--cpu").arg(cpu.to_string()); // for what it says
    }
    let started = server.stdin(Stdio::null()).status();
    match started.context("setsid cannot be run; install util-linux")?.success() {
        true => Ok(()),
        false => bail!("setsid could not start the console"),
    }
}

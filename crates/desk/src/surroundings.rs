//! [`Surroundings`]: what commands without devices ask of whatever runs them, and of the system below it. The program
//! of Linux answers with its ports, clocks and rights ([`begin`]); [`Anywhere`] is the answer of any system, by std
//! alone.

mod anywhere;
mod ctrl_c;

pub use anywhere::Anywhere;

use crate::args::PortOptions;
use crate::deed::Deed;
use chronotap_config::sounds::FreeBytes;
use chronotap_simulate::Wires;
use clap::{ArgMatches, Command};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What is asked.
pub trait Surroundings: Sync {
    /// What a command with devices does; `None` where this build lacks it. The compiler asks for each.
    fn on_linux(&self, command: LinuxCommand) -> Option<Deed>;
    /// What is said of a command that only this build lacks.
    fn lacked(&self, command: &str) -> Option<String>;
    /// Its version, and which of the optional parts are in it.
    fn version(&self) -> String;
    /// How an error of what was given is said: where a page has begun the command, it is shown there.
    fn words(&self, given: &ArgMatches) -> fn(&anyhow::Error) -> String;
    /// Shows something. A reader that is gone is no error.
    fn show(&self, at: Standard, bytes: &[u8]);
    /// At the end: waits for whoever reads. How many bytes are lost.
    fn lost(&self, at: Standard) -> usize;
    /// Whether somebody who follows a trial did not get all of it.
    fn is_unread(&self) -> bool;
    /// How wide the terminal is, 0 where it does not say; `None` where there is none.
    fn columns(&self, at: Standard) -> Option<usize>;
    /// The file in which whoever started the program reads how far it is.
    fn progress_file(&self) -> Option<PathBuf>;
    /// Takes over Ctrl-C, which then ends what is under way and keeps what there is.
    fn take_over_ctrl_c(&self) -> io::Result<CtrlC>;
    /// Whether no program of this computer has this number any more.
    fn has_ended(&self, program: u32) -> bool;
    /// A seed drawn by lot, of 32 bits.
    fn draw_seed(&self) -> anyhow::Result<u64>;
    /// What this computer is, for the head of a data file.
    fn machine(&self) -> Value;
    /// The wires of these inputs and outputs in virtual time, by the names on the command line.
    fn wires(&self, ports: &PortOptions, wired: (&[&str], &[&str])) -> anyhow::Result<Wires>;
    /// The ports of this computer by their names, from this machine file, else from the usual one; `None` where there
    /// is none.
    fn own_ports(&self, machine: Option<&Path>) -> anyhow::Result<Option<Box<dyn OwnPorts>>>;
    /// How the room on a disk is looked up; `None` where that is not known before it is full.
    fn free_bytes(&self) -> Option<FreeBytes>;
    /// Forgets what the last session on pages said, which may name a participant.
    fn forget_last_session(&self);
}

/// The ports of a computer.
pub trait OwnPorts {
    /// Those that have the names of these inputs and outputs, each as `NAME=PORT`.
    fn ports_of(&self, inputs: &[&str], outputs: &[&str]) -> PortOptions;
    /// All that are there now.
    fn listed(&self) -> Vec<String>;
}

/// Where something is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    Output,
    Error,
}

/// Ctrl-C, taken over until this is dropped.
pub struct CtrlC(Box<dyn Fn() -> bool + Send + Sync>);

impl CtrlC {
    /// One that asks so whether it was pressed.
    pub fn asked_by(pressed: impl Fn() -> bool + Send + Sync + 'static) -> CtrlC {
        CtrlC(Box::new(pressed))
    }

    /// Whether it was pressed.
    pub fn requested(&self) -> bool {
        (self.0)()
    }
}

/// The commands that open devices, or whose rooms know Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinuxCommand {
    Demo,
    Run,
    Console,
    Play,
    Ports,
    Monitor,
    Level,
    Threshold,
    Doctor,
    Timing,
    Passport,
    Load,
    Lsl,
    Listen,
}

/// Where the program runs, and how its whole command line is made.
type Stated = (&'static dyn Surroundings, fn() -> Command);

static HERE: OnceLock<Stated> = OnceLock::new();

/// States where the program runs, before anything is asked; the first to say it is believed.
pub(crate) fn begin(here: &'static dyn Surroundings, command: fn() -> Command) {
    HERE.get_or_init(|| (here, command));
}

/// Until it was stated, as in a test of a module, the program runs anywhere.
fn stated() -> Stated {
    HERE.get().copied().unwrap_or((&Anywhere, || Command::new("chronotap")))
}

/// Where the program runs.
pub fn here() -> &'static dyn Surroundings {
    stated().0
}

/// All commands with everything that they take.
pub fn whole_command() -> Command {
    stated().1()
}

//! [`Linux`]: what this program answers to the commands of `chronotap_desk`: its commands with devices, and the ways to
//! the system that std does not have.

use crate::args::*;
use crate::bound::names;
use crate::commands::*;
use crate::says;
use crate::says::demo_build;
use crate::screen;
use crate::screen::outlet::{ERROR, OUTPUT};
use anyhow::{Context, Result};
use chronotap_config::sounds::FreeBytes;
use chronotap_console::server::forget_last_session;
use chronotap_console::{PROGRESS, runtime_folder};
use chronotap_desk::deed;
use chronotap_desk::deed::Deed;
use chronotap_desk::surroundings::{CtrlC, LinuxCommand, OwnPorts, Standard, Surroundings};
use chronotap_linux::ports::{PortKinds, free_bytes};
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::laboratory::{self, Bindings, DeviceNames, draw_seed};
use chronotap_simulate::Wires;
use clap::{ArgMatches, FromArgMatches};
use rustix::termios::tcgetwinsize;
use serde_json::Value;
use std::io::{IsTerminal, stderr, stdout};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// The system with the laboratory's devices.
pub struct Linux;

impl Surroundings for Linux {
    fn on_linux(&self, command: LinuxCommand) -> Option<Deed> {
        Some(match command {
            LinuxCommand::Demo => deed!(Demo, |args| demo::demo(&args)),
            LinuxCommand::Run => deed!(RunArgs, run::run),
            LinuxCommand::Console => deed!(Console, |args| console::console(&args)),
            LinuxCommand::Play => deed!(Play, |args| play::play(&args)),
            LinuxCommand::Ports => deed!(PortsArgs, |args| ports::ports(&args)),
            LinuxCommand::Monitor => deed!(Monitor, |args| monitor::monitor(&args)),
            LinuxCommand::Level => deed!(LevelArgs, |args| level::level(&args)),
            LinuxCommand::Threshold => deed!(ThresholdArgs, |args| threshold::threshold(&args)),
            LinuxCommand::Doctor => deed!(Doctor, |args| doctor::doctor(&args)),
            LinuxCommand::Timing => deed!(Timing, |args| timing::timing(&args)),
            LinuxCommand::Passport => deed!(PassportArgs, |args| timing::passport::passport(&args)),
            LinuxCommand::Load => deed!(LoadArguments, |args| load::load(&args)),
            #[cfg(feature = "lsl")]
            LinuxCommand::Lsl => deed!(Lsl, |args| lsl::lsl(&args)),
            #[cfg(feature = "lsl")]
            LinuxCommand::Listen => deed!(Listen, |args| listen::listen(&args)),
            #[cfg(not(feature = "lsl"))]
            LinuxCommand::Lsl | LinuxCommand::Listen => return None,
        })
    }

    fn lacked(&self, command: &str) -> Option<String> {
        demo_build::lacked(command)
    }

    /// For a package also the commit that it was built from, which the scripts that build one give.
    fn version(&self) -> String {
        let parts = [("parquet", cfg!(feature = "parquet")), ("lv2", cfg!(feature = "lv2"))];
        let parts =
            parts.map(|(part, there)| format!("{} {part}", if there { "with" } else { "without" }));
        let commit = option_env!("CHRONOTAP_COMMIT").map(|commit| format!("commit {commit}, "));
        let commit = commit.unwrap_or_default();
        format!("{} ({commit}{})", env!("CARGO_PKG_VERSION"), parts.join(", "))
    }

    fn words(&self, given: &ArgMatches) -> fn(&anyhow::Error) -> String {
        let run =
            given.subcommand_matches("run").and_then(|run| RunArgs::from_arg_matches(run).ok());
        match run {
            Some(run) if run.session.paged => says::begun_from_a_page,
            _ => says::in_full,
        }
    }

    fn show(&self, at: Standard, bytes: &[u8]) {
        match at {
            Standard::Output => OUTPUT.put(stdout(), bytes),
            Standard::Error => ERROR.put(stderr(), bytes),
        }
    }

    fn lost(&self, at: Standard) -> usize {
        match at {
            Standard::Output => OUTPUT.finish(),
            Standard::Error => ERROR.finish(),
        }
    }

    fn is_unread(&self) -> bool {
        screen::is_unread()
    }

    fn columns(&self, at: Standard) -> Option<usize> {
        match at {
            Standard::Output => columns(stdout()),
            Standard::Error => columns(stderr()),
        }
    }

    fn progress_file(&self) -> Option<PathBuf> {
        std::env::var_os(PROGRESS).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    fn take_over_ctrl_c(&self) -> std::io::Result<CtrlC> {
        let interrupt = Interrupt::install()?;
        Ok(CtrlC::asked_by(move || interrupt.requested()))
    }

    fn has_ended(&self, program: u32) -> bool {
        chronotap_linux::machine::has_ended(program)
    }

    fn draw_seed(&self) -> Result<u64> {
        draw_seed().context("/dev/urandom: cannot draw a seed; give one with --seed")
    }

    fn machine(&self) -> Value {
        let machine = chronotap_linux::machine::describe(chronotap_data::record::PROGRAM);
        serde_json::to_value(machine).unwrap_or_default()
    }

    fn wires(&self, ports: &PortOptions, (inputs, outputs): (&[&str], &[&str])) -> Result<Wires> {
        let fallback = Some("wire:unthrottled");
        Ok(Bindings::resolve(&names(ports), inputs, outputs, fallback)?.wires()?)
    }

    fn own_ports(&self, machine: Option<&Path>) -> Result<Option<Box<dyn OwnPorts>>> {
        let devices = DeviceNames::read(machine)?;
        Ok(devices.map(|devices| Box::new(OwnDevices(devices)) as Box<dyn OwnPorts>))
    }

    fn free_bytes(&self) -> Option<FreeBytes> {
        Some(free_bytes)
    }

    fn forget_last_session(&self) {
        if let Ok(sockets) = runtime_folder() {
            forget_last_session(&sockets.path);
        }
    }
}

/// The devices of a machine file, and what is plugged in.
struct OwnDevices(DeviceNames);

impl OwnPorts for OwnDevices {
    fn ports_of(&self, inputs: &[&str], outputs: &[&str]) -> PortOptions {
        let mut named = laboratory::PortNames::default();
        self.0.fill(&mut named, inputs, outputs);
        PortOptions { inputs: named.inputs, outputs: named.outputs }
    }

    fn listed(&self) -> Vec<String> {
        PortKinds::standard().list().into_iter().map(|port| port.name).collect()
    }
}

fn columns(stream: impl AsFd + IsTerminal) -> Option<usize> {
    let known = |stream| tcgetwinsize(stream).map_or(0, |size| usize::from(size.ws_col));
    stream.is_terminal().then(|| known(stream))
}

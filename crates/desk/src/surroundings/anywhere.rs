//! [`Anywhere`]: what every system answers, by std alone, but for Ctrl-C on Windows.

use super::{CtrlC, LinuxCommand, OwnPorts, Standard, Surroundings, ctrl_c};
use crate::args::PortOptions;
use crate::deed::Deed;
use crate::says::in_full;
use anyhow::{Result, bail};
use chronotap_config::sounds::FreeBytes;
use chronotap_data::record::PROGRAM;
use chronotap_simulate::Wires;
use clap::ArgMatches;
use serde_json::{Value, json};
use std::hash::{BuildHasher, RandomState};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// Any system that Rust knows.
pub struct Anywhere;

impl Surroundings for Anywhere {
    fn on_linux(&self, _: LinuxCommand) -> Option<Deed> {
        None
    }

    fn lacked(&self, _: &str) -> Option<String> {
        None
    }

    fn version(&self) -> String {
        let parquet = if cfg!(feature = "parquet") { "with" } else { "without" };
        let commit = option_env!("CHRONOTAP_COMMIT").map(|commit| format!("commit {commit}, "));
        let version = env!("CARGO_PKG_VERSION");
        format!("{version} ({}without devices, {parquet} parquet)", commit.unwrap_or_default())
    }

    fn words(&self, _: &ArgMatches) -> fn(&anyhow::Error) -> String {
        in_full
    }

    fn show(&self, at: Standard, bytes: &[u8]) {
        // A reader that is gone is no error.
        let _ = match at {
            Standard::Output => stdout().write_all(bytes).and_then(|()| stdout().flush()),
            Standard::Error => stderr().write_all(bytes),
        };
    }

    fn lost(&self, _: Standard) -> usize {
        0
    }

    fn is_unread(&self) -> bool {
        false
    }

    fn columns(&self, at: Standard) -> Option<usize> {
        let terminal = match at {
            Standard::Output => stdout().is_terminal(),
            Standard::Error => stderr().is_terminal(),
        };
        let stated = || std::env::var("COLUMNS").ok()?.parse().ok();
        terminal.then(|| stated().unwrap_or(0))
    }

    fn progress_file(&self) -> Option<PathBuf> {
        None
    }

    fn take_over_ctrl_c(&self) -> std::io::Result<CtrlC> {
        ctrl_c::taken_over()
    }

    fn has_ended(&self, _: u32) -> bool {
        false // nobody says, so it may run
    }

    /// By the keys that std draws for its hash tables.
    fn draw_seed(&self) -> Result<u64> {
        Ok(RandomState::new().hash_one(0) & u64::from(u32::MAX))
    }

    fn machine(&self) -> Value {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        json!({ "program": PROGRAM, "operating_system": std::env::consts::OS,
            "architecture": std::env::consts::ARCH, "cores": cores })
    }

    fn wires(&self, ports: &PortOptions, (inputs, outputs): (&[&str], &[&str])) -> Result<Wires> {
        if let Some(port) = ports.inputs.iter().chain(&ports.outputs).next() {
            bail!("{port}: ports are opened on Linux alone; leave --in and --out out");
        }
        Ok(Wires::unthrottled(inputs, outputs))
    }

    fn own_ports(&self, machine: Option<&Path>) -> Result<Option<Box<dyn OwnPorts>>> {
        match machine {
            Some(path) => bail!(
                "--machine {}: a machine file names the ports of a computer with Linux; leave it out",
                path.display()
            ),
            None => Ok(None),
        }
    }

    fn free_bytes(&self) -> Option<FreeBytes> {
        None
    }

    fn forget_last_session(&self) {}
}

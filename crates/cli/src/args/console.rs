//! The arguments of the console.

use super::options::{PortOptions, limit};
use chronotap_core::time::Nanos;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// Show studies and sessions on pages in a browser, and run sessions from there.
///
/// The experimenter's page lists the studies and datasets in a folder, begins sessions, and
/// shows and controls a running one. The participant has a separate page. Single trials,
/// `doctor`, wake-ups and the loop test can be run from there too. Each of these is a program
/// of its own: it continues if the console ends, and a new console finds it again. See
/// docs/console.md.
///
/// It can be reached from this computer only, and only by the browser that opens the printed
/// address, which works once. From another computer, use the printed SSH tunnel.
#[derive(Args, Debug)]
pub struct Console {
    /// The folder with experiment files and datasets
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
    /// Take a tour of a few minutes, with a small study and a simulated participant; the study
    /// is written into the folder chronotap-demo
    #[arg(long, conflicts_with_all = ["folder", "session_socket"])]
    pub demo: bool,
    /// Network port of the pages [default: any free one]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Open the experimenter's page in this computer's usual browser
    #[arg(long, conflicts_with = "session_socket")]
    pub open: bool,
    /// Open the participant's page in a browser of its own that fills this computer's screen
    /// (Chromium or Chrome)
    #[arg(long)]
    pub kiosk: bool,
    /// Who taps if the form says that the participant is simulated; ports named for people are not
    /// used then [default: as in `simulate`, an observer where answers are judged, else a tapper]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    #[command(flatten)]
    pub ports: PortOptions,
    /// A machine file, with the ports of inputs and outputs that you do not give above
    /// [default: ~/.config/chronotap/machine.toml if it exists]
    #[arg(long, value_name = "FILE", help_heading = "Ports")]
    pub machine: Option<PathBuf>,
    /// Run sessions with ordinary threads: ask for no real-time rights
    #[arg(long)]
    pub ordinary: bool,
    /// Processor reserved for the trials, from 0 [default: the one with the fewest interrupts;
    /// on a single processor, none]
    #[arg(long, value_name = "N", conflicts_with = "ordinary")]
    pub cpu: Option<usize>,
    /// Limit of the timing verdict, such as "500 us"; a number alone counts us [default: the trial
    /// file's]
    #[arg(long, alias = "limit-us", value_name = "TIME", value_parser = limit)]
    pub limit: Option<Nanos>,
    /// Show only the session of this socket, and end with it
    #[arg(long, value_name = "SOCKET", hide = true)]
    pub session_socket: Option<PathBuf>,
}

impl Console {
    /// Options that name the ports of every session that is begun from the page.
    pub fn ports_of_sessions(&self) -> Vec<OsString> {
        let inputs = self.ports.inputs.iter().map(|port| ["--in", port.as_str()]);
        let outputs = self.ports.outputs.iter().map(|port| ["--out", port.as_str()]);
        inputs.chain(outputs).flatten().map(Into::into).collect()
    }

    /// Other options of theirs; their trials have this processor for themselves.
    pub fn of_sessions(&self, apart: Option<usize>) -> Vec<OsString> {
        let mut options: Vec<OsString> = Vec::new();
        let mut add = |option: &str, value: OsString| options.extend([option.into(), value]);
        self.machine.iter().for_each(|path| add("--machine", path.into()));
        self.limit.iter().for_each(|limit| add("--limit", format!("{} ns", limit.0).into()));
        apart.iter().for_each(|cpu| add("--cpu", cpu.to_string().into()));
        options.extend(self.ordinary.then(|| "--ordinary".into()));
        options
    }
}

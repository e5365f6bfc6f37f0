//! What a page says of ports and of who taps, which are named where the console or the session is
//! started.

use super::{Row, Says, of, row, with};
use chronotap_rig::laboratory::{BindingError, FollowError, MachineFileError, RigError};
use chronotap_rig::runner::real_time::RealTimeError;
use chronotap_simulate::TapperError;
use std::error::Error;

pub(super) const ROWS: &[Row] = &[
    row::<BindingError>,
    row::<FollowError>,
    row::<MachineFileError>,
    row::<RealTimeError>,
    row::<RigError>,
    row::<TapperError>,
];

/// For somebody who began a session from a page, where ports cannot be named.
pub const PORTS: &str = "Ports are named where chronotap console is started: end it there with Ctrl-C, and \
                         start it again with them. Without devices, let a simulated participant tap.";

/// Whether an error is one of ports as they were named.
pub fn names_ports(error: &(dyn Error + 'static)) -> bool {
    error.is::<BindingError>()
        || error.is::<MachineFileError>()
        || matches!(error.downcast_ref(), Some(RigError::NoWire | RigError::UnheardLoop))
}

impl Says for BindingError {
    fn says(&self) -> String {
        match self {
            BindingError::Unknown { .. } | BindingError::Unbound { .. } => self.to_string(),
            BindingError::Which { text, .. } => with(self, format!("write NAME={text}")),
            BindingError::Twice { .. } => with(self, "leave one out"),
            BindingError::Spec { side, text, source } => {
                format!("{side} {text}: {}", of(source))
            }
            BindingError::KeepKeys(error) => format!("input: {}", of(error)),
        }
    }
}

impl Says for RigError {
    fn says(&self) -> String {
        match self {
            RigError::NoWire => with(self, "leave out the ports, or bind an input to wire"),
            RigError::Recording(error) => of(&**error),
            RigError::UnheardLoop => with(self, "bind an input to wire:loop"),
            RigError::NeedsRealTime { .. } => with(self, "run it in real time, or use a wire"),
            RigError::Device(error) => of(error),
            RigError::TooMany(_) => with(self, "bind fewer devices"),
            RigError::Unknown { .. } => with(self, "bind it when the session is opened"),
            RigError::NoSysex { name, .. } => with(
                self,
                format!(
                    "bind it to an alsa:, seq, jack or raw: port, or take `record_sysex` out of \
                     [input.{name}]"
                ),
            ),
            RigError::NoLatency { name, .. } => with(
                self,
                format!("write latency = \"0 ms\", or what you measured, in [output.{name}]"),
            ),
            RigError::RecordingWaits { .. } => {
                with(self, "play it at the slowest output, or take `align_outputs` out")
            }
            RigError::NoCodes { .. } => with(self, "bind it to a serial: or parallel: port"),
            RigError::CodesOnly { name, .. } => {
                with(self, format!("bind it to another port, or give [codes] output = \"{name}\""))
            }
            RigError::UnfitCode { .. } => with(self, "give it another number in [codes]"),
            RigError::Gone { .. } => {
                with(self, "plug it in again, or start again what it is connected with, then go on")
            }
            RigError::Tapper(error) => error.says(),
            RigError::RealTime(error) => error.says(),
            RigError::Record(error) => error.says(),
            RigError::Interrupt(_) => self.to_string(),
        }
    }
}

impl Says for TapperError {
    fn says(&self) -> String {
        match self {
            TapperError::Script(error) => format!("performer: {}", of(error)),
            TapperError::Model(error) => format!("simulated participant: {}", of(error)),
        }
    }
}

impl Says for MachineFileError {
    fn says(&self) -> String {
        match self {
            MachineFileError::Unreadable { .. } => with(self, "name a machine file that exists"),
            MachineFileError::Mistakes(problems) => of(problems),
            MachineFileError::Port { path, line, source } => {
                format!("{}:{line}: {}", path.display(), of(source))
            }
        }
    }
}

impl Says for FollowError {
    fn says(&self) -> String {
        match self {
            FollowError::Missing { path } => with(
                self,
                format!(
                    "make a pipe (mkfifo {}), or start the program that listens at a Unix socket \
                     there",
                    path.display()
                ),
            ),
            FollowError::NoReader { .. } => with(self, "start its reader first"),
            FollowError::Neither { .. } => with(self, "name one"),
            FollowError::System { .. } => self.to_string(),
        }
    }
}

impl Says for RealTimeError {
    fn says(&self) -> String {
        match self {
            RealTimeError::Setup(_) => {
                with(self, "end other programs, or raise the limits that `ulimit -a` shows")
            }
            RealTimeError::Died => {
                with(self, "what was recorded is in its journal, of which files can be made")
            }
        }
    }
}

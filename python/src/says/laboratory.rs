//! What is said of ports, of who taps, and of the thread that runs trials.

use super::ports::of;
use super::{Says, with};
use chronotap_rig::laboratory::{BindingError, RigError, Side};
use chronotap_rig::runner::real_time::RealTimeError;
use chronotap_simulate::{TapperError, TooManyPorts, WiresError};

/// The argument that names a port, and the port: one that is a plain text names no input or output.
fn argument(side: Side, text: &str) -> String {
    let (argument, only) = match side {
        Side::Input => ("inputs", "input="),
        Side::Output => ("outputs", "output="),
    };
    match text.strip_prefix(only) {
        Some(port) => format!("{argument} = {port}"),
        None => format!("{argument}: {text}"),
    }
}

impl Says for BindingError {
    fn says(&self) -> String {
        match self {
            BindingError::Unknown { side, text, name, has } => {
                format!(
                    "{}: the trial has no {side} `{name}`; it has: {has}",
                    argument(*side, text)
                )
            }
            BindingError::Which { side, text, has } => {
                let port = argument(*side, text);
                format!("{port}: which {side}? give each by its name; the trial has: {has}")
            }
            BindingError::Twice { side, text, name } => {
                format!("{}: {side} `{name}` is bound twice; leave one out", argument(*side, text))
            }
            BindingError::Unbound { side, .. } => {
                with(self, format!("name one in {side}s (`chronotap ports` lists the ports)"))
            }
            BindingError::Spec { side, text, source } => {
                format!("{}: {}", argument(*side, text), source.says())
            }
            BindingError::KeepKeys(error) => format!("inputs: {}", error.says()),
        }
    }
}

impl Says for RigError {
    fn says(&self) -> String {
        match self {
            RigError::NoWire => {
                "a participant taps at the far end of a virtual wire: bind an input to \"wire\", or \
                 leave the participant out"
                    .into()
            }
            RigError::UnheardLoop => {
                "outputs: wire:loop: nothing hears the loop; bind an input to it with inputs = \
                 \"wire:loop\""
                    .into()
            }
            RigError::NeedsRealTime { .. } => with(self, "run it in a Rig, or use a wire"),
            RigError::Unknown { .. } => with(self, "bind it when the rig is opened"),
            RigError::NoSysex { name, .. } => with(
                self,
                format!(
                    "bind it to an alsa:, seq, jack or raw: port, or take `record_sysex` out of \
                     [input.{name}]"
                ),
            ),
            RigError::NoLatency { name, .. } => {
                with(self, format!("write latency = \"0 ms\", or what you measured, in [output.{name}]"))
            }
            RigError::RecordingWaits { .. } => {
                with(self, "play it at the slowest output, or take `align_outputs` out")
            }
            RigError::NoCodes { .. } => with(self, "bind it to a serial: or parallel: port"),
            RigError::CodesOnly { name, .. } => {
                with(self, format!("bind it to another port, or give [codes] output = \"{name}\""))
            }
            RigError::UnfitCode { .. } => with(self, "give it another number in [codes]"),
            RigError::Gone { .. } => with(self, "plug it in again, or start again what it is connected with, then go on"),
            RigError::Tapper(error) => error.says(),
            RigError::RealTime(error) => error.says(),
            RigError::Record(error) => error.says(),
            RigError::Recording(error) => of(&**error),
            RigError::Device(error) => error.says(),
            RigError::TooMany(_) => with(self, "bind fewer devices"),
            RigError::Interrupt(_) => self.to_string(),
        }
    }
}

impl Says for WiresError {
    fn says(&self) -> String {
        match self {
            WiresError::NoWire => RigError::NoWire.says(),
            WiresError::UnheardLoop => RigError::UnheardLoop.says(),
            WiresError::TooMany(_) => RigError::TooMany(TooManyPorts).says(),
            WiresError::Unknown { name } => RigError::Unknown { name: name.clone() }.says(),
            WiresError::Tapper(error) => error.says(),
        }
    }
}

impl Says for TapperError {
    fn says(&self) -> String {
        match self {
            TapperError::Script(error) => format!("participant: {error}"),
            TapperError::Model(error) => format!("participant: {error}"),
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
                with(self, "`chronotap recover` makes data files of its journal")
            }
        }
    }
}

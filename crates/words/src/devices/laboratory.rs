//! What is said of ports, of who taps, and of programs that follow a trial.

use crate::{Row, Says, of, row, with};
use chronotap_rig::laboratory::{
    BindingError, FollowError, MachineFileError, RigError, Side, SinkError,
};
use chronotap_simulate::{TapperError, TooManyPorts, WiresError};

pub(super) const ROWS: &[Row] = &[
    row::<BindingError>(),
    row::<FollowError>(),
    row::<MachineFileError>(),
    row::<RigError>(),
    row::<SinkError>(),
    row::<TapperError>(),
    row::<WiresError>(),
];

/// By which option a port is named.
fn option(side: Side) -> &'static str {
    match side {
        Side::Input => "--in",
        Side::Output => "--out",
    }
}

impl Says for BindingError {
    fn says(&self) -> String {
        match self {
            BindingError::Unknown { side, text, name, has } => {
                let option = option(*side);
                format!("{option} {text}: the trial has no {side} `{name}`; it has: {has}")
            }
            BindingError::Which { side, text, has } => {
                let option = option(*side);
                format!(
                    "{option} {text}: which {side}? write {option} NAME={text}; the trial has: {has}"
                )
            }
            BindingError::Twice { side, text, name } => {
                format!("{} {text}: {side} `{name}` is bound twice; leave one out", option(*side))
            }
            BindingError::Unbound { side, name } => {
                let option = option(*side);
                with(self, format!("add {option} {name}=PORT (`chronotap ports` lists the ports)"))
            }
            BindingError::Spec { side, text, source } => {
                format!("{} {text}: {}", option(*side), of(source))
            }
            BindingError::KeepKeys(error) => format!("--in: {}", of(error)),
        }
    }
}

impl Says for RigError {
    fn says(&self) -> String {
        match self {
            RigError::NoWire => {
                "--simulate and --performer tap at the far end of a virtual wire, and no input is bound \
                 to one; leave out --in and --out, or bind one with --in wire"
                    .into()
            }
            RigError::Recording(error) => of(&**error),
            RigError::UnheardLoop => {
                "--out wire:loop: nothing hears the loop; bind an input to it with --in wire:loop"
                    .into()
            }
            RigError::NeedsRealTime { .. } => with(self, "use `chronotap run`, or a wire"),
            RigError::Device(error) => of(error),
            RigError::TooMany(error) => error.says(),
            RigError::Unknown { .. } => with(self, "bind it when the session is opened"),
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
            TapperError::Script(error) => format!("--performer: {}", of(error)),
            TapperError::Model(error) => format!("--simulate: {}", of(error)),
        }
    }
}

impl Says for MachineFileError {
    fn says(&self) -> String {
        match self {
            MachineFileError::Unreadable { path, source } => format!(
                "--machine {}: cannot read it; name a file that exists: {source}",
                path.display()
            ),
            MachineFileError::Mistakes(problems) => of(problems),
            MachineFileError::Port { path, line, source } => {
                format!("{}:{line}: {}", path.display(), of(source))
            }
        }
    }
}

impl Says for FollowError {
    fn says(&self) -> String {
        let said = format!("--follow {self}");
        match self {
            FollowError::Missing { path } => with(
                &said,
                format!(
                    "make a pipe (mkfifo {}), or start the program that listens at a Unix socket \
                     there",
                    path.display()
                ),
            ),
            FollowError::NoReader { .. } => with(&said, "start its reader first"),
            FollowError::Neither { .. } => with(&said, "name one, or - for standard output"),
            FollowError::System { .. } => said,
        }
    }
}

impl Says for SinkError {
    fn says(&self) -> String {
        match self {
            SinkError::Follow(error) => error.says(),
            SinkError::Own(error) => of(&**error),
            SinkError::Thread(_) => with(self, "end other programs"),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_config::trial_files::{Problem, Problems};
    use std::io::Error as Refused;
    use std::path::PathBuf;
    let path = || PathBuf::from("my pipe");
    let text = |text: &str| text.to_owned();
    let forbidden = || Refused::from_raw_os_error(13);
    let has = || text("left, right");
    let followed = [
        FollowError::Missing { path: path() },
        FollowError::NoReader { path: path() },
        FollowError::Neither { path: path() },
        FollowError::System { path: path(), source: forbidden() },
    ];
    let binding = [
        BindingError::Unknown {
            side: Side::Input,
            text: text("pad=wire"),
            name: text("pad"),
            has: has(),
        },
        BindingError::Which { side: Side::Output, text: text("tone:"), has: has() },
        BindingError::Twice { side: Side::Input, text: text("left=wire"), name: text("left") },
        BindingError::Unbound { side: Side::Output, name: text("left") },
    ];
    let session = [
        RigError::NoWire,
        RigError::UnheardLoop,
        RigError::NeedsRealTime { port: text("alsa:hw:1,0") },
        RigError::Unknown { name: text("pad") },
        RigError::NoSysex { place: text("trial.toml:3: "), name: text("pad"), port: text("keys:") },
        RigError::NoLatency {
            place: text("trial.toml:1: "),
            name: text("box"),
            port: text("raw:/dev/midi1"),
        },
        RigError::RecordingWaits { place: text("trial.toml:1: "), name: text("sound") },
        RigError::NoCodes { name: text("eeg"), port: text("raw:/dev/midi1") },
        RigError::CodesOnly { name: text("sound"), port: text("serial:/dev/ttyUSB0") },
        RigError::UnfitCode {
            name: text("eeg"),
            port: text("serial:/dev/ttyUSB0?rest=255"),
            event: text("start"),
            code: 255,
            at_rest: true,
        },
        RigError::UnfitCode {
            name: text("eeg"),
            port: text("serial:/dev/ttyUSB0"),
            event: text("pacing.metronome"),
            code: 300,
            at_rest: false,
        },
        RigError::Gone { side: Side::Input, name: text("pad"), port: text("alsa:hw:1,0") },
        RigError::Interrupt(forbidden()),
    ];
    let path = || PathBuf::from("machine.toml");
    let mistake = Problem {
        file: text("machine.toml"),
        line: 3,
        column: 1,
        message: text("unknown key \"inputs\" at the top of the file"),
        cure: None,
        nearest: Some(text("input")),
    };
    let machine = [
        MachineFileError::Unreadable { path: path(), source: Refused::from_raw_os_error(2) },
        MachineFileError::Mistakes(Problems::new(vec![mistake])),
    ];
    let mut all: Vec<Box<dyn std::error::Error>> = Vec::new();
    binding.into_iter().for_each(|error| all.push(Box::new(error)));
    followed.into_iter().for_each(|error| all.push(Box::new(SinkError::Follow(error))));
    all.push(Box::new(SinkError::Own(Box::new(forbidden()))));
    all.push(Box::new(SinkError::Thread(Refused::from_raw_os_error(11))));
    machine.into_iter().for_each(|error| all.push(Box::new(error)));
    session.into_iter().for_each(|error| all.push(Box::new(error)));
    all
}

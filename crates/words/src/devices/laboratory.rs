//! What is said of ports, of who taps, and of programs that follow a trial.

use crate::files::{no_wire, not_opened, unheard_loop};
use crate::{Says, Sentences, Surface, of, row, with};
use chronotap_rig::laboratory::{
    BindingError, FollowError, MachineFileError, RigError, Side, SinkError,
};

pub(super) const ROWS: &[Sentences] = &[
    row::<BindingError>(),
    row::<FollowError>(),
    row::<MachineFileError>(),
    row::<RigError>(),
    row::<SinkError>(),
];

/// A port as it was named, behind its option, field or argument.
fn port(side: Side, text: &str, surface: Surface) -> String {
    match surface {
        Surface::Terminal => format!("{} {text}", option(side)),
        Surface::Page => format!("{side} {text}"),
        Surface::Python => argument(side, text),
    }
}

/// By which option a port is named.
fn option(side: Side) -> &'static str {
    match side {
        Side::Input => "--in",
        Side::Output => "--out",
    }
}

/// The argument that names a port, and the port: one that is a plain text names no input or output.
fn argument(side: Side, text: &str) -> String {
    match text.strip_prefix(&format!("{side}=")) {
        Some(port) => format!("{side}s = {port}"),
        None => format!("{side}s: {text}"),
    }
}

impl Says for BindingError {
    fn says(&self, surface: Surface) -> String {
        let port = |side: &Side, text| port(*side, text, surface);
        match self {
            BindingError::Unknown { side, text, name, has } => {
                format!("{}: the trial has no {side} `{name}`; it has: {has}", port(side, text))
            }
            BindingError::Which { text, .. } if surface == Surface::Page => {
                with(self, format!("write NAME={text}"))
            }
            BindingError::Which { side, text, has } => {
                let write = format!("write {} NAME={text}", option(*side));
                let name = surface.in_python("give each by its name".into(), write);
                format!("{}: which {side}? {name}; the trial has: {has}", port(side, text))
            }
            BindingError::Twice { side, text, name } => {
                format!("{}: {side} `{name}` is bound twice; leave one out", port(side, text))
            }
            BindingError::Unbound { .. } if surface == Surface::Page => self.to_string(),
            BindingError::Unbound { side, name } => {
                let add = format!("add {} {name}=PORT", option(*side));
                let add = surface.in_python(format!("name one in {side}s"), add);
                with(self, format!("{add} (`chronotap ports` lists the ports)"))
            }
            BindingError::Spec { side, text, source } => {
                format!("{}: {}", port(side, text), of(source, surface))
            }
            BindingError::KeepKeys(error) => {
                format!("{}: {}", surface.pick("--in", "input", "inputs"), of(error, surface))
            }
        }
    }
}

impl Says for RigError {
    fn says(&self, surface: Surface) -> String {
        match self {
            RigError::NoWire => no_wire(self, surface),
            RigError::Recording(error) => of(&**error, surface),
            RigError::UnheardLoop => unheard_loop(self, surface),
            RigError::NeedsRealTime { .. } => with(
                self,
                surface.pick(
                    "use `chronotap run`, or a wire",
                    "run it in real time, or use a wire",
                    "run it in a Rig, or use a wire",
                ),
            ),
            RigError::Device(error) => of(error, surface),
            RigError::TooMany(error) => error.says(surface),
            RigError::Unknown { .. } => not_opened(self, surface),
            RigError::ToldLate { .. } => with(
                self,
                "leave that out, or put this project's firmware on the board (docs/force-sensor.md)",
            ),
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
            RigError::Tapper(error) => error.says(surface),
            RigError::RealTime(error) => error.says(surface),
            RigError::Record(error) => error.says(surface),
            RigError::Interrupt(_) => self.to_string(),
        }
    }
}

impl Says for MachineFileError {
    fn says(&self, surface: Surface) -> String {
        match self {
            MachineFileError::Unreadable { .. } if surface != Surface::Terminal => {
                with(self, "name a machine file that exists")
            }
            MachineFileError::Unreadable { path, source } => format!(
                "--machine {}: cannot read it; name a file that exists: {source}",
                path.display()
            ),
            MachineFileError::Mistakes(problems) => of(problems, surface),
            MachineFileError::Port { path, line, source } => {
                format!("{}:{line}: {}", path.display(), of(source, surface))
            }
            MachineFileError::Unwritten { .. } => with(self, "name another file"),
            MachineFileError::NoFolder => with(self, "name the machine file"),
        }
    }
}

impl Says for FollowError {
    fn says(&self, surface: Surface) -> String {
        let said = format!("{}{self}", surface.in_terminal("--follow ", ""));
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
            FollowError::Neither { .. } => {
                let or = surface.in_terminal(", or - for standard output", "");
                with(&said, format!("name one{or}"))
            }
            FollowError::System { .. } => said,
        }
    }
}

impl Says for SinkError {
    fn says(&self, surface: Surface) -> String {
        match self {
            SinkError::Follow(error) => error.says(surface),
            SinkError::Own(error) => of(&**error, surface),
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
        RigError::ToldLate {
            place: text("trial.toml:3: "),
            name: text("pad"),
            port: text("sensor:/dev/ttyACM0?sketch=teensytap"),
            for_what: "feedback",
        },
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
        MachineFileError::Unwritten { path: path(), source: forbidden() },
        MachineFileError::NoFolder,
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

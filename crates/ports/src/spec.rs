//! [`Spec`]: the name of a port as it stands on the command line, and the list
//! that `chronotap ports` shows. Nothing is opened here.

use crate::alsa::alsa_ports;
use crate::evdev::evdev_ports;
use crate::jack::jack_ports;
use crate::sequencer::sequencer_ports;
use crate::tone::{ToneName, ToneNameError, tone_ports};
use crate::{AlsaName, EvdevName, EvdevNameError, JackName, KEYS_WARNING, SequencerName};
use chronotap_signal::Stamp;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A port by name: `wire`, `wire:loop`, `wire:unthrottled`,
/// `wire:loop:unthrottled`, `raw:PATH`, `alsa:hw:CARD,DEVICE,PORT`,
/// `alsa:usb:PATH,DEVICE,PORT`, `alsa:NAME`, `seq` or `seq:CLIENT:PORT`,
/// `jack`, `jack:loop`, `jack:CLIENT:PORT` or `tone:CARD`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Spec {
    /// A virtual MIDI cable.
    Wire {
        /// Whether it is looped back to the input.
        looped: bool,
        /// Whether bytes take their 320 us; otherwise they take no time.
        throttled: bool,
    },
    /// A MIDI byte stream on a character device, FIFO or pseudo-terminal.
    Raw(PathBuf),
    /// An ALSA raw MIDI port.
    Alsa(AlsaName),
    /// A port of one's own in the ALSA sequencer, and whom it is connected with.
    Sequencer(SequencerName),
    /// Ports of one's own in a JACK server, and whom they are connected with.
    Jack(JackName),
    /// Tones of a sound card.
    Tone(ToneName),
    /// A computer keyboard or response box.
    Evdev(EvdevName),
    /// The terminal's keyboard.
    Keys,
}

/// Why a port name was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No such kind of port. Use one of those named.
    #[error("there is no port `{name}`; did you mean `{nearest}`? ({KNOWN})")]
    Unknown {
        /// As given.
        name: String,
        /// The known name most like it.
        nearest: String,
    },
    /// `raw:` without a path. Name the device.
    #[error("`raw:` needs a path, as in raw:/dev/snd/midiC1D0")]
    NoPath,
    /// `alsa:` without a name. Name the card.
    #[error("`alsa:` needs a name, as in alsa:hw:2,0 (`chronotap ports` lists those present)")]
    NoName,
    /// A name after `tone:` was not understood.
    #[error(transparent)]
    Tone(#[from] ToneNameError),
    /// A name after `evdev:` was not understood.
    #[error(transparent)]
    Evdev(#[from] EvdevNameError),
}

const KNOWN: &str = "known: wire, wire:loop, wire:unthrottled, wire:loop:unthrottled, raw:PATH, alsa:NAME, seq, seq:CLIENT:PORT, jack, jack:loop, jack:CLIENT:PORT, tone:, tone:CARD";

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(name: &str) -> Result<Spec, SpecError> {
        let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
        match kind {
            "wire" => wire(name),
            "raw" if rest.is_empty() => Err(SpecError::NoPath),
            "raw" => Ok(Spec::Raw(PathBuf::from(rest))),
            "alsa" if rest.is_empty() => Err(SpecError::NoName),
            // Every text is an ALSA name; whether a port is called so shows at opening.
            "alsa" => rest.parse().map(Spec::Alsa).map_err(|never| match never {}),
            "seq" => rest.parse().map(Spec::Sequencer).map_err(|never| match never {}),
            "evdev" => Ok(Spec::Evdev(rest.parse()?)),
            "tone" => Ok(Spec::Tone(rest.parse()?)),
            "keys" if rest.is_empty() => Ok(Spec::Keys),
            "jack" => rest.parse().map(Spec::Jack).map_err(|never| match never {}),
            _ if Path::new(name).is_absolute() => Err(unknown(name, format!("raw:{name}"))),
            _ => Err(unknown(
                name,
                nearest(
                    name,
                    &["wire", "wire:loop", "raw:PATH", "alsa:NAME", "evdev:NAME", "keys:", "tone:"],
                ),
            )),
        }
    }
}

fn wire(name: &str) -> Result<Spec, SpecError> {
    const WIRES: [&str; 4] = ["wire", "wire:loop", "wire:unthrottled", "wire:loop:unthrottled"];
    let spec = |looped, throttled| Ok(Spec::Wire { looped, throttled });
    match name {
        "wire" => spec(false, true),
        "wire:loop" => spec(true, true),
        "wire:unthrottled" => spec(false, false),
        "wire:loop:unthrottled" | "wire:unthrottled:loop" => spec(true, false),
        _ => Err(unknown(name, nearest(name, &WIRES))),
    }
}

fn unknown(name: &str, nearest: String) -> SpecError {
    SpecError::Unknown { name: name.into(), nearest }
}

/// The candidate most like `name`.
pub(crate) fn nearest(name: &str, candidates: &[&str]) -> String {
    let likeness = |candidate: &&&str| (strsim::jaro_winkler(name, candidate) * 1e6) as u64;
    candidates.iter().max_by_key(likeness).map(|best| (*best).to_owned()).unwrap_or_default()
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Wire { looped, throttled } => {
                let looped = if *looped { ":loop" } else { "" };
                write!(f, "wire{looped}{}", if *throttled { "" } else { ":unthrottled" })
            }
            Spec::Raw(path) => write!(f, "raw:{}", path.display()),
            Spec::Alsa(name) => write!(f, "alsa:{name}"),
            Spec::Sequencer(name) => name.fmt(f),
            Spec::Jack(name) => name.fmt(f),
            Spec::Tone(name) => name.fmt(f),
            Spec::Evdev(name) => write!(f, "evdev:{name}"),
            Spec::Keys => f.write_str("keys:"),
        }
    }
}

impl Spec {
    /// What whoever uses data from this port must know; shown and recorded.
    pub fn warning(&self) -> Option<&'static str> {
        matches!(self, Spec::Keys).then_some(KEYS_WARNING)
    }
}

/// A port that could be named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name to give.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Whether it can be an input.
    pub input: bool,
    /// Whether it can be an output.
    pub output: bool,
    /// Who stamps what comes in.
    pub stamp: Stamp,
    /// Why it cannot be opened, and what cures it.
    pub refused: Option<String>,
}

/// Every port that this machine offers: the virtual wires, the ALSA ports, the
/// sequencer's, then other raw MIDI devices found under /dev.
pub fn list() -> Vec<Listed> {
    let wires = [
        ("wire", "virtual MIDI cable to a simulated participant"),
        ("wire:loop", "the same, looped back to the input"),
        ("wire:unthrottled", "virtual cable whose bytes take no time"),
        ("wire:loop:unthrottled", "looped cable whose bytes take no time"),
    ];
    let wires = wires.map(|(name, description)| Listed {
        name: name.into(),
        description: description.into(),
        input: true,
        output: true,
        stamp: Stamp::Virtual,
        refused: None,
    });
    let alsa = alsa_ports();
    // With ALSA they are the same devices once more.
    let others = if alsa.is_empty() { midi_devices(Path::new("/dev"), "midi") } else { vec![] };
    let others = others.iter().map(|path| listed(path));
    wires
        .into_iter()
        .chain(alsa)
        .chain(sequencer_ports())
        .chain(jack_ports())
        .chain(tone_ports())
        .chain(others)
        .chain(evdev_ports())
        .chain([keys()])
        .collect()
}

fn keys() -> Listed {
    Listed {
        name: "keys:".into(),
        description: "this terminal's keyboard, for trying things: its timing is poor".into(),
        input: true,
        output: false,
        stamp: Stamp::UserSpace,
        refused: None,
    }
}

fn midi_devices(directory: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    let mut paths: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn listed(path: &Path) -> Listed {
    use rustix::fs::{Access, access};
    let input = access(path, Access::READ_OK).is_ok();
    let output = access(path, Access::WRITE_OK).is_ok();
    let refused = (!input || !output).then(|| crate::open::permission_cure(path));
    Listed {
        name: format!("raw:{}", path.display()),
        description: "raw MIDI device".into(),
        input,
        output,
        stamp: Stamp::UserSpace,
        refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_it_was_written() {
        for name in [
            "wire",
            "wire:loop",
            "wire:unthrottled",
            "wire:loop:unthrottled",
            "raw:/dev/pts/3",
            "alsa:hw:2,0,1",
            "evdev:/dev/input/event3?keys=SPACE:60,ENTER:62&grab",
            "keys:",
            "tone:",
            "tone:virtual?period=64",
        ] {
            assert_eq!(name.parse::<Spec>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest() {
        let message = |name: &str| name.parse::<Spec>().unwrap_err().to_string();
        assert!(message("wier").contains("did you mean `wire`?"));
        assert!(message("wire:lop").contains("did you mean `wire:loop`?"));
        assert!(message("/dev/pts/3").contains("did you mean `raw:/dev/pts/3`?"));
        assert!(message("raw:").contains("needs a path"));
    }

    #[test]
    fn the_list_names_ports_that_can_be_parsed() {
        for listed in list() {
            assert!(listed.name.parse::<Spec>().is_ok());
        }
    }
}

//! [`Spec`]: the name of a port as it stands on the command line, with the kind of port that
//! reads it. What the kinds are stands in the table, [`Kinds`](crate::ports::PortKinds).

use crate::ports::{CodesOf, OpenPortError, PortKind, PortName, Uses};
use chronotap_engine::signal::Port;
use std::any::Any;
use std::error::Error;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A port by name, not yet opened. Two are equal where they are written alike once each was
/// read: `alsa:hw:2` and `alsa:hw:2,0` are one port.
#[derive(Clone, Debug)]
pub struct Spec {
    kind: &'static PortKind,
    name: Arc<dyn PortName>,
    full_name: String,
}

/// Opens a port again, or answers `None` while it is not there. May take its time.
pub type Reopener = Box<dyn FnMut() -> Option<Box<dyn Port>> + Send>;

/// Why a port name was not understood.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// No such kind of port, or none of the forms that its names have.
    #[error("there is no port `{name}`")]
    Unknown {
        name: String,
        /// The known name that was probably meant; empty where none is near.
        nearest: String,
        /// A form of each kind.
        known: Vec<&'static str>,
    },
    /// The kind's own error, which says what is wrong.
    #[error(transparent)]
    Wrong(Box<dyn Error + Send + Sync>),
}

impl Spec {
    pub(crate) fn new(kind: &'static PortKind, name: Box<dyn PortName>) -> Spec {
        Spec { kind, full_name: name.full_name(), name: name.into() }
    }

    /// Its row in the table.
    pub fn kind(&self) -> &'static PortKind {
        self.kind
    }

    /// The name as its kind read it, where it is of the kind that has such names: a
    /// [`WireName`](crate::ports::WireName), a [`ToneName`](crate::ports::ToneName) and so on.
    pub fn name<N: PortName>(&self) -> Option<&N> {
        let name: &dyn Any = self.name.as_ref();
        name.downcast_ref()
    }

    /// Opens the port for these inputs and outputs of a trial, each with its index and name.
    ///
    /// # Errors
    /// Says why not.
    pub fn open(
        &self,
        inputs: &[(u16, &str)],
        outputs: &[(u16, &str)],
    ) -> Result<Box<dyn Port>, OpenPortError> {
        self.name.open(&Uses { inputs, outputs })
    }

    /// Looks, without opening it, whether what has this name can be such a port.
    ///
    /// # Errors
    /// Says why not.
    pub fn look(&self) -> Result<(), OpenPortError> {
        self.name.look()
    }

    /// Whether the port, once lost in mid-trial, is looked for and opened again by this name.
    pub fn reopens(&self) -> bool {
        self.name.reopens()
    }

    /// Whether system exclusive messages can come in by it.
    pub fn carries_sysex(&self) -> bool {
        self.name.carries_sysex()
    }

    /// Whether it says how long it takes from a deadline to the converter.
    pub fn states_latency(&self) -> bool {
        self.name.states_latency()
    }

    /// Whether codes for another recorder can go out by it.
    pub fn codes(&self) -> CodesOf {
        self.name.codes()
    }

    /// How the port is opened again for the same inputs and outputs, where it is: `None`
    /// where it must not be. What it answers with is `None` while the port is not there.
    pub fn reopener(&self, inputs: &[(u16, &str)], outputs: &[(u16, &str)]) -> Option<Reopener> {
        let owned = |uses: &[(u16, &str)]| -> Vec<(u16, String)> {
            uses.iter().map(|(index, name)| (*index, (*name).to_owned())).collect()
        };
        let (spec, inputs, outputs) = (self.clone(), owned(inputs), owned(outputs));
        self.reopens().then(|| -> Reopener {
            Box::new(move || spec.open(&lent(&inputs), &lent(&outputs)).ok())
        })
    }

    /// What whoever uses data from this port must know; shown and recorded.
    pub fn warning(&self) -> Option<&'static str> {
        self.name.warning().or(self.kind.warning)
    }
}

fn lent(uses: &[(u16, String)]) -> Vec<(u16, &str)> {
    uses.iter().map(|(index, name)| (*index, name.as_str())).collect()
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full_name)
    }
}

impl PartialEq for Spec {
    fn eq(&self, other: &Spec) -> bool {
        self.full_name == other.full_name
    }
}

impl Eq for Spec {}

impl Hash for Spec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.full_name.hash(state);
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
            "seq",
            "seq:FLUID Synth:0",
            "jack:loop",
            "evdev:/dev/input/event3?keys=SPACE:60,ENTER:62&grab",
            "keys:",
            "tone:",
            "tone:virtual?period=64",
            "serial:/dev/ttyUSB0?baud=9600&rest=none",
            "parallel:/dev/parport0",
        ] {
            assert_eq!(name.parse::<Spec>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn two_ways_to_write_one_port_are_equal() {
        let spec = |name: &str| name.parse::<Spec>().unwrap();
        assert_eq!(spec("alsa:hw:2"), spec("alsa:hw:2,0,0"));
        assert_eq!(spec("wire:unthrottled:loop"), spec("wire:loop:unthrottled"));
        assert_ne!(spec("wire"), spec("wire:loop"));
    }

    #[test]
    fn a_device_is_opened_again_only_where_its_name_stays_its_own() {
        for (name, reopens) in [
            ("wire", false),
            ("alsa:hw:Pad", true),
            ("seq:Pad", true),
            ("seq", false), // others connect with its own port again
            ("jack", false),
            ("tone:", false),
            ("evdev:Box", true),
            ("raw:/dev/snd/midiC1D0", true),
            ("raw:/dev/pts/3", false), // its number is given to the next who asks
            ("keys:", false),
            ("serial:/dev/ttyACM0", true),
            ("serial:/dev/pts/3", false),
        ] {
            assert_eq!(name.parse::<Spec>().unwrap().reopens(), reopens, "{name}");
        }
    }

    #[test]
    fn data_of_the_terminals_keyboard_carry_a_warning() {
        let warning = |name: &str| name.parse::<Spec>().unwrap().warning();
        assert!(warning("keys:").is_some_and(|text| text.contains("for trying things only")));
        assert_eq!(warning("evdev:Box"), None);
    }

    #[test]
    fn what_a_port_cannot_do_is_refused_before_a_device_is_touched() {
        let (one, two) = ([(0, "left")], [(0, "left"), (1, "right")]);
        let refusal = |name: &str, inputs: &[(u16, &str)], outputs: &[(u16, &str)]| {
            name.parse::<Spec>().unwrap().open(inputs, outputs).err().unwrap()
        };
        for name in ["raw:/x", "alsa:hw:9", "evdev:Box", "keys:"] {
            let OpenPortError::SecondInput { input, .. } = refusal(name, &two, &[]) else {
                panic!("{name}")
            };
            assert_eq!(input, "right");
        }
        for name in ["evdev:Box", "keys:"] {
            let OpenPortError::InputOnly { port } = refusal(name, &one, &one) else {
                panic!("{name}")
            };
            assert_eq!(port, name);
        }
        let sounding = refusal("tone:virtual", &one, &[]);
        assert!(matches!(sounding, OpenPortError::OutputOnly { .. }), "{sounding}");
        let wire = refusal("wire", &one, &[]);
        assert!(matches!(wire, OpenPortError::NoFarEnd { .. }), "{wire}");
    }
}

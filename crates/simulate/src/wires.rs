//! Virtual wires among the ports of a rig: which inputs and outputs each serves, and who taps at its
//! far end in a trial.

use crate::ear::VirtualEar;
use crate::tapper::Renumbered;
use crate::{FarEnd, Tapper, TapperError, Wire};
use chronotap_config::trial_files::TrialFile;
use chronotap_engine::signal::{Performer, Port};
use chronotap_trial::{Arrangement, TooManyPorts};

/// Baud rate that stands for "no wire time".
const UNTHROTTLED: Option<u32> = Some(0);

/// An input or output, and the virtual wire that it is bound to.
#[derive(Clone, Debug)]
pub struct Wired {
    pub name: String,
    /// The wire's name, as written.
    pub port: String,
    /// Whether it is looped back to the input.
    pub looped: bool,
    /// Whether bytes take their 320 us; otherwise they take no time.
    pub throttled: bool,
    /// How an input hears that is a channel of a virtual sound card. It belongs to the wire by which
    /// the performer hears the trial, whatever its bytes take.
    pub ear: Option<VirtualEar>,
    /// Whether it is a virtual sensor of force, which belongs to the same wire.
    pub felt: bool,
}

impl Wired {
    /// Whether what the performer taps there does not come as messages by the wire.
    fn is_sense(&self) -> bool {
        self.ear.is_some() || self.felt
    }

    fn kind(&self) -> (bool, bool) {
        (self.looped, self.throttled)
    }
}

/// All inputs and outputs of trials, each on a virtual wire.
#[derive(Clone, Debug, Default)]
pub struct Wires {
    pub inputs: Vec<Wired>,
    pub outputs: Vec<Wired>,
}

impl Wires {
    /// One wire for them all, with a participant at its far end; messages take no time on it.
    pub fn unthrottled(inputs: &[&str], outputs: &[&str]) -> Wires {
        let wired = |name: &&str| Wired {
            name: (*name).to_owned(),
            port: "wire:unthrottled".to_owned(),
            looped: false,
            throttled: false,
            ear: None,
            felt: false,
        };
        let (inputs, outputs) =
            (inputs.iter().map(wired).collect(), outputs.iter().map(wired).collect());
        Wires { inputs, outputs }
    }

    /// Each wire once, in the order in which they are named.
    pub(crate) fn endpoints(&self) -> Result<Vec<WireEndpoint>, WiresError> {
        let all = || self.inputs.iter().chain(&self.outputs);
        let carries_senses = |wired: &&Wired| !wired.is_sense() && !wired.looped;
        let carrier = all().find(carries_senses).map_or((false, true), Wired::kind);
        let kind_of = |wired: &Wired| if wired.is_sense() { carrier } else { wired.kind() };
        let mut kinds: Vec<(bool, bool)> = Vec::new();
        for wired in all() {
            if !kinds.contains(&kind_of(wired)) {
                kinds.push(kind_of(wired));
            }
        }
        let serves = |list: &[Wired], kind| {
            (0u16..).zip(list).filter(|(_, one)| kind_of(one) == kind).map(|(i, _)| i).collect()
        };
        let ears = (0u16..).zip(&self.inputs).filter_map(|(input, one)| Some((input, one.ear?)));
        let ears: Vec<(u16, VirtualEar)> = ears.collect();
        let felt = (0u16..).zip(&self.inputs).filter(|(_, one)| one.felt);
        let felt: Vec<u16> = felt.map(|(input, _)| input).collect();
        let endpoint = |(port, kind): (usize, (bool, bool))| {
            let inputs: Vec<u16> = serves(&self.inputs, kind);
            let outputs: Vec<u16> = serves(&self.outputs, kind);
            match kind.0 && inputs.is_empty() {
                true => Err(WiresError::UnheardLoop),
                false => {
                    let wire = WireEndpoint::new(port, kind, &inputs, &outputs);
                    Ok(wire.heard_by(&ears).felt_by(&felt))
                }
            }
        };
        kinds.into_iter().enumerate().map(endpoint).collect()
    }
}

/// Why a trial cannot be run on virtual wires.
#[derive(Debug, thiserror::Error)]
pub enum WiresError {
    /// Somebody is to tap at the far end of a wire, and no input is bound to one.
    #[error("a participant taps at the far end of a virtual wire, and no input is bound to one")]
    NoWire,
    /// A looped wire that no input hears. Bind one to it.
    #[error("output wire:loop: nothing hears the loop")]
    UnheardLoop,
    /// More ports than a trial takes.
    #[error(transparent)]
    TooMany(#[from] TooManyPorts),
    /// The trial names an input or output that has no wire.
    #[error("the trial has `{name}`, which this rig has no port for")]
    Unknown { name: String },
    /// The performer cannot play this trial; its own error says why.
    #[error(transparent)]
    Tapper(#[from] TapperError),
}

/// A virtual wire among the ports of a rig.
#[derive(Clone, Debug)]
pub struct WireEndpoint {
    port: usize,
    looped: bool,
    throttled: bool,
    /// Of the rig.
    pub inputs: Vec<u16>,
    /// Of the rig.
    pub outputs: Vec<u16>,
    ears: Vec<(u16, VirtualEar)>,
    felt: Vec<u16>,
}

impl WireEndpoint {
    /// The wire in the place of this port of a rig, for these of its inputs and outputs.
    pub fn new(
        port: usize,
        (looped, throttled): (bool, bool),
        inputs: &[u16],
        outputs: &[u16],
    ) -> WireEndpoint {
        let (inputs, outputs) = (inputs.to_vec(), outputs.to_vec());
        let (ears, felt) = (Vec::new(), Vec::new());
        WireEndpoint { port, looped, throttled, inputs, outputs, ears, felt }
    }

    /// The same, where those of its inputs that are named here hear.
    #[must_use]
    pub fn heard_by(mut self, ears: &[(u16, VirtualEar)]) -> WireEndpoint {
        let own = ears.iter().filter(|(input, _)| self.inputs.contains(input));
        self.ears = own.copied().collect();
        self
    }

    /// The same, where those of its inputs that are named here are sensors of force.
    #[must_use]
    pub fn felt_by(mut self, felt: &[u16]) -> WireEndpoint {
        self.felt = felt.iter().copied().filter(|input| self.inputs.contains(input)).collect();
        self
    }

    /// The wire, with this performer at its far end.
    pub fn make(&self, performer: Option<Box<dyn Performer>>) -> Box<dyn Port> {
        let far_end = match (self.inputs.first(), performer) {
            (Some(&input), _) if self.looped => FarEnd::Loop { input },
            (_, Some(performer)) => FarEnd::Performer(performer),
            (_, None) => FarEnd::Silence,
        };
        let baud = if self.throttled { None } else { UNTHROTTLED };
        Box::new(Wire::new(baud, far_end).heard_by(&self.ears).felt_by(&self.felt))
    }
}

/// A port, and the number of the one whose place it takes.
pub type PlacedPort = (usize, Box<dyn Port>);

/// The wires of a trial, each with the number of the port whose place it takes. One performer plays
/// for all inputs of the trial, at the first wire that has a far end.
///
/// # Errors
/// [`WiresError::NoWire`], [`WiresError::Tapper`].
pub fn wires_of_trial(
    wires: &[WireEndpoint],
    (file, seed, tapper): (&TrialFile, u64, &Tapper),
    arrangement: &Arrangement,
) -> Result<Vec<PlacedPort>, WiresError> {
    let with_far_end = |wire: &&WireEndpoint| !wire.looped && !wire.inputs.is_empty();
    let played = wires.iter().find(with_far_end).map(|wire| wire.port);
    if tapper.needs_a_wire() && played.is_none() {
        return Err(WiresError::NoWire);
    }
    let make = |wire: &WireEndpoint| {
        let plays = Some(wire.port) == played;
        let tapper = if plays { tapper } else { &Tapper::Nobody };
        let performer = tapper.performer(file, seed)?;
        let renumbered = performer.map(|performer| -> Box<dyn Performer> {
            Box::new(Renumbered::new(performer, arrangement.inputs()))
        });
        Ok((wire.port, wire.make(renumbered)))
    };
    wires.iter().map(make).collect()
}

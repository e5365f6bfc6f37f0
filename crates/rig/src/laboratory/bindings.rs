//! [`Bindings`]: which port each input and output is bound to, from the names on a command
//! line or in a machine file. Everything is resolved before anything is opened.

use crate::laboratory::endpoint::{no_latency, no_sysex};
use crate::laboratory::{BindingError, RigError, Side, codes};
use chronotap_config::trial_files::TrialFile;
use chronotap_linux::ports::{EarName, SensorName, Spec, WireName, keep_keys};
use chronotap_simulate::{VirtualEar, Wired, Wires};
use std::collections::BTreeMap;

/// Ports by name, as written: `NAME=PORT`, or `PORT` where there is one input or output.
#[derive(Clone, Debug, Default)]
pub struct PortNames {
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
}

impl PortNames {
    /// Refuses what is the name of no port, and two ports for one name, before it is known which
    /// inputs and outputs there are.
    ///
    /// # Errors
    /// [`BindingError::Spec`], [`BindingError::Twice`].
    pub fn check(&self) -> Result<(), BindingError> {
        Side::Input.check(&self.inputs)?;
        Side::Output.check(&self.outputs)
    }

    /// Refuses names of what is seen to be no port, without opening anything.
    ///
    /// # Errors
    /// [`RigError::Device`].
    pub fn look(&self) -> Result<(), RigError> {
        let specs =
            self.inputs.iter().chain(&self.outputs).map(|text| split(text).1.parse::<Spec>());
        specs.flatten().try_for_each(|spec| Ok(spec.look()?))
    }
}

/// How a virtual card runs on which taps are heard, where its name does not say.
const EAR_RATE_HZ: u32 = 48_000;
const EAR_PERIOD_FRAMES: u32 = 256;

/// The ports of a session, resolved but not opened.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    pub(crate) inputs: Vec<Bound>,
    pub(crate) outputs: Vec<Bound>,
}

/// An input or output, and the port it is bound to.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) name: String,
    pub(crate) port: String, // as written
    pub(crate) spec: Spec,
}

impl Bindings {
    /// The full name of the port of an output.
    pub fn output_port(&self, output: u16) -> Option<String> {
        self.outputs.get(usize::from(output)).map(|bound| bound.spec.to_string())
    }

    /// Resolves the names for these inputs and outputs. Where none are given, `fallback`
    /// stands for all of them.
    ///
    /// # Errors
    /// [`BindingError`].
    pub fn resolve(
        names: &PortNames,
        inputs: &[&str],
        outputs: &[&str],
        fallback: Option<&str>,
    ) -> Result<Bindings, BindingError> {
        Ok(Bindings {
            inputs: Side::Input.bind(&names.inputs, inputs, fallback)?,
            outputs: Side::Output.bind(&names.outputs, outputs, fallback)?,
        })
    }

    /// The ports of the inputs and of the outputs by their names, as somebody wrote them.
    pub fn as_written(&self) -> [BTreeMap<String, String>; 2] {
        [&self.inputs, &self.outputs]
            .map(|side| side.iter().map(|bound| (bound.name.clone(), bound.port.clone())).collect())
    }

    /// Refuses a trial that records what cannot come by the port of an input, or sends what cannot
    /// go out by that of an output, before any port is opened.
    ///
    /// # Errors
    /// [`RigError::NoSysex`], [`RigError::NoCodes`], [`RigError::CodesOnly`],
    /// [`RigError::UnfitCode`], [`RigError::NoLatency`].
    pub fn suit(&self, file: &TrialFile) -> Result<(), RigError> {
        for input in file.trial.inputs.iter().filter(|input| input.records_sysex) {
            let bound = self.inputs.iter().find(|bound| bound.name == input.name);
            if let Some(bound) = bound.filter(|bound| !bound.spec.carries_sysex()) {
                return Err(no_sysex(file, &bound.name, &bound.port));
            }
        }
        for (output, name) in (0..).zip(&file.trial.outputs) {
            let bound = self.outputs.iter().find(|bound| bound.name == *name);
            if let Some(Bound { name, port, spec }) = bound {
                codes::suits(file, output, (name, port, spec.codes()))?;
                if !spec.states_latency() && file.trial.lacks_latency(output) {
                    return Err(no_latency(file, name, port));
                }
            }
        }
        Ok(())
    }

    /// Keeps the keys that are tapped on from every other program, as long as they are open; those of
    /// the only keyboard while a trial runs. Without a terminal, `keys:` is that keyboard.
    ///
    /// # Errors
    /// [`BindingError::KeepKeys`].
    pub fn keep_keys(&mut self, at_a_terminal: bool) -> Result<(), BindingError> {
        let specs: Vec<Spec> = self.inputs.iter().map(|bound| bound.spec.clone()).collect();
        for (bound, kept) in self.inputs.iter_mut().zip(keep_keys(&specs, at_a_terminal)?) {
            if bound.spec != kept {
                (bound.port, bound.spec) = (kept.to_string(), kept); // the data say it
            }
        }
        Ok(())
    }

    /// What whoever uses the data must know of the ports.
    pub fn warnings(&self) -> Vec<&'static str> {
        self.inputs.iter().filter_map(|bound| bound.spec.warning()).collect()
    }

    /// The wires of trials in virtual time.
    ///
    /// # Errors
    /// [`RigError::NeedsRealTime`] where a port is none.
    pub fn wires(&self) -> Result<Wires, RigError> {
        let wired = |bound: &Bound| {
            let (ear, felt) = (bound.ear(), bound.is_pad());
            let (name, port) = (bound.name.clone(), bound.port.clone());
            match bound.spec.name() {
                Some(&WireName { looped, throttled }) => {
                    Ok(Wired { name, port, looped, throttled, ear, felt })
                }
                None if ear.is_some() || felt => {
                    Ok(Wired { name, port, looped: false, throttled: true, ear, felt })
                }
                None => Err(RigError::NeedsRealTime { port }),
            }
        };
        let all = |list: &[Bound]| list.iter().map(wired).collect::<Result<_, _>>();
        Ok(Wires { inputs: all(&self.inputs)?, outputs: all(&self.outputs)? })
    }

    /// The first port that exists only in real time.
    pub fn needs_real_time(&self) -> Option<&str> {
        let mut all = self.inputs.iter().chain(&self.outputs);
        all.find(|bound| !bound.is_virtual()).map(|bound| bound.port.as_str())
    }

    /// The wire to which inputs belong that hear on a virtual card, or are virtual sensors: the first by which somebody at
    /// its far end hears the trial, or that of the first of those inputs.
    pub(crate) fn carrier_of_senses(&self) -> Option<&Spec> {
        let wire = |bound: &&Bound| {
            bound.spec.name::<WireName>().is_some_and(|wire: &WireName| !wire.looped)
        };
        let first = self.inputs.iter().chain(&self.outputs).find(wire);
        let sense = || self.inputs.iter().find(|bound| bound.is_sense());
        first.or_else(sense).map(|bound| &bound.spec)
    }
}

/// How the ear of this name hears, where it is a channel of a virtual sound card.
pub fn virtual_ear(name: &EarName) -> Option<VirtualEar> {
    name.is_virtual().then(|| VirtualEar {
        channel: name.channel,
        looped: name.looped,
        kept: name.record,
        listening: name.listening(),
        taps: name.taps,
        rate_hz: name.rate_hz.unwrap_or(EAR_RATE_HZ),
        period_frames: name.period_frames.unwrap_or(EAR_PERIOD_FRAMES),
    })
}

impl Bound {
    /// How it hears, where it is a channel of a virtual sound card.
    pub(crate) fn ear(&self) -> Option<VirtualEar> {
        self.spec.name::<EarName>().and_then(virtual_ear)
    }

    /// Whether it is a virtual sensor of force.
    pub(crate) fn is_pad(&self) -> bool {
        self.spec.name::<SensorName>().is_some_and(SensorName::is_virtual)
    }

    /// Whether it senses what a performer taps, and gets no messages by a wire.
    pub(crate) fn is_sense(&self) -> bool {
        self.ear().is_some() || self.is_pad()
    }

    fn is_virtual(&self) -> bool {
        self.spec.name::<WireName>().is_some() || self.is_sense()
    }
}

impl From<&Wires> for Bindings {
    fn from(wires: &Wires) -> Bindings {
        let bound = |wired: &Wired| Bound {
            name: wired.name.clone(),
            port: wired.port.clone(),
            spec: wired.port.parse().expect("a wire has the name of one"),
        };
        let all = |list: &[Wired]| list.iter().map(bound).collect();
        Bindings { inputs: all(&wires.inputs), outputs: all(&wires.outputs) }
    }
}

impl Side {
    fn check(self, given: &[String]) -> Result<(), BindingError> {
        let mut names = Vec::new();
        for text in given {
            let (name, port) = split(text);
            self.bound(name.unwrap_or_default(), text, port)?;
            let Some(name) = name else { continue };
            if names.contains(&name) {
                let (side, text, name) = (self, text.clone(), name.to_owned());
                return Err(BindingError::Twice { side, text, name });
            }
            names.push(name);
        }
        Ok(())
    }

    /// The port of each of the names, from `NAME=PORT` or `PORT`.
    fn bind(
        self,
        given: &[String],
        wanted: &[&str],
        fallback: Option<&str>,
    ) -> Result<Vec<Bound>, BindingError> {
        let side = self;
        let mut bound: Vec<Option<Bound>> = vec![None; wanted.len()];
        for text in given {
            let (name, port) = split(text);
            let index = self.place(text, name, port, wanted)?;
            let here = Some(self.bound(wanted[index], text, port)?);
            if std::mem::replace(&mut bound[index], here).is_some() {
                let (text, name) = (text.clone(), wanted[index].to_owned());
                return Err(BindingError::Twice { side, text, name });
            }
        }
        let all = bound.into_iter().zip(wanted).map(|(bound, name)| match (bound, fallback) {
            (Some(bound), _) => Ok(bound),
            (None, Some(port)) => self.bound(name, port, port),
            (None, None) => Err(BindingError::Unbound { side, name: (*name).into() }),
        });
        all.collect()
    }

    /// Which of the names is meant.
    fn place(
        self,
        text: &str,
        name: Option<&str>,
        port: &str,
        wanted: &[&str],
    ) -> Result<usize, BindingError> {
        let (side, has) = (self, wanted.join(", "));
        match name {
            Some(name) => wanted.iter().position(|other| *other == name).ok_or_else(|| {
                BindingError::Unknown { side, text: text.into(), name: name.into(), has }
            }),
            None if wanted.len() == 1 => Ok(0),
            None => Err(BindingError::Which { side, text: port.into(), has }),
        }
    }

    fn bound(self, name: &str, text: &str, port: &str) -> Result<Bound, BindingError> {
        let refused = |source| BindingError::Spec { side: self, text: text.into(), source };
        let spec = port.parse().map_err(refused)?;
        Ok(Bound { name: name.into(), port: port.into(), spec })
    }
}

/// `NAME=PORT` in two; a path may hold a `=` of its own, a name may not hold a `:`.
fn split(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, port)) if !name.contains([':', '/']) => (Some(name), port),
        _ => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_to_be_no_port_is_refused_before_anything_is_opened() {
        let look = |port: &str| PortNames { inputs: vec![port.into()], outputs: vec![] }.look();
        let wrong = look(concat!("pad=raw:", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert!(matches!(wrong, Err(RigError::Device(_))), "{wrong:?}");
        assert!(look("raw:/dev/null").is_ok() && look("raw:/nowhere/yet").is_ok());
        assert!(look("wire").is_ok(), "a port without a file");
    }

    #[test]
    fn what_is_the_name_of_no_port_is_refused_before_inputs_are_known() {
        let check = |inputs: &[&str], outputs: &[&str]| {
            let owned = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect();
            PortNames { inputs: owned(inputs), outputs: owned(outputs) }.check()
        };
        assert!(check(&["pad=wire", "wire:loop"], &["wire"]).is_ok());
        let wrong = check(&["pad=wier"], &[]).unwrap_err();
        assert!(matches!(wrong, BindingError::Spec { side: Side::Input, .. }), "{wrong}");
        let wrong = check(&[], &["a=wire", "a=wire:loop"]).unwrap_err();
        assert!(
            matches!(&wrong, BindingError::Twice { side: Side::Output, name, .. } if name == "a"),
            "{wrong}"
        );
    }
}

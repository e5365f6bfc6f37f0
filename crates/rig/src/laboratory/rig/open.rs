//! Opening the ports of a session, each once, and making the wires of a trial.

use super::Rig;
use super::senses::Senses;
use crate::laboratory::bindings::Bound;
use crate::laboratory::endpoint::{Endpoint, no_sysex, told_late};
use crate::laboratory::{Bindings, RigError, codes};
use crate::recorder::{RecordedCard, RecordedEar, RecordedForce};
use chronotap_config::trial_files::TrialFile;
use chronotap_engine::signal::{Description, Stage};
use chronotap_engine::trial::{Adapt, Start, Trial};
use chronotap_linux::ports::{CodesOf, Spec, WireName};
use chronotap_simulate::{VirtualEar, WireEndpoint};
use chronotap_trial::{Arrangement, Ports};

/// Ports that are open.
pub(super) struct Opened {
    pub(super) rig: Ports,
    pub(super) inputs: Vec<Endpoint>,
    pub(super) outputs: Vec<Endpoint>,
    pub(super) warnings: Vec<&'static str>,
    pub(super) wires: Vec<WireEndpoint>,
    pub(super) cards: Vec<RecordedCard>,
    pub(super) stages: Vec<Box<dyn Stage>>,
    pub(super) senses: Senses,
}

/// Opens every port of the bindings; one that is named several times is opened once.
pub(super) fn open(bindings: &Bindings) -> Result<Opened, RigError> {
    let mut rig = Ports::new(bindings.inputs.len(), bindings.outputs.len());
    let mut wires = Vec::new();
    let (ears, pads) = (ears(&bindings.inputs), pads(&bindings.inputs));
    for (number, spec) in specs(bindings).into_iter().enumerate() {
        let (inputs, outputs) = (serves(bindings, spec), served(&bindings.outputs, spec));
        if let Some(WireName { looped, throttled }) = wire_of(bindings, spec, &inputs) {
            if looped && inputs.is_empty() {
                return Err(RigError::UnheardLoop);
            }
            let wire = WireEndpoint::new(number, (looped, throttled), &inputs, &outputs);
            let wire = wire.heard_by(&ears).felt_by(&pads);
            rig.add(wire.make(None), &inputs, &outputs)?;
            wires.push(wire);
            continue;
        }
        let named_inputs = named(&inputs, &bindings.inputs);
        let named_outputs = named(&outputs, &bindings.outputs);
        let port = spec.open(&named_inputs, &named_outputs)?;
        match spec.reopener(&named_inputs, &named_outputs) {
            Some(reopener) => rig.add_reopening(port, reopener, &inputs, &outputs)?,
            None => rig.add(port, &inputs, &outputs)?,
        }
    }
    let inputs = places(&bindings.inputs, rig.inputs());
    let outputs = places(&bindings.outputs, rig.outputs());
    let cards = cards(&mut rig, &outputs);
    let (warnings, stages) = (bindings.warnings(), rig.take_stages());
    let senses = senses(&mut rig, &inputs);
    Ok(Opened { rig, inputs, outputs, warnings, wires, cards, stages, senses })
}

/// Ports that somebody else has opened.
pub(super) fn given(mut rig: Ports, inputs: &[&str], outputs: &[&str]) -> Opened {
    let place = |(name, about): (&&str, _)| {
        let (name, port) = ((*name).to_owned(), "given".to_owned());
        // Whoever opened it knows what it carries.
        let codes = CodesOf::Both { bits: 16 };
        Endpoint { name, port, about, carries_sysex: true, codes }
    };
    let inputs: Vec<Endpoint> = inputs.iter().zip(rig.inputs()).map(place).collect();
    let outputs: Vec<Endpoint> = outputs.iter().zip(rig.outputs()).map(place).collect();
    let cards = cards(&mut rig, &outputs);
    let (warnings, wires, stages) = (Vec::new(), Vec::new(), rig.take_stages());
    let senses = senses(&mut rig, &inputs);
    Opened { rig, inputs, outputs, warnings, wires, cards, stages, senses }
}

fn places(bound: &[Bound], about: Vec<Description>) -> Vec<Endpoint> {
    let place = |(bound, about): (&Bound, Description)| {
        let Bound { name, port, spec } = bound.clone();
        let (carries_sysex, codes) = (spec.carries_sysex(), spec.codes());
        Endpoint { name, port, about, carries_sysex, codes }
    };
    bound.iter().zip(about).map(place).collect()
}

/// The inputs that hear on a virtual card, and how.
fn ears(inputs: &[Bound]) -> Vec<(u16, VirtualEar)> {
    (0u16..).zip(inputs).filter_map(|(input, bound)| Some((input, bound.ear()?))).collect()
}

/// Those that are virtual sensors of force.
fn pads(inputs: &[Bound]) -> Vec<u16> {
    (0u16..).zip(inputs).filter(|(_, bound)| bound.is_pad()).map(|(input, _)| input).collect()
}

/// The virtual wire that the port is. An input that hears on a virtual card, or is a virtual sensor, has one,
/// too, where no other wire leads to who taps on it.
fn wire_of(bindings: &Bindings, spec: &Spec, inputs: &[u16]) -> Option<WireName> {
    let senses = |input: &u16| bindings.inputs[usize::from(*input)].is_sense();
    let sensed = inputs.iter().any(senses);
    spec.name().copied().or(sensed.then_some(WireName { looped: false, throttled: true }))
}

/// Each port once, in the order in which they are named.
fn specs(bindings: &Bindings) -> Vec<&Spec> {
    let mut specs: Vec<&Spec> = Vec::new();
    for bound in bindings.inputs.iter().chain(&bindings.outputs) {
        let spec = port_of(bindings, bound);
        if !specs.contains(&spec) {
            specs.push(spec);
        }
    }
    specs
}

/// The port that serves an input or output.
fn port_of<'a>(bindings: &'a Bindings, bound: &'a Bound) -> &'a Spec {
    let carrier = bound.is_sense().then(|| bindings.carrier_of_senses()).flatten();
    carrier.unwrap_or(&bound.spec)
}

/// The inputs that a port serves.
fn serves(bindings: &Bindings, spec: &Spec) -> Vec<u16> {
    let own = |bound: &Bound| port_of(bindings, bound) == spec;
    (0u16..).zip(&bindings.inputs).filter(|(_, bound)| own(bound)).map(|(i, _)| i).collect()
}

/// The outputs that it serves.
fn served(outputs: &[Bound], spec: &Spec) -> Vec<u16> {
    (0u16..).zip(outputs).filter(|(_, bound)| bound.spec == *spec).map(|(i, _)| i).collect()
}

fn named<'a>(indices: &[u16], list: &'a [Bound]) -> Vec<(u16, &'a str)> {
    indices.iter().map(|index| (*index, list[usize::from(*index)].name.as_str())).collect()
}

/// The sound cards, for the recorder.
fn cards(rig: &mut Ports, places: &[Endpoint]) -> Vec<RecordedCard> {
    let name = |output: u16| Some(places.get(usize::from(output))?.name.clone());
    let named = |(outputs, calls): (Vec<u16>, _)| RecordedCard {
        outputs: outputs.into_iter().filter_map(name).collect(),
        calls,
    };
    rig.take_calls().into_iter().map(named).collect()
}

/// The inputs whose sound or force is kept.
fn senses(rig: &mut Ports, places: &[Endpoint]) -> Senses {
    let name = |input: u16| Some(places.get(usize::from(input))?.name.clone());
    let ears = RecordedEar::of_rig((rig.take_sounds(), rig.take_loops()), name);
    let force = |(input, force): (u16, _)| Some(RecordedForce { input: name(input)?, force });
    let mut forces = rig.take_forces();
    forces.sort_by_key(|(input, _)| *input); // as their names stand in the data
    Senses::of(ears, forces.into_iter().filter_map(force).collect())
}

/// What a trial does at once at a tap of this input, if anything. Rules are no part of it: they act once
/// they are told.
fn at_once(trial: &Trial, input: u16) -> Option<&'static str> {
    let answers = trial.feedback.iter().any(|of| of.from.input.is_none_or(|of| of == input));
    let starts = |start: &Start| matches!(start, Start::Tap { input: of, .. } if *of == input);
    let begins = trial.pacing.iter().any(|pacing| starts(&pacing.start));
    let steers = |adapt: Adapt| adapt.leaders.place(input).is_some();
    let adapts = trial.pacing.iter().any(|pacing| pacing.adapt.is_some_and(steers));
    match (answers, begins, adapts) {
        (true, ..) => Some("feedback"),
        (_, true, _) => Some("pacing that starts at a tap"),
        (.., true) => Some("pacing that adapts to taps"),
        _ => None,
    }
}

impl Rig {
    /// Which of the session's inputs and outputs are which of the trial's.
    pub(super) fn arrange(&self, file: &TrialFile) -> Result<Arrangement, RigError> {
        let names = |places: &[Endpoint]| places.iter().map(|place| place.name.clone()).collect();
        let rig: (Vec<String>, Vec<String>) = (names(&self.inputs), names(&self.outputs));
        let inputs: Vec<&str> = file.trial.inputs.iter().map(|i| i.name.as_str()).collect();
        let outputs: Vec<&str> = file.trial.outputs.iter().map(String::as_str).collect();
        let arranged = Arrangement::by_name((&rig.0, &rig.1), (&inputs, &outputs));
        let arranged = arranged.map_err(|name| RigError::Unknown { name: name.into() })?;
        self.refuse_sysex(file, &arranged)?;
        self.refuse_told_late(file, &arranged)?;
        for (output, rig) in (0..).zip(arranged.outputs()) {
            if let Some(Endpoint { name, port, codes, .. }) = self.outputs.get(usize::from(*rig)) {
                codes::suits(file, output, (name, port, *codes))?;
            }
        }
        Ok(arranged)
    }

    /// What answers a tap at once needs an input that tells of it at once.
    fn refuse_told_late(&self, file: &TrialFile, arranged: &Arrangement) -> Result<(), RigError> {
        for (input, rig) in (0..).zip(arranged.inputs()) {
            let Some(place) = self.inputs.get(usize::from(rig)) else { continue };
            if place.about.sketch.is_none() {
                continue;
            }
            if let Some(for_what) = at_once(&file.trial, input) {
                return Err(told_late(file, (&place.name, &place.port), for_what));
            }
        }
        Ok(())
    }

    /// An input that records system exclusive messages needs a port by which they can come.
    fn refuse_sysex(&self, file: &TrialFile, arranged: &Arrangement) -> Result<(), RigError> {
        for (input, rig) in file.trial.inputs.iter().zip(arranged.inputs()) {
            let Some(place) = self.inputs.get(usize::from(rig)) else { continue };
            if input.records_sysex && !place.carries_sysex {
                return Err(no_sysex(file, &place.name, &place.port));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laboratory::PortNames;
    use chronotap_core::time::Nanos;
    use chronotap_engine::signal::SketchFacts;

    #[test]
    fn an_input_that_records_system_exclusive_is_refused_where_none_can_come() {
        let parse = |line| {
            TrialFile::parse(&format!("[input.pad]\n{line}\n[feedback.tone]\n"), "t.toml").unwrap()
        };
        let bound = Bindings::resolve(&PortNames::default(), &["pad"], &["output"], Some("wire"));
        let longest = Nanos::from_secs(1);
        let mut session = Rig::in_virtual_time(bound.unwrap(), longest).unwrap();
        let recording = parse("record_sysex = true");
        assert!(session.arrange(&recording).is_ok(), "a wire carries whatever is sent");
        session.inputs[0].carries_sysex = false;
        let refused = session.arrange(&recording).map(drop).unwrap_err();
        let RigError::NoSysex { place, name, .. } = refused else { panic!("{refused}") };
        assert_eq!((&*place, &*name), ("t.toml:2: ", "pad"));
        assert!(session.arrange(&parse("")).is_ok());
    }

    #[test]
    fn what_answers_a_tap_at_once_is_refused_where_taps_are_told_when_they_are_over() {
        let bound = Bindings::resolve(&PortNames::default(), &["pad"], &["output"], Some("wire"));
        let longest = Nanos::from_secs(1);
        let mut session = Rig::in_virtual_time(bound.unwrap(), longest).unwrap();
        let trial = |asked: &str| {
            let beats = "[pacing.beats]\ninterval = \"500 ms\"\nbeats = 9\n";
            let rule = "[[when]]\ntap = 3\nend = true\n";
            let text = format!("[input.pad]\n{asked}\n{beats}{rule}");
            TrialFile::parse(&text, "t.toml").unwrap()
        };
        let feedback = trial("[feedback.tone]");
        assert!(session.arrange(&feedback).is_ok());
        session.inputs[0].about.sketch = Some(SketchFacts {
            name: "TeensyTap".to_owned(),
            told: "at the release".to_owned(),
            resolution_ns: 1_000_000,
            clock_drift_ppm: None,
            clock_within_ns: None,
        });
        assert!(session.arrange(&trial("")).is_ok(), "rules act when they are told");
        let refused = session.arrange(&feedback).map(drop).unwrap_err();
        let RigError::ToldLate { name, for_what, .. } = refused else { panic!("{refused}") };
        assert_eq!((&*name, for_what), ("pad", "feedback"));
    }
}

//! From names on the command line to a [`Rig`]: which port each input and output of
//! the trial is bound to, and who is at the far end of a wire. Everything is
//! resolved before anything is opened.

use crate::args::{PortNames, Who};
use anyhow::{Context, Result, bail};
use chronotap_engine::trial::Trial;
use chronotap_experiment::performers::{Script, Tappers};
use chronotap_ports::{Spec, WireName};
use chronotap_record::{Audio, Binding};
use chronotap_rehearsal::{FarEnd, Rig, Wire};
use chronotap_signal::{AudioPeriod, Description, Performer, Port};
use chronotap_time::Nanos;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Baud rate that stands for "no wire time".
const UNTHROTTLED: Option<u32> = Some(0);

/// The ports of a trial, resolved but not opened.
#[derive(Clone, Debug)]
pub struct Bindings {
    inputs: Vec<(String, Spec)>, // by input of the trial: as written, and what it means
    outputs: Vec<(String, Spec)>,
}

/// Who taps at the far end of a virtual wire.
#[derive(Clone, Debug)]
pub enum Tapper {
    /// A simulated participant, by its description.
    Simulated(String),
    /// A scripted performer and where it was read from.
    Scripted(Script, PathBuf),
    /// A person, or nobody.
    Nobody,
}

impl Bindings {
    /// Resolves the names. Where none are given, `fallback` stands for all of them.
    pub fn resolve(names: &PortNames, trial: &Trial, fallback: Option<&str>) -> Result<Bindings> {
        let inputs: Vec<&str> = trial.inputs.iter().map(|input| input.name.as_str()).collect();
        let outputs: Vec<&str> = trial.outputs.iter().map(String::as_str).collect();
        Ok(Bindings {
            inputs: bind("--in", "input", &names.inputs, &inputs, fallback)?,
            outputs: bind("--out", "output", &names.outputs, &outputs, fallback)?,
        })
    }

    /// For the head of the data file: what the names mean, and what the opened ports
    /// say of the audio server behind them.
    pub fn bound(&self, trial: &Trial, rig: &Rig) -> Vec<Binding> {
        let bound = |name: &str, direction: &str, port: &str, audio| Binding {
            name: name.into(),
            direction: direction.into(),
            port: port.into(),
            audio,
        };
        let inputs = trial.inputs.iter().zip(&self.inputs).zip(rig.inputs());
        // What comes in is stamped by its frame, so that it is not late.
        let heard = |about| audio(Description { latency: Nanos::ZERO, ..about });
        let outputs = trial.outputs.iter().zip(&self.outputs).zip(rig.outputs());
        inputs
            .map(|((input, (port, _)), about)| bound(&input.name, "in", port, heard(about)))
            .chain(outputs.map(|((name, (port, _)), about)| bound(name, "out", port, audio(about))))
            .collect()
    }

    /// What whoever uses the data must know of the ports.
    pub fn warnings(&self) -> Vec<&'static str> {
        self.inputs.iter().filter_map(|(_, spec)| spec.warning()).collect()
    }

    /// Whether a port exists only in real time.
    pub fn needs_real_time(&self) -> Option<&str> {
        let mut all = self.inputs.iter().chain(&self.outputs);
        all.find(|(_, spec)| spec.name::<WireName>().is_none()).map(|(name, _)| name.as_str())
    }

    /// Opens the ports. A port that is named several times is opened once.
    pub fn open(&self, trial: &Trial, tapper: &Tapper, seed: u64) -> Result<Rig> {
        let wired = |(_, spec): &(String, Spec)| spec.name().is_some_and(|w: &WireName| !w.looped);
        if !matches!(tapper, Tapper::Nobody) && !self.inputs.iter().any(wired) {
            bail!(
                "--simulate and --performer tap at the far end of a virtual wire, and no input is \
                 bound to one; leave out --in and --out, or bind one with --in wire"
            );
        }
        let mut rig = Rig::new(trial.inputs.len(), trial.outputs.len());
        let mut specs: Vec<&Spec> = Vec::new();
        for (_, spec) in self.inputs.iter().chain(&self.outputs) {
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
        for spec in specs {
            let served = |list: &[(String, Spec)]| -> Vec<u16> {
                (0u16..).zip(list).filter(|(_, (_, s))| s == spec).map(|(i, _)| i).collect()
            };
            let (inputs, outputs) = (served(&self.inputs), served(&self.outputs));
            if let Some(WireName { looped, throttled }) = spec.name() {
                let baud = if *throttled { None } else { UNTHROTTLED };
                let wire = Wire::new(baud, far_end(*looped, &inputs, tapper, trial, seed)?);
                rig.add(Box::new(wire), &inputs, &outputs)?;
                continue;
            }
            let named_inputs = named(&inputs, |i| &trial.inputs[i].name);
            let named_outputs = named(&outputs, |i| &trial.outputs[i]);
            let port = open_device(spec, &named_inputs, &named_outputs)?;
            match spec.reopener(&named_inputs, &named_outputs) {
                Some(again) => rig.add_reopening(port, again, &inputs, &outputs)?,
                None => rig.add(port, &inputs, &outputs)?,
            }
        }
        Ok(rig)
    }
}

/// What a port says of the audio server or sound card behind it, where there is one.
fn audio(about: Description) -> Option<Audio> {
    let AudioPeriod { frames: period_frames, rate_hz } = about.period?;
    let Description { latency, card, sounds, instruments, .. } = about;
    Some(Audio { period_frames, rate_hz, latency_ns: latency.0, card, sounds, instruments })
}

/// An input or output of the trial: its index and its name.
type Named<'a> = (u16, &'a str);

fn named<'a>(indices: &[u16], name: impl Fn(usize) -> &'a String) -> Vec<Named<'a>> {
    indices.iter().map(|index| (*index, name(usize::from(*index)).as_str())).collect()
}

/// Opens the port of a device for those inputs and outputs of a trial.
pub fn open_device(
    spec: &Spec,
    inputs: &[Named<'_>],
    outputs: &[Named<'_>],
) -> Result<Box<dyn Port>> {
    Ok(spec.open(inputs, outputs)?)
}

fn far_end(
    looped: bool,
    inputs: &[u16],
    tapper: &Tapper,
    trial: &Trial,
    seed: u64,
) -> Result<FarEnd> {
    if looped {
        let Some(&input) = inputs.first() else {
            bail!(
                "--out wire:loop: nothing hears the loop; bind an input to it with --in wire:loop"
            );
        };
        return Ok(FarEnd::Loop { input });
    }
    Ok(match tapper.performer(trial, seed)? {
        Some(performer) => FarEnd::Performer(performer),
        None => FarEnd::Silence,
    })
}

impl Tapper {
    /// Reads what the command line says; `otherwise` where it says nothing.
    pub fn resolve(who: &Who, trial: &Trial, otherwise: Option<&str>) -> Result<Tapper> {
        let tapper = match (&who.performer, who.simulate.as_deref().or(otherwise)) {
            (Some(path), _) => {
                let script = Script::read(path, &names(trial)).context("--performer")?;
                Tapper::Scripted(script, path.clone())
            }
            (None, Some(model)) => Tapper::Simulated(model.into()),
            (None, None) => Tapper::Nobody,
        };
        tapper.performer(trial, 0).context("--simulate")?; // a mistake shows before anything starts
        Ok(tapper)
    }

    /// For the head of the data file.
    pub fn describe(&self) -> Value {
        match self {
            Tapper::Simulated(model) => json!({ "simulated": model }),
            Tapper::Scripted(script, path) => {
                json!({ "script": path.display().to_string(), "messages": script.len() })
            }
            Tapper::Nobody => json!("as bound"),
        }
    }

    fn performer(&self, trial: &Trial, seed: u64) -> Result<Option<Box<dyn Performer>>> {
        Ok(match self {
            Tapper::Simulated(model) => {
                Some(Box::new(Tappers::from_spec(model, &names(trial), seed)?))
            }
            Tapper::Scripted(script, _) => Some(Box::new(script.clone())),
            Tapper::Nobody => None,
        })
    }
}

fn names(trial: &Trial) -> Vec<String> {
    trial.inputs.iter().map(|input| input.name.clone()).collect()
}

/// The port of each of the trial's inputs (or outputs), from `NAME=PORT` or `PORT`.
fn bind(
    flag: &str,
    what: &str,
    given: &[String],
    wanted: &[&str],
    fallback: Option<&str>,
) -> Result<Vec<(String, Spec)>> {
    let mut bound: Vec<Option<(String, Spec)>> = vec![None; wanted.len()];
    for text in given {
        let (name, port) = split(text);
        let index = match name {
            Some(name) => wanted.iter().position(|w| *w == name).with_context(|| {
                format!(
                    "{flag} {text}: the trial has no {what} `{name}`; it has: {}",
                    wanted.join(", ")
                )
            })?,
            None if wanted.len() == 1 => 0,
            None => bail!(
                "{flag} {text}: which {what}? write {flag} NAME={port}; the trial has: {}",
                wanted.join(", ")
            ),
        };
        let spec = port.parse().with_context(|| format!("{flag} {text}"))?;
        if bound[index].replace((port.to_owned(), spec)).is_some() {
            bail!("{flag} {text}: {what} `{}` is bound twice; leave one out", wanted[index]);
        }
    }
    let missing = |index: usize| {
        let name = wanted[index];
        format!(
            "{what} `{name}` is bound to nothing; add {flag} {name}=PORT (`chronotap ports` lists them)"
        )
    };
    bound
        .into_iter()
        .enumerate()
        .map(|(index, bound)| match (bound, fallback) {
            (Some(bound), _) => Ok(bound),
            (None, Some(port)) => Ok((port.to_owned(), port.parse()?)),
            (None, None) => bail!(missing(index)),
        })
        .collect()
}

/// `NAME=PORT` in two; a path may hold a `=` of its own, a name may not hold a `:`.
fn split(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, port)) if !name.contains([':', '/']) => (Some(name), port),
        _ => (None, text),
    }
}

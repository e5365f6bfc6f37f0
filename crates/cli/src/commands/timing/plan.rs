//! [`Plan`]: which tests run beside which loads. It is made, and refused, before
//! anything starts.

use crate::args::LoadName;
use anyhow::{Result, bail};
use chronotap_studies::Load;
use chronotap_studies::loads::Limits;
use chronotap_time::Nanos;
use chronotap_timing::{Length, Probe};

/// What a command is going to do.
#[derive(Default)]
pub struct Plan {
    /// The command's name, which becomes part of the files'.
    pub name: &'static str,
    /// In this order.
    pub steps: Vec<Step>,
    /// Loads that cannot run here, with the reason and the cure.
    pub left_out: Vec<String>,
}

/// Tests that run beside one load, one after the other.
pub struct Step {
    /// The load.
    pub load: Load,
    /// The tests.
    pub probes: Vec<Box<dyn Probe>>,
}

/// The loads that were chosen and can run here.
pub struct Chosen {
    /// Which.
    pub loads: Vec<Load>,
    /// A sentence for each of the others.
    pub left_out: Vec<String>,
}

/// The loads of the command line; the usual ones where none is named. One that is
/// named and cannot run here is refused; `all` means all that can.
pub fn chosen(named: &[LoadName], usual: &[Load]) -> Result<Chosen> {
    let limits = Limits::default();
    let mut found = Chosen { loads: Vec::new(), left_out: Vec::new() };
    let all = named.contains(&LoadName::All);
    let wanted: Vec<Load> = match named {
        [] => usual.to_vec(),
        _ if all => Load::ALL.to_vec(),
        named => named.iter().filter_map(|name| one(*name)).collect(),
    };
    for load in wanted {
        match load.available(&limits) {
            Ok(()) if !found.loads.contains(&load) => found.loads.push(load),
            Ok(()) => {}
            Err(why) if all => found.left_out.push(format!("not measured beside {load}: {why}")),
            Err(why) => bail!("--load {load}: {why}"),
        }
    }
    Ok(found)
}

fn one(name: LoadName) -> Option<Load> {
    match name {
        LoadName::One(load) => Some(load),
        LoadName::All => None,
    }
}

impl Plan {
    /// The same tests beside each load.
    pub fn of(
        name: &'static str,
        chosen: Chosen,
        probes: impl Fn(Load) -> Vec<Box<dyn Probe>>,
    ) -> Plan {
        let step = |load: Load| Step { load, probes: probes(load) };
        let steps = chosen.loads.into_iter().map(step).collect();
        Plan { name, steps, left_out: chosen.left_out }
    }

    /// Why none of its tests can run here, if that is so: the first one's reason.
    ///
    /// # Errors
    /// The reason and the cure.
    pub fn check(&self) -> Result<()> {
        let probes = || self.steps.iter().flat_map(|step| &step.probes);
        if probes().any(|probe| probe.available().is_ok()) {
            return Ok(());
        }
        match probes().find_map(|probe| Some((probe.name(), probe.available().err()?))) {
            Some((name, why)) => bail!("timing {name} cannot run here: {why}"),
            None => bail!("--load: none of these can run here; `chronotap load` lists those"),
        }
    }

    /// About how long it takes.
    pub fn duration(&self, length: Length) -> Nanos {
        self.steps.iter().map(|step| step.duration(length)).sum()
    }
}

impl Step {
    /// About how long it takes.
    pub fn duration(&self, length: Length) -> Nanos {
        let able = self.probes.iter().filter(|probe| probe.available().is_ok());
        able.map(|probe| probe.duration(length)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_named_means_the_usual_and_each_counts_once() {
        let of = |named: &[LoadName]| chosen(named, &[Load::Arithmetic]).unwrap().loads;
        assert_eq!(of(&[]), [Load::Arithmetic]);
        let twice = [LoadName::One(Load::Contending), LoadName::One(Load::Contending)];
        assert_eq!(of(&twice), [Load::Contending]);
        let all = chosen(&[LoadName::All], &[]).unwrap();
        assert_eq!(all.loads.len() + all.left_out.len(), Load::ALL.len());
    }
}

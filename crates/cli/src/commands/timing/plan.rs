//! [`TestPlan`]: which tests run beside which loads. It is made, and refused, before
//! anything starts.

use crate::args::LoadName;
use crate::says::{self, Says, Terminal};
use anyhow::{Result, bail};
use chronotap_bench::studies::Load;
use chronotap_bench::studies::loads::LoadLimits;
use chronotap_bench::timing::{Length, Probe, Results};
use chronotap_core::time::Nanos;
use std::collections::BTreeMap;

/// What a command is going to do.
#[derive(Default)]
pub struct TestPlan {
    /// The command's name, which becomes part of the files'.
    pub name: &'static str,
    /// In this order.
    pub steps: Vec<TestStep>,
    /// Loads that cannot run here, with the reason and the cure.
    pub left_out: Vec<String>,
    /// What is tested, in the words of whoever tests it.
    pub about: BTreeMap<String, String>,
    /// Whether its probes are stretches of one test.
    pub in_stretches: bool,
    /// What was measured already, with which it goes on.
    pub earlier: Option<Results>,
}

/// Tests that run beside one load, one after the other.
pub struct TestStep {
    pub load: Load,
    pub probes: Vec<Box<dyn Probe>>,
}

/// The loads that were chosen and can run here.
pub struct ChosenLoads {
    pub loads: Vec<Load>,
    /// A sentence for each of the others.
    pub left_out: Vec<String>,
}

/// The loads of the command line; the usual ones where none is named. One that is
/// named and cannot run here is refused; `all` means all that can.
pub fn chosen(named: &[LoadName], usual: &[Load], limits: &LoadLimits) -> Result<ChosenLoads> {
    let mut found = ChosenLoads { loads: Vec::new(), left_out: Vec::new() };
    let all = named.contains(&LoadName::All);
    let wanted: Vec<Load> = match named {
        [] => usual.to_vec(),
        _ if all => Load::ALL.to_vec(),
        named => named.iter().filter_map(|name| one(*name)).collect(),
    };
    for load in wanted {
        match load.available(limits) {
            Ok(()) if !found.loads.contains(&load) => found.loads.push(load),
            Ok(()) => {}
            Err(why) if all => {
                found.left_out.push(format!("not measured beside {load}: {}", why.says(Terminal)))
            }
            Err(why) => bail!("--load {load}: {}", why.says(Terminal)),
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

impl TestPlan {
    /// The same tests beside each load.
    pub fn of(
        name: &'static str,
        chosen: ChosenLoads,
        probes: impl Fn(Load) -> Vec<Box<dyn Probe>>,
    ) -> TestPlan {
        let step = |load: Load| TestStep { load, probes: probes(load) };
        let steps = chosen.loads.into_iter().map(step).collect();
        TestPlan { steps, left_out: chosen.left_out, ..TestPlan::named(name) }
    }

    /// Without tests as yet.
    pub fn named(name: &'static str) -> TestPlan {
        TestPlan { name, ..TestPlan::default() }
    }

    /// Why none of its tests can run here, if that is so: the first one's reason.
    ///
    /// # Errors
    /// The reason and the cure.
    pub fn check(&self) -> Result<()> {
        let probes = || self.steps.iter().flat_map(|step| &step.probes);
        let nothing_left = self.earlier.is_some() && self.steps.is_empty();
        if nothing_left || probes().any(|probe| probe.available().is_ok()) {
            return Ok(());
        }
        match probes().find_map(|probe| Some((probe.name(), probe.available().err()?))) {
            Some((name, why)) => bail!("timing {name} cannot run here: {}", says::of(&*why)),
            None => bail!("--load: none of these can run here; `chronotap load` lists those"),
        }
    }

    /// About how long it takes.
    pub fn duration(&self, length: Length) -> Nanos {
        self.steps.iter().map(|step| step.duration(length)).sum()
    }

    /// How long where the machine is disturbed.
    pub fn longest(&self, length: Length) -> Nanos {
        self.steps.iter().map(|step| step.longest(length)).sum()
    }
}

impl TestStep {
    /// About how long it takes.
    pub fn duration(&self, length: Length) -> Nanos {
        self.able().map(|probe| probe.duration(length)).sum()
    }

    /// How long where the machine is disturbed.
    pub fn longest(&self, length: Length) -> Nanos {
        self.able().map(|probe| probe.longest(length)).sum()
    }

    fn able(&self) -> impl Iterator<Item = &Box<dyn Probe>> {
        self.probes.iter().filter(|probe| probe.available().is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_named_means_the_usual_and_each_counts_once() {
        let limits = LoadLimits::default();
        let of = |named: &[LoadName]| chosen(named, &[Load::Arithmetic], &limits).unwrap().loads;
        assert_eq!(of(&[]), [Load::Arithmetic]);
        let twice = [LoadName::One(Load::Contending), LoadName::One(Load::Contending)];
        assert_eq!(of(&twice), [Load::Contending]);
        let all = chosen(&[LoadName::All], &[], &limits).unwrap();
        assert_eq!(all.loads.len() + all.left_out.len(), Load::ALL.len());
    }
}

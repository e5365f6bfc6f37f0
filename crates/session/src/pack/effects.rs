//! [`PackEffect`]: a number of a study that is worth a picture, as it was published, and as it came out of a rehearsal or of
//! data. These are its outcome and its contrasts, and what else a ready-made study was published to find. Where no size
//! was published there is a side, or nothing: none is made up.

use chronotap_analysis::estimate::{Estimate, of_mean};
use chronotap_data::tables::{
    Analysis, Outcome, OutcomeFound, Sources, Stands, TablesError, outcomes_of,
};
use chronotap_design::{Claim, Experiment, PublishedClaim, expected};
use std::collections::BTreeMap;

/// One of them.
#[derive(Clone, Debug, PartialEq)]
pub struct PackEffect {
    /// What it is: `mean asynchrony: delay 70 ms less 0 ms`.
    pub what: String,
    pub unit: String,
    pub published: Option<PublishedClaim>,
    /// What was published in words, and where, of what was published at all.
    pub said: Option<String>,
    /// What it came to, with a 95 % interval; `None` of too few people.
    pub estimate: Option<Estimate>,
    pub people: usize,
}

/// The effects of a study, of which `found` is what it stated and came to. Each is there once.
///
/// # Errors
/// [`TablesError`] where a table cannot be read.
pub(super) fn effects(
    experiment: &Experiment,
    found: &[OutcomeFound],
    (sources, analysis): (&Sources, &Analysis),
) -> Result<Vec<PackEffect>, TablesError> {
    let stated = found.iter().filter(|found| found.outcome.stands != Stands::Asked);
    let mut all: Vec<PackEffect> = stated.map(own).collect();
    let Some(outcome) = experiment.outcome() else { return Ok(all) };
    for finding in expected(experiment) {
        for claim in finding.rehearsed.claims() {
            let said = Some(format!("{} ({})", finding.effect, finding.source));
            let published =
                PackEffect { said, published: claim.published(), ..nothing(claim, outcome) };
            match all.iter_mut().find(|effect| effect.what == published.what) {
                Some(known) => {
                    known.published = known.published.or(published.published);
                    known.said = known.said.take().or(published.said);
                }
                None => all.push(came(published, claim, outcome, (sources, analysis))?),
            }
        }
    }
    Ok(all)
}

/// What the study itself states.
fn own(found: &OutcomeFound) -> PackEffect {
    let effect = found.effect();
    PackEffect {
        what: found.what(),
        unit: effect.as_ref().map_or_else(|| found.unit.clone(), |effect| effect.unit.clone()),
        published: None,
        said: None,
        estimate: effect.as_ref().map(|effect| effect.estimate),
        people: effect.map_or(0, |effect| effect.people),
    }
}

/// A claim without any data.
fn nothing(claim: &Claim, own: &Outcome) -> PackEffect {
    let levels = |levels: &[&str]| levels.join(" and ");
    let over = own.over.as_deref().unwrap_or_default();
    let compared = match (claim.at, claim.less) {
        ([], _) => String::new(),
        (at, []) => format!(": {over} {}", levels(at)),
        (at, less) => format!(": {over} {} less {}", levels(at), levels(less)),
    };
    let (what, unit) = (format!("{}{compared}", outcome(claim, own)), String::new());
    PackEffect { what, unit, published: None, said: None, estimate: None, people: 0 }
}

fn outcome(claim: &Claim, own: &Outcome) -> Outcome {
    if claim.of == own.of { own.clone() } else { own.of_also(claim.of) }
}

/// The same with what it came to.
fn came(
    effect: PackEffect,
    claim: &Claim,
    own: &Outcome,
    (sources, analysis): (&Sources, &Analysis),
) -> Result<PackEffect, TablesError> {
    let of = Outcome { also: Vec::new(), ..outcome(claim, own) };
    let found = outcomes_of(&[of], sources, analysis)?;
    let Some(found) = found.first() else { return Ok(effect) };
    let values = of_people(found, claim);
    let (estimate, people) = (of_mean("people", &values).ok(), values.len());
    Ok(PackEffect { unit: found.unit.clone(), estimate, people, ..effect })
}

/// What a claim is about, of each person who has it: the mean over its levels, less that over the levels that are
/// taken off.
pub fn of_people(found: &OutcomeFound, claim: &Claim) -> Vec<f64> {
    let (at, less) = (over_levels(found, claim.at), over_levels(found, claim.less));
    let value = |(who, value): (&String, &f64)| match claim.less {
        [] => Some(*value),
        _ => Some(value - less.get(who)?),
    };
    at.iter().filter_map(value).collect()
}

/// Of each person the mean over these levels; of all levels where none is named.
fn over_levels(found: &OutcomeFound, levels: &[&str]) -> BTreeMap<String, f64> {
    let mut all: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in &found.rows {
        let is_meant = row.level.as_deref().is_some_and(|level| levels.contains(&level));
        if let Some(who) = row.participant.as_ref().filter(|_| levels.is_empty() || is_meant) {
            all.entry(who.clone()).or_default().push(row.value);
        }
    }
    all.into_iter().map(|(who, of)| (who, of.iter().sum::<f64>() / of.len() as f64)).collect()
}
